/* cube/notation.h: reading move text, and writing it in each dialect.
 *
 *     alg      := (node (space* node)*)?            node := unit | pause | comment
 *     unit     := (move | group | commutator | conjugate) amount?
 *     move     := prefix? family                    prefix := (a '-')? b        a, b := [1-9][0-9]*
 *     family   := U R F D L B | the same + 'w' | u r f d l b | M E S | m e s | x y z | Uv Rv Fv Dv Lv Bv
 *     amount   := digits? "'"?                      the prime last: R2' (R U)3'
 *     group    := '(' alg ')'    commutator := '[' alg ',' alg ']'    conjugate := '[' alg ':' alg ']'
 *     pause    := '.'            comment := '//' to the end of the line, or '/' '*' ... '*' '/'
 *
 * The brackets around the whole text may be left out: "A: B", "A, B", "A: B, C". A/B, with brackets or
 * without, is [A: [B, A2']]. (A)x3, (A)^3 and (A)*3 are (A)3.
 *
 * docs/reference/notation.md gives the meaning of every token for every size, which pasted text is
 * corrected silently, and what is refused with which suggestion. Pauses, comments, turns by 0 quarters
 * (R0, R4) and groups repeated 0 times are read and dropped. Text with two possible readings is
 * refused, or, if one of them is the usual one, noted: R2L on a 3x3x3 is R2 L. */
#ifndef CUBE_NOTATION_H
#define CUBE_NOTATION_H

#include "cube/algorithm.h"

/* One row each: constant, name in the API, one line for people. */
#define CUBE_DIALECT_TABLE(X)                                                                      \
	X(CUBE_DIALECT_SIGN, "sign", "SiGN: what most people and cubing.js write")                 \
	X(CUBE_DIALECT_WCA, "wca", "WCA regulations, article 12: strict")                          \
	X(CUBE_DIALECT_INNER, "inner", "older literature: lower case is the inner slice")          \
	X(CUBE_DIALECT_NISSY, "nissy", "nissy, 3x3x3: moves in parentheses are on the inverse")    \
	X(CUBE_DIALECT_KOCIEMBA, "kociemba", "Kociemba's programs: R1 R2 R3, six faces")           \
	X(CUBE_DIALECT_RUBYKS, "rubyks", "the Rubyks gem: u ur u2, turn turn_over invert")

enum cube_dialect {
#define CUBE_DIALECT_ROW(constant, name, text) constant,
	CUBE_DIALECT_TABLE(CUBE_DIALECT_ROW)
#undef CUBE_DIALECT_ROW
		CUBE_DIALECT_COUNT
};

/* The dialect's name in the API, and its line for people. */
CUBE_API const char *cube_dialect_name(enum cube_dialect dialect);
CUBE_API const char *cube_dialect_text(enum cube_dialect dialect);
/* Finds a dialect by its name (not NUL-terminated); false if there is none. */
CUBE_API CUBE_MUST_USE bool cube_dialect_find(const char *name, size_t length,
					      enum cube_dialect *dialect);

/* A text that was read although something else may have been meant, such as "(R U) x6": the
 * rotation x6, or six times the group. */
#define CUBE_NOTES_MAX 8
struct cube_note {
	size_t offset, length; /* of the doubtful part, in bytes of the text */
	char detail[128];      /* a sentence for people */
	char readings[2][48];  /* clear ways to write it: as it was read, and the other; or "" */
};
struct cube_notes {
	size_t count; /* only the first CUBE_NOTES_MAX are listed */
	struct cube_note note[CUBE_NOTES_MAX];
};

/* The most nodes that text can make: for the caller to allocate. Never more than length + 1, or, if the
 * text has a slash, 4 (length + 1). */
CUBE_API size_t cube_parse_nodes(const char *text, size_t length);

/* Reads `length` bytes of UTF-8 for a cube of `size` into `nodes` (room for
 * cube_parse_nodes). On CUBE_OK `alg` refers to `nodes`; else `error` is filled and neither is
 * of use. Time is linear in the text; the stack is bounded by CUBE_DEPTH_MAX. The text need not
 * end with a NUL and no byte outside it is read. */
CUBE_API CUBE_MUST_USE enum cube_error_code
cube_parse(const char *text, size_t length, int size, enum cube_dialect dialect,
	   struct cube_node *nodes, struct cube_alg *alg, struct cube_error *error);

/* The same; `notes` are filled in as well, and valid only if the text can be read. */
CUBE_API CUBE_MUST_USE enum cube_error_code
cube_parse_noted(const char *text, size_t length, int size, enum cube_dialect dialect,
		 struct cube_node *nodes, struct cube_alg *alg, struct cube_notes *notes,
		 struct cube_error *error);

/* ---- writing ---- */

/* The one size that a dialect serves, or 0. */
CUBE_API int cube_dialect_size(enum cube_dialect dialect);
/* Returns true if the dialect has brackets and repeats, so that cube_alg_print_in() can write
 * it. */
CUBE_API bool cube_dialect_nests(enum cube_dialect dialect);

/* Canonical text in the words of a dialect that nests, like cube_alg_print: `inner` has r for 2R on sizes
 * above 3. */
CUBE_API size_t cube_alg_print_in(enum cube_dialect dialect, const struct cube_alg *alg, char *text,
				  size_t capacity);

/* Writes turns in the words of any dialect that serves the size, like cube_turns_print; `length` becomes
 * that of the text without its NUL. Read in the same dialect, it does the same to every sticker and
 * spin. A turn for which the dialect has no word becomes several: the wca's M is Lw L', and the rubyks
 * gem's Rw is l and a rotation. `kociemba` has no rotations at all: turns are named by the centres, as if
 * the cube were not rotated (M is L' R, and the U after it is an F). Returns false if the cube ends
 * rotated in it; `fault` is then the index of the turn from which on it stays rotated, and the text is
 * not valid. */
CUBE_API CUBE_MUST_USE bool cube_turns_print_in(enum cube_dialect dialect, int size,
						const struct cube_turn *turns, size_t count,
						char *text, size_t capacity, size_t *length,
						size_t *fault);

#endif
