/* core/format/palette.c: what is said about pictures: names of views and colours, and rotations. */
#include <string.h>

#include "core/format/scene.h"
#include "core/name.h"
#include "cube/hold.h"

static const struct {
	const char *name;
	int width, height;
} views[CUBE_PICTURE_VIEWS] = {
#define CUBE_PICTURE_ROW(constant, name, width, height) [constant] = {name, width, height},
	CUBE_PICTURE_TABLE(CUBE_PICTURE_ROW)
#undef CUBE_PICTURE_ROW
};

static const struct {
	const char *name;
	uint32_t colors[CUBE_FACES];
} schemes[] = {
	{"wca", {0xffffff, 0xc41e3a, 0x009e60, 0xffd500, 0xff5800, 0x0051ba}},
	{"okabe-ito", {0xffffff, 0xd55e00, 0x56b4e9, 0xf0e442, 0xe69f00, 0x0072b2}},
};
#define SCHEMES (sizeof(schemes) / sizeof(schemes[0]))

static const struct {
	const char *name;
	uint32_t color;
} names[] = {
	{"black", 0x000000},
	{"dgrey", 0x404040},
	{"grey", 0x808080},
	{"silver", 0xbfbfbf},
	{"white", 0xffffff},
	{"yellow", 0xfefe00},
	{"red", 0xee0000},
	{"orange", 0xffa100},
	{"blue", 0x0000f2},
	{"green", 0x00d800},
	{"purple", 0xa83dd9},
	{"pink", 0xf33d7b},
	/* Their letters in VisualCube. */
	{"n", 0x000000},
	{"d", 0x404040},
	{"l", 0x808080},
	{"s", 0xbfbfbf},
	{"w", 0xffffff},
	{"y", 0xfefe00},
	{"r", 0xee0000},
	{"o", 0xffa100},
	{"b", 0x0000f2},
	{"g", 0x00d800},
	{"m", 0xa83dd9},
	{"p", 0xf33d7b},
};
#define NAMES (sizeof(names) / sizeof(names[0]))

void cube_picture_init(struct cube_picture *picture, enum cube_picture_view view)
{
	const bool trans = view == CUBE_PICTURE_TRANS;
	*picture = (struct cube_picture){.view = view,
					 .turned = trans,
					 .distance = trans ? 5 : 0,
					 .plastic = trans ? 0x888888 : 0x222222,
					 .plastic_opacity = trans ? 40 : 100,
					 .sticker_opacity = 100,
					 .background = 0xffffff};
	memcpy(picture->colors, schemes[0].colors, sizeof(schemes[0].colors));
	picture->colors[CUBE_SHOWN_GREY] = 0x808080;
	picture->colors[CUBE_SHOWN_LIGHT] = 0xbfbfbf;
	/* Not along a diagonal, where far stickers would lie exactly behind near ones. */
	if (trans && !cube_picture_turn_parse("y35x-30", 7, picture->turn))
		picture->turned = false;
}

void cube_picture_extent(const struct cube_picture *picture, int *width, int *height)
{
	const int wide = views[picture->view].width, high = views[picture->view].height;
	*width = picture->pixels > 0 ? picture->pixels : wide;
	*height = picture->pixels > 0 ? (picture->pixels * high + wide / 2) / wide : high;
}

const char *cube_picture_view_name(enum cube_picture_view view)
{
	return views[view].name;
}

bool cube_picture_view_find(const char *name, size_t length, enum cube_picture_view *view)
{
	int i = name_find(&views[0].name, sizeof(views[0]), CUBE_PICTURE_VIEWS, name, length);
	if (i >= 0)
		*view = (enum cube_picture_view)i;
	return i >= 0;
}

/* ---- colours ---- */

const char *cube_picture_scheme(size_t index)
{
	return index < SCHEMES ? schemes[index].name : NULL;
}

const char *cube_picture_color_name(size_t index)
{
	return index < NAMES ? names[index].name : NULL;
}

static int hex_value(char digit)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *found = digit ? strchr(digits, digit) : NULL;
	return found ? (int)(found - digits) % 16 : -1;
}

bool cube_picture_color_parse(const char *text, size_t length, uint32_t *color)
{
	int name = name_find(&names[0].name, sizeof(names[0]), NAMES, text, length);
	if (name >= 0) {
		*color = names[name].color;
		return true;
	}
	if (length > 0 && *text == '#') {
		text++;
		length--;
	}
	if (length != 3 && length != 6)
		return false;
	*color = 0;
	for (size_t i = 0; i < length; i++) {
		int value = hex_value(text[i]);
		if (value < 0)
			return false;
		/* Each of three digits stands for two. */
		*color = *color << 4 | (uint32_t)value;
		if (length == 3)
			*color = *color << 4 | (uint32_t)value;
	}
	return true;
}

bool cube_picture_colors_parse(const char *text, size_t length, uint32_t colors[CUBE_FACES])
{
	int scheme = name_find(&schemes[0].name, sizeof(schemes[0]), SCHEMES, text, length);
	if (scheme >= 0) {
		memcpy(colors, schemes[scheme].colors, sizeof(schemes[scheme].colors));
		return true;
	}
	const char *end = text + length;
	for (int face = 0; face < CUBE_FACES; face++) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		if ((comma == NULL) != (face == CUBE_FACES - 1) ||
		    !cube_picture_color_parse(text, (size_t)((comma ? comma : end) - text),
					      &colors[face]))
			return false;
		text = comma ? comma + 1 : end;
	}
	return true;
}

/* ---- rotations ---- */

#define ROTATIONS_MAX 16

/* Reads a number of degrees with up to three decimals. Returns its end, or NULL. */
static const char *read_degrees(const char *at, const char *end, double *degrees)
{
	const bool negative = at < end && *at == '-';
	at += negative;
	const char *first = at;
	int number = 0, scale = 1;
	bool decimals = false;
	for (; at < end && ((*at >= '0' && *at <= '9') || (*at == '.' && !decimals)); at++) {
		if (*at == '.') {
			decimals = true;
			continue;
		}
		number = number * 10 + (*at - '0');
		scale *= decimals ? 10 : 1;
		if (scale > 1000 || number > 999 * scale)
			return NULL;
	}
	*degrees = (negative ? -1.0 : 1.0) * number / scale;
	return at > first && at[-1] != '.' && *first != '.' ? at : NULL;
}

/* After `turn`, about the axis x, y or z. */
static void turn_about(double turn[9], int axis, double degrees)
{
	const double sine = sine_of(degrees), cosine = sine_of(90 - degrees);
	/* Clockwise as seen from outside: the second of these moves towards the first. */
	const int to = (axis + 1) % 3, from = (axis + 2) % 3;
	for (int i = 0; i < 3; i++) {
		const double a = turn[3 * to + i], b = turn[3 * from + i];
		turn[3 * to + i] = cosine * a + sine * b;
		turn[3 * from + i] = cosine * b - sine * a;
	}
}

bool cube_picture_turn_parse(const char *text, size_t length, double turn[9])
{
	static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	const char *end = text + length;
	int count = 0;
	memcpy(turn, none, sizeof(none));
	while (text && text < end && count++ < ROTATIONS_MAX) {
		double degrees = 0;
		const int axis = *text - 'x';
		if (axis < 0 || axis > 2)
			return false;
		text = read_degrees(text + 1, end, &degrees);
		turn_about(turn, axis, degrees);
	}
	return text == end && count > 0;
}

bool cube_rotation_parse(const char *text, size_t length, int *hold)
{
	/* The quarter, half and three-quarter turns about x, y and z. */
	static const int holds[3][3] = {{4, 8, 12}, {1, 2, 3}, {16, 10, 20}};
	const char *end = text + length;
	int count = 0, all = 0;
	while (text < end) {
		if (*text == ' ') {
			text++;
			continue;
		}
		const int axis = *text++ - 'x';
		int quarters = 1;
		if (axis < 0 || axis > 2 || count++ == ROTATIONS_MAX)
			return false;
		if (text < end && *text == '2') {
			quarters = 2;
			text++;
		}
		if (text < end && *text == '\'') {
			quarters = 4 - quarters;
			text++;
		}
		all = cube_hold_then(all, holds[axis][quarters - 1]);
	}
	if (count > 0)
		*hold = all;
	return count > 0;
}
