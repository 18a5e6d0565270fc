/* core/format/plan.c: which repair is reported with which problem, and its words. */
#include "core/format/format_internal.h"

#include <stdio.h>
#include <string.h>

/* Where to write the next repair: with its problem, or aside where that is beyond the list. */
static char *begin_repair(struct repair_plan *plan, size_t index, struct cube_problem *spare)
{
	plan->repairs++;
	return index < plan->stored ? plan->problems[index].repair : spare->repair;
}

/* Keeps the first repair, which may have to move. */
static void keep_first(struct repair_plan *plan, const char *text)
{
	if (plan->repairs == 1)
		memcpy(plan->first.repair, text, sizeof(plan->first.repair));
}

/* "facelet 20 (F row 1 column 3)" */
static int print_facelet(char *text, size_t room, int n, unsigned facelet)
{
	unsigned size = (unsigned)n;
	return snprintf(text, room, "facelet %u (%c row %u column %u)", facelet,
			cube_face_letters[facelet / size / size], facelet / size % size + 1,
			facelet % size + 1);
}

static bool is_exchange(const struct recolor change[2])
{
	return change[0].from == change[1].to && change[0].to == change[1].from;
}

static void print_fix(char *text, size_t room, int n, const struct recolor *change, int count)
{
	size_t length;
	if (count == 2 && is_exchange(change)) {
		bool ascending = change[0].facelet < change[1].facelet;
		length = (size_t)snprintf(text, room, "exchange ");
		length += (size_t)print_facelet(text + length, room - length, n,
						change[!ascending].facelet);
		length += (size_t)snprintf(text + length, room - length, " and ");
		print_facelet(text + length, room - length, n, change[ascending].facelet);
		return;
	}
	length = (size_t)snprintf(text, room, "recolour ");
	for (int i = 0; i < count; i++) {
		length += (size_t)snprintf(text + length, room - length, "%s", i > 0 ? ", " : "");
		length += (size_t)print_facelet(text + length, room - length, n, change[i].facelet);
		length += (size_t)snprintf(text + length, room - length, " from %c to %c",
					   cube_face_letters[change[i].from],
					   cube_face_letters[change[i].to]);
	}
}

void cube_plan_fix(struct repair_plan *plan, size_t index, const struct fix *fix)
{
	struct cube_problem spare;
	if (fix->count < 0)
		plan->hopeless = true;
	if (fix->count <= 0)
		return;
	for (int i = 0; i < fix->count; i++, plan->changes++)
		if (plan->changes < 2)
			plan->change[plan->changes] = fix->change[i];
	char *text = begin_repair(plan, index, &spare);
	print_fix(text, sizeof(spare.repair), plan->size, fix->change, fix->count);
	keep_first(plan, text);
}

/* These move whole pieces, which is never merged with anything. */
#define MANY_CHANGES 3

void cube_plan_twist(struct repair_plan *plan, size_t index, const char *name, int amount)
{
	struct cube_problem spare;
	char *text = begin_repair(plan, index, &spare);
	snprintf(text, sizeof(spare.repair), "twist %s %s", name,
		 amount == 1 ? "counterclockwise" : "clockwise");
	plan->changes += MANY_CHANGES;
	keep_first(plan, text);
}

void cube_plan_flip(struct repair_plan *plan, size_t index, const char *name)
{
	struct cube_problem spare;
	char *text = begin_repair(plan, index, &spare);
	snprintf(text, sizeof(spare.repair), "flip %s", name);
	plan->changes += MANY_CHANGES;
	keep_first(plan, text);
}

void cube_plan_swap(struct repair_plan *plan, size_t index, const char *a, const char *b)
{
	struct cube_problem spare;
	char *text = begin_repair(plan, index, &spare);
	snprintf(text, sizeof(spare.repair), "swap %s and %s", a, b);
	plan->changes += MANY_CHANGES;
	keep_first(plan, text);
}

void cube_plan_finish(struct repair_plan *plan, const uint8_t *colors, bool scheme)
{
	struct cube_problem only = {0};
	uint8_t a, b;
	if (!plan->hopeless && plan->repairs == 1)
		memcpy(only.repair, plan->first.repair, sizeof(only.repair));
	else if (!plan->hopeless && plan->changes == 2 && is_exchange(plan->change))
		print_fix(only.repair, sizeof(only.repair), plan->size, plan->change, 2);
	else if (scheme && cube_fix_scheme(plan->size, colors, &a, &b))
		snprintf(only.repair, sizeof(only.repair),
			 "exchange the colours %c and %c everywhere", cube_face_letters[a],
			 cube_face_letters[b]);
	else if (!plan->hopeless)
		return;
	for (size_t i = 0; i < plan->stored; i++)
		memset(plan->problems[i].repair, 0, sizeof(plan->problems[i].repair));
	if (plan->stored > 0)
		memcpy(plan->problems[0].repair, only.repair, sizeof(only.repair));
}
