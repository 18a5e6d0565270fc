/* cstimer_types.c: csTimer's names of types of scrambles. */
#include "server/modules/times/files/cstimer_types.h"

#include <stdio.h>
#include <string.h>

static bool is_any(struct span text, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (span_is(text, names[i]))
			return true;
	return false;
}

/* Returns the event of a puzzle other than a cube: whole scrambles only, not training. */
static enum solve_event other_event(struct span type)
{
	static const struct {
		const char *name;
		enum solve_event event;
	} names[] = {
		{"clkwca", EVENT_CLOCK}, {"clko", EVENT_CLOCK}, {"clk", EVENT_CLOCK},
		{"clkc", EVENT_CLOCK},   {"clke", EVENT_CLOCK}, {"mgmp", EVENT_MINX},
		{"mgmc", EVENT_MINX},    {"mgmo", EVENT_MINX},  {"mgmso", EVENT_MINX},
		{"pyrso", EVENT_PYRAM},  {"pyro", EVENT_PYRAM}, {"pyrm", EVENT_PYRAM},
		{"skbso", EVENT_SKEWB},  {"skbo", EVENT_SKEWB}, {"skb", EVENT_SKEWB},
		{"sqrs", EVENT_SQ1},     {"sq1h", EVENT_SQ1},   {"sq1t", EVENT_SQ1},
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (span_is(type, names[i].name))
			return names[i].event;
	return EVENT_OTHER;
}

/* "333" and what follows it, if that is not training. */
static int size_of(struct span type, bool *whole)
{
	static const char *const scrambles[] = {"",  "so", "o",  "3", "6",  "wca",
						"m", "s",  "si", "p", "yj", "noob"};
	const char *name = type.bytes;
	*whole = true;
	if (span_is(type, "101010"))
		return 10;
	if (span_is(type, "111111"))
		return 11;
	if (type.length < 3 || name[0] < '2' || name[0] > '9' || name[1] != name[0] ||
	    name[2] != name[0])
		return 0;
	*whole = is_any((struct span){name + 3, type.length - 3}, scrambles,
			sizeof scrambles / sizeof scrambles[0]);
	return name[0] - '0';
}

enum solve_event cstimer_event_of(struct span type, int *size)
{
	bool whole;
	*size = size_of(type, &whole);
	for (enum solve_event i = EVENT_USUAL + 1; i < EVENT_COUNT; i++)
		if (solve_events[i].cstimer[0] && span_is(type, solve_events[i].cstimer)) {
			*size = solve_events[i].size;
			return i;
		}
	if (*size == 0)
		return other_event(type);
	return whole ? solve_event_of(EVENT_USUAL, *size) : EVENT_OTHER;
}

void cstimer_type_print(char text[CSTIMER_TYPE_MAX], enum solve_event event, int size)
{
	if (solve_events[event].cstimer[0])
		snprintf(text, CSTIMER_TYPE_MAX, "%s", solve_events[event].cstimer);
	else if (event == EVENT_OTHER && size >= 8 && size <= 11)
		snprintf(text, CSTIMER_TYPE_MAX, "%d%d%d", size, size, size);
	else
		snprintf(text, CSTIMER_TYPE_MAX, "input");
}
