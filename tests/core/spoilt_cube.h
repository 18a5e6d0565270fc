/* tests/core/spoilt_cube.h: a cube whose colours are about to be spoilt, and what is said of it. */
#ifndef TESTS_CORE_SPOILT_CUBE_H
#define TESTS_CORE_SPOILT_CUBE_H

#include "cube/facelets.h"
#include "tests/core/generate.h"

/* More than any cube of up to 7 layers can have. */
#define SPOILT_PROBLEMS 512

struct spoilt_cube {
	int n;
	struct cube *cube, *back;
	uint8_t *colors, *repaired;
	struct cube_problem problems[SPOILT_PROBLEMS];
	size_t found;
	int kinds[CUBE_PROBLEM_KINDS]; /* the number found of each */
	size_t repairs;                /* the number reported */
};

/* A solved cube, and the end of it. */
struct spoilt_cube *spoilt_create(int n);
void spoilt_destroy(struct spoilt_cube *spoilt);

/* Turns it on at random, whole-cube turns among them, and takes its colours. */
void spoilt_turn(struct spoilt_cube *spoilt, struct gen *gen, int turns);

/* Solves it, held in way `number` of 24. */
void spoilt_hold(struct spoilt_cube *spoilt, int number);

/* Asks the library for the problems. */
void spoilt_read(struct spoilt_cube *spoilt);

/* Does all reported repairs; true if the colours are a cube then (`back`). */
bool spoilt_repair(struct spoilt_cube *spoilt);

/* Returns true if each face of the cube that spoilt_repair() made has one colour. */
bool spoilt_is_solved(const struct spoilt_cube *spoilt);

/* Nothing is wrong but that, once; and the only repair is that of the first problem. */
void spoilt_expect_one(const struct spoilt_cube *spoilt, enum cube_problem_kind kind);

uint8_t *spoilt_color(struct spoilt_cube *spoilt, int face, int row, int column);

#endif
