/* turning.c: POST .../moves and .../scramble, and the way of every call that appends an entry. */
#include "server/api/turning.h"

#include <stdlib.h>
#include <string.h>

#include "server/api/cube_in.h"
#include "server/api/fair.h"
#include "server/api/input.h"
#include "server/api/problem.h"
#include "server/api/record.h"
#include "server/api/right.h"
#include "server/api/routes.h"
#include "server/api/state.h"

bool turning_read(struct work *work, struct turning *turning, const struct input_member *members,
		  size_t count)
{
	return cube_view_read(work, &turning->view) &&
	       input_object(work, work->body, "", members, count);
}

/* ---- the plan: on any thread, with the work's snapshot ---- */

static bool pack_entry(struct work *work, const struct entry *entry, int size)
{
	uint8_t *packed = work_take(work, entry_pack_bound(entry, size));
	if (!packed)
		return false;
	work->write.packed = packed;
	work->write.packed_bytes = entry_pack(entry, size, 0, packed);
	work->write.revision = entry->revision;
	work->write.time_ms = entry->time_ms;
	return true;
}

void turning_write_entry(struct out *out, const struct entry *entry, int size,
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

void turning_write_cube(struct out *out, const struct cube *cube, const struct cube_view *view)
{
	out_key(out, "cube");
	cube_write(out, cube, view, CUBE_KNOWN);
	out_close(out, '}');
}

static bool write_answer(struct work *work, const struct entry *entry, const struct history *after)
{
	const struct turning *turning = work->data;
	struct out out = {.buffer = &work->request->reply.body};
	const struct etag_state state = etag_of_session(turning->about, after);
	etag_reply_session(work, &state, ETAG_WRITE, &turning->view, 0);
	if (cube_reply_text(work, after->cube, &turning->view, 200))
		return work_reply_made(work);
	turning_write_entry(&out, entry, after->cube->size, work->roster,
			    turning->rebased ? &turning->seen : NULL);
	moves_notes_write(&out, &turning->moves, &turning->notes);
	turning_write_cube(&out, after->cube, &turning->view);
	work_reply_json(work, 200);
	return work_reply_made(work);
}

bool turning_plan(struct work *work, struct entry *entry, const struct cube *cube)
{
	const struct history *before = work->snapshot;
	/* Counted until the request has ended: on a large cube that is much for one that waits. */
	const bool granted =
		charge_take(work->request->account, cube_bytes(before->cube->size));
	struct history *after = granted ? history_copy(before) : NULL;
	int64_t now_ms = service_now_ms();
	if (!after)
		return work_no_memory(work);
	entry->revision = before->revision + 1;
	/* Times of a history never run backwards, whatever the clock does. */
	entry->time_ms = now_ms > before->updated_ms ? now_ms : before->updated_ms;
	entry->actor = right_actor(work);
	entry->has_turns = cube == NULL;
	entry->cube = cube;
	if ((history_apply(after, entry) || work_no_memory(work)) &&
	    pack_entry(work, entry, after->cube->size) && write_answer(work, entry, after))
		work->after = after;
	else
		history_destroy(after);
	return work->after != NULL;
}

/* Only moves may have times. */
static bool read_moves(struct work *work, struct turning *turning, int size, struct cube_alg *alg,
		       uint32_t **times)
{
	return turning->kind == ENTRY_MOVES
		       ? moves_read_timed(work, &turning->moves, size, alg, times, &turning->notes)
		       : moves_read_noted(work, &turning->moves, size, alg, &turning->notes);
}

/* What is to be turned. */
static bool plan_turns(struct work *work, struct turning *turning, struct entry *entry,
		       struct cube_turn **turns)
{
	const int size = work->snapshot->cube->size;
	struct cube_alg alg;
	uint32_t *times = NULL;
	if (turning->scramble.wanted)
		return scramble_make(work, &turning->scramble, size, turns, &entry->turn_count);
	if (!read_moves(work, turning, size, &alg, &times) ||
	    !moves_expand(work, &turning->moves, &alg, turns, &entry->turn_count))
		return false;
	entry->times = entry->turn_count > 0 ? times : NULL;
	/* Turns by 0 quarters are moves, though nothing of them is kept. */
	if (entry->turn_count == 0 && alg.zeros == 0)
		return input_problem(work, "/moves", "There is nothing to turn.",
				     "at least one move", NULL);
	return true;
}

static void moves_plan(struct work *work)
{
	struct turning *turning = work->data;
	struct entry entry = {.kind = turning->kind, .restores = HISTORY_NONE};
	struct cube_turn *turns;
	if (!plan_turns(work, turning, &entry, &turns))
		return;
	if (turning->axes != 0 &&
	    !fair_axes_agree(turning->axes | fair_axes(turns, entry.turn_count))) {
		turning->conflict = true;
		return;
	}
	entry.turns = turns;
	turning_plan(work, &entry, NULL);
}

/* ---- the way: on the loop's thread ---- */

static void turning_entered(struct work *work);

/* Begins again once all is on the disk, where what was turned is looked for. */
static void turning_alone(struct work *work)
{
	history_release(work->after);
	work->after = NULL;
	hub_release(work);
	request_clear_reply(work->request);
	hub_enter(work, NEED_ALONE, turning_entered);
}

static void turning_planned(struct work *work)
{
	const struct turning *turning = work->data;
	if (turning->conflict) {
		precondition_answer(work, PRECONDITION_REVISION, turning->seen, &turning->view);
		return;
	}
	if (!work->after) {
		work_answer(work);
		return;
	}
	work->write.kind = WRITE_APPEND;
	work->write.meta.key = work->session->meta.key;
	work->write.meta.size = work->session->meta.size;
	work->write.solve_count = 0;
	if (turning->kind != ENTRY_MOVES || !record_due(work))
		hub_write(work);
	else if (work->session->writes == 0)
		record_start(work);
	else
		turning_alone(work);
}

static void undo_run(struct job *job, struct store_reader *reader)
{
	undo_plan(work_of_job(job), reader);
}

static void undo_done(struct job *job)
{
	turning_planned(work_of_job(job));
}

static bool of_history(enum entry_kind kind)
{
	return kind != ENTRY_MOVES && kind != ENTRY_SCRAMBLE;
}

static void turning_plan_start(struct work *work)
{
	struct turning *turning = work->data;
	hub_look(work, work->session->head);
	hub_hold(work);
	turning->about = etag_about(&work->session->meta);
	if (of_history(turning->kind)) {
		work->job.run = undo_run;
		work->job.done = undo_done;
		pool_submit(work->service->readers, &work->job);
	} else {
		const int size = work->session->meta.size;
		work_compute(work,
			     moves_cost(&turning->moves, size) +
				     scramble_cost(&turning->scramble, size) +
				     cube_view_cost(work, &turning->view, size),
			     moves_plan, turning_planned);
	}
}

/* ---- what only the store can tell: whose turn it is, and what was missed ---- */

static void look_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct turning *turning = work->data;
	turning->status = STORE_OK;
	if (turning->ask_actor)
		turning->status = fair_read_actor(work, reader, &turning->actor);
	if (turning->status == STORE_OK && turning->rebased && turning->rebase == REBASE_FITTING)
		turning->status = fair_read_axes(work, reader, turning->seen, &turning->axes);
	turning->conflict = !fair_axes_agree(turning->axes);
}

static void look_done(struct job *job)
{
	struct work *work = work_of_job(job);
	const struct turning *turning = work->data;
	if (turning->status != STORE_OK) {
		work_store_problem(work, turning->status);
		work_answer(work);
	} else if (turning->ask_actor && fair_turn_after(work, turning->actor) != FAIR_HIS) {
		fair_refuse(work, turning->actor);
		work_answer(work);
	} else if (turning->conflict) {
		turning_planned(work);
	} else {
		turning_plan_start(work);
	}
}

/* Everything is committed. */
static void turning_look(struct work *work)
{
	hub_look(work, work->session->head);
	hub_hold(work);
	work->job.run = look_run;
	work->job.done = look_done;
	pool_submit(work->service->readers, &work->job);
}

static enum fair_turn whose_turn(const struct work *work, enum entry_kind kind)
{
	return kind == ENTRY_UNDO || kind == ENTRY_REDO ? FAIR_HIS : fair_turn(work);
}

static void turning_entered(struct work *work)
{
	struct turning *turning = work->data;
	const struct session *session = work->session;
	uint32_t head = session->head->revision, seen = head;
	turning->rebased = turning->conflict = false;
	turning->axes = 0;
	if (!cube_view_fits(work, &turning->view, session->meta.size)) {
		work_answer(work);
		return;
	}
	enum precondition precondition = precondition_check(work, turning->revision, &seen);
	const bool stale = precondition != PRECONDITION_HOLDS;
	const enum fair_turn turn = whose_turn(work, turning->kind);
	turning->seen = seen;
	turning->rebased = precondition == PRECONDITION_REVISION && turning->rebase != REBASE_NO &&
			   turning->revision < (int64_t)head;
	turning->ask_actor = turn == FAIR_UNKNOWN;
	if ((stale || turn != FAIR_HIS) && session->writes > 0) {
		/* What he missed is told only when it is on disk; it may also fail, and then he
		 * missed nothing. */
		hub_enter(work, NEED_ALONE, turning_entered);
	} else if (stale && !turning->rebased) {
		precondition_answer(work, precondition, seen, &turning->view);
	} else if (turn == FAIR_OTHERS) {
		fair_refuse(work, session->head->actor);
		work_answer(work);
	} else if (head >= work->service->config.limits.entries || head >= UINT32_MAX - 1) {
		problem_answer(work->request, PROBLEM_SESSION_FULL,
			       "The session has as many entries as it can hold. Create a new one "
			       "from its cube.");
		work_answer(work);
	} else if (turn == FAIR_UNKNOWN || (stale && turning->rebase == REBASE_FITTING)) {
		turning_look(work);
	} else {
		turning_plan_start(work);
	}
}

void turning_start(struct work *work, struct turning *turning)
{
	work->data = turning;
	hub_enter(work, of_history(turning->kind) ? NEED_ALONE : NEED_WRITE, turning_entered);
}

static bool take_rebase(struct work *work, struct input_value *value, struct turning *turning)
{
	static const char always[] = "always";
	bool yes = false;
	const struct input_member as = {"rebase", INPUT_BOOL, &yes, 0, 0};
	if (input_is_text(value)) {
		struct text text = input_text(value);
		if (text.length != strlen(always) || memcmp(text.bytes, always, text.length) != 0)
			return input_problem(work, "/rebase", "Unknown way to rebase.",
					     "true, false or \"always\"", NULL);
		turning->rebase = REBASE_ALWAYS;
	} else if (!input_value(work, value, "/rebase", &as)) {
		return false;
	} else if (yes) {
		turning->rebase = REBASE_FITTING;
	}
	if (turning->rebase != REBASE_NO && turning->revision < 0)
		return input_problem(work, "/rebase",
				     "To rebase, the revision that was last seen is needed.",
				     "revision beside rebase", NULL);
	return true;
}

/* Of a scramble that the server makes. */
static bool take_seed(struct work *work, struct text seed, struct turning *turning)
{
	static const struct input_place place = {.pointer = "/seed"};
	turning->scramble.wanted = true;
	return !seed.bytes || scramble_take_seed(work, seed, &place, &turning->scramble);
}

/* Reads the body of a request for moves or a scramble. */
static bool take_body(struct work *work, struct turning *turning, enum entry_kind kind)
{
	struct input_value *moves = NULL, *rebase = NULL;
	struct text notation = {0}, seed = {0};
	*turning = (struct turning){.kind = kind, .revision = -1};
	const struct input_member members[] = {
		{"moves", INPUT_ANY, &moves, 0, 0},
		{"notation", INPUT_TEXT, &notation, 0, 0},
		{"revision", INPUT_INTEGER, &turning->revision, 0, UINT32_MAX},
		{"rebase", INPUT_ANY, &rebase, 0, 0},
		{"seed", INPUT_TEXT, &seed, 0, 0}, /* last: only of a scramble */
	};
	const size_t count = sizeof members / sizeof members[0];
	if (!turning_read(work, turning, members, kind == ENTRY_SCRAMBLE ? count : count - 1) ||
	    !moves_take_dialect(work, notation, "/notation", &turning->moves) ||
	    (rebase && !take_rebase(work, rebase, turning)))
		return false;
	if (moves && seed.bytes)
		return input_problem(work, "/seed", "A seed is for a scramble that is made.",
				     "either moves or seed", NULL);
	if (moves)
		return moves_take(work, moves, "/moves", &turning->moves);
	if (kind == ENTRY_SCRAMBLE)
		return take_seed(work, seed, turning);
	return input_problem(work, "/moves", "This member is missing.",
			     "a string, or an array of turns", NULL);
}

static void moves_handle(struct work *work, enum entry_kind kind)
{
	struct turning *turning = work_take(work, sizeof *turning);
	if (turning && take_body(work, turning, kind))
		turning_start(work, turning);
	else
		work_answer(work);
}

bool turning_write_notes_again(struct work *work, struct out *out, int size)
{
	struct turning *turning = work_take(work, sizeof *turning);
	const bool scramble = work->route->handle == session_scramble_handle;
	struct cube_alg alg;
	uint32_t *times;
	if (!turning || !input_parse(work) ||
	    !take_body(work, turning, scramble ? ENTRY_SCRAMBLE : ENTRY_MOVES) ||
	    !read_moves(work, turning, size, &alg, &times))
		return false;
	moves_notes_write(out, &turning->moves, &turning->notes);
	return true;
}

void session_moves_handle(struct work *work)
{
	moves_handle(work, ENTRY_MOVES);
}

void session_scramble_handle(struct work *work)
{
	moves_handle(work, ENTRY_SCRAMBLE);
}
