/* tests/core/geometry.c: stickers as points with arrows, turns as rotation matrices. */
#include "cube/cube.h"
#include "tests/core/geometry.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The orientation of each face in the unfolding: U above F, L F R B in a row, D below F. */
static const struct {
	int8_t normal[3], right[3], up[3];
} views[CUBE_FACES] = {
	[CUBE_U] = {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
	[CUBE_R] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
	[CUBE_F] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
	[CUBE_D] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
	[CUBE_L] = {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
	[CUBE_B] = {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}},
};

/* One right-handed quarter turn about +x, +y, +z; they act on column vectors. */
static const int quarter[3][3][3] = {
	{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},
	{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
	{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
};

static int dot(const int8_t a[3], const int8_t b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static int face_of(const int8_t normal[3])
{
	for (int face = 0; face < CUBE_FACES; face++)
		if (memcmp(views[face].normal, normal, 3) == 0)
			return face;
	abort();
}

struct geo_sticker geo_home(int size, size_t facelet)
{
	int n = size, face = (int)facelet / (n * n);
	int row = (int)facelet / n % n, column = (int)facelet % n;
	struct geo_sticker sticker;
	for (int i = 0; i < 3; i++) {
		int along = views[face].right[i] * (2 * column + 1 - n);
		int across = -views[face].up[i] * (2 * row + 1 - n);
		int out = views[face].normal[i] * (n - 1);
		sticker.at[i] = (int8_t)(along + across + out);
		sticker.normal[i] = views[face].normal[i];
		sticker.up[i] = views[face].up[i];
	}
	return sticker;
}

size_t geo_facelet(int size, const struct geo_sticker *sticker)
{
	int face = face_of(sticker->normal);
	int column = (dot(sticker->at, views[face].right) + size - 1) / 2;
	int row = (size - 1 - dot(sticker->at, views[face].up)) / 2;
	return (size_t)((face * size + row) * size + column);
}

int geo_spin(const struct geo_sticker *sticker)
{
	int face = face_of(sticker->normal);
	int upward = dot(sticker->up, views[face].up);
	int rightward = dot(sticker->up, views[face].right);
	if (upward != 0)
		return upward > 0 ? 0 : 2;
	return rightward > 0 ? 1 : 3;
}

struct geo geo_create(int size)
{
	struct geo geo = {.size = size, .count = cube_facelets(size)};
	geo.stickers = calloc(geo.count, sizeof(*geo.stickers));
	if (!geo.stickers)
		abort();
	geo_solve(&geo);
	return geo;
}

void geo_destroy(struct geo *geo)
{
	free(geo->stickers);
	geo->stickers = NULL;
}

void geo_solve(struct geo *geo)
{
	for (size_t i = 0; i < geo->count; i++)
		geo->stickers[i] = geo_home(geo->size, i);
}

void geo_copy(struct geo *to, const struct geo *from)
{
	assert(to->size == from->size);
	memcpy(to->stickers, from->stickers, from->count * sizeof(*from->stickers));
}

/* Clockwise as seen from outside is left-handed about the outward normal. */
struct geo_turn geo_turn_of(int size, int face, int from, int to, int64_t clockwise)
{
	struct geo_turn turn = {0};
	while (views[face].normal[turn.axis] == 0)
		turn.axis++;
	int sign = views[face].normal[turn.axis];
	int outer = sign * (size - 1 - 2 * (from - 1)), inner = sign * (size - 1 - 2 * (to - 1));
	turn.low = outer < inner ? outer : inner;
	turn.high = outer < inner ? inner : outer;
	turn.quarters = -sign * (int)(clockwise % 4);
	return turn;
}

struct geo_turn geo_turn_from(int size, struct cube_turn turn)
{
	return geo_turn_of(size, turn.face, turn.from, turn.to, turn.quarters);
}

static void rotate(int8_t v[3], int matrix[3][3])
{
	int8_t a = v[0], b = v[1], c = v[2];
	for (int i = 0; i < 3; i++)
		v[i] = (int8_t)(matrix[i][0] * a + matrix[i][1] * b + matrix[i][2] * c);
}

void geo_turn(struct geo *geo, struct geo_turn turn)
{
	int matrix[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	for (int times = ((turn.quarters % 4) + 4) % 4; times > 0; times--) {
		int old[3][3];
		memcpy(old, matrix, sizeof(old));
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 3; j++) {
				const int *row = quarter[turn.axis][i];
				matrix[i][j] = row[0] * old[0][j] + row[1] * old[1][j] +
					       row[2] * old[2][j];
			}
	}
	for (size_t i = 0; i < geo->count; i++) {
		struct geo_sticker *sticker = &geo->stickers[i];
		int layer = sticker->at[turn.axis];
		if (layer < turn.low || layer > turn.high)
			continue;
		rotate(sticker->at, matrix);
		rotate(sticker->normal, matrix);
		rotate(sticker->up, matrix);
	}
}

void geo_turn_all(struct geo *geo, const struct geo_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		geo_turn(geo, list->turns[i]);
}

/* Moves do to whatever lies on a facelet what they do to the sticker that is at home there. */
void geo_apply(struct geo *geo, const struct geo *by, uint64_t times)
{
	size_t *to = calloc(by->count, sizeof(*to));
	int *spin = calloc(by->count, sizeof(*spin));
	if (!to || !spin)
		abort();
	for (size_t i = 0; i < by->count; i++) {
		to[i] = geo_facelet(by->size, &by->stickers[i]);
		spin[i] = geo_spin(&by->stickers[i]);
	}
	for (size_t i = 0; i < geo->count; i++) {
		size_t place = geo_facelet(geo->size, &geo->stickers[i]);
		int turned = geo_spin(&geo->stickers[i]);
		for (uint64_t k = 0; k < times; k++) {
			turned = (turned + spin[place]) % 4;
			place = to[place];
		}
		struct geo_sticker home = geo_home(geo->size, place);
		for (int j = 0; j < 3; j++) {
			int face = face_of(home.normal);
			int up = views[face].up[j], right = views[face].right[j];
			home.up[j] = (int8_t)(turned % 2 ? right : up);
			if (turned >= 2)
				home.up[j] = (int8_t)-home.up[j];
		}
		geo->stickers[i] = home;
	}
	free(to);
	free(spin);
}

uint64_t geo_order(const struct geo *by, bool spin, bool colors, uint64_t most)
{
	size_t area = by->count / CUBE_FACES;
	size_t *place = calloc(by->count, sizeof(*place)), *to = calloc(by->count, sizeof(*to));
	int *turned = calloc(by->count, sizeof(*turned)),
	    *turns = calloc(by->count, sizeof(*turns));
	if (!place || !to || !turned || !turns)
		abort();
	for (size_t i = 0; i < by->count; i++) {
		place[i] = i;
		to[i] = geo_facelet(by->size, &by->stickers[i]);
		turns[i] = geo_spin(&by->stickers[i]);
	}
	uint64_t order = 0;
	for (uint64_t times = 1; times <= most && order == 0; times++) {
		bool same = true;
		for (size_t i = 0; i < by->count; i++) {
			turned[i] = (turned[i] + turns[place[i]]) % 4;
			place[i] = to[place[i]];
			same &= colors ? place[i] / area == i / area : place[i] == i;
			same &= !spin || turned[i] == 0;
		}
		order = same ? times : 0;
	}
	free(place);
	free(to);
	free(turned);
	free(turns);
	return order;
}

void geo_write(const struct geo *geo, uint16_t *sticker, uint8_t spin[CUBE_FACES])
{
	size_t area = geo->count / CUBE_FACES;
	memset(spin, 0, CUBE_FACES);
	for (size_t i = 0; i < geo->count; i++) {
		size_t place = geo_facelet(geo->size, &geo->stickers[i]);
		sticker[place] = (uint16_t)i;
		if (geo->size % 2 == 1 && place % area == area / 2)
			spin[place / area] = (uint8_t)geo_spin(&geo->stickers[i]);
	}
}

void geo_letters(const struct geo *geo, char *letters)
{
	size_t area = geo->count / CUBE_FACES;
	for (size_t i = 0; i < geo->count; i++)
		letters[geo_facelet(geo->size, &geo->stickers[i])] = "URFDLB"[i / area];
	letters[geo->count] = '\0';
}

bool geo_same(const struct geo *geo, const struct cube *cube)
{
	uint16_t *sticker = calloc(geo->count, sizeof(*sticker));
	uint8_t spin[CUBE_FACES];
	if (!sticker)
		abort();
	geo_write(geo, sticker, spin);
	bool same = geo->size == cube->size && cube->reserved == 0;
	for (size_t i = 0; same && i < geo->count; i++) {
		same = sticker[i] == cube->sticker[i];
		if (!same)
			fprintf(stderr,
				"size %d facelet %zu: the model has sticker %d, the library %d\n",
				geo->size, i, sticker[i], cube->sticker[i]);
	}
	for (int face = 0; same && face < CUBE_FACES; face++) {
		same = spin[face] == cube->spin[face];
		if (!same)
			fprintf(stderr, "size %d spin of %c: the model has %d, the library %d\n",
				geo->size, "URFDLB"[face], spin[face], cube -> spin[face]);
	}
	free(sticker);
	return same;
}

bool geo_equal(const struct geo *a, const struct geo *b)
{
	return a->size == b->size &&
	       memcmp(a->stickers, b->stickers, a->count * sizeof(*a->stickers)) == 0;
}
