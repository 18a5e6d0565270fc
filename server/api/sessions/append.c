/* append.c: POST .../moves and .../scramble, and the way of every call that appends an entry. */
#include "server/api/sessions/append.h"

#include <stdlib.h>
#include <string.h>

#include "server/api/input/cube.h"
#include "server/api/sessions/turn_policy.h"
#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/api/sessions/record_solve.h"
#include "server/api/steps/authorize.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/sessions.h"
#include "server/api/steps/session_visit.h"
#include "server/util/monotonic.h"

bool append_read(struct context *ctx, struct append *append, const struct json_member *members,
		 size_t count)
{
	return cube_view_read(ctx, &append->view) &&
	       input_object(ctx, ctx->body, "", members, count);
}

/* ---- the plan: on any thread, with the context's snapshot ---- */

static bool pack_entry(struct context *ctx, const struct entry *entry, int size)
{
	uint8_t *packed = ctx_take(ctx, entry_pack_bound(entry, size));
	if (!packed)
		return false;
	ctx->visit.write.packed = packed;
	ctx->visit.write.packed_bytes = entry_pack(entry, size, 0, packed);
	ctx->visit.write.revision = entry->revision;
	ctx->visit.write.time_ms = entry->time_ms;
	return true;
}

void append_write_entry(struct out *out, const struct entry *entry, int size,
			const struct roster *roster, const uint32_t *rebased_from)
{
	out_open(out, '{');
	out_key(out, "revision");
	out_integer(out, entry->revision);
	out_key(out, "entry");
	entry_write(out, entry, size, roster);
	if (rebased_from) {
		out_key(out, "rebased_from");
		out_integer(out, *rebased_from);
	}
}

void append_write_cube(struct out *out, const struct cube *cube, const struct cube_view *view)
{
	out_key(out, "cube");
	cube_write(out, cube, view, CUBE_KNOWN);
	out_close(out, '}');
}

static bool write_answer(struct context *ctx, const struct entry *entry,
			 const struct history *after)
{
	const struct append *append = ctx->data;
	struct out out = {.buffer = &ctx->request->reply.body};
	const struct etag_state state = etag_of_session(append->about, after);
	etag_reply_session(ctx, &state, ETAG_WRITE, &append->view, 0);
	if (cube_reply_text(ctx, after->cube, &append->view, 200))
		return ctx_reply_made(ctx);
	append_write_entry(&out, entry, after->cube->size, ctx->visit.roster,
			   append->rebased ? &append->seen : NULL);
	moves_notes_write(&out, &append->moves, &append->notes);
	append_write_cube(&out, after->cube, &append->view);
	ctx_reply_json(ctx, 200);
	return ctx_reply_made(ctx);
}

bool append_plan(struct context *ctx, struct entry *entry, const struct cube *cube)
{
	const struct history *before = ctx->visit.snapshot;
	/* Counted until the request has ended: on a large cube that is much for one that waits. */
	const bool granted = charge_take(ctx->request->account, cube_bytes(before->cube->size));
	struct history *after = granted ? history_copy(before) : NULL;
	int64_t now_ms = wall_ms();
	if (!after)
		return ctx_no_memory(ctx);
	entry->revision = before->revision + 1;
	/* Times of a history never run backwards, whatever the clock does. */
	entry->time_ms = now_ms > before->updated_ms ? now_ms : before->updated_ms;
	entry->actor = authorize_actor(ctx);
	entry->has_turns = cube == NULL;
	entry->cube = cube;
	if ((history_apply(after, entry) || ctx_no_memory(ctx)) &&
	    pack_entry(ctx, entry, after->cube->size) && write_answer(ctx, entry, after))
		ctx->visit.after = after;
	else
		history_destroy(after);
	return ctx->visit.after != NULL;
}

/* Only moves may have times. */
static bool read_moves(struct context *ctx, struct append *append, int size, struct cube_alg *alg,
		       uint32_t **times)
{
	return append->kind == ENTRY_MOVES
		       ? moves_read_timed(ctx, &append->moves, size, alg, times, &append->notes)
		       : moves_read_noted(ctx, &append->moves, size, alg, &append->notes);
}

/* What is to be turned. */
static bool plan_turns(struct context *ctx, struct append *append, struct entry *entry,
		       struct cube_turn **turns)
{
	const int size = ctx->visit.snapshot->cube->size;
	struct cube_alg alg;
	uint32_t *times = NULL;
	if (append->scramble.wanted)
		return scramble_make(ctx, &append->scramble, size, turns, &entry->turn_count);
	if (!read_moves(ctx, append, size, &alg, &times) ||
	    !moves_expand(ctx, &append->moves, &alg, turns, &entry->turn_count))
		return false;
	entry->times = entry->turn_count > 0 ? times : NULL;
	/* Turns by 0 quarters are moves, though nothing of them is kept. */
	if (entry->turn_count == 0 && alg.zeros == 0)
		return input_problem(ctx, "/moves", "There is nothing to turn.",
				     "at least one move", NULL);
	return true;
}

static void moves_plan(struct context *ctx)
{
	struct append *append = ctx->data;
	struct entry entry = {.kind = append->kind, .restores = HISTORY_NONE};
	struct cube_turn *turns;
	if (!plan_turns(ctx, append, &entry, &turns))
		return;
	if (append->axes != 0 &&
	    !turn_axes_agree(append->axes | turn_axes(turns, entry.turn_count))) {
		append->conflict = true;
		return;
	}
	entry.turns = turns;
	append_plan(ctx, &entry, NULL);
}

/* ---- the way: on the loop's thread ---- */

static void append_entered(struct context *ctx);

/* Begins again once all is on the disk, where what was turned is looked for. */
static void append_alone(struct context *ctx)
{
	history_release(ctx->visit.after);
	ctx->visit.after = NULL;
	session_unlock(&ctx->visit);
	request_clear_reply(ctx->request);
	ctx_acquire(ctx, NEED_ALONE, append_entered);
}

static void append_planned(struct context *ctx)
{
	const struct append *append = ctx->data;
	if (append->conflict) {
		precondition_answer(ctx, PRECONDITION_REVISION, append->seen, &append->view);
		return;
	}
	if (!ctx->visit.after) {
		ctx_answer(ctx);
		return;
	}
	ctx->visit.write.kind = WRITE_APPEND;
	ctx->visit.write.meta.key = ctx->visit.session->meta.key;
	ctx->visit.write.meta.size = ctx->visit.session->meta.size;
	ctx->visit.write.solve_count = 0;
	ctx->facts.rebased = append->rebased;
	ctx->facts.seen = append->seen;
	ctx->facts.noted = append->notes.count > 0;
	if (append->kind != ENTRY_MOVES || !record_solve_due(ctx))
		ctx_write(ctx);
	else if (ctx->visit.session->writes == 0)
		record_solve_start(ctx);
	else
		append_alone(ctx);
}

static void undo_run(struct job *job, struct store_reader *reader)
{
	undo_plan(ctx_of_job(job), reader);
}

static void undo_done(struct job *job)
{
	append_planned(ctx_of_job(job));
}

static bool of_history(enum entry_kind kind)
{
	return kind != ENTRY_MOVES && kind != ENTRY_SCRAMBLE;
}

static void append_plan_start(struct context *ctx)
{
	struct append *append = ctx->data;
	session_take_snapshot(&ctx->visit, ctx->visit.session->head);
	session_lock(&ctx->visit);
	append->about = etag_about(&ctx->visit.session->meta);
	if (of_history(append->kind)) {
		ctx->job.run = undo_run;
		ctx->job.done = undo_done;
		pool_submit(ctx->service->readers, &ctx->job);
	} else {
		const int size = ctx->visit.session->meta.size;
		ctx_compute(ctx,
			    moves_cost(&append->moves, size) +
				    scramble_cost(&append->scramble, size) +
				    cube_view_cost(ctx, &append->view, size),
			    moves_plan, append_planned);
	}
}

/* ---- what only the store can tell: whose turn it is, and what was missed ---- */

static void look_run(struct job *job, struct store_reader *reader)
{
	struct context *ctx = ctx_of_job(job);
	struct append *append = ctx->data;
	append->status = STORE_OK;
	if (append->ask_actor)
		append->status = turn_policy_read_actor(ctx, reader, &append->actor);
	if (append->status == STORE_OK && append->rebased && append->rebase == REBASE_FITTING)
		append->status = turn_policy_read_axes(ctx, reader, append->seen, &append->axes);
	append->conflict = !turn_axes_agree(append->axes);
}

static void look_done(struct job *job)
{
	struct context *ctx = ctx_of_job(job);
	const struct append *append = ctx->data;
	if (append->status != STORE_OK) {
		ctx_store_problem(ctx, append->status);
		ctx_answer(ctx);
	} else if (append->ask_actor && turn_policy_next_after(ctx, append->actor) != TURN_OWN) {
		turn_policy_refuse(ctx, append->actor);
		ctx_answer(ctx);
	} else if (append->conflict) {
		append_planned(ctx);
	} else {
		append_plan_start(ctx);
	}
}

/* Everything is committed. */
static void append_look(struct context *ctx)
{
	session_take_snapshot(&ctx->visit, ctx->visit.session->head);
	session_lock(&ctx->visit);
	ctx->job.run = look_run;
	ctx->job.done = look_done;
	pool_submit(ctx->service->readers, &ctx->job);
}

static enum turn_policy_next whose_turn(const struct context *ctx, enum entry_kind kind)
{
	return kind == ENTRY_UNDO || kind == ENTRY_REDO ? TURN_OWN : turn_policy_next(ctx);
}

static void append_entered(struct context *ctx)
{
	struct append *append = ctx->data;
	const struct session *session = ctx->visit.session;
	uint32_t head = session->head->revision, seen = head;
	append->rebased = append->conflict = false;
	append->axes = 0;
	if (!cube_view_fits(ctx, &append->view, session->meta.size)) {
		ctx_answer(ctx);
		return;
	}
	enum precondition precondition = precondition_check(ctx, append->revision, &seen);
	const bool stale = precondition != PRECONDITION_HOLDS;
	const enum turn_policy_next turn = whose_turn(ctx, append->kind);
	append->seen = seen;
	append->rebased = precondition == PRECONDITION_REVISION && append->rebase != REBASE_NO &&
			  append->revision < (int64_t)head;
	append->ask_actor = turn == TURN_UNKNOWN;
	if ((stale || turn != TURN_OWN) && session->writes > 0) {
		/* Missed entries are reported once they are durable; the commit may fail, and then the client
		 * missed nothing. */
		ctx_acquire(ctx, NEED_ALONE, append_entered);
	} else if (stale && !append->rebased) {
		precondition_answer(ctx, precondition, seen, &append->view);
	} else if (turn == TURN_OTHERS) {
		turn_policy_refuse(ctx, session->head->actor);
		ctx_answer(ctx);
	} else if (head >= ctx->service->config.limits.entries || head >= UINT32_MAX - 1) {
		problem_answer(ctx->request, PROBLEM_SESSION_FULL,
			       "The session has as many entries as it can hold. Create a new one "
			       "from its cube.");
		ctx_answer(ctx);
	} else if (turn == TURN_UNKNOWN || (stale && append->rebase == REBASE_FITTING)) {
		append_look(ctx);
	} else {
		append_plan_start(ctx);
	}
}

void append_start(struct context *ctx, struct append *append)
{
	ctx->data = append;
	ctx_acquire(ctx, of_history(append->kind) ? NEED_ALONE : NEED_WRITE, append_entered);
}

static bool take_rebase(struct context *ctx, struct json_value *value, struct append *append)
{
	static const char always[] = "always";
	bool yes = false;
	const struct json_member as = {"rebase", JSON_BOOLEAN, &yes, 0, 0};
	if (json_is_kind(value, JSON_KIND_TEXT)) {
		struct text text = json_value_text(value);
		if (text.length != strlen(always) || memcmp(text.bytes, always, text.length) != 0)
			return input_problem(ctx, "/rebase", "Unknown way to rebase.",
					     "true, false or \"always\"", NULL);
		append->rebase = REBASE_ALWAYS;
	} else if (!input_value(ctx, value, "/rebase", &as)) {
		return false;
	} else if (yes) {
		append->rebase = REBASE_FITTING;
	}
	if (append->rebase != REBASE_NO && append->revision < 0)
		return input_problem(ctx, "/rebase",
				     "To rebase, the revision that was last seen is needed.",
				     "revision beside rebase", NULL);
	return true;
}

/* Of a scramble that the server makes. */
static bool take_seed(struct context *ctx, struct text seed, struct append *append)
{
	static const struct json_place place = {.pointer = "/seed"};
	append->scramble.wanted = true;
	return !seed.bytes || scramble_take_seed(ctx, seed, &place, &append->scramble);
}

/* Reads the body of a request for moves or a scramble. */
static bool take_body(struct context *ctx, struct append *append, enum entry_kind kind)
{
	struct json_value *moves = NULL, *rebase = NULL;
	struct text notation = {0}, seed = {0};
	*append = (struct append){.kind = kind, .revision = -1};
	const struct json_member members[] = {
		{"moves", JSON_ANY, &moves, 0, 0},
		{"notation", JSON_TEXT, &notation, 0, 0},
		{"revision", JSON_INT64, &append->revision, 0, UINT32_MAX},
		{"rebase", JSON_ANY, &rebase, 0, 0},
		{"seed", JSON_TEXT, &seed, 0, 0}, /* last: only of a scramble */
	};
	const size_t count = sizeof members / sizeof members[0];
	if (!append_read(ctx, append, members, kind == ENTRY_SCRAMBLE ? count : count - 1) ||
	    !moves_take_dialect(ctx, notation, "/notation", &append->moves) ||
	    (rebase && !take_rebase(ctx, rebase, append)))
		return false;
	if (moves && seed.bytes)
		return input_problem(ctx, "/seed", "A seed is for a scramble that is made.",
				     "either moves or seed", NULL);
	if (moves)
		return moves_take(ctx, moves, "/moves", &append->moves);
	if (kind == ENTRY_SCRAMBLE)
		return take_seed(ctx, seed, append);
	return input_problem(ctx, "/moves", "This member is missing.",
			     "a string, or an array of turns", NULL);
}

static void moves_handle(struct context *ctx, enum entry_kind kind)
{
	struct append *append = ctx_take(ctx, sizeof *append);
	if (append && take_body(ctx, append, kind))
		append_start(ctx, append);
	else
		ctx_answer(ctx);
}

bool append_write_notes_again(struct context *ctx, struct out *out, int size)
{
	struct append *append = ctx_take(ctx, sizeof *append);
	const bool scramble = ctx->route->handle == session_scramble_handle;
	struct cube_alg alg;
	uint32_t *times;
	if (!append || !input_parse(ctx) ||
	    !take_body(ctx, append, scramble ? ENTRY_SCRAMBLE : ENTRY_MOVES) ||
	    !read_moves(ctx, append, size, &alg, &times))
		return false;
	moves_notes_write(out, &append->moves, &append->notes);
	return true;
}

void session_moves_handle(struct context *ctx)
{
	moves_handle(ctx, ENTRY_MOVES);
}

void session_scramble_handle(struct context *ctx)
{
	moves_handle(ctx, ENTRY_SCRAMBLE);
}
