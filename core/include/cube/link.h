/* cube/link.h: links of alg.cubing.net and alpha.twizzle.net, which hold moves: read and made.
 *
 *     https://alg.cubing.net/?setup=F_R&alg=R_U_R-_U-&puzzle=4x4x4&type=reconstruction
 *     https://alpha.twizzle.net/edit/?setup-alg=F+R&alg=R+U+R%27+U%27&puzzle=4x4x4
 *
 * Both are percent-encoded SiGN for a 3x3x3 unless `puzzle` names another size. alg.cubing.net also
 * writes a space as _, a prime as - and - as &#45;. The moves of a link are those of its setup, then its
 * own, as its page plays them from a solved cube. A link that says that it ends with its setup (type=alg,
 * setup-anchor=end) begins with another state; of that only its own moves are read. */
#ifndef CUBE_LINK_H
#define CUBE_LINK_H

#include "cube/notation.h"

/* One row each: constant, name in the API. */
#define CUBE_LINK_TABLE(X)                                                                         \
	X(CUBE_LINK_TWIZZLE, "twizzle")                                                            \
	X(CUBE_LINK_ALG_CUBING_NET, "alg_cubing_net")

enum cube_link_site {
#define CUBE_LINK_ROW(constant, name) constant,
	CUBE_LINK_TABLE(CUBE_LINK_ROW)
#undef CUBE_LINK_ROW
		CUBE_LINK_SITES
};

CUBE_API const char *cube_link_site_name(enum cube_link_site site);

/* The content of a link. Its texts are in the caller's memory: `text` has setup_length bytes, a
 * line end, and alg_length bytes. origin[i] is where byte i stood in the link; for the line end,
 * and after the last byte, where the parameter ended. */
struct cube_link {
	enum cube_link_site site;
	int size; /* 2 .. CUBE_SIZE_MAX */
	bool ends_with_setup;
	char *text;
	uint32_t *origin;
	size_t setup_length, alg_length;
};

/* Returns true if the text, apart from white space around it, begins like a link of one of these
 * sites. */
CUBE_API CUBE_MUST_USE bool cube_link_is(const char *text, size_t length);

/* Reads a link. The caller has set link->text (room for `length` bytes) and link->origin (`length` + 1).
 * On CUBE_OK the rest of `link` is set; else `error` is filled. */
CUBE_API CUBE_MUST_USE enum cube_error_code
cube_link_read(const char *text, size_t length, struct cube_link *link, struct cube_error *error);

/* The size of a link's cube; 0 if it cannot be read. */
CUBE_API int cube_link_size(const char *text, size_t length);

/* The most nodes of its moves. */
CUBE_API size_t cube_link_nodes(const struct cube_link *link);
/* Reads its moves in SiGN into `nodes`, like cube_parse_noted(); places in `error` and `notes` are
 * those in the link, and there are no suggestions and readings, which would have to be encoded. */
CUBE_API CUBE_MUST_USE enum cube_error_code
cube_link_parse(const struct cube_link *link, int size, struct cube_node *nodes,
		struct cube_alg *alg, struct cube_notes *notes, struct cube_error *error);

/* Returns true if the site shows cubes of that size. */
CUBE_API bool cube_link_serves(enum cube_link_site site, int size);
/* Writes the link for moves in canonical text, like snprintf: at most `room` bytes with the NUL; returns
 * the length without it. */
CUBE_API size_t cube_link_print(enum cube_link_site site, int size, const char *moves, char *text,
				size_t room);

#endif
