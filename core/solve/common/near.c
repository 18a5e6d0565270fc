/* core/solve/common/near.c: tables of near states, made. */
#include "core/solve/common/near.h"

#include <assert.h>
#include <string.h>

/* The entries that are still to be written: later, when the processor has fetched the places. */
#define LATE 32
#define FACE 56 /* bits of a listed state: the face last turned */
struct late {
	const struct near *near;
	unsigned next;
	struct {
		uint64_t hash;
		int distance;
	} at[LATE];
};

static void set_distance(const struct near *near, uint64_t hash, int distance)
{
	size_t place = (size_t)(hash >> (64 - near->within_bits));
	near->within[place / 8] |= (uint8_t)(1 << place % 8);
	if (distance == near->depth)
		return;
	place = near_place(hash, near->nearer_bits);
	int was = near_nearer(near->nearer, near->nearer_bits, hash);
	if (distance < was)
		near->nearer[place / 2] ^= (uint8_t)((was ^ distance) << place % 2 * 4);
}

static void put_late(struct late *late, const uint32_t *names, unsigned count, int distance)
{
	const struct near *near = late->near;
	for (unsigned i = 0; i < count; i++) {
		unsigned at = late->next++ % LATE;
		uint64_t hash = near_hash(names[i]);
		set_distance(near, late->at[at].hash, late->at[at].distance);
		late->at[at].hash = hash;
		late->at[at].distance = distance;
		__builtin_prefetch(&near->within[(hash >> (64 - near->within_bits)) / 8], 1);
		__builtin_prefetch(&near->nearer[near_place(hash, near->nearer_bits) / 2], 1);
	}
}

/* Returns true if a state is new, by its smallest name. */
static bool is_new(struct near_work *work, const uint32_t *names, unsigned count)
{
	uint32_t name = UINT32_MAX;
	for (unsigned i = 0; i < count; i++)
		name = names[i] < name ? names[i] : name;
	size_t place = (size_t)(near_hash(++name) >> (64 - NEAR_SEEN_BITS)); /* 0: a free place */
	while (work->seen[place] != 0 && work->seen[place] != name)
		place = (place + 1) % (sizeof(work->seen) / sizeof(work->seen[0]));
	bool new = work->seen[place] == 0;
	work->seen[place] = name;
	return new;
}

void near_make(const struct near *near, const struct near_space *space, struct near_work *work)
{
	uint32_t names[NEAR_NAMES];
	size_t begin = 0, end = 1;
	struct late late = {.near = near};
	memset(near->nearer, near->depth * 0x11, ((size_t)1 << near->nearer_bits) / 2);
	memset(near->within, 0, ((size_t)1 << near->within_bits) / 8);
	memset(work->seen, 0, sizeof(work->seen));
	work->state[0] = space->solved | (uint64_t)0xff << FACE;
	unsigned count = space->names(space->context, space->solved, names);
	for (unsigned i = 0; i < count; i++)
		set_distance(near, near_hash(names[i]), 0);
	for (unsigned i = 0; i < LATE; i++) /* nothing new */
		late.at[i].hash = near_hash(names[0]);
	is_new(work, names, count);
	for (int distance = 1; distance <= near->depth; distance++) {
		size_t level = end;
		for (; begin < level; begin++) {
			uint64_t from = work->state[begin] & (((uint64_t)1 << FACE) - 1);
			unsigned face = (unsigned)(work->state[begin] >> FACE);
			for (unsigned m = 0; m < space->moves; m++) {
				if (space->face[m] == face)
					continue;
				uint64_t state = space->after(space->context, from, m);
				count = space->names(space->context, state, names);
				if (distance < near->depth && !is_new(work, names, count))
					continue;
				put_late(&late, names, count, distance);
				if (distance == near->depth)
					continue;
				assert(end < NEAR_STATES);
				work->state[end++] = state | (uint64_t)space->face[m] << FACE;
			}
		}
	}
	for (unsigned i = 0; i < LATE; i++)
		set_distance(near, late.at[i].hash, late.at[i].distance);
}
