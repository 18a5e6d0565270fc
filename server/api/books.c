/* books.c: GET /v1/solves, and reading, changing and removing one. */
#include "server/api/book.h"

#include <stddef.h>
#include <string.h>

#include "server/api/cursor.h"
#include "server/api/input.h"
#include "server/api/receipt.h"
#include "server/api/routes.h"
#include "server/api/problem.h"
#include "server/api/right.h"
#include "server/api/scan.h"
#include "server/api/state.h"
#include "server/solves/cstimer.h"
#include "server/solves/timed.h"

#define LIMIT_DEFAULT 20
#define LIMIT_MAX 100
/* Solves that are passed over, this many a page at most. */
#define LOOK_AT 20000
/* A page of long solves ends early. */
#define PAGE_BYTES (4u << 20)

/* ---- GET /v1/solves ---- */

struct list {
	struct work *work;
	struct solve_query query;
	int64_t limit, count;
	struct scan scan;
	struct out out;
	bool failed;
};

static bool list_visit(void *context, const struct stored_solve *solve)
{
	struct list *list = context;
	struct solve_moves moves;
	list->failed = !solve_moves_read(solve, SIZE_MAX / 64, &moves);
	if (list->failed)
		return false;
	out_open(&list->out, '{');
	list->failed = !book_write_solve(&list->out, solve, &moves, list->work->roster);
	out_close(&list->out, '}');
	solve_moves_free(&moves);
	list->count++;
	return !list->failed && list->count < list->limit &&
	       list->out.buffer->length < PAGE_BYTES && !list->out.buffer->failed;
}

static void list_begin(struct work *work, struct list *list)
{
	list->scan = (struct scan){.work = work,
				   .at = list->query.from,
				   .left = LOOK_AT,
				   .solve = list_visit,
				   .context = list};
	list->out.buffer = &work->request->reply.body;
	out_open(&list->out, '{');
	out_key(&list->out, "items");
	out_open(&list->out, '[');
}

/* A slice of it: filters may pass over many. */
static void list_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct list *list = work->data;
	if (!list->out.buffer)
		list_begin(work, list);
	if (!scan_solves(&list->scan, reader, &list->query))
		return;
	if (list->scan.status != STORE_OK || list->failed) {
		work_store_problem(work, list->failed ? STORE_NO_MEMORY : list->scan.status);
		return;
	}
	out_close(&list->out, ']');
	cursor_write(&list->out, list->scan.at);
	out_close(&list->out, '}');
	work_reply_json(work, 200);
}

static void list_done(struct job *job)
{
	work_answer(work_of_job(job));
}

static void list_entered(struct work *work)
{
	struct list *list = work->data;
	if (!work->session && work->media != MEDIA_JSON) {
		query_problem(work, "session", "A file is of the solves of one session.",
			      "session, or a token of it", NULL);
		work_answer(work);
		return;
	}
	list->query.session = work->session ? work->session->meta.key : 0;
	if (work->media != MEDIA_JSON) {
		solves_export(work, &list->query);
		return;
	}
	work->job.run = list_run;
	work->job.done = list_done;
	pool_submit(work->service->readers, &work->job);
}

void solve_list_handle(struct work *work)
{
	struct list *list = work_take(work, sizeof *list);
	if (list)
		*list = (struct list){.work = work,
				      .limit = LIMIT_DEFAULT,
				      .query = {.texts = true}};
	work->data = list;
	if (list && solve_query_read(work, &list->query) &&
	    query_integer(work, PARAMETER_LIMIT, 1, LIMIT_MAX, &list->limit) &&
	    cursor_read(work, &list->query.from)) {
		if (list->query.from == UINT64_MAX)
			list->query.from = 0; /* the beginning */
		book_enter(work, NEED_READ, list_entered);
	} else {
		work_answer(work);
	}
}

/* ---- GET /v1/solves/{solve_id} ---- */

static void write_solve(struct work *work, const struct stored_solve *solve)
{
	struct out out = {.buffer = &work->request->reply.body};
	const struct etag_state state = solve_state(solve);
	struct solve_moves moves;
	etag_reply(work, &state);
	if (etag_unchanged(work))
		return;
	if (!solve_moves_read(solve, SIZE_MAX / 64, &moves)) {
		work_no_memory(work);
		return;
	}
	out_open(&out, '{');
	bool written = book_write_solve(&out, solve, &moves, work->roster) &&
		       solve_stages_write(&out, solve, &moves);
	out_close(&out, '}');
	solve_moves_free(&moves);
	if (written)
		work_reply_json(work, 200);
	else
		work_no_memory(work);
}

static void read_compute(struct work *work)
{
	write_solve(work, work->data);
}

static void read_entered(struct work *work)
{
	const struct stored_solve *solve = work->data;
	const size_t moves = solve->solution ? strlen(solve->solution) / 2 : 0;
	work_compute(work, solve->size == 0 ? 0 : solve_stages_cost(solve->size, moves),
		     read_compute, NULL);
}

void solve_read_handle(struct work *work)
{
	struct stored_solve *solve = work_take(work, sizeof *solve);
	work->data = solve;
	if (solve)
		solve_find(work, NEED_READ, solve, read_entered);
	else
		work_answer(work);
}

/* ---- PATCH and DELETE ---- */

struct change {
	struct stored_solve solve; /* as it is, and as it will be */
	struct job job;
	struct work *work;
	enum store_status status;
	bool there, remove;
	struct text times;     /* the solution with the client's times; bytes NULL: not given */
	bool penalty, comment, assistance; /* are changed, to: */
	int64_t penalty_ms;
	bool assisted;
	const char *text;
};

/* An owner may change all, others what they did themselves. */
static bool may_change(struct work *work, const struct stored_solve *solve)
{
	if (right_owns(work) || solve->actor == right_actor(work))
		return true;
	if (right_actor(work) > 0)
		problem_answer(work->request, PROBLEM_ROLE_SMALL,
			       "Only an owner of the session may change what others have solved.");
	else
		problem_answer(work->request, PROBLEM_TOKEN_REQUIRED,
			       "This needs the token of the solver or of an owner of the "
			       "session.");
	return false;
}

/* An imported solve keeps its own text, with what is changed in it. */
static bool change_source(struct work *work, struct stored_solve *solve)
{
	struct buffer text = {0};
	const struct span source = {solve->source, strlen(solve->source)};
	const struct span comment = {solve->comment ? solve->comment : "",
				     solve->comment ? strlen(solve->comment) : 0};
	cstimer_solve_change(&text, source, solve->penalty_ms, comment, solve->assisted);
	const char *copy =
		text.failed ? NULL : arena_text(&work->request->arena, text.bytes, text.length);
	buffer_free(&text);
	solve->source = copy;
	return copy || work_no_memory(work);
}

static bool same_turns(const struct solve_moves *a, const struct solve_moves *b)
{
	if (!a->turns || a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->turns[i].face != b->turns[i].face || a->turns[i].from != b->turns[i].from ||
		    a->turns[i].to != b->turns[i].to ||
		    a->turns[i].quarters != b->turns[i].quarters)
			return false;
	return true;
}

static bool write_times(struct work *work, struct stored_solve *solve,
			const struct solve_moves *moves)
{
	char *text = work_take(work, timed_text_max(moves->count));
	if (!text)
		return false;
	timed_print(solve->size, moves->turns, moves->times, moves->count, text);
	solve->solution = text;
	solve->clock = SOLVE_CLIENT_CLOCK;
	solve->time_ms = (int64_t)moves->times[moves->count - 1] - moves->times[0];
	return true;
}

/* A session that was solved has the server's times, which are those of the network as well: who
 * turned it may tell his own. */
static bool change_times(struct work *work, struct change *change)
{
	struct stored_solve *solve = &change->solve;
	const struct stored_solve told = {.solution = change->times.bytes, .size = solve->size};
	struct solve_moves moves = {0}, recorded = {0};
	bool done = false;
	if (!solve_moves_read(&told, SIZE_MAX / 64, &moves) ||
	    !solve_moves_read(solve, SIZE_MAX / 64, &recorded))
		work_no_memory(work);
	else if (solve->origin != SOLVE_OF_SESSION || moves.count < 2 || !moves.times ||
		 !same_turns(&moves, &recorded))
		input_problem(work, "/solution",
			      "Only times can be added, to the moves that a session has recorded.",
			      "the solution, a time behind each move: R@0 U@120", NULL);
	else
		done = write_times(work, solve, &moves);
	solve_moves_free(&moves);
	solve_moves_free(&recorded);
	return done;
}

static bool problem_owner(struct work *work)
{
	problem_answer(work->request, PROBLEM_ROLE_SMALL,
		       "Only an owner of the session may say that a solve was not assisted.");
	return false;
}

static bool change_apply(struct work *work, struct change *change)
{
	struct stored_solve *solve = &change->solve;
	if (change->times.bytes && !change_times(work, change))
		return false;
	if (change->penalty)
		solve->penalty_ms = change->penalty_ms;
	if (change->comment)
		solve->comment = change->text;
	if (change->assistance) {
		if (solve->assisted && !change->assisted && !right_owns(work))
			return problem_owner(work);
		solve->assisted = change->assisted;
	}
	if (solve->source && !change_source(work, solve))
		return false;
	write_solve(work, solve);
	return work->request->reply.status == 200;
}

static bool state_fits(struct work *work, const struct stored_solve *solve)
{
	const struct etag_state state = solve_state(solve);
	return !etag_asked(work) || etag_allows(work, &state);
}

static bool look_visit(void *context, const struct stored_solve *solve)
{
	struct change *change = context;
	change->there = solve_keep(change->work, solve, &change->solve);
	return change->there;
}

/* It may have been changed since it was found. */
static void look_run(struct job *job, struct store_reader *reader)
{
	struct change *change = (struct change *)((char *)job - offsetof(struct change, job));
	uint8_t id[sizeof change->solve.id];
	memcpy(id, change->solve.id, sizeof id);
	change->there = false;
	change->status =
		change->work->service->store->operations->solve(reader, id, look_visit, change);
}

static void look_done(struct job *job)
{
	struct change *change = (struct change *)((char *)job - offsetof(struct change, job));
	struct work *work = change->work;
	struct store_write *write = &work->write;
	if (work->request->reply.status == 0 && change->status == STORE_NOT_FOUND)
		problem_no_such_solve(work->request);
	else if (work->request->reply.status == 0 && change->status != STORE_OK)
		work_store_problem(work, change->status);
	if (work->request->reply.status == 0 && may_change(work, &change->solve) &&
	    state_fits(work, &change->solve) &&
	    (change->remove || change_apply(work, change))) {
		if (change->remove)
			work->request->reply.status = 204;
		write->kind = change->remove ? WRITE_SOLVE_DROP : WRITE_SOLVE_CHANGE;
		write->meta = work->session->meta;
		write->solves = &change->solve;
		write->solve_count = 1;
		if (work_reply_made(work)) {
			hub_write(work);
			return;
		}
	}
	work_answer(work);
}

static void change_entered(struct work *work)
{
	struct change *change = work->data;
	hub_hold(work);
	change->job = (struct job){.run = look_run, .done = look_done, .client = work->client};
	pool_submit(work->service->readers, &change->job);
}

static bool change_read(struct work *work, struct change *change)
{
	struct text penalty = {0};
	struct input_value *comment = NULL, *assisted = NULL;
	const struct input_member as_bool = {.type = INPUT_BOOL, .into = &change->assisted};
	const struct input_member members[] = {
		{"penalty", INPUT_TEXT, &penalty, 0, 0},
		{"comment", INPUT_ANY, &comment, 0, 0},
		{"solution", INPUT_TEXT, &change->times, 0, 0},
		{"assisted", INPUT_ANY, &assisted, 0, 0},
	};
	if (!input_object(work, work->body, "", members, sizeof members / sizeof members[0]))
		return false;
	if (!penalty.bytes && !comment && !change->times.bytes && !assisted)
		return input_problem(work, "", "There is nothing to change.",
				     "penalty, comment, solution or assisted", NULL);
	change->assistance = assisted != NULL;
	if (assisted && !input_value(work, assisted, "/assisted", &as_bool))
		return false;
	if (penalty.bytes && !penalty_take(work, penalty, "/penalty", &change->penalty_ms))
		return false;
	change->penalty = penalty.bytes != NULL;
	change->comment = comment != NULL;
	return !comment || comment_take(work, comment, &change->text);
}

void solve_change_again(struct work *work, struct store_reader *reader,
			const struct receipt_answer *answer)
{
	struct change *change = work_take(work, sizeof *change);
	struct session_id id;
	if (!change)
		return;
	*change = (struct change){.work = work};
	if (!input_parse(work) || !change_read(work, change))
		return;
	enum store_status status = STORE_NOT_FOUND;
	if (session_id_parse(work->name.bytes, work->name.length, &id))
		status = work->service->store->operations->solve(reader, id.bytes, look_visit,
								 change);
	if (status == STORE_NOT_FOUND)
		problem_no_such_solve(work->request);
	else if (status != STORE_OK)
		work_store_problem(work, status);
	if (!change->there || (change->times.bytes && !change_times(work, change)))
		return;
	change->solve.clock = (uint8_t)answer->clock;
	change->solve.assisted = answer->assisted != 0;
	change->solve.time_ms = (int64_t)answer->time_ms;
	change->solve.penalty_ms = (int64_t)answer->penalty_ms;
	if (change->comment)
		change->solve.comment = change->text;
	write_solve(work, &change->solve);
}

static void change_start(struct work *work, bool remove)
{
	struct change *change = work_take(work, sizeof *change);
	if (change)
		*change = (struct change){.work = work, .remove = remove};
	work->data = change;
	if (change && (remove || change_read(work, change)))
		solve_find(work, NEED_ALONE, &change->solve, change_entered);
	else
		work_answer(work);
}

void solve_change_handle(struct work *work)
{
	change_start(work, false);
}

void solve_remove_handle(struct work *work)
{
	change_start(work, true);
}
