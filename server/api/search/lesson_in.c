/* lesson_in.c: what a lesson is to be like: members of a request to solve. */
#include "server/api/search/lesson_in.h"

#include <string.h>

#include "server/api/input/input.h"

#define LANGUAGES_MAX 16

static const char any[] = "any"; /* of `first`: the layer that is furthest done */

static bool colors_refuse(struct context *ctx, const char *detail)
{
	return input_problem(ctx, "/colors", detail,
			     "for example white,red,green,yellow,orange,blue", NULL);
}

/* A name has letters, spaces, or bytes of other characters; what a sentence uses to mark pieces is no
 * part of it. */
static bool is_color(const char *name, size_t length)
{
	if (length == 0 || length > CUBE_LESSON_COLOR || name[0] == ' ' || name[length - 1] == ' ')
		return false;
	for (size_t i = 0; i < length; i++) {
		const unsigned char byte = (unsigned char)name[i];
		if (byte < 128 && byte != ' ' && !((byte | 32) >= 'a' && (byte | 32) <= 'z'))
			return false;
	}
	return true;
}

static bool read_colors(struct context *ctx, struct text text, struct solve_lesson *lesson)
{
	const char *from = text.bytes, *end = text.bytes + text.length;
	for (int color = 0; color < CUBE_FACES; color++) {
		const char *comma = memchr(from, ',', (size_t)(end - from));
		const bool last = color == CUBE_FACES - 1;
		if ((comma == NULL) != last)
			return colors_refuse(
				ctx, "Must be six names with commas between them, of the sides U, "
				     "R, F, D, L and B of a solved cube.");
		const size_t length = (size_t)((last ? end : comma) - from);
		if (!is_color(from, length))
			return colors_refuse(ctx, "The name of a colour is letters, with spaces "
						  "between them, of up to 24 bytes in UTF-8.");
		if (text_is((struct text){from, length}, any))
			return colors_refuse(ctx, "No colour can be named \"any\": first uses it.");
		memcpy(lesson->colors[color], from, length);
		lesson->colors[color][length] = '\0';
		for (int other = 0; other < color; other++)
			if (strcmp(lesson->colors[other], lesson->colors[color]) == 0)
				return colors_refuse(ctx, "Each colour needs a name of its own.");
		if (!last)
			from = comma + 1;
	}
	return true;
}

static bool read_language(struct context *ctx, struct text text, struct solve_lesson *lesson)
{
	const char *names[LANGUAGES_MAX];
	uint8_t language = 0;
	size_t count = 0;
	while (count < LANGUAGES_MAX && cube_lesson_language(count)) {
		names[count] = cube_lesson_language(count);
		count++;
	}
	if (!input_choice(ctx, text, "/language", "language", names, count, &language))
		return false;
	lesson->language = language;
	return true;
}

/* A colour by its name, a side of the solved cube by its letter, or "any". */
static bool read_first(struct context *ctx, struct text text, struct solve_lesson *lesson)
{
	struct cube_lesson_words words = {.language = lesson->language};
	const char *names[CUBE_FACES + 1];
	const char *letter =
		text.length == 1 ? memchr(cube_face_letters, text.bytes[0], CUBE_FACES) : NULL;
	for (int color = 0; color < CUBE_FACES; color++)
		names[color] = lesson->colors[color][0] ? lesson->colors[color]
							: cube_lesson_color(&words, color);
	names[CUBE_FACES] = any;
	if (letter) {
		lesson->first = (uint8_t)(letter - cube_face_letters);
		return true;
	}
	return input_choice(ctx, text, "/first", "colour", names, CUBE_FACES + 1, &lesson->first);
}

bool lesson_read(struct context *ctx, const struct lesson_members *in, struct solve_lesson *lesson)
{
	lesson->steps = (unsigned)in->steps;
	return (!in->language.bytes || read_language(ctx, in->language, lesson)) &&
	       (!in->colors.bytes || read_colors(ctx, in->colors, lesson)) &&
	       (!in->first.bytes || read_first(ctx, in->first, lesson));
}

bool lesson_refuse(struct context *ctx, const struct lesson_members *in)
{
	const char *pointer = in->first.bytes      ? "/first"
			      : in->colors.bytes   ? "/colors"
			      : in->language.bytes ? "/language"
			      : in->steps > 0      ? "/steps"
						   : NULL;
	if (!pointer)
		return true;
	return input_problem(ctx, pointer, "Only for a lesson; send it with a method that teaches.",
			     "method beginner", NULL);
}
