/* timer.h: the timer of `cubed play`: inspection, the solve, its result, and what the results of this
 * run make together. Times are those of any clock that does not go back, in ms.
 *
 * As the WCA has it: a solve that begins after 15 s of inspection gets two seconds more, after 17 s
 * it does not count (A4d); single times are cut to hundredths. An average of 5 leaves out the best
 * and the worst; more than one DNF makes it DNF. Assisted solves are not among them. */
#ifndef TERMINAL_PLAY_TIMER_H
#define TERMINAL_PLAY_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PLAY_INSPECTION_MS 15000
#define PLAY_INSPECTION_LAST_MS 17000
#define PLAY_PLUS_MS 2000
#define PLAY_AVERAGE 5

enum play_timer_state {
	PLAY_TIMER_OFF,
	PLAY_TIMER_INSPECTION,
	PLAY_TIMER_RUNNING,
	PLAY_TIMER_DONE
};

struct play_timer {
	enum play_timer_state state;
	int64_t since_ms;           /* of this state */
	int64_t inspected_ms;       /* before this solve */
	int64_t time_ms;            /* of the solve that is done, without its penalty */
	bool assisted;              /* a lesson was shown since the scramble */
	size_t count;               /* of counted solves; DNF is one of them */
	int64_t best_ms;            /* with penalty; -1: none yet */
	int64_t last[PLAY_AVERAGE]; /* the newest counted ones, in a ring; -1: DNF */
};

/* All timers begin with it. */
void play_timer_init(struct play_timer *timer);

/* The cube was scrambled; a layer was turned; the cube is solved; it was reset. */
void play_timer_scrambled(struct play_timer *timer, int64_t now_ms);
void play_timer_turned(struct play_timer *timer, int64_t now_ms);
void play_timer_solved(struct play_timer *timer, int64_t now_ms);
void play_timer_reset(struct play_timer *timer);
/* A lesson was shown. */
void play_timer_assist(struct play_timer *timer);

/* Returns whether its text changes by itself. */
bool play_timer_ticks(const struct play_timer *timer);

#define PLAY_TIMER_BYTES 128
/* Writes the text for the title: "inspection: 7", "12.3", "solved in 12.34 + 2 = 14.34", ..., or
 * "". */
void play_timer_text(const struct play_timer *timer, int64_t now_ms, char text[PLAY_TIMER_BYTES]);
/* The results of this run: "solves 6, best 9.87, average of 5 11.02", or "". */
void play_timer_summary(const struct play_timer *timer, char text[PLAY_TIMER_BYTES]);

#endif
