/* tests/core/geometry_reader.c: the model's own reader of move text, and its count of turns.
 *
 * Written from the grammar as plainly as it can be: one function a rule, recursing, every repeat
 * and inverse written out turn by turn. It reads the default dialect in canonical spelling only;
 * what people paste, and saying what is wrong, is the library's task alone. */
#include "tests/core/geometry.h"

#include <stdlib.h>
#include <string.h>

struct reader {
	const char *at;
	int size;
	size_t limit;
};

void geo_list_add(struct geo_list *list, struct geo_turn turn)
{
	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 16;
		list->turns = realloc(list->turns, list->room * sizeof(*list->turns));
		if (!list->turns)
			abort();
	}
	list->turns[list->count++] = turn;
}

void geo_list_free(struct geo_list *list)
{
	free(list->turns);
	*list = (struct geo_list){0};
}

/* Appends `part` once, backwards and undone where `inverse`. */
static void add_all(struct geo_list *list, const struct geo_list *part, bool inverse)
{
	for (size_t i = 0; i < part->count; i++) {
		struct geo_turn turn = part->turns[inverse ? part->count - 1 - i : i];
		if (inverse)
			turn.quarters = -turn.quarters;
		geo_list_add(list, turn);
	}
}

/* Skips spaces, pauses and comments. */
static void skip(struct reader *reader)
{
	for (;;) {
		if (*reader->at != '\0' && strchr(" \t\r\n.", *reader->at)) {
			reader->at++;
		} else if (strncmp(reader->at, "//", 2) == 0) {
			reader->at += strcspn(reader->at, "\n");
		} else if (strncmp(reader->at, "/*", 2) == 0 && strstr(reader->at + 2, "*/")) {
			reader->at = strstr(reader->at + 2, "*/") + 2;
		} else {
			return;
		}
	}
}

/* A number without leading zeros, or -1 if there is none. */
static int64_t number(struct reader *reader)
{
	char *end;
	if (*reader->at < '0' || *reader->at > '9')
		return -1;
	int64_t value = strtoll(reader->at, &end, 10);
	if (*reader->at == '0' && end != reader->at + 1)
		return -1;
	reader->at = end;
	return value;
}

static int64_t amount(struct reader *reader)
{
	int64_t value = number(reader);
	if (value < 0)
		value = 1;
	if (*reader->at == '\'') {
		reader->at++;
		value = -value;
	}
	return value;
}

/* The sign before the amount of a bracket: a directly following x with digits, if no prime is after
 * them, which would make it a rotation. */
static void repeat_sign(struct reader *reader)
{
	const size_t digits = strspn(reader->at + (*reader->at == 'x'), "0123456789");
	if (*reader->at == 'x' && digits > 0 && reader->at[1 + digits] != '\'')
		reader->at++;
}

/* The face that a letter names, in either case; -1 if it names none. */
static int face_of_letter(char letter)
{
	const char *faces = "URFDLB", *found = strchr(faces, letter & ~0x20);
	return letter >= 'A' && letter <= 'z' && found ? (int)(found - faces) : -1;
}

/* M E S, m e s, x y z and Rv: layers that no prefix may change. */
static bool named_layers(struct reader *reader, int *face, int *from, int *to)
{
	int n = reader->size;
	char letter = *reader->at;
	switch (letter) {
	case 'M':
	case 'E':
	case 'S':
		*face = letter == 'M' ? CUBE_L : letter == 'E' ? CUBE_D : CUBE_F;
		*from = *to = (n + 1) / 2;
		reader->at += n % 2;
		return n % 2 == 1;
	case 'm':
	case 'e':
	case 's':
		*face = letter == 'm' ? CUBE_L : letter == 'e' ? CUBE_D : CUBE_F;
		*from = 2;
		*to = n - 1;
		reader->at += n > 2;
		return n > 2;
	case 'x':
	case 'y':
	case 'z':
		*face = letter == 'x' ? CUBE_R : letter == 'y' ? CUBE_U : CUBE_F;
		*from = 1;
		*to = n;
		reader->at++;
		return true;
	default:
		*face = letter <= 'Z' ? face_of_letter(letter) : -1;
		*from = 1;
		*to = n;
		if (*face < 0 || reader->at[1] != 'v')
			return false;
		reader->at += 2;
		return true;
	}
}

/* R, Rw, r with 'b' or 'a-b' before it. */
static bool outer_layers(struct reader *reader, int *face, int *from, int *to)
{
	int64_t a = 0, b = number(reader);
	if (b > 0 && *reader->at == '-') {
		reader->at++;
		a = b;
		b = number(reader);
		if (b < a)
			return false;
	}
	char letter = *reader->at;
	*face = face_of_letter(letter);
	if (*face < 0)
		return false;
	reader->at++;
	bool wide = letter >= 'a';
	if (!wide && *reader->at == 'w') {
		wide = true;
		reader->at++;
	}
	*to = b < 0 ? (wide ? 2 : 1) : (int)b;
	*from = a > 0 ? (int)a : wide ? 1 : *to;
	return *from >= 1 && *to <= reader->size && !(*from == 1 && *to == reader->size);
}

static bool move(struct reader *reader, struct geo_list *list)
{
	int face, from, to;
	if (!named_layers(reader, &face, &from, &to) && !outer_layers(reader, &face, &from, &to))
		return false;
	struct geo_turn turn = geo_turn_of(reader->size, face, from, to, amount(reader));
	if (turn.quarters % 4 != 0)
		geo_list_add(list, turn);
	return list->count <= reader->limit;
}

static bool sequence(struct reader *reader, struct geo_list *list);

/* After its opening bracket: ( A ) or [ A , B ] or [ A : B ], with its amount. */
static bool bracket(struct reader *reader, char open, struct geo_list *list)
{
	struct geo_list a = {0}, b = {0}, all = {0};
	bool right = sequence(reader, &a);
	char middle = *reader->at;
	if (right && open == '[') {
		right = middle == ',' || middle == ':';
		reader->at += right;
		right = right && sequence(reader, &b);
	}
	right = right && *reader->at == (open == '(' ? ')' : ']');
	if (right) {
		reader->at++;
		add_all(&all, &a, false);
		if (open == '[') {
			add_all(&all, &b, false);
			add_all(&all, &a, true);
		}
		if (open == '[' && middle == ',')
			add_all(&all, &b, true);
		repeat_sign(reader);
		int64_t times = amount(reader);
		for (int64_t i = 0; i < (times < 0 ? -times : times) && right && all.count > 0;
		     i++) {
			add_all(list, &all, times < 0);
			right = list->count <= reader->limit;
		}
	}
	geo_list_free(&a);
	geo_list_free(&b);
	geo_list_free(&all);
	return right;
}

/* Up to the end of the text or to a character that closes or parts a bracket. */
static bool sequence(struct reader *reader, struct geo_list *list)
{
	for (;;) {
		skip(reader);
		char next = *reader->at;
		if (next == '\0' || strchr(")],:", next))
			return true;
		if (next == '(' || next == '[') {
			reader->at++;
			if (!bracket(reader, next, list))
				return false;
		} else if (!move(reader, list)) {
			return false;
		}
	}
}

bool geo_read(const char *text, int size, size_t limit, struct geo_list *list)
{
	struct reader reader = {.at = text, .size = size, .limit = limit};
	return sequence(&reader, list) && *reader.at == '\0';
}

struct cube_metrics geo_metrics(int size, const struct geo_list *list)
{
	struct cube_metrics sum = {0};
	for (size_t i = 0; i < list->count; i++) {
		const struct geo_turn *turn = &list->turns[i];
		unsigned k = (unsigned)((turn->quarters % 4 + 4) % 4);
		unsigned quarters = k == 3 ? 1 : k, block = quarters > 0;
		bool low = turn->low == 1 - size, high = turn->high == size - 1;
		sum.etm += block;
		if (low && high)
			continue;
		unsigned weight = low || high ? 1 : 2;
		sum.htm += weight * block;
		sum.qtm += weight * quarters;
		sum.stm += block;
		sum.qstm += quarters;
	}
	return sum;
}
