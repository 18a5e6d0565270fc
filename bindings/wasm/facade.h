/* facade.h: the calls of libcube that the JavaScript package makes. They are compiled to WebAssembly with the library, and, for the
 * tests, to native code.
 *
 * JavaScript writes what a call reads to the input, and reads what it answers from the output; both grow as needed, so
 * a pointer to one of them holds until the next call. Texts are UTF-8 without a NUL. A table is one line a row, with a
 * tab between its fields. There is one current cube, which most calls read or turn.
 *
 * facade_core.c reads, turns and diagnoses. facade.c has the rest, and allocates for it, which the library does not. */
#ifndef BINDINGS_WASM_FACADE_H
#define BINDINGS_WASM_FACADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Calls that JavaScript sees. */
#ifdef __wasm__
#define FACADE_CALL(name) __attribute__((export_name(#name)))
#define FACADE_IMPORT(name) __attribute__((import_module("cube"), import_name(#name)))
#else
#define FACADE_CALL(name)
#define FACADE_IMPORT(name)
#endif

enum facade_end {
	FACADE_OK = 0,
	FACADE_REFUSED = -1,   /* the output says why */
	FACADE_NO_METHOD = -2, /* nothing of that name serves the size */
	FACADE_NO_MEMORY = -3,
	FACADE_NONE = -4, /* the search found no solution */
};

/* ---- facade_core.c ---- */

struct cube;

/* Makes room for an input of that many bytes and returns it; NULL if there is no memory. */
FACADE_CALL(input) uint8_t *facade_input(size_t bytes);
FACADE_CALL(output) const uint8_t *facade_output(void);
FACADE_CALL(length) size_t facade_length(void);
/* Returns the current cube, whose memory has room for every size. */
FACADE_CALL(cube) struct cube *facade_cube(void);
/* Makes the current cube a solved one. */
FACADE_CALL(reset) void facade_reset(int size);
/* Turns the current cube by the moves in the input. Refused: a row of offset, length, what is wrong, what was expected,
 * a suggestion, and the two readings of what can be read in two ways. */
FACADE_CALL(turn) int facade_turn(size_t length);
/* Makes the colours in the input the current cube. Returns FACADE_OK; or FACADE_REFUSED, with a row as above, if they
 * cannot be read; or the number of problems: rows of kind, amount, place, piece, letters and repair. */
FACADE_CALL(read) int facade_read(size_t length);
/* Writes the letters of the current cube. */
FACADE_CALL(facelets) void facade_facelets(void);
FACADE_CALL(solved) int facade_solved(void);

/* For the other calls: makes room for that many bytes of output; NULL if there is no memory. */
char *facade_room(size_t bytes);
void facade_set_length(size_t length);
/* Allocates memory aligned for tables, states and a solver's work. Returns NULL if out of memory. The caller frees it. */
void *facade_aligned(size_t bytes);
/* Appends to the output: a text, a number, a character. */
bool facade_say(const char *text);
bool facade_say_number(int64_t number);

struct cube_alg;
struct cube_node;
/* Reads the moves in the input; NULL, with the output as that of facade_turn(), if they cannot be read. */
struct cube_node *facade_moves(int size, size_t length, struct cube_alg *alg, int *end);
struct cube_node *facade_moves_of(int size, size_t length, int dialect, struct cube_alg *alg,
				  int *end);

/* ---- facade.c ---- */

enum facade_form { FACADE_AS_WRITTEN, FACADE_INVERSE, FACADE_SIMPLIFIED };

/* Writes the moves in the input in one of the forms, after a line with their lengths in HTM, QTM, STM, QSTM and ETM. */
FACADE_CALL(rewrite) int facade_rewrite(int size, size_t length, int form);
/* Writes the moves in the input, of a dialect, as they are usually written, and in a second line one by one; without
 * that line if these are more than `most`. */
FACADE_CALL(parse) int facade_parse(int size, size_t length, int dialect, int most);
/* Writes the names of the dialects, in the order of their numbers, with a line for people each. */
FACADE_CALL(dialects) void facade_dialects(void);
/* Writes the single repairs of the colours in the input that are equally likely, one a row. Returns how many there are. */
FACADE_CALL(candidates) int facade_candidates(size_t length);
/* Makes the tables of the method in the input; an empty name is that of the default one. */
FACADE_CALL(prepare) int facade_prepare(int size, size_t length);
/* Returns the tables of the method in the input, without those of its base, for the caller to copy; NULL if they are not
 * made. */
FACADE_CALL(tables) const void *facade_tables(int size, size_t length);
/* Returns the size of these tables in bytes; 0 if the method has none. */
FACADE_CALL(tables_bytes) size_t facade_tables_bytes(int size, size_t length);
/* Returns memory into which the caller writes such a copy; NULL if out of memory, or if the method has no tables. */
FACADE_CALL(tables_place) void *facade_tables_place(int size, size_t length);
/* Checks the copy that was written there for the same method, and keeps it. Returns false, and frees it, if it is damaged
 * or of another version. */
FACADE_CALL(tables_give) bool facade_tables_give(int size, size_t length);
/* Solves the current cube by the method in the input, whose tables are made. Returns the length of the solution: its
 * moves, and with FACADE_STEPS a row for each: stage, moves, how many of these turn the whole cube, how to hold it, a
 * hint, and the effect; with FACADE_LESSON, of a method that teaches, the rows of facade_say_lesson(). */
enum facade_steps { FACADE_NO_STEPS, FACADE_STEPS, FACADE_LESSON };
FACADE_CALL(solve)
int facade_solve(size_t length, int longest, int enough, double nodes, int steps);
/* Returns the number of turns that every solution of the last cube has at least, as far as that was proved. */
FACADE_CALL(bound) int facade_bound(void);
/* Answers whether a search goes on; the program that links this file has it. `best` is -1 if there is no solution yet. */
FACADE_IMPORT(carry_on) int facade_carry_on(double nodes, int depth, int best);
/* Writes a scramble of a variant (cube/scramble.h) from the seed in the input; the tables that it needs are made.
 * FACADE_NO_METHOD: the size has no such variant. */
FACADE_CALL(scramble) int facade_scramble(int size, size_t length, int variant);
/* Makes a query of the name of a pattern in the input, or, with `items`, of its six arrays. It is kept; NULL if refused. */
FACADE_CALL(pattern) const void *facade_pattern(int size, size_t length, int items);
/* Matches `count` cubes whose colours (0..5, 6 * size * size bytes each) are in the input: a uint32_t each, its fits. */
FACADE_CALL(match) int facade_match(const void *pattern, int size, size_t count);
/* Draws the current cube as SVG in the view that the input names. */
FACADE_CALL(picture) int facade_picture(size_t length, int pixels);

/* Returns the tables of the method `optimal`, NULL if they are not made. */
const void *facade_optimal_tables(int size);

/* ---- facade_rows.c ---- */

/* Writes rows of random cubes of size 2 or 3, as numbers of that kind (a 2x2x2 has no features), then a byte of each
 * row's length and one of its last action; `shortest` below 0: uniform states, without these bytes. Of `more`,
 * FACADE_SYMMETRIC turns and mirrors each cube by the symmetry of its row, FACADE_CHILDREN adds to each cube's numbers
 * those of what each action makes of it, and FACADE_BOUNDS a byte for each of these cubes at the end: a lower bound of
 * its distance, for which the tables of `optimal` are made. */
enum facade_kind { FACADE_COLORS, FACADE_ONE_HOT, FACADE_FEATURES, FACADE_KINDS };
enum facade_more { FACADE_SYMMETRIC = 1, FACADE_CHILDREN = 2, FACADE_BOUNDS = 4 };
FACADE_CALL(rows)
int facade_rows(int size, uint64_t seed, uint64_t first, size_t count, int shortest, int longest,
		int kind, int more);

/* ---- facade_aim.c ---- */

/* Sets what the next scramble leads to, by the name in the input: a random state of a set ("pll") or of a case ("pll-t",
 * cube/sets.h), or one at that distance from a goal at a place ("cross U", cube/distance.h). Returns the size of the cube;
 * FACADE_NO_METHOD: there is no such case, or no such distance. */
FACADE_CALL(aim) int facade_aim(size_t length, int distance);
struct cube_scramble_task;
/* Adds it to a scramble of that size, once. */
void facade_take_aim(struct cube_scramble_task *task);

/* ---- facade_lesson.c ---- */

/* Sets the colour of the first layer of later lessons (0..5; 6: the one that is furthest done), and the names of the six
 * colours, separated by commas, in the input; an empty name is the usual one. */
FACADE_CALL(words) void facade_words(int first, size_t length);
int facade_first_layer(void);

struct cube_solver;
struct cube_solution;
/* Appends rows whose first field says what they are: `first` (the colour of the first layer), `introduction` (a text);
 * for each stage `stage` (name, title, aim), its `algorithm`s (name, moves, text), and its `step`s (piece, the colours
 * of the sides up and in front, the moves that hold it so, how to hold it, a hint, the effect, the other moves). */
int facade_say_lesson(const struct cube_solver *solver, int size,
		      const struct cube_solution *solution);
/* Appends turns as text. */
struct cube_turn;
int facade_say_turns(int size, const struct cube_turn *turns, size_t count);

#endif
