/* tests/core/trial.h: a cube whose colours are about to be spoilt, and what is said of it. */
#ifndef TESTS_CORE_TRIAL_H
#define TESTS_CORE_TRIAL_H

#include "cube/facelets.h"
#include "tests/core/generate.h"

/* More than any cube of up to 7 layers can have. */
#define TRIAL_PROBLEMS 512

struct trial {
	int n;
	struct cube *cube, *back;
	uint8_t *colors, *mended;
	struct cube_problem problems[TRIAL_PROBLEMS];
	size_t found;
	int kinds[CUBE_PROBLEM_KINDS]; /* how many of each were found */
	size_t repairs;                /* how many are told */
};

/* A solved cube, and the end of it. */
struct trial *trial_create(int n);
void trial_destroy(struct trial *trial);

/* Turns it on at random, whole-cube turns among them, and takes its colours. */
void trial_turn(struct trial *trial, struct gen *gen, int turns);

/* Solves it, held in way `number` of 24. */
void trial_hold(struct trial *trial, int number);

/* Asks the library for the problems. */
void trial_read(struct trial *trial);

/* Does all repairs that are told; true where the colours are a cube then (`back`). */
bool trial_mend(struct trial *trial);

/* Whether each face of what trial_mend() made has one colour. */
bool trial_is_solved(const struct trial *trial);

/* Nothing is wrong but that, once; and the only repair is that of the first problem. */
void trial_expect_one(const struct trial *trial, enum cube_problem_kind kind);

uint8_t *trial_color(struct trial *trial, int face, int row, int column);

#endif
