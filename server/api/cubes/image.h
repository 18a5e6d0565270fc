/* image.h: a request for a picture of a cube. */
#ifndef SERVER_API_CUBES_IMAGE_H
#define SERVER_API_CUBES_IMAGE_H

#include "server/api/input/cube.h"
#include "server/api/input/picture.h"

struct image {
	struct input_cube cube; /* first: input_cube_resolve passes it back as ctx->data */
	struct picture_request picture;
	bool inverse;        /* the moves solve the cube */
	bool by_places;      /* the stickers are known by where they were before the moves */
	struct cube *places; /* a solved cube after the moves; NULL: not needed */
};

/* After input_cube_resolve(): turns the cube and answers the picture. */
void image_resolved(struct context *ctx);

#endif
