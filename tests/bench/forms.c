/* forms.c: what libcube takes to write a cube as numbers: features, poses, flatten, and to read
 * poses.
 *
 * Prints a line "name value" for each figure, in ns a cube. All are measured in turn, ROUNDS times,
 * and the least is what counts. Each writes STATES cubes in turn, so that nothing is guessed. */
#include "cube/libcube.h"
#include "tests/bench/clock.h"

#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 60
#define SAMPLE_NS 300000 /* of one measure in one round */
#define STATES 256       /* of size 3; a few of larger ones */

static uint8_t bytes[STATES * CUBE_FEATURES];
static float floats[STATES * CUBE_FEATURES];
static struct cube_pose poses[60000];
static int8_t rows[60000][4];
static uint8_t numbers[CUBE_FACELETS_MAX];
static struct cube *back;

typedef void writer(const struct cube *cube, int index);

static void write_features(const struct cube *cube, int index)
{
	cube_features_write(cube, bytes + index * CUBE_FEATURES);
}

static void write_features_float(const struct cube *cube, int index)
{
	cube_features_write_float(cube, floats + index * CUBE_FEATURES);
}

static void write_poses(const struct cube *cube, int index)
{
	(void)index;
	cube_poses_write(cube, poses);
}

static void write_rows(const struct cube *cube, int index)
{
	(void)index;
	cube_poses_write_compact(cube, rows);
}

/* Reads the rows that were written last. */
static void read_rows(const struct cube *cube, int index)
{
	struct cube_form_error error;
	(void)index;
	if (cube_poses_read_compact(back, cube->size, (const int8_t(*)[4])rows,
				    cube_poses_count(cube->size), &error) != CUBE_FORM_OK)
		exit(1);
}

static void write_flatten(const struct cube *cube, int index)
{
	(void)index;
	cube_flatten_write(cube, numbers);
}

static struct measure {
	const char *name;
	int size;
	writer *write;
	double sample[ROUNDS];
} measures[] = {
	{"features.uint8", 3, write_features, {0}},
	{"features.float32", 3, write_features_float, {0}},
	{"poses.3", 3, write_poses, {0}},
	{"poses_compact.3", 3, write_rows, {0}},
	{"poses_compact_read.3", 3, read_rows, {0}},
	{"flatten.3", 3, write_flatten, {0}},
	{"poses.7", 7, write_poses, {0}},
	{"flatten.7", 7, write_flatten, {0}},
	{"poses.100", 100, write_poses, {0}},
	{"poses_compact.100", 100, write_rows, {0}},
	{"poses_compact_read.100", 100, read_rows, {0}},
	{"flatten.100", 100, write_flatten, {0}},
};
#define MEASURES (sizeof(measures) / sizeof(measures[0]))

static int states_of(int size)
{
	return size == 3 ? STATES : 4;
}

/* `states_of` scrambled cubes of a size, one after the other; made once a size. */
static uint8_t *scrambled(int size, uint64_t *seed)
{
	static uint8_t *made[CUBE_SIZE_MAX + 1];
	if (made[size])
		return made[size];
	made[size] = calloc((size_t)states_of(size), cube_bytes(size));
	for (int i = 0; i < states_of(size); i++) {
		struct cube *cube = (struct cube *)(made[size] + (size_t)i * cube_bytes(size));
		cube_init(cube, size);
		for (int k = 0; k < 20 + 10 * size; k++) {
			int layer = 1 + (int)random_below(seed, (uint32_t)size);
			cube_turn(cube,
				  cube_turn_make(size, (int)random_below(seed, CUBE_FACES), layer,
						 layer, 1 + (int)random_below(seed, 3)));
		}
	}
	return made[size];
}

static double time_measure(const struct measure *measure, const uint8_t *states)
{
	uint64_t begin = clock_ns(), now, count = 0;
	do {
		for (int i = 0; i < states_of(measure->size); i++) {
			size_t at = (size_t)i * cube_bytes(measure->size);
			measure->write((const struct cube *)(states + at), i);
		}
		count += (uint64_t)states_of(measure->size);
		now = clock_ns();
	} while (now - begin < SAMPLE_NS);
	return (double)(now - begin) / (double)count;
}

int main(void)
{
	uint64_t seed = 88172645463325252u;
	back = malloc(cube_bytes(CUBE_SIZE_MAX));
	if (!back)
		return 1;
	for (int round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < MEASURES; i++)
			measures[i].sample[round] =
				time_measure(&measures[i], scrambled(measures[i].size, &seed));
	for (size_t i = 0; i < MEASURES; i++)
		printf("%s %.1f\n", measures[i].name, least(measures[i].sample, ROUNDS));
	free(back);
	return 0;
}
