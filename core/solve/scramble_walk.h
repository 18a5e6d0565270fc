/* scramble_walk.h: scrambles of a few generators, by random turns of these. */
#ifndef CORE_SOLVE_SCRAMBLE_WALK_H
#define CORE_SOLVE_SCRAMBLE_WALK_H

#include "cube/scramble.h"

/* Writes a walk of task->generators into `turns` (cube_scramble_room()); returns how many turns. */
size_t scramble_walk(const struct cube_scramble_task *task, struct cube_turn *turns);

#endif
