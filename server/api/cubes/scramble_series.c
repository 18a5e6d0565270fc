/* scramble_series.c: scrambles of a query. */
#include "cube/cube.h"
#include "server/api/cubes/scramble_series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/service_state.h"
#include "server/search/distances.h"
#include "server/search/subgroup_cache.h"
#include "server/util/suggest.h"

/* Enumerating the cases of a set. */
#define FIND_CASE_NS 3000000

/* Short turns of few generators that make a 3x3x3 (cube/subgroup.h); others take less. */
#define FEW_MOVES_NS 40000000

/* Turning a cube, per facelet. */
#define FACELET_NS 100

const char *const scramble_variant_names[] = {
	[CUBE_SCRAMBLE_PLAIN] = "plain", [CUBE_SCRAMBLE_BLD] = "bld", [CUBE_SCRAMBLE_FMC] = "fmc"};

#define VARIANTS (sizeof scramble_variant_names / sizeof scramble_variant_names[0])

static const struct scramble_event events[] = {
	{"222", 2, CUBE_SCRAMBLE_PLAIN, "2x2x2 Cube"},
	{"333", 3, CUBE_SCRAMBLE_PLAIN, "3x3x3 Cube"},
	{"333oh", 3, CUBE_SCRAMBLE_PLAIN, "3x3x3 One-Handed"},
	{"333bf", 3, CUBE_SCRAMBLE_BLD, "3x3x3 Blindfolded"},
	{"333fm", 3, CUBE_SCRAMBLE_FMC, "3x3x3 Fewest Moves"},
	{"333mbf", 3, CUBE_SCRAMBLE_BLD, "3x3x3 Multi-Blind"},
	{"444", 4, CUBE_SCRAMBLE_PLAIN, "4x4x4 Cube"},
	{"444bf", 4, CUBE_SCRAMBLE_BLD, "4x4x4 Blindfolded"},
	{"555", 5, CUBE_SCRAMBLE_PLAIN, "5x5x5 Cube"},
	{"555bf", 5, CUBE_SCRAMBLE_BLD, "5x5x5 Blindfolded"},
	{"666", 6, CUBE_SCRAMBLE_PLAIN, "6x6x6 Cube"},
	{"777", 7, CUBE_SCRAMBLE_PLAIN, "7x7x7 Cube"},
};

#define EVENTS (sizeof events / sizeof events[0])

static bool read_event(struct context *ctx, struct scramble_series *series);
static bool read_variant(struct context *ctx, struct scramble_series *series);
static bool read_states(struct context *ctx, struct scramble_series *series);
static bool read_counts(struct context *ctx, struct scramble_series *series);
static bool read_set(struct context *ctx, struct scramble_series *series);
static bool read_distance(struct context *ctx, struct scramble_series *series);
static bool prepare_until(struct context *ctx, struct scramble_series *series);
static bool prepare_set(struct context *ctx, struct scramble_series *series);
static bool read_generators(struct context *ctx, struct scramble_series *series,
			    struct json_value *value);
static bool prepare_few(struct context *ctx, struct scramble_series *series);
static bool prepare_distant(struct context *ctx, struct scramble_series *series);

bool series_read(struct context *ctx, struct scramble_series *series, int64_t count, int64_t extras)
{
	static const struct json_place place = {.parameter = "seed"};
	const struct text *seed = &ctx->query.value[PARAMETER_SEED];
	*series = (struct scramble_series){.request = {.wanted = true},
					   .goal = {.state = {.at = -1}},
					   .size = input_size_default(ctx),
					   .distance = -1,
					   .count = count,
					   .extras = extras};
	return query_integer(ctx, PARAMETER_SIZE, CUBE_SIZE_MIN, input_size_max(ctx),
			     &series->size) &&
	       read_event(ctx, series) && read_variant(ctx, series) && read_states(ctx, series) &&
	       read_counts(ctx, series) &&
	       (!seed->bytes || scramble_read_seed(ctx, *seed, &place, &series->request));
}

/* The event sets size and variant; beside it they may be given if they say the same. */
static bool read_event(struct context *ctx, struct scramble_series *series)
{
	const struct text *id = &ctx->query.value[PARAMETER_EVENT];
	const char *names[EVENTS];
	char expected[128], detail[160];
	if (!id->bytes)
		return true;
	for (size_t i = 0; i < EVENTS; i++) {
		names[i] = events[i].id;
		if (text_names(*id, events[i].id))
			series->event = &events[i];
	}
	const struct scramble_event *event = series->event;
	if (!event) {
		suggest_list(names, EVENTS, expected, sizeof expected);
		snprintf(detail, sizeof detail, "Unknown event; use %s.", expected);
		return query_problem(ctx, "event", detail, expected,
				     suggest_nearest(id->bytes, id->length, names, EVENTS));
	}
	if (event->size > input_size_max(ctx))
		return query_problem(ctx, "event", "This server has no cubes of that size.", NULL,
				     NULL);
	if (ctx->query.value[PARAMETER_SIZE].bytes && series->size != event->size) {
		snprintf(expected, sizeof expected, "%d, or no size beside the event", event->size);
		return query_problem(ctx, "size", "The event has cubes of another size.", expected,
				     NULL);
	}
	series->size = event->size;
	series->request.variant = event->variant;
	return true;
}

static bool read_variant(struct context *ctx, struct scramble_series *series)
{
	const struct scramble_event *event = series->event;
	const struct text *name = &ctx->query.value[PARAMETER_VARIANT];
	char expected[64] = "", detail[128];
	bool known = !name->bytes;
	for (size_t i = 0; i < VARIANTS; i++) {
		const enum cube_scramble_variant variant = (enum cube_scramble_variant)i;
		if (!cube_scramble_has((int)series->size, variant))
			continue;
		size_t length = strlen(expected);
		snprintf(expected + length, sizeof expected - length, "%s%s",
			 length > 0 ? ", " : "", scramble_variant_names[i]);
		if (name->bytes && text_names(*name, scramble_variant_names[i])) {
			series->request.variant = variant;
			known = true;
		}
	}
	if (known && event && series->request.variant != event->variant)
		return query_problem(ctx, "variant", "The event has scrambles of another variant.",
				     scramble_variant_names[event->variant], NULL);
	snprintf(detail, sizeof detail, "Unknown variant; for this size use %s.", expected);
	return known || query_problem(ctx, "variant", detail, expected, NULL);
}

#define GOALS_MAX 16

/* Answers 400 if it is not a goal whose distances are known. */
static bool goal_has_distances(struct context *ctx, struct text name)
{
	const struct cube_goal_row *row = cube_goal_find(name.bytes, name.length);
	const char *names[GOALS_MAX];
	char expected[64], detail[128];
	size_t count = 0;
	if (row && row->farthest >= 0)
		return true;
	for (size_t i = 0; i < cube_goals_count; i++)
		if (cube_goals[i].farthest >= 0 && count < GOALS_MAX)
			names[count++] = cube_goals[i].name;
	suggest_list(names, count, expected, sizeof expected);
	snprintf(detail, sizeof detail, "%s; use %s.",
		 row ? "No distances are known for this goal" : "Unknown goal", expected);
	return query_problem(ctx, "goal", detail, expected,
			     row ? "cross"
				 : suggest_nearest(name.bytes, name.length, names, count));
}

/* The members of the body that the query makes: which states are wanted. */
static bool read_states(struct context *ctx, struct scramble_series *series)
{
	struct json_value *until = NULL, *generators = NULL, *size;
	struct goal_members in = {.until = NULL};
	const struct json_member members[] = {{"until", JSON_ANY, &until, 0, 0},
					      {"goal", JSON_TEXT, &in.goal, 0, 0},
					      {"place", JSON_TEXT, &in.place, 0, 0},
					      {"generators", JSON_ANY, &generators, 0, 0},
					      {"size", JSON_ANY, &size, 0, 0}};
	if (ctx->body && !input_object(ctx, ctx->body, "", members, 5))
		return false;
	if (generators && (until || in.goal.bytes))
		return query_problem(ctx, "generators",
				     "Send generators without until and goal: these states need "
				     "all turns.",
				     "no generators, or neither until nor goal", NULL);
	if (generators && !read_generators(ctx, series, generators))
		return false;
	if (until && in.goal.bytes)
		return input_problem(ctx, "/until", "Send either goal or until.",
				     "no until beside goal", NULL);
	if (until && case_read(until, &series->of_set))
		return read_set(ctx, series) && read_distance(ctx, series);
	const char *named = until ? "until" : "goal";
	if ((until || in.goal.bytes) &&
	    (series->size != 3 || series->request.variant != CUBE_SCRAMBLE_PLAIN))
		return query_problem(ctx, named,
				     "Only plain scrambles of a 3x3x3 can lead to such states.",
				     until ? "size 3 and the variant plain, or no until"
					   : "size 3 and the variant plain, or no goal",
				     NULL);
	return (!in.goal.bytes || goal_has_distances(ctx, in.goal)) &&
	       goal_read(ctx, &in, &series->goal) && read_distance(ctx, series) &&
	       (!until || (case_known(ctx, until, "/until") &&
			   pattern_read(ctx, until, "/until", &series->until)));
}

static bool read_generators(struct context *ctx, struct scramble_series *series,
			    struct json_value *value)
{
	if (series->event)
		return query_problem(ctx, "generators",
				     "Events have scrambles of all turns; send size instead of "
				     "event.",
				     "no generators, or no event", NULL);
	if (series->size > 3 || series->request.variant != CUBE_SCRAMBLE_PLAIN)
		return query_problem(ctx, "generators",
				     "Generators are for plain scrambles of a 2x2x2 or 3x3x3.",
				     "size 2 or 3 and the variant plain, or no generators", NULL);
	return moves_from_json(ctx, value, "/generators", &series->generators);
}

/* The limit is of both together. What is usual fits a server with a lower one. */
static bool read_counts(struct context *ctx, struct scramble_series *series)
{
	const uint64_t limit = ctx->service->config.limits.scrambles;
	const int64_t most = limit < INT32_MAX ? (int64_t)limit : INT32_MAX;
	char detail[96], expected[64];
	if (series->count > most)
		series->count = most;
	if (!query_integer(ctx, PARAMETER_COUNT_OF, 1, most, &series->count))
		return false;
	if (series->extras > most - series->count)
		series->extras = most - series->count;
	if (!query_integer(ctx, PARAMETER_EXTRAS, 0, most, &series->extras))
		return false;
	if (series->count + series->extras <= most)
		return true;
	snprintf(detail, sizeof detail, "At most %lld scrambles are made, extras included.",
		 (long long)most);
	snprintf(expected, sizeof expected, "0 to %lld extras beside %lld scrambles",
		 (long long)(most - series->count), (long long)series->count);
	return query_problem(ctx, "extras", detail, expected, NULL);
}

/* A set is of one size, which need not be given. */
static bool read_set(struct context *ctx, struct scramble_series *series)
{
	const struct cube_set *set = series->of_set.set;
	char detail[128], expected[64];
	if (!series->event && !ctx->query.value[PARAMETER_SIZE].bytes)
		series->size = set->size;
	if (series->size == set->size && series->request.variant == CUBE_SCRAMBLE_PLAIN)
		return true;
	snprintf(detail, sizeof detail, "The set %s is for plain scrambles of a %dx%dx%d.",
		 set->name, set->size, set->size, set->size);
	snprintf(expected, sizeof expected, "size %d and the variant plain, or another until",
		 set->size);
	return query_problem(ctx, "until", detail, expected, NULL);
}

/* A goal has a distance, and the other way round. */
static bool read_distance(struct context *ctx, struct scramble_series *series)
{
	const struct cube_goal_row *row = series->goal.row;
	const bool given = ctx->query.value[PARAMETER_DISTANCE].bytes != NULL;
	char expected[64];
	if (!row)
		return !given ||
		       query_problem(ctx, "distance", "Only a goal has a distance; send goal too.",
				     "a goal beside it, such as cross", NULL);
	snprintf(expected, sizeof expected, "a distance of 0 to %d turns", row->farthest);
	if (!given)
		return query_problem(ctx, "goal", "A goal needs a distance; send distance too.",
				     expected, NULL);
	if (series->goal.fits == 0 && ctx->query.value[PARAMETER_PLACE].bytes)
		return query_problem(ctx, "place",
				     "States have a distance from a goal at one place; name it.",
				     row->example, row->usual);
	if (series->goal.fits == 0)
		series->goal.fits = cube_goal_fits(row, row->usual, strlen(row->usual));
	return query_integer(ctx, PARAMETER_DISTANCE, 0, row->farthest, &series->distance);
}

uint64_t series_cost(const struct scramble_series *series)
{
	const int size = (int)series->size;
	/* If few states fit a pattern, drawing one takes 50 ms on average (cube/draw.h), at times more. */
	if (series->until.value)
		return LONG_COMPUTATION_NS;
	if (moves_given(&series->generators))
		return FEW_MOVES_NS;
	return scramble_cost(&series->request, size) +
	       cube_scramble_room(size) * cube_facelets(size) * FACELET_NS / 6;
}

/* Finding that nothing fits a pattern may take half a second, and making distances 40 ms. */
uint64_t series_prepare_cost(const struct scramble_series *series)
{
	if (series->until.value || series->goal.row || moves_given(&series->generators))
		return LONG_COMPUTATION_NS;
	return series->of_set.set ? FIND_CASE_NS : 0;
}

bool series_prepare(struct context *ctx, struct scramble_series *series)
{
	const int size = (int)series->size;
	series->turns = ctx_alloc(ctx, cube_scramble_room(size) * sizeof *series->turns);
	series->cube = ctx_alloc(ctx, cube_bytes(size));
	return series->turns && series->cube &&
	       scramble_begin(ctx, &series->request, size, &series->scrambling) &&
	       (!series->until.value || prepare_until(ctx, series)) &&
	       (!series->of_set.set || prepare_set(ctx, series)) &&
	       (!series->goal.row || prepare_distant(ctx, series)) &&
	       (!moves_given(&series->generators) || prepare_few(ctx, series));
}

/* Returns true if the turns are those of usual scrambles: of U, R and F for a 2x2x2, otherwise of
 * all faces. */
static bool are_usual(int size, const struct cube_turn *turns, size_t count)
{
	unsigned faces = 0;
	for (size_t i = 0; i < count; i++) {
		if (turns[i].from > 1 || turns[i].to > 1 || abs(turns[i].quarters) > 1)
			return false;
		faces |= 1U << turns[i].face;
	}
	return faces ==
	       (size == 2 ? 1U << CUBE_U | 1U << CUBE_R | 1U << CUBE_F : (1U << CUBE_FACES) - 1);
}

/* Random states of the generators if these can be written, else random moves. */
static bool prepare_few(struct context *ctx, struct scramble_series *series)
{
	const int size = (int)series->size;
	struct cube_turn *turns;
	size_t count;
	if (!generators_read(ctx, &series->generators, size, &turns, &count))
		return false;
	if (!cube_scramble_walks(size, turns, count))
		return input_problem(
			ctx, "/generators",
			"Generators must turn layers, about more than one axis, and none "
			"the whole cube.",
			"moves such as R U, R U F or M U", "R U");
	if (are_usual(size, turns, count))
		return true;
	series->subgroups = ctx->service->subgroups;
	series->subgroup = subgroup_cache_take(series->subgroups, size, turns, count);
	if (!series->subgroup)
		return ctx_no_memory(ctx);
	const struct cube_subgroup *subgroup = kept_subgroup_tables(series->subgroup);
	if (cube_subgroup_writes(subgroup))
		scrambling_of_subgroup(&series->scrambling, subgroup);
	else
		scrambling_walk(&series->scrambling, turns, count);
	return true;
}

static bool prepare_until(struct context *ctx, struct scramble_series *series)
{
	struct cube_draw *draw = ctx_alloc(ctx, cube_draw_bytes());
	return draw && pattern_make(ctx, &series->until, 3) &&
	       (scrambling_draw(&series->scrambling, draw, series->until.query) ||
		pattern_problem(ctx, "/until", "a pattern that a reachable 3x3x3 fits",
				"No state fits this pattern, or too few to draw one at random."));
}

static bool prepare_set(struct context *ctx, struct scramble_series *series)
{
	struct case_request *of_set = &series->of_set;
	if (!case_find(ctx, of_set, "/until"))
		return false;
	scrambling_of_set(&series->scrambling, of_set->set, of_set->one);
	return true;
}

static bool prepare_distant(struct context *ctx, struct scramble_series *series)
{
	series->distant = (struct cube_distant){
		.distances = distances_from_goal(ctx->service->distances, series->goal.row),
		.fits = series->goal.fits,
		.distance = (int)series->distance};
	if (!series->distant.distances)
		return ctx_no_memory(ctx);
	scrambling_draw_distant(&series->scrambling, &series->distant);
	return true;
}

bool series_walks(const struct scramble_series *series)
{
	return series->size > 4 || series->scrambling.task.generators;
}

void series_end(struct scramble_series *series)
{
	scrambling_end(&series->scrambling);
	kept_cache_release(series->subgroups, series->subgroup);
	series->subgroup = NULL;
}

size_t series_next(struct scramble_series *series)
{
	return scrambling_next(&series->scrambling, series->turns);
}

void series_turn(struct scramble_series *series, size_t count)
{
	cube_init(series->cube, (int)series->size);
	cube_turn_all(series->cube, series->turns, count);
}
