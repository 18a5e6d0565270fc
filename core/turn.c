/* core/turn.c: turns layers: strips of four side faces, and the face at either end.
 *
 * Everything about the shape of a turn follows from one table of twelve strips. A layer cuts four
 * faces in a row or a column each; sticker i of one strip goes to sticker i of the next. */
#include "cube/cube.h"
#include "cube/turn.h"

#include <assert.h>
#include <string.h>

#include "core/rotate.h"
#include "core/turn3.h"

/* The line in which layer k, counted from R, U or F, cuts a face, followed in the direction in
 * which a clockwise turn carries its sticker i to sticker i of the next strip of the axis. */
struct strip {
	uint8_t face;
	bool column; /* a column, else a row */
	bool far;    /* line n-1-k, else line k */
	bool back;   /* from the last sticker of the line to the first */
};

static const struct strip strips[3][4] = {
	/* x, about R */
	{{CUBE_F, true, true, false},
	 {CUBE_U, true, true, false},
	 {CUBE_B, true, false, true},
	 {CUBE_D, true, true, false}},
	/* y, about U */
	{{CUBE_R, false, false, false},
	 {CUBE_F, false, false, false},
	 {CUBE_L, false, false, false},
	 {CUBE_B, false, false, false}},
	/* z, about F */
	{{CUBE_U, false, true, false},
	 {CUBE_R, true, false, false},
	 {CUBE_D, false, false, true},
	 {CUBE_L, true, true, true}},
};

/* The faces at the positive ends are 0, 1 and 2; three more is the opposite face. */
static const uint8_t axis_of_face[CUBE_FACES] = {1, 0, 2, 1, 0, 2};
static const uint8_t face_of_axis[3] = {CUBE_R, CUBE_U, CUBE_F};

/* A strip in memory: its first sticker in the first turned layer, and the way to the next sticker
 * and to the next layer. */
struct lane {
	uint16_t *at;
	ptrdiff_t step, layer;
};

static inline struct lane lane_of(uint16_t *stickers, ptrdiff_t n, struct strip strip,
				  ptrdiff_t first)
{
	ptrdiff_t along = strip.column ? n : 1, across = strip.column ? 1 : n;
	ptrdiff_t line = strip.far ? n - 1 - first : first;
	struct lane lane = {
		.at = stickers + strip.face * n * n + line * across +
		      (strip.back ? (n - 1) * along : 0),
		.step = strip.back ? -along : along,
		.layer = strip.far ? -across : across,
	};
	return lane;
}

/* Sixteen bytes, so that contiguous strips move a register at a time. */
struct tile_row {
	uint16_t sticker[CUBE_TILE];
};

static inline struct tile_row load(const uint16_t *from)
{
	struct tile_row chunk;
	memcpy(&chunk, from, sizeof(chunk));
	return chunk;
}

static inline void store(uint16_t *to, struct tile_row chunk)
{
	memcpy(to, &chunk, sizeof(chunk));
}

static inline void advance(struct lane *lane, ptrdiff_t distance)
{
	lane->at += distance;
}

/* Moves `count` stickers of each lane on to the next lane, and the last lane's to the first. */
static inline void cycle_line(struct lane a, struct lane b, struct lane c, struct lane d,
			      ptrdiff_t count)
{
	for (ptrdiff_t i = 0; i < count; i++) {
		uint16_t from_a = *a.at, from_b = *b.at, from_c = *c.at, from_d = *d.at;
		*b.at = from_a;
		*c.at = from_b;
		*d.at = from_c;
		*a.at = from_d;
		advance(&a, a.step);
		advance(&b, b.step);
		advance(&c, c.step);
		advance(&d, d.step);
	}
}

static inline void swap_line(struct lane a, struct lane b, ptrdiff_t count)
{
	for (ptrdiff_t i = 0; i < count; i++) {
		uint16_t from_a = *a.at;
		*a.at = *b.at;
		*b.at = from_a;
		advance(&a, a.step);
		advance(&b, b.step);
	}
}

/* `layers` lines, one layer after the other. */
static void cycle_lines(const struct lane lanes[4], ptrdiff_t layers, ptrdiff_t count)
{
	struct lane a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
	for (ptrdiff_t k = 0; k < layers; k++) {
		cycle_line(a, b, c, d, count);
		advance(&a, a.layer);
		advance(&b, b.layer);
		advance(&c, c.layer);
		advance(&d, d.layer);
	}
}

static void swap_lines(struct lane a, struct lane b, ptrdiff_t layers, ptrdiff_t count)
{
	for (ptrdiff_t k = 0; k < layers; k++) {
		swap_line(a, b, count);
		advance(&a, a.layer);
		advance(&b, b.layer);
	}
}

/* The layers of y lie in memory one after the other, all in the same direction. */
static void cycle_blocks(const struct lane lanes[4], ptrdiff_t count)
{
	struct lane a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
	for (; count >= CUBE_TILE; count -= CUBE_TILE) {
		struct tile_row from_a = load(a.at), from_b = load(b.at);
		struct tile_row from_c = load(c.at), from_d = load(d.at);
		store(b.at, from_a);
		store(c.at, from_b);
		store(d.at, from_c);
		store(a.at, from_d);
		advance(&a, CUBE_TILE);
		advance(&b, CUBE_TILE);
		advance(&c, CUBE_TILE);
		advance(&d, CUBE_TILE);
	}
	cycle_line(a, b, c, d, count);
}

static void swap_blocks(struct lane a, struct lane b, ptrdiff_t count)
{
	for (; count >= CUBE_TILE; count -= CUBE_TILE) {
		struct tile_row from_a = load(a.at);
		store(a.at, load(b.at));
		store(b.at, from_a);
		advance(&a, CUBE_TILE);
		advance(&b, CUBE_TILE);
	}
	swap_line(a, b, count);
}

/* The same stickers with the roles of layer and line exchanged. */
static inline struct lane across(struct lane lane)
{
	return (struct lane){.at = lane.at, .step = lane.layer, .layer = lane.step};
}

/* Cycles columns; where they lie side by side, it goes through memory row by row. */
static void cycle_columns(const struct lane lanes[4], ptrdiff_t layers, ptrdiff_t n)
{
	if (layers == 1) {
		cycle_line(lanes[0], lanes[1], lanes[2], lanes[3], n);
		return;
	}
	struct lane turned[4];
	for (int i = 0; i < 4; i++)
		turned[i] = across(lanes[i]);
	cycle_lines(turned, n, layers);
}

/* About z rows become columns, so blocks of eight layers go tile by tile, turned as a face is. */
static void cycle_tiles(struct lane lanes[4], ptrdiff_t layers, ptrdiff_t n, bool clockwise)
{
	for (; layers >= CUBE_TILE && n >= CUBE_TILE; layers -= CUBE_TILE) {
		struct lane rest[4];
		memcpy(rest, lanes, sizeof(rest));
		ptrdiff_t left = n;
		for (; left >= CUBE_TILE; left -= CUBE_TILE) {
			uint16_t *corner[4];
			for (int i = 0; i < 4; i++) {
				ptrdiff_t step = rest[i].step, layer = rest[i].layer;
				corner[i] = rest[i].at + (step < 0 ? (CUBE_TILE - 1) * step : 0) +
					    (layer < 0 ? (CUBE_TILE - 1) * layer : 0);
				advance(&rest[i], CUBE_TILE * step);
			}
			cube_cycle_tiles(corner, n, clockwise);
		}
		cycle_lines(rest, CUBE_TILE, left);
		for (int i = 0; i < 4; i++)
			advance(&lanes[i], CUBE_TILE * lanes[i].layer);
	}
	cycle_lines(lanes, layers, n);
}

static void turn_strips(uint16_t *stickers, ptrdiff_t n, int axis, ptrdiff_t first,
			ptrdiff_t layers, int quarters)
{
	struct lane lanes[4];
	for (int i = 0; i < 4; i++)
		lanes[quarters == -1 ? 3 - i : i] = lane_of(stickers, n, strips[axis][i], first);

	if (quarters % 2 == 0) {
		for (int i = 0; i < 2; i++) {
			struct lane a = lanes[i], b = lanes[i + 2];
			if (axis == 1)
				swap_blocks(a, b, layers * n);
			else if (strips[axis][i].column && layers > 1)
				swap_lines(across(a), across(b), n, layers);
			else
				swap_lines(a, b, layers, n);
		}
	} else if (axis == 0) {
		cycle_columns(lanes, layers, n);
	} else if (axis == 1) {
		cycle_blocks(lanes, layers * n);
	} else {
		cycle_tiles(lanes, layers, n, quarters == 1);
	}
}

/* Counted from R, U or F, from 0. */
struct layers {
	int axis, first, last;
};

/* The strips, and the faces at the ends. */
static void turn_layers(uint16_t *stickers, int n, struct layers layers, int quarters)
{
	const int face = face_of_axis[layers.axis], area = n * n;
	turn_strips(stickers, n, layers.axis, layers.first, layers.last - layers.first + 1,
		    quarters);
	if (layers.first == 0)
		cube_rotate_face(stickers + face * area, n, quarters);
	if (layers.last == n - 1)
		cube_rotate_face(stickers + (face + 3) * area, n, -quarters);
}

/* Returns the direction of a strip, in clockwise quarter turns from the face's up. */
static int direction(struct strip strip)
{
	return strip.column ? (strip.back ? 0 : 2) : (strip.back ? 3 : 1);
}

/* The middle layer carries four middle centres, whose marks keep their angle to the strips. */
static void turn_middle_spins(uint8_t spin[CUBE_FACES], int axis, int quarters)
{
	const struct strip *strip = strips[axis];
	uint8_t moved[4];
	for (int i = 0; i < 4; i++) {
		struct strip to = strip[(i + quarters) & 3];
		moved[i] = (spin[strip[i].face] + direction(to) - direction(strip[i])) & 3;
	}
	for (int i = 0; i < 4; i++)
		spin[strip[(i + quarters) & 3].face] = moved[i];
}

void cube_turn(struct cube *cube, struct cube_turn turn)
{
	int n = cube->size, face = turn.face, opposite, first = turn.from, last = turn.to;
	int quarters = turn.quarters;
	assert(face < CUBE_FACES && first >= 1 && first <= last && last <= n);
	assert(quarters >= -2 && quarters <= 2);
	if (quarters == 0)
		return;

	/* Told from R, U or F, with layers from 0. */
	int axis = axis_of_face[face];
	if (face != face_of_axis[axis]) {
		face = face_of_axis[axis];
		first = n + 1 - turn.to;
		last = n + 1 - turn.from;
		quarters = -quarters;
	}
	opposite = face + 3;
	first--;
	last--;

	if (n == 3)
		for (int layer = first; layer <= last; layer++)
			cube_turn3(cube->sticker, axis, layer, quarters);
	else
		turn_layers(cube->sticker, n, (struct layers){axis, first, last}, quarters);
	if (n % 2 == 0)
		return;
	if (first <= n / 2 && n / 2 <= last)
		turn_middle_spins(cube->spin, axis, quarters);
	if (first == 0)
		cube->spin[face] = (cube->spin[face] + quarters) & 3;
	if (last == n - 1)
		cube->spin[opposite] = (cube->spin[opposite] - quarters) & 3;
}

void cube_turn_all(struct cube *cube, const struct cube_turn *turns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cube_turn(cube, turns[i]);
}
