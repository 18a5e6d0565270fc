/* core.c: what libcube takes for a turn, for reading notation and for applying an algorithm.
 *
 *     core DIRECTORY    with the texts of texts.mjs: 3.txt, 7.txt, brackets.txt
 *
 * Prints a line "name value" for each figure. All are measured in turn, ROUNDS times, and the least
 * is what counts: see least(). */
#include "cube/libcube.h"
#include "tests/bench/clock.h"

#include <stdio.h>
#include <string.h>

#define ROUNDS 60
#define SAMPLE_NS 300000 /* of one measure in one round */
#define TURNS 256
#define TEXT_MAX 65536

enum kind { INNER, OUTER, HALF, WIDE, ROTATION, KINDS };
static const char *const kind_name[KINDS] = {"inner", "outer", "half", "wide", "rotation"};
static const int sizes[] = {3, 5, 7, 20, 50, 100};
#define SIZES (int)(sizeof(sizes) / sizeof(sizes[0]))

static _Alignas(64) uint8_t memory[sizeof(struct cube) + CUBE_FACELETS_MAX * 2];
static struct cube_turn turns[SIZES][KINDS][TURNS];
static double sample[SIZES][KINDS][ROUNDS];

struct text {
	const char *name;
	int size;
	size_t length;
	char bytes[TEXT_MAX];
	struct cube_node *nodes;
	struct cube_alg alg;
	void *scratch;
	double parse[ROUNDS], apply[ROUNDS], both[ROUNDS];
};
static struct text texts[] = {
	{.name = "3", .size = 3}, {.name = "7", .size = 7}, {.name = "brackets", .size = 3}};
#define TEXTS (sizeof(texts) / sizeof(texts[0]))

static struct cube_turn turn_of(enum kind kind, int n, uint64_t *seed)
{
	int face = (int)random_below(seed, CUBE_FACES), from = 1, to = 1;
	int quarters = random_below(seed, 2) ? 1 : -1;
	if (kind == INNER)
		from = to = 2 + (int)random_below(seed, (uint32_t)n - 2);
	if (kind == WIDE)
		to = 2 + (int)random_below(seed, (uint32_t)n - 2);
	if (kind == ROTATION)
		to = n;
	return cube_turn_make(n, face, from, to, kind == HALF ? 2 : quarters);
}

/* Each turn works on what the one before left: a dependent chain. */
static double time_turns(int at, enum kind kind)
{
	struct cube *cube = (struct cube *)memory;
	cube_init(cube, sizes[at]);
	cube_turn_all(cube, turns[at][kind], TURNS);
	uint64_t begin = clock_ns(), now, count = 0;
	do {
		cube_turn_all(cube, turns[at][kind], TURNS);
		count += TURNS;
		now = clock_ns();
	} while (now - begin < SAMPLE_NS);
	return (double)(now - begin) / (double)count;
}

static bool text_read(struct text *text, const char *directory)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s.txt", directory, text->name);
	FILE *file = fopen(path, "rb");
	if (!file)
		return false;
	text->length = fread(text->bytes, 1, TEXT_MAX, file);
	fclose(file);
	text->nodes = calloc(cube_parse_nodes(text->bytes, text->length), sizeof(*text->nodes));
	return text->nodes != NULL;
}

static bool text_parse(struct text *text)
{
	struct cube_error error;
	return cube_parse(text->bytes, text->length, text->size, CUBE_DIALECT_SIGN, text->nodes,
			  &text->alg, &error) == CUBE_OK;
}

static void text_apply(struct text *text)
{
	cube_alg_apply((struct cube *)memory, &text->alg, text->scratch);
}

static bool text_prepare(struct text *text, const char *directory)
{
	if (!text_read(text, directory) || !text_parse(text))
		return false;
	text->scratch = malloc(cube_alg_scratch_bytes(&text->alg) + 1);
	return text->scratch != NULL;
}

/* ns for one time of reading, of applying, or of both. */
static double time_text(struct text *text, bool parse, bool apply)
{
	cube_init((struct cube *)memory, text->size);
	uint64_t begin = clock_ns(), now, count = 0;
	do {
		if (parse && !text_parse(text))
			exit(1);
		if (apply)
			text_apply(text);
		count++;
		now = clock_ns();
	} while (now - begin < SAMPLE_NS);
	return (double)(now - begin) / (double)count;
}

static void measure(int round)
{
	for (int i = 0; i < SIZES; i++)
		for (enum kind kind = 0; kind < KINDS; kind++)
			sample[i][kind][round] = time_turns(i, kind);
	for (size_t i = 0; i < TEXTS; i++) {
		texts[i].parse[round] = time_text(&texts[i], true, false);
		texts[i].apply[round] = time_text(&texts[i], false, true);
		texts[i].both[round] = time_text(&texts[i], true, true);
	}
}

static void print(void)
{
	for (int i = 0; i < SIZES; i++)
		for (enum kind kind = 0; kind < KINDS; kind++)
			printf("turn.%d.%s %.2f\n", sizes[i], kind_name[kind],
			       least(sample[i][kind], ROUNDS));
	for (size_t i = 0; i < TEXTS; i++) {
		struct text *text = &texts[i];
		printf("parse.%s %.2f\n", text->name,
		       (double)text->length * 1e3 / least(text->parse, ROUNDS));
		printf("apply.%s %.1f\n", text->name, least(text->apply, ROUNDS));
		printf("both.%s %.1f\n", text->name, least(text->both, ROUNDS));
	}
}

int main(int argc, char **argv)
{
	uint64_t seed = 88172645463325252u;
	if (argc != 2)
		return 2;
	for (int i = 0; i < SIZES; i++)
		for (enum kind kind = 0; kind < KINDS; kind++)
			for (int k = 0; k < TURNS; k++)
				turns[i][kind][k] = turn_of(kind, sizes[i], &seed);
	for (size_t i = 0; i < TEXTS; i++) {
		if (!text_prepare(&texts[i], argv[1])) {
			fprintf(stderr, "core: %s/%s.txt cannot be read\n", argv[1], texts[i].name);
			return 1;
		}
	}
	for (int round = 0; round < ROUNDS; round++)
		measure(round);
	print();
	return 0;
}
