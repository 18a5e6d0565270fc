/* core/format/names.c: the names of facelets, and states that are given by them. */
#include "cube/names.h"

#include <assert.h>
#include <string.h>

#include "core/format/form.h"
#include "cube/facelets.h"
#include "cube/geometry.h"

/* By facelet of a 3x3x3, looking at each face of the unfolding. */
static const char names[54][CUBE_FACELET_NAME_BYTES] = {
	"UBL", "UB", "UBR", "UL", "U", "UR", "UFL", "UF", "UFR", /* U */
	"RUF", "RU", "RUB", "RF", "R", "RB", "RDF", "RD", "RDB", /* R */
	"FUL", "FU", "FUR", "FL", "F", "FR", "FDL", "FD", "FDR", /* F */
	"DFL", "DF", "DFR", "DL", "D", "DR", "DBL", "DB", "DBR", /* D */
	"LUB", "LU", "LUF", "LB", "L", "LF", "LDB", "LD", "LDF", /* L */
	"BUR", "BU", "BUL", "BR", "B", "BL", "BDR", "BD", "BDL", /* B */
};

/* A 2x2x2 has the corners of a face: its first, third, seventh and ninth facelet. */
static const char *name_of(int size, size_t facelet)
{
	return size == 3 ? names[facelet]
			 : names[facelet / 4 * 9 + facelet % 4 / 2 * 6 + facelet % 2 * 2];
}

void cube_facelet_name(int size, size_t facelet, char name[CUBE_FACELET_NAME_BYTES])
{
	assert((size == 2 || size == 3) && facelet < cube_facelets(size));
	memcpy(name, name_of(size, facelet), CUBE_FACELET_NAME_BYTES);
}

/* Returns true if both have the same length, and the same letters after the first. */
static bool same_name(const char *name, const char *read, size_t length)
{
	if (strlen(name) != length)
		return false;
	return length < 3 ? length < 2 || name[1] == read[1]
			  : (name[1] == read[1] && name[2] == read[2]) ||
				    (name[1] == read[2] && name[2] == read[1]);
}

int cube_facelet_named(int size, const char *name, size_t length)
{
	const size_t area = (size_t)size * (size_t)size;
	char read[3];
	assert(size == 2 || size == 3);
	if (length < 1 || length > 3)
		return -1;
	for (size_t i = 0; i < length; i++) {
		const int color = cube_color_of_letter(name[i]);
		if (color < 0)
			return -1;
		read[i] = cube_face_letters[color];
	}
	const size_t first = (size_t)cube_color_of_letter(read[0]) * area;
	for (size_t facelet = first; facelet < first + area; facelet++)
		if (same_name(name_of(size, facelet), read, length))
			return (int)facelet;
	return -1;
}

/* Returns true if the stickers on the cubie of this facelet are one cubie. */
static bool one_cubie(int size, size_t facelet, const uint16_t *stickers)
{
	const size_t cubie = cube_facelet_cubie(size, stickers[facelet]);
	uint16_t facelets[3], of[3];
	const int count = cube_cubie_facelets(size, cube_facelet_cubie(size, facelet), facelets);
	for (int i = 0; i < count; i++)
		if (cube_facelet_cubie(size, stickers[facelets[i]]) != cubie)
			return false;
	return cube_cubie_facelets(size, cubie, of) == count;
}

enum cube_form_code cube_stickers_read(int size, const uint16_t *stickers, uint8_t *colors,
				       struct cube_form_error *error)
{
	const size_t count = cube_facelets(size), area = (size_t)size * (size_t)size;
	int16_t on[6 * 9];
	assert(size == 2 || size == 3);
	for (size_t i = 0; i < count; i++)
		on[i] = -1;
	for (size_t i = 0; i < count; i++) {
		if (stickers[i] >= count)
			return cube_form_fail(error, CUBE_FORM_VALUE, i, 0, -1);
		if (on[stickers[i]] >= 0)
			return cube_form_fail(error, CUBE_FORM_STICKER_TAKEN, i, 0,
					      on[stickers[i]]);
		on[stickers[i]] = (int16_t)i;
		colors[i] = (uint8_t)(stickers[i] / area);
	}
	for (size_t i = 0; i < count; i++)
		if (!one_cubie(size, i, stickers))
			return cube_form_fail(error, CUBE_FORM_CUBIE, i, 0, -1);
	return CUBE_FORM_OK;
}
