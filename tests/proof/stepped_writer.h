/* stepped_writer.h: runs the store's writer thread step by step, on a clock that only the test
 * moves, so that a run depends on its seed alone.
 *
 * Needs -Wl,--wrap=pthread_cond_timedwait,--wrap=clock_gettime: the thread waits for work with the
 * former and reads the time with the latter. */
#ifndef TESTS_PROOF_STEPPED_WRITER_H
#define TESTS_PROOF_STEPPED_WRITER_H

#include <stdint.h>

/* Waits until the thread waits for work. */
void stepped_writer_wait(void);
/* Lets the thread check once for work, and waits until that work is done. */
void stepped_writer_step(void);
/* Advances the clock. */
void stepped_writer_advance_ms(int64_t ms);
/* Release before a store is closed: the thread then runs freely. Hold before the next is opened. */
void stepped_writer_release(void);
void stepped_writer_hold(void);

#endif
