/* clock.h: times, quantiles and random numbers for the benchmarks. */
#ifndef BENCH_CLOCK_H
#define BENCH_CLOCK_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline uint64_t clock_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline int clock_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The value below which that share of them lies; sorts them. */
static inline double quantile(double *values, size_t count, double share)
{
	qsort(values, count, sizeof(*values), clock_compare);
	size_t at = (size_t)(share * (double)count);
	return values[at < count ? at : count - 1];
}

/* Returns the time of a pure computation: it is constant, and every disturbance on a shared machine
 * adds to it. */
static inline double least(double *values, size_t count)
{
	return quantile(values, count, 0);
}

/* xorshift64*: the same numbers in every run. */
static inline uint32_t random_below(uint64_t *state, uint32_t below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * 2685821657736338717u) >> 33) % below;
}

#endif
