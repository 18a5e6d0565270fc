/* tests/core/test_poses.c: poses against products of rotation matrices in space.
 *
 * tests/core/test_poses_read.c has the way back. */
#include "cube/poses.h"

#include "core/format/space.h"
#include "core/hold.h"
#include "tests/core/cubie_model.h"
#include "tests/core/forms.h"
#include "tests/core/run.h"

#include <string.h>

/* ---- rotations ---- */

START_TEST(rotations_are_those_told)
{
	static const struct {
		int axis, quarters; /* right-handed */
	} firsts[6] = {{0, 0}, {0, 3}, {0, 2}, {0, 1}, {2, 3}, {2, 1}};
	for (int r = 0; r < CUBE_HOLDS; r++) {
		int8_t expected[3][3], matrix[3][3];
		memcpy(expected, cubie_model_identity, sizeof(cubie_model_identity));
		for (int i = 0; i < firsts[r / 4].quarters; i++)
			cubie_model_multiply(cubie_model_quarter[firsts[r / 4].axis], expected,
					     expected);
		for (int i = 0; i < 3 * (r % 4); i++)
			cubie_model_multiply(cubie_model_quarter[1], expected, expected);
		cube_rotation_matrix(r, matrix);
		ck_assert_mem_eq(matrix, expected, sizeof(matrix));
		ck_assert_int_eq(cubie_model_determinant(matrix), 1);
		ck_assert_int_eq(cube_rotation_find(matrix), r);
		for (int face = 0; face < CUBE_FACES; face++) {
			struct geo_sticker up = geo_home(3, (size_t)face * 9 + 4);
			int8_t normal[3], to[3];
			cube_face_normal(face, normal);
			ck_assert_mem_eq(normal, up.normal, 3);
			cubie_model_transform(expected, normal, up.normal);
			cubie_model_transform(expected, up.up, up.up);
			cubie_model_transform(expected, up.at, up.at);
			cube_face_normal(cube_hold_table.hold[r].to[face], to);
			ck_assert_mem_eq(to, up.normal, 3);
			int spin = geo_spin(&up);
			ck_assert_int_eq(cube_hold_table.hold[r].spin[face], spin);
			int arrived = cube_hold_table.hold[r].to[face];
			ck_assert_int_eq(cube_rotation_by[face][arrived][spin], r);
		}
		matrix[0][0] = (int8_t)(matrix[0][0] + 1);
		ck_assert_int_eq(cube_rotation_find(matrix), -1);
		for (int i = 0; i < 9; i++) /* mirrored */
			matrix[i / 3][i % 3] = (int8_t)-expected[i / 3][i % 3];
		ck_assert_int_eq(cube_rotation_find(matrix), -1);
	}
}
END_TEST

/* Off the axis of its face one rotation only takes a centre's point and normal to a facelet of its
 * orbit; on the axis four do, and the spin says which. */
START_TEST(rotations_of_centers_are_unique)
{
	for (int n = 3; n <= 7; n++) {
		for (size_t a = 0; a < cube_facelets(n); a++) {
			struct geo_sticker home = geo_home(n, a);
			int found[CUBE_FACES * 49] = {0};
			int zeros = !home.at[0] + !home.at[1] + !home.at[2];
			for (int r = 0; r < CUBE_HOLDS; r++) {
				struct geo_sticker to = home;
				int8_t matrix[3][3];
				cube_rotation_matrix(r, matrix);
				cubie_model_transform(matrix, home.at, to.at);
				cubie_model_transform(matrix, home.normal, to.normal);
				found[geo_facelet(n, &to)]++;
			}
			for (size_t b = 0; b < cube_facelets(n); b++)
				ck_assert(found[b] == 0 || found[b] == (zeros == 2 ? 4 : 1));
		}
	}
}
END_TEST

/* ---- poses ---- */

static const int sizes[] = {2, 3, 4, 5, 6, 7};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

static void check_pose(const struct cubie_model *model, const struct geo *geo,
		       const struct cube_pose *pose, size_t index)
{
	const struct model_cubie *body = &model->cubie[index];
	int8_t matrix[3][3];
	cube_rotation_matrix(pose->rotation, matrix);
	ck_assert_mem_eq(pose->home, body->home, 3);
	ck_assert_mem_eq(pose->at, body->at, 3);
	ck_assert_mem_eq(matrix, body->matrix, 9);
	/* The stickers of the model of stickers whose home is this cubie. */
	int count = 0;
	for (size_t i = 0; i < geo->count; i++) {
		struct geo_sticker home = geo_home(geo->size, i);
		int8_t normal[3];
		if (memcmp(home.at, body->home, 3) != 0)
			continue;
		ck_assert_uint_eq(pose->face[count], i / (geo->count / 6));
		cube_face_normal(pose->normal[count++], normal);
		ck_assert_mem_eq(normal, geo->stickers[i].normal, 3);
	}
	ck_assert_int_eq(pose->stickers, count);
}

START_TEST(as_products_of_turns)
{
	int n = sizes[_i];
	struct checked_cube both = checked_create(n);
	struct cubie_model model = cubie_model_create(n);
	size_t count = cube_poses_count(n);
	ck_assert_uint_eq(count, model.count);
	struct cube_pose *poses = new_bytes(count * sizeof(*poses));
	uint8_t *moved = new_bytes(count), *listed = new_bytes(count);
	uint32_t *indices = new_bytes(count * sizeof(*indices));
	struct gen gen = {.state = (uint64_t)n + 50};
	for (uint32_t round = 0; round < forms_rounds(200); round++) {
		cube_poses_write(both.cube, poses);
		for (size_t i = 0; i < count; i++) {
			ck_assert_int_eq(cube_pose_index(n, model.cubie[i].home), (int32_t)i);
			if (round < 10 || i % 16 == round % 16)
				check_pose(&model, &both.geo, &poses[i], i);
		}
		struct cube_turn turn = gen_turn(&gen, n);
		size_t listed_count = cube_turn_cubies(both.cube, turn, indices);
		memset(listed, 0, count);
		for (size_t i = 0; i < listed_count; i++)
			listed[indices[i]]++;
		checked_turn(&both, turn);
		cubie_model_turn(&model, geo_turn_from(n, turn), moved);
		ck_assert_mem_eq(listed, moved, count);
	}
	free(poses);
	free(moved);
	free(listed);
	free(indices);
	free(model.cubie);
	checked_destroy(&both);
}
END_TEST

START_TEST(order_of_homes)
{
	static const int all[] = {2, 3, 4, 5, 8, 33, 100};
	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++) {
		int n = all[k];
		struct cubie_model model = cubie_model_create(n);
		int8_t home[3];
		size_t inside = (size_t)((n - 2) * (n - 2) * (n - 2)), right = 0;
		ck_assert_uint_eq(cube_poses_count(n), (size_t)(n * n * n) - inside);
		ck_assert_uint_eq(cube_poses_count(n), model.count);
		for (size_t i = 0; i < model.count; i++) {
			cube_pose_home(n, i, home);
			right += memcmp(home, model.cubie[i].home, 3) == 0 &&
				 cube_pose_index(n, home) == (int32_t)i;
		}
		ck_assert_uint_eq(right, model.count);
		free(model.cubie);
		for (int x = -128; x < 128; x++) {
			const int8_t corner[3] = {(int8_t)x, (int8_t)(n - 1), (int8_t)(1 - n)};
			int8_t near = (int8_t)(n % 2 - 1);
			const int8_t middle[3] = {near, (int8_t)x, near};
			ck_assert_int_eq(cube_pose_index(n, corner) >= 0,
					 abs(x) <= n - 1 && (x + n) % 2 != 0);
			if (n > 2)
				ck_assert_int_eq(cube_pose_index(n, middle) >= 0, abs(x) == n - 1);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("poses");
	TCase *cases = tcase_create("poses");
	tcase_set_timeout(cases, 600);
	tcase_add_test(cases, rotations_are_those_told);
	tcase_add_test(cases, rotations_of_centers_are_unique);
	tcase_add_test(cases, order_of_homes);
	tcase_add_loop_test(cases, as_products_of_turns, 0, SIZES);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 3 + SIZES);
}
