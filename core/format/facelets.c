/* core/format/facelets.c: the facelet string, written and read. */
#include "cube/facelets.h"

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

/* A wrong letter is reported before a wrong count: it is usually the cause. */
static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

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
		if (color < 0) {
			size_t bytes = utf8_sequence(letters + i, length - i);
			return error_fill(error, CUBE_ERROR_LETTER, i, bytes ? bytes : 1,
					  "a face U R F D L B or a colour W R G Y O B");
		}
		if (found)
			colors[count] = (uint8_t)color;
		count++;
	}
	if (!found)
		return error_fill(error, CUBE_ERROR_FACELETS_LENGTH, length, 0,
				  "6 n n letters, n from 2 to 100: 24, 54, 96, 150 ...");
	*size = found;
	return CUBE_OK;
}
