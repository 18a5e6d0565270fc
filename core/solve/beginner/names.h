/* core/solve/beginner/names.h: the names in a note, and what the words call them. Internal. */
#ifndef CORE_SOLVE_BEGINNER_NAMES_H
#define CORE_SOLVE_BEGINNER_NAMES_H

/* NAME(constant, in the words, kind) */
#define BEGINNER_NAMES(NAME)                                                                       \
	NAME(NAME_PIECE, "piece", KIND_PIECE)                                                      \
	NAME(NAME_FROM, "from", KIND_PLACE)                                                        \
	NAME(NAME_FACING, "facing", KIND_FACING)                                                   \
	NAME(NAME_AT, "at", KIND_PLACE)                                                            \
	NAME(NAME_AT_FACING, "at-facing", KIND_FACING)                                             \
	NAME(NAME_TO, "to", KIND_PLACE)                                                            \
	NAME(NAME_A, "a", KIND_PIECE)                                                              \
	NAME(NAME_A_AT, "a-at", KIND_PLACE)                                                        \
	NAME(NAME_B, "b", KIND_PIECE)                                                              \
	NAME(NAME_B_AT, "b-at", KIND_PLACE)                                                        \
	NAME(NAME_C, "c", KIND_PIECE)                                                              \
	NAME(NAME_C_TO, "c-to", KIND_PLACE)                                                        \
	NAME(NAME_D, "d", KIND_PIECE)                                                              \
	NAME(NAME_D_TO, "d-to", KIND_PLACE)                                                        \
	NAME(NAME_E, "e", KIND_PIECE)                                                              \
	NAME(NAME_E_AT, "e-at", KIND_PLACE)                                                        \
	NAME(NAME_E_FACING, "e-facing", KIND_FACING)

enum beginner_name {
#define NAME(constant, text, kind) constant,
	BEGINNER_NAMES(NAME)
#undef NAME
		NAMES
};

/* The numbers in a note, counted from 1 with the outer layers; how many. */
enum large_number {
	LARGE_ROW_A,
	LARGE_ROW_B,
	LARGE_COLUMN_A,
	LARGE_COLUMN_B,
	LARGE_BEFORE,
	LARGE_AFTER,
	LARGE_OF,
	LARGE_NUMBERS
};

#endif
