/* tests/fuzz/fuzz_notation.c: any bytes as move text, for libFuzzer.
 *
 * The first byte chooses the size, the second the dialect, the rest is the text. Nothing may crash;
 * what is read must print to text that is read as the same moves and prints the same again; an
 * error must lie within the text and say something. */
#include "cube/cube.h"
#include "cube/link.h"

#include <stdlib.h>
#include <string.h>

#define CHECK(condition) ((condition) ? (void)0 : abort())

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct reading {
	struct cube_node *nodes;
	struct cube_alg alg;
	char *text; /* canonical */
	size_t length;
	struct cube *cube;
};

static void *allocate(size_t bytes)
{
	void *memory = malloc(bytes > 0 ? bytes : 1);
	CHECK(memory);
	return memory;
}

static enum cube_error_code read_text(struct reading *reading, const char *text, size_t length,
				      int n, enum cube_dialect dialect, struct cube_error *error)
{
	size_t room = cube_parse_nodes(text, length);
	CHECK(room <= (length + 1) * (memchr(text, '/', length) ? 4 : 1));
	reading->nodes = allocate(room * sizeof(*reading->nodes));
	enum cube_error_code code =
		cube_parse(text, length, n, dialect, reading->nodes, &reading->alg, error);
	if (code != CUBE_OK) {
		free(reading->nodes);
		return code;
	}
	CHECK(reading->alg.count <= room && reading->alg.depth <= CUBE_DEPTH_MAX);
	reading->length = cube_alg_print(&reading->alg, NULL, 0);
	reading->text = allocate(reading->length + 1);
	CHECK(cube_alg_print(&reading->alg, reading->text, reading->length + 1) == reading->length);
	CHECK(strlen(reading->text) == reading->length);
	reading->cube = allocate(cube_bytes(n));
	void *scratch = allocate(cube_alg_scratch_bytes(&reading->alg));
	cube_init(reading->cube, n);
	cube_alg_apply(reading->cube, &reading->alg, scratch);
	free(scratch);
	return code;
}

static void free_reading(struct reading *reading)
{
	free(reading->nodes);
	free(reading->text);
	free(reading->cube);
}

static void check_error(const struct cube_error *error, enum cube_error_code code, size_t length)
{
	CHECK(error->code == code && code < CUBE_ERROR_COUNT);
	CHECK(error->offset <= length && error->length <= length - error->offset);
	CHECK(error->length > 0 || error->offset == length);
	CHECK(memchr(error->expected, 0, sizeof(error->expected)));
	CHECK(memchr(error->suggestion, 0, sizeof(error->suggestion)));
	CHECK(error->expected[0] || error->suggestion[0]);
	for (int i = 0; i < 2; i++) {
		CHECK(memchr(error->readings[i], 0, sizeof(error->readings[i])));
		CHECK((error->readings[i][0] != 0) == (code == CUBE_ERROR_AMBIGUOUS));
	}
}

/* Shortened and written out, if that is not too long, they do the same; inverted, they undo it. */
static void check_algebra(const struct reading *reading, int n)
{
	struct cube_turn turns[500];
	struct cube *cube = allocate(cube_bytes(n));
	struct cube_node *nodes = allocate(reading->alg.count * sizeof(*nodes));
	void *scratch = allocate(cube_alg_scratch_bytes(&reading->alg));
	struct cube_alg inverse;
	size_t count;
	cube_init(cube, n);
	if (cube_alg_expand(&reading->alg, 500, turns, &count)) {
		CHECK(cube_alg_length(&reading->alg) == count);
		count = cube_turns_simplify(n, turns, count);
		CHECK(cube_turns_simplify(n, turns, count) == count);
		cube_turn_all(cube, turns, count);
		CHECK(cube_equal(cube, reading->cube));
	} else {
		cube_copy(cube, reading->cube);
	}
	cube_alg_inverse(&reading->alg, nodes, &inverse);
	cube_alg_apply(cube, &inverse, scratch);
	struct cube *solved = allocate(cube_bytes(n));
	cube_init(solved, n);
	CHECK(cube_equal(cube, solved));
	free(solved);
	free(cube);
	free(nodes);
	free(scratch);
}

/* The text as the query of a link: an error and notes must lie within the link. */
static void check_link(const char *text, size_t length, bool old)
{
	const char *site = old ? "https://alg.cubing.net/?" : "https://alpha.twizzle.net/edit/?";
	const size_t before = strlen(site), all = before + length;
	char *address = allocate(all);
	struct cube_link link = {.text = allocate(all),
				 .origin = allocate((all + 1) * sizeof(*link.origin))};
	struct cube_node *nodes = NULL;
	struct cube_error error;
	struct cube_notes notes = {0};
	struct cube_alg alg;
	memcpy(address, site, before);
	memcpy(address + before, text, length);
	memset(&error, 0xa5, sizeof(error));
	enum cube_error_code code = cube_link_read(address, all, &link, &error);
	if (code == CUBE_OK) {
		nodes = allocate(cube_link_nodes(&link) * sizeof(*nodes));
		code = cube_link_parse(&link, link.size, nodes, &alg, &notes, &error);
	}
	if (code != CUBE_OK)
		CHECK(error.code == code && error.offset <= all &&
		      error.length <= all - error.offset);
	for (size_t i = 0; code == CUBE_OK && i < notes.count; i++)
		CHECK(notes.note[i].offset <= all &&
		      notes.note[i].length <= all - notes.note[i].offset);
	free(address);
	free(link.text);
	free(link.origin);
	free(nodes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reading first, second;
	struct cube_error error;
	if (size < 2)
		return 0;
	/* Mostly small cubes: what can be wrong is wrong there, and they are fast. */
	int n = data[0] < 240 ? 2 + data[0] % 8 : 2 + data[0] % 16 * 6;
	enum cube_dialect dialect = (enum cube_dialect)(data[1] % CUBE_DIALECT_COUNT);
	size_t length = size - 2;
	/* A copy of its own size, so that no byte behind it can be read unseen. */
	char *text = allocate(length);
	memcpy(text, data + 2, length);
	if (data[1] & 0x80)
		check_link(text, length, data[1] & 0x40);
	memset(&error, 0xa5, sizeof(error));
	enum cube_error_code code = read_text(&first, text, length, n, dialect, &error);
	free(text);
	if (code != CUBE_OK) {
		check_error(&error, code, length);
		return 0;
	}
	CHECK(read_text(&second, first.text, first.length, n, CUBE_DIALECT_SIGN, &error) ==
	      CUBE_OK);
	CHECK(first.length == second.length && strcmp(first.text, second.text) == 0);
	CHECK(cube_equal(first.cube, second.cube));
	check_algebra(&first, n);
	free_reading(&first);
	free_reading(&second);
	return 0;
}
