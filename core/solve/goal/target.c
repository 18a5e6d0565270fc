/* core/solve/goal/target.c: what a query wants of each place of a 3x3x3, or of a 2x2x2. */
#include <assert.h>
#include <string.h>

#include "core/format/orbit.h"
#include "core/pattern/pattern_internal.h"
#include "core/solve/goal/goal_internal.h"

#define FACELETS 54
#define COLORS 0x3fu

/* ---- what follows ---- */

/* The pieces that are allowed at a place, a bit each. */
static unsigned pieces_at(const struct goal_target *target, int place)
{
	int turns = place < CUBE_CORNERS ? 3 : 2;
	unsigned pieces = 0;
	for (uint32_t rest = target->allowed[place]; rest; rest &= rest - 1)
		pieces |= 1u << __builtin_ctz(rest) / turns;
	return pieces;
}

/* Excludes pieces from all other places if some places have as many pieces between them as they
 * are. Looks only at sets that are one place's own. Returns false if pieces are too few. */
static bool settle_kind(struct goal_target *target, int first, int end)
{
	bool changed = true;
	while (changed) {
		changed = false;
		for (int place = first; place < end; place++) {
			unsigned own = pieces_at(target, place);
			int places = 0, turns = place < CUBE_CORNERS ? 3 : 2;
			uint32_t taken = 0;
			for (int other = first; other < end; other++)
				places += (pieces_at(target, other) & ~own) == 0;
			if (own == 0 || places > goal_count(own))
				return false;
			if (places < goal_count(own))
				continue;
			for (int bit = 0; bit < GOAL_TURNED; bit++)
				taken |= (uint32_t)(own >> bit / turns & 1) << bit;
			for (int other = first; other < end; other++) {
				if ((pieces_at(target, other) & ~own) == 0)
					continue;
				changed |= (target->allowed[other] & taken) != 0;
				target->allowed[other] &= ~taken;
			}
		}
	}
	return true;
}

static bool settle(struct goal_target *target)
{
	return settle_kind(target, 0, CUBE_CORNERS) &&
	       settle_kind(target, CUBE_CORNERS, GOAL_PLACES);
}

/* ---- nodes of the query, in one fit ---- */

struct target_maker {
	struct goal_targets *targets;
	struct orbit corners, edges;
	int size, fit, generics;
};

/* Returns the number of places that can have a target: on a 2x2x2, only the corners. */
static int places_of(const struct target_maker *maker)
{
	return maker->size == 2 ? CUBE_CORNERS : GOAL_PLACES;
}

static const struct orbit *orbit_of(const struct target_maker *maker, int place, int *in_orbit)
{
	*in_orbit = place < CUBE_CORNERS ? place : place - CUBE_CORNERS;
	return place < CUBE_CORNERS ? &maker->corners : &maker->edges;
}

/* Takes from a place the pieces that would show a colour where it may not be; false if none are
 * left. */
static bool keep_colors(const struct target_maker *maker, struct goal_target *target,
			const uint8_t colors[FACELETS])
{
	for (int place = 0; place < places_of(maker); place++) {
		int at;
		const struct orbit *orbit = orbit_of(maker, place, &at);
		for (int bit = 0; bit < GOAL_TURNED; bit++) {
			int piece = bit / orbit->turns, turn = bit % orbit->turns;
			for (int j = 0; j < orbit->stickers; j++) {
				int k = (j + turn) % orbit->stickers;
				if (!(colors[orbit->facelet[at][k]] >> orbit->face[piece][j] & 1))
					target->allowed[place] &= ~(1u << bit);
			}
		}
		if (target->allowed[place] == 0)
			return false;
	}
	return true;
}

static bool has(const uint32_t halves[2][CUBE_FITS], int fit, int facelet)
{
	return halves[facelet / SMALL_HALF][fit] >> (facelet % SMALL_HALF) & 1;
}

static int middle_of(int face)
{
	return 9 * face + 4;
}

/* Binds the generics of a pattern in a fit, with the middle centres home: a generic that stands on
 * a middle centre to that centre's colour, each of the others to -1; their number is `free`. On a
 * 2x2x2 all are free. False if the pattern does not fit the middle centres. */
static bool bind(const struct cube_pattern *pattern, int fit, int bound[CUBE_GENERICS], int *free)
{
	const struct small_pattern *small = pattern_small(pattern);
	unsigned taken = pattern->named;
	*free = 0;
	for (int i = 0; i < pattern->generic_count; i++) {
		bound[i] = -1;
		for (int face = 0; face < CUBE_FACES && pattern->size == 3; face++) {
			if (!has(small->generic[i].mask, fit, middle_of(face)))
				continue;
			if (bound[i] >= 0 || (taken >> face & 1))
				return false;
			bound[i] = face;
		}
		taken |= bound[i] >= 0 ? 1u << bound[i] : 0;
		*free += bound[i] < 0;
	}
	return true;
}

/* Binds those that are free by the digits of a number, of which the highest has that weight. Where
 * two would be bound alike, how far it is to the first number where these are not; else 0. */
static int bind_free(const struct cube_pattern *pattern, const int bound[CUBE_GENERICS], int number,
		     int weight, int result[CUBE_GENERICS])
{
	unsigned taken = pattern->named;
	for (int i = 0; i < pattern->generic_count; i++)
		taken |= bound[i] >= 0 ? 1u << bound[i] : 0;
	for (int i = 0; i < pattern->generic_count; i++) {
		result[i] = bound[i];
		if (bound[i] >= 0)
			continue;
		result[i] = number / weight % CUBE_FACES;
		if (taken >> result[i] & 1)
			return weight - number % weight;
		taken |= 1u << result[i];
		weight /= CUBE_FACES;
	}
	return 0;
}

/* The colours that a pattern leaves each facelet, a bit each; false if the middle centres do not
 * fit. */
static bool colors_of(const struct cube_pattern *pattern, int fit, const int bound[CUBE_GENERICS],
		      uint8_t colors[FACELETS])
{
	const struct small_pattern *small = pattern_small(pattern);
	for (int facelet = 0; facelet < (int)cube_facelets(pattern->size); facelet++) {
		colors[facelet] = COLORS;
		if (has(small->mask, fit, facelet))
			colors[facelet] = (uint8_t)(1u << (has(small->want[0], fit, facelet) +
							   2 * has(small->want[1], fit, facelet) +
							   4 * has(small->want[2], fit, facelet)));
		for (int i = 0; i < pattern->generic_count; i++)
			if (has(small->generic[i].mask, fit, facelet))
				colors[facelet] =
					(uint8_t)(bound[i] >= 0 ? 1u << bound[i] : COLORS);
		if (pattern->size == 3 && facelet % 9 == 4 && !(colors[facelet] >> facelet / 9 & 1))
			return false;
	}
	return true;
}

static int place_at(const struct target_maker *maker, int facelet)
{
	for (int place = 0; place < GOAL_PLACES; place++) {
		int at;
		const struct orbit *orbit = orbit_of(maker, place, &at);
		for (int k = 0; k < orbit->stickers; k++)
			if (orbit->facelet[at][k] == facelet)
				return place;
	}
	assert(false);
	return 0;
}

/* Tries each piece in the place of each rule. */
static bool keep_pieces(const struct target_maker *maker, struct goal_target *target,
			const struct cube_pieces *pieces)
{
	uint8_t colors[FACELETS];
	for (int facelet = 0; facelet < FACELETS; facelet++)
		colors[facelet] = (uint8_t)(facelet / 9);
	for (uint32_t i = 0; i < pieces_count(pieces); i++) {
		int facelet, at;
		(void)pieces_one_fits(pieces, i, maker->fit, colors, &facelet);
		int place = place_at(maker, facelet);
		const struct orbit *orbit = orbit_of(maker, place, &at);
		for (int bit = 0; bit < GOAL_TURNED; bit++) {
			int piece = bit / orbit->turns, turn = bit % orbit->turns;
			for (int j = 0; j < orbit->stickers; j++)
				colors[orbit->facelet[at][(j + turn) % orbit->stickers]] =
					orbit->face[piece][j];
			if (!pieces_one_fits(pieces, i, maker->fit, colors, &facelet))
				target->allowed[place] &= ~(1u << bit);
		}
		for (int k = 0; k < orbit->stickers; k++)
			colors[orbit->facelet[at][k]] = orbit->face[at][k];
		if (target->allowed[place] == 0)
			return false;
	}
	return true;
}

/* ---- targets, from `begin` on, narrowed down ---- */

/* Drops those before `end`. */
static void drop(struct goal_targets *targets, size_t begin, size_t end)
{
	memmove(&targets->target[begin], &targets->target[end],
		(targets->count - end) * sizeof(struct goal_target));
	targets->count -= end - begin;
}

static void keep_rules(const struct target_maker *maker, const struct cube_pieces *pieces,
		       size_t begin)
{
	struct goal_targets *targets = maker->targets;
	size_t kept = begin;
	for (size_t i = begin; i < targets->count; i++) {
		struct goal_target target = targets->target[i];
		if (keep_pieces(maker, &target, pieces))
			targets->target[kept++] = target;
	}
	targets->count = kept;
}

/* Each binding of the free generics makes copies; too many are not made, and nothing is wanted. */
static void keep_pattern(const struct target_maker *maker, const struct cube_pattern *pattern,
			 size_t begin)
{
	struct goal_targets *targets = maker->targets;
	size_t end = targets->count;
	uint8_t colors[FACELETS];
	int bound[CUBE_GENERICS], all[CUBE_GENERICS], free, numbers = 1;
	if (!bind(pattern, maker->fit, bound, &free)) {
		targets->count = begin;
		return;
	}
	for (int i = 0; i < free && free <= maker->generics; i++)
		numbers *= CUBE_FACES;
	for (int number = 0, step; number < numbers; number += step) {
		memcpy(all, bound, sizeof(all));
		step = free <= maker->generics
			       ? bind_free(pattern, bound, number, numbers / CUBE_FACES, all)
			       : 0;
		if (step > 0)
			continue;
		step = 1;
		if (!colors_of(pattern, maker->fit, all, colors))
			continue;
		for (size_t i = begin; i < end; i++) {
			if (targets->count == GOAL_TARGETS_MAX) {
				targets->count = end;
				return;
			}
			struct goal_target *target = &targets->target[targets->count];
			*target = targets->target[i];
			targets->count += keep_colors(maker, target, colors) && settle(target);
		}
	}
	drop(targets, begin, end);
}

/* One node without others below it. A 2x2x2 reports its corners as it is held, so only one fit is
 * the hold; requirements on pieces are relative to the corner DBL, wherever it is, and so do not
 * name a fixed place. */
static void keep_target(const struct target_maker *maker, const struct cube_query_node *node,
			size_t begin)
{
	struct goal_targets *targets = maker->targets;
	int hold = cube_hold_inverse(cube_fit_hold(maker->fit));
	if (node->held && maker->size == 2 && hold != 0)
		targets->count = begin;
	for (size_t i = begin; i < targets->count && node->held; i++)
		targets->target[i].hold = (int8_t)hold;
	if (node->kind == CUBE_QUERY_COLORS)
		keep_pattern(maker, node->pattern, begin);
	else if (maker->size == 3)
		keep_rules(maker, node->pieces, begin);
}

static void expand_node(const struct target_maker *maker, const struct cube_query_node *node,
			size_t begin);

/* Each alternative makes a copy of the targets from `begin` on. */
static void expand_any(const struct target_maker *maker, const struct cube_query_node *node,
		       size_t begin)
{
	struct goal_targets *targets = maker->targets;
	const struct cube_query_node *end = node + node->span;
	size_t parts = 0, count = targets->count - begin;
	for (const struct cube_query_node *part = node + 1; part < end; part += part->span)
		parts++;
	if (targets->count + parts * count > GOAL_TARGETS_MAX)
		return;
	for (const struct cube_query_node *part = node + 1; part < end; part += part->span) {
		size_t copy = targets->count;
		memcpy(&targets->target[copy], &targets->target[begin],
		       count * sizeof(struct goal_target));
		targets->count += count;
		expand_node(maker, part, copy);
	}
	drop(targets, begin, begin + count);
}

static bool may_be_held(const struct goal_target *target, int hold)
{
	return target->hold < 0 || target->hold == hold;
}

/* Each fit among which the cube is looked at is a hold: a copy of the targets from `begin` on. Too many
 * are not made, and nothing is wanted of the hold: tables then know less. */
static void expand_among(const struct target_maker *maker, const struct cube_query_node *node,
			 size_t begin)
{
	struct goal_targets *targets = maker->targets;
	const size_t end = targets->count;
	const int back = cube_hold_inverse(cube_fit_hold(maker->fit));
	const size_t copies = (size_t)goal_count(node->among & CUBE_FITS_ALL) * (end - begin);
	if (maker->size == 2 || end + copies > GOAL_TARGETS_MAX)
		return;
	for (int fit = 0; fit < CUBE_FITS; fit++) {
		const int hold = cube_hold_then(back, cube_fit_hold(fit));
		for (size_t i = begin; i < end && (node->among >> fit & 1); i++)
			if (may_be_held(&targets->target[i], hold)) {
				struct goal_target *target = &targets->target[targets->count++];
				*target = targets->target[i];
				target->hold = (int8_t)hold;
			}
	}
	drop(targets, begin, end);
}

/* Nodes are as deep as the caller made them; the caller bounds that. */
static void expand_node(const struct target_maker *maker, const struct cube_query_node *node,
			size_t begin)
{
	const struct cube_query_node *end = node + node->span;
	if (node->kind == CUBE_QUERY_NOT || node->kind == CUBE_QUERY_ANYWHERE)
		return;
	if (node->kind == CUBE_QUERY_AMONG)
		expand_among(maker, node, begin);
	if (node->kind == CUBE_QUERY_ANY)
		expand_any(maker, node, begin);
	else if (node->kind == CUBE_QUERY_ALL || node->kind == CUBE_QUERY_AMONG)
		for (const struct cube_query_node *part = node + 1; part < end; part += part->span)
			expand_node(maker, part, begin);
	else
		keep_target(maker, node, begin);
}

static void settle_all(struct goal_targets *targets, size_t begin)
{
	size_t kept = begin;
	for (size_t i = begin; i < targets->count; i++) {
		struct goal_target target = targets->target[i];
		if (settle(&target))
			targets->target[kept++] = target;
	}
	targets->count = kept;
}

/* Leaves out, from `begin` on, what was there before. */
static void leave_out_twins(struct goal_targets *targets, size_t begin)
{
	size_t kept = begin;
	for (size_t i = begin; i < targets->count; i++) {
		const struct goal_target *target = &targets->target[i];
		size_t twin = 0;
		while (twin < kept && (targets->target[twin].hold != target->hold ||
				       memcmp(targets->target[twin].allowed, target->allowed,
					      sizeof(target->allowed)) != 0))
			twin++;
		if (twin == kept)
			targets->target[kept++] = *target;
	}
	targets->count = kept;
}

static struct goal_target open_target(void)
{
	struct goal_target target = {.hold = -1};
	for (int place = 0; place < GOAL_PLACES; place++)
		target.allowed[place] = GOAL_ANYTHING;
	return target;
}

void goal_targets_make(struct goal_targets *targets, const struct cube_query_node *query, int size,
		       int generics)
{
	struct target_maker maker = {.targets = targets, .size = size, .generics = generics};
	cube_orbit_corners(&maker.corners, size);
	cube_orbit_edges(&maker.edges, 3);
	targets->count = 0;
	for (maker.fit = 0; maker.fit < CUBE_FITS; maker.fit++) {
		size_t begin = targets->count;
		if (begin == GOAL_TARGETS_MAX) { /* too many: one for all */
			targets->target[0] = open_target();
			targets->count = 1;
			return;
		}
		targets->target[targets->count++] = open_target();
		expand_node(&maker, query, begin);
		settle_all(targets, begin);
		leave_out_twins(targets, begin);
	}
}
