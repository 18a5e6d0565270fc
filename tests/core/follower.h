/* tests/core/follower.h: hands that know only what a lesson says: how the cube is to be held, and the
 * sentences. They turn what a sentence names when it names it, and look whether every piece is where
 * the sentence says at that moment, and faces where it says. */
#ifndef TESTS_CORE_FOLLOWER_H
#define TESTS_CORE_FOLLOWER_H

#include "cube/lesson.h"
#include "cube/solve.h"
#include "tests/core/run.h"

/* The hands. */
struct follower {
	const struct cube_lesson_words *words;
	struct cube *cube;
	int size;
	char sides[7];       /* of a 2x2x2: the colours of its sides once it is solved */
	char colors[6];      /* of the piece that was named last, by letter; "" none */
	char made[256];      /* moves that were made in this step */
	char group[128];     /* the group of the last row of moves */
	struct cube *before; /* of a larger cube: before the last move */
	uint16_t block[25];  /* the centre pieces that were named last */
	int blocks;
	char stays[2][8]; /* the pieces that stay: colours, place */
	int claims;
	const char *text;
};

/* ck_assert writes to a file each time, which would take longer than everything else. */
#define EXPECT(condition, follower)                                                                \
	do {                                                                                       \
		if (!(condition))                                                                  \
			ck_abort_msg("%s: %s", #condition, (follower)->text);                      \
	} while (0)

/* The facelets of each place of a corner or edge. */
#define FOLLOWER_PLACES 20
extern size_t follower_facelets[FOLLOWER_PLACES][3];

/* Before a cube of another size is followed. */
void follower_see_places(int size);
/* The edges of a larger cube have several pieces: the facelets of each. */
#define FOLLOWER_CORNERS 8
#define FOLLOWER_CELLS 5
extern size_t follower_cells[FOLLOWER_PLACES][FOLLOWER_CELLS][2];
/* The place with these sides, in any order; FOLLOWER_PLACES: none. */
size_t follower_place(const char *sides);
int follower_color(const struct follower *follower, size_t facelet);
/* Returns true if the piece with these colours is there. */
bool follower_sees(const struct follower *follower, const char *colors, const char *sides);

/* The letter of a colour's name at the beginning of a text, and its length; else NUL. */
char follower_color_in(const struct follower *follower, const char *text, size_t *length);
/* The letter of a side's name at the beginning of a text; else NUL. */
char follower_side_in(const char *text);

/* follower_large.c: checks what a text about a larger cube claims at `at`: rows, columns, how many pieces. */
void follower_hear_large(struct follower *follower, const char *at);
/* Returns the numbers of centres and of edges that are of one colour on each side. */
int follower_centers(const struct follower *follower);
int follower_pairs(const struct follower *follower);

/* Looks whether the cube is held as the text says. */
void follower_hold(struct follower *follower, const char *text, const struct cube_solve_step *step);
/* Does what the text says, from left to right, and checks what it claims. */
void follower_do(struct follower *follower, const char *text);

#endif
