/* gate.c: the visits that wait until others' changes are known, and the rounds of questions. */
#include "server/modules/postgres/gate_internal.h"
#include "server/session/states.h"
#include "server/util/container_of.h"
#include "server/util/meters.h"

/* Most bytes of changes that are kept for sessions being read. */
#define JOURNAL_BYTES_MAX ((size_t)1 << 20)

/* Trusting visits that wait after a conflict of a trusted one. */
#define CAUTIOUS 32

/* ---- a round: on the pool's thread ---- */

/* A change as it is kept in a buffer, followed by its entries. */
static void keep_change(void *context, const struct store_change *change)
{
	struct buffer *buffer = context;
	struct store_change kept = *change;
	kept.entries = NULL;
	buffer_add(buffer, &kept, sizeof kept);
	if (change->bytes > 0)
		buffer_add(buffer, change->entries, change->bytes);
}

/* Reads the change at *at, which moves on; false at the end. */
static bool next_change(const struct buffer *buffer, const char **at, struct store_change *change)
{
	if (buffer->length == 0 || *at == buffer->bytes + buffer->length)
		return false;
	memcpy(change, *at, sizeof *change);
	change->entries = (const uint8_t *)*at + sizeof *change;
	*at += sizeof *change + change->bytes;
	return true;
}

static void ask_run(struct job *job, struct store_reader *reader)
{
	struct gate *gate = container_of(job, struct gate, job);
	const struct store *store = gate->session_cache->store;
	gate->status = store->operations->changes(reader, keep_change, &gate->changes);
	gate->lost = gate->changes.failed;
}

/* ---- the answers ---- */

/* Keeps the change for sessions that are being read. */
static void remember(struct gate *gate, const struct store_change *change)
{
	const bool wanted = gate->session_cache->loads > 0 && change->kind != CHANGE_MISSED &&
			    change->kind != CHANGE_RECONNECTED;
	gate->changed++;
	if (wanted)
		keep_change(&gate->journal, change);
	if (wanted && !gate->journal.failed && gate->journal.length <= JOURNAL_BYTES_MAX)
		return;
	buffer_free(&gate->journal);
	gate->journal_first = gate->changed;
}

/* Applies what the round found; the buffer is empty afterwards. */
static void apply_changes(struct gate *gate)
{
	struct session_cache *session_cache = gate->session_cache;
	const char *at = gate->changes.bytes;
	struct store_change change;
	while (!gate->lost && next_change(&gate->changes, &at, &change)) {
		remember(gate, &change);
		session_cache_apply(session_cache, &change);
	}
	if (gate->lost) {
		const struct store_change missed = {.kind = CHANGE_MISSED};
		remember(gate, &missed);
		session_cache_apply(session_cache, &missed);
	}
	gate->lost = false;
	buffer_free(&gate->changes);
}

static void let_in(struct visit *visit)
{
	while (visit) {
		struct visit *next = visit->next;
		visit_set_pass(visit, PASS_FRESH);
		session_acquire(visit, visit->need);
		visit = next;
	}
}

static void turn_away(struct visit *visit, enum store_status status)
{
	while (visit) {
		struct visit *next = visit->next;
		visit_settle(visit);
		visit->calls->refused(visit, status);
		visit = next;
	}
}

static void begin_round(struct gate *gate);

static void ask_done(struct job *job)
{
	struct gate *gate = container_of(job, struct gate, job);
	struct visit *asked = gate->asked, *waiting = NULL;
	lock_assert_held(&gate->session_cache->lock);
	gate->asked = NULL;
	gate->asking = false;
	apply_changes(gate);
	/* A store that gave up after a while is not asked again for those that came meanwhile. */
	if (gate->status != STORE_OK) {
		waiting = gate->waiting;
		gate->waiting = gate->last = NULL;
		gate->ask_again = false;
	}
	const enum store_status status = gate->status;
	gate->rounds += status == STORE_OK;
	if (gate->waiting || gate->ask_again)
		begin_round(gate);
	if (status == STORE_OK)
		let_in(asked);
	else
		turn_away(asked, status);
	turn_away(waiting, status);
}

static void begin_round(struct gate *gate)
{
	gate->asking = true;
	gate->ask_again = false;
	gate->asked = gate->waiting;
	gate->waiting = gate->last = NULL;
	gate->job.run = ask_run;
	gate->job.done = ask_done;
	meter_add(METER_GATE_ROUNDS, 1);
	pool_submit(gate->pool, &gate->job);
}

bool nodes_gate_trusts(struct gate *gate, struct visit *visit)
{
	const struct session *session = visit->session;
	lock_assert_held(&gate->session_cache->lock);
	if (visit->pass != PASS_TRUSTING && visit->pass != PASS_TRUSTED)
		return false;
	if (!session)
		session = session_cache_find(gate->session_cache, &visit->id);
	if (!session || session->state != SESSION_CURRENT || !session->own)
		return false;
	if (gate->cautious > 0) {
		gate->cautious--;
		return false;
	}
	meter_add(METER_GATE_TRUSTED, 1);
	visit_set_pass(visit, PASS_TRUSTED);
	return true;
}

void nodes_gate_trusted_wrongly(struct gate *gate)
{
	meter_add(METER_GATE_WRONG, 1);
	gate->cautious = CAUTIOUS;
}

void nodes_gate_wait(struct gate *gate, struct visit *visit)
{
	lock_assert_held(&gate->session_cache->lock);
	meter_add(METER_GATE_VISITS, 1);
	visit_become(visit, VISIT_AT_GATE);
	visit->next = NULL;
	*(gate->waiting ? &gate->last->next : &gate->waiting) = visit;
	gate->last = visit;
	if (!gate->asking)
		begin_round(gate);
}

/* ---- hints ---- */

void nodes_gate_follow(struct gate *gate, uint64_t key)
{
	lock_assert_held(&gate->session_cache->lock);
	atomic_fetch_add_explicit(&gate->followed[key % GATE_FOLLOW_SLOTS], 1,
				  memory_order_relaxed);
}

void nodes_gate_unfollow(struct gate *gate, uint64_t key)
{
	lock_assert_held(&gate->session_cache->lock);
	atomic_fetch_sub_explicit(&gate->followed[key % GATE_FOLLOW_SLOTS], 1,
				  memory_order_relaxed);
}

bool nodes_gate_hint(struct gate *gate, const uint64_t *keys, size_t count)
{
	bool followed = count == 0;
	for (size_t i = 0; i < count && !followed; i++)
		followed = atomic_load_explicit(&gate->followed[keys[i] % GATE_FOLLOW_SLOTS],
						memory_order_relaxed) > 0;
	if (followed) {
		atomic_store(&gate->hinted, true);
		meter_add(METER_GATE_HINTS_FOLLOWED, 1);
	}
	meter_add(METER_GATE_HINTS, 1);
	return followed;
}

void nodes_gate_ask(struct gate *gate)
{
	lock_assert_held(&gate->session_cache->lock);
	if (gate->asking)
		gate->ask_again = true;
	else
		begin_round(gate);
}

void nodes_gate_catch_up(struct gate *gate, struct session *session, uint64_t since)
{
	if (since < gate->journal_first) {
		session_cache_outdate(gate->session_cache, session);
		return;
	}
	struct store_change change;
	uint64_t number = gate->journal_first;
	/* Until all are applied no visit enters: its request may be newer than the last one. */
	const bool advancing = session->advancing;
	session->advancing = true;
	for (const char *at = gate->journal.bytes; next_change(&gate->journal, &at, &change);
	     number++)
		if (number >= since && change.key == session->meta.key)
			session_cache_apply(gate->session_cache, &change);
	session->advancing = advancing;
}
