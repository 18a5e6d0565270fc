/* tests/core/checked_cube.c: a cube of the library and one of the model, turned side by side. */
#include "cube/cube.h"
#include "tests/core/checked_cube.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *new_bytes(size_t bytes)
{
	void *memory = malloc(bytes > 0 ? bytes : 1);
	if (!memory)
		abort();
	return memory;
}

struct cube *new_cube(int size)
{
	struct cube *cube = new_bytes(cube_bytes(size));
	cube_init(cube, size);
	return cube;
}

struct checked_cube checked_create(int size)
{
	return (struct checked_cube){.cube = new_cube(size), .geo = geo_create(size)};
}

void checked_destroy(struct checked_cube *both)
{
	free(both->cube);
	geo_destroy(&both->geo);
}

void checked_solve(struct checked_cube *both)
{
	cube_init(both->cube, both->geo.size);
	geo_solve(&both->geo);
}

void checked_turn(struct checked_cube *both, struct cube_turn turn)
{
	cube_turn(both->cube, turn);
	geo_turn(&both->geo, geo_turn_from(both->geo.size, turn));
}

bool checked_moves(struct checked_cube *both, const char *text)
{
	struct geo_list list = {0};
	struct parsed parsed;
	bool read = geo_read(text, both->geo.size, 1000000, &list);
	if (!read)
		fprintf(stderr, "size %d: the model refuses: %s\n", both->geo.size, text);
	if (!parsed_read(&parsed, text, both->geo.size, CUBE_DIALECT_SIGN)) {
		geo_list_free(&list);
		return false;
	}
	geo_turn_all(&both->geo, &list);
	parsed_apply(both->cube, &parsed.alg);
	parsed_free(&parsed);
	geo_list_free(&list);
	return read;
}

bool checked_same(const struct checked_cube *both)
{
	return geo_same(&both->geo, both->cube);
}

/* The text is copied without its NUL, so that the sanitizers see every byte read beyond it. */
bool parsed_read(struct parsed *parsed, const char *text, int size, enum cube_dialect dialect)
{
	size_t length = strlen(text);
	char *bare = new_bytes(length);
	struct cube_error error;
	memcpy(bare, text, length);
	parsed->nodes = new_bytes(cube_parse_nodes(bare, length) * sizeof(*parsed->nodes));
	enum cube_error_code code =
		cube_parse(bare, length, size, dialect, parsed->nodes, &parsed->alg, &error);
	if (code != CUBE_OK) {
		fprintf(stderr, "size %d, %s at byte %zu of: %s\n", size, cube_error_text(code),
			error.offset, text);
		parsed_free(parsed);
	}
	free(bare);
	return code == CUBE_OK;
}

void parsed_free(struct parsed *parsed)
{
	free(parsed->nodes);
	parsed->nodes = NULL;
}

size_t parsed_turns(const char *text, int size, struct cube_turn *turns)
{
	struct parsed parsed;
	if (!parsed_read(&parsed, text, size, CUBE_DIALECT_SIGN))
		abort();
	const size_t count = parsed.alg.count;
	for (size_t i = 0; i < count; i++)
		turns[i] = parsed.alg.nodes[i].turn;
	parsed_free(&parsed);
	return count;
}

void parsed_apply(struct cube *cube, const struct cube_alg *alg)
{
	void *scratch = new_bytes(cube_alg_scratch_bytes(alg));
	cube_alg_apply(cube, alg, scratch);
	free(scratch);
}
