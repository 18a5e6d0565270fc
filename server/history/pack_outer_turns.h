/* pack_outer_turns.h: turns of outer layers in little more than four bits each.
 *
 * Most turns that people make are one of 18: six faces by 1, 2 or -1 quarter turns. Fifteen of them
 * are the digits of a number in base 18, less than 2^63: eight bytes. The rest is a number in as
 * many bytes as it may need. Every number has one reading, so packing and unpacking are inverse. */
#ifndef SERVER_HISTORY_PACK_OUTER_TURNS_H
#define SERVER_HISTORY_PACK_OUTER_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cube/turn.h"
#include "server/util/error.h"

/* Returns true if all turns are among those 18. */
bool outer_turns_fits(const struct cube_turn *turns, size_t count);
/* Bytes that `count` turns take. */
size_t outer_turns_bytes(size_t count);
void outer_turns_pack(const struct cube_turn *turns, size_t count, uint8_t *bytes);
/* Reads outer_turns_bytes(count) bytes; false if they are not such turns. */
MUST_USE bool outer_turns_unpack(const uint8_t *bytes, size_t count, struct cube_turn *turns);

#endif
