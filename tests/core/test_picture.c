/* tests/core/test_picture.c: each sticker of a picture is where geometry has it, and shows its colour; what
 * is said of pictures is read; SVG has as many stickers. */
#include "cube/cube.h"
#include "cube/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cube/hold.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

/* Outward, right and down of each face: docs/reference/conventions.md. */
static const int axes[CUBE_FACES][3][3] = {
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
	{{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
	{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
};

/* The middle of a facelet in space, edges being 2 long. */
static void middle_of(int n, int face, int row, int column, double at[3])
{
	for (int i = 0; i < 3; i++)
		at[i] = axes[face][0][i] + axes[face][1][i] * (2 * column + 1 - n) / (double)n +
			axes[face][2][i] * (2 * row + 1 - n) / (double)n;
}

/* Clockwise as seen from the end of the axis. */
static void turn_point(double at[3], int axis, double degrees)
{
	const double angle = degrees * acos(-1) / 180;
	double *a = &at[(axis + 1) % 3], *b = &at[(axis + 2) % 3];
	const double before = *a;
	*a = cos(angle) * before + sin(angle) * *b;
	*b = cos(angle) * *b - sin(angle) * before;
}

/* A view in space as it is said, and the same in numbers. */
struct look {
	const char *text; /* NULL: the usual one */
	double distance;
	int count;
	struct {
		int axis;
		double degrees;
	} turns[3];
};

static const struct look looks[] = {
	{NULL, 0, 2, {{1, 45}, {0, -35.2643897}}},
	{"y45x-34", 5, 2, {{1, 45}, {0, -34}}},
	{"y-20x30", 0, 2, {{1, -20}, {0, 30}}},
	{"z25.5y200x-20", 0, 3, {{2, 25.5}, {1, 200}, {0, -20}}},
	{"x90", 2, 1, {{0, 90}}},
};
#define LOOKS (int)(sizeof(looks) / sizeof(looks[0]))

/* Finds the middle of a facelet in the picture, as parts of its width and height; false if it is
 * not visible. For the flat views it uses the layout that the header describes. */
static bool seen_at(const struct cube_picture *picture, const struct look *look, int n, int face,
		    int row, int column, double *x, double *y)
{
	static const int net[CUBE_FACES][2] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {3, 1}};
	const double side = 20.0 * n;
	if (picture->view == CUBE_PICTURE_NET) {
		*x = (4 + net[face][0] * (side + 10) + 20.0 * column + 10) / (4 * side + 38);
		*y = (4 + net[face][1] * (side + 10) + 20.0 * row + 10) / (3 * side + 28);
		return true;
	}
	double at[3], outward[3], eye = look->distance * 2;
	middle_of(n, face, row, column, at);
	for (int i = 0; i < 3; i++)
		outward[i] = axes[face][0][i];
	if (picture->view == CUBE_PICTURE_PLAN) {
		/* The rows beside U are 8 units high. */
		const double edge = side / 2, out = edge + 4;
		*x = (edge + 12 + (fabs(at[0]) > .9999 ? at[0] * out : at[0] * edge)) / (side + 24);
		*y = (edge + 12 + (fabs(at[2]) > .9999 ? at[2] * out : at[2] * edge)) / (side + 24);
		return face == CUBE_U || (face != CUBE_D && row == 0);
	}
	for (int i = 0; i < look->count; i++) {
		turn_point(at, look->turns[i].axis, look->turns[i].degrees);
		turn_point(outward, look->turns[i].axis, look->turns[i].degrees);
	}
	const double near = eye > 0 ? eye / (eye - at[2]) : 1;
	const double wide = (eye > 0 ? 1.8 : 1.75) * side + 2;
	/* A cube seen from nearby is drawn smaller, so that it fits. */
	double scale = 1, widest = 0;
	for (int i = 0; eye > 0 && i < 8; i++) {
		double corner[3] = {i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1};
		for (int k = 0; k < look->count; k++)
			turn_point(corner, look->turns[k].axis, look->turns[k].degrees);
		for (int k = 0; k < 2; k++)
			widest = fmax(widest, fabs(corner[k]) * eye / (eye - corner[2]) * side / 2);
	}
	if (widest > wide / 2 - 1)
		scale = (wide / 2 - 1) / widest;
	*x = .5 + at[0] * near * scale * side / 2 / wide;
	*y = .5 - at[1] * near * scale * side / 2 / wide;
	return outward[2] > (eye > 0 ? 1 / eye : 0) + 1e-3;
}

static uint32_t pixel_at(const uint8_t *pixels, int width, int x, int y)
{
	const uint8_t *pixel = pixels + 4 * ((size_t)y * (size_t)width + (size_t)x);
	ck_assert_uint_eq(pixel[3], 255);
	return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

/* The pixel in the middle of each facelet has its colour. */
static void check_pixels(const struct cube_picture *picture, const struct look *look, int n,
			 const uint8_t *shown)
{
	int width, height, seen = 0;
	cube_picture_extent(picture, &width, &height);
	uint8_t *pixels = new_bytes(4 * (size_t)width * (size_t)height);
	float *row = new_bytes(((size_t)width + 2) * sizeof(*row));
	cube_picture_draw(picture, n, shown, pixels, row);
	for (int facelet = 0; facelet < 6 * n * n; facelet++) {
		const int face = facelet / (n * n), y = facelet / n % n, x = facelet % n;
		double left, top;
		const bool is_seen = seen_at(picture, look, n, face, y, x, &left, &top);
		ck_assert_int_eq(cube_picture_sees(picture, n, (size_t)facelet), is_seen);
		if (!is_seen)
			continue;
		seen++;
		const uint32_t expected = shown[facelet] < CUBE_SHOWN_HIDDEN
						  ? picture->colors[shown[facelet]]
						  : picture->plastic;
		/* The net of a large cube is not as high as the picture, and in its middle. */
		if (picture->view == CUBE_PICTURE_NET) {
			const double wide = 80 * n + 38, high = 60 * n + 28;
			const double scale = fmin(width / wide, height / high);
			left = .5 + (left - .5) * wide * scale / width;
			top = .5 + (top - .5) * high * scale / height;
		}
		ck_assert_msg(pixel_at(pixels, width, (int)(left * width), (int)(top * height)) ==
				      expected,
			      "%s %s, %d: face %d, row %d, column %d",
			      cube_picture_view_name(picture->view), look->text ? look->text : "",
			      n, face, y, x);
	}
	ck_assert_int_gt(seen, 0);
	free(row);
	free(pixels);
}

/* All kinds of stickers. */
static uint8_t *random_shown(struct gen *gen, int n)
{
	uint8_t *shown = new_bytes(cube_facelets(n));
	for (size_t i = 0; i < cube_facelets(n); i++)
		shown[i] = (uint8_t)gen_below(gen, CUBE_SHOWN_HIDDEN + 1);
	return shown;
}

START_TEST(stickers)
{
	static const int sizes[] = {2, 3, 4, 7, 11, 20};
	struct gen gen = {11};
	struct cube_picture picture;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int view = 0; view < CUBE_PICTURE_TRANS; view++)
			for (int look = 0; look < (view == CUBE_PICTURE_ISO ? LOOKS : 1); look++) {
				uint8_t *shown = random_shown(&gen, sizes[i]);
				const char *text = looks[look].text;
				struct look as = looks[look];
				cube_picture_init(&picture, (enum cube_picture_view)view);
				picture.pixels = 1024;
				picture.distance = as.distance;
				picture.turned = text != NULL;
				ck_assert(!text || cube_picture_turn_parse(text, strlen(text),
									   picture.turn));
				if (sizes[i] >= CUBE_PICTURE_MERGED)
					as.distance = 0;
				check_pixels(&picture, &as, sizes[i], shown);
				free(shown);
			}
}
END_TEST

/* Pixels that are half covered are blended; a solved cube has no seams. */
START_TEST(coverage)
{
	struct cube_picture picture;
	static uint8_t pixels[64 * 64 * 4], shown[6 * 30 * 30];
	static float row[66];
	cube_picture_init(&picture, CUBE_PICTURE_PLAN);
	picture.pixels = 64;
	cube_picture_draw(&picture, 3, shown, pixels, row);
	int clear = 0, covered = 0, between = 0;
	for (int i = 0; i < 64 * 64; i++) {
		clear += pixels[4 * i + 3] == 0;
		covered += pixels[4 * i + 3] == 255;
		between += pixels[4 * i + 3] > 0 && pixels[4 * i + 3] < 255;
	}
	/* 84 units wide: the corners are clear, and most is covered. */
	ck_assert_int_gt(clear, 400);
	ck_assert_int_gt(covered, 2000);
	ck_assert_int_gt(between, 100);
	ck_assert_int_lt(between, 600);
	picture.background_opacity = 100;
	picture.background = 0x336699;
	cube_picture_draw(&picture, 3, shown, pixels, row);
	ck_assert_uint_eq(pixel_at(pixels, 64, 0, 0), 0x336699);
	/* Without plastic nothing lies between the runs of one colour. */
	cube_picture_init(&picture, CUBE_PICTURE_NET);
	picture.pixels = 64;
	picture.plastic_opacity = 0;
	cube_picture_draw(&picture, 30, shown, pixels, row);
	ck_assert_uint_eq(pixel_at(pixels, 64, 24, 8), 0xffffff);
	ck_assert_uint_eq(pixel_at(pixels, 64, 25, 9), 0xffffff);
}
END_TEST

/* The stickers of each colour that the SVG has. A path of stickers begins with its colour: as outlines,
 * each ended by z, or as strokes, whose lengths are cells. The ground and the lines begin otherwise. */
static void count_stickers(const char *svg, const struct cube_picture *picture, int *counts)
{
	memset(counts, 0, CUBE_SHOWN_COLORS * sizeof(*counts));
	while ((svg = strstr(svg, "<path ")) != NULL) {
		const bool outlines = strncmp(svg + 6, "fill=\"#", 7) == 0;
		const char *color = strchr(svg, '#') + 1, *data = strstr(svg, " d=\"");
		svg = strchr(svg, '>');
		/* The lines between runs have a width of their own. */
		if (!outlines && strncmp(color + 6, "\" stroke-width", 14) == 0)
			continue;
		for (int i = 0; color < data && i < CUBE_SHOWN_COLORS; i++) {
			if (strtoul(color, NULL, 16) != picture->colors[i])
				continue;
			for (const char *at = data; at < svg; at++)
				counts[i] += outlines ? *at == 'z' : *at == 'h' ? atoi(at + 1) : 0;
		}
	}
}

/* The SVG has as many stickers of each colour as are seen, stands alone, and is no longer than is
 * said. */
static void check_text(const struct cube_picture *picture, int n, const uint8_t *shown)
{
	size_t room = cube_picture_bytes(picture, n);
	char *exact = new_bytes(room);
	size_t length = cube_picture_print(picture, n, shown, exact);
	ck_assert_uint_le(length, room);
	char *text = new_bytes(length + 1);
	memcpy(text, exact, length);
	text[length] = '\0';
	ck_assert_uint_eq(strlen(text), length);
	ck_assert_int_eq(strncmp(text, "<svg xmlns=", 11), 0);
	ck_assert_str_eq(text + length - 7, "</svg>\n");
	int expected[CUBE_SHOWN_COLORS] = {0}, counts[CUBE_SHOWN_COLORS];
	count_stickers(text, picture, counts);
	for (size_t i = 0; i < cube_facelets(n); i++)
		if (shown[i] < CUBE_SHOWN_COLORS && cube_picture_sees(picture, n, i))
			expected[shown[i]]++;
	for (int i = 0; picture->plastic_opacity == 100 && i < CUBE_SHOWN_COLORS; i++)
		ck_assert_msg(counts[i] == expected[i], "%d, %s: %d of colour %d, not %d", n,
			      cube_picture_view_name(picture->view), counts[i], i, expected[i]);
	free(text);
	free(exact);
}

START_TEST(svg_text)
{
	struct gen gen = {5};
	struct cube_picture picture;
	for (int n = CUBE_SIZE_MIN; n <= CUBE_SIZE_MAX; n += n < 13 ? 1 : 29)
		for (int view = 0; view < CUBE_PICTURE_VIEWS; view++)
			for (int look = 0; look < LOOKS; look++) {
				uint8_t *shown = random_shown(&gen, n);
				const char *turn = looks[look].text;
				cube_picture_init(&picture, (enum cube_picture_view)view);
				picture.background_opacity = 50;
				picture.colors[CUBE_SHOWN_GREY] = 0x111111;
				picture.distance = looks[look].distance;
				picture.turned = turn != NULL;
				ck_assert(!turn || cube_picture_turn_parse(turn, strlen(turn),
									   picture.turn));
				check_text(&picture, n, shown);
				free(shown);
			}
}
END_TEST

/* Runs of one colour take no room of their own for each sticker. */
START_TEST(runs)
{
	struct cube_picture picture;
	struct gen gen = {3};
	cube_picture_init(&picture, CUBE_PICTURE_ISO);
	uint8_t *shown = new_bytes(CUBE_FACELETS_MAX);
	char *to = new_bytes(cube_picture_bytes(&picture, 100));
	memset(shown, 0, CUBE_FACELETS_MAX);
	ck_assert_uint_lt(cube_picture_print(&picture, 100, shown, to), 12000);
	for (size_t i = 0; i < CUBE_FACELETS_MAX; i++)
		shown[i] = (uint8_t)gen_below(&gen, CUBE_FACES);
	ck_assert_uint_lt(cube_picture_print(&picture, 100, shown, to), 240000);
	free(to);
	free(shown);
}
END_TEST

START_TEST(turns)
{
	static const char *const bad[] = {"",      "y",       "45",   "y45x",        "w45",
					  "y1000", "y1.2345", "y.5",  "y5.",         "y--5",
					  "y 45",  "y45,x3",  "y4 5", "y99999999999"};
	double turn[9];
	int hold;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!cube_picture_turn_parse(bad[i], strlen(bad[i]), turn), "%s", bad[i]);
	ck_assert(!cube_picture_turn_parse("x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1", 34, turn));
	/* Rotations are those of moves, and those of degrees. */
	static const char *const rotations[] = {"x",       "y'",  "z2",  "x y",
						"z' y2 x", "xyz", "x2'", "y2z'"};
	static const char *const degrees[] = {"x90",         "y-90",      "z180",  "x90y90",
					      "z-90y180x90", "x90y90z90", "x-180", "y180z270"};
	for (size_t i = 0; i < sizeof(rotations) / sizeof(rotations[0]); i++) {
		ck_assert(cube_rotation_parse(rotations[i], strlen(rotations[i]), &hold));
		ck_assert(cube_picture_turn_parse(degrees[i], strlen(degrees[i]), turn));
		struct cube *solved = new_cube(3), *turned = new_cube(3);
		cube_init(solved, 3);
		cube_hold_turn(turned, solved, hold);
		for (int face = 0; face < CUBE_FACES; face++) {
			/* The face whose middle is there now was turned to there. */
			const int from = turned->sticker[9 * face + 4] / 9;
			for (int k = 0; k < 3; k++) {
				double sum = 0;
				for (int j = 0; j < 3; j++)
					sum += turn[3 * k + j] * axes[from][0][j];
				ck_assert_double_eq_tol(sum, axes[face][0][k], 1e-9);
			}
		}
		free(turned);
		free(solved);
	}
	ck_assert(!cube_rotation_parse("", 0, &hold));
	ck_assert(!cube_rotation_parse(" ", 1, &hold));
	ck_assert(!cube_rotation_parse("y45", 3, &hold));
	ck_assert(!cube_rotation_parse("u", 1, &hold));
}
END_TEST

START_TEST(arrows)
{
	struct cube_picture picture;
	size_t fault;
	static const char good[] = "U0U2,F8R0U4-s8-i5-red,B3L5-#123-s30";
	cube_picture_init(&picture, CUBE_PICTURE_NET);
	ck_assert(cube_picture_arrows_parse(good, strlen(good), 3, 0x010203, &picture, &fault));
	ck_assert_uint_eq(picture.arrow_count, 3);
	ck_assert_uint_eq(picture.arrows[0].to, 2);
	ck_assert_uint_eq(picture.arrows[0].color, 0x010203);
	ck_assert_uint_eq(picture.arrows[0].by, CUBE_NO_FACELET);
	ck_assert_uint_eq(picture.arrows[1].from, 26);
	ck_assert_uint_eq(picture.arrows[1].to, 9);
	ck_assert_uint_eq(picture.arrows[1].by, 4);
	ck_assert_uint_eq(picture.arrows[1].length, 8);
	ck_assert_uint_eq(picture.arrows[1].bend, 5);
	ck_assert_uint_eq(picture.arrows[1].color, 0xee0000);
	ck_assert_uint_eq(picture.arrows[2].from, 48);
	ck_assert_uint_eq(picture.arrows[2].color, 0x112233);
	static const struct {
		const char *text;
		size_t fault;
	} bad[] = {{"", 0},         {"U0", 0},        {"U0U0", 0},       {"U0U9", 0},
		   {"U0U2,", 5},    {"U0U2,X1U1", 5}, {"U0U2-", 0},      {"U0U2-s0", 0},
		   {"U0U2-s31", 0}, {"U0U2-i51", 0},  {"U0U2-mauve", 0}, {"U0U2U4U5", 0},
		   {"U0 U2", 0},    {"u0u2", 0}};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(!cube_picture_arrows_parse(bad[i].text, strlen(bad[i].text), 3, 0,
							 &picture, &fault),
			      "%s", bad[i].text);
		ck_assert_uint_eq(fault, bad[i].fault);
	}
	char many[5 * (CUBE_ARROWS_MAX + 1)];
	for (int i = 0; i <= CUBE_ARROWS_MAX; i++)
		memcpy(many + 5 * i, "U0U2,", 5);
	ck_assert(cube_picture_arrows_parse(many, 5 * CUBE_ARROWS_MAX - 1, 3, 0, &picture, &fault));
	ck_assert(!cube_picture_arrows_parse(many, sizeof(many) - 1, 3, 0, &picture, &fault));
}
END_TEST

/* An arrow covers the way between two stickers, its shaft and its tip. */
START_TEST(arrow_pixels)
{
	static uint8_t pixels[240 * 240 * 4], shown[54];
	static float row[242];
	struct cube_picture picture;
	size_t fault;
	cube_picture_init(&picture, CUBE_PICTURE_PLAN);
	ck_assert(
		cube_picture_arrows_parse("U0U2-red,U6U8U1-s8", 18, 3, 0x00ff00, &picture, &fault));
	cube_picture_draw(&picture, 3, shown, pixels, row);
	/* 84 units wide, so the middles of U0, U1 and U2 are at 22, 42 and 62. */
	const double unit = 240 / 84.0;
	ck_assert_uint_eq(pixel_at(pixels, 240, (int)(42 * unit), (int)(22 * unit)), 0xee0000);
	ck_assert_uint_eq(pixel_at(pixels, 240, (int)(60 * unit), (int)(22 * unit)), 0xee0000);
	ck_assert_uint_ne(pixel_at(pixels, 240, (int)(64 * unit), (int)(22 * unit)), 0xee0000);
	/* The bent one passes through U1 where it is drawn over the other, and not between its ends. */
	ck_assert_uint_eq(pixel_at(pixels, 240, (int)(42 * unit), (int)(60 * unit)), 0xffffff);
	check_text(&picture, 3, shown);
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
		"000000,123456,abcdef,ABCDEF,ffffff",
		"000000,123456,abcdef,ABCDEF,ffffff,00ff0",
		"000000,123456,abcdef,ABCDEF,ffffff,00ff00,",
		"000000,123456,abcdef,ABCDEF,ffffff,00ff0g",
		"000000 123456,abcdef,ABCDEF,ffffff,00ff00",
		"00000\",123456,abcdef,ABCDEF,ffffff,00ff00",
		"#00000,#23456,#bcdef,#BCDEF,#fffff,#0ff00",
		"red,green,blue,white,silver,beige",
	};
	static const uint32_t expected[] = {0, 0x123456, 0xabcdef, 0xabcdef, 0xffffff, 0xff00};
	uint32_t colors[CUBE_FACES];
	ck_assert(cube_picture_colors_parse(good, strlen(good), colors));
	for (int i = 0; i < CUBE_FACES; i++)
		ck_assert_uint_eq(colors[i], expected[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(!cube_picture_colors_parse(bad[i], strlen(bad[i]), colors), "%s",
			      bad[i]);
	ck_assert(cube_picture_colors_parse("red,#0f0,00f,white,#123456,aBc", 30, colors));
	static const uint32_t mixed[] = {0xee0000, 0x00ff00, 0x0000ff,
					 0xffffff, 0x123456, 0xaabbcc};
	for (int i = 0; i < CUBE_FACES; i++)
		ck_assert_uint_eq(colors[i], mixed[i]);
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
	tcase_add_test(tcase, coverage);
	tcase_add_test(tcase, svg_text);
	tcase_add_test(tcase, runs);
	tcase_add_test(tcase, turns);
	tcase_add_test(tcase, arrows);
	tcase_add_test(tcase, arrow_pixels);
	tcase_add_test(tcase, names);
	tcase_add_test(tcase, schemes);
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 9);
}
