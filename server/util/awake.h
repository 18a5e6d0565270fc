/* awake.h: waiting for another thread without sleeping, for a moment.
 *
 * A core that has nothing to do halts. To wake it takes an interrupt from another core, and on a
 * virtual machine the hypervisor besides: there 76 to 127 us were measured for a message from thread
 * to thread and back on two cores, 7 on one (`perf bench sched pipe`). The loops and the writer hand
 * work to each other some thousand times a second. So a thread that waits for another one's
 * work looks again for AWAKE_NS, about the time of a commit, before it sleeps, and yields the core
 * each time.
 *
 * Only where AWAKE_MANY or more are under way: for fewer it would burn more than it gains. */
#ifndef SERVER_UTIL_AWAKE_H
#define SERVER_UTIL_AWAKE_H

#include <sched.h>
#include <stdbool.h>

#include "server/util/monotonic.h"
#include "server/util/error.h"

#define AWAKE_NS 500000
#define AWAKE_MANY 4

/* Offers the core; whether to look again: until `end_ns` of monotonic_ns(). */
MUST_USE static inline bool awake_until(uint64_t end_ns)
{
	sched_yield();
	return monotonic_ns() < end_ns;
}

#endif
