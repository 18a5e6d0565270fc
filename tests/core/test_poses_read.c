/* tests/core/test_poses_read.c: poses read back, and poses that cannot be. */
#include "cube/cube.h"
#include "cube/poses.h"

#include "tests/core/cubie_model.h"
#include "tests/core/forms.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

static const int sizes[] = {2, 3, 4, 5, 6, 7, 33, 100};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))
/* The first six are small enough for thorough work. */
#define SMALL 6

struct spoilt_cube {
	int n;
	size_t count;
	struct cube *cube, *back;
	struct cube_pose *poses;
	int8_t (*rows)[4];
	uint8_t *seen;
	struct cube_form_error error;
};

static struct spoilt_cube trial_start(int n)
{
	size_t count = cube_poses_count(n);
	return (struct spoilt_cube){.n = n,
				    .count = count,
				    .cube = new_cube(n),
				    .back = new_cube(n),
				    .poses = new_bytes((count + 1) * sizeof(struct cube_pose)),
				    .rows = new_bytes(4 * count),
				    .seen = new_bytes(count)};
}

static void trial_end(struct spoilt_cube *spoilt)
{
	free(spoilt->cube);
	free(spoilt->back);
	free(spoilt->poses);
	free(spoilt->rows);
	free(spoilt->seen);
}

static enum cube_form_code spoilt_read(struct spoilt_cube *spoilt)
{
	return cube_poses_read(spoilt->back, spoilt->n, spoilt->poses, spoilt->count, spoilt->seen,
			       &spoilt->error);
}

START_TEST(come_back)
{
	int n = sizes[_i];
	struct spoilt_cube spoilt = trial_start(n);
	struct gen gen = {.state = (uint64_t)n + 60};
	struct guard guard = guard_create(spoilt.count * sizeof(struct cube_pose));
	uint32_t rounds = n == 3 ? 10000 : n < 8 ? 500 : 4;
	for (uint32_t round = 0; round < forms_rounds(rounds); round++) {
		forms_shuffle(spoilt.cube, &gen, 8);
		cube_poses_write(spoilt.cube, spoilt.poses);
		cube_poses_write_compact(spoilt.cube, spoilt.rows);
		size_t same = 0;
		for (size_t i = 0; i < spoilt.count; i++)
			same += memcmp(spoilt.rows[i], spoilt.poses[i].at, 3) == 0 &&
				spoilt.rows[i][3] == spoilt.poses[i].rotation;
		ck_assert_uint_eq(same, spoilt.count);
		const int8_t(*rows)[4] = guard_put(&guard, spoilt.rows, 4 * spoilt.count);
		ck_assert_int_eq(
			cube_poses_read_compact(spoilt.back, n, rows, spoilt.count, &spoilt.error),
			CUBE_FORM_OK);
		ck_assert(cube_equal(spoilt.back, spoilt.cube) && spoilt.back->reserved == 0);
		/* In any order of cubies and of stickers; some without stickers. */
		for (size_t i = spoilt.count - 1; i > 0; i--) {
			size_t j = gen_below(&gen, (uint32_t)i + 1);
			struct cube_pose old = spoilt.poses[i];
			spoilt.poses[i] = spoilt.poses[j];
			spoilt.poses[j] = old;
			if (old.stickers > 1 && i % 2) {
				struct cube_pose *pose = &spoilt.poses[j];
				pose->face[0] = old.face[1];
				pose->face[1] = old.face[0];
				pose->normal[0] = old.normal[1];
				pose->normal[1] = old.normal[0];
			} else if (i % 4 == 0) {
				spoilt.poses[j].stickers = 0;
			}
		}
		struct cube_pose *poses = spoilt.poses;
		spoilt.poses = guard_put(&guard, poses, spoilt.count * sizeof(*poses));
		ck_assert_int_eq(spoilt_read(&spoilt), CUBE_FORM_OK);
		ck_assert(cube_equal(spoilt.back, spoilt.cube));
		spoilt.poses = poses;
	}
	guard_destroy(&guard);
	trial_end(&spoilt);
}
END_TEST

/* A cube read from colours has its centres and spins assumed: such a state comes back too. */
START_TEST(assumed_identity_comes_back)
{
	struct gen gen = {.state = 61};
	for (int n = 2; n <= 7; n++) {
		struct spoilt_cube spoilt = trial_start(n);
		uint8_t *colors = new_bytes(cube_facelets(n));
		struct cube *assumed = new_cube(n);
		for (int round = 0; round < 100; round++) {
			forms_shuffle(spoilt.cube, &gen, 8);
			for (size_t i = 0; i < cube_facelets(n); i++)
				colors[i] = (uint8_t)cube_color_at(spoilt.cube, i);
			ck_assert_uint_eq(cube_from_colors(assumed, n, colors, NULL, 0), 0);
			cube_poses_write(assumed, spoilt.poses);
			ck_assert_int_eq(spoilt_read(&spoilt), CUBE_FORM_OK);
			ck_assert(cube_equal(spoilt.back, assumed));
		}
		free(colors);
		free(assumed);
		trial_end(&spoilt);
	}
}
END_TEST

static void refused(struct spoilt_cube *spoilt, enum cube_form_code code, size_t index, int part)
{
	ck_assert_int_eq(spoilt_read(spoilt), code);
	ck_assert_int_eq(spoilt->error.code, code);
	ck_assert_uint_eq(spoilt->error.index, index);
	ck_assert_int_eq(spoilt->error.part, part);
}

/* Tests the faults of one pose alone. */
static void spoil(struct spoilt_cube *spoilt, size_t i)
{
	int n = spoilt->n;
	struct cube_pose *pose = &spoilt->poses[i], right = *pose;
	pose->home[0] = (int8_t)(pose->home[0] + 1);
	refused(spoilt, CUBE_FORM_HOME, i, 0);
	*pose = right;
	pose->at[2] = (int8_t)(n + 1);
	refused(spoilt, CUBE_FORM_PLACE, i, 0);
	*pose = right;
	pose->rotation = CUBE_HOLDS;
	refused(spoilt, CUBE_FORM_VALUE, i, 0);
	pose->rotation = 255;
	refused(spoilt, CUBE_FORM_VALUE, i, 0);
	for (int k = 1; k < 4; k++) {
		int8_t at[3], matrix[3][3];
		pose->rotation = (uint8_t)((right.rotation + 5 * k) % CUBE_HOLDS);
		cube_rotation_matrix(pose->rotation, matrix);
		cubie_model_transform(matrix, pose->home, at);
		if (memcmp(at, pose->at, 3) != 0)
			refused(spoilt, CUBE_FORM_ROTATION, i, 0);
	}
	*pose = right;
	pose->stickers = (uint8_t)(right.stickers % 3 + 1);
	refused(spoilt, CUBE_FORM_STICKER, i, 3);
	ck_assert_int_eq(spoilt->error.expected, right.stickers);
	for (int j = 0; j < right.stickers; j++) {
		*pose = right;
		pose->normal[j] = (uint8_t)((right.normal[j] + 1) % 6);
		refused(spoilt, CUBE_FORM_STICKER, i, j);
		*pose = right;
		pose->face[j] = (uint8_t)((right.face[j] + 3) % 6);
		refused(spoilt, CUBE_FORM_STICKER, i, j);
		pose->face[j] = 200;
		refused(spoilt, CUBE_FORM_STICKER, i, j);
		if (j > 0) {
			*pose = right;
			pose->face[j] = pose->face[0];
			pose->normal[j] = pose->normal[0];
			refused(spoilt, CUBE_FORM_STICKER, i, j);
		}
	}
	*pose = right;
	if (i > 0) {
		*pose = spoilt->poses[i - 1];
		refused(spoilt, CUBE_FORM_HOME_TAKEN, i, 0);
		*pose = right;
	}
}

START_TEST(wrong_poses)
{
	struct spoilt_cube spoilt = trial_start(sizes[_i]);
	struct gen gen = {.state = (uint64_t)_i + 70};
	forms_shuffle(spoilt.cube, &gen, 30);
	cube_poses_write(spoilt.cube, spoilt.poses);
	for (size_t i = 0; i < spoilt.count; i++)
		spoil(&spoilt, i);
	for (size_t count = 0; count <= spoilt.count + 1; count++) {
		if (count == spoilt.count)
			continue;
		ck_assert_int_eq(cube_poses_read(spoilt.back, spoilt.n, spoilt.poses, count,
						 spoilt.seen, &spoilt.error),
				 CUBE_FORM_COUNT);
		ck_assert_uint_eq(spoilt.error.index, count);
		ck_assert_int_eq(spoilt.error.expected, (long)spoilt.count);
		ck_assert_int_eq(
			cube_poses_read_compact(spoilt.back, spoilt.n, NULL, count, &spoilt.error),
			CUBE_FORM_COUNT);
	}
	/* Two of them in one place: the first corner where the last one is. */
	int8_t matrix[3][3], at[3];
	size_t last = spoilt.count - 1;
	spoilt.poses[0].stickers = 0;
	for (int r = 0; r < CUBE_HOLDS; r++) {
		cube_rotation_matrix(r, matrix);
		cubie_model_transform(matrix, spoilt.poses[0].home, at);
		if (memcmp(at, spoilt.poses[last].at, 3) != 0)
			continue;
		memcpy(spoilt.poses[0].at, at, 3);
		spoilt.poses[0].rotation = (uint8_t)r;
		refused(&spoilt, CUBE_FORM_PLACE_TAKEN, last, 0);
	}
	trial_end(&spoilt);
}
END_TEST

START_TEST(wrong_rows)
{
	struct spoilt_cube spoilt = trial_start(sizes[_i]);
	struct gen gen = {.state = (uint64_t)_i + 80};
	forms_shuffle(spoilt.cube, &gen, 30);
	cube_poses_write_compact(spoilt.cube, spoilt.rows);
	for (size_t i = 0; i < spoilt.count; i++) {
		static const int8_t rotations[] = {-1, 24, -128, 127};
		int8_t right[4];
		memcpy(right, spoilt.rows[i], 4);
		for (int k = 0; k < 8; k++) {
			if (k < 4)
				spoilt.rows[i][3] = rotations[k];
			else if (k < 7)
				spoilt.rows[i][k - 4] = (int8_t)(spoilt.n + 1);
			else
				spoilt.rows[i][0] = spoilt.rows[i][1] = spoilt.rows[i][2] = -128;
			ck_assert_int_eq(cube_poses_read_compact(spoilt.back, spoilt.n,
								 (const int8_t(*)[4])spoilt.rows,
								 spoilt.count, &spoilt.error),
					 k < 4 ? CUBE_FORM_VALUE : CUBE_FORM_PLACE);
			ck_assert_uint_eq(spoilt.error.index, i);
			memcpy(spoilt.rows[i], right, 4);
		}
	}
	trial_end(&spoilt);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("poses_read");
	TCase *cases = tcase_create("poses_read");
	tcase_set_timeout(cases, 600);
	tcase_add_loop_test(cases, come_back, 0, SIZES);
	tcase_add_test(cases, assumed_identity_comes_back);
	tcase_add_loop_test(cases, wrong_poses, 0, SMALL);
	tcase_add_loop_test(cases, wrong_rows, 0, SMALL);
	suite_add_tcase(suite, cases);
	return run_suite(suite, 1 + SIZES + 2 * SMALL);
}
