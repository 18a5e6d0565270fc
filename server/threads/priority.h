/* priority.h: the priority of threads whose work may wait: searches, their tables, long computations and scans. Turning
 * cubes goes first.
 *
 * On Linux each thread has a nice(1) value of its own. By the kernel's weights a thread of value 10 gets a ninth of the
 * time of one of value 0 that runs on the same core, also of other programs: beside ten of these, about 1 %. */
#ifndef SERVER_THREADS_PRIORITY_H
#define SERVER_THREADS_PRIORITY_H

/* Sets the value, 0 to 19, of threads that are created later; 0 until then. */
void priority_set_background(int nice);

/* Lowers the priority of the calling thread. If the system refuses, it stays. */
void priority_lower(void);

/* The same by half: for tables that make searches a hundred times faster. */
void priority_lower_by_half(void);

#endif
