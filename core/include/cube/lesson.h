/* cube/lesson.h: what a lesson says: how to hold the cube, a hint, why these moves; titles and aims of
 * its stages, its algorithms. Sentences are made from a table of words for each language.
 *
 * Methods that teach (cube_solver.teaches) give their steps a note. Its pieces are named by the colours of
 * their stickers ("the white-green edge"), its places by the sides as the cube is held in that step
 * ("the top front right"). All of it holds for the cube turned as a whole by the first `rotations`
 * turns of the step, and so do the other turns of the step: after the rotations, "front" is the side
 * that F turns.
 *
 *     struct cube_lesson_words words = {0};
 *     char text[CUBE_LESSON_TEXT];
 *     for (size_t i = 0; i < solution.step_count; i++) {
 *             puts(cube_lesson_say(&words, CUBE_LESSON_HOLD, &solution.steps[i].note, text));
 *             puts(cube_lesson_say(&words, CUBE_LESSON_STEP, &solution.steps[i].note, text));
 *     }
 *
 * All functions are pure and take microseconds. */
#ifndef CUBE_LESSON_H
#define CUBE_LESSON_H

#include "cube/turn.h"

/* Bytes for any text, with its NUL; names of colours that are longer than CUBE_LESSON_COLOR bytes
 * are cut. */
#define CUBE_LESSON_TEXT 2048
#define CUBE_LESSON_COLOR 24

/* Turns and numbers in a note about a larger cube; bytes of the moves of an algorithm. */
#define CUBE_LESSON_TURNS 20
#define CUBE_LESSON_NUMBERS 7
#define CUBE_LESSON_MOVES 128

/* Names in a note: pieces by the letters of their colours, places by those of the sides. */
#define CUBE_LESSON_NAMES 17

/* The content of a note about a step, for cube_lesson_say(). */
struct cube_lesson_note {
	uint16_t hold, hint;         /* rows of the table of words; hold 0: nothing to say */
	uint16_t ready, main, after; /* sentences of the step; 0: none */
	uint8_t row;                 /* of the method's algorithms */
	uint8_t quarters;            /* of the top layer before the algorithm; 0..3 */
	uint8_t times;               /* of the algorithm in succession */
	uint8_t up, front; /* the colours of the sides U and F, as faces of the solved cube */
	uint8_t first;     /* the colour of the first layer */
	char name[CUBE_LESSON_NAMES][4];
	/* For steps that only larger cubes have: the size (otherwise 0), the turns, the first
	 * `setup` of which bring pieces into position, and where or how many pieces there are. */
	uint8_t size, turns, setup;
	uint8_t number[CUBE_LESSON_NUMBERS];
	struct cube_turn turn[CUBE_LESSON_TURNS];
};

/* The language, size and colours that texts use. All zeros: English, and the colours of the WCA. */
struct cube_lesson_words {
	unsigned language;              /* index of cube_lesson_language() */
	int size;                       /* of the cube; 0: 3 */
	const char *colors[CUBE_FACES]; /* of the faces U R F D L B of the solved cube; NULL: white,
					   red, green, yellow, orange, blue in that language */
};

/* The languages: "en"; NULL past the last one. */
CUBE_API CUBE_MUST_USE const char *cube_lesson_language(size_t index);
/* Finds one by name (not NUL-terminated); false if there is none. */
CUBE_API CUBE_MUST_USE bool cube_lesson_language_find(const char *name, size_t length,
						      unsigned *language);

/* The name of a colour 0..5 as the texts use it. */
CUBE_API const char *cube_lesson_color(const struct cube_lesson_words *words, int color);

enum cube_lesson_part {
	CUBE_LESSON_HOLD, /* the way to hold the cube */
	CUBE_LESSON_HINT, /* the thing to look for, before the moves are shown */
	CUBE_LESSON_STEP, /* the effect of the moves */
};

/* Writes a part of what is said about a step; returns `text`. */
CUBE_API const char *cube_lesson_say(const struct cube_lesson_words *words,
				     enum cube_lesson_part part,
				     const struct cube_lesson_note *note,
				     char text[CUBE_LESSON_TEXT]);

/* The way of a piece in a step, for an arrow: its place before the step and after it, as the cube is held in
 * it; false past the last. `index` is below CUBE_LESSON_ARROWS. `from` and `to` have four bytes. */
#define CUBE_LESSON_ARROWS 3
CUBE_API CUBE_MUST_USE bool cube_lesson_arrow(const struct cube_lesson_note *note, size_t index,
					      char from[4], char to[4]);

/* The edges whose pieces a step of a larger cube brings together, by their places before it; false past the last.
 * `place` has four bytes. */
CUBE_API CUBE_MUST_USE bool cube_lesson_edge(const struct cube_lesson_note *note, size_t index,
					     char place[4]);
/* The colours of that edge, by their letters. */
CUBE_API const char *cube_lesson_edge_colors(const struct cube_lesson_note *note);

/* The title of a stage (a name of cube_solver.stages) and its aim in a sentence. `first` is the colour of
 * the first layer. They write to `text` and return it; NULL if no lesson has a stage of that name. */
CUBE_API const char *cube_lesson_title(const struct cube_lesson_words *words, const char *stage,
				       char text[CUBE_LESSON_TEXT]);
CUBE_API const char *cube_lesson_aim(const struct cube_lesson_words *words, const char *stage,
				     int first, char text[CUBE_LESSON_TEXT]);

/* Returns something that a beginner has to know once: how moves are written, how pieces are named.
 * NULL past the last one. */
CUBE_API const char *cube_lesson_introduction(const struct cube_lesson_words *words, size_t index,
					      int first, char text[CUBE_LESSON_TEXT]);

/* The algorithms of a stage in order; false past the last. */
struct cube_lesson_algorithm {
	char moves[CUBE_LESSON_MOVES];
	char name[CUBE_LESSON_TEXT];
	char text[CUBE_LESSON_TEXT]; /* when it is used, and why it works */
};
CUBE_API CUBE_MUST_USE bool cube_lesson_algorithm(const struct cube_lesson_words *words,
						  const char *stage, size_t index, int first,
						  struct cube_lesson_algorithm *algorithm);

#endif
