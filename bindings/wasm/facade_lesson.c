/* facade_lesson.c: the texts of a lesson. */
#include "bindings/wasm/facade.h"

#include <string.h>

#include "cube/lesson.h"
#include "cube/libcube.h"

static int first_layer;
static char names[CUBE_FACES * (CUBE_LESSON_COLOR + 1)];
static struct cube_lesson_words words;

int facade_first_layer(void)
{
	return first_layer;
}

void facade_words(int first, size_t length)
{
	const char *from = (const char *)facade_input(length), *end = from + length;
	char *to = names;
	first_layer = first;
	words = (struct cube_lesson_words){0};
	for (int color = 0; color < CUBE_FACES && from < end; color++) {
		const char *comma = memchr(from, ',', (size_t)(end - from));
		size_t bytes = (size_t)((comma ? comma : end) - from);
		size_t kept = bytes < CUBE_LESSON_COLOR ? bytes : CUBE_LESSON_COLOR;
		memcpy(to, from, kept);
		to[kept] = '\0';
		words.colors[color] = kept > 0 ? to : NULL;
		to += kept + 1;
		from += bytes + 1;
	}
}

/* Appends fields, each behind a tab but the first, behind a new line. NULL ends them. */
static bool say_row(const char *const *fields)
{
	bool said = facade_say("\n");
	for (size_t i = 0; fields[i]; i++)
		said = said && (i == 0 || facade_say("\t")) && facade_say(fields[i]);
	return said;
}

static bool say_introduction(int first)
{
	static char text[CUBE_LESSON_TEXT];
	bool said = say_row((const char *[]){"first", cube_lesson_color(&words, first), NULL});
	for (size_t i = 0; said && cube_lesson_introduction(&words, i, first, text); i++)
		said = say_row((const char *[]){"introduction", text, NULL});
	return said;
}

static bool say_stage(const char *stage, int first)
{
	static char title[CUBE_LESSON_TEXT], aim[CUBE_LESSON_TEXT];
	static struct cube_lesson_algorithm algorithm;
	cube_lesson_title(&words, stage, title);
	cube_lesson_aim(&words, stage, first, aim);
	bool said = say_row((const char *[]){"stage", stage, title, aim, NULL});
	for (size_t i = 0; said && cube_lesson_algorithm(&words, stage, i, first, &algorithm); i++)
		said = say_row((const char *[]){"algorithm", algorithm.name, algorithm.moves,
						algorithm.text, NULL});
	return said;
}

static bool say_step(int size, const struct cube_solve_step *step, const struct cube_turn *turns)
{
	static char texts[3][CUBE_LESSON_TEXT];
	for (int part = CUBE_LESSON_HOLD; part <= CUBE_LESSON_STEP; part++)
		cube_lesson_say(&words, (enum cube_lesson_part)part, &step->note, texts[part]);
	return say_row((const char *[]){"step", step->piece,
					cube_lesson_color(&words, step->note.up),
					cube_lesson_color(&words, step->note.front), NULL}) &&
	       facade_say("\t") && facade_say_turns(size, turns, step->rotations) == FACADE_OK &&
	       facade_say("\t") && facade_say(texts[CUBE_LESSON_HOLD]) && facade_say("\t") &&
	       facade_say(texts[CUBE_LESSON_HINT]) && facade_say("\t") &&
	       facade_say(texts[CUBE_LESSON_STEP]) && facade_say("\t") &&
	       facade_say_turns(size, turns + step->rotations, step->count - step->rotations) ==
		       FACADE_OK;
}

int facade_say_lesson(const struct cube_solver *solver, int size,
		      const struct cube_solution *solution)
{
	const struct cube_turn *turns = solution->turns;
	const struct cube_solve_step *steps = solution->steps;
	const int first = solution->step_count > 0 ? steps[0].note.first : first_layer % CUBE_FACES;
	words.size = size;
	bool said = say_introduction(first);
	for (size_t i = 0; said && i < solution->step_count; i++) {
		if (i == 0 || steps[i].stage != steps[i - 1].stage)
			said = say_stage(solver->stages[steps[i].stage], steps[i].note.first);
		said = said && say_step(size, &steps[i], turns);
		turns += steps[i].count;
	}
	return said ? FACADE_OK : FACADE_NO_MEMORY;
}
