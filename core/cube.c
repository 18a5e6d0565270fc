/* core/cube.c: states as a whole: making, comparing, composing, undoing, raising to powers. */
#include "cube/cube.h"

#include <assert.h>
#include <string.h>

const char cube_face_letters[CUBE_FACES + 1] = "URFDLB";

/* Every permutation of six faces, with spins, repeats after 240 = 4 * lcm(1..6) times. */
#define CENTER_PERIOD 240

static inline size_t face_area(const struct cube *cube)
{
	return (size_t)cube->size * cube->size;
}

/* The facelet in the middle of a face; of use on odd sizes only. */
static inline size_t middle_of(const struct cube *cube, int face)
{
	return (size_t)face * face_area(cube) + face_area(cube) / 2;
}

/* The face that the middle centre now at `face` comes from. */
static inline int middle_source(const struct cube *cube, int face)
{
	return cube_color_at(cube, middle_of(cube, face));
}

bool cube_size_valid(int64_t size)
{
	return size >= CUBE_SIZE_MIN && size <= CUBE_SIZE_MAX;
}

void cube_init(struct cube *cube, int size)
{
	assert(cube_size_valid(size));
	memset(cube, 0, sizeof(*cube));
	cube->size = (uint8_t)size;
	for (size_t i = 0; i < cube_facelets(size); i++)
		cube->sticker[i] = (uint16_t)i;
}

void cube_copy(struct cube *to, const struct cube *from)
{
	memcpy(to, from, cube_bytes(from->size));
}

bool cube_equal(const struct cube *a, const struct cube *b)
{
	return a->size == b->size && memcmp(a->spin, b->spin, sizeof(a->spin)) == 0 &&
	       memcmp(a->sticker, b->sticker, cube_facelets(a->size) * sizeof(a->sticker[0])) == 0;
}

int cube_color_at(const struct cube *cube, size_t facelet)
{
	return (int)(cube->sticker[facelet] / (unsigned)face_area(cube));
}

/* Returns true if every facelet of the face shows the colour. */
static bool face_shows(const struct cube *cube, int face, int color)
{
	size_t area = face_area(cube);
	const uint16_t *sticker = cube->sticker + (size_t)face * area;
	uint16_t least = (uint16_t)((size_t)color * area);
	for (size_t i = 0; i < area; i++)
		if ((uint16_t)(sticker[i] - least) >= area)
			return false;
	return true;
}

bool cube_is_solved(const struct cube *cube)
{
	for (int face = 0; face < CUBE_FACES; face++)
		if (!face_shows(cube, face, cube_color_at(cube, (size_t)face * face_area(cube))))
			return false;
	return true;
}

bool cube_is_home(const struct cube *cube)
{
	for (int face = 0; face < CUBE_FACES; face++)
		if (!face_shows(cube, face, face))
			return false;
	return true;
}

bool cube_well_formed(const struct cube *cube, uint8_t *seen)
{
	if (!cube_size_valid(cube->size) || cube->reserved != 0)
		return false;
	uint8_t spins = cube->size % 2 != 0 ? 4 : 1;
	for (int face = 0; face < CUBE_FACES; face++)
		if (cube->spin[face] >= spins)
			return false;
	size_t count = cube_facelets(cube->size);
	memset(seen, 0, count);
	for (size_t i = 0; i < count; i++) {
		uint16_t sticker = cube->sticker[i];
		if (sticker >= count || seen[sticker])
			return false;
		seen[sticker] = 1;
	}
	return true;
}

void cube_compose(struct cube *restrict result, const struct cube *a, const struct cube *b)
{
	assert(a->size == b->size && result != a && result != b);
	memset(result, 0, sizeof(*result));
	result->size = a->size;
	size_t count = cube_facelets(a->size);
	for (size_t i = 0; i < count; i++)
		result->sticker[i] = a->sticker[b->sticker[i]];
	if (a->size % 2 == 0)
		return;
	for (int face = 0; face < CUBE_FACES; face++)
		result->spin[face] = (a->spin[middle_source(b, face)] + b->spin[face]) & 3;
}

void cube_invert(struct cube *restrict result, const struct cube *cube)
{
	assert(result != cube);
	memset(result, 0, sizeof(*result));
	result->size = cube->size;
	size_t count = cube_facelets(cube->size);
	for (size_t i = 0; i < count; i++)
		result->sticker[cube->sticker[i]] = (uint16_t)i;
	if (cube->size % 2 == 0)
		return;
	for (int face = 0; face < CUBE_FACES; face++)
		result->spin[middle_source(cube, face)] = -cube->spin[face] & 3;
}

/* The spins after `exponent` times, summed along the path of each middle centre. */
static void power_spins(struct cube *restrict result, const struct cube *cube, int64_t exponent)
{
	int times = (int)(exponent % CENTER_PERIOD);
	if (times < 0)
		times += CENTER_PERIOD;
	uint8_t from[CUBE_FACES];
	for (int face = 0; face < CUBE_FACES; face++)
		from[face] = (uint8_t)middle_source(cube, face);
	for (int face = 0; face < CUBE_FACES; face++) {
		int length = 0, once_around = 0, at = face;
		do {
			once_around += cube->spin[at];
			at = from[at];
			length++;
		} while (at != face && length < CUBE_FACES);
		int spin = times / length * once_around;
		for (int i = times % length; i > 0; i--, at = from[at])
			spin += cube->spin[at];
		result->spin[face] = spin & 3;
	}
}

void cube_power(struct cube *restrict result, const struct cube *cube, int64_t exponent)
{
	/* No sticker's number: marks a place that no cycle has visited yet. */
	const uint16_t unseen = UINT16_MAX;
	assert(result != cube);
	memset(result, 0, sizeof(*result));
	result->size = cube->size;
	size_t count = cube_facelets(cube->size);
	const uint16_t *next = cube->sticker;
	memset(result->sticker, 0xff, count * sizeof(result->sticker[0]));

	for (size_t start = 0; start < count; start++) {
		if (result->sticker[start] != unseen)
			continue;
		if (next[start] == start) {
			result->sticker[start] = (uint16_t)start;
			continue;
		}
		int64_t length = 1;
		for (size_t at = next[start]; at != start; at = next[at])
			length++;
		int64_t ahead = exponent % length;
		if (ahead < 0)
			ahead += length;
		uint16_t sticker = (uint16_t)start;
		for (; ahead > 0; ahead--)
			sticker = next[sticker];
		for (size_t at = start; length > 0; length--) {
			result->sticker[at] = sticker;
			sticker = next[sticker];
			at = next[at];
		}
	}
	if (cube->size % 2 != 0)
		power_spins(result, cube, exponent);
}
