/* judge.h: what the state at the end of a solve is worth (WCA Regulations 10e).
 *
 * A solved cube has no penalty, however it is held; one move off is +2; more is DNF. A move is one
 * face or one block of outer layers, turned by any amount (12a1): an inner slice that is off is two
 * moves, and so DNF. */
#ifndef SERVER_MODULES_TIMES_JUDGE_H
#define SERVER_MODULES_TIMES_JUDGE_H

#include "cube/turn.h"

/* 0, PENALTY_TWO or PENALTY_DNF. Turns the cube and restores it. O(n^3). */
int64_t judge_state(struct cube *cube);
/* The most time that it takes, roughly, in ns. */
uint64_t judge_cost(int size);

#endif
