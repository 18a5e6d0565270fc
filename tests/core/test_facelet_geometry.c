/* tests/core/test_facelet_geometry.c: what lies beside what, against stickers as points in space. */
#include "cube/geometry.h"
#include "cube/poses.h"
#include "tests/core/checked_cube.h"
#include "tests/core/run.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 8, 33, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static bool same(const int8_t a[3], const int8_t b[3])
{
	return memcmp(a, b, 3) == 0;
}

/* One step of 2 in the direction, or to the other side of the edge, whose normal is the direction. */
static size_t step(int size, size_t facelet, const int8_t direction[3])
{
	struct geo_sticker sticker = geo_home(size, facelet);
	int8_t next[3];
	bool inside = true;
	for (int axis = 0; axis < 3; axis++) {
		next[axis] = (int8_t)(sticker.at[axis] + 2 * direction[axis]);
		inside = inside && next[axis] > -size && next[axis] < size;
	}
	memcpy(inside ? sticker.at : sticker.normal, inside ? next : direction, 3);
	return geo_facelet(size, &sticker);
}

static void cross(const int8_t a[3], const int8_t b[3], int8_t product[3])
{
	for (int i = 0; i < 3; i++)
		product[i] =
			(int8_t)(a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3]);
}

START_TEST(neighbors)
{
	const int size = sizes[_i];
	for (size_t facelet = 0; facelet < cube_facelets(size); facelet++) {
		const struct geo_sticker sticker = geo_home(size, facelet);
		uint16_t found[CUBE_WAYS];
		int8_t direction[3], turned[3];
		cube_facelet_neighbors(size, facelet, found);
		memcpy(direction, sticker.up, 3);
		/* Clockwise as seen from outside: up, right, down, left. */
		for (int way = 0; way < CUBE_WAYS; way++) {
			ck_assert_uint_eq(found[way], step(size, facelet, direction));
			cross(direction, sticker.normal, turned);
			memcpy(direction, turned, 3);
		}
		ck_assert(same(direction, sticker.up));
	}
}
END_TEST

/* Round a layer: all facelets with its coordinate beside the face and its opposite, each once, each
 * beside the one before, and moved by n places by a turn of the model. */
START_TEST(rings)
{
	const int size = sizes[_i];
	const size_t n = (size_t)size;
	struct geo geo = geo_create(size);
	uint16_t *ring = new_bytes(4 * n * sizeof(*ring));
	for (int face = 0; face < CUBE_FACES; face++)
		for (int layer = 1; layer <= size; layer += size > 8 ? size / 2 : 1) {
			int8_t normal[3];
			cube_face_normal(face, normal);
			cube_layer_ring(size, face, layer, ring);
			const struct geo_sticker first = geo_home(size, ring[0]);
			const struct geo_sticker center = geo_home(size, (size_t)face * n * n);
			ck_assert(same(first.normal, center.up));
			geo_solve(&geo);
			geo_turn(&geo, geo_turn_of(size, face, layer, layer, 1));
			for (size_t i = 0; i < 4 * n; i++) {
				const struct geo_sticker at = geo_home(size, ring[i]);
				uint16_t beside[CUBE_WAYS];
				int height = 0, out = 0;
				for (int axis = 0; axis < 3; axis++) {
					height += at.at[axis] * normal[axis];
					out += at.normal[axis] * normal[axis];
				}
				ck_assert_int_eq(height, size + 1 - 2 * layer);
				ck_assert_int_eq(out, 0);
				ck_assert_uint_eq(geo_facelet(size, &geo.stickers[ring[i]]),
						  ring[(i + n) % (4 * n)]);
				cube_facelet_neighbors(size, ring[i], beside);
				int found = 0;
				for (int way = 0; way < CUBE_WAYS; way++)
					found += beside[way] == ring[(i + 1) % (4 * n)];
				ck_assert_int_eq(found, 1);
			}
		}
	free(ring);
	geo_destroy(&geo);
}
END_TEST

START_TEST(cubies)
{
	const int size = sizes[_i];
	size_t facelets = 0;
	for (size_t facelet = 0; facelet < cube_facelets(size); facelet++) {
		const struct geo_sticker sticker = geo_home(size, facelet);
		const int32_t index = cube_pose_index(size, sticker.at);
		ck_assert_int_eq((int32_t)cube_facelet_cubie(size, facelet), index);
	}
	for (size_t cubie = 0; cubie < cube_poses_count(size); cubie++) {
		uint16_t found[3];
		const int count = cube_cubie_facelets(size, cubie, found);
		ck_assert_int_ge(count, 1);
		for (int i = 0; i < count; i++) {
			ck_assert_uint_eq(cube_facelet_cubie(size, found[i]), cubie);
			ck_assert(i == 0 || found[i] > found[i - 1]);
		}
		facelets += (size_t)count;
	}
	ck_assert_uint_eq(facelets, cube_facelets(size));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("facelet geometry");
	TCase *tests = tcase_create("facelet geometry");
	tcase_add_loop_test(tests, neighbors, 0, SIZES);
	tcase_add_loop_test(tests, rings, 0, SIZES);
	tcase_add_loop_test(tests, cubies, 0, SIZES);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 3 * SIZES);
}
