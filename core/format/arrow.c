/* core/format/arrow.c: arrows of pictures: reading them, and their outlines. */
#include <string.h>

#include "core/format/scene.h"

#define STEPS 20      /* of a curve */
#define SHAFT 1.7     /* half the width */
#define HEAD 5.2      /* the same of the head */
#define HEAD_LENGTH 9 /* of the head */

/* ---- reading ---- */

struct arrow_reader {
	const char *at, *end;
	int size;
};

static bool read_integer(struct arrow_reader *reader, unsigned most, uint16_t *value)
{
	unsigned number = 0;
	const char *first = reader->at;
	while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9') {
		number = number * 10 + (unsigned)(*reader->at++ - '0');
		if (number > most)
			return false;
	}
	*value = (uint16_t)number;
	return reader->at > first;
}

static bool read_facelet(struct arrow_reader *reader, uint16_t *facelet)
{
	const unsigned area = (unsigned)(reader->size * reader->size);
	const char *letter = reader->at < reader->end
				     ? memchr(cube_face_letters, *reader->at, CUBE_FACES)
				     : NULL;
	if (!letter)
		return false;
	reader->at++;
	if (!read_integer(reader, area - 1, facelet))
		return false;
	*facelet = (uint16_t)(*facelet + area * (unsigned)(letter - cube_face_letters));
	return true;
}

/* Reads the option after a "-". */
static bool read_option(struct arrow_reader *reader, struct cube_picture_arrow *arrow)
{
	const char *first = reader->at;
	while (reader->at < reader->end && *reader->at != '-' && *reader->at != ',')
		reader->at++;
	struct arrow_reader inside = {first + 1, reader->at, 0};
	const size_t length = (size_t)(reader->at - first);
	if (length > 1 && *first == 's' && first[1] >= '0' && first[1] <= '9')
		return read_integer(&inside, 30, &arrow->length) && inside.at == inside.end &&
		       arrow->length > 0;
	if (length > 1 && *first == 'i')
		return read_integer(&inside, 50, &arrow->bend) && inside.at == inside.end;
	return cube_picture_color_parse(first, length, &arrow->color);
}

static bool read_arrow(struct arrow_reader *reader, struct cube_picture_arrow *arrow)
{
	if (!read_facelet(reader, &arrow->from) || !read_facelet(reader, &arrow->to) ||
	    arrow->from == arrow->to)
		return false;
	if (reader->at < reader->end && *reader->at != '-' && *reader->at != ',' &&
	    !read_facelet(reader, &arrow->by))
		return false;
	while (reader->at < reader->end && *reader->at == '-') {
		reader->at++;
		if (!read_option(reader, arrow))
			return false;
	}
	return reader->at == reader->end || *reader->at == ',';
}

bool cube_picture_arrows_parse(const char *text, size_t length, int size, uint32_t color,
			       struct cube_picture *picture, size_t *fault)
{
	struct arrow_reader reader = {text, text + length, size};
	picture->arrow_count = 0;
	for (;;) {
		const char *first = reader.at;
		struct cube_picture_arrow arrow = {
			.by = CUBE_NO_FACELET, .length = 10, .bend = 10, .color = color};
		*fault = (size_t)(first - text);
		if (picture->arrow_count == CUBE_ARROWS_MAX || !read_arrow(&reader, &arrow))
			return false;
		picture->arrows[picture->arrow_count++] = arrow;
		if (reader.at == reader.end)
			return true;
		reader.at++;
	}
}

/* ---- drawing ---- */

static struct point middle_of(const struct scene *scene, size_t facelet)
{
	const size_t n = (size_t)scene->size;
	const struct plane *plane = scene_plane(scene, facelet);
	if (!plane)
		return (struct point){0, 0};
	return scene_map(plane, CELL * ((double)(facelet % n) + .5),
			 CELL * ((double)(facelet % (n * n) / n) + .5));
}

static double root_of(double square)
{
	double root = square > 1 ? square : 1;
	for (int i = 0; i < 40; i++)
		root = (root + square / root) / 2;
	return root;
}

static struct point between(struct point a, struct point b, double part)
{
	return (struct point){a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

/* On the parabola from `a` to `b` that `by` pulls. */
static struct point on_curve(struct point a, struct point by, struct point b, double part)
{
	return between(between(a, by, part), between(by, b, part), part);
}

/* A step along the direction from `a` to `b`, and one to its right. */
static void directions(struct point a, struct point b, struct point *along, struct point *right)
{
	const double x = b.x - a.x, y = b.y - a.y, length = root_of(x * x + y * y);
	*along = (struct point){x / length, y / length};
	*right = (struct point){-along->y, along->x};
}

static struct point beside(struct point at, struct point right, double distance)
{
	return (struct point){at.x + right.x * distance, at.y + right.y * distance};
}

int scene_arrow(const struct scene *scene, const struct cube_picture_arrow *arrow,
		struct point *points)
{
	struct point from = middle_of(scene, arrow->from), to = middle_of(scene, arrow->to);
	const struct point middle = between(from, to, .5);
	from = between(middle, from, arrow->length / 10.0);
	to = between(middle, to, arrow->length / 10.0);
	/* On larger cubes as wide as on a 3x3x3. */
	const double unit = scene->size > 3 ? scene->size / 3.0 : 1;
	const bool bent = arrow->by != CUBE_NO_FACELET;
	/* The control point is twice as far out as the curve. */
	const struct point by =
		bent ? between(middle, middle_of(scene, arrow->by), arrow->bend / 5.0) : middle;
	struct point along, right;
	directions(bent ? by : from, to, &along, &right);
	const struct point base = beside(to, along, -HEAD_LENGTH * unit);
	const int steps = bent ? STEPS : 1;
	int count = 0;
	struct point line[STEPS + 1];
	for (int i = 0; i <= steps; i++)
		line[i] = on_curve(from, bent ? by : between(from, base, .5), base,
				   (double)i / steps);
	for (int i = 0; i <= steps; i++) {
		struct point ahead, aside;
		directions(line[i > 0 ? i - 1 : 0], line[i > 0 ? i : 1], &ahead, &aside);
		points[count++] = beside(line[i], aside, SHAFT * unit);
		points[2 * steps + 4 - i] = beside(line[i], aside, -SHAFT * unit);
	}
	points[count++] = beside(base, right, HEAD * unit);
	points[count++] = to;
	points[count++] = beside(base, right, -HEAD * unit);
	return 2 * steps + 5;
}
