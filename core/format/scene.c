/* core/format/scene.c: the views: which faces are seen, and where they lie in the picture. */
#include "core/format/scene.h"

#include <string.h>

#define MARGIN 4
#define GAP 10 /* between the faces of an unfolding */
/* Width of a picture in space, in edges: room for the cube however it is turned. */
#define SPACE_EDGES 1.75
#define SPACE_EDGES_NEAR 1.8 /* with perspective */
/* Below that a face is seen from the side. */
#define SEEN_MIN 1e-4

/* ---- geometry ---- */

double sine_of(double degrees)
{
	while (degrees > 180)
		degrees -= 360;
	while (degrees < -180)
		degrees += 360;
	const double x = degrees * (3.14159265358979323846 / 180);
	double term = x, sum = x;
	for (int i = 2; i < 26; i += 2) {
		term *= -x * x / (i * (i + 1));
		sum += term;
	}
	return sum;
}

/* Outward, right and down of each face. */
static const int8_t axes[CUBE_FACES][3][3] = {
	{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
	{{0, 0, 1}, {1, 0, 0}, {0, -1, 0}},  {{0, -1, 0}, {1, 0, 0}, {0, 0, -1}},
	{{-1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 0, -1}, {-1, 0, 0}, {0, -1, 0}},
};

static void turn_vector(const double turn[9], const double from[3], double to[3])
{
	for (int i = 0; i < 3; i++)
		to[i] = turn[3 * i] * from[0] + turn[3 * i + 1] * from[1] +
			turn[3 * i + 2] * from[2];
}

struct point scene_map(const struct plane *plane, double x, double y)
{
	const double *m = plane->map;
	const double w = m[6] * x + m[7] * y + m[8];
	return (struct point){(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w};
}

/* ---- in space ---- */

/* The eye, and how large what it sees is drawn. */
struct eye {
	double edge, distance, scale, middle;
};

/* A corner of a face and its two sides, turned, to the map of its plane. */
static void project(const struct eye *eye, const double corner[3], const double right[3],
		    const double down[3], double map[9])
{
	const double *parts[3] = {right, down, corner};
	for (int i = 0; i < 3; i++) {
		const double *part = parts[i], one = i == 2 ? 1 : 0;
		/* Points nearer to the eye are larger by distance / (distance - depth). */
		const double w = eye->distance > 0 ? one - part[2] / eye->distance : one;
		map[i] = eye->scale * part[0] + eye->middle * w;
		map[3 + i] = -eye->scale * part[1] + eye->middle * w;
		map[6 + i] = w;
	}
}

static void add_face(struct scene *scene, const struct eye *eye, const double turn[9], int face,
		     bool far)
{
	double outward[3], right[3], down[3], corner[3], turned[3];
	const double half = eye->edge / 2;
	for (int i = 0; i < 3; i++) {
		outward[i] = axes[face][0][i];
		right[i] = axes[face][1][i];
		down[i] = axes[face][2][i];
		corner[i] = half * (outward[i] - right[i] - down[i]);
	}
	turn_vector(turn, outward, turned);
	const double seen = turned[2] - (eye->distance > 0 ? half / eye->distance : 0);
	if (far ? seen > -SEEN_MIN : seen < SEEN_MIN)
		return;
	struct plane *plane = &scene->planes[scene->count++];
	*plane = (struct plane){.face = (uint8_t)face, .rows = (uint8_t)scene->size, .far = far};
	double at[3], along[3], below[3];
	turn_vector(turn, corner, at);
	turn_vector(turn, right, along);
	turn_vector(turn, down, below);
	project(eye, at, along, below, plane->map);
}

/* Smaller if the eye is so near that the cube would not fit. */
static void fit(struct eye *eye, const double turn[9], double width)
{
	double widest = 0;
	for (int i = 0; i < 8; i++) {
		const double half = eye->edge / 2;
		const double corner[3] = {i & 1 ? half : -half, i & 2 ? half : -half,
					  i & 4 ? half : -half};
		double at[3];
		turn_vector(turn, corner, at);
		for (int k = 0; k < 2; k++) {
			const double seen =
				(at[k] < 0 ? -at[k] : at[k]) / (1 - at[2] / eye->distance);
			if (seen > widest)
				widest = seen;
		}
	}
	const double room = width / 2 - GROUND_RIM;
	if (widest > room)
		eye->scale = room / widest;
}

static void lay_space(struct scene *scene, const struct cube_picture *picture)
{
	/* y45 x-35.264: looking along a diagonal. */
	static const double usual[9] = {0.70710678,  0,          -0.70710678,
					-0.40824829, 0.81649658, -0.40824829,
					0.57735027,  0.57735027, 0.57735027};
	const double *turn = picture->turned ? picture->turn : usual;
	const double edge = CELL * scene->size;
	const double width =
		edge * (picture->distance > 0 && !scene->merged ? SPACE_EDGES_NEAR : SPACE_EDGES) +
		2 * GROUND_RIM;
	struct eye eye = {.edge = edge,
			  .distance = scene->merged ? 0 : picture->distance * edge,
			  .scale = 1,
			  .middle = width / 2};
	scene->flat = picture->distance <= 0 || scene->merged;
	scene->width = scene->height = width;
	if (!scene->flat)
		fit(&eye, turn, width);
	if (picture->plastic_opacity < 100 || picture->sticker_opacity < 100)
		for (int face = 0; face < CUBE_FACES; face++)
			add_face(scene, &eye, turn, face, true);
	for (int face = 0; face < CUBE_FACES; face++)
		add_face(scene, &eye, turn, face, false);
}

/* ---- flat ---- */

static void add_flat(struct scene *scene, int face, int rows, const double map[6])
{
	struct plane *plane = &scene->planes[scene->count++];
	*plane = (struct plane){.face = (uint8_t)face, .rows = (uint8_t)rows};
	memcpy(plane->map, map, 6 * sizeof map[0]);
	plane->map[8] = 1;
}

static void lay_net(struct scene *scene)
{
	static const uint8_t at[CUBE_FACES][2] = {{1, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 1}, {3, 1}};
	const double side = CELL * scene->size, step = side + GAP;
	scene->width = 3 * step + side + 2 * MARGIN;
	scene->height = 2 * step + side + 2 * MARGIN;
	for (int face = 0; face < CUBE_FACES; face++) {
		const double map[6] = {1, 0, at[face][0] * step + MARGIN,
				       0, 1, at[face][1] * step + MARGIN};
		add_flat(scene, face, scene->size, map);
	}
}

/* The rows beside U are 8 units high; each is seen with U's side of it inwards. */
static void lay_plan(struct scene *scene)
{
	const double in = 8 + MARGIN, far = in + CELL * scene->size;
	const double maps[5][6] = {{1, 0, in, 0, 1, in},
				   {0, .4, far, -1, 0, far},
				   {1, 0, in, 0, .4, far},
				   {0, -.4, in, 1, 0, in},
				   {-1, 0, far, 0, -.4, in}};
	static const uint8_t faces[5] = {CUBE_U, CUBE_R, CUBE_F, CUBE_L, CUBE_B};
	scene->width = scene->height = far + in;
	for (int i = 0; i < 5; i++)
		add_flat(scene, faces[i], i == 0 ? scene->size : 1, maps[i]);
}

void scene_make(struct scene *scene, const struct cube_picture *picture, int size)
{
	*scene = (struct scene){.size = size, .flat = true, .merged = size >= CUBE_PICTURE_MERGED};
	if (picture->view == CUBE_PICTURE_NET)
		lay_net(scene);
	else if (picture->view == CUBE_PICTURE_PLAN)
		lay_plan(scene);
	else
		lay_space(scene, picture);
}

/* ---- parts ---- */

const struct plane *scene_plane(const struct scene *scene, size_t facelet)
{
	const size_t n = (size_t)scene->size, face = facelet / (n * n);
	for (int i = 0; i < scene->count; i++) {
		const struct plane *plane = &scene->planes[i];
		if (plane->face == face && !plane->far)
			return facelet % (n * n) / n < plane->rows ? plane : NULL;
	}
	return NULL;
}

double scene_line_width(const struct scene *scene)
{
	const double width = 48.0 / scene->size;
	return width > 2.4 ? 2.4 : width < .8 ? .8 : width;
}

int scene_run(const struct scene *scene, const uint8_t *row, int at)
{
	int end = at + 1;
	while (scene->merged && end < scene->size && row[end] == row[at])
		end++;
	return end - at;
}

int scene_outline(const struct plane *plane, double left, double top, double right, double bottom,
		  double radius, struct point *points)
{
	/* A quarter of a circle, from right to down. */
	static const struct point arc[6] = {{1, 0},
					    {.951057, .309017},
					    {.809017, .587785},
					    {.587785, .809017},
					    {.309017, .951057},
					    {0, 1}};
	const double x[4] = {right - radius, left + radius, left + radius, right - radius};
	const double y[4] = {bottom - radius, bottom - radius, top + radius, top + radius};
	int count = 0;
	for (int corner = 0; corner < 4; corner++)
		for (int i = 0; i < (radius > 0 ? 6 : 1); i++) {
			/* Turned clockwise by a right angle for each corner. */
			double dx = arc[i].x * radius, dy = arc[i].y * radius;
			for (int k = 0; k < corner; k++) {
				const double before = dx;
				dx = -dy;
				dy = before;
			}
			points[count++] = scene_map(plane, x[corner] + dx, y[corner] + dy);
		}
	return count;
}
