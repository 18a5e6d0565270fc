/* written.h: moves in another dialect, or as turns: what /v1/algorithm answers as `written`. */
#ifndef SERVER_API_CUBES_WRITTEN_H
#define SERVER_API_CUBES_WRITTEN_H

#include "server/api/input/moves.h"

/* The dialects, then the arrays. */
enum written { WRITTEN_AXIS = CUBE_DIALECT_COUNT, WRITTEN_TURNS, WRITTEN_COUNT };

/* Reads the member `write`; without it, `as` stays as it is. Answers 400 bad-member if there is no such
 * form, or not for the size. */
MUST_USE bool written_read(struct context *ctx, struct text name, int size, uint8_t *as);

/* Writes the member `written`, or the text alone if the answer is plain text. `moves` are what the
 * algorithm was made from. Answers 422 bad-notation if they are too many, or if the dialect lacks words for
 * them; 400 for arrays as plain text. Any thread. */
MUST_USE bool written_write(struct context *ctx, struct out *out, const struct moves_request *moves,
			    const struct cube_alg *alg, uint8_t as);

#endif
