/* links.h: moves in links of other sites (cube/link.h), read and made. */
#ifndef SERVER_API_INPUT_LINKS_H
#define SERVER_API_INPUT_LINKS_H

#include "server/api/input/moves.h"

/* Returns true if the moves are a link. */
MUST_USE bool links_given(const struct moves_request *moves);
/* The size of its cube; 0 if the moves are not a link that can be read. */
int links_size(const struct moves_request *moves);
/* Reads the moves of a link, like moves_read_noted(). */
MUST_USE bool links_read(struct context *ctx, const struct moves_request *moves, int size,
			 struct cube_alg *alg, struct cube_notes *notes);

/* Writes the member `links` for moves in canonical text; false if out of memory. */
MUST_USE bool links_write(struct context *ctx, struct out *out, int size, const char *canonical);

#endif
