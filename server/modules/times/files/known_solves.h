/* known_solves.h: which solves of a file are in a book already.
 *
 * Two solves are the same if they were made in the same second, took the same time to the hundredth
 * of a second, not counting penalties, and have the same scramble: this much every file of a timer
 * keeps. Of several that are the same, each one in the book stands for one in the file.
 *
 * Lists of times and tables may not say when solves were made. Such a solve is new: another list can
 * have the same time. Solves of csTimer without a date are the same if both have none. */
#ifndef SERVER_MODULES_TIMES_FILES_KNOWN_SOLVES_H
#define SERVER_MODULES_TIMES_FILES_KNOWN_SOLVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/store/solve.h"
#include "server/util/error.h"

struct known_solves {
	const struct stored_solve *solves; /* of the file */
	size_t count;
	struct known_row *rows; /* of those that may be known, sorted */
	size_t row_count;
	bool *known; /* for each solve of the file */
};

/* Returns the bytes that known_solves_begin() allocates. */
size_t known_solves_bytes(size_t count);
/* `undated_ms` is the date of solves that have none. False if out of memory. Finish it in any case. */
MUST_USE bool known_solves_begin(struct known_solves *known, const struct stored_solve *solves,
				 size_t count, int64_t undated_ms);
/* One in the book. O(log count). */
void known_solves_mark(struct known_solves *known, const struct stored_solve *in_book);
/* Moves those that are not known to the front, in order; returns how many there are. `solves`: as
 * they were at the beginning. */
size_t known_solves_leave_out(const struct known_solves *known, struct stored_solve *solves);
void known_solves_finish(struct known_solves *known);

#endif
