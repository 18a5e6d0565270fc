/* tests/core/test_picture.c: each sticker of a picture is where geometry has it, and shows its
 * colour; names, schemes, bytes. */
#include "cube/picture.h"

#include <math.h>
#include <string.h>

#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

/* Outward, right and down of each face: docs/reference/conventions.md. */
static const int axes[CUBE_FACES][3][3] = {
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
	{{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
	{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
};

struct point {
	double x, y;
};

/* The middle of a facelet in space, cells being 20 units wide. */
static void middle_of(int n, int face, int row, int column, double at[3])
{
	for (int i = 0; i < 3; i++)
		at[i] = 10.0 * (axes[face][0][i] * n + axes[face][1][i] * (2 * column + 1 - n) +
				axes[face][2][i] * (2 * row + 1 - n));
}

/* Where a facelet is in a view, false if it is not seen. */
static bool seen_at(enum cube_picture_view view, int n, int face, int row, int column,
		    struct point *point)
{
	static const int net[CUBE_FACES][2] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {3, 1}};
	double at[3], side = 20.0 * n, edge = 10.0 * n;
	middle_of(n, face, row, column, at);
	if (view == CUBE_PICTURE_NET) {
		point->x = net[face][0] * (side + 10) + 20.0 * column + 10;
		point->y = net[face][1] * (side + 10) + 20.0 * row + 10;
		return true;
	}
	if (view == CUBE_PICTURE_ISO) {
		point->x = 0.866 * (at[0] - at[2] + side);
		point->y = 0.5 * (at[0] + at[2]) - at[1] + side;
		return face == CUBE_U || face == CUBE_R || face == CUBE_F;
	}
	/* From above; the rows at the sides lie 6 units outside the edge. */
	point->x = at[0] + edge + 10 + (fabs(at[0]) == edge ? axes[face][0][0] * 6 : 0);
	point->y = at[2] + edge + 10 + (fabs(at[2]) == edge ? axes[face][0][2] * 6 : 0);
	return face == CUBE_U || (face != CUBE_D && row == 0);
}

/* A sticker as the picture has it. */
struct drawn {
	struct point at;
	unsigned color;
};

static const char *after(const char *text, const char *what)
{
	const char *found = strstr(text, what);
	ck_assert_msg(found != NULL, "%s", what);
	return found + strlen(what);
}

/* Reads the stickers of all groups. */
static size_t read_stickers(const char *text, struct drawn *drawn)
{
	size_t count = 0;
	while ((text = strstr(text, "matrix(")) != NULL) {
		double m[6];
		const char *end = strstr(text, "</g>");
		text += strlen("matrix(");
		for (int i = 0; i < 6; i++) {
			char *next;
			m[i] = strtod(text, &next);
			ck_assert_ptr_ne(next, text);
			text = next;
		}
		text = after(text, "/>"); /* the ground */
		while ((text = strstr(text, "<path fill=\"#")) != NULL && text < end) {
			unsigned color = (unsigned)strtoul(text + 13, NULL, 16);
			ck_assert_uint_eq(color, strtoul(after(text, "stroke=\"#"), NULL, 16));
			text = after(text, "d=\"");
			while (*text == 'M') {
				char *next;
				double x = strtod(text + 1, &next) + 7;
				double y = strtod(next, &next) + 7;
				ck_assert(strncmp(next, "h14v14h-14z", 11) == 0);
				text = next + 11;
				drawn[count++] = (struct drawn){
					{m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]},
					color};
			}
			ck_assert_int_eq(*text, '"');
		}
		text = end;
	}
	return count;
}

static void check_picture(const struct cube *cube, const struct cube_picture *picture)
{
	int n = cube->size;
	size_t room = cube_picture_bytes(n, picture->view), expected = 0;
	char *exact = new_bytes(room);
	size_t bytes = cube_picture_print(cube, picture, exact);
	ck_assert_uint_le(bytes, room);
	char *text = new_bytes(bytes + 1);
	memcpy(text, exact, bytes);
	text[bytes] = '\0';
	ck_assert_uint_eq(strlen(text), bytes);
	struct drawn *drawn = new_bytes(cube_facelets(n) * sizeof(*drawn));
	size_t count = read_stickers(text, drawn);
	for (int face = 0; face < CUBE_FACES; face++)
		for (int row = 0; row < n; row++)
			for (int column = 0; column < n; column++) {
				struct point at;
				int found = 0, facelet = (face * n + row) * n + column;
				if (!seen_at(picture->view, n, face, row, column, &at))
					continue;
				expected++;
				for (size_t i = 0; i < count; i++) {
					if (fabs(drawn[i].at.x - at.x) > 0.1 ||
					    fabs(drawn[i].at.y - at.y) > 0.1)
						continue;
					found++;
					ck_assert_uint_eq(drawn[i].color,
							  picture->colors[cube_color_at(
								  cube, (size_t)facelet)]);
				}
				ck_assert_msg(found == 1, "%s: face %d, row %d, column %d: %d",
					      cube_picture_view_name(picture->view), face, row,
					      column, found);
			}
	ck_assert_uint_eq(count, expected);
	free(drawn);
	free(text);
	free(exact);
}

START_TEST(stickers)
{
	static const int sizes[] = {2, 3, 4, 5, 9};
	struct gen gen = {11};
	struct cube_picture picture;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct cube *cube = new_cube(sizes[i]);
		cube_init(cube, sizes[i]);
		for (int k = 0; k < 40; k++)
			cube_turn(cube, gen_turn(&gen, sizes[i]));
		for (int view = 0; view < CUBE_PICTURE_VIEWS; view++)
			for (size_t scheme = 0; cube_picture_scheme(scheme); scheme++) {
				const char *name = cube_picture_scheme(scheme);
				picture.view = (enum cube_picture_view)view;
				ck_assert(cube_picture_colors_parse(name, strlen(name),
								    picture.colors));
				check_picture(cube, &picture);
			}
		free(cube);
	}
}
END_TEST

/* No picture is longer than it says, those of the largest cubes neither. */
START_TEST(bytes)
{
	struct cube_picture picture = {.view = 0};
	ck_assert(cube_picture_colors_parse("wca", 3, picture.colors));
	for (int size = CUBE_SIZE_MIN; size <= CUBE_SIZE_MAX; size += size < 12 ? 1 : 22) {
		struct gen gen = {(uint64_t)size};
		struct cube *cube = new_cube(size);
		cube_init(cube, size);
		for (int i = 0; i < 30 * size; i++)
			cube_turn(cube, gen_turn(&gen, size));
		for (int view = 0; view < CUBE_PICTURE_VIEWS; view++) {
			picture.view = (enum cube_picture_view)view;
			size_t room = cube_picture_bytes(size, picture.view);
			char *text = new_bytes(room);
			size_t length = cube_picture_print(cube, &picture, text);
			ck_assert_uint_le(length, room);
			ck_assert_int_eq(strncmp(text, "<svg xmlns=", 11), 0);
			ck_assert_int_eq(strncmp(text + length - 7, "</svg>\n", 7), 0);
			free(text);
		}
		free(cube);
	}
}
END_TEST

START_TEST(names)
{
	enum cube_picture_view found;
	for (int view = 0; view < CUBE_PICTURE_VIEWS; view++) {
		const char *name = cube_picture_view_name((enum cube_picture_view)view);
		ck_assert(cube_picture_view_find(name, strlen(name), &found));
		ck_assert_int_eq((int)found, view);
	}
	ck_assert(!cube_picture_view_find("iso", 2, &found));
	ck_assert(!cube_picture_view_find("", 0, &found));
	ck_assert(!cube_picture_view_find("plane", 5, &found));
}
END_TEST

START_TEST(schemes)
{
	static const char good[] = "000000,123456,abcdef,ABCDEF,ffffff,00ff00";
	static const char *const bad[] = {
		"",
		"WCA",
		"wca ",
		"000000,123456,abcdef,ABCDEF,ffffff,00ff0",
		"000000,123456,abcdef,ABCDEF,ffffff,00ff00,",
		"000000,123456,abcdef,ABCDEF,ffffff,00ff0g",
		"000000 123456,abcdef,ABCDEF,ffffff,00ff00",
		"00000\",123456,abcdef,ABCDEF,ffffff,00ff00",
		"#00000,#23456,#bcdef,#BCDEF,#fffff,#0ff00",
	};
	static const uint32_t expected[] = {0, 0x123456, 0xabcdef, 0xabcdef, 0xffffff, 0xff00};
	uint32_t colors[CUBE_FACES];
	ck_assert(cube_picture_colors_parse(good, strlen(good), colors));
	for (int i = 0; i < CUBE_FACES; i++)
		ck_assert_uint_eq(colors[i], expected[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!cube_picture_colors_parse(bad[i], strlen(bad[i]), colors), "%s",
			      bad[i]);
	char nul[] = "000000,123456,abcdef,ABCDEF,ffffff,00ff00";
	nul[3] = '\0';
	ck_assert(!cube_picture_colors_parse(nul, sizeof(nul) - 1, colors));
	/* The colours of a scheme are six. */
	for (size_t scheme = 0; cube_picture_scheme(scheme); scheme++) {
		const char *name = cube_picture_scheme(scheme);
		ck_assert(cube_picture_colors_parse(name, strlen(name), colors));
		for (int i = 0; i < CUBE_FACES; i++)
			for (int k = 0; k < i; k++)
				ck_assert_uint_ne(colors[i], colors[k]);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("picture");
	TCase *tcase = tcase_create("all");
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, stickers);
	tcase_add_test(tcase, bytes);
	tcase_add_test(tcase, names);
	tcase_add_test(tcase, schemes);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 4);
}
