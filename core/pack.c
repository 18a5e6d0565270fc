/* core/pack.c: turns and states in few bytes. The codes are stored: they never change. */
#include "cube/cube.h"
#include "cube/pack.h"

#include <assert.h>
#include <string.h>

/* The families of one-byte codes, 5 amounts each, in the order of their codes. */
enum layers { OUTER, TWO, MIDDLE, INNER, WHOLE };
static const struct family {
	uint8_t face, layers;
} families[] = {
	{CUBE_U, OUTER}, {CUBE_R, OUTER}, {CUBE_F, OUTER},  {CUBE_D, OUTER},  {CUBE_L, OUTER},
	{CUBE_B, OUTER}, {CUBE_U, TWO},   {CUBE_R, TWO},    {CUBE_F, TWO},    {CUBE_D, TWO},
	{CUBE_L, TWO},   {CUBE_B, TWO},   {CUBE_L, MIDDLE}, {CUBE_D, MIDDLE}, {CUBE_F, MIDDLE},
	{CUBE_L, INNER}, {CUBE_D, INNER}, {CUBE_F, INNER},  {CUBE_R, WHOLE},  {CUBE_U, WHOLE},
	{CUBE_F, WHOLE},
};
static const int8_t amounts[] = {0, 1, 2, -1, -2};

#define AMOUNTS ((int)sizeof(amounts))
#define FAMILIES ((int)(sizeof(families) / sizeof(families[0])))
/* First of the codes that layers follow; one a face and amount. */
#define LAYERED (FAMILIES * AMOUNTS)
#define CODES (LAYERED + CUBE_FACES * AMOUNTS)
_Static_assert(LAYERED == 105 && CODES == 135, "the codes are part of the stored format");

/* A family's turn on a cube of that size, without its amount. False if the size has none. */
static bool family_turn(const struct family *family, int size, struct cube_turn *turn)
{
	int middle = (size + 1) / 2;
	const struct {
		uint8_t style;
		int from, to;
		bool exists;
	} rows[] =
		{
			[OUTER] = {CUBE_STYLE_LAYERS, 1, 1, true},
			[TWO] = {CUBE_STYLE_LAYERS, 1, 2, true},
			[MIDDLE] = {CUBE_STYLE_MIDDLE, middle, middle, size % 2 != 0},
			[INNER] = {CUBE_STYLE_INNER, 2, size - 1, size > 2},
			[WHOLE] = {CUBE_STYLE_WHOLE, 1, size, true},
		},
	  *row = &rows[family->layers];
	*turn = (struct cube_turn){
		.face = family->face,
		.from = (uint8_t)row->from,
		.to = (uint8_t)row->to,
		.style = row->style,
	};
	return row->exists;
}

/* The layers of a family that a turn's style and numbers name, or -1. */
static int layers_named(struct cube_turn turn)
{
	switch (turn.style) {
	case CUBE_STYLE_LAYERS:
		return turn.from == 1 && turn.to <= 2 ? (turn.to == 1 ? OUTER : TWO) : -1;
	case CUBE_STYLE_MIDDLE:
		return MIDDLE;
	case CUBE_STYLE_INNER:
		return INNER;
	case CUBE_STYLE_WHOLE:
		return WHOLE;
	default:
		return -1;
	}
}

/* The family that a turn belongs to, or -1. */
static int family_of(struct cube_turn turn, int size)
{
	const int layers = layers_named(turn);
	int i = layers < 0 ? FAMILIES : 0;
	while (i < FAMILIES && (families[i].face != turn.face || families[i].layers != layers))
		i++;
	struct cube_turn found;
	return i < FAMILIES && family_turn(&families[i], size, &found) && found.from == turn.from &&
			       found.to == turn.to
		       ? i
		       : -1;
}

size_t cube_turns_pack(const struct cube_turn *turns, size_t count, int size, uint8_t *bytes)
{
	static const uint8_t index_of_amount[AMOUNTS] = {4, 3, 0, 1, 2};
	uint8_t *to = bytes;
	for (size_t i = 0; i < count; i++) {
		struct cube_turn turn = turns[i];
		assert(turn.face < CUBE_FACES && turn.quarters >= -2 && turn.quarters <= 2);
		int amount = index_of_amount[turn.quarters + 2], family = family_of(turn, size);
		if (family >= 0) {
			*to++ = (uint8_t)(family * AMOUNTS + amount);
		} else {
			*to++ = (uint8_t)(LAYERED + turn.face * AMOUNTS + amount);
			*to++ = turn.from;
			*to++ = turn.to;
		}
	}
	return (size_t)(to - bytes);
}

/* Reads one turn and moves `at` past it. A turn has one spelling: what fits a byte comes in one. */
static bool unpack_turn(const uint8_t **at, const uint8_t *end, int size, struct cube_turn *turn)
{
	int code = *(*at)++;
	if (code >= CODES)
		return false;
	if (code < LAYERED) {
		if (!family_turn(&families[code / AMOUNTS], size, turn))
			return false;
	} else {
		if (end - *at < 2)
			return false;
		*turn = (struct cube_turn){
			.face = (uint8_t)((code - LAYERED) / AMOUNTS),
			.from = (*at)[0],
			.to = (*at)[1],
			.style = CUBE_STYLE_LAYERS,
		};
		*at += 2;
		if (turn->from < 1 || turn->from > turn->to || turn->to > size ||
		    family_of(*turn, size) >= 0)
			return false;
	}
	turn->quarters = amounts[code % AMOUNTS];
	return true;
}

bool cube_turns_unpack(const uint8_t *bytes, size_t length, int size, struct cube_turn *turns,
		       size_t capacity, size_t *count)
{
	const uint8_t *at = bytes, *end = length > 0 ? bytes + length : bytes;
	size_t found = 0;
	while (at < end) {
		struct cube_turn turn;
		if (found == capacity || !unpack_turn(&at, end, size, &turn))
			return false;
		turns[found++] = turn;
	}
	*count = found;
	return true;
}

/* Stickers up to n = 6 (216 of them) have numbers of one byte. */
static size_t sticker_bytes(int size)
{
	return cube_facelets(size) <= 256 ? 1 : 2;
}

size_t cube_packed_bytes(int size)
{
	return cube_facelets(size) * sticker_bytes(size) + (size % 2 != 0 ? 2 : 0);
}

void cube_pack(const struct cube *cube, uint8_t *bytes)
{
	size_t count = cube_facelets(cube->size);
	bool wide = sticker_bytes(cube->size) == 2;
	for (size_t i = 0; i < count; i++) {
		*bytes++ = (uint8_t)(cube->sticker[i] & 0xff);
		if (wide)
			*bytes++ = (uint8_t)(cube->sticker[i] >> 8);
	}
	if (cube->size % 2 == 0)
		return;
	unsigned spins = 0;
	for (int face = 0; face < CUBE_FACES; face++)
		spins |= (unsigned)cube->spin[face] << 2 * face;
	bytes[0] = (uint8_t)(spins & 0xff);
	bytes[1] = (uint8_t)(spins >> 8);
}

bool cube_unpack(struct cube *cube, int size, const uint8_t *bytes, size_t length)
{
	if (!cube_size_valid(size) || length != cube_packed_bytes(size))
		return false;
	size_t count = cube_facelets(size);
	bool wide = sticker_bytes(size) == 2;
	uint64_t seen[CUBE_FACELETS_MAX / 64 + 1];
	memset(seen, 0, (count / 64 + 1) * sizeof(seen[0]));
	memset(cube, 0, sizeof(*cube));
	cube->size = (uint8_t)size;
	for (size_t i = 0; i < count; i++) {
		unsigned sticker = *bytes++;
		if (wide)
			sticker |= (unsigned)*bytes++ << 8;
		if (sticker >= count || seen[sticker / 64] >> sticker % 64 & 1)
			return false;
		seen[sticker / 64] |= UINT64_C(1) << sticker % 64;
		cube->sticker[i] = (uint16_t)sticker;
	}
	if (size % 2 == 0)
		return true;
	unsigned spins = bytes[0] | (unsigned)bytes[1] << 8;
	for (int face = 0; face < CUBE_FACES; face++)
		cube->spin[face] = spins >> 2 * face & 3;
	return spins >> 2 * CUBE_FACES == 0;
}
