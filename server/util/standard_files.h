/* standard_files.h: the descriptors 0, 1 and 2 at the start of a program. */
#ifndef SERVER_UTIL_STANDARD_FILES_H
#define SERVER_UTIL_STANDARD_FILES_H

/* Opens /dev/null as those that are closed. Otherwise the next file or socket would get such a
 * descriptor, and messages would be written into it. Call it first. */
void standard_files_open(void);

#endif
