/* append.c: makes runs of appends, and the parameters of the statement that stores them. */
#include "server/modules/postgres/store/append.h"

#include "server/modules/postgres/store/change_body.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS (2 * RUNS_MAX)

void runs_begin(struct runs *runs)
{
	runs->count = 0;
	memset(runs->slots, 0, sizeof(runs->slots));
}

void runs_free(struct runs *runs)
{
	for (uint32_t i = 0; i < RUNS_MAX; i++)
		chunk_finish(&runs->run[i].chunk);
}

/* The slot of the key, or the empty one for it. Half of the slots are empty at least. */
static uint16_t *slot_of(struct runs *runs, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SLOTS;
	while (runs->slots[at] != 0 && runs->run[runs->slots[at] - 1].key != key)
		at = (at + 1) % SLOTS;
	return &runs->slots[at];
}

const struct run *runs_find(const struct runs *runs, uint64_t key)
{
	const uint16_t slot = *slot_of((struct runs *)(uintptr_t)runs, key);
	return slot == 0 ? NULL : &runs->run[slot - 1];
}

static struct run *begin_run(struct runs *runs, const struct store_write *write)
{
	struct run *run = &runs->run[runs->count];
	struct chunk memory = run->chunk;
	*run = (struct run){
		.key = write->meta.key,
		.state_before = write->state_before,
		.state_after = write->state_before,
		.version = write->meta.version,
		.first = write->revision,
	};
	chunk_init(&run->chunk, write->meta.size, write->before_ms);
	run->chunk.first = run->chunk.next = write->revision;
	run->chunk.entries = memory.entries;
	run->chunk.capacity = memory.capacity;
	return run;
}

enum run_added runs_add(struct runs *runs, const struct store_write *write,
			enum store_status *status)
{
	uint16_t *slot = slot_of(runs, write->meta.key);
	const bool fresh = *slot == 0;
	if (fresh && runs->count == RUNS_MAX)
		return RUN_LATER;
	struct run *run = fresh ? begin_run(runs, write) : &runs->run[*slot - 1];
	if (run->state_after != write->state_before)
		return RUN_REFUSED;
	if (run->version != write->meta.version)
		return RUN_LATER;
	*status = chunk_append(&run->chunk, write->packed, write->packed_bytes);
	if (*status != STORE_OK)
		return RUN_FAILED;
	run->state_after = write->state_after;
	run->last_actor = write->last_actor;
	run->count++;
	if (fresh)
		*slot = (uint16_t)++runs->count;
	return RUN_ADDED;
}

static int compare_keys(const void *left, const void *right)
{
	const struct run *a = left, *b = right;
	return a->key < b->key ? -1 : a->key > b->key;
}

void runs_sort(struct runs *runs)
{
	if (runs->count < 2)
		return;
	qsort(runs->run, runs->count, sizeof(runs->run[0]), compare_keys);
	memset(runs->slots, 0, sizeof(runs->slots));
	for (uint32_t i = 0; i < runs->count; i++) {
		/* Later runs are not in the table yet. */
		size_t at = (size_t)(runs->run[i].key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SLOTS;
		while (runs->slots[at] != 0)
			at = (at + 1) % SLOTS;
		runs->slots[at] = (uint16_t)(i + 1);
	}
}

void runs_parameters(const struct runs *runs, struct parameters *p)
{
	const uint32_t count = runs->count;
	parameters_begin(p);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint8(p, runs->run[i].key);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint8(p, runs->run[i].state_before);
	parameters_array(p, PG_INT8, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint8(p, runs->run[i].state_after);
	parameters_array(p, PG_INT4, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint4(p, runs->run[i].count);
	parameters_array(p, PG_INT4, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_uint4(p, runs->run[i].version);
	parameters_array(p, PG_BYTEA, count);
	for (uint32_t i = 0; i < count; i++)
		parameters_bytes(p, runs->run[i].chunk.entries, runs->run[i].chunk.bytes);
}

void runs_body(const struct runs *runs, struct buffer *body)
{
	for (uint32_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->run[i];
		const struct store_change change = {
			.kind = CHANGE_ENTRIES,
			.key = run->key,
			.first = run->first,
			.last = run->first + run->count - 1,
			.version = run->version,
			.last_actor = run->last_actor,
			.state = run->state_after,
			.entries = run->chunk.entries,
			.bytes = run->chunk.bytes,
		};
		change_body_entries(body, &change);
	}
}

void runs_refuse(struct runs *runs, struct int8_array keys)
{
	int64_t key;
	while (int8_array_next(&keys, &key)) {
		const uint16_t slot = *slot_of(runs, (uint64_t)key);
		if (slot != 0)
			runs->run[slot - 1].refused = true;
	}
}
