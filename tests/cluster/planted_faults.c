/* planted_faults.c: faults that the tests of several nodes must find. build/cluster/cubed-planted is
 * the server with this file: the linker replaces the functions below (--wrap), and CUBED_PLANT says
 * which fault is planted. The server itself knows nothing of it.
 *
 *     open-gate      visits enter sessions without asking for what other nodes changed
 *     skip-changes   every 20th change of other nodes is not applied to the cache
 *     skip-rows      every 20th batch of other nodes is read as if it had changed nothing
 *     own-lanes      what this node has committed, and not answered yet, counts as known to it; and
 *     slow-answers   between the two is some time: that alone must not be a fault
 *     numbers        entries are stored on any state of the same number, not only on their own
 *     keep-cache     nothing is forgotten after connections broke
 *     no-barrier     new connections trust what they see
 *     no-receipts    other nodes do not learn which requests were answered
 *     no-hints       nor that something was committed, until they ask: this must not be a fault either
 *     other-hints    nor in which session: hints name another one */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "server/modules/postgres/gate_internal.h"
#include "server/modules/postgres/store/hints.h"
#include "server/modules/postgres/store/lane.h"

#define SKIP_EACH 20
/* Mostly short, so that there are many transactions; sometimes long, so that a slow machine does something meanwhile. */
#define SLOW_NS 4000000
#define SLOWER_NS 100000000
#define SLOWER_EACH 8

static const char *planted;

/* The server would refuse a variable that it does not know. */
__attribute__((constructor)) static void take_from_environment(void)
{
	planted = getenv("CUBED_PLANT");
	unsetenv("CUBED_PLANT");
}

static bool is_planted(const char *name)
{
	return planted != NULL && strcmp(planted, name) == 0;
}

void __real_nodes_gate_wait(struct gate *gate, struct visit *visit);
void __wrap_nodes_gate_wait(struct gate *gate, struct visit *visit);
void __wrap_nodes_gate_wait(struct gate *gate, struct visit *visit)
{
	if (!is_planted("open-gate")) {
		__real_nodes_gate_wait(gate, visit);
		return;
	}
	visit->pass = PASS_FRESH;
	session_acquire(visit, visit->need);
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
	if (is_planted("keep-cache") &&
	    (change->kind == CHANGE_RECONNECTED || change->kind == CHANGE_MISSED))
		return;
	__real_session_cache_apply(session_cache, change);
}

enum failure __real_pg_barrier(struct postgres_store *store, struct connection *connection,
			       int32_t lane, uint64_t until_ns);
enum failure __wrap_pg_barrier(struct postgres_store *store, struct connection *connection,
			       int32_t lane, uint64_t until_ns);
enum failure __wrap_pg_barrier(struct postgres_store *store, struct connection *connection,
			       int32_t lane, uint64_t until_ns)
{
	if (is_planted("no-barrier"))
		return FAILURE_NONE;
	return __real_pg_barrier(store, connection, lane, until_ns);
}

void __real_change_body_read(struct change_body *reader, const uint8_t *bytes, size_t length);
void __wrap_change_body_read(struct change_body *reader, const uint8_t *bytes, size_t length);
void __wrap_change_body_read(struct change_body *reader, const uint8_t *bytes, size_t length)
{
	static _Atomic unsigned count;
	if (is_planted("skip-rows") && ++count % SKIP_EACH == 0)
		length = 0;
	__real_change_body_read(reader, bytes, length);
}

uint64_t __real_lane_answered(const struct postgres_store *store, int32_t lane);
uint64_t __wrap_lane_answered(const struct postgres_store *store, int32_t lane);
uint64_t __wrap_lane_answered(const struct postgres_store *store, int32_t lane)
{
	const uint64_t answered = __real_lane_answered(store, lane);
	return answered > 0 && is_planted("own-lanes") ? answered + 1 : answered;
}

enum failure __real_transaction_run(struct transaction *transaction, uint64_t until_ns);
enum failure __wrap_transaction_run(struct transaction *transaction, uint64_t until_ns);
enum failure __wrap_transaction_run(struct transaction *transaction, uint64_t until_ns)
{
	const enum failure failure = __real_transaction_run(transaction, until_ns);
	static _Atomic unsigned transactions;
	if (is_planted("own-lanes") || is_planted("slow-answers")) {
		const bool slower = atomic_fetch_add(&transactions, 1) % SLOWER_EACH == 0;
		nanosleep(&(struct timespec){.tv_nsec = slower ? SLOWER_NS : SLOW_NS}, NULL);
	}
	return failure;
}

enum run_added __real_runs_add(struct runs *runs, const struct store_write *write,
			       enum store_status *status);
enum run_added __wrap_runs_add(struct runs *runs, const struct store_write *write,
			       enum store_status *status);
enum run_added __wrap_runs_add(struct runs *runs, const struct store_write *write,
			       enum store_status *status)
{
	struct store_write numbered = *write;
	if (is_planted("numbers")) {
		numbered.state_before = write->revision - 1;
		numbered.state_after = write->revision;
	}
	return __real_runs_add(runs, &numbered, status);
}

enum failure __real_transaction_receipts_send(struct transaction *transaction);
enum failure __wrap_transaction_receipts_send(struct transaction *transaction);
enum failure __wrap_transaction_receipts_send(struct transaction *transaction)
{
	return is_planted("no-receipts") ? FAILURE_NONE
					 : __real_transaction_receipts_send(transaction);
}

void __real_hints_add(struct postgres_store *store, uint64_t key);
void __wrap_hints_add(struct postgres_store *store, uint64_t key);
void __wrap_hints_add(struct postgres_store *store, uint64_t key)
{
	__real_hints_add(store, is_planted("other-hints") ? key + GATE_FOLLOW_SLOTS / 2 : key);
}

void __real_hints_send(struct postgres_store *store);
void __wrap_hints_send(struct postgres_store *store);
void __wrap_hints_send(struct postgres_store *store)
{
	if (!is_planted("no-hints"))
		__real_hints_send(store);
}
