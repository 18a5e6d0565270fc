/* transition.h: a table of the transitions that a state machine allows, one row a state:
 *
 *     const transition_row door_transitions[] = {
 *             [DOOR_OPEN] = TO(DOOR_SHUT),
 *             [DOOR_SHUT] = TO(DOOR_OPEN) | TO(DOOR_LOCKED),
 *             [DOOR_LOCKED] = TO(DOOR_SHUT),
 *     };
 *
 * The function that changes the state calls transition_assert() first. A transition that is not in
 * the table ends a checked build (checked.h); release builds do not look. */
#ifndef SERVER_UTIL_TRANSITION_H
#define SERVER_UTIL_TRANSITION_H

#include <stdint.h>

#include "server/util/checked.h"

/* A bit for each state that may follow. */
typedef uint16_t transition_row;

#define TO(state) (transition_row)(1u << (state))

static inline void transition_assert(const transition_row *table, unsigned from, unsigned to)
{
	checked_assert((table[from] >> to & 1) != 0);
}

#endif
