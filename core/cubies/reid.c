/* core/cubies/reid.c: the Singmaster and Reid string, written and read. */
#include "cube/cube.h"
#include "cube/reid.h"

#include <assert.h>
#include <string.h>

#include "core/error.h"
#include "core/hold.h"
#include "core/utf8.h"
#include "cube/facelets.h"

#define NAMES 20
#define EDGES 12
#define LETTERS (2 * EDGES + 3 * (NAMES - EDGES))

/* The facelets of the places, in the order of their names, one after the other. */
static const uint8_t facelets[LETTERS] = {
	7,  19, 5,  10, 1,  46, 3,  37, 28, 25, 32, 16, /* UF UR UB UL DF DR */
	34, 52, 30, 43, 23, 12, 21, 41, 48, 14, 50, 39, /* DB DL FR FL BR BL */
	8,  20, 9,  2,  11, 45, 0,  47, 36, 6,  38, 18, /* UFR URB UBL ULF */
	29, 15, 26, 27, 24, 44, 33, 42, 53, 35, 51, 17, /* DRF DFL DLB DBR */
};

static inline size_t letters_of(int name)
{
	return name < EDGES ? 2 : 3;
}

/* Turned home, the cube would show at each facelet what it shows now where the hold takes it. */
void cube_reid_print(const struct cube *cube, char text[CUBE_REID_BYTES])
{
	assert(cube->size == 3);
	int index = cube_hold_of(cube);
	assert(index >= 0);
	const struct cube_hold *hold = &cube_hold_table.hold[index];
	const uint8_t *facelet = facelets;
	for (int name = 0; name < NAMES; name++) {
		for (size_t i = 0; i < letters_of(name); i++, facelet++) {
			int face = *facelet / 9, row = *facelet / 3 % 3, column = *facelet % 3;
			size_t at = cube_hold_facelet(hold, 3, face, row, column);
			*text++ = cube_face_letters[cube_color_at(cube, at)];
		}
		*text++ = name + 1 < NAMES ? ' ' : '\0';
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Refuses a name with the wrong number of letters; suggests a space between two names. */
static enum cube_error_code refuse_length(struct cube_error *error, int name, const char *text,
					  size_t offset, size_t length)
{
	error_fill(error, CUBE_ERROR_REID_NAME, offset, length,
		   name < EDGES ? "an edge of two letters: twelve of them, then eight corners"
				: "a corner of three letters: eight of them, after twelve edges");
	size_t half = length / 2;
	if (half == letters_of(name) && length == 2 * half) {
		memcpy(error->suggestion, text + offset, half);
		error->suggestion[half] = ' ';
		memcpy(error->suggestion + half + 1, text + offset + half, half);
	}
	return CUBE_ERROR_REID_NAME;
}

enum cube_error_code cube_reid_parse(const char *text, size_t length, uint8_t colors[54],
				     struct cube_error *error)
{
	const uint8_t *facelet = facelets;
	size_t at = 0;
	for (int name = 0;; name++) {
		while (at < length && is_blank(text[at]))
			at++;
		size_t start = at;
		if (at == length && name == NAMES)
			break;
		if (at == length)
			return error_fill(
				error, CUBE_ERROR_REID_COUNT, at, 0,
				"twelve edges of two letters, then eight corners of three");
		for (; at < length && !is_blank(text[at]); at++) {
			if (cube_color_of_letter(text[at]) >= 0)
				continue;
			size_t bytes = utf8_sequence(text + at, length - at);
			return error_fill(error, CUBE_ERROR_LETTER, at, bytes ? bytes : 1,
					  "a face U R F D L B or a colour W R G Y O B");
		}
		if (name == NAMES)
			return error_fill(error, CUBE_ERROR_REID_COUNT, start, at - start,
					  "no more than twenty names");
		if (at - start != letters_of(name))
			return refuse_length(error, name, text, start, at - start);
		for (size_t i = start; i < at; i++)
			colors[*facelet++] = (uint8_t)cube_color_of_letter(text[i]);
	}
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		colors[9 * face + 4] = face;
	return CUBE_OK;
}
