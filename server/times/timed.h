/* timed.h: moves with the times they were made at: "R@0 U@120 R'@205".
 *
 * A time is `@` and whole milliseconds, directly after its move; times count from any beginning and
 * never decrease. Either all moves of a text have one, or none has. Timed text has no brackets, since
 * repeated moves have no single time. Everything else is as in cube/notation.h, comments and pauses
 * included. Offsets of errors are those of the whole text.
 *
 * Pure; any thread. */
#ifndef SERVER_TIMES_TIMED_H
#define SERVER_TIMES_TIMED_H

#include "cube/notation.h"
#include "server/util/error.h"

/* Latest time, a thousand hours. */
#define TIMED_MAX_MS 3600000000u

/* Reads a text into `nodes` (room for cube_parse_nodes()). If the moves have times, sets *timed, `alg`
 * is plain turns, and times[i] is the time of node i; `times` has as much room. Errors are as from
 * cube_parse(). Linear in the text. */
MUST_USE enum cube_error_code timed_parse(const char *text, size_t length, int size,
					  enum cube_dialect dialect, struct cube_node *nodes,
					  struct cube_alg *alg, uint32_t *times, bool *timed,
					  struct cube_error *error);

/* The most bytes that timed_print() writes, with the NUL. */
size_t timed_text_max(size_t count);
/* Canonical text, "R@0 U2@120", without turns by 0 quarters; returns its length without the NUL. */
size_t timed_print(int size, const struct cube_turn *turns, const uint32_t *times, size_t count,
		   char *text);

/* Rotations before the first turn of layers are part of the inspection: sets their times to its time. */
void timed_skip_inspection(int size, const struct cube_turn *turns, size_t count, uint32_t *times);
bool timed_is_rotation(int size, struct cube_turn turn);

/* Returns true if hands can have made these turns in that time: at most 20 turns of layers a
 * second, from the fifth turn on. Fewer turns can be made at once, with several fingers on a
 * keyboard. */
bool timed_by_hand(int size, const struct cube_turn *turns, size_t count, int64_t took_ms);

#endif
