/* book_query.c: which solves are asked for, and the book that they are in. */
#include "server/api/book.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/api/cube_in.h"
#include "server/api/input.h"
#include "server/api/problem.h"
#include "server/api/state.h"

/* ---- the book ---- */

void book_enter(struct work *work, enum session_need need, void (*entered)(struct work *work))
{
	const struct text *id = &work->query.value[PARAMETER_SESSION];
	if (id->bytes && !session_id_parse(id->bytes, id->length, &work->id)) {
		query_problem(work, "session", "This is not a session id.", "16 letters and digits",
			      NULL);
		work_answer(work);
	} else if (id->bytes || work->who.token > 0) {
		if (!id->bytes)
			work->id = work->who.session;
		hub_enter(work, need, entered);
	} else {
		entered(work);
	}
}

/* ---- parameters ---- */

/* "2026-11-21" or "2026-11-21T18:00:00Z", with a fraction or without; UTC. */
static bool read_time(struct text text, int64_t *ms)
{
	char copy[32];
	struct tm date = {0};
	if (text.length < 10 || text.length >= sizeof copy)
		return false;
	memcpy(copy, text.bytes, text.length + 1);
	const char *rest =
		strptime(copy, text.length == 10 ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%S", &date);
	int64_t part = 0, unit = 100;
	if (rest && *rest == '.')
		for (rest++; *rest >= '0' && *rest <= '9'; rest++, unit /= 10)
			part += unit * (*rest - '0');
	if (!rest || strcmp(rest, text.length == 10 ? "" : "Z") != 0)
		return false;
	*ms = (int64_t)timegm(&date) * 1000 + part;
	return true;
}

static bool take_time(struct work *work, enum parameter parameter, const char *name, int64_t *ms)
{
	const struct text *text = &work->query.value[parameter];
	return !text->bytes || read_time(*text, ms) ||
	       query_problem(work, name, "This is no time.",
			     "a date, or a time in UTC such as 2026-11-21T18:00:00Z", NULL);
}

static bool take_penalty(struct work *work, struct solve_query *query)
{
	static const struct {
		const char *name;
		enum solve_penalty_filter filter;
	} rows[] = {{"none", SOLVE_CLEAN}, {"+2", SOLVE_PENALIZED}, {"dnf", SOLVE_FAILED}};
	const struct text *text = &work->query.value[PARAMETER_PENALTY];
	if (!text->bytes)
		return true;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		/* A + that was not escaped is a blank. */
		if (strcmp(text->bytes, rows[i].name) == 0 ||
		    (i == 1 && strcmp(text->bytes, " 2") == 0)) {
			query->penalty = rows[i].filter;
			return true;
		}
	return query_problem(work, "penalty", "No penalty is called so.", "none, +2 or dnf", NULL);
}

bool solve_query_read(struct work *work, struct solve_query *query)
{
	int64_t size = -1;
	query->since_ms = INT64_MIN;
	query->until_ms = INT64_MAX;
	bool assisted = false;
	if (!query_bool(work, PARAMETER_ASSISTED, &assisted))
		return false;
	if (work->query.value[PARAMETER_ASSISTED].bytes)
		query->assisted = assisted ? SOLVE_ASSISTED : SOLVE_UNASSISTED;
	if (!query_integer(work, PARAMETER_SIZE, CUBE_SIZE_MIN, cube_size_max(work), &size) ||
	    !take_time(work, PARAMETER_FROM, "from", &query->since_ms) ||
	    !take_time(work, PARAMETER_TO, "to", &query->until_ms) || !take_penalty(work, query))
		return false;
	query->size = (int)size;
	return true;
}

/* ---- one solve ---- */

static bool keep_text(struct work *work, const char *text, const char **copy)
{
	*copy = text ? arena_text(&work->request->arena, text, strlen(text)) : NULL;
	return !text || *copy || work_no_memory(work);
}

bool solve_keep(struct work *work, const struct stored_solve *solve, struct stored_solve *copy)
{
	*copy = *solve;
	if (solve->base) {
		uint8_t *base = work_take(work, solve->base_bytes);
		if (!base)
			return false;
		memcpy(base, solve->base, solve->base_bytes);
		copy->base = base;
	}
	return keep_text(work, solve->scramble, &copy->scramble) &&
	       keep_text(work, solve->solution, &copy->solution) &&
	       keep_text(work, solve->comment, &copy->comment) &&
	       keep_text(work, solve->list, &copy->list) &&
	       keep_text(work, solve->source, &copy->source);
}

struct finding {
	struct job job;
	struct work *work;
	struct session_id id;
	enum session_need need;
	struct stored_solve *solve;
	void (*entered)(struct work *work);
	enum store_status status;
};

static bool found(void *context, const struct stored_solve *solve)
{
	struct finding *finding = context;
	return solve_keep(finding->work, solve, finding->solve);
}

static void no_such_solve(struct work *work)
{
	problem_no_such_solve(work->request);
	work_answer(work);
}

static void find_run(struct job *job, struct store_reader *reader)
{
	struct finding *finding = (struct finding *)job;
	finding->status = finding->work->service->store->operations->solve(
		reader, finding->id.bytes, found, finding);
}

static void find_done(struct job *job)
{
	struct finding *finding = (struct finding *)job;
	struct work *work = finding->work;
	if (work->request->reply.status != 0) {
		work_answer(work);
	} else if (finding->status == STORE_NOT_FOUND) {
		no_such_solve(work);
	} else if (finding->status != STORE_OK) {
		work_store_problem(work, finding->status);
		work_answer(work);
	} else {
		memcpy(work->id.bytes, finding->solve->book, sizeof work->id.bytes);
		hub_enter(work, finding->need, finding->entered);
	}
}

void solve_find(struct work *work, enum session_need need, struct stored_solve *solve,
		void (*entered)(struct work *work))
{
	struct finding *finding = work_take(work, sizeof *finding);
	if (!finding) {
		work_answer(work);
		return;
	}
	*finding = (struct finding){.job = {.run = find_run,
					    .done = find_done,
					    .client = work->client},
				    .work = work,
				    .need = need,
				    .solve = solve,
				    .entered = entered};
	if (session_id_parse(work->name.bytes, work->name.length, &finding->id))
		pool_submit(work->service->readers, &finding->job);
	else
		no_such_solve(work);
}
