/* picture.h: the picture of a request: what the query says about it, and drawing it. */
#ifndef SERVER_API_INPUT_PICTURE_H
#define SERVER_API_INPUT_PICTURE_H

#include "cube/picture.h"
#include "server/api/request/context.h"
#include "server/util/error.h"

#define PAINTING_NONE 255

struct picture_request {
	struct cube_picture picture;
	struct text mask, arrows;            /* bytes NULL: none; read once the size is known */
	const char *mask_name, *arrows_name; /* of their parameters, for problems */
	uint32_t arrow_color;
	int hold;   /* the cube is turned as a whole first */
	bool hides; /* facelets outside the mask have no sticker */
	/* The colours to show, by facelet before the moves; PAINTING_NONE: what the cube has there.
	 * NULL: nothing. */
	uint8_t *painting;
	size_t painted; /* bytes of it */
	uint64_t hash;  /* of all that decides how the picture looks */
};

/* Reads ?view=, ?colors=, ?pixels=, ?rotate=, ?background=, ?plastic=, ?mask= and ?arrows=. Answers 400
 * bad-parameter. */
MUST_USE bool picture_read(struct context *ctx, struct picture_request *request);
/* Reads ?view= and ?colors= alone, for pictures beside other representations of a cube. */
MUST_USE bool picture_read_look(struct context *ctx, struct cube_picture *picture);
/* Takes the stickers that are n (grey) and . (hidden) out of ?facelets=, for input_cube_query(). */
MUST_USE bool picture_read_painting(struct context *ctx, struct picture_request *request);

/* Returns the cost of writing it as SVG, and of drawing it in the media type of the context, in
 * ns. */
uint64_t picture_text_cost(const struct cube_picture *picture, int size);
uint64_t picture_cost(const struct context *ctx, const struct picture_request *request, int size);

/* Makes the picture of a cube the body of the reply, in the media type of the context. `places`: the
 * moves since the description, made on a solved cube; NULL: the stickers of `cube` are known. Any
 * thread. */
void picture_reply(struct context *ctx, struct picture_request *request, const struct cube *cube,
		   const struct cube *places);

#endif
