/* tests/core/generate.c: seeded random turns and move text. */
#include "tests/core/generate.h"
#include "tests/core/sanitized.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64 (Steele, Lea, Flood 2014). */
uint32_t gen_below(struct gen *gen, uint32_t below)
{
	uint64_t z = gen->state += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (uint32_t)(((z ^ (z >> 31)) >> 32) * below >> 32);
}

bool gen_long(void)
{
	const char *longer = getenv("CUBED_TEST_LONG");
	return longer && strcmp(longer, "1") == 0;
}

static uint32_t some_of(uint32_t count)
{
	return SANITIZED ? (count + 3) / 4 : count;
}

uint32_t gen_rounds(uint32_t rounds)
{
	return gen_long() ? 20 * rounds : some_of(rounds);
}

uint32_t gen_states(uint32_t states)
{
	return gen_long() ? 1000000 : some_of(states);
}

static int between(struct gen *gen, int low, int high)
{
	return low + (int)gen_below(gen, (uint32_t)(high - low + 1));
}

struct cube_turn gen_turn(struct gen *gen, int size)
{
	int from = between(gen, 1, size), to = between(gen, from, size);
	return cube_turn_make(size, between(gen, 0, 5), from, to, between(gen, -2, 2));
}

/* A text under construction. */
struct text {
	struct gen *gen;
	char *at, *end;
	int size;
};

static void put(struct text *text, const char *word)
{
	size_t length = strlen(word);
	assert(text->end - text->at > (ptrdiff_t)length);
	memcpy(text->at, word, length + 1);
	text->at += length;
}

static void put_amount(struct text *text, int most)
{
	char word[8];
	switch (gen_below(text->gen, 5)) {
	case 0:
		put(text, "'");
		break;
	case 1:
	case 2:
		snprintf(word, sizeof(word), "%d%s", between(text->gen, 0, most),
			 gen_below(text->gen, 2) ? "'" : "");
		put(text, word);
		break;
	default:
		break;
	}
}

/* A layer or range before a face, and whether the face is big, small or with a w. */
static void put_layers(struct text *text)
{
	struct gen *gen = text->gen;
	int n = text->size, face = between(gen, 0, 5), a = between(gen, 1, n),
	    b = between(gen, a, n);
	bool wide = n > 2 && gen_below(gen, 3) == 0;
	char word[16] = "";
	if (gen_below(gen, 4) == 0 && !(a == 1 && b == n)) {
		snprintf(word, sizeof(word), "%d-%d", a, b);
		wide = gen_below(gen, 3) > 0;
	} else if (gen_below(gen, 2) == 0) {
		snprintf(word, sizeof(word), "%d", wide && b == n ? n - 1 : b);
	}
	put(text, word);
	snprintf(word, sizeof(word), "%c", (wide ? "urfdlb" : "URFDLB")[face]);
	if (wide && gen_below(gen, 2))
		snprintf(word, sizeof(word), "%cw", "URFDLB"[face]);
	put(text, word);
}

static void put_move(struct text *text)
{
	struct gen *gen = text->gen;
	char word[4] = "";
	switch (gen_below(gen, 10)) {
	case 0:
		word[0] = "xyz"[gen_below(gen, 3)];
		break;
	case 1:
		snprintf(word, sizeof(word), "%cv", "URFDLB"[gen_below(gen, 6)]);
		break;
	case 2:
		word[0] = (text->size % 2 ? "MES" : "xyz")[gen_below(gen, 3)];
		break;
	case 3:
		word[0] = (text->size > 2 ? "mes" : "xyz")[gen_below(gen, 3)];
		break;
	case 4:
	case 5:
	case 6:
		word[0] = "URFDLB"[gen_below(gen, 6)];
		break;
	default:
		put_layers(text);
		break;
	}
	put(text, word);
	put_amount(text, 7);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Between the unit that ends before `text->at` and the next. */
static void put_blank(struct text *text)
{
	static const char *const fillers[] = {"\t",        "\n",        ".", " . ",
					      " // R U\n", " /* [ */ ", "  "};
	put(text, gen_below(text->gen, 3) ? " " : fillers[gen_below(text->gen, 7)]);
}

/* Now and then takes back the space before the unit, where no number can be read across. */
static void join(struct text *text, char *unit)
{
	if (unit[-1] == ' ' && unit[-2] != ' ' && !is_digit(unit[-2]) && !is_digit(unit[0]) &&
	    gen_below(text->gen, 4) == 0) {
		memmove(unit - 1, unit, (size_t)(text->at - unit) + 1);
		text->at--;
	}
}

/* Room that all the brackets' ends and one more unit fit into. */
#define ROOM_LEFT 200

static void put_units(struct text *text, int depth, int units)
{
	struct gen *gen = text->gen;
	int count = between(gen, 0, units);
	for (int i = 0; i < count && text->end - text->at > ROOM_LEFT; i++) {
		if (i > 0)
			put_blank(text);
		char *unit = text->at;
		if (depth == 0 || gen_below(gen, 4) > 0) {
			put_move(text);
		} else {
			bool round = gen_below(gen, 3) == 0;
			put(text, round ? "(" : "[");
			put_units(text, depth - 1, units / 2 + 1);
			if (!round) {
				put(text, gen_below(gen, 2) ? "," : ":");
				put_units(text, depth - 1, units / 2 + 1);
			}
			put(text, round ? ")" : "]");
			put_amount(text, 4);
		}
		if (i > 0)
			join(text, unit);
	}
}

void gen_text(struct gen *gen, int size, int depth, int units, char text[GEN_TEXT_MAX])
{
	struct text out = {.gen = gen, .at = text, .end = text + GEN_TEXT_MAX - 1, .size = size};
	*text = '\0';
	put_units(&out, depth, units);
}
