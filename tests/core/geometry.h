/* tests/core/geometry.h: a second model of the cube, to check the library against.
 *
 * It knows nothing of tables and cycles. A sticker is a point in space with two arrows: its normal,
 * and an "up" mark in its plane. A turn is a rotation matrix about x, y or z that is applied to
 * every sticker whose point lies in the turned layers. Where a sticker is, and how far a middle
 * centre has spun, is read off the arrows afterwards. docs/reference/conventions.md has the words.
 *
 * Axes: x to the right, y up, z towards the viewer. Points have the coordinates 1-n, 3-n .. n-1 of
 * their cubie, so that the middle of the cube is 0 and all of them are whole numbers.
 *
 * The reader of move text (geometry_reader.c) is a second one too, written from the grammar alone: it
 * recurses, writes every repeat out, and says only yes or no. */
#ifndef TESTS_CORE_GEOMETRY_H
#define TESTS_CORE_GEOMETRY_H

#include "cube/algorithm.h"

struct geo_sticker {
	int8_t at[3];     /* of its cubie */
	int8_t normal[3]; /* out of the cube */
	int8_t up[3];     /* in the plane of the sticker */
};

/* A cube: where the sticker of each home facelet is now. */
struct geo {
	int size;
	size_t count; /* 6 * size * size */
	struct geo_sticker *stickers;
};

/* Right-handed quarter turns about +axis of the layers whose coordinate is low..high. */
struct geo_turn {
	int axis; /* 0 x, 1 y, 2 z */
	int low, high;
	int quarters;
};

/* A growing list of turns; all zeros is an empty one. */
struct geo_list {
	struct geo_turn *turns;
	size_t count, room;
};

/* A solved cube, and the end of it. */
struct geo geo_create(int size);
void geo_destroy(struct geo *geo);
void geo_solve(struct geo *geo);
void geo_copy(struct geo *to, const struct geo *from);

/* The sticker that a facelet has on a solved cube; up points to row 0. */
struct geo_sticker geo_home(int size, size_t facelet);
/* The facelet a sticker lies on. */
size_t geo_facelet(int size, const struct geo_sticker *sticker);
/* Clockwise quarter turns from the face's up to the sticker's. */
int geo_spin(const struct geo_sticker *sticker);

/* Clockwise quarter turns of layers from..to counted from the face. */
struct geo_turn geo_turn_of(int size, int face, int from, int to, int64_t clockwise);
/* The library's turn, from its face and layers (the style says nothing about what it does). */
struct geo_turn geo_turn_from(int size, struct cube_turn turn);
void geo_turn(struct geo *geo, struct geo_turn turn);
void geo_turn_all(struct geo *geo, const struct geo_list *list);
/* `geo`, turned by the moves that make `by`, `times` times over. */
void geo_apply(struct geo *geo, const struct geo *by, uint64_t times);
/* Returns how often the moves that make `by` must be made until every sticker (`spin`: and every
 * middle centre) or every colour (`colors`) is back, or 0 if more than `most` times. By brute
 * force. */
uint64_t geo_order(const struct geo *by, bool spin, bool colors, uint64_t most);

/* Writes the state that the library should have according to the model: room for count stickers. */
void geo_write(const struct geo *geo, uint16_t *sticker, uint8_t spin[CUBE_FACES]);
/* The facelet string with its NUL: room for count + 1. */
void geo_letters(const struct geo *geo, char *letters);
/* Model and library agree on every sticker and every spin; else says where on stderr. */
bool geo_same(const struct geo *geo, const struct cube *cube);
bool geo_equal(const struct geo *a, const struct geo *b);

void geo_list_add(struct geo_list *list, struct geo_turn turn);
void geo_list_free(struct geo_list *list);
/* In the order htm, qtm, stm, qstm, etm of struct cube_metrics. */
struct cube_metrics geo_metrics(int size, const struct geo_list *list);

/* Reads move text (the default dialect, canonical spelling) and appends it, written out. False
 * where it is not that, or is longer than `limit` turns. */
bool geo_read(const char *text, int size, size_t limit, struct geo_list *list);

#endif
