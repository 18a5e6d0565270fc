/* append_moves.c: POST .../moves and .../scramble, and the phases of every call that appends an entry. */
#include "cube/cube.h"
#include "server/api/sessions/append.h"

#include <stdlib.h>
#include <string.h>

#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/precondition.h"
#include "server/api/sessions/record_solve.h"
#include "server/api/sessions/turn_policy.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/session_visit.h"
#include "server/util/monotonic.h"

static void moves_handle(struct context *ctx, enum entry_kind kind);
static bool read_body(struct context *ctx, struct append *append, enum entry_kind kind);
static bool append_read_query(struct context *ctx, struct append *append);
static bool read_rebase(struct context *ctx, struct text name, struct append *append);
static bool read_seed(struct context *ctx, struct text seed, struct append *append);
static void append_entered(struct context *ctx);
static void append_go_on(struct context *ctx);
static enum append_phase append_check(struct context *ctx, struct append *append);
static enum append_phase enter_alone(struct context *ctx, struct append *append);
static enum append_phase append_ask(struct context *ctx, struct append *append);
static enum append_phase append_judge(struct context *ctx, struct append *append);
static enum append_phase append_plan_entry(struct context *ctx, struct append *append);
static enum append_phase append_submit(struct context *ctx, struct append *append);
static void ask_store(struct context *ctx, struct store_reader *reader);
static bool reads_history(enum entry_kind kind);
static enum append_phase append_make(struct context *ctx, struct append *append);
static void append_made(struct context *ctx);
static void plan_moves(struct context *ctx);
static bool read_last(struct context *ctx, struct history *after);
static bool pack_entry(struct context *ctx, const struct entry *entry, int size);

/* ---- the request ---- */

void session_moves_handle(struct context *ctx)
{
	moves_handle(ctx, ENTRY_MOVES);
}

void session_scramble_handle(struct context *ctx)
{
	moves_handle(ctx, ENTRY_SCRAMBLE);
}

static void moves_handle(struct context *ctx, enum entry_kind kind)
{
	struct append *append = ctx_alloc(ctx, sizeof *append);
	if (append && read_body(ctx, append, kind))
		append_start(ctx, append);
	else
		ctx_answer(ctx);
}

/* Reads the body of a request for moves or a scramble. */
static bool read_body(struct context *ctx, struct append *append, enum entry_kind kind)
{
	struct json_value *moves = NULL;
	struct text notation = {0}, rebase = {0}, seed = {0};
	*append = (struct append){.kind = kind, .revision = -1};
	const struct json_member members[] = {
		{"moves", JSON_ANY, &moves, 0, 0},
		{"notation", JSON_TEXT, &notation, 0, 0},
		{"revision", JSON_INT64, &append->revision, 0, UINT32_MAX},
		{"rebase", JSON_TEXT, &rebase, 0, 0},
		{"seed", JSON_TEXT, &seed, 0, 0}, /* last: only for a scramble */
	};
	const size_t count = sizeof members / sizeof members[0];
	if (!append_read_query(ctx, append))
		return false;
	bool read = input_object(ctx, ctx->body, "", members,
				 kind == ENTRY_SCRAMBLE ? count : count - 1);
	read = moves_read_dialect(ctx, notation, "/notation", &append->moves) && read;
	read = (!rebase.bytes || read_rebase(ctx, rebase, append)) && read;
	if (moves && seed.bytes)
		read = input_problem(
			ctx, "/seed",
			"A seed is for a scramble that the server makes; send seed or moves.",
			"either moves or seed", NULL);
	if (moves)
		return moves_from_json(ctx, moves, "/moves", &append->moves) && read;
	if (kind == ENTRY_SCRAMBLE)
		return read_seed(ctx, seed, append) && read;
	return input_problem(ctx, "/moves", "moves is required, for example \"R U R' U'\".",
			     "moves such as \"R U R' U'\"", NULL);
}

static bool append_read_query(struct context *ctx, struct append *append)
{
	return answer_view_read(ctx, &append->view) &&
	       query_bool(ctx, PARAMETER_TURNS, &append->turns);
}

bool append_read(struct context *ctx, struct append *append, const struct json_member *members,
		 size_t count)
{
	return append_read_query(ctx, append) && input_object(ctx, ctx->body, "", members, count);
}

static bool read_rebase(struct context *ctx, struct text name, struct append *append)
{
	static const char *const names[] = {
		[REBASE_NEVER] = "never",
		[REBASE_COMMUTING] = "commuting",
		[REBASE_ALWAYS] = "always",
	};
	if (!input_choice(ctx, name, "/rebase", "rebase", names, sizeof names / sizeof names[0],
			  &append->rebase))
		return false;
	if (append->rebase != REBASE_NEVER && append->revision < 0)
		return input_problem(ctx, "/rebase", "To rebase, send the revision last seen, too.",
				     "revision together with rebase", NULL);
	return true;
}

/* For a scramble that the server makes. */
static bool read_seed(struct context *ctx, struct text seed, struct append *append)
{
	static const struct json_place place = {.pointer = "/seed"};
	append->scramble.wanted = true;
	return !seed.bytes || scramble_read_seed(ctx, seed, &place, &append->scramble);
}

/* ---- the phases ---- */

void append_start(struct context *ctx, struct append *append)
{
	ctx->data = append;
	/* The turns are made outside: the session is entered to look at it first. */
	const bool looks = append->scramble.wanted && !append->made.ready;
	if (reads_history(append->kind))
		ctx_acquire(ctx, NEED_ALONE, append_entered);
	else
		ctx_acquire_trusting(ctx, looks ? NEED_READ : NEED_WRITE, append_entered);
}

/* Restores read the history; moves and scrambles do not. */
static bool reads_history(enum entry_kind kind)
{
	return kind != ENTRY_MOVES && kind != ENTRY_SCRAMBLE;
}

/* Called again if another entry came before the planned one. */
static void append_entered(struct context *ctx)
{
	struct append *append = ctx->data;
	append->resume_at = APPEND_CHECK;
	append_go_on(ctx);
}

/* Do not touch the context after a phase that waits: it may have been answered. */
static void append_go_on(struct context *ctx)
{
	struct append *append = ctx->data;
	enum append_phase phase = append->resume_at;
	while (phase != APPEND_WAIT && phase != APPEND_ANSWERED)
		switch (phase) {
		case APPEND_CHECK:
			phase = append_check(ctx, append);
			break;
		case APPEND_ENTER_ALONE:
			phase = enter_alone(ctx, append);
			break;
		case APPEND_ASK:
			phase = append_ask(ctx, append);
			break;
		case APPEND_JUDGE:
			phase = append_judge(ctx, append);
			break;
		case APPEND_MAKE:
			phase = append_make(ctx, append);
			break;
		case APPEND_PLAN:
			phase = append_plan_entry(ctx, append);
			break;
		case APPEND_SUBMIT:
			phase = append_submit(ctx, append);
			break;
		case APPEND_CONFLICT:
			precondition_answer(ctx, PRECONDITION_REVISION, append->seen,
					    &append->view);
			return;
		case APPEND_REFUSED:
			ctx_answer(ctx);
			return;
		case APPEND_ANSWERED:
		case APPEND_WAIT:
			return;
		}
}

/* Undo and redo are not turns. */
static bool is_out_of_turn(const struct context *ctx, enum entry_kind kind)
{
	return kind != ENTRY_UNDO && kind != ENTRY_REDO && !turn_policy_allows(ctx);
}

/* Checks against the session in memory: preconditions, whose turn it is, whether there is room. */
static enum append_phase append_check(struct context *ctx, struct append *append)
{
	const struct session *session = ctx->visit.session;
	uint32_t head = session->head->revision, seen = head;
	append->rebased = append->conflict = false;
	append->axes = 0;
	if (!answer_view_fits(ctx, &append->view, session->meta.size))
		return APPEND_REFUSED;
	enum precondition precondition = precondition_check(ctx, append->revision, &seen);
	const bool fails = precondition != PRECONDITION_HOLDS;
	const bool out_of_turn = is_out_of_turn(ctx, append->kind);
	append->seen = seen;
	append->rebased = precondition == PRECONDITION_REVISION && append->rebase != REBASE_NEVER &&
			  append->revision < (int64_t)head;
	/* Missed entries are reported once they are durable; the commit may fail, and then the client
	 * missed nothing. */
	if ((fails || out_of_turn) && (session->writes > 0 || ctx->visit.pass == PASS_TRUSTED))
		return APPEND_ENTER_ALONE;
	if (fails && !append->rebased) {
		precondition_answer(ctx, precondition, seen, &append->view);
		return APPEND_ANSWERED;
	}
	if (out_of_turn) {
		turn_policy_refuse(ctx);
		return APPEND_REFUSED;
	}
	if (head >= ctx->service->config.limits.entries || head >= UINT32_MAX - 1) {
		problem_answer(ctx->request, PROBLEM_SESSION_FULL,
			       "The session has the maximum number of entries (entries in "
			       "/v1/limits). Create a new session from its cube.");
		return APPEND_REFUSED;
	}
	if (append->scramble.wanted ? !append->made.ready
				    : append_turns_cost(append, session->meta.size) > INLINE_NS)
		return APPEND_MAKE;
	return fails && append->rebase == REBASE_COMMUTING ? APPEND_ASK : APPEND_PLAN;
}

/* Makes the turns while others enter the session, then checks it again. */
static enum append_phase append_make(struct context *ctx, struct append *append)
{
	append->made.size = ctx->visit.session->meta.size;
	session_release(&ctx->visit);
	ctx_compute(ctx, append_turns_cost(append, append->made.size), append_turns_prepare,
		    append_made);
	return APPEND_WAIT;
}

static void append_made(struct context *ctx)
{
	if (ctx->request->reply.status != 0)
		ctx_answer(ctx);
	else
		append_start(ctx, ctx->data);
}

/* Starts again when all writes under way are on disk, and what others did is known. */
static enum append_phase enter_alone(struct context *ctx, struct append *append)
{
	(void)append;
	session_distrust(&ctx->visit);
	history_release(ctx->visit.after);
	ctx->visit.after = NULL;
	session_unlock(&ctx->visit);
	request_clear_reply(ctx->request);
	ctx_acquire(ctx, NEED_ALONE, append_entered);
	return APPEND_WAIT;
}

/* Asks what only the store knows: what was missed. Everything is committed. */
static enum append_phase append_ask(struct context *ctx, struct append *append)
{
	session_take_snapshot(&ctx->visit, ctx->visit.session->head);
	session_lock(&ctx->visit);
	append->resume_at = APPEND_JUDGE;
	ctx_read(ctx, ask_store, append_go_on);
	return APPEND_WAIT;
}

static void ask_store(struct context *ctx, struct store_reader *reader)
{
	struct append *append = ctx->data;
	append->status = turn_policy_read_axes(ctx, reader, append->seen, &append->axes);
	append->conflict = !turn_axes_agree(append->axes);
}

static enum append_phase append_judge(struct context *ctx, struct append *append)
{
	if (append->status != STORE_OK) {
		ctx_store_problem(ctx, append->status);
		return APPEND_REFUSED;
	}
	return append->conflict ? APPEND_CONFLICT : APPEND_PLAN;
}

/* Plans the entry: on the loop, or on another thread. */
static enum append_phase append_plan_entry(struct context *ctx, struct append *append)
{
	const int size = ctx->visit.session->meta.size;
	session_take_snapshot(&ctx->visit, ctx->visit.session->head);
	session_lock(&ctx->visit);
	append->about = etag_about(&ctx->visit.session->meta);
	append->made.size = size;
	append->resume_at = APPEND_SUBMIT;
	if (reads_history(append->kind))
		ctx_read(ctx, undo_plan, append_go_on);
	else
		ctx_compute(ctx,
			    append_turns_cost(append, size) + append_entry_cost(append, size) +
				    answer_view_cost(ctx, &append->view, size),
			    plan_moves, append_go_on);
	return APPEND_WAIT;
}

/* Queues the entry, and the solve that it ends, if any. */
static enum append_phase append_submit(struct context *ctx, struct append *append)
{
	if (append->conflict)
		return APPEND_CONFLICT;
	if (!ctx->visit.after)
		return APPEND_REFUSED;
	ctx->visit.write.kind = WRITE_APPEND;
	ctx->visit.write.meta.key = ctx->visit.session->meta.key;
	ctx->visit.write.meta.size = ctx->visit.session->meta.size;
	ctx->visit.write.solve_count = 0;
	ctx->facts.rebased = append->rebased;
	ctx->facts.seen = append->seen;
	ctx->facts.noted = append->notes.count > 0;
	const bool ends_solve = append->kind == ENTRY_MOVES && record_solve_due(ctx);
	/* The turns since the scramble are read from the store, and whether it was assisted is not
	 * checked by it. */
	if (ends_solve && (ctx->visit.session->writes > 0 || ctx->visit.pass == PASS_TRUSTED))
		return APPEND_ENTER_ALONE;
	if (ends_solve)
		record_solve_start(ctx);
	else
		ctx_write(ctx);
	return APPEND_WAIT;
}

/* ---- the plan: on any thread, with the context's snapshot ---- */

static void plan_moves(struct context *ctx)
{
	struct append *append = ctx->data;
	struct entry entry = {.kind = append->kind, .restores = HISTORY_NONE};
	if (!append->made.ready && !append_turns_make(ctx, append))
		return;
	if (append->axes != 0 &&
	    !turn_axes_agree(append->axes | turn_axes(append->made.turns, append->made.count))) {
		append->conflict = true;
		return;
	}
	if (append_turns_take(ctx, append, &entry))
		append_plan(ctx, &entry);
}

bool append_plan(struct context *ctx, struct entry *entry)
{
	const struct history *before = ctx->visit.snapshot;
	/* Charged until the request ends: for a large cube that is much for a waiting request. */
	const bool granted = charge_take(ctx->request->account, cube_bytes(before->cube->size));
	struct history *after = granted ? history_copy(before) : NULL;
	int64_t now_ms = wall_ms();
	if (!after)
		return ctx_no_memory(ctx);
	entry->revision = before->revision + 1;
	/* Times in a history never go backwards, whatever the clock does. */
	entry->time_ms = now_ms > before->updated_ms ? now_ms : before->updated_ms;
	entry->actor = authorize_actor(ctx);
	if ((history_apply(after, entry) || ctx_no_memory(ctx)) && read_last(ctx, after) &&
	    pack_entry(ctx, entry, after->cube->size) && append_write_answer(ctx, entry, after))
		ctx->visit.after = after;
	else
		history_destroy(after);
	return ctx->visit.after != NULL;
}

/* After undo and redo the newest entry in force is an older one. */
static bool read_last(struct context *ctx, struct history *after)
{
	const struct append *append = ctx->data;
	if (after->last_known)
		return true;
	const enum store_status status =
		store_read_last(append->reader, ctx->visit.session->meta.key, after);
	if (status != STORE_OK)
		ctx_store_problem(ctx, status);
	return status == STORE_OK;
}

static bool pack_entry(struct context *ctx, const struct entry *entry, int size)
{
	uint8_t *packed = ctx_alloc(ctx, entry_pack_bound(entry, size));
	if (!packed)
		return false;
	ctx->visit.write.packed = packed;
	ctx->visit.write.packed_bytes = entry_pack(entry, size, 0, packed);
	ctx->visit.write.revision = entry->revision;
	ctx->visit.write.time_ms = entry->time_ms;
	return true;
}

bool append_write_notes_again(struct context *ctx, struct out *out, int size)
{
	struct append *append = ctx_alloc(ctx, sizeof *append);
	const bool scramble = ctx->route->handle == session_scramble_handle;
	struct cube_alg alg;
	uint32_t *times;
	if (!append || !input_parse(ctx) ||
	    !read_body(ctx, append, scramble ? ENTRY_SCRAMBLE : ENTRY_MOVES) ||
	    !append_read_moves(ctx, append, size, &alg, &times))
		return false;
	moves_notes_write(out, &append->moves, &append->notes);
	return true;
}
