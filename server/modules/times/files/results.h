/* results.h: times and averages as the WCA Regulations (2024) have them.
 *
 * All in milliseconds. A result is a time with its penalty, as it counts:
 *
 *     under 10 minutes   cut to hundredths of a second (9f1); an average is rounded to the nearest
 *     from 10 minutes    rounded to the nearest second, halves up (9f2)
 *
 * An average of n leaves out the best and the worst 5 % of them, rounded up: one each of 5 and of
 * 12, three of 50, five of 100, 50 of 1000 (9f8, 9f9; of more than 12 as timers have it). A DNF is
 * worse than any time; more of them than are left out make the average DNF. A mean of any number
 * leaves out nothing.
 *
 * Pure; any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_RESULTS_H
#define SERVER_MODULES_TIMES_FILES_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#define TIME_DNF INT64_C(-1)  /* a result: did not finish */
#define TIME_NONE INT64_C(-2) /* no result: not enough solves, or untimed */

/* Penalties other than DNF are added milliseconds; these are the usual ones. */
#define PENALTY_DNF INT64_C(-1)
#define PENALTY_TWO INT64_C(2000)
/* The longest time, a thousand hours; and the largest penalty. */
#define TIME_MAX INT64_C(3600000000)
#define PENALTY_MAX INT64_C(3600000)

#define INSPECTION_TWO_MS 15000 /* inspection that long is +2 (A4d1) */
#define INSPECTION_DNF_MS 17000 /* and that long DNF (A4d2) */

/* The sum, or DNF if either is. Penalties are cumulative (A4d, 10e3). */
int64_t penalty_add(int64_t a, int64_t b);
/* The penalty for an inspection of that length. */
int64_t penalty_of_inspection(int64_t inspection_ms);

/* Returns what a time counts as. `time_ms` TIME_NONE: TIME_NONE, or TIME_DNF if that is the
 * penalty. */
int64_t time_result(int64_t time_ms, int64_t penalty_ms);

/* The fewest and the most solves of a mean and of an average. */
#define MEAN_MIN 2
#define AVERAGE_MIN 5
#define AVERAGE_MAX 1000

/* The newest and the best average of some results in a row. */
struct averages {
	int64_t current, best; /* TIME_NONE, TIME_DNF or a time */
	size_t best_from;      /* index of its first result; only if `best` is a time */
};

/* Returns the number of times that an average leaves out at each end: 1 of 5 and 12, 3 of 50, 5 of
 * 100. */
unsigned average_trim(unsigned of);

/* Averages of results that come in parts. */
struct averaging {
	struct averages averages; /* of the results so far */
	size_t at;                /* results so far */
	unsigned count, of, trim;
	int64_t total;   /* of the times among the last `of` results */
	int64_t *sorted; /* these results */
};
/* `trim` are left out at each end, 0 of a mean; `sorted` has room for `of` results. */
void averaging_begin(struct averaging *averaging, unsigned of, unsigned trim, int64_t *sorted);
/* Adds the results up to `end`, in chronological order, each TIME_DNF or a time. Those before `at` are
 * the same as in the calls before. O((end - at) * of). */
void averaging_go_on(struct averaging *averaging, const int64_t *results, size_t end);

/* The rounded mean of those that are times; TIME_NONE if there are none. */
int64_t mean_of(const int64_t *results, size_t count);

/* "12.34", "1:02.34", "10:02", "1:00:00", "DNF", "" for none; with a NUL. */
#define TIME_TEXT_MAX 24
void time_print(int64_t result, char text[TIME_TEXT_MAX]);

#endif
