/* goal.c: the goal of a request to solve: a pattern or a state, and the turns that may be made. */
#include "cube/cube.h"
#include "server/api/input/goal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/search/goal.h"
#include "server/util/container_of.h"

#define GOALS_MAX 16

bool goal_given(const struct goal_request *goal)
{
	return goal->has_state || goal->has_pattern || goal->row || goal->forced ||
	       moves_given(&goal->generators);
}

static bool no_goal(struct context *ctx, struct text name)
{
	const char *names[GOALS_MAX];
	const struct json_place place = {.pointer = "/goal"};
	size_t count = 0;
	for (; count < cube_goals_count && count < GOALS_MAX; count++)
		names[count] = cube_goals[count].name;
	return input_unknown(ctx, &place, name, "goal", names, count);
}

static bool read_place(struct context *ctx, struct text place, struct goal_request *goal)
{
	char detail[128];
	const struct cube_goal_row *row = goal->row;
	if (!row)
		return input_problem(ctx, "/place", "Only a goal has a place; send goal too.",
				     "a goal beside it", NULL);
	if (text_names(place, "any"))
		return true;
	if (!row->example)
		return input_problem(ctx, "/place", "This goal has no places; leave place out.",
				     "any", NULL);
	goal->fits = cube_goal_fits(row, place.bytes, place.length);
	if (goal->fits != 0)
		return true;
	snprintf(detail, sizeof detail, "Unknown place; use %s.", row->example);
	return input_problem(ctx, "/place", detail, row->example, NULL);
}

/* A goal by its name. */
static bool read_named(struct context *ctx, const struct goal_members *in,
		       struct goal_request *goal)
{
	if (in->goal.bytes) {
		goal->row = cube_goal_find(in->goal.bytes, in->goal.length);
		if (!goal->row)
			return no_goal(ctx, in->goal);
		if (in->until)
			return input_problem(ctx, "/until", "Send either goal or until.",
					     "no until beside goal", NULL);
	}
	return !in->place.bytes || read_place(ctx, in->place, goal);
}

/* Only for states that fit a pattern. Turns, metric and cube are checked later (check_niss). */
static bool read_niss(struct context *ctx, const struct goal_members *in, struct goal_request *goal)
{
	goal->niss = in->niss;
	if (!goal->niss || goal->row || goal->has_pattern)
		return true;
	return input_problem(ctx, "/niss",
			     "niss is for a goal; send goal, or a pattern as until, too.",
			     "a goal such as eo beside it", "false");
}

bool goal_read(struct context *ctx, const struct goal_members *in, struct goal_request *goal)
{
	struct json_value *until = in->until;
	struct json_value *state = until && json_is_kind(until, JSON_KIND_OBJECT)
					   ? json_member_of(until, "cube")
					   : NULL;
	const struct json_member member = {"cube", JSON_ANY, &state, 0, 0};
	goal->has_state = state != NULL;
	goal->has_pattern = until && !state;
	if (state && (!input_object(ctx, until, "/until", &member, 1) ||
		      !input_cube_read(ctx, state, "/until/cube", &goal->state)))
		return false;
	if (goal->has_pattern && !pattern_read(ctx, until, "/until", &goal->pattern))
		return false;
	return read_named(ctx, in, goal) && read_niss(ctx, in, goal) &&
	       (!in->generators ||
		moves_from_json(ctx, in->generators, "/generators", &goal->generators));
}

bool goal_takes_method(const struct goal_request *goal, int size)
{
	return goal->has_state && !goal->forced && !moves_given(&goal->generators) && size <= 3;
}

/* A goal with its own request, whose arena holds its patterns: the question may outlive the request
 * that it came with. */
struct made {
	struct solve_goal goal; /* first */
	struct request request;
	struct context ctx;
};

static void made_destroy(struct solve_goal *goal)
{
	struct made *made = container_of(goal, struct made, goal);
	free(goal->from);
	free(goal->state);
	request_finish(&made->request);
	free(made);
}

static struct made *made_create(struct context *ctx)
{
	struct made *made = calloc(1, sizeof *made);
	if (!made) {
		ctx_no_memory(ctx);
		return NULL;
	}
	made->goal.destroy = made_destroy;
	request_init(&made->request);
	ctx_init(&made->ctx, ctx->service, &made->request);
	made->ctx.route = ctx->route;
	return made;
}

static struct cube *copy_of(struct context *ctx, const struct cube *cube)
{
	struct cube *copy = malloc(cube_bytes(cube->size));
	if (copy)
		cube_copy(copy, cube);
	else
		ctx_no_memory(ctx);
	return copy;
}

/* ---- making the goal ---- */

static struct cube_query_node *query_of_state(struct context *ctx, const struct cube *state)
{
	const int size = state->size;
	struct cube_query_node *node = ctx_alloc(ctx, sizeof *node);
	struct cube_pattern *pattern = ctx_alloc(ctx, cube_pattern_bytes(size, 0));
	uint8_t *items = ctx_alloc(ctx, cube_facelets(size));
	if (!node || !pattern || !items)
		return NULL;
	cube_goal_items(state, items);
	cube_pattern_make(pattern, size, items);
	*node = (struct cube_query_node){
		.kind = CUBE_QUERY_COLORS, .held = true, .span = 1, .pattern = pattern};
	cube_query_prepare(node);
	return node;
}

/* Sets the query: the pattern of that name, looked at in the ways `fits`, 0: all. */
static bool make_named(struct context *ctx, struct solve_goal *goal, const char *name,
		       uint32_t fits, int size)
{
	const struct cube_named *named = cube_named_find(name, strlen(name));
	if (size < named->size_min || size > named->size_max) {
		char detail[64], expected[32];
		snprintf(expected, sizeof expected,
			 named->size_max > named->size_min ? "a 3x3x3 or larger cube" : "a 3x3x3");
		snprintf(detail, sizeof detail, "This goal is for %s.", expected);
		return input_problem(ctx, "/goal", detail, expected, NULL);
	}
	void *memory = ctx_alloc(ctx, solve_goal_query_bytes(named, size));
	if (!memory)
		return false;
	goal->named = named;
	goal->fits = fits;
	goal->query = solve_goal_query(named, fits, size, memory);
	return true;
}

/* On the goal's own arena. */
static bool make_query(struct context *ctx, struct goal_request *goal, const struct cube *state,
		       struct made *made, int size)
{
	bool done;
	made->request.id = ctx->request->id; /* for its problem */
	if (goal->has_pattern) {
		done = pattern_make(&made->ctx, &goal->pattern, size);
		made->goal.query = done ? goal->pattern.query : NULL;
	} else if (goal->row || !state) {
		done = make_named(&made->ctx, &made->goal,
				  goal->row ? goal->row->pattern : "solved",
				  goal->row ? goal->fits : 0, size);
	} else {
		made->goal.query = query_of_state(&made->ctx, state);
		done = made->goal.query != NULL;
	}
	made->request.id = NULL;
	made->goal.solved = !goal->has_pattern && !goal->row && !state;
	if (state && !goal->has_pattern) {
		made->goal.state = copy_of(ctx, state);
		if (!made->goal.state)
			return false;
	}
	if (done)
		return true;
	/* The inner request has the problem. */
	request_move_reply(ctx->request, &made->request);
	return false;
}

bool generators_read(struct context *ctx, const struct moves_request *generators, int size,
		     struct cube_turn **turns, size_t *count)
{
	struct cube_alg alg;
	if (!moves_read(ctx, generators, size, &alg) ||
	    !moves_expand(ctx, generators, &alg, turns, count))
		return false;
	if (*count < 1 || *count > CUBE_GOAL_GENERATORS_MAX)
		return input_problem(ctx, "/generators", "Must have 1 to 300 moves.",
				     "1 to 300 moves", NULL);
	for (size_t i = 0; i < *count; i++)
		if ((*turns)[i].quarters == 0)
			return input_problem(ctx, "/generators",
					     "Each move must turn something, as R, U2 and Fw do.",
					     "moves such as R, U2 or Fw", NULL);
	return true;
}

static bool make_generators(struct context *ctx, struct goal_request *goal, struct made *made,
			    int size)
{
	struct cube_turn *turns, *own;
	size_t count;
	if (!moves_given(&goal->generators))
		return true;
	if (!generators_read(ctx, &goal->generators, size, &turns, &count))
		return false;
	own = arena_alloc(&made->request.arena, count * sizeof *own);
	if (!own)
		return ctx_no_memory(ctx);
	for (size_t i = 0; i < count; i++)
		own[i] = turns[i];
	made->goal.generators = own;
	made->goal.generator_count = count;
	return true;
}

/* The way from `cube` to `state` is the solution of a cube whose stickers are named by their place
 * in `state`. */
static bool make_relabelled(struct context *ctx, struct made *made, const struct cube *cube,
			    const struct cube *state, struct solve_question *question)
{
	struct cube *scratch = ctx_alloc(ctx, cube_bytes(cube->size));
	question->cube = copy_of(ctx, cube);
	made->goal.from = copy_of(ctx, cube);
	made->goal.state = copy_of(ctx, state);
	if (!scratch || !question->cube || !made->goal.from || !made->goal.state)
		return false;
	cube_goal_relabel(question->cube, cube, state, scratch);
	return true;
}

/* The state to be reached, with its moves applied; NULL in `state` if there is none. */
static bool make_state(struct context *ctx, struct goal_request *goal, int size,
		       const struct cube **state)
{
	*state = NULL;
	if (!goal->has_state)
		return true;
	if (goal->state.size != size)
		return input_problem(ctx, "/until/cube", "Both cubes must have the same size.",
				     "a cube of the same size as the cube to solve", NULL);
	*state = goal->state.cube;
	return input_cube_turn(ctx, &goal->state);
}

/* The requested one, or the usual one for the generators. */
static bool choose_metric(struct context *ctx, const struct goal_request *goal,
			  struct solve_question *question, int size)
{
	const enum cube_solve_metric usual = solve_goal_metric(question->goal, size);
	if (!goal->has_metric)
		question->metric = usual;
	return usual != CUBE_SOLVE_ETM || question->metric == CUBE_SOLVE_ETM ||
	       input_problem(ctx, "/metric",
			     "Rotations of the whole cube count only in etm; use etm.", "etm",
			     NULL);
}

/* Turns of the outer layers of a 3x3x3 look the same on the inverse, and leave the centres alone. */
static bool check_niss(struct context *ctx, const struct solve_goal *goal, int size,
		       enum cube_solve_metric metric)
{
	if (size != 3)
		return input_problem(ctx, "/niss", "niss is for a 3x3x3.", "a 3x3x3", "false");
	for (size_t i = 0; i < goal->generator_count; i++)
		if (goal->generators[i].from != 1 || goal->generators[i].to != 1)
			return input_problem(ctx, "/generators",
					     "With niss, each move must turn one outer layer.",
					     "moves such as R, U2 or F'", NULL);
	if (metric > CUBE_SOLVE_QTM)
		return input_problem(ctx, "/metric", "niss counts in htm or qtm.", "htm or qtm",
				     "htm");
	return true;
}

bool goal_make(struct context *ctx, struct goal_request *goal, const struct cube *cube,
	       struct solve_question *question)
{
	const struct cube *state;
	struct made *made = made_create(ctx);
	if (!made)
		return false;
	question->goal = &made->goal;
	if (!make_state(ctx, goal, cube->size, &state))
		return false;
	if (goal_takes_method(goal, cube->size))
		return make_relabelled(ctx, made, cube, state, question);
	question->solver = &solve_goal_method;
	question->cube = copy_of(ctx, cube);
	made->goal.niss = goal->niss;
	return question->cube && make_query(ctx, goal, state, made, cube->size) &&
	       make_generators(ctx, goal, made, cube->size) &&
	       choose_metric(ctx, goal, question, cube->size) &&
	       (!goal->niss || check_niss(ctx, &made->goal, cube->size, question->metric));
}
