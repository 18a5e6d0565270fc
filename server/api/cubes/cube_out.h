/* cube_out.h: the cube of an answer. */
#ifndef SERVER_API_CUBES_CUBE_OUT_H
#define SERVER_API_CUBES_CUBE_OUT_H

#include "server/json/writer.h"
#include "server/api/request/context.h"
#include "server/format/format.h"

/* What is known of like centres and spins, and whether turns lead to the cube at all. */
enum cube_known { CUBE_KNOWN, CUBE_ASSUMED, CUBE_IMPOSSIBLE };

/* What the query asks of the cubes in the answer. */
struct cube_view {
	uint32_t as; /* bits of the formats, by row */
	bool color;  /* ANSI colours in plain text */
	struct cube_picture picture;
	struct format_options options;
};

/* Reads ?as=, ?order=, ?color=, ?view= and ?colors=. Answers 400 bad-parameter. */
bool cube_view_read(struct context *ctx, struct cube_view *view);
/* Whether all formats asked for serve this size. Answers 400 bad-parameter. */
bool cube_view_fits(struct context *ctx, const struct cube_view *view, int size);
/* Whether one of them speaks of pieces. */
bool cube_view_pieces(const struct cube_view *view);

/* {"size", "facelets", "solved", "home", "identity"?, "possible"?, ...}: the value of a member
 * `cube`. A format that does not serve the size is null, and so is one of pieces for an
 * impossible cube, which has "possible": false. */
void cube_write(struct out *out, const struct cube *cube, const struct cube_view *view,
		enum cube_known known);

/* Where plain text or a picture was asked for: makes the net or the SVG the reply's body and returns
 * true. */
bool cube_reply_text(struct context *ctx, const struct cube *cube, const struct cube_view *view,
		     unsigned status);

/* What writing the cube of an answer costs, in ns: as text, as a picture, or by cube_write. */
uint64_t cube_view_cost(const struct context *ctx, const struct cube_view *view, int size);

void metrics_write(struct out *out, const struct cube_metrics *metrics);
/* A count, null where it passed CUBE_COUNT_MAX. */
void count_write(struct out *out, uint64_t count);

#endif
