/* solve_event.c: the table of events. */
#include "server/store/solve_event.h"

#include <string.h>

const struct solve_event_row solve_events[EVENT_COUNT] = {
	{"", 0, "", "", ""},
#define EVENT(constant, id, size, cstimer, puzzle, category) {id, size, cstimer, puzzle, category},
#include "server/store/events.def"
#undef EVENT
};

enum solve_event solve_event_find(const char *id)
{
	for (enum solve_event i = EVENT_USUAL + 1; i < EVENT_COUNT; i++)
		if (strcmp(solve_events[i].id, id) == 0)
			return i;
	return EVENT_USUAL;
}

enum solve_event solve_event_of(enum solve_event event, int size)
{
	if (event != EVENT_USUAL)
		return event;
	return size >= 2 && size <= 7 ? (enum solve_event)(EVENT_222 + size - 2) : EVENT_OTHER;
}

enum solve_event solve_event_pack(enum solve_event event, int size)
{
	return event == solve_event_of(EVENT_USUAL, size) ? EVENT_USUAL : event;
}
