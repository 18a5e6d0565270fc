/* links.c: moves in links of other sites, read and made. */
#include "server/api/input/links.h"

#include <string.h>

#include "cube/link.h"

/* Browsers and sites take addresses of some thousand bytes; each byte of moves makes up to twelve. */
#define MOVES_BYTES_MAX 1000

bool links_given(const struct moves_request *moves)
{
	return moves->text.bytes && !moves->lines &&
	       cube_link_is(moves->text.bytes, moves->text.length);
}

int links_size(const struct moves_request *moves)
{
	return moves->text.bytes && !moves->lines
		       ? cube_link_size(moves->text.bytes, moves->text.length)
		       : 0;
}

bool links_read(struct context *ctx, const struct moves_request *moves, int size,
		struct cube_alg *alg, struct cube_notes *notes)
{
	const struct text *text = &moves->text;
	struct cube_error error;
	struct cube_link link = {.text = ctx_alloc(ctx, text->length + 1),
				 .origin = ctx_alloc(ctx, (text->length + 1) * sizeof(uint32_t))};
	if (!link.text || !link.origin)
		return false;
	if (cube_link_read(text->bytes, text->length, &link, &error) != CUBE_OK)
		return moves_fault(ctx, moves, &error);
	struct cube_node *nodes = ctx_alloc(ctx, (cube_link_nodes(&link) + 1) * sizeof *nodes);
	if (!nodes)
		return false;
	return cube_link_parse(&link, size, nodes, alg, notes, &error) == CUBE_OK ||
	       moves_fault(ctx, moves, &error);
}

bool links_write(struct context *ctx, struct out *out, int size, const char *canonical)
{
	const bool fits = strlen(canonical) <= MOVES_BYTES_MAX;
	out_member_open(out, "links", '{');
	for (int i = 0; i < CUBE_LINK_SITES; i++) {
		const enum cube_link_site site = (enum cube_link_site)i;
		const bool serves = fits && cube_link_serves(site, size);
		out_key(out, cube_link_site_name(site));
		if (!serves) {
			out_null(out);
			continue;
		}
		const size_t room = cube_link_print(site, size, canonical, NULL, 0) + 1;
		char *text = ctx_alloc(ctx, room);
		if (!text)
			return false;
		cube_link_print(site, size, canonical, text, room);
		out_string(out, text);
	}
	out_close(out, '}');
	return true;
}
