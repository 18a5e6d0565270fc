/* lesson_picture.c: the addresses of the pictures in a lesson. */
#include "server/api/search/lesson_picture.h"

#include <stdio.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/geometry.h"
#include "cube/hold.h"
#include "cube/query.h"

/* The view of each stage. The aims of the first two are drawn upside down, since they would not be
 * visible. */
static const struct stage_row {
	const char *stage, *mask, *case_view;
	bool turned; /* the aim is drawn with the first layer up */
	bool top;    /* the last layer matters, not only the pieces that are named */
} rows[] = {
	{"centers", "centers", "iso", false, false},
	{"edges-paired", "edges-paired", "iso", false, false},
	{"cross", "cross", "iso", true, false},
	{"first-layer", "fl", "iso", true, false},
	{"f2l", "f2l", "iso", false, false},
	{"last-cross", "last-cross", "plan", false, true},
	{"last-edges", "last-edges", "plan", false, true},
	{"last-corners-placed", "last-edges", "plan", false, true},
	{"solved", NULL, "plan", false, true},
};

static const struct stage_row *row_of(const char *stage)
{
	size_t i = 0;
	while (strcmp(rows[i].stage, stage) != 0 && i + 1 < sizeof rows / sizeof rows[0])
		i++;
	return &rows[i];
}

/* ---- facelets by the letters of their place ---- */

/* A row or column of a side of n by n: 0, its middle or the one after it, n - 1. */
static int line(int n, const char *place, char none, char last)
{
	return strchr(place, none) ? 0 : strchr(place, last) ? n - 1 : n / 2;
}

/* Returns the facelet of a side that belongs to a place ("UFR"). */
static int cell_of(int n, const char *place, char side)
{
	switch (side) {
	case 'U':
		return n * line(n, place, 'B', 'F') + line(n, place, 'L', 'R');
	case 'D':
		return n * line(n, place, 'F', 'B') + line(n, place, 'L', 'R');
	case 'F':
		return n * line(n, place, 'U', 'D') + line(n, place, 'L', 'R');
	case 'B':
		return n * line(n, place, 'U', 'D') + line(n, place, 'R', 'L');
	case 'R':
		return n * line(n, place, 'U', 'D') + line(n, place, 'F', 'B');
	default:
		return n * line(n, place, 'U', 'D') + line(n, place, 'B', 'F');
	}
}

static size_t facelet_of(const char *place, char side)
{
	return (size_t)(strchr(cube_face_letters, side) - cube_face_letters) * 9 +
	       (size_t)cell_of(3, place, side);
}

/* ---- the aim ---- */

void lesson_picture_aim(int size, const char *stage, const struct cube_lesson_note *note,
			char address[LESSON_PICTURE])
{
	const struct stage_row *row = row_of(stage);
	const int first = note->first;
	const int up = row->turned ? first : note->up;
	char rotation[16] = "", *space;
	/* The mask is that of a cube with the first layer at D, turned by this. */
	static const char *const turned[CUBE_FACES] = {"-x2", "-z'", "-x", "", "-z", "-x'"};
	const char *mask = size == 2 && row->mask ? "fl" : row->mask;
	for (int hold = 0; hold < CUBE_HOLDS; hold++) {
		union {
			struct cube cube;
			uint16_t room[sizeof(struct cube) / 2 + 54];
		} solved, other;
		cube_init(&solved.cube, 3);
		cube_hold_turn(&other.cube, &solved.cube, hold);
		if (cube_color_at(&other.cube, 4) == up &&
		    cube_color_at(&other.cube, 2 * 9 + 4) == note->front)
			snprintf(rotation, sizeof rotation, "%s", cube_hold_moves(hold));
	}
	while ((space = strchr(rotation, ' ')) != NULL)
		*space = '+';
	snprintf(address, LESSON_PICTURE, "%s/v1/image.svg?size=%d%s%s%s%s%s", base_path(), size,
		 rotation[0] ? "&rotate=" : "", rotation, mask ? "&mask=" : "", mask ? mask : "",
		 mask ? turned[first] : "");
}

/* ---- the case ---- */

struct shown {
	const struct cube *cube, *after;
	const struct cube_lesson_note *note;
	const struct stage_row *row;
	char seen[54];     /* of a larger cube too: as a 3x3x3 */
	char facelets[54]; /* the visible part of that */
};

static char letter_at(const struct cube *cube, size_t facelet)
{
	return cube_face_letters[cube_color_at(cube, facelet)];
}

/* The row or column of a 3x3x3 that one of a larger cube is a part of. */
static size_t of_3(size_t n, size_t i)
{
	return i == 0 ? 0 : i == n - 1 ? 2 : 1;
}

/* Returns the kind of piece of the facelet: a centre 1, an edge 2, a corner 3. */
static int parts_of(size_t n, size_t facelet)
{
	return 1 + (of_3(n, facelet / n % n) != 1) + (of_3(n, facelet % n) != 1);
}

static size_t facelet_of_3(size_t n, size_t facelet)
{
	return facelet / (n * n) * 9 + of_3(n, facelet / n % n) * 3 + of_3(n, facelet % n);
}

/* Returns true if the note names the piece with these colours. */
static bool is_named(const struct shown *shown, const char *colors)
{
	for (int i = 0; i < CUBE_LESSON_NAMES; i++) {
		const char *name = shown->note->name[i];
		if (strlen(name) >= 2 && strlen(name) == strlen(colors) &&
		    strspn(name, colors) == strlen(name))
			return true;
	}
	return false;
}

static void show_place(struct shown *shown, const char *place)
{
	const size_t count = strlen(place);
	const bool top = strchr(place, 'U') != NULL,
		   twisting = strcmp(shown->row->stage, "solved") == 0,
		   cross = strcmp(shown->row->stage, "last-cross") == 0,
		   edges = strcmp(shown->row->stage, "last-edges") == 0;
	const char last = cube_face_letters[shown->note->up];
	char colors[4] = "";
	bool home = true;
	for (size_t i = 0; i < count; i++) {
		size_t facelet = facelet_of(place, place[i]);
		colors[i] = shown->seen[facelet];
		home = home && colors[i] == shown->seen[facelet / 9 * 9 + 4];
	}
	bool all = twisting || (top ? shown->row->top && !cross && !(edges && count == 3) : home);
	all = all || (!cross && is_named(shown, colors));
	for (size_t i = 0; i < count; i++)
		if (all || (cross && top && count == 2 && colors[i] == last))
			shown->facelets[facelet_of(place, place[i])] = colors[i];
}

#define SEEN_MAX (3 * 5) /* the most facelets of a place */

/* The facelets of a place that the view shows, those on the side that it shows best first, beginning with
 * the middle one; returns how many. */
static size_t facelets_seen(const struct shown *shown, const char *place, size_t seen[SEEN_MAX])
{
	const size_t n = shown->cube->size;
	size_t count = 0;
	for (const char *side = strcmp(shown->row->case_view, "plan") == 0 ? "U" : "FRU"; *side;
	     side++) {
		if (!strchr(place, *side))
			continue;
		const size_t face = (size_t)(strchr(cube_face_letters, *side) - cube_face_letters);
		const size_t middle = face * n * n + (size_t)cell_of((int)n, place, *side);
		seen[count++] = middle;
		for (size_t i = face * n * n; i < (face + 1) * n * n; i++)
			if (i != middle && parts_of(n, i) == (int)strlen(place) &&
			    facelet_of_3(n, i) == facelet_of(place, *side))
				seen[count++] = i;
	}
	return count;
}

/* Returns true if the piece has these colours, given as letters. */
static bool has_colors(int size, size_t piece, const char *colors)
{
	uint16_t facelets[3];
	int count = cube_cubie_facelets(size, piece, facelets);
	while (count > 0 && strchr(colors, cube_face_letters[facelets[count - 1] / (size * size)]))
		count--;
	return count == 0;
}

/* An arrow to where a piece is after the step: of the pieces between two places, the first that is seen at
 * both. `colors` of an edge that is not together yet, or NULL. */
static void add_arrow(const struct shown *shown, const char *from, const char *to,
		      const char *colors, char *arrows, size_t room)
{
	const int size = shown->cube->size;
	size_t before[SEEN_MAX], after[SEEN_MAX];
	const size_t before_count = facelets_seen(shown, from, before);
	const size_t after_count = facelets_seen(shown, to, after);
	if (strcmp(from, to) == 0)
		return;
	for (size_t i = 0; i < before_count; i++) {
		const size_t piece = cube_facelet_cubie(size, shown->cube->sticker[before[i]]);
		for (size_t j = 0; j < after_count; j++) {
			if (cube_facelet_cubie(size, shown->after->sticker[after[j]]) != piece ||
			    (colors && !has_colors(size, piece, colors)))
				continue;
			const size_t length = strlen(arrows), area = (size_t)size * (size_t)size;
			snprintf(arrows + length, room - length, "%s%c%zu%c%zu",
				 length > 0 ? "," : "&arrows=", cube_face_letters[before[i] / area],
				 before[i] % area, cube_face_letters[after[j] / area],
				 after[j] % area);
			return;
		}
	}
}

/* Shows what matters in the stage, of a 3x3x3 or of a cube that is one by now. */
static void show_parts(struct shown *shown, char *facelets)
{
	const size_t n = shown->cube->size;
	for (size_t i = 0; i < cube_facelets((int)n); i++)
		shown->seen[facelet_of_3(n, i)] = letter_at(shown->cube, i);
	memset(shown->facelets, 'n', sizeof shown->facelets);
	for (size_t face = 0; face < CUBE_FACES; face++)
		shown->facelets[face * 9 + 4] = shown->seen[face * 9 + 4];
	for (int place = 0; place < CUBE_PLACES; place++)
		show_place(shown, cube_place_name(place));
	for (size_t i = 0; i < cube_facelets((int)n); i++)
		facelets[i] = shown->facelets[facelet_of_3(n, i)];
}

/* The centre pieces that are looked for, and what says how the cube is held: the middle ones or a corner. */
static void show_centers(const struct shown *shown, char *facelets)
{
	const size_t n = shown->cube->size;
	for (size_t i = 0; i < cube_facelets((int)n); i++) {
		const char letter = letter_at(shown->cube, i);
		const bool middle = n % 2 != 0 && i % (n * n) == n * n / 2,
			   center = parts_of(n, i) == 1;
		if (middle || (center && letter == cube_face_letters[shown->note->up]))
			facelets[i] = letter;
	}
	for (int i = 0; i < 3 && n % 2 == 0; i++) {
		const char side = "UFR"[i];
		const size_t face = (size_t)(strchr(cube_face_letters, side) - cube_face_letters);
		const size_t at = face * n * n + (size_t)cell_of((int)n, "UFR", side);
		facelets[at] = letter_at(shown->cube, at);
	}
}

/* The centres, and the edges whose pieces come together. */
static void show_edges(const struct shown *shown, char *facelets)
{
	const size_t n = shown->cube->size;
	char place[4];
	for (size_t i = 0; i < cube_facelets((int)n); i++)
		if (parts_of(n, i) == 1)
			facelets[i] = letter_at(shown->cube, i);
	for (size_t k = 0; cube_lesson_edge(shown->note, k, place); k++)
		for (size_t i = 0; i < cube_facelets((int)n); i++)
			if (parts_of(n, i) == 2 &&
			    (facelet_of_3(n, i) == facelet_of(place, place[0]) ||
			     facelet_of_3(n, i) == facelet_of(place, place[1])))
				facelets[i] = letter_at(shown->cube, i);
}

void lesson_picture_case(const char *stage, const struct cube_lesson_note *note,
			 const struct cube *cube, const struct cube *after,
			 char address[LESSON_PICTURE])
{
	struct shown shown = {.cube = cube, .after = after, .note = note, .row = row_of(stage)};
	const char *colors =
		strcmp(stage, "edges-paired") == 0 ? cube_lesson_edge_colors(note) : NULL;
	char arrows[64] = "", facelets[LESSON_FACELETS + 1] = "";
	memset(facelets, 'n', cube_facelets(cube->size));
	if (cube->size == 2)
		for (size_t i = 0; i < cube_facelets(2); i++)
			facelets[i] = letter_at(cube, i);
	else if (strcmp(stage, "centers") == 0)
		show_centers(&shown, facelets);
	else if (strcmp(stage, "edges-paired") == 0)
		show_edges(&shown, facelets);
	else
		show_parts(&shown, facelets);
	for (size_t i = 0; i < CUBE_LESSON_ARROWS; i++) {
		char from[4], to[4];
		if (cube_lesson_arrow(note, i, from, to))
			add_arrow(&shown, from, to, colors, arrows, sizeof arrows);
	}
	snprintf(address, LESSON_PICTURE, "%s/v1/image.svg?facelets=%s&view=%s%s", base_path(),
		 facelets, shown.row->case_view, arrows);
}
