/* preview.h: what programs that show a preview of a link read in a page (Open Graph). They run no
 * script, so the server names the title, the words and the picture; with absolute addresses, which
 * some of them demand. */
#ifndef SERVER_API_SITE_PREVIEW_H
#define SERVER_API_SITE_PREVIEW_H

#include "server/api/request/context.h"
#include "server/api/site/embedded.h"

struct preview {
	const char *title, *description;
	const char *alt;     /* the picture in words */
	const char *page;    /* path and query of the page: "/c/ID" */
	const char *picture; /* path and query of a PNG with PREVIEW_PIXELS */
};

#define PREVIEW_PIXELS "630"
/* The end of the query of each picture. */
#define PREVIEW_LOOK "pixels=" PREVIEW_PIXELS "&background=ffffff"

/* The preview of the page itself: what cubed is. */
extern const struct preview preview_general;

/* Makes an embedded page the reply, with a preview at its mark. Without a Host
 * that may stand in an address, the page has neither an address nor a picture. */
void preview_reply(struct context *ctx, const struct embedded_file *file,
		   const struct preview *preview, unsigned status);

#endif
