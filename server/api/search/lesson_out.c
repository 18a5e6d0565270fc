/* lesson_out.c: what a lesson says, in the answer to a request to solve. */
#include "cube/cube.h"
#include "server/api/search/lesson_out.h"

#include "server/api/search/lesson_picture.h"
#include "server/format/cube_out.h"

bool lesson_is(const struct solve_question *question, const struct solve_answer *answer)
{
	return question->solver->teaches && !question->goal && answer->count > 0;
}

size_t lesson_steps(const struct solve_question *question, const struct solve_answer *answer)
{
	const size_t most = question->lesson.steps;
	return lesson_is(question, answer) && most > 0 && most < answer->step_count
		       ? most
		       : answer->step_count;
}

static struct cube_lesson_words words_of(const struct solve_question *question)
{
	struct cube_lesson_words words = {.language = question->lesson.language,
					  .size = question->cube->size};
	for (int color = 0; color < CUBE_FACES; color++)
		if (question->lesson.colors[color][0])
			words.colors[color] = question->lesson.colors[color];
	return words;
}

/* The colour of the first layer: of a solved cube, the requested one. */
static int first_of(const struct solve_question *question, const struct solve_answer *answer)
{
	if (answer->step_count > 0)
		return answer->steps[0].note.first;
	return question->lesson.first % CUBE_FACES;
}

void lesson_write(struct out *out, const struct solve_question *question,
		  const struct solve_answer *answer)
{
	const struct cube_lesson_words words = words_of(question);
	const int first = first_of(question, answer);
	char text[CUBE_LESSON_TEXT];
	out_member_open(out, "lesson", '{');
	out_member_string(out, "language", cube_lesson_language(words.language));
	out_member_string(out, "first", cube_lesson_color(&words, first));
	out_member_integer(out, "steps", (int64_t)answer->step_count);
	out_member_open(out, "introduction", '[');
	for (size_t i = 0; cube_lesson_introduction(&words, i, first, text); i++)
		out_string(out, text);
	out_close(out, ']');
	out_close(out, '}');
}

static void write_algorithms(struct out *out, const struct cube_lesson_words *words,
			     const char *stage, int first)
{
	struct cube_lesson_algorithm algorithm;
	out_member_open(out, "algorithms", '[');
	for (size_t i = 0; cube_lesson_algorithm(words, stage, i, first, &algorithm); i++) {
		out_open(out, '{');
		out_member_string(out, "name", algorithm.name);
		out_member_string(out, "moves", algorithm.moves);
		out_member_string(out, "text", algorithm.text);
		out_close(out, '}');
	}
	out_close(out, ']');
}

void lesson_write_stage(struct out *out, const struct solve_question *question,
			const struct cube_solve_step *first)
{
	const struct cube_lesson_words words = words_of(question);
	const char *stage = question->solver->stages[first->stage];
	const int color = first->note.first;
	char text[CUBE_LESSON_TEXT], address[LESSON_PICTURE];
	out_member_string(out, "title", cube_lesson_title(&words, stage, text));
	out_member_string(out, "aim", cube_lesson_aim(&words, stage, color, text));
	lesson_picture_aim(question->cube->size, stage, &first->note, address);
	out_member_string(out, "picture", address);
	write_algorithms(out, &words, stage, color);
}

void lesson_write_text(struct out *out, const struct solve_question *question,
		       const struct cube_solve_step *step)
{
	const struct cube_lesson_words words = words_of(question);
	char text[CUBE_LESSON_TEXT];
	out_string(out, cube_lesson_say(&words, CUBE_LESSON_STEP, &step->note, text));
}

void lesson_write_step(struct out *out, const struct solve_question *question,
		       const struct cube_solve_step *step, const struct cube_turn *turns,
		       struct cube *cube)
{
	const struct cube_lesson_words words = words_of(question);
	char text[CUBE_LESSON_TEXT], address[LESSON_PICTURE];
	union lesson_cube after;
	out_member_open(out, "hold", '{');
	out_member_string(out, "up", cube_lesson_color(&words, step->note.up));
	out_member_string(out, "front", cube_lesson_color(&words, step->note.front));
	out_key(out, "moves");
	turns_write(out, cube->size, turns, step->rotations);
	out_member_string(out, "text",
			  cube_lesson_say(&words, CUBE_LESSON_HOLD, &step->note, text));
	out_close(out, '}');
	out_member_string(out, "hint",
			  cube_lesson_say(&words, CUBE_LESSON_HINT, &step->note, text));
	cube_turn_all(cube, turns, step->rotations);
	cube_copy(&after.cube, cube);
	cube_turn_all(&after.cube, turns + step->rotations, step->count - step->rotations);
	lesson_picture_case(question->solver->stages[step->stage], &step->note, cube, &after.cube,
			    address);
	out_member_string(out, "picture", address);
	cube_copy(cube, &after.cube);
}
