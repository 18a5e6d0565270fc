/* cstimer_types.h: csTimer's names of types of scrambles (scrdata in its src/lang). Any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_CSTIMER_TYPES_H
#define SERVER_MODULES_TIMES_FILES_CSTIMER_TYPES_H

#include "server/json/slice.h"
#include "server/store/solve_event.h"

/* Returns the event of a type ("333", "444wca"); EVENT_OTHER for training and what is unknown. Size
 * 0: another puzzle, or unknown. */
enum solve_event cstimer_event_of(struct span type, int *size);

#define CSTIMER_TYPE_MAX 16
/* The type of an event; "input" if csTimer has none. */
void cstimer_type_print(char text[CSTIMER_TYPE_MAX], enum solve_event event, int size);

#endif
