/* game.h: the cube of `cubed play` with its history, its timer and its lesson: what keys do to it,
 * without a terminal. Times are those of any clock that does not go back, in ms. */
#ifndef TERMINAL_PLAY_GAME_H
#define TERMINAL_PLAY_GAME_H

#include "cube/random.h"
#include "cube/solve.h"
#include "clients/terminal/play/keys.h"
#include "clients/terminal/play/timer.h"

/* A turn. Undo takes it back together with those after it that are joined to it. */
struct play_move {
	struct cube_turn turn;
	bool joined;   /* to the one before it */
	int64_t at_ms; /* when it was made */
};

/* The requests to a shared cube beside turns. */
enum play_change { PLAY_UNDO, PLAY_REDO, PLAY_SCRAMBLE, PLAY_RESET };

/* The way to the others who turn a shared cube. */
struct play_calls {
	/* NULL; or why the cube cannot be turned from here, in a sentence that lives on. */
	const char *(*refusal)(void *context);
	/* There are new turns after the ones that were sent. */
	void (*turned)(void *context);
	/* The change is to be made. The cube changes when it is confirmed. */
	void (*change)(void *context, enum play_change change);
};

/* A cube that others turn too: `base` is the cube as all see it, and on top of it are the own turns
 * that are not confirmed: moves[settled] .. moves[done - 1], of which the first `sent` are under
 * way. Undo takes back turns that were not sent; anything else is asked of the others. */
struct play_shared {
	const struct play_calls *calls; /* NULL: the cube is this player's alone */
	void *context;
	struct cube *base;
	size_t settled, sent;
	const char *status; /* of the connection, and who is there; one line */
};

/* The most turns of one step; of a whole lesson there may be thousands. */
#define PLAY_LESSON_TURNS 400

/* The step that is shown: first how to hold the cube and what to look for, then the moves. The turns
 * since `start` are compared with its turns. */
struct play_lesson {
	bool shown;
	bool moves_shown; /* the moves are shown too */
	size_t start;     /* number of moves done when it began */
	size_t count;     /* of its turns; 0: the cube is solved */
	size_t made;      /* of these */
	/* The part of the next one that is made: clockwise quarter turns, 0 to 3, of each layer
	 * from its face. */
	uint8_t part[CUBE_SIZE_MAX];
	size_t stray; /* turns after these that are not in the step */
	struct cube_turn turns[PLAY_LESSON_TURNS];
	const char *stage; /* its name */
	struct cube_solve_step step;
};

struct play {
	struct cube *cube;
	struct play_move *moves;      /* since the scramble or the solved cube */
	size_t done, count, capacity; /* moves in force; and those that can be redone */
	struct play_keys keys;
	struct play_timer timer;
	struct play_lesson lesson;
	struct play_shared shared;
	struct cube_random random; /* for scrambles */
	void *tables;              /* for scrambles of 2x2x2 and 3x3x3; else NULL */
	bool help;                 /* the keys are shown */
	bool oblique;              /* the cube is shown obliquely, not unfolded */
	bool scramble_asked;       /* Space was pressed while the timer ran */
	const char *message;       /* one line about the last key; "" */
};

/* A solved cube. False if out of memory; free it with play_finish() anyway. */
MUST_USE bool play_init(struct play *play, int size, enum play_layout layout,
			struct cube_random random);
void play_finish(struct play *play);

/* Makes the tables for scrambles, if there are none. Called before the first
 * scramble, so that no inspection has to wait for them. False if out of memory. */
MUST_USE bool play_prepare(struct play *play);

/* Presses a key; false: it quits. */
MUST_USE bool play_key(struct play *play, int key, int64_t now_ms);

/* After each change of the cube, for timer and lesson; `layers`: a layer was turned. */
void play_changed(struct play *play, bool layers, int64_t now_ms);
/* Makes room for one more move after `done`; false, with the message, if out of memory. */
MUST_USE bool play_make_room(struct play *play);

/* ---- shared.c: what happens to a shared cube ---- */

/* From now on the cube is shared, and is this one, without own turns. False if out of memory. */
MUST_USE bool play_share(struct play *play, const struct play_calls *calls, void *context,
			 const struct cube *cube);
/* The others have this cube now. The first `made` own turns that are under way are in it. */
void play_shared_restart(struct play *play, const struct cube *cube, size_t made, int64_t now_ms);
/* The first `count` own turns are confirmed. */
void play_shared_settle(struct play *play, size_t count);
/* Somebody turned the cube, or a change from here is confirmed; the own turns go on top of it. */
enum play_entry { PLAY_ENTRY_MOVES, PLAY_ENTRY_UNDO, PLAY_ENTRY_SCRAMBLE, PLAY_ENTRY_RESET };
MUST_USE bool play_shared_entry(struct play *play, enum play_entry kind,
				const struct cube_turn *turns, size_t count, int64_t now_ms);
/* The own turns are refused: they are taken back. */
void play_shared_refuse(struct play *play, int64_t now_ms);

/* ---- lesson.c ---- */

/* Returns whether there are lessons for cubes of that size. */
bool play_lesson_has(int size);
/* Shows the next step from here, without its moves. False if out of memory. */
MUST_USE bool play_lesson_begin(struct play *play);
/* After each change of the cube: how far the step is, or the next one. */
MUST_USE bool play_lesson_follow(struct play *play);
/* The turns of the step that are left; returns how many. */
#define PLAY_LESSON_LEFT (PLAY_LESSON_TURNS + CUBE_SIZE_MAX)
size_t play_lesson_left(const struct play_lesson *lesson, int size,
			struct cube_turn turns[PLAY_LESSON_LEFT]);

#endif
