/* core/pattern/text.c: items of patterns, letter by letter, and the compact string. */
#include "cube/pattern.h"

#include "cube/facelets.h"

const char *const cube_pattern_arrays[CUBE_FACES] = {"A",      "A.up",   "A.right",
						     "A.left", "A.down", "A.down.down"};

static const char *const texts[CUBE_PATTERN_CODES] = {
#define CUBE_PATTERN_ROW(code, text) [code] = text,
	CUBE_PATTERN_TABLE(CUBE_PATTERN_ROW)
#undef CUBE_PATTERN_ROW
};

const char *cube_pattern_text(enum cube_pattern_code code)
{
	return (unsigned)code < CUBE_PATTERN_CODES ? texts[code] : "unknown error";
}

int cube_pattern_item(char letter)
{
	if (letter == '*')
		return CUBE_ITEM_ANY;
	if (letter >= '1' && letter < '1' + CUBE_GENERICS)
		return CUBE_ITEM_GENERIC + letter - '1';
	return cube_color_of_letter(letter);
}

char cube_pattern_letter(int item)
{
	if (item < CUBE_ITEM_GENERIC)
		return cube_face_letters[item];
	return item == CUBE_ITEM_ANY ? '*' : (char)('1' + item - CUBE_ITEM_GENERIC);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct pattern_reader {
	const char *text;
	size_t length, at;
	struct cube_pattern_error *error;
};

static enum cube_pattern_code fail(const struct pattern_reader *reader, enum cube_pattern_code code,
				   int array, size_t item, size_t expected)
{
	*reader->error = (struct cube_pattern_error){.code = code,
						     .array = array,
						     .item = item,
						     .expected = expected,
						     .offset = reader->at};
	return code;
}

/* The size of a cube whose faces have so many items; 0 for none. */
static int size_of_face(size_t items)
{
	int size = cube_size_of_facelets(items * CUBE_FACES);
	return items <= CUBE_FACELETS_MAX ? size : 0;
}

static size_t skip_space(const struct pattern_reader *reader, size_t at)
{
	while (at < reader->length && is_space(reader->text[at]))
		at++;
	return at;
}

static size_t word_length(const struct pattern_reader *reader, size_t at)
{
	size_t end = at;
	while (end < reader->length && !is_space(reader->text[end]))
		end++;
	return end - at;
}

/* A word that is `count` arrays of `area` items each, the first of them number `array`. */
static enum cube_pattern_code read_word(struct pattern_reader *reader, int array, int count,
					size_t area, uint8_t *items)
{
	for (size_t i = 0; i < area * (size_t)count; i++, reader->at++) {
		int item = cube_pattern_item(reader->text[reader->at]);
		if (item < 0) {
			fail(reader, CUBE_PATTERN_ITEM, array + (int)(i / area), i % area, 0);
			reader->error->length = 1;
			return CUBE_PATTERN_ITEM;
		}
		items[i] = (uint8_t)item;
	}
	return CUBE_PATTERN_OK;
}

enum cube_pattern_code cube_pattern_parse(const char *text, size_t length, uint8_t *items,
					  int *size, struct cube_pattern_error *error)
{
	struct pattern_reader reader = {text, length, 0, error};
	reader.at = skip_space(&reader, 0);
	size_t first = word_length(&reader, reader.at), area = first;
	bool one_word = skip_space(&reader, reader.at + first) == length && first > 0;
	if (one_word && first % CUBE_FACES == 0 && size_of_face(first / CUBE_FACES) != 0)
		area = first / CUBE_FACES;
	int found = size_of_face(area);
	if (first > 0 && found == 0)
		return fail(&reader, CUBE_PATTERN_SIZE, 0, area, 0);
	if (area != first) {
		enum cube_pattern_code code = read_word(&reader, 0, CUBE_FACES, area, items);
		if (code == CUBE_PATTERN_OK)
			*size = found;
		return code;
	}
	int array = 0;
	for (; reader.at < length; array++, reader.at = skip_space(&reader, reader.at)) {
		size_t word = word_length(&reader, reader.at);
		if (array == CUBE_FACES)
			return fail(&reader, CUBE_PATTERN_ARRAYS, array + 1, 0, CUBE_FACES);
		if (word != area) {
			fail(&reader, CUBE_PATTERN_COUNT, array, word, area);
			error->length = word;
			return CUBE_PATTERN_COUNT;
		}
		enum cube_pattern_code code =
			read_word(&reader, array, 1, area, items + area * (size_t)array);
		if (code != CUBE_PATTERN_OK)
			return code;
	}
	if (array != CUBE_FACES)
		return fail(&reader, CUBE_PATTERN_ARRAYS, array, 0, CUBE_FACES);
	*size = found;
	return CUBE_PATTERN_OK;
}
