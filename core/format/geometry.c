/* core/format/geometry.c: facelets beside each other, found by going through space. */
#include "cube/geometry.h"

#include <assert.h>

#include "core/format/space.h"

/* The four ways as arrows. */
static void ways_of(int face, struct arrow ways[CUBE_WAYS])
{
	const struct face_view *view = &cube_views[face];
	ways[CUBE_RIGHT] = view->right;
	ways[CUBE_DOWN] = view->down;
	ways[CUBE_LEFT] = (struct arrow){view->right.axis, (int8_t)-view->right.way};
	ways[CUBE_UP] = (struct arrow){view->down.axis, (int8_t)-view->down.way};
}

/* The face that looks along the arrow. */
static int face_along(struct arrow arrow)
{
	int face = 0;
	while (cube_views[face].out.axis != arrow.axis || cube_views[face].out.way != arrow.way)
		face++;
	return face;
}

static struct point point_of(int size, size_t facelet)
{
	const size_t n = (size_t)size, area = n * n;
	return space_point(size, (int)(facelet / area), (int)(facelet % area / n),
			   (int)(facelet % n));
}

void cube_facelet_neighbors(int size, size_t facelet, uint16_t neighbors[CUBE_WAYS])
{
	const int face = (int)(facelet / ((size_t)size * (size_t)size));
	struct arrow ways[CUBE_WAYS];
	assert(facelet < cube_facelets(size));
	ways_of(face, ways);
	for (int way = 0; way < CUBE_WAYS; way++) {
		struct point point = point_of(size, facelet);
		const int along = space_along(size, &point, ways[way]);
		int on = face;
		if (along < size - 1)
			space_put(size, &point, ways[way], along + 1);
		else
			on = face_along(ways[way]);
		neighbors[way] = (uint16_t)space_facelet(size, on, &point);
	}
}

void cube_layer_ring(int size, int face, int layer, uint16_t *ring)
{
	struct arrow ways[CUBE_WAYS];
	struct point point;
	assert(layer >= 1 && layer <= size);
	ways_of(face, ways);
	space_put(size, &point, cube_views[face].out, size - layer);
	for (int side = 0; side < CUBE_WAYS; side++) {
		space_put(size, &point, ways[side], size - 1);
		for (int i = 0; i < size; i++) {
			space_put(size, &point, ways[(side + 1) % CUBE_WAYS], i);
			*ring++ = (uint16_t)space_facelet(size, face_along(ways[side]), &point);
		}
	}
}

size_t cube_facelet_cubie(int size, size_t facelet)
{
	const struct point point = point_of(size, facelet);
	assert(facelet < cube_facelets(size));
	return space_index(size, &point);
}

int cube_cubie_facelets(int size, size_t cubie, uint16_t facelets[3])
{
	const struct point point = cube_space_at(size, cubie);
	uint8_t faces[3];
	const int count = space_faces(size, &point, faces);
	for (int i = 0; i < count; i++)
		facelets[i] = (uint16_t)space_facelet(size, faces[i], &point);
	return count;
}
