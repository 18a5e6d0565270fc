/* process_usage.h: what this process uses of its machine. */
#ifndef SERVER_UTIL_PROCESS_USAGE_H
#define SERVER_UTIL_PROCESS_USAGE_H

#include <stdint.h>

struct process_usage {
	uint64_t cpu_ns; /* of all threads, in the program and in the kernel */
	/* 0: unknown, as without /proc */
	uint64_t virtual_bytes, resident_bytes;
	uint64_t open_files;
	uint64_t open_files_max; /* UINT64_MAX: no limit */
};

/* Asks the kernel. Costs about a microsecond for each open file. */
void process_usage_read(struct process_usage *usage);

/* Returns the number of processors that this process may use, at least 1. */
unsigned process_cores(void);

#endif
