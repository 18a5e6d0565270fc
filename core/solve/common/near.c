/* core/solve/common/near.c: tables of near states, made. */
#include "core/solve/common/near.h"

#include <assert.h>
#include <string.h>

#include "core/solve/common/moves.h"

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

/* A state with its names, and the place of the smallest one among those that were seen. */
struct met {
	uint64_t state;
	unsigned count;
	uint32_t name; /* plus 1: 0 is a free place */
	size_t place;
	uint32_t names[NEAR_NAMES];
};

static void name_it(const struct near_space *space, const struct near_work *work, struct met *met)
{
	uint32_t name = UINT32_MAX;
	met->count = space->names(space->context, met->state, met->names);
	for (unsigned i = 0; i < met->count; i++)
		name = met->names[i] < name ? met->names[i] : name;
	met->name = name + 1;
	met->place = (size_t)(near_hash(met->name) >> (64 - NEAR_SEEN_BITS));
	__builtin_prefetch(&work->seen[met->place], 1);
}

static bool is_new(struct near_work *work, const struct met *met)
{
	size_t place = met->place;
	while (work->seen[place] != 0 && work->seen[place] != met->name)
		place = (place + 1) % (sizeof(work->seen) / sizeof(work->seen[0]));
	bool new = work->seen[place] == 0;
	work->seen[place] = met->name;
	return new;
}

/* Names all states that moves lead to before the first is looked for, as the processor fetches their places then. Of
 * turns of opposite faces, which commute, one order is enough. */
static unsigned meet_next(const struct near_space *space, const struct near_work *work,
			  uint64_t listed, struct met met[NEAR_MOVES])
{
	const uint64_t from = listed & (((uint64_t)1 << FACE) - 1);
	unsigned count = 0;
	for (unsigned m = 0; m < space->moves; m++) {
		if (!face_follows(space->face[m], (int)(listed >> FACE)))
			continue;
		met[count].state = space->after(space->context, from, m);
		name_it(space, work, &met[count]);
		met[count++].state |= (uint64_t)space->face[m] << FACE;
	}
	return count;
}

void near_make(const struct near *near, const struct near_space *space, struct near_work *work)
{
	struct met met[NEAR_MOVES] = {{.state = space->solved}};
	size_t begin = 0, end = 1;
	struct late late = {.near = near};
	assert(space->moves <= NEAR_MOVES);
	memset(near->nearer, near->depth * 0x11, ((size_t)1 << near->nearer_bits) / 2);
	memset(near->within, 0, ((size_t)1 << near->within_bits) / 8);
	memset(work->seen, 0, sizeof(work->seen));
	work->state[0] = space->solved | (uint64_t)CUBE_FACES << FACE;
	name_it(space, work, &met[0]);
	for (unsigned i = 0; i < met[0].count; i++)
		set_distance(near, near_hash(met[0].names[i]), 0);
	for (unsigned i = 0; i < LATE; i++) /* nothing new */
		late.at[i].hash = near_hash(met[0].names[0]);
	is_new(work, &met[0]);
	for (int distance = 1; distance <= near->depth; distance++) {
		size_t level = end;
		for (; begin < level; begin++) {
			const unsigned count = meet_next(space, work, work->state[begin], met);
			for (unsigned i = 0; i < count; i++) {
				if (distance < near->depth && !is_new(work, &met[i]))
					continue;
				put_late(&late, met[i].names, met[i].count, distance);
				if (distance == near->depth)
					continue;
				assert(end < NEAR_STATES);
				work->state[end++] = met[i].state;
			}
		}
	}
	for (unsigned i = 0; i < LATE; i++)
		set_distance(near, late.at[i].hash, late.at[i].distance);
}
