/* facade_core.c: reading, turning and diagnosing one cube. */
#include "bindings/wasm/facade.h"

#include <stdlib.h>
#include <string.h>

#include "cube/algorithm.h"
#include "cube/cube.h"
#include "cube/facelets.h"
#include "cube/notation.h"

#define PROBLEMS_MAX 32

struct buffer {
	uint8_t *bytes;
	size_t room, length;
};
static struct buffer input, output;

static union {
	struct cube cube;
	uint8_t room[sizeof(struct cube) + CUBE_FACELETS_MAX * sizeof(uint16_t)];
} current;

static bool reserve(struct buffer *buffer, size_t bytes)
{
	if (bytes <= buffer->room)
		return true;
	size_t room = bytes < 2 * buffer->room ? 2 * buffer->room : bytes;
	uint8_t *moved = realloc(buffer->bytes, room);
	if (!moved)
		return false;
	buffer->bytes = moved;
	buffer->room = room;
	return true;
}

uint8_t *facade_input(size_t bytes)
{
	return reserve(&input, bytes + 1) ? input.bytes : NULL;
}

const uint8_t *facade_output(void)
{
	return output.bytes;
}

size_t facade_length(void)
{
	return output.length;
}

char *facade_room(size_t bytes)
{
	return reserve(&output, bytes + 1) ? (char *)output.bytes : NULL;
}

void facade_set_length(size_t length)
{
	output.length = length;
}

bool facade_say(const char *text)
{
	size_t length = strlen(text);
	if (!reserve(&output, output.length + length))
		return false;
	memcpy(output.bytes + output.length, text, length);
	output.length += length;
	return true;
}

bool facade_say_number(int64_t number)
{
	char digits[24];
	size_t at = sizeof(digits);
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	digits[--at] = '\0';
	do
		digits[--at] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	if (number < 0)
		digits[--at] = '-';
	return facade_say(digits + at);
}

struct cube *facade_cube(void)
{
	return &current.cube;
}

void facade_reset(int size)
{
	cube_init(&current.cube, size);
}

/* Writes the row of an error in a text. */
static int refuse(const struct cube_error *error)
{
	output.length = 0;
	bool said = facade_say_number((int64_t)error->offset) && facade_say("\t") &&
		    facade_say_number((int64_t)error->length) && facade_say("\t") &&
		    facade_say(cube_error_text(error->code)) && facade_say("\t") &&
		    facade_say(error->expected) && facade_say("\t") &&
		    facade_say(error->suggestion) && facade_say("\t") &&
		    facade_say(error->readings[0]) && facade_say("\t") &&
		    facade_say(error->readings[1]);
	return said ? FACADE_REFUSED : FACADE_NO_MEMORY;
}

struct cube_node *facade_moves(int size, size_t length, struct cube_alg *alg, int *end)
{
	return facade_moves_of(size, length, CUBE_DIALECT_SIGN, alg, end);
}

struct cube_node *facade_moves_of(int size, size_t length, int dialect, struct cube_alg *alg,
				  int *end)
{
	const char *text = (const char *)input.bytes;
	struct cube_error error;
	struct cube_node *nodes = malloc(cube_parse_nodes(text, length) * sizeof(*nodes) + 1);
	*end = FACADE_NO_MEMORY;
	if (!nodes)
		return NULL;
	if (cube_parse(text, length, size, (enum cube_dialect)dialect, nodes, alg, &error) ==
	    CUBE_OK) {
		*end = FACADE_OK;
		return nodes;
	}
	*end = refuse(&error);
	free(nodes);
	return NULL;
}

int facade_turn(size_t length)
{
	int end;
	struct cube_alg alg;
	struct cube_node *nodes = facade_moves(current.cube.size, length, &alg, &end);
	if (!nodes)
		return end;
	void *scratch = malloc(cube_alg_scratch_bytes(&alg) + 1);
	if (scratch)
		cube_alg_apply(&current.cube, &alg, scratch);
	free(scratch);
	free(nodes);
	return scratch ? FACADE_OK : FACADE_NO_MEMORY;
}

static bool say_problem(const struct cube_problem *problem)
{
	const char *fields[] = {problem->place, problem->piece, problem->letters, problem->repair};
	bool said = facade_say(cube_problem_name(problem->kind)) && facade_say("\t") &&
		    facade_say_number(problem->amount);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		said = said && facade_say("\t") && facade_say(fields[i]);
	return said && facade_say("\n");
}

int facade_read(size_t length)
{
	static struct cube_problem problems[PROBLEMS_MAX];
	struct cube_error error;
	int size;
	uint8_t *colors = malloc(length + CUBE_FACELETS_MAX);
	if (!colors)
		return FACADE_NO_MEMORY;
	if (cube_colors_parse((const char *)input.bytes, length, colors, &size, &error) !=
	    CUBE_OK) {
		free(colors);
		return refuse(&error);
	}
	size_t count = cube_from_colors(&current.cube, size, colors, problems, PROBLEMS_MAX);
	bool said = true;
	free(colors);
	output.length = 0;
	for (size_t i = 0; i < count && i < PROBLEMS_MAX; i++)
		said = said && say_problem(&problems[i]);
	return said ? (int)count : FACADE_NO_MEMORY;
}

void facade_facelets(void)
{
	size_t count = cube_facelets(current.cube.size);
	char *letters = facade_room(count);
	if (letters)
		cube_facelets_print(&current.cube, letters);
	output.length = letters ? count : 0;
}

int facade_solved(void)
{
	return cube_is_solved(&current.cube);
}
