/* solve_in.c: reading what to solve. */
#include "cube/cube.h"
#include "server/api/search/solve_in.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/input/cube_body.h"
#include "server/api/input/input.h"
#include "server/api/request/service_state.h"
#include "server/api/search/solve_out.h"
#include "server/search/goal.h"
#include "server/util/suggest.h"

#define WAIT_USUAL_MS 10000
#define WAIT_MAX_MS 60000
#define TIME_USUAL_MS 60000
#define TIME_FEWEST_MS 5000 /* of a method that uses all of it */
#define LENGTH_MAX 1000000
#define METHODS_MAX 32

struct solve_members {
	struct json_value *cube;
	struct goal_members goal;
	struct text metric;
};

/* ---- reading ---- */

static bool no_method(struct context *ctx, const struct solve_ask *ask, int size)
{
	const char *names[METHODS_MAX];
	const struct cube_solver *solver;
	char expected[256] = "", detail[320];
	size_t count = 0, length = 0;
	for (size_t i = 0; (solver = cube_solver_at(i)) && count < METHODS_MAX; i++) {
		if (size < solver->size_min || size > solver->size_max)
			continue;
		names[count] = solver->name;
		if (length < sizeof expected)
			length += (size_t)snprintf(expected + length, sizeof expected - length,
						   "%s%s", count > 0 ? ", " : "", solver->name);
		count++;
	}
	if (count > 0)
		snprintf(detail, sizeof detail, "Unknown method for size %d; use one of %s.", size,
			 expected);
	else
		snprintf(detail, sizeof detail, "There is no method for cubes of size %d.", size);
	return input_problem(ctx, ask->method.bytes ? "/method" : "/cube", detail,
			     count > 0 ? expected : "a smaller cube",
			     ask->method.bytes ? suggest_nearest(ask->method.bytes,
								 ask->method.length, names, count)
					       : NULL);
}

static bool read_metric(struct context *ctx, struct text name, struct solve_ask *ask)
{
	uint8_t metric;
	if (!input_choice(ctx, name, "/metric", "metric", solve_metric_names, CUBE_SOLVE_METRICS,
			  &metric))
		return false;
	ask->question.metric = (enum cube_solve_metric)metric;
	ask->goal.has_metric = true;
	return true;
}

static int64_t time_max(const struct context *ctx)
{
	uint64_t most = ctx->service->config.limits.solve_ms;
	return most < INT32_MAX ? (int64_t)most : INT32_MAX;
}

void solve_ask_init(struct solve_ask *ask)
{
	*ask = (struct solve_ask){
		.cube = {.at = -1}, .goal = {.state = {.at = -1}}, .wait_ms = WAIT_USUAL_MS};
}

/* A line without a cube is of the solved one. */
static bool solved_line(struct context *ctx, struct solve_members *in)
{
	in->cube = json_make_object(&ctx->json, NULL, 0);
	ctx->cube_on_top = true;
	return in->cube || ctx_no_memory(ctx);
}

static bool read_members(struct context *ctx, struct solve_ask *ask, struct solve_members *in)
{
	int64_t wait_ms = -1;
	const struct json_member members[] = {
		{"cube", JSON_ANY, &in->cube, 0, 0},
		{"method", JSON_TEXT, &ask->method, 0, 0},
		{"metric", JSON_TEXT, &in->metric, 0, 0},
		{"until", JSON_ANY, &in->goal.until, 0, 0},
		{"goal", JSON_TEXT, &in->goal.goal, 0, 0},
		{"place", JSON_TEXT, &in->goal.place, 0, 0},
		{"generators", JSON_ANY, &in->goal.generators, 0, 0},
		{"niss", JSON_BOOLEAN, &in->goal.niss, 0, 0},
		{"max_length", JSON_INT64, &ask->length_max, 1, LENGTH_MAX},
		{"improve", JSON_BOOLEAN, &ask->improve, 0, 0},
		{"solutions", JSON_INT64, &ask->solutions, 1, SOLVE_SOLUTIONS_MAX},
		{"timeout_ms", JSON_INT64, &ask->timeout_ms, 1, time_max(ctx)},
		{"wait_ms", JSON_INT64, &wait_ms, 0, WAIT_MAX_MS},
		{"first", JSON_TEXT, &ask->lesson.first, 0, 0},
		{"colors", JSON_TEXT, &ask->lesson.colors, 0, 0},
		{"language", JSON_TEXT, &ask->lesson.language, 0, 0},
		{"steps", JSON_INT64, &ask->lesson.steps, 1, LESSON_STEPS_MAX},
	};
	bool read = cube_body_read(ctx, members, sizeof members / sizeof members[0], &in->cube);
	if (ask->line && !in->cube)
		return solved_line(ctx, in) && read;
	if (ask->line && wait_ms >= 0)
		read = input_problem(ctx, "/wait_ms", "Lines have no wait_ms; use timeout_ms.",
				     "timeout_ms, the time that the search may take", NULL);
	if (ask->stream && wait_ms >= 0)
		read = input_problem(ctx, "/wait_ms",
				     "A stream of solutions has no wait_ms; use timeout_ms.",
				     "timeout_ms, the time that the search may take", NULL);
	if (wait_ms >= 0)
		ask->wait_ms = wait_ms;
	if (in->cube)
		return read;
	return input_problem(ctx, "/cube",
			     "cube is required, for example {\"size\": 3, \"moves\": \"R U\"}.",
			     "a cube such as {\"size\": 3, \"moves\": \"R U\"}", NULL);
}

static bool stored_refuse(struct context *ctx, const struct solve_ask *ask,
			  const struct input_cube *cube)
{
	if (!ask->line || cube->source != CUBE_OF_SESSION)
		return true;
	return input_problem(ctx, cube->where.pointer,
			     "Sessions are not read in a list of cubes; describe the cube itself.",
			     "a description of the cube itself", NULL);
}

bool solve_ask_read(struct context *ctx, struct solve_ask *ask)
{
	struct solve_members in = {0};
	bool read = read_members(ctx, ask, &in);
	read = (!in.cube || input_cube_read(ctx, in.cube, "/cube", &ask->cube)) && read;
	read = goal_read(ctx, &in.goal, &ask->goal) && read;
	read = (!in.metric.bytes || read_metric(ctx, in.metric, ask)) && read;
	read = lesson_read(ctx, &ask->lesson, &ask->question.lesson) && read;
	return read && stored_refuse(ctx, ask, &ask->cube) &&
	       (!ask->goal.has_state || stored_refuse(ctx, ask, &ask->goal.state));
}

/* ---- the question, once the cube is known ---- */

static bool no_metric(struct context *ctx, const struct cube_solver *solver,
		      enum cube_solve_metric metric)
{
	char expected[64] = "", detail[128];
	size_t length = 0;
	for (int i = 0; i < CUBE_SOLVE_METRICS; i++)
		if (cube_solver_counts(solver, (enum cube_solve_metric)i) &&
		    length < sizeof expected)
			length += (size_t)snprintf(expected + length, sizeof expected - length,
						   "%s%s", length > 0 ? " or " : "",
						   solve_metric_names[i]);
	snprintf(detail, sizeof detail, "The method does not count in %s; use %s.",
		 solve_metric_names[metric], expected);
	return input_problem(ctx, "/metric", detail, expected, NULL);
}

/* The requested one, or the usual one: of a stream, one that lists solutions. */
static const struct cube_solver *find_method(const struct solve_ask *ask)
{
	static const char optimal[] = "optimal";
	const int size = ask->cube.size;
	if (ask->method.bytes)
		return cube_solver_find(ask->method.bytes, ask->method.length, size);
	const struct cube_solver *lists =
		ask->stream ? cube_solver_find(optimal, strlen(optimal), size) : NULL;
	return lists ? lists : cube_solver_default(size);
}

/* `fewest` finds shorter solutions for as long as it may search; of many cubes each is answered
 * soon. */
static bool uses_all_time(const struct solve_ask *ask, const struct cube_solver *solver)
{
	return solver->niss && !ask->line && ask->length_max == 0;
}

static int64_t time_of(const struct context *ctx, const struct solve_ask *ask,
		       const struct cube_solver *solver)
{
	const int64_t usual = uses_all_time(ask, solver) ? TIME_FEWEST_MS : TIME_USUAL_MS;
	if (ask->timeout_ms > 0)
		return ask->timeout_ms;
	return usual < time_max(ctx) ? usual : time_max(ctx);
}

static bool choose_method(struct context *ctx, struct solve_ask *ask)
{
	const int size = ask->cube.size;
	struct solve_question *question = &ask->question;
	const struct cube_solver *solver = find_method(ask);
	if (solver && solve_by_goal(solver, question->metric) &&
	    (!ask->method.bytes || solver->optimal))
		ask->goal.forced = !goal_given(&ask->goal) || goal_takes_method(&ask->goal, size);
	if (goal_given(&ask->goal) && !goal_takes_method(&ask->goal, size)) {
		if (ask->method.bytes && !ask->goal.forced)
			return input_problem(ctx, "/method",
					     "This goal has a method of its own; send no method.",
					     "no method", NULL);
		solver = &solve_goal_method;
	}
	if (!solver)
		return no_method(ctx, ask, size);
	if (solver != &solve_goal_method && !cube_solver_counts(solver, question->metric))
		return no_metric(ctx, solver, question->metric);
	if (ask->solutions > 1 && !solve_gives_several(solver))
		return input_problem(ctx, "/solutions", "The method gives only one solution.",
				     "1, or a method without stages", NULL);
	if (ask->stream && solver->lists == 0)
		return input_problem(ctx, ask->method.bytes ? "/method" : "/cube",
				     "The method cannot list all solutions; send a goal, or use "
				     "optimal (2x2x2 and 3x3x3).",
				     "optimal, or a goal", NULL);
	if (!solver->teaches && !lesson_refuse(ctx, &ask->lesson))
		return false;
	question->solver = solver;
	question->length_max = (int)ask->length_max;
	question->improve = ask->improve || uses_all_time(ask, solver);
	question->solutions = (unsigned)ask->solutions;
	if (question->solutions == 0 && !ask->stream)
		question->solutions = 1;
	question->timeout_ms = time_of(ctx, ask, solver);
	return true;
}

/* Keeps R2 as R2. */
static struct cube_turn turned_back(struct cube_turn turn)
{
	struct cube_turn back = cube_turn_inverse(turn);
	if (back.quarters == -2)
		back.quarters = 2;
	return back;
}

/* The history's turns followed by those of the request, inverted. Left out if it cannot be made: it
 * would only have made a solution shorter. */
static bool make_known(struct context *ctx, struct solve_ask *ask, const struct cube_alg *alg)
{
	const struct buffer *history = &ask->known.turns;
	struct solve_turns *known = &ask->question.known;
	const size_t before = history->length / sizeof(struct cube_turn);
	if (!ask->known.whole || ask->stream || cube_alg_length(alg) > KNOWN_TURNS_MAX)
		return true;
	const size_t more = (size_t)cube_alg_length(alg);
	struct cube_turn *turns = malloc((before + more + 1) * sizeof *turns);
	size_t count = 0;
	if (!turns)
		return ctx_no_memory(ctx);
	if (before > 0)
		memcpy(turns, history->bytes, history->length);
	if (!cube_alg_expand(alg, more, turns + before, &count)) {
		free(turns);
		return true;
	}
	count = cube_turns_simplify(ask->cube.size, turns, before + count);
	for (size_t i = 0; i < count - i; i++) {
		const struct cube_turn first = turns[i];
		turns[i] = turned_back(turns[count - 1 - i]);
		turns[count - 1 - i] = turned_back(first);
	}
	*known = (struct solve_turns){.turns = turns, .count = count, .length = -1};
	return true;
}

void solve_ask_prepare(struct context *ctx)
{
	struct solve_ask *ask = ctx->data;
	struct cube_alg alg = {0};
	if (!choose_method(ctx, ask) ||
	    (moves_given(&ask->cube.moves) &&
	     (!moves_read(ctx, &ask->cube.moves, ask->cube.size, &alg) ||
	      !cube_turn_by(ctx, ask->cube.cube, &alg))) ||
	    (ask->cube.source == CUBE_OF_SESSION && !make_known(ctx, ask, &alg)))
		return;
	if (goal_given(&ask->goal)) {
		goal_make(ctx, &ask->goal, ask->cube.cube, &ask->question);
		return;
	}
	ask->question.cube = malloc(cube_bytes(ask->cube.size));
	if (ask->question.cube)
		cube_copy(ask->question.cube, ask->cube.cube);
	else
		ctx_no_memory(ctx);
}
