/* solve_event.h: the event of a recorded solve, by its id of the WCA. Any thread. */
#ifndef SERVER_STORE_SOLVE_EVENT_H
#define SERVER_STORE_SOLVE_EVENT_H

enum solve_event {
	EVENT_USUAL, /* the one of its size: see solve_event_of() */
#define EVENT(constant, id, size, cstimer, puzzle, category) EVENT_##constant,
#include "server/store/events.def"
#undef EVENT
	EVENT_COUNT
};

/* The facts about each event; those of EVENT_USUAL are empty. */
struct solve_event_row {
	const char *id;
	int size;                      /* of the cube; 0: any, or no cube */
	const char *cstimer;           /* type of its scrambles, "": none */
	const char *puzzle, *category; /* of Twisty Timer */
};
extern const struct solve_event_row solve_events[EVENT_COUNT];

/* The event with this id; EVENT_USUAL if there is none. */
enum solve_event solve_event_find(const char *id);
/* The event, or for EVENT_USUAL the one of the size: 222 to 777, and EVENT_OTHER for other sizes and
 * for 0. Never EVENT_USUAL. */
enum solve_event solve_event_of(enum solve_event event, int size);
/* EVENT_USUAL if it is the usual one of that size, else the event: the form in which it is stored. */
enum solve_event solve_event_pack(enum solve_event event, int size);

#endif
