/* planted_faults.c: faults that the tests of several nodes must find. build/cluster/cubed-planted is
 * the server with this file: the linker replaces the functions below (--wrap), and CUBED_PLANT says
 * which fault is planted. The server itself knows nothing of it.
 *
 *     open-gate      visits enter sessions without asking for what other nodes changed
 *     skip-changes   every 20th change of other nodes is not applied to the cache
 *     no-barrier     new connections trust what they see */
#include <stdlib.h>
#include <string.h>
#include "server/session/gate.h"
#include "server/session/session_cache_internal.h"
#include "server/store/postgres/connection.h"

#define SKIP_EACH 20

static bool is_planted(const char *name)
{
	const char *planted = getenv("CUBED_PLANT");
	return planted != NULL && strcmp(planted, name) == 0;
}

void __real_gate_wait(struct gate *gate, struct visit *visit);
void __wrap_gate_wait(struct gate *gate, struct visit *visit);
void __wrap_gate_wait(struct gate *gate, struct visit *visit)
{
	if (!is_planted("open-gate")) {
		__real_gate_wait(gate, visit);
		return;
	}
	visit->fresh = true;
	session_acquire(visit, (enum session_need)visit->need);
}

void __real_session_cache_apply(struct session_cache *session_cache,
				const struct store_change *change);
void __wrap_session_cache_apply(struct session_cache *session_cache,
				const struct store_change *change);
void __wrap_session_cache_apply(struct session_cache *session_cache,
				const struct store_change *change)
{
	static unsigned count;
	if (is_planted("skip-changes") && change->kind == CHANGE_ENTRIES &&
	    ++count % SKIP_EACH == 0)
		return;
	__real_session_cache_apply(session_cache, change);
}

enum failure __real_pg_barrier(struct connection *connection, int32_t lane, uint64_t until_ns);
enum failure __wrap_pg_barrier(struct connection *connection, int32_t lane, uint64_t until_ns);
enum failure __wrap_pg_barrier(struct connection *connection, int32_t lane, uint64_t until_ns)
{
	if (is_planted("no-barrier"))
		return FAILURE_NONE;
	return __real_pg_barrier(connection, lane, until_ns);
}
