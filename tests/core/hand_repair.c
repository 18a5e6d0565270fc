/* tests/core/hand_repair.c: does what a repair of the diagnosis says, as a reader of its words would. */
#include "tests/core/hand_repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/core/geometry.h"

static int face_of(char letter)
{
	const char *found = letter ? strchr(cube_face_letters, letter) : NULL;
	if (!found)
		abort();
	return (int)(found - cube_face_letters);
}

/* The normal of a face, read off its first facelet. */
static void normal_of(char letter, int8_t normal[3])
{
	struct geo_sticker sticker = geo_home(3, (size_t)face_of(letter) * 9);
	memcpy(normal, sticker.normal, 3);
}

int hand_facelets(int size, const char *name, size_t facelets[3])
{
	int count = (int)strlen(name);
	struct geo_sticker sticker = {0};
	for (int i = 0; i < count; i++) {
		int8_t normal[3];
		normal_of(name[i], normal);
		for (int axis = 0; axis < 3; axis++)
			sticker.at[axis] = (int8_t)(sticker.at[axis] + normal[axis] * (size - 1));
	}
	for (int i = 0; i < count; i++) {
		normal_of(name[i], sticker.normal);
		facelets[i] = geo_facelet(size, &sticker);
	}
	return count;
}

static void exchange(uint8_t *a, uint8_t *b)
{
	uint8_t old = *a;
	*a = *b;
	*b = old;
}

void hand_twist(int size, uint8_t *colors, const char *corner, int clockwise)
{
	size_t at[3];
	int8_t a[3], b[3], c[3];
	hand_facelets(size, corner, at);
	normal_of(corner[0], a);
	normal_of(corner[1], b);
	normal_of(corner[2], c);
	/* Right-handed about the corner's own axis is counterclockwise for who looks at it. */
	int det = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
		  a[2] * (b[0] * c[1] - b[1] * c[0]);
	for (int i = 0; i < (det < 0 ? clockwise : 3 - clockwise); i++) {
		uint8_t last = colors[at[2]];
		colors[at[2]] = colors[at[1]];
		colors[at[1]] = colors[at[0]];
		colors[at[0]] = last;
	}
}

void hand_flip(int size, uint8_t *colors, const char *edge)
{
	size_t at[3];
	hand_facelets(size, edge, at);
	exchange(&colors[at[0]], &colors[at[1]]);
}

void hand_swap(int size, uint8_t *colors, const char *a, const char *b)
{
	size_t of_a[3], of_b[3];
	int count = hand_facelets(size, a, of_a);
	hand_facelets(size, b, of_b);
	for (int i = 0; i < count; i++)
		exchange(&colors[of_a[i]], &colors[of_b[i]]);
}

/* "facelet 20 (F row 1 column 3)", both numbers of which must say the same; -1 if not. */
static long read_facelet(int size, const char **text)
{
	unsigned facelet, row, column;
	char face;
	int used = 0;
	if (sscanf(*text, "facelet %u (%c row %u column %u)%n", &facelet, &face, &row, &column,
		   &used) != 4 ||
	    used == 0)
		return -1;
	unsigned n = (unsigned)size;
	if (facelet != ((unsigned)face_of(face) * n + row - 1) * n + column - 1 || row < 1 ||
	    row > n || column < 1 || column > n)
		return -1;
	*text += used;
	return (long)facelet;
}

static bool skip(const char **text, const char *word)
{
	if (strncmp(*text, word, strlen(word)) != 0)
		return false;
	*text += strlen(word);
	return true;
}

static bool recolour(int size, uint8_t *colors, const char *text)
{
	do {
		long facelet = read_facelet(size, &text);
		char from, to;
		int used = 0;
		if (facelet < 0 || sscanf(text, " from %c to %c%n", &from, &to, &used) != 2)
			return false;
		if (colors[facelet] != face_of(from) || from == to)
			return false;
		colors[facelet] = (uint8_t)face_of(to);
		text += used;
	} while (skip(&text, ", "));
	return *text == '\0';
}

static void turn_face(int n, uint8_t *face, int quarters)
{
	uint8_t *before = malloc((size_t)n * (size_t)n);
	if (!before)
		abort();
	for (; quarters > 0; quarters--) {
		memcpy(before, face, (size_t)n * (size_t)n);
		for (int row = 0; row < n; row++)
			for (int column = 0; column < n; column++)
				face[column * n + n - 1 - row] = before[row * n + column];
	}
	free(before);
}

/* "turn the face U a quarter clockwise", "exchange the faces R and F" */
static bool move_faces(int size, uint8_t *colors, const char *text)
{
	static const char *const ways[4] = {"", "a quarter clockwise", "by a half",
					    "a quarter counterclockwise"};
	const size_t area = (size_t)size * (size_t)size;
	char x, y;
	int used = 0;
	if (sscanf(text, "exchange the faces %c and %c%n", &x, &y, &used) == 2 &&
	    text[used] == '\0' && used > 0 && x != y) {
		for (size_t i = 0; i < area; i++)
			exchange(&colors[(size_t)face_of(x) * area + i],
				 &colors[(size_t)face_of(y) * area + i]);
		return true;
	}
	if (sscanf(text, "turn the face %c %n", &x, &used) != 1 || used == 0)
		return false;
	for (int quarters = 1; quarters < 4; quarters++) {
		if (strcmp(text + used, ways[quarters]) != 0)
			continue;
		turn_face(size, colors + (size_t)face_of(x) * area, quarters);
		return true;
	}
	return false;
}

static bool follow(int size, uint8_t *colors, const char *text)
{
	char a[4], b[4], way[20], x, y;
	int used = 0;
	if (sscanf(text, "twist %3[A-Z] %19[a-z]%n", a, way, &used) == 2 && text[used] == '\0') {
		bool clockwise = strcmp(way, "clockwise") == 0;
		hand_twist(size, colors, a, clockwise ? 1 : 2);
		return clockwise || strcmp(way, "counterclockwise") == 0;
	}
	if (sscanf(text, "flip %3[A-Z]%n", a, &used) == 1 && text[used] == '\0') {
		hand_flip(size, colors, a);
		return true;
	}
	if (sscanf(text, "swap %3[A-Z] and %3[A-Z]%n", a, b, &used) == 2 && text[used] == '\0') {
		hand_swap(size, colors, a, b);
		return strlen(a) == strlen(b);
	}
	if (sscanf(text, "exchange the colours %c and %c everywhere%n", &x, &y, &used) == 2 &&
	    text[used] == '\0' && used > 0) {
		int from = face_of(x), to = face_of(y);
		for (size_t i = 0; i < cube_facelets(size); i++)
			colors[i] = (uint8_t)(colors[i] == from ? to
					      : colors[i] == to ? from
								: colors[i]);
		return true;
	}
	if (move_faces(size, colors, text))
		return true;
	if (skip(&text, "exchange ")) {
		long first = read_facelet(size, &text), second;
		if (first < 0 || !skip(&text, " and ") ||
		    (second = read_facelet(size, &text)) <= first || *text != '\0')
			return false;
		exchange(&colors[first], &colors[second]);
		return true;
	}
	return skip(&text, "recolour ") && recolour(size, colors, text);
}

bool hand_repair(int size, uint8_t *colors, const char *repair)
{
	bool understood = follow(size, colors, repair);
	if (!understood)
		fprintf(stderr, "size %d: not understood: %s\n", size, repair);
	return understood;
}
