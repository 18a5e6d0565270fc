/* core/format/picture.c: a cube as SVG. Each face is drawn flat, in cells of 20 units, and put
 * where it belongs by the matrix of its group. */
#include "cube/picture.h"

#include <assert.h>
#include <string.h>

#include "core/name.h"

#define CELL 20
#define MARGIN 4
#define GAP 10 /* between the faces of an unfolding */

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
	{"okabe-ito", {0xffffff, 0xd55e00, 0x009e73, 0xf0e442, 0xcc79a7, 0x0072b2}},
};
#define SCHEMES (sizeof(schemes) / sizeof(schemes[0]))

/* ---- names ---- */

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

const char *cube_picture_scheme(size_t index)
{
	return index < SCHEMES ? schemes[index].name : NULL;
}

static int hex_value(char digit)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *found = digit ? strchr(digits, digit) : NULL;
	return found ? (int)(found - digits) % 16 : -1;
}

bool cube_picture_colors_parse(const char *text, size_t length, uint32_t colors[CUBE_FACES])
{
	int scheme = name_find(&schemes[0].name, sizeof(schemes[0]), SCHEMES, text, length);
	if (scheme >= 0) {
		memcpy(colors, schemes[scheme].colors, sizeof(schemes[scheme].colors));
		return true;
	}
	if (length != CUBE_FACES * 7 - 1)
		return false;
	for (size_t i = 0; i < length; i++) {
		int value = hex_value(text[i]);
		if (i % 7 == 6 ? text[i] != ',' : value < 0)
			return false;
		if (i % 7 != 6)
			colors[i / 7] = (i % 7 == 0 ? 0 : colors[i / 7] << 4) | (uint32_t)value;
	}
	return true;
}

/* ---- writing ---- */

static char *put_text(char *to, const char *text)
{
	size_t length = strlen(text);
	memcpy(to, text, length);
	return to + length;
}

static char *put_number(char *to, long number)
{
	char digits[20];
	int count = 0;
	unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
	if (number < 0)
		*to++ = '-';
	do
		digits[count++] = (char)('0' + rest % 10);
	while ((rest /= 10) > 0);
	while (count > 0)
		*to++ = digits[--count];
	return to;
}

/* Thousandths: -866 is -.866, 17320 is 17.32. */
static char *put_thousandths(char *to, long number)
{
	long rest = (number < 0 ? -number : number) % 1000;
	if (number < 0)
		*to++ = '-';
	if (number / 1000 != 0 || rest == 0)
		to = put_number(to, (number < 0 ? -number : number) / 1000);
	if (rest > 0)
		*to++ = '.';
	for (long unit = 100; rest > 0; unit /= 10) {
		*to++ = (char)('0' + rest / unit);
		rest %= unit;
	}
	return to;
}

static char *put_color(char *to, uint32_t color)
{
	*to++ = '#';
	for (int shift = 20; shift >= 0; shift -= 4)
		*to++ = "0123456789abcdef"[color >> shift & 15];
	return to;
}

/* ---- a face ---- */

/* Where a face goes: right and down of it, and its first corner, in thousandths. */
struct placed {
	uint8_t face;
	bool row;       /* of it the first row only */
	long matrix[6]; /* right x, right y, down x, down y, x, y */
};

#define STICKER_BYTES 21 /* of the longest, "M1983 1983h14v14h-14z" */
#define FACE_BYTES 640   /* of a face without them: its group, its ground, six paths */
#define HEAD_BYTES 512   /* and the end */

/* What follows the column of all stickers of a row: the row, and a square. */
struct ending {
	char text[20];
	size_t length;
};

static struct ending ending_of(int row)
{
	struct ending ending = {.text = " "};
	char *to = put_number(ending.text + 1, CELL * row + 3);
	ending.length = (size_t)(put_text(to, "h14v14h-14z") - ending.text);
	return ending;
}

static char *put_path(char *to, uint32_t paint)
{
	to = put_text(to, "<path fill=\"");
	to = put_color(to, paint);
	to = put_text(to, "\" stroke=\"");
	to = put_color(to, paint);
	return put_text(to, "\" d=\"");
}

/* The stickers of one colour, as one path; nothing if there are none. */
static char *put_stickers(char *to, const struct cube *cube, const struct placed *placed,
			  unsigned color, uint32_t paint)
{
	int n = cube->size, rows = placed->row ? 1 : n;
	unsigned area = (unsigned)(n * n);
	const uint16_t *sticker = cube->sticker + placed->face * area;
	bool any = false;
	for (int row = 0; row < rows; row++) {
		const struct ending ending = ending_of(row);
		for (int column = 0; column < n; column++) {
			if (*sticker++ - color * area >= area)
				continue;
			to = any ? to : put_path(to, paint);
			any = true;
			*to++ = 'M';
			to = put_number(to, CELL * column + 3);
			memcpy(to, ending.text, ending.length);
			to += ending.length;
		}
	}
	return any ? put_text(to, "\"/>\n") : to;
}

static char *put_face(char *to, const struct cube *cube, const struct placed *placed,
		      const struct cube_picture *picture)
{
	int width = CELL * cube->size, height = placed->row ? CELL : width;
	to = put_text(to, "<g transform=\"matrix(");
	for (int i = 0; i < 6; i++) {
		to = put_text(to, i > 0 ? " " : "");
		to = put_thousandths(to, placed->matrix[i]);
	}
	to = put_text(to, ")\"><path d=\"M1 1h");
	to = put_number(to, width - 2);
	*to++ = 'v';
	to = put_number(to, height - 2);
	*to++ = 'h';
	to = put_number(to, 2 - width);
	to = put_text(to, "z\"/>\n");
	for (unsigned color = 0; color < CUBE_FACES; color++)
		to = put_stickers(to, cube, placed, color, picture->colors[color]);
	return put_text(to, "</g>\n");
}

/* ---- the views ---- */

struct layout {
	long width, height; /* in thousandths */
	int count;
	struct placed placed[CUBE_FACES];
};

/* The edges of the cube point to the right and down, to the left and down, and down, all as long.
 */
static void lay_iso(struct layout *layout, long side)
{
	long half = side / 2, across = side * 866 / 1000;
	*layout = (struct layout){2 * across,
				  2 * side,
				  3,
				  {{CUBE_U, false, {866, 500, -866, 500, across, 0}},
				   {CUBE_F, false, {866, 500, 0, 1000, 0, half}},
				   {CUBE_R, false, {866, -500, 0, 1000, across, side}}}};
}

static void lay_net(struct layout *layout, long side)
{
	static const uint8_t at[CUBE_FACES][2] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {3, 1}};
	long step = side + 1000 * GAP;
	*layout = (struct layout){
		.width = 3 * step + side, .height = 2 * step + side, .count = CUBE_FACES};
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		layout->placed[face] = (struct placed){
			face, false, {1000, 0, 0, 1000, at[face][0] * step, at[face][1] * step}};
}

/* The rows beside U are 8 units high and 2 away; each is seen with U's side of it inwards. */
static void lay_plan(struct layout *layout, long side)
{
	const long in = 10000, near = 8000, far = in + side, beyond = far + 2000;
	*layout = (struct layout){far + in,
				  far + in,
				  5,
				  {{CUBE_U, false, {1000, 0, 0, 1000, in, in}},
				   {CUBE_R, true, {0, -1000, 400, 0, beyond, far}},
				   {CUBE_F, true, {1000, 0, 0, 400, in, beyond}},
				   {CUBE_L, true, {0, 1000, -400, 0, near, in}},
				   {CUBE_B, true, {-1000, 0, 0, -400, far, near}}}};
}

static void (*const lay[CUBE_PICTURE_VIEWS])(struct layout *layout, long side) = {
	[CUBE_PICTURE_ISO] = lay_iso, [CUBE_PICTURE_NET] = lay_net, [CUBE_PICTURE_PLAN] = lay_plan};

size_t cube_picture_bytes(int size, enum cube_picture_view view)
{
	struct layout layout;
	size_t n = (size_t)size, bytes = HEAD_BYTES;
	lay[view](&layout, 1000L * CELL * size);
	for (int i = 0; i < layout.count; i++)
		bytes += FACE_BYTES + STICKER_BYTES * (layout.placed[i].row ? n : n * n);
	return bytes;
}

static char *put_head(char *to, const struct cube *cube, const struct layout *layout,
		      enum cube_picture_view view)
{
	to = put_text(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
	to = put_number(to, views[view].width);
	to = put_text(to, "\" height=\"");
	to = put_number(to, views[view].height);
	to = put_text(to, "\" viewBox=\"");
	to = put_number(to, -MARGIN);
	*to++ = ' ';
	to = put_number(to, -MARGIN);
	*to++ = ' ';
	to = put_thousandths(to, layout->width + 2000 * MARGIN);
	*to++ = ' ';
	to = put_thousandths(to, layout->height + 2000 * MARGIN);
	to = put_text(to, "\" role=\"img\">\n<title>");
	for (int i = 0; i < 3; i++) {
		to = put_text(to, i > 0 ? "x" : "A ");
		to = put_number(to, cube->size);
	}
	return put_text(to, " cube</title>\n<g fill=\"#222\" stroke=\"#222\" stroke-width=\"2\" "
			    "stroke-linejoin=\"round\">\n");
}

size_t cube_picture_print(const struct cube *cube, const struct cube_picture *picture, char *text)
{
	struct layout layout;
	lay[picture->view](&layout, 1000L * CELL * cube->size);
	char *to = put_head(text, cube, &layout, picture->view);
	for (int i = 0; i < layout.count; i++)
		to = put_face(to, cube, &layout.placed[i], picture);
	to = put_text(to, "</g>\n</svg>\n");
	assert((size_t)(to - text) <= cube_picture_bytes(cube->size, picture->view));
	return (size_t)(to - text);
}
