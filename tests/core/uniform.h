/* tests/core/uniform.h: chi-square tests of what is drawn. */
#ifndef TESTS_CORE_UNIFORM_H
#define TESTS_CORE_UNIFORM_H

#include "tests/core/check.h"
#include <stdint.h>

/* The sum over the cells of (seen - expected)^2 / expected. For f = cells - 1 degrees of freedom it
 * is f + 4.5 sqrt(2 f) or more once in some 10^5 seeds; the seeds here are fixed. */
static inline void check_uniform(const uint32_t *seen, int cells)
{
	double total = 0, sum = 0, freedom = cells - 1;
	for (int i = 0; i < cells; i++)
		total += seen[i];
	for (int i = 0; i < cells; i++) {
		double off = seen[i] - total / cells;
		sum += off * off / (total / cells);
	}
	double deviation = (sum - freedom) * (sum - freedom) / (2 * freedom);
	ck_assert_msg(sum < freedom || deviation < 4.5 * 4.5, "chi-square %f of %d", sum, cells);
	/* And not evener than chance would be. */
	ck_assert_msg(sum > freedom || deviation < 4.5 * 4.5, "chi-square %f of %d", sum, cells);
}

#endif
