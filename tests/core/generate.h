/* tests/core/generate.h: seeded random turns and move text, the same on every machine. */
#ifndef TESTS_CORE_GENERATE_H
#define TESTS_CORE_GENERATE_H

#include "cube/turn.h"

struct gen {
	uint64_t state;
};

/* 0 .. below - 1. */
uint32_t gen_below(struct gen *gen, uint32_t below);

/* Any face, any layers, -2..2 quarter turns, whole cube included. */
struct cube_turn gen_turn(struct gen *gen, int size);

#define GEN_TEXT_MAX 4096

/* Move text of the default dialect without anything that can be read in two ways: every family of
 * moves that the size has, amounts with and without primes, groups, commutators and conjugates
 * up to `depth` deep, pauses and comments; now and then no space where none is needed. Up to
 * `units` units on the outermost level, not longer than GEN_TEXT_MAX - 1. */
void gen_text(struct gen *gen, int size, int depth, int units, char text[GEN_TEXT_MAX]);

/* `CUBED_TEST_LONG=1` makes long work of every random test: see `make test-long`. The sanitizers make
 * code several times slower, and need fewer rounds to find what they look for. */
bool gen_long(void);
/* Returns the number of rounds of a test: a quarter with a sanitizer, at least one; 20 times as many in
 * long tests. */
uint32_t gen_rounds(uint32_t rounds);
/* Returns the number of random states to try: `states`, a quarter of them with a sanitizer, or a million
 * in long tests. */
uint32_t gen_states(uint32_t states);

#endif
