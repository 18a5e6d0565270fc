/* tests/core/checked_cube.h: a cube of the library and one of the model, turned side by side. */
#ifndef TESTS_CORE_CHECKED_CUBE_H
#define TESTS_CORE_CHECKED_CUBE_H

#include "cube/facelets.h"
#include "cube/notation.h"
#include "tests/core/geometry.h"

struct checked_cube {
	struct cube *cube;
	struct geo geo;
};

/* Solved cubes of that size, and their end. */
struct checked_cube checked_create(int size);
void checked_destroy(struct checked_cube *both);
void checked_solve(struct checked_cube *both);
void checked_turn(struct checked_cube *both, struct cube_turn turn);
/* Reads the text with both readers and applies it; false, with a message on stderr, if either refuses. */
bool checked_moves(struct checked_cube *both, const char *text);
bool checked_same(const struct checked_cube *both);

/* An algorithm read by the library, with its nodes. */
struct parsed {
	struct cube_node *nodes;
	struct cube_alg alg;
};

/* False, with a message on stderr, if the library refuses the text. */
bool parsed_read(struct parsed *parsed, const char *text, int size, enum cube_dialect dialect);
void parsed_free(struct parsed *parsed);
/* Reads moves such as "R U2 M x", a turn each, which must be right; returns their number. */
size_t parsed_turns(const char *text, int size, struct cube_turn *turns);
/* cube_alg_apply with scratch of exactly the bytes it asks for. */
void parsed_apply(struct cube *cube, const struct cube_alg *alg);

struct cube *new_cube(int size);
/* malloc that never fails and gives a pointer for 0 bytes too. */
void *new_bytes(size_t bytes);

#endif
