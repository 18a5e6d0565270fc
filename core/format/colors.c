/* core/format/colors.c: makes a state of colours, or says why there is none.
 *
 * Each orbit of pieces is laid out by rotating one piece of it into its places (core/hold.h), so
 * the same code reads corners, middle edges and wings of every size: a piece is known by the
 * colours that it shows in the order of its place's stickers. What turns can reach, orbits of
 * one-coloured centres apart, is told by three sums that no turn changes, rotations of the whole
 * cube among them:
 *   - the twists of the corners, measured at the U and D faces: 0 mod 3;
 *   - the flips of the middle edges: 0 mod 2. A quarter turn of any layer flips four or none;
 *   - the parities of corners, middle edges and middle centres together: even. An outer quarter
 *     turn is odd on corners and edges, a middle one on edges and centres.
 * Wings and the other centres are bound by nothing: centres of one colour can be exchanged. */
#include "cube/facelets.h"

#include <assert.h>
#include <string.h>

#include "core/hold.h"

static const char *const problem_names[CUBE_PROBLEM_KINDS] = {
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

/* Kociemba's orders; the faces of a corner go clockwise around it. */
static const char corner_names[8][4] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL", "DRB"};
static const char edge_names[12][4] = {"UR", "UF", "UL", "UB", "DR", "DF",
                                       "DL", "DB", "FR", "FL", "BL", "BR"};

/* What the reading of one cube works with. */
struct reading {
	struct cube *cube;
	int size;
	const uint8_t *colors;
	struct cube_problem *problems;
	size_t capacity, found;
};

/* An orbit of pieces: places and pieces have the same numbers. */
struct orbit {
	int count, stickers;
	bool numbered;                            /* wings: several in one place by name */
	uint8_t face[CUBE_HOLDS][3]; /* of the place's facelets, the order of its name */
	uint16_t facelet[CUBE_HOLDS][3];
	int8_t piece[CUBE_HOLDS], turn[CUBE_HOLDS]; /* by the rotation that the colours tell */
};

/* What an orbit holds: the invariants, which mean nothing where `whole` is false. */
struct content {
	bool whole; /* every piece is there once */
	int turns;  /* the twists or flips added up */
	bool odd;   /* the permutation's parity */
};

static void name_faces(char name[8], const uint8_t *faces, int count)
{
	for (int i = 0; i < count; i++)
		name[i] = cube_face_letters[faces[i]];
	name[count] = '\0';
}

/* Appends a facelet's number to a name of at most two letters. */
static void append_number(char name[8], unsigned number)
{
	char digits[5];
	size_t count = 0, length = strlen(name);
	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number != 0 && count < sizeof(digits));
	while (count > 0)
		name[length++] = digits[--count];
	name[length] = '\0';
}

/* Counts a problem and returns where to write more about it, `spare` where there is no room. */
static struct cube_problem *report(struct reading *reading, enum cube_problem_kind kind,
                                   struct cube_problem *spare)
{
	size_t index = reading->found++;
	struct cube_problem *problem =
	    index < reading->capacity ? &reading->problems[index] : spare;
	memset(problem, 0, sizeof(*problem));
	problem->kind = kind;
	return problem;
}

static void name_piece(char name[8], const struct orbit *orbit, int piece)
{
	name_faces(name, orbit->face[piece], orbit->stickers);
	if (orbit->numbered)
		append_number(name, orbit->facelet[piece][0]);
}

/* Reports what a place shows; `piece` is -1 where that is none. */
static void report_place(struct reading *reading, enum cube_problem_kind kind,
                         const struct orbit *orbit, int place, const uint8_t *seen, int piece)
{
	struct cube_problem spare, *problem = report(reading, kind, &spare);
	name_piece(problem->place, orbit, place);
	name_faces(problem->letters, seen, orbit->stickers);
	if (piece >= 0)
		name_piece(problem->piece, orbit, piece);
}

static void report_sum(struct reading *reading, enum cube_problem_kind kind, int amount)
{
	struct cube_problem spare, *problem = report(reading, kind, &spare);
	problem->amount = amount;
}

/* The rotation that takes the piece at URF or UF to the place with these faces, -1 for none. The
 * colours of a piece tell in the same way where it belongs. */
static int rotation_to(const uint8_t *faces, int stickers)
{
	int index = cube_hold_table.of[faces[0]][faces[stickers - 1]];
	if (index >= 0 && stickers == 3 && cube_hold_table.hold[index].to[CUBE_R] != faces[1])
		return -1;
	return index;
}

static void add_place(struct orbit *orbit, const struct reading *reading, const uint8_t *faces,
                      int column)
{
	int n = reading->size, place = orbit->count++, last = orbit->stickers - 1;
	int rotation = rotation_to(faces, orbit->stickers);
	assert(rotation >= 0);
	const struct cube_hold *hold = &cube_hold_table.hold[rotation];
	uint16_t *facelet = orbit->facelet[place];
	memcpy(orbit->face[place], faces, (size_t)orbit->stickers);
	facelet[0] = (uint16_t)cube_hold_facelet(hold, n, CUBE_U, n - 1, column);
	if (orbit->stickers == 3)
		facelet[1] = (uint16_t)cube_hold_facelet(hold, n, CUBE_R, 0, 0);
	facelet[last] = (uint16_t)cube_hold_facelet(hold, n, CUBE_F, 0, column);
}

/* Lays out the orbit of named places that URF or UF belongs to. */
static void orbit_of_names(struct orbit *orbit, const struct reading *reading,
                           const char names[][4], int count, int column)
{
	*orbit = (struct orbit){.stickers = (int)strlen(names[0])};
	for (int i = 0; i < count; i++) {
		uint8_t faces[3] = {0};
		for (int j = 0; j < orbit->stickers; j++)
			faces[j] = (uint8_t)cube_color_of_letter(names[i][j]);
		add_place(orbit, reading, faces, column);
		/* Turned by t, the piece shows its colour j at facelet j + t. */
		for (int t = 0; t < orbit->stickers; t++) {
			uint8_t shown[3] = {0};
			for (int j = 0; j < orbit->stickers; j++)
				shown[(j + t) % orbit->stickers] = faces[j];
			int rotation = rotation_to(shown, orbit->stickers);
			orbit->piece[rotation] = (int8_t)i;
			orbit->turn[rotation] = (int8_t)t;
		}
	}
}

/* Lays out the 24 wings that have the one at UF in `column` among them: one a rotation. */
static void orbit_of_wings(struct orbit *orbit, const struct reading *reading, int column)
{
	*orbit = (struct orbit){.stickers = 2, .numbered = true};
	for (int i = 0; i < CUBE_HOLDS; i++) {
		const uint8_t *to = cube_hold_table.hold[i].to;
		uint8_t faces[2] = {to[CUBE_U], to[CUBE_F]};
		add_place(orbit, reading, faces, column);
		orbit->piece[i] = (int8_t)i;
	}
}

/* Puts the piece that a place shows there; returns its number, or -1 and a problem where no piece
 * shows that. A mirrored corner counts as the piece it is the mirror of. */
static int read_place(struct reading *reading, const struct orbit *orbit, int place, int *turn)
{
	int stickers = orbit->stickers;
	uint8_t seen[3] = {0};
	for (int j = 0; j < stickers; j++)
		seen[j] = reading->colors[orbit->facelet[place][j]];
	int rotation = rotation_to(seen, stickers);
	if (rotation >= 0) {
		int piece = orbit->piece[rotation];
		*turn = orbit->turn[rotation];
		for (int j = 0; j < stickers; j++)
			reading->cube->sticker[orbit->facelet[place][(j + *turn) % stickers]] =
				orbit->facelet[piece][j];
		return piece;
	}
	if (stickers == 3) {
		uint8_t mirrored[3] = {seen[2], seen[1], seen[0]};
		rotation = rotation_to(mirrored, stickers);
		if (rotation >= 0) {
			int piece = orbit->piece[rotation];
			report_place(reading, CUBE_PROBLEM_MIRRORED_CORNER, orbit, place, seen,
			             piece);
			return piece;
		}
	}
	report_place(reading, CUBE_PROBLEM_IMPOSSIBLE_PIECE, orbit, place, seen, -1);
	return -1;
}

static bool is_odd(const int8_t *permutation, int count)
{
	bool odd = false;
	for (int i = 0; i < count; i++)
		for (int j = i + 1; j < count; j++)
			odd ^= permutation[i] > permutation[j];
	return odd;
}

static struct content read_orbit(struct reading *reading, const struct orbit *orbit)
{
	struct content content = {0};
	int8_t pieces[CUBE_HOLDS];
	bool there[CUBE_HOLDS] = {false};
	size_t problems = reading->found;
	for (int place = 0; place < orbit->count; place++) {
		int turn = 0, piece = read_place(reading, orbit, place, &turn);
		pieces[place] = (int8_t)piece;
		content.turns += turn;
		if (piece < 0)
			continue;
		if (there[piece]) {
			uint8_t seen[3] = {0};
			for (int j = 0; j < orbit->stickers; j++)
				seen[j] = reading->colors[orbit->facelet[place][j]];
			report_place(reading, CUBE_PROBLEM_DUPLICATE_PIECE, orbit, place, seen,
			             piece);
		}
		there[piece] = true;
	}
	for (int piece = 0; piece < orbit->count; piece++) {
		if (there[piece])
			continue;
		struct cube_problem spare,
		    *problem = report(reading, CUBE_PROBLEM_MISSING_PIECE, &spare);
		name_piece(problem->piece, orbit, piece);
	}
	content.whole = reading->found == problems;
	content.odd = content.whole && is_odd(pieces, orbit->count);
	return content;
}

static void check_counts(struct reading *reading)
{
	int counts[CUBE_FACES] = {0}, area = reading->size * reading->size;
	for (size_t i = 0; i < cube_facelets(reading->size); i++) {
		assert(reading->colors[i] < CUBE_FACES);
		counts[reading->colors[i]]++;
	}
	for (uint8_t color = 0; color < CUBE_FACES; color++) {
		if (counts[color] == area)
			continue;
		struct cube_problem spare,
		    *problem = report(reading, CUBE_PROBLEM_WRONG_COUNT, &spare);
		problem->amount = counts[color];
		name_faces(problem->letters, &color, 1);
	}
}

/* The middle centres must be those of one of the 24 ways to hold the cube. */
static struct content read_middles(struct reading *reading)
{
	size_t area = (size_t)reading->size * (size_t)reading->size;
	uint8_t seen[CUBE_FACES], at[CUBE_FACES] = {0};
	int8_t pieces[CUBE_FACES];
	for (size_t face = 0; face < CUBE_FACES; face++) {
		size_t middle = area / 2;
		seen[face] = reading->colors[face * area + middle];
		pieces[face] = (int8_t)seen[face];
		at[seen[face]] = (uint8_t)face;
		reading->cube->sticker[face * area + middle] =
		    (uint16_t)(seen[face] * area + middle);
	}
	int rotation = cube_hold_table.of[at[CUBE_U]][at[CUBE_F]];
	bool whole = rotation >= 0 &&
	             memcmp(cube_hold_table.hold[rotation].to, at, sizeof(at)) == 0;
	if (!whole) {
		struct cube_problem spare, *problem = report(reading, CUBE_PROBLEM_CENTERS, &spare);
		name_faces(problem->letters, seen, CUBE_FACES);
	}
	return (struct content){.whole = whole, .odd = is_odd(pieces, CUBE_FACES)};
}

/* An orbit of centres: the same four places on every face, in facelet order. */
static void read_center_orbit(struct reading *reading, const uint16_t places[4])
{
	size_t area = (size_t)reading->size * (size_t)reading->size;
	int taken[CUBE_FACES] = {0};
	uint8_t extra = CUBE_FACES;
	size_t extra_at = 0;
	for (size_t i = 0; i < 4 * CUBE_FACES; i++) {
		size_t facelet = i / 4 * area + places[i % 4];
		uint8_t color = reading->colors[facelet];
		if (taken[color] < 4) {
			size_t home = color * area + places[taken[color]++];
			reading->cube->sticker[facelet] = (uint16_t)home;
		} else if (extra == CUBE_FACES) {
			extra = color;
			extra_at = facelet;
		}
	}
	if (extra == CUBE_FACES)
		return;
	struct cube_problem spare, *problem = report(reading, CUBE_PROBLEM_CENTERS, &spare);
	uint8_t face = (uint8_t)(extra_at / area), lacking = 0;
	while (taken[lacking] == 4)
		lacking++;
	name_faces(problem->place, &face, 1);
	append_number(problem->place, (unsigned)extra_at);
	name_faces(problem->letters, &extra, 1);
	name_faces(problem->piece, &lacking, 1);
}

static void read_centers(struct reading *reading)
{
	int n = reading->size;
	for (int row = 1; row < n / 2; row++) {
		for (int column = 1; column < (n + 1) / 2; column++) {
			/* The four that a turn of the face carries around, put in facelet order. */
			int places[4] = {row * n + column, column * n + n - 1 - row,
			                 (n - 1 - column) * n + row,
			                 (n - 1 - row) * n + n - 1 - column};
			uint16_t sorted[4];
			for (int i = 0; i < 4; i++) {
				int smaller = 0;
				for (int j = 0; j < 4; j++)
					smaller += places[j] < places[i];
				sorted[smaller] = (uint16_t)places[i];
			}
			read_center_orbit(reading, sorted);
		}
	}
}

size_t cube_from_colors(struct cube *cube, int size, const uint8_t *colors,
                        struct cube_problem *problems, size_t capacity)
{
	struct reading reading = {.cube = cube, .size = size, .colors = colors,
	                          .problems = problems, .capacity = capacity};
	struct orbit orbit;
	assert(cube_size_valid(size));
	memset(cube, 0, sizeof(*cube));
	cube->size = (uint8_t)size;
	check_counts(&reading);

	orbit_of_names(&orbit, &reading, corner_names, 8, size - 1);
	struct content corners = read_orbit(&reading, &orbit);
	if (corners.whole && corners.turns % 3 != 0)
		report_sum(&reading, CUBE_PROBLEM_CORNER_TWISTED, corners.turns % 3);

	if (size % 2 != 0) {
		orbit_of_names(&orbit, &reading, edge_names, 12, size / 2);
		struct content edges = read_orbit(&reading, &orbit);
		struct content middles = read_middles(&reading);
		if (edges.whole && edges.turns % 2 != 0)
			report_sum(&reading, CUBE_PROBLEM_EDGE_FLIPPED, 0);
		if (corners.whole && edges.whole && middles.whole &&
		    (corners.odd ^ edges.odd ^ middles.odd))
			report_sum(&reading, CUBE_PROBLEM_PARITY, 0);
	}
	for (int column = 1; column < size / 2; column++) {
		orbit_of_wings(&orbit, &reading, column);
		read_orbit(&reading, &orbit);
	}
	read_centers(&reading);
	return reading.found;
}
