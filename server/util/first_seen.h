/* first_seen.h: a small table of texts, to log each of them only once. Any thread. */
#ifndef SERVER_UTIL_FIRST_SEEN_H
#define SERVER_UTIL_FIRST_SEEN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define FIRST_SEEN_MAX 64

/* The hashes of the texts, in the order in which they came; 0: free. All zero at first. */
struct first_seen {
	_Atomic uint64_t hash[FIRST_SEEN_MAX];
};

/* Enters the text. False if it was there, or if the table is full. */
bool first_seen_enter(struct first_seen *seen, const char *text);

#endif
