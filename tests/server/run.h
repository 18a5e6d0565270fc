/* tests/server/run.h: the runner of the server's test programs: that of the library's. */
#ifndef TESTS_SERVER_RUN_H
#define TESTS_SERVER_RUN_H

#include "tests/core/run.h"

#endif
