/* core/format/plan.c: which repair is reported with which problem, and its words. */
#include "core/format/format_internal.h"

#include <stdio.h>
#include <string.h>

/* Returns the place for the next repair: with its problem, or aside if that is beyond the list. */
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

void cube_print_fix(char text[CUBE_REPAIR_BYTES], int n, const struct fix *fix)
{
	print_fix(text, CUBE_REPAIR_BYTES, n, fix->change, fix->count);
}

void cube_print_step(char text[CUBE_REPAIR_BYTES], const struct face_step *step)
{
	static const char *const ways[4] = {"", "a quarter clockwise", "by a half",
					    "a quarter counterclockwise"};
	const char face = cube_face_letters[step->face];
	if (step->turn > 0)
		snprintf(text, CUBE_REPAIR_BYTES, "turn the face %c %s", face, ways[step->turn]);
	else
		snprintf(text, CUBE_REPAIR_BYTES, "exchange the faces %c and %c", face,
			 cube_face_letters[step->other]);
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

void cube_plan_face(struct repair_plan *plan, size_t index, const struct face_step *step)
{
	plan->faces++;
	if (index < plan->stored)
		cube_print_step(plan->problems[index].repair, step);
}

/* The one repair that does everything, in `text`; else "". */
static enum repair_kind only_repair(const struct repair_plan *plan, const uint8_t *colors,
				    char text[CUBE_REPAIR_BYTES])
{
	uint8_t a, b;
	text[0] = '\0';
	if (!plan->hopeless && plan->repairs == 1) {
		memcpy(text, plan->first.repair, CUBE_REPAIR_BYTES);
		if (plan->changes == 2 && is_exchange(plan->change))
			return REPAIR_EXCHANGE;
		return memcmp(text, "recolour ", 9) == 0 ? REPAIR_RECOLOUR : REPAIR_PIECE;
	}
	if (!plan->hopeless && plan->changes == 2 && is_exchange(plan->change)) {
		print_fix(text, CUBE_REPAIR_BYTES, plan->size, plan->change, 2);
		return REPAIR_EXCHANGE;
	}
	if (plan->fits && cube_fix_scheme(plan->size, colors, &a, &b)) {
		snprintf(text, CUBE_REPAIR_BYTES, "exchange the colours %c and %c everywhere",
			 cube_face_letters[a], cube_face_letters[b]);
		return REPAIR_COLOURS;
	}
	return plan->hopeless || plan->repairs == 0 ? REPAIR_NONE : REPAIR_SEVERAL;
}

void cube_plan_finish(struct repair_plan *plan, const uint8_t *colors, bool fits)
{
	char only[CUBE_REPAIR_BYTES] = "";
	plan->fits = fits;
	plan->kind = plan->faces > 0 ? REPAIR_FACES : only_repair(plan, colors, only);
	if (plan->kind == REPAIR_SEVERAL)
		return;
	for (size_t i = plan->faces; i < plan->stored; i++)
		memset(plan->problems[i].repair, 0, sizeof(plan->problems[i].repair));
	if (plan->stored > 0 && plan->faces == 0)
		memcpy(plan->problems[0].repair, only, sizeof(only));
}
