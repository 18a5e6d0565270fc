/* draw.c: the timer, the lesson and the help, drawn on a screen around the cube. */
#include "clients/terminal/play/draw_internal.h"

#include <stdio.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/lesson.h"

#define TEXT_BYTES 8192

/* ---- text ---- */

/* Writes a line in place of all that is in the row. */
static void put_line(struct play_screen *screen, int row, const char *text, size_t length)
{
	for (int column = 0; column < screen->columns; column++) {
		const char letter = (size_t)column < length ? text[column] : ' ';
		play_put(screen, row, column, letter >= ' ' && letter <= '~' ? letter : '?',
			 PLAY_PLAIN);
	}
}

/* The length of the next line of a text, at most `columns`, cut between words if possible. */
static size_t line_length(const char *text, int columns)
{
	const size_t end = strcspn(text, "\n"), most = (size_t)columns;
	if (end <= most)
		return end;
	size_t cut = most;
	while (cut > 0 && text[cut] != ' ')
		cut--;
	return cut > 0 ? cut : most;
}

int play_put_lines(struct play_screen *screen, int row, int columns, const char *text)
{
	int rows = 0;
	while (*text) {
		const size_t length = line_length(text, columns);
		if (screen)
			put_line(screen, row + rows, text, length);
		text += length;
		if (*text == ' ' || *text == '\n')
			text++;
		rows++;
	}
	return rows;
}

/* ---- the lines around the cube ---- */

/* "3x3x3   inspection: 7   solves 6, best 9.87". */
static void title_text(const struct play *play, int64_t now_ms, char *text, size_t capacity)
{
	char time[PLAY_TIMER_BYTES], summary[PLAY_TIMER_BYTES];
	const int n = play->cube->size;
	play_timer_text(&play->timer, now_ms, time);
	play_timer_summary(&play->timer, summary);
	if (!time[0])
		snprintf(time, sizeof time, "%s", cube_is_solved(play->cube) ? "solved" : "");
	snprintf(text, capacity, "%dx%dx%d  %s%s%s", n, n, n, time, summary[0] ? "  " : "",
		 summary);
}

static void append(char *text, const char *more)
{
	const size_t length = strlen(text);
	snprintf(text + length, TEXT_BYTES - length, "%s", more);
}

static void append_turns(char *text, int size, const struct cube_turn *turns, size_t count)
{
	char moves[PLAY_LESSON_LEFT * CUBE_TURN_TEXT_MAX];
	cube_turns_print(size, turns, count, moves, sizeof moves);
	append(text, moves);
}

/* The moves of the step that are left, with what they do. */
static void lesson_moves(const struct play *play, const struct cube_lesson_words *words, char *text)
{
	const struct play_lesson *lesson = &play->lesson;
	struct cube_turn turns[PLAY_LESSON_LEFT];
	char said[CUBE_LESSON_TEXT];
	append(text, cube_lesson_say(words, CUBE_LESSON_STEP, &lesson->step.note, said));
	append(text, "\nMoves: ");
	append_turns(text, play->cube->size, turns,
		     play_lesson_left(lesson, play->cube->size, turns));
	append(text, "  (Tab makes them)\n");
}

static void lesson_text(const struct play *play, char *text)
{
	const struct play_lesson *lesson = &play->lesson;
	const struct cube_lesson_words words = {.size = play->cube->size};
	char said[CUBE_LESSON_TEXT];
	if (lesson->count == 0) {
		append(text, "Lesson: the cube is solved.\n");
		return;
	}
	append(text, "Lesson: ");
	if (cube_lesson_title(&words, lesson->stage, said))
		append(text, said);
	append(text, ". ");
	append(text, cube_lesson_say(&words, CUBE_LESSON_HOLD, &lesson->step.note, said));
	append(text, "\n");
	if (lesson->stray > 0) {
		append(text, "That was not the next move. Left takes it back; Tab shows a step "
			     "from here.\n");
	} else if (lesson->moves_shown) {
		lesson_moves(play, &words, text);
	} else {
		append(text, cube_lesson_say(&words, CUBE_LESSON_HINT, &lesson->step.note, said));
		append(text, "  (Tab shows the moves)\n");
	}
}

/* The newest moves, as many as fit in a line. */
static void append_history(const struct play *play, int columns, char *text)
{
	char line[CUBE_TURN_TEXT_MAX * 32];
	struct cube_turn turns[24];
	size_t count = play->done < 24 ? play->done : 24;
	for (size_t i = 0; i < count; i++)
		turns[i] = play->moves[play->done - count + i].turn;
	for (size_t first = 0; first < count; first++) {
		const char *dots = play->done - count + first > 0 ? "... " : "";
		const size_t length = cube_turns_print(play->cube->size, turns + first,
						       count - first, line, sizeof line);
		if (length + strlen(dots) > (size_t)columns)
			continue;
		append(text, dots);
		append(text, line);
		append(text, "\n");
		return;
	}
}

/* The lines below the cube: the lesson and the message, or without a lesson one line for either the
 * message or the newest moves, so that the cube keeps its size; then where to find help. */
static void foot_text(const struct play *play, int columns, char *text)
{
	text[0] = '\0';
	if (play->lesson.shown)
		lesson_text(play, text);
	else if (!play->message[0])
		append_history(play, columns, text);
	append(text, play->message);
	if (play->message[0] || !text[0])
		append(text, "\n");
	if (play->shared.calls) {
		append(text, "? keys   ");
		append(text, play->shared.status);
		return;
	}
	append(text, play->keys.layout == PLAY_LETTERS
			     ? "? keys   Space scramble   Tab lesson   q quit"
			     : "? keys   Space scramble   Tab lesson   Ctrl-C quit");
}

static void draw_help(struct play_screen *screen, const struct play *play)
{
	char text[PLAY_HELP_BYTES];
	int row = 0;
	snprintf(text, sizeof text, "Keys (%s). Any key returns to the cube.",
		 play_layout_names[play->keys.layout]);
	row += play_put_lines(screen, row, screen->columns, text) + 1;
	for (size_t i = 0; play_keys_help(play->keys.layout, i, play->cube->size, text); i++)
		put_line(screen, row++, text, strlen(text));
}

void play_draw(struct play_screen *screen, const struct play *play, int64_t now_ms)
{
	char text[TEXT_BYTES];
	for (int i = 0; i < screen->rows * screen->columns; i++)
		screen->cells[i] = (struct play_cell){' ', PLAY_PLAIN};
	if (play->help) {
		draw_help(screen, play);
		return;
	}
	foot_text(play, screen->columns, text);
	const int foot = play_put_lines(NULL, 0, screen->columns, text);
	/* If there is too little room, what is drawn later covers what was drawn before. */
	play_draw_cube(screen, 1, screen->rows - 1 - foot, play->cube, play->oblique);
	play_put_lines(screen, screen->rows - foot, screen->columns, text);
	title_text(play, now_ms, text, sizeof text);
	put_line(screen, 0, text, strlen(text));
}
