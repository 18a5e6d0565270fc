/* core/format/net.c: the unfolding as text, plain or in a terminal's colours. */
#include "cube/cube.h"
#include "cube/facelets.h"

#include <string.h>

#define NOWHERE CUBE_FACES

/* The three bands of the unfolding, from left to right; no place is left out. */
static const uint8_t bands[3][4] = {
	{NOWHERE, CUBE_U, NOWHERE, NOWHERE},
	{CUBE_L, CUBE_F, CUBE_R, CUBE_B},
	{NOWHERE, CUBE_D, NOWHERE, NOWHERE},
};

/* Black on white, red, green, yellow, orange, blue of the 256 colours; all of one length. */
static const char ansi_before[CUBE_FACES][20] = {
	"\033[38;5;16;48;5;231m", "\033[38;5;16;48;5;196m", "\033[38;5;16;48;5;040m",
	"\033[38;5;16;48;5;226m", "\033[38;5;16;48;5;208m", "\033[38;5;16;48;5;033m",
};
static const char ansi_after[] = "\033[0m";
/* Bytes about each letter, without the NULs. */
#define BEFORE (sizeof(ansi_before[0]) - 1)
#define AFTER (sizeof(ansi_after) - 1)

size_t cube_net_bytes(int size, bool ansi)
{
	size_t n = (size_t)size;
	/* Two bands of n rows as wide as two faces with the gap and '\n', one of four faces. */
	size_t plain = 2 * n * (4 * n + 1) + n * (8 * n + 3);
	return plain + (ansi ? cube_facelets(size) * (BEFORE + AFTER) : 0);
}

static char *put_bytes(char *to, const char *bytes, size_t count)
{
	memcpy(to, bytes, count);
	return to + count;
}

static char *put_letter(char *to, int color, bool ansi)
{
	if (ansi)
		to = put_bytes(to, ansi_before[color], BEFORE);
	*to++ = cube_face_letters[color];
	if (ansi)
		to = put_bytes(to, ansi_after, AFTER);
	return to;
}

size_t cube_net_print(const struct cube *cube, bool ansi, char *text)
{
	size_t n = cube->size;
	char *to = text;
	for (size_t row = 0; row < 3 * n; row++) {
		size_t blanks = 0; /* owed before the next letter, never at the end */
		for (int i = 0; i < 4; i++) {
			size_t face = bands[row / n][i];
			if (face == NOWHERE) {
				blanks += 2 * n + 1;
				continue;
			}
			for (size_t column = 0; column < n; column++) {
				size_t facelet = (face * n + row % n) * n + column;
				memset(to, ' ', blanks);
				to = put_letter(to + blanks, cube_color_at(cube, facelet), ansi);
				blanks = 1;
			}
			blanks = 2;
		}
		*to++ = '\n';
	}
	return (size_t)(to - text);
}
