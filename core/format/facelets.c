/* core/format/facelets.c: the facelet string, written and read. */
#include "cube/cube.h"
#include "cube/facelets.h"

#include <string.h>

#include "core/error.h"
#include "core/letters.h"
#include "core/utf8.h"

/* A sticker's colour is its number divided by the area of a face. Division by a product: the area's
 * inverse is too large by less than area / 2^32, and stickers times area stay far below 2^32. */
void cube_facelets_print(const struct cube *cube, char *letters)
{
	const size_t count = cube_facelets(cube->size);
	const uint64_t inverse = ((uint64_t)1 << 32) / (count / CUBE_FACES) + 1;
	for (size_t i = 0; i < count; i++)
		letters[i] = cube_face_letters[cube->sticker[i] * inverse >> 32];
}

int cube_size_of_facelets(size_t count)
{
	for (int size = CUBE_SIZE_MIN; size <= CUBE_SIZE_MAX; size++)
		if (cube_facelets(size) == count)
			return size;
	return 0;
}

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* ---- symbols of any kind ---- */

/* Six of them, and one more to see that there are too many. */
#define SYMBOLS_MAX 7

struct symbols {
	const char *text;
	size_t length;
	struct {
		size_t offset, bytes;
	} symbol[SYMBOLS_MAX];
	int count;
};

/* The bytes of the symbol at `at`, 0 if there is none: white space, or the sign that makes an emoji of the
 * symbol before it. `bytes` is how far to go on. */
static size_t symbol_at(const struct symbols *symbols, size_t at, size_t *bytes)
{
	static const char selector[3] = "\xef\xb8\x8f";
	const char *text = symbols->text + at;
	*bytes = utf8_sequence(text, symbols->length - at);
	if (*bytes == 0)
		*bytes = 1;
	return is_blank(*text) || (*bytes == 3 && memcmp(text, selector, 3) == 0) ? 0 : *bytes;
}

/* Returns the number of the symbol; a new one is added if there is room. */
static int number_of(struct symbols *symbols, size_t at, size_t bytes)
{
	for (int i = 0; i < symbols->count; i++)
		if (symbols->symbol[i].bytes == bytes &&
		    memcmp(symbols->text + symbols->symbol[i].offset, symbols->text + at, bytes) ==
			    0)
			return i;
	if (symbols->count == SYMBOLS_MAX)
		return SYMBOLS_MAX - 1;
	symbols->symbol[symbols->count].offset = at;
	symbols->symbol[symbols->count].bytes = bytes;
	return symbols->count++;
}

/* Gives each symbol the face in whose middle it is. Returns the first facelet whose symbol is in two
 * middles, or the number of facelets. */
static size_t name_by_middles(uint8_t *colors, size_t count)
{
	const size_t area = count / CUBE_FACES;
	uint8_t face_of[CUBE_FACES];
	unsigned there = 0;
	for (uint8_t face = 0; face < CUBE_FACES; face++) {
		const size_t middle = face * area + area / 2;
		if (there >> colors[middle] & 1)
			return middle;
		there |= 1U << colors[middle];
		face_of[colors[middle]] = face;
	}
	for (size_t i = 0; i < count; i++)
		colors[i] = face_of[colors[i]];
	return count;
}

size_t cube_symbols_count(const char *text, size_t length)
{
	const struct symbols symbols = {.text = text, .length = length};
	size_t count = 0, bytes;
	for (size_t at = 0; at < length; at += bytes)
		count += symbol_at(&symbols, at, &bytes) > 0;
	return count;
}

static size_t offset_of(const struct symbols *symbols, size_t facelet)
{
	size_t at = 0, bytes;
	for (; symbol_at(symbols, at, &bytes) == 0 || facelet-- > 0; at += bytes)
		;
	return at;
}

static const char lengths[] = "6 n n letters, n from 2 to 100: 24, 54, 96, 150 ...";

/* Reads text in which the letter at `unknown` is neither a face nor a colour: if there are six symbols in
 * all, the middles of an odd cube say which is which. Else that letter is what is wrong. */
static enum cube_error_code parse_symbols(const char *text, size_t length, size_t unknown,
					  uint8_t *colors, int *size, struct cube_error *error)
{
	struct symbols symbols = {.text = text, .length = length};
	size_t count = 0, bytes = utf8_sequence(text + unknown, length - unknown);
	const size_t unknown_bytes = bytes ? bytes : 1;
	for (size_t at = 0; at < length && symbols.count < SYMBOLS_MAX; at += bytes) {
		if (symbol_at(&symbols, at, &bytes) == 0)
			continue;
		const int number = number_of(&symbols, at, bytes);
		if (count < CUBE_FACELETS_MAX)
			colors[count] = (uint8_t)number;
		count++;
	}
	const int n = cube_size_of_facelets(count);
	if (symbols.count != CUBE_FACES)
		return error_fill(error, CUBE_ERROR_LETTER, unknown, unknown_bytes,
				  "a face U R F D L B or a colour W R G Y O B");
	if (!n)
		return error_fill(error, CUBE_ERROR_FACELETS_LENGTH, length, 0, lengths);
	if (n % 2 == 0)
		return error_fill(
			error, CUBE_ERROR_LETTER, unknown, unknown_bytes,
			"U R F D L B or W R G Y O B; other symbols are read on odd sizes, "
			"where the middles show their faces");
	const size_t middle = name_by_middles(colors, count);
	if (middle < count) {
		const size_t at = offset_of(&symbols, middle);
		(void)symbol_at(&symbols, at, &bytes);
		return error_fill(error, CUBE_ERROR_LETTER, at, bytes,
				  "six different symbols in the middles of the faces, which show "
				  "what each of them is");
	}
	*size = n;
	return CUBE_OK;
}

/* A wrong letter is reported before a wrong count: it is usually the cause. */
enum cube_error_code cube_colors_parse(const char *letters, size_t length, uint8_t *colors,
				       int *size, struct cube_error *error)
{
	size_t count = 0, blanks = 0;
	for (size_t i = 0; i < length; i++)
		blanks += is_blank(letters[i]);
	const int found = cube_size_of_facelets(length - blanks);
	for (size_t i = 0; i < length && count < CUBE_FACELETS_MAX; i++) {
		if (is_blank(letters[i]))
			continue;
		int color = letter_color(letters[i]);
		if (color < 0)
			return parse_symbols(letters, length, i, colors, size, error);
		if (found)
			colors[count] = (uint8_t)color;
		count++;
	}
	if (!found)
		return error_fill(error, CUBE_ERROR_FACELETS_LENGTH, length, 0, lengths);
	*size = found;
	return CUBE_OK;
}
