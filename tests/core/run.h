/* tests/core/run.h: runs a suite in this process and says whether it truly ran.
 *
 * Check forks by default, which hides leaks and slows the sanitizers, so it does not here.
 * A suite that lost its tests would pass; therefore every program names how many it has. CK_RUN_CASE
 * of Check chooses one case of a suite. */
#ifndef TESTS_CORE_RUN_H
#define TESTS_CORE_RUN_H

#include "tests/core/check.h"
#include <stdio.h>
#include <stdlib.h>

/* Runs `suite`; EXIT_SUCCESS if nothing failed and at least `minimum_checks` tests ran, or one if a
 * case was chosen. */
static inline int run_suite(Suite *suite, int minimum_checks)
{
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, CK_NOFORK);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	int run = srunner_ntests_run(runner);
	srunner_free(runner);
	if (getenv("CK_RUN_CASE"))
		minimum_checks = 1;
	if (run < minimum_checks) {
		fprintf(stderr, "only %d checks ran, at least %d are expected\n", run,
			minimum_checks);
		return EXIT_FAILURE;
	}
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
