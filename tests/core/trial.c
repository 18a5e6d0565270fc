/* tests/core/trial.c: a cube whose colours are about to be spoilt, and what is said of it. */
#include "tests/core/trial.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/both.h"
#include "tests/core/mend.h"

struct trial *trial_create(int n)
{
	struct trial *trial = new_bytes(sizeof(*trial));
	*trial = (struct trial){.n = n, .cube = new_cube(n), .back = new_cube(n)};
	trial->colors = new_bytes(cube_facelets(n));
	trial->mended = new_bytes(cube_facelets(n));
	trial_turn(trial, NULL, 0);
	return trial;
}

void trial_destroy(struct trial *trial)
{
	free(trial->cube);
	free(trial->back);
	free(trial->colors);
	free(trial->mended);
	free(trial);
}

void trial_turn(struct trial *trial, struct gen *gen, int turns)
{
	for (int i = 0; i < turns; i++)
		cube_turn(trial->cube, gen_turn(gen, trial->n));
	for (size_t i = 0; i < cube_facelets(trial->n); i++)
		trial->colors[i] = (uint8_t)cube_color_at(trial->cube, i);
}

void trial_read(struct trial *trial)
{
	/* What is written beyond the problems that there are would show. */
	memset(trial->problems, 0x55, sizeof(trial->problems));
	trial->found = cube_from_colors(trial->back, trial->n, trial->colors, trial->problems,
					TRIAL_PROBLEMS);
	ck_assert_uint_le(trial->found, TRIAL_PROBLEMS);
	memset(trial->kinds, 0, sizeof(trial->kinds));
	trial->repairs = 0;
	for (size_t i = 0; i < trial->found; i++) {
		const struct cube_problem *problem = &trial->problems[i];
		ck_assert_uint_lt(problem->kind, CUBE_PROBLEM_KINDS);
		ck_assert_ptr_nonnull(memchr(problem->repair, 0, sizeof(problem->repair)));
		trial->kinds[problem->kind]++;
		trial->repairs += problem->repair[0] != '\0';
	}
	if (trial->found < TRIAL_PROBLEMS)
		ck_assert_int_eq(trial->problems[trial->found].place[0], 0x55);
	/* What does not fit is counted all the same. */
	ck_assert_uint_eq(cube_from_colors(trial->back, trial->n, trial->colors, NULL, 0),
			  trial->found);
}

bool trial_mend(struct trial *trial)
{
	memcpy(trial->mended, trial->colors, cube_facelets(trial->n));
	for (size_t i = 0; i < trial->found; i++)
		if (trial->problems[i].repair[0] &&
		    !mend(trial->n, trial->mended, trial->problems[i].repair))
			return false;
	return cube_from_colors(trial->back, trial->n, trial->mended, NULL, 0) == 0;
}

bool trial_is_solved(const struct trial *trial)
{
	size_t area = (size_t)trial->n * (size_t)trial->n;
	for (size_t i = 0; i < CUBE_FACES * area; i++)
		if (trial->mended[i] != trial->mended[i / area * area])
			return false;
	return true;
}

void trial_expect_one(const struct trial *trial, enum cube_problem_kind kind)
{
	ck_assert_uint_eq(trial->found, 1);
	ck_assert_int_eq(trial->problems[0].kind, kind);
	ck_assert_uint_eq(trial->repairs, 1);
}

uint8_t *trial_color(struct trial *trial, int face, int row, int column)
{
	return &trial->colors[(face * trial->n + row) * trial->n + column];
}

/* One of the 24 ways to hold a cube that is else as it was. */
void trial_hold(struct trial *trial, int number)
{
	cube_init(trial->cube, trial->n);
	for (int i = 0; i < number % 4; i++)
		cube_turn(trial->cube, cube_turn_make(trial->n, CUBE_U, 1, trial->n, 1));
	int face = number / 4 < 4 ? CUBE_R : CUBE_F,
	    times = number / 4 < 4 ? number / 4 : 2 * (number / 4) - 7;
	for (int i = 0; i < times; i++)
		cube_turn(trial->cube, cube_turn_make(trial->n, face, 1, trial->n, 1));
	trial_turn(trial, NULL, 0);
}
