/* answer_view.h: what the query asks for in the cubes of the answer: ?as=, ?order= and so on. */
#ifndef SERVER_API_INPUT_ANSWER_VIEW_H
#define SERVER_API_INPUT_ANSWER_VIEW_H

#include "server/api/request/context.h"
#include "server/format/cube_out.h"
#include "server/util/error.h"

/* Reads ?as=, ?order=, ?pieces=, ?color=, ?view= and ?colors=; and of a request that stores something, the
 * Prefer header. Answers 400 bad-parameter. */
MUST_USE bool answer_view_read(struct context *ctx, struct answer_view *view);
/* The same for a list, whose items have no cubes unless the query asks for them. */
MUST_USE bool answer_view_read_lean(struct context *ctx, struct answer_view *view);
/* Returns true if all requested formats and pieces support this size. Otherwise answers 400
 * bad-parameter. */
MUST_USE bool answer_view_fits(struct context *ctx, const struct answer_view *view, int size);
/* If plain text or a picture was asked for, makes the net or the SVG the reply's body and returns
 * true. */
bool reply_cube_text(struct context *ctx, const struct cube *cube, const struct answer_view *view,
		     unsigned status);

/* Returns the cost of writing the cube of an answer, in ns: as text, as a picture, or by
 * out_cube_member. */
uint64_t answer_view_cost(const struct context *ctx, const struct answer_view *view, int size);

#endif
