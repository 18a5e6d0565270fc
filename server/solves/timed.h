/* timed.h: moves with the times they were made at: "R@0 U@120 R'@205".
 *
 * A time is `@` and whole milliseconds, right behind its move; they count from any beginning, and
 * do not run backwards. All moves of a text have one, or none has. Timed text is plain moves: no
 * brackets, for what is repeated has no one time. Anything else is as in cube/notation.h, comments
 * and pauses included, and offsets of errors are those of the whole text.
 *
 * Pure but for the caller's memory; any thread. */
#ifndef SERVER_SOLVES_TIMED_H
#define SERVER_SOLVES_TIMED_H

#include "cube/notation.h"
#include "server/util/error.h"

/* Latest time, a thousand hours. */
#define TIMED_MAX_MS 3600000000u

/* Reads a text into `nodes` (room for cube_parse_nodes). Where the moves have times, *timed is set,
 * `alg` is plain turns, and times[i] is that of node i; `times` has as much room. On an error
 * CUBE_OK is not returned and `error` is filled, as by cube_parse. Linear in the text. */
MUST_USE enum cube_error_code timed_parse(const char *text, size_t length, int size,
					  enum cube_dialect dialect, struct cube_node *nodes,
					  struct cube_alg *alg, uint32_t *times, bool *timed,
					  struct cube_error *error);

/* Bytes that timed_print needs at most, with the NUL. */
size_t timed_text_max(size_t count);
/* Canonical text, "R@0 U2@120", without turns by 0 quarters; returns its length without the NUL. */
size_t timed_print(int size, const struct cube_turn *turns, const uint32_t *times, size_t count,
		   char *text);

#endif
