/* history_solution.c: reading the turns of a history that are in force. */
#include "server/api/search/history_solution.h"

#include "cube/turn.h"
#include "server/api/request/service_state.h"
#include "server/util/container_of.h"

static size_t count_of(const struct known *known)
{
	return known->turns.length / sizeof(struct cube_turn);
}

static bool collect_entry(void *context, const struct entry *entry)
{
	struct known *known = context;
	if (++known->entries > KNOWN_ENTRIES_MAX) {
		known->whole = false;
		return false;
	}
	if (entry->revision != known->next)
		return true;
	if (entry->kind == ENTRY_RESET) {
		/* The cube was that of revision 0 here: what came before does not matter. */
		known->turns.length = known->scramble_bytes;
		known->whole = true;
	} else if (!entry->has_turns || entry->turn_count > KNOWN_TURNS_MAX - count_of(known)) {
		known->whole = false;
	} else if (known->whole) {
		buffer_add(&known->turns, entry->turns, entry->turn_count * sizeof *entry->turns);
	}
	if (--known->left == 0)
		return false;
	known->next = history_done_at(known->history, known->left - 1);
	return true;
}

/* A failure here only costs a shorter solution. */
static void collect(struct known *known, struct store_reader *reader, const struct history *history)
{
	const struct store *store = known->ctx->service->store;
	known->history = history;
	known->left = history_undoable(history);
	known->whole = true;
	if (known->left == 0)
		return;
	known->next = history_done_at(history, known->left - 1);
	if (store->operations->entries(reader, known->ctx->visit.session->meta.key, known->next - 1,
				       collect_entry, known) != STORE_OK ||
	    known->left > 0)
		known->whole = false;
}

static void history_solution_run(struct job *job, struct store_reader *reader)
{
	struct known *known = container_of(job, struct known, job);
	struct context *ctx = known->ctx;
	const struct history *now = ctx->visit.snapshot;
	struct history *then;
	if (known->at < 0 || known->at == (int64_t)now->revision) {
		collect(known, reader, now);
	} else if (ctx->service->store->operations->at(reader, ctx->visit.session->meta.key,
						       (uint32_t)known->at, &then) == STORE_OK) {
		collect(known, reader, then);
		history_destroy(then);
	}
	known->whole = known->whole && !known->turns.failed;
}

static void history_solution_done(struct job *job)
{
	struct known *known = container_of(job, struct known, job);
	known->then(known->ctx);
}

void history_solution_collect(struct context *ctx, struct known *known, int64_t at,
			      void (*then)(struct context *ctx))
{
	*known = (struct known){.ctx = ctx, .at = at, .then = then};
	const struct session *session = ctx->visit.session;
	if (session->scramble_count > 0 && session->scramble_count <= KNOWN_TURNS_MAX)
		buffer_add(&known->turns, session->scramble,
			   session->scramble_count * sizeof *session->scramble);
	known->scramble_bytes = known->turns.length;
	known->job.run = history_solution_run;
	known->job.done = history_solution_done;
	known->job.client = ctx->client;
	pool_submit(ctx->service->readers, &known->job);
}
