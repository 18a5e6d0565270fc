/* core/format/diagnose.c: reports, orbit by orbit, why colours do not form a cube. */
#include "core/format/format_internal.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/permutation.h"

static const char *const problem_names[CUBE_PROBLEM_KINDS] = {
	[CUBE_PROBLEM_FACE_TURNED] = "face_turned",
	[CUBE_PROBLEM_FACES_EXCHANGED] = "faces_exchanged",
	[CUBE_PROBLEM_WRONG_COUNT] = "wrong_count",
	[CUBE_PROBLEM_IMPOSSIBLE_PIECE] = "impossible_piece",
	[CUBE_PROBLEM_MIRRORED_CORNER] = "mirrored_corner",
	[CUBE_PROBLEM_DUPLICATE_PIECE] = "duplicate_piece",
	[CUBE_PROBLEM_MISSING_PIECE] = "missing_piece",
	[CUBE_PROBLEM_CORNER_TWISTED] = "corner_twisted",
	[CUBE_PROBLEM_EDGE_FLIPPED] = "edge_flipped",
	[CUBE_PROBLEM_PARITY] = "parity",
	[CUBE_PROBLEM_CENTERS] = "centers",
};

const char *cube_problem_name(enum cube_problem_kind kind)
{
	return (unsigned)kind < CUBE_PROBLEM_KINDS ? problem_names[kind] : "";
}

struct diagnosis {
	int size;
	const uint8_t *colors;
	struct cube_problem *problems;
	size_t capacity, found;
	size_t mirrored[8]; /* the problems of mirrored corners, by place */
	bool countable;     /* every colour is there as often as it should be */
	bool centers_fit;   /* as often in every orbit of centres, too */
	struct repair_plan plan;
};

/* ---- reporting ---- */

static void name_faces(char name[8], const uint8_t *faces, int count)
{
	for (int i = 0; i < count; i++)
		name[i] = cube_face_letters[faces[i]];
	name[count] = '\0';
}

/* Wings lie two by two on an edge of the cube: a number says which one. */
static void name_piece(char name[8], const struct orbit *orbit, int piece)
{
	const uint8_t *face = orbit->face[piece];
	if (orbit->turns == 1)
		snprintf(name, 8, "%c%c%u", cube_face_letters[face[0]], cube_face_letters[face[1]],
			 (unsigned)orbit->facelet[piece][0]);
	else
		name_faces(name, face, orbit->stickers);
}

/* Counts a problem and returns where to write more about it, `spare` if there is no room. */
static struct cube_problem *report(struct diagnosis *diagnosis, enum cube_problem_kind kind,
				   struct cube_problem *spare)
{
	size_t index = diagnosis->found++;
	struct cube_problem *problem =
		index < diagnosis->capacity ? &diagnosis->problems[index] : spare;
	memset(problem, 0, sizeof(*problem));
	problem->kind = kind;
	if (index < diagnosis->capacity)
		diagnosis->plan.stored = diagnosis->found;
	return problem;
}

/* Reports what a place shows; `piece` is -1 if that is not a piece. Returns the problem's index. */
static size_t report_place(struct diagnosis *diagnosis, enum cube_problem_kind kind,
			   const struct orbit_view *view, int place, int amount)
{
	struct cube_problem spare, *problem = report(diagnosis, kind, &spare);
	name_piece(problem->place, &view->orbit, place);
	name_faces(problem->letters, view->seen[place], view->orbit.stickers);
	if (view->piece[place] >= 0)
		name_piece(problem->piece, &view->orbit, view->piece[place]);
	problem->amount = amount;
	return diagnosis->found - 1;
}

static void check_counts(struct diagnosis *diagnosis)
{
	int counts[CUBE_FACES] = {0}, area = diagnosis->size * diagnosis->size;
	diagnosis->countable = true;
	for (size_t i = 0; i < cube_facelets(diagnosis->size); i++) {
		assert(diagnosis->colors[i] < CUBE_FACES);
		counts[diagnosis->colors[i]]++;
	}
	for (uint8_t color = 0; color < CUBE_FACES; color++) {
		if (counts[color] == area)
			continue;
		struct cube_problem spare,
			*problem = report(diagnosis, CUBE_PROBLEM_WRONG_COUNT, &spare);
		problem->amount = counts[color];
		name_faces(problem->letters, &color, 1);
		diagnosis->countable = false;
	}
}

/* ---- pieces ---- */

/* Finds the pieces of the orbit that is laid out in `view`, and reports. */
static void check_pieces(struct diagnosis *diagnosis, struct orbit_view *view)
{
	uint32_t there = 0;
	cube_view_orbit(view, diagnosis->colors);
	view->first = diagnosis->found;
	for (int place = 0; place < view->orbit.count; place++) {
		int piece = view->piece[place];
		if (piece < 0) {
			report_place(diagnosis, CUBE_PROBLEM_IMPOSSIBLE_PIECE, view, place, 0);
			continue;
		}
		if (view->mirrored >> place & 1)
			diagnosis->mirrored[place] = report_place(
				diagnosis, CUBE_PROBLEM_MIRRORED_CORNER, view, place, 0);
		if (there >> piece & 1)
			report_place(diagnosis, CUBE_PROBLEM_DUPLICATE_PIECE, view, place, 0);
		there |= UINT32_C(1) << piece;
	}
	for (int piece = 0; piece < view->orbit.count; piece++) {
		if (there >> piece & 1)
			continue;
		struct cube_problem spare,
			*problem = report(diagnosis, CUBE_PROBLEM_MISSING_PIECE, &spare);
		name_piece(problem->piece, &view->orbit, piece);
	}
}

static void check_middles(struct diagnosis *diagnosis, struct middles *middles)
{
	size_t area = (size_t)diagnosis->size * (size_t)diagnosis->size;
	for (size_t face = 0; face < CUBE_FACES; face++)
		middles->seen[face] = diagnosis->colors[face * area + area / 2];
	middles->hold = cube_hold_of_centers(middles->seen);
	middles->odd = middles->hold >= 0 && cube_permutation_is_odd(middles->seen, CUBE_FACES);
	middles->first = diagnosis->found;
	if (middles->hold >= 0)
		return;
	struct cube_problem spare, *problem = report(diagnosis, CUBE_PROBLEM_CENTERS, &spare);
	name_faces(problem->letters, middles->seen, CUBE_FACES);
}

/* ---- sums ---- */

static void check_twist(struct diagnosis *diagnosis, const struct orbit_view *corners)
{
	if (!corners->whole || corners->turns == 0)
		return;
	char name[8];
	int place = cube_twisted_corner(corners, corners->turns);
	size_t index = report_place(diagnosis, CUBE_PROBLEM_CORNER_TWISTED, corners, place,
				    corners->turns);
	name_piece(name, &corners->orbit, place);
	cube_plan_twist(&diagnosis->plan, index, name, corners->turns);
}

/* Returns the index of the problem, if there is one. */
static size_t check_flip(struct diagnosis *diagnosis, const struct orbit_view *edges)
{
	if (!edges->whole || edges->turns == 0)
		return 0;
	return report_place(diagnosis, CUBE_PROBLEM_EDGE_FLIPPED, edges, cube_flipped_edge(edges),
			    0);
}

static void repair_flip(struct diagnosis *diagnosis, size_t index, const struct orbit_view *edges)
{
	char name[8];
	if (!edges->whole || edges->turns == 0)
		return;
	name_piece(name, &edges->orbit, cube_flipped_edge(edges));
	cube_plan_flip(&diagnosis->plan, index, name);
}

/* Finds the exchange of two stickers that makes everything right, and names its first edge in `swap`. Finds
 * none if a swap of two pieces is more likely: it brings both home, and most others are there. */
static void find_exchange(const struct diagnosis *diagnosis, const struct orbit_view *corners,
			  const struct orbit_view *edges, const struct middles *middles,
			  struct fix *exchange, struct swap *swap)
{
	if (!corners->whole || corners->turns != 0 || !edges->whole ||
	    (swap->right && cube_is_nearly_solved(corners, edges, middles->hold)) ||
	    cube_exchanges(edges, diagnosis->size, exchange, 1) == 0)
		return;
	swap->view = edges;
	for (int place = 0; place < edges->orbit.count; place++)
		for (int i = 0; i < 2; i++)
			if (edges->orbit.facelet[place][i] == exchange->change[0].facelet)
				swap->a = place;
}

/* Reports an odd permutation. Returns the two pieces that should change places; their view is NULL
 * where the parity is right or unknown. */
static struct swap check_parity(struct diagnosis *diagnosis, const struct orbit_view *corners,
				const struct orbit_view *edges, const struct middles *middles,
				struct fix *exchange, size_t *index)
{
	if (!corners->known || !edges->known || middles->hold < 0 ||
	    !(corners->odd ^ edges->odd ^ middles->odd))
		return (struct swap){0};
	struct swap swap = cube_swapped_pieces(corners, edges, middles->hold);
	find_exchange(diagnosis, corners, edges, middles, exchange, &swap);
	*index = report_place(diagnosis, CUBE_PROBLEM_PARITY, swap.view, swap.a, 0);
	return swap;
}

/* The letters of b come in the order in which they meet those of a. */
static void report_swap(struct diagnosis *diagnosis, size_t index, const struct swap *swap)
{
	const struct orbit *orbit = &swap->view->orbit;
	char a[8], b[8];
	uint8_t faces[ORBIT_STICKERS];
	for (int i = 0; i < orbit->stickers; i++)
		faces[i] = orbit->face[swap->b][(i + swap->shift) % orbit->stickers];
	name_piece(a, orbit, swap->a);
	name_faces(b, faces, orbit->stickers);
	cube_plan_swap(&diagnosis->plan, index, a, b);
}

/* ---- the orbits that are bound to each other: corners, middle edges, middle centres ---- */

static void repair_bound(struct diagnosis *diagnosis, const struct orbit_view *corners,
			 const struct orbit_view *edges, const struct middles *middles,
			 const struct swap *swap, size_t parity)
{
	static const struct fix none = {0};
	struct fix best[3][2] = {{{0}}}, mirrored[8];
	bool odd_size = diagnosis->size % 2 != 0;
	int least = -1, choice = 0;
	cube_fix_pieces(corners, best[0]);
	if (odd_size) {
		cube_fix_pieces(edges, best[1]);
		cube_fix_middles(middles, diagnosis->size, best[2]);
	}
	for (int bits = 0; bits < 8; bits++) {
		bool even = !((bits ^ bits >> 1 ^ bits >> 2) & 1);
		int a = best[0][bits & 1].count, b = best[1][bits >> 1 & 1].count,
		    c = best[2][bits >> 2].count;
		if (a < 0 || b < 0 || c < 0 || (odd_size && !even))
			continue;
		if (least < 0 || a + b + c < least) {
			least = a + b + c;
			choice = bits;
		}
	}
	if (least >= 0) {
		cube_plan_fix(&diagnosis->plan, middles->first, &best[2][choice >> 2]);
		cube_plan_fix(&diagnosis->plan, corners->first, &best[0][choice & 1]);
		cube_plan_fix(&diagnosis->plan, edges->first, &best[1][choice >> 1 & 1]);
		return;
	}
	if (!corners->known || (odd_size && (!edges->whole || middles->hold < 0))) {
		diagnosis->plan.hopeless = true;
		return;
	}
	cube_fix_mirrored(corners, mirrored);
	for (int place = 0; place < 8; place++)
		cube_plan_fix(&diagnosis->plan, diagnosis->mirrored[place],
			      corners->mirrored >> place & 1 ? &mirrored[place] : &none);
	if (swap->view)
		report_swap(diagnosis, parity, swap);
}

static void check_bound(struct diagnosis *diagnosis)
{
	struct orbit_view corners = {0}, edges = {0};
	struct middles middles = {0};
	struct swap swap = {0};
	struct fix exchange = {0};
	size_t flip = 0, parity = 0;
	bool odd_size = diagnosis->size % 2 != 0;
	if (odd_size)
		check_middles(diagnosis, &middles);
	cube_orbit_corners(&corners.orbit, diagnosis->size);
	check_pieces(diagnosis, &corners);
	if (odd_size) {
		cube_orbit_edges(&edges.orbit, diagnosis->size);
		check_pieces(diagnosis, &edges);
	}
	check_twist(diagnosis, &corners);
	if (odd_size) {
		flip = check_flip(diagnosis, &edges);
		swap = check_parity(diagnosis, &corners, &edges, &middles, &exchange, &parity);
	}
	if (exchange.count > 0) {
		cube_plan_fix(&diagnosis->plan, parity, &exchange);
		return;
	}
	if (odd_size)
		repair_flip(diagnosis, flip, &edges);
	repair_bound(diagnosis, &corners, &edges, &middles, &swap, parity);
}

/* ---- wings and the other centres: each orbit for itself ---- */

static void check_wings(struct diagnosis *diagnosis, int column)
{
	struct orbit_view wings = {0};
	struct fix best[2];
	cube_orbit_wings(&wings.orbit, diagnosis->size, column);
	check_pieces(diagnosis, &wings);
	if (wings.whole)
		return;
	cube_fix_pieces(&wings, best);
	bool second = best[0].count < 0 || (best[1].count >= 0 && best[1].count < best[0].count);
	cube_plan_fix(&diagnosis->plan, wings.first, &best[second]);
}

/* The place of a colour that is there too often: on the face that shows it least in this orbit. */
static size_t odd_one_out(const uint8_t *colors, size_t area, const uint16_t places[4], int color)
{
	size_t found = 0;
	int fewest = 5;
	for (size_t face = 0; face < CUBE_FACES; face++) {
		int count = 0;
		size_t last = 0;
		for (int i = 0; i < 4; i++) {
			size_t facelet = face * area + places[i];
			if (colors[facelet] == color) {
				count++;
				last = facelet;
			}
		}
		if (count > 0 && count < fewest) {
			fewest = count;
			found = last;
		}
	}
	return found;
}

static void check_centers(struct diagnosis *diagnosis, const uint16_t places[4])
{
	size_t area = (size_t)diagnosis->size * (size_t)diagnosis->size;
	int counts[CUBE_FACES] = {0}, too_many = 0;
	uint8_t over = CUBE_FACES, under = CUBE_FACES;
	for (size_t face = 0; face < CUBE_FACES; face++)
		for (int i = 0; i < 4; i++)
			counts[diagnosis->colors[face * area + places[i]]]++;
	for (uint8_t color = 0; color < CUBE_FACES; color++) {
		if (counts[color] > 4)
			too_many += counts[color] - 4;
		if (counts[color] > 4 && over == CUBE_FACES)
			over = color;
		if (counts[color] < 4 && under == CUBE_FACES)
			under = color;
	}
	if (too_many == 0)
		return;
	size_t facelet = odd_one_out(diagnosis->colors, area, places, over);
	struct cube_problem spare, *problem = report(diagnosis, CUBE_PROBLEM_CENTERS, &spare);
	snprintf(problem->place, sizeof(problem->place), "%c%u", cube_face_letters[facelet / area],
		 (unsigned)facelet);
	name_faces(problem->letters, &over, 1);
	name_faces(problem->piece, &under, 1);
	struct fix fix = {.count = too_many == 1 ? 1 : -1,
			  .change = {{(uint16_t)facelet, over, under}}};
	cube_plan_fix(&diagnosis->plan, diagnosis->found - 1, &fix);
	diagnosis->centers_fit = false;
}

/* ---- faces ---- */

/* Reports the faces that were read wrongly; nothing else is repaired then. */
static void report_faces(struct diagnosis *diagnosis, const struct face_reading *reading)
{
	struct face_step steps[FACE_STEPS];
	const int count = cube_reading_steps(reading, steps);
	for (int i = 0; i < count; i++) {
		const bool turned = steps[i].turn > 0;
		const uint8_t faces[2] = {steps[i].face, steps[i].other};
		struct cube_problem spare, *problem = report(diagnosis,
							     turned ? CUBE_PROBLEM_FACE_TURNED
								    : CUBE_PROBLEM_FACES_EXCHANGED,
							     &spare);
		problem->amount = turned ? 4 - steps[i].turn : 0;
		name_faces(turned ? problem->place : problem->letters, faces, turned ? 1 : 2);
		cube_plan_face(&diagnosis->plan, diagnosis->found - 1, &steps[i]);
	}
}

/* Finds everything; with a reading of the faces, that is what is repaired. */
static void diagnose(struct diagnosis *diagnosis, const struct face_reading *reading)
{
	const int size = diagnosis->size;
	if (reading)
		report_faces(diagnosis, reading);
	check_counts(diagnosis);
	check_bound(diagnosis);
	for (int column = 1; column < size / 2; column++)
		check_wings(diagnosis, column);
	for (int row = 1; row < size / 2; row++) {
		for (int column = 1; column < (size + 1) / 2; column++) {
			uint16_t places[4];
			cube_center_places(places, size, row, column);
			check_centers(diagnosis, places);
		}
	}
	cube_plan_finish(&diagnosis->plan, diagnosis->colors,
			 diagnosis->countable && diagnosis->centers_fit);
}

/* Returns true if one reading of the faces, and no other, is what to repair. It explains more
 * problems than it has steps: of a nearly solved cube, another reading of some faces may do the
 * same as a swap of two pieces. */
static bool blames_faces(const struct diagnosis *diagnosis, struct face_readings *faces)
{
	struct face_step steps[FACE_STEPS];
	if (diagnosis->found < 2 || !diagnosis->plan.fits || diagnosis->plan.kind == REPAIR_COLOURS)
		return false;
	cube_misread_faces(diagnosis->size, diagnosis->colors, faces);
	const enum repair_kind other = diagnosis->plan.kind;
	/* On a 2x2x2, many an exchange of two stickers does the same as a turn of a face. */
	if (diagnosis->size == 2 && other == REPAIR_EXCHANGE && faces->stickers == 2)
		return false;
	return faces->count == 1 &&
	       (size_t)cube_reading_steps(&faces->reading[0], steps) < diagnosis->found &&
	       (faces->changed == 1 || other == REPAIR_NONE || other == REPAIR_SEVERAL);
}

size_t cube_diagnose(int size, const uint8_t *colors, struct cube_problem *problems,
		     size_t capacity, struct repair_plan *plan)
{
	const struct diagnosis begin = {.size = size,
					.colors = colors,
					.problems = problems,
					.capacity = capacity,
					.centers_fit = true,
					.plan = {.problems = problems, .size = size}};
	struct diagnosis diagnosis = begin;
	struct face_readings faces;
	diagnose(&diagnosis, NULL);
	if (blames_faces(&diagnosis, &faces)) {
		diagnosis = begin;
		diagnose(&diagnosis, &faces.reading[0]);
	}
	*plan = diagnosis.plan;
	return diagnosis.found;
}
