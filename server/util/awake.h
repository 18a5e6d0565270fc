/* awake.h: waits for another thread for a moment without sleeping.
 *
 * An idle core halts. Waking it takes an interrupt from another core, and on a virtual machine the
 * hypervisor: there a message from thread to thread and back took 76 to 127 us on two cores, 7 on
 * one (`perf bench sched pipe`). The loops and the writer hand work to each other some thousand
 * times a second. So a thread that waits for the work of another polls for AWAKE_NS, about the time
 * of a commit, before it sleeps, and yields the core each time.
 *
 * Only if AWAKE_MANY or more are in progress: for fewer it would waste more than it gains. */
#ifndef SERVER_UTIL_AWAKE_H
#define SERVER_UTIL_AWAKE_H

#include <sched.h>
#include <stdbool.h>

#include "server/util/monotonic.h"
#include "server/util/error.h"

#define AWAKE_NS 500000
#define AWAKE_MANY 4

/* Yields the core. Returns whether to poll again: until monotonic_ns() is `end_ns`. */
MUST_USE static inline bool awake_until(uint64_t end_ns)
{
	sched_yield();
	return monotonic_ns() < end_ns;
}

#endif
