/* scramble_series.h: scrambles of a query: of an event or a size, in a variant, from a seed, of few
 * moves, of states that fit a pattern, belong to a set of cases, or are some turns away from a goal. */
#ifndef SERVER_API_CUBES_SCRAMBLE_SERIES_H
#define SERVER_API_CUBES_SCRAMBLE_SERIES_H

#include "server/api/input/case.h"
#include "server/api/input/goal.h"
#include "server/api/input/pattern.h"
#include "server/api/input/scramble.h"

/* An event of the WCA. */
struct scramble_event {
	const char *id;
	int size;
	enum cube_scramble_variant variant;
	const char *title; /* as the WCA names it */
};

struct scramble_series {
	struct scramble_request request;
	struct scrambling scrambling;
	const struct scramble_event *event; /* NULL: none was named */
	struct pattern_request until;       /* value NULL: no pattern */
	struct case_request of_set;         /* set NULL: of none */
	struct goal_request goal;           /* row NULL: none */
	struct moves_request generators;    /* not given: all turns */
	int64_t size, distance;             /* distance -1: none */
	int64_t count, extras;              /* numbers of scrambles and of extra ones */
	struct cube_distant distant;
	struct kept_cache *subgroups; /* the cache of the service, while `subgroup` is taken */
	struct kept *subgroup;        /* NULL: none */
	/* After series_prepare(): */
	struct cube_turn *turns;
	struct cube *cube;
};

/* "plain", "bld", "fmc". */
extern const char *const scramble_variant_names[];

/* Reads the parameters that the route has of: event, size, variant, seed, until, goal, place, distance,
 * generators, count, extras. `count` and `extras` are how many if the query does not say it, as far as the limit
 * allows. Answers 400. */
MUST_USE bool series_read(struct context *ctx, struct scramble_series *series, int64_t count,
			  int64_t extras);

/* Returns the cost of a scramble, with the cube that it makes, and the cost of the preparation,
 * which is made once; in ns. */
uint64_t series_cost(const struct scramble_series *series);
uint64_t series_prepare_cost(const struct scramble_series *series);

/* Call series_end() in any case. May wait for tables. False: the reply is a problem. Any thread. */
bool series_prepare(struct context *ctx, struct scramble_series *series);
void series_end(struct scramble_series *series);

/* After series_prepare(): whether scrambles are random moves, not what makes a random state. */
MUST_USE bool series_walks(const struct scramble_series *series);

/* The next scramble, in series->turns; returns how many turns. */
size_t series_next(struct scramble_series *series);
/* Makes series->cube the solved cube after them. */
void series_turn(struct scramble_series *series, size_t count);

#endif
