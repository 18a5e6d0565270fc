/* cube/pack.h: turns and states in few bytes, for storing.
 *
 * A usual turn is one byte: a code 0..104 made of family and amount
 * (outer faces, two-layer wide turns, M E S, m e s, x y z; amounts 0 1 2 -1 -2).
 * Anything else is 105 + face * 5 + amount (105..134), then the bytes `from` and `to`. The codes are
 * part of the stored format and never change.
 *
 * A state is one byte a sticker up to n = 6 and two (little-endian) beyond, then
 * the six spins in two bytes (2 bits each) if n is odd. */
#ifndef CUBE_PACK_H
#define CUBE_PACK_H

#include "cube/turn.h"

#define CUBE_PACKED_TURN_MAX 3

/* Packs `count` turns into `bytes` (room for CUBE_PACKED_TURN_MAX * count); returns the bytes written. */
CUBE_API size_t cube_turns_pack(const struct cube_turn *turns, size_t count, int size,
				uint8_t *bytes);

/* Unpacks up to `capacity` turns. Returns false if the bytes are not a whole number of valid turns
 * for that size, or too many; else sets `count`. Never reads outside `bytes`. */
CUBE_API CUBE_MUST_USE bool cube_turns_unpack(const uint8_t *bytes, size_t length, int size,
					      struct cube_turn *turns, size_t capacity,
					      size_t *count);

/* Exact bytes of a packed state of that size. */
CUBE_API size_t cube_packed_bytes(int size);
CUBE_API void cube_pack(const struct cube *cube, uint8_t *bytes);
/* False if the bytes are not a state of that size: every sticker once, spins in range. `cube` has
 * room for cube_bytes(size). */
CUBE_API CUBE_MUST_USE bool cube_unpack(struct cube *cube, int size, const uint8_t *bytes,
					size_t length);

#endif
