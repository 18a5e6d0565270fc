/* core/solve/draw.c: random states that fit a pattern. */
#include "cube/draw.h"

#include <assert.h>
#include <string.h>

#include "core/solve/goal/goal_internal.h"
#include "cube/facelets.h"

#define SLOTS 24
#define EFFORT 100000    /* states */
#define TABLE_EFFORT 100 /* of counting one target, as much as so many states */
#define FOUND_MIN 10 /* states that fit, among so many; if fewer do, drawing would take seconds */

__extension__ typedef unsigned __int128 number;

/* Ways to fill the first places with a set of pieces: by set, sum of turns, and parity. */
struct counts {
	uint64_t corners[1 << CUBE_CORNERS][3][2];
	uint64_t edges[1 << CUBE_EDGES][2][2];
	size_t target; /* whose they are */
	bool counted;
};

struct cube_draw {
	const struct cube_query_node *query;
	struct goal_targets targets;
	number states[GOAL_TARGETS_MAX][2]; /* by parity */
	number total;
	struct counts counts[SLOTS];
};

size_t cube_draw_bytes(void)
{
	return sizeof(struct cube_draw);
}

/* One kind of pieces: how many, and how many ways to turn one. */
struct kind {
	int pieces, turns;
	const uint32_t *allowed; /* by place */
	uint64_t *ways;
};

static uint64_t *ways_at(const struct kind *kind, uint32_t set, int sum, int parity)
{
	return &kind->ways[(set * (uint32_t)kind->turns + (uint32_t)sum) * 2 + (uint32_t)parity];
}

/* The ways to fill all places but the last, which has this piece of the set, turned in this way. */
static uint64_t ways_before(const struct kind *kind, uint32_t set, int sum, int parity, int piece,
			    int turn)
{
	const uint32_t before = set & ~(1u << piece);
	const int odd = goal_count(before >> piece) & 1;
	return *ways_at(kind, before, (sum + kind->turns - turn) % kind->turns, parity ^ odd);
}

static bool is_allowed(const struct kind *kind, uint32_t set, int piece, int turn)
{
	return (set >> piece & 1) &&
	       (kind->allowed[goal_count(set) - 1] >> (kind->turns * piece + turn) & 1);
}

static void count_kind(const struct kind *kind)
{
	memset(kind->ways, 0, sizeof(uint64_t) * 2 * (size_t)kind->turns << kind->pieces);
	*ways_at(kind, 0, 0, 0) = 1;
	for (uint32_t set = 1; set < 1u << kind->pieces; set++)
		for (int bit = 0; bit < kind->pieces * kind->turns; bit++) {
			const int piece = bit / kind->turns, turn = bit % kind->turns;
			if (!is_allowed(kind, set, piece, turn))
				continue;
			for (int sum = 0; sum < kind->turns; sum++)
				for (int parity = 0; parity < 2; parity++)
					*ways_at(kind, set, sum, parity) +=
						ways_before(kind, set, sum, parity, piece, turn);
		}
}

static uint64_t all_ways(const struct kind *kind, int parity)
{
	return *ways_at(kind, (1u << kind->pieces) - 1, 0, parity);
}

static struct kind corners_of(struct cube_draw *draw, struct counts *counts)
{
	return (struct kind){CUBE_CORNERS, 3, draw->targets.target[counts->target].allowed,
			     &counts->corners[0][0][0]};
}

static struct kind edges_of(struct cube_draw *draw, struct counts *counts)
{
	return (struct kind){CUBE_EDGES, 2,
			     draw->targets.target[counts->target].allowed + CUBE_CORNERS,
			     &counts->edges[0][0][0]};
}

/* The numbers of a target; `*effort` grows if they have to be counted first. */
static struct counts *counts_of(struct cube_draw *draw, size_t target, int *effort)
{
	struct counts *counts = &draw->counts[target % SLOTS];
	if (counts->counted && counts->target == target)
		return counts;
	counts->target = target;
	counts->counted = true;
	const struct kind corners = corners_of(draw, counts), edges = edges_of(draw, counts);
	count_kind(&corners);
	count_kind(&edges);
	*effort += TABLE_EFFORT;
	return counts;
}

/* 0 .. below - 1, uniform. */
static number random_number(const struct cube_random *random, number below)
{
	number mask = below, value;
	for (int shift = 1; shift < 128; shift *= 2)
		mask |= mask >> shift;
	do {
		value = (number)random->next(random->context) << 64;
		value = (value | random->next(random->context)) & mask;
	} while (value >= below);
	return value;
}

/* Fills all places in one of the ways that are counted, each equally likely. */
static void draw_kind(const struct kind *kind, const struct cube_random *random, int parity,
		      uint8_t *permutation, uint8_t *orientation)
{
	uint32_t set = (1u << kind->pieces) - 1;
	int sum = 0;
	for (int place = kind->pieces; place-- > 0;) {
		uint64_t rest = cube_random_below(random, *ways_at(kind, set, sum, parity));
		for (int bit = 0;; bit++) {
			const int piece = bit / kind->turns, turn = bit % kind->turns;
			assert(piece < kind->pieces);
			if (!is_allowed(kind, set, piece, turn))
				continue;
			const uint64_t ways = ways_before(kind, set, sum, parity, piece, turn);
			if (rest >= ways) {
				rest -= ways;
				continue;
			}
			permutation[place] = (uint8_t)piece;
			orientation[place] = (uint8_t)turn;
			set &= ~(1u << piece);
			parity ^= goal_count(set >> piece) & 1;
			sum = (sum + kind->turns - turn) % kind->turns;
			break;
		}
	}
}

/* A state of the targets. False: draw again, so that states of several targets come no more often
 * than others. */
static bool draw_once(struct cube_draw *draw, const struct cube_random *random,
		      struct cube_cubies *cubies, int *effort)
{
	number rest = random_number(random, draw->total);
	size_t target = 0;
	int parity = 0;
	while (rest >= draw->states[target][parity]) {
		rest -= draw->states[target][parity];
		target += (size_t)parity;
		parity ^= 1;
	}
	struct counts *counts = counts_of(draw, target, effort);
	const struct kind corners = corners_of(draw, counts), edges = edges_of(draw, counts);
	*cubies = (struct cube_cubies){0};
	draw_kind(&corners, random, parity, cubies->corner_permutation, cubies->corner_orientation);
	draw_kind(&edges, random, parity, cubies->edge_permutation, cubies->edge_orientation);
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		cubies->centers[face] = face;
	struct cube_state3 state;
	uint64_t fitting = 0;
	cube_state3_from_cubies(&state, cubies);
	for (size_t i = 0; i < draw->targets.count; i++)
		fitting += goal_target_fits(&draw->targets.target[i], &state);
	return cube_random_below(random, fitting) == 0;
}

/* Draws until a state fits or the effort is spent. */
static bool draw_fitting(struct cube_draw *draw, const struct cube_random *random,
			 struct cube_cubies *cubies, int *effort)
{
	uint8_t colors[54];
	for (; draw->total > 0 && *effort < EFFORT; ++*effort) {
		if (!draw_once(draw, random, cubies, effort))
			continue;
		cube_cubies_paint(cubies, 3, colors);
		if (cube_query_match(draw->query, colors, CUBE_FITS_ALL))
			return true;
	}
	return false;
}

bool cube_draw_next(struct cube_draw *draw, const struct cube_random *random,
		    struct cube_cubies *cubies)
{
	int effort = 0;
	return draw_fitting(draw, random, cubies, &effort);
}

/* Centres are home in all states that are drawn, so other holds have no states here. */
static void keep_home(struct goal_targets *targets)
{
	size_t kept = 0;
	for (size_t i = 0; i < targets->count; i++)
		if (targets->target[i].hold <= 0)
			targets->target[kept++] = targets->target[i];
	targets->count = kept;
}

bool cube_draw_make(struct cube_draw *draw, const struct cube_query_node *query)
{
	struct cube_seeded seeded;
	const struct cube_random random = {cube_seeded_next, &seeded};
	struct cube_cubies cubies;
	int effort = 0;
	memset(draw, 0, sizeof(*draw));
	draw->query = query;
	goal_targets_make(&draw->targets, query, 3, CUBE_GENERICS);
	keep_home(&draw->targets);
	for (size_t i = 0; i < draw->targets.count; i++) {
		struct counts *counts = counts_of(draw, i, &effort);
		const struct kind corners = corners_of(draw, counts);
		const struct kind edges = edges_of(draw, counts);
		for (int parity = 0; parity < 2; parity++) {
			draw->states[i][parity] =
				(number)all_ways(&corners, parity) * all_ways(&edges, parity);
			draw->total += draw->states[i][parity];
		}
	}
	cube_seeded_init(&seeded, NULL, 0);
	effort = 0;
	for (int found = 0; found < FOUND_MIN; found++)
		if (!draw_fitting(draw, &random, &cubies, &effort))
			return false;
	return true;
}
