/* snapshot.c: a history as bytes: revision, time, undo chain, cube.
 *
 *     varint  revision
 *     varint  time of the newest entry, zigzag (the sign in the lowest bit)
 *     varint  runs in `done`; for each, from the bottom: its first minus the last of the run
 *             before (0 for the first run), its length - 1
 *     varint  runs in `undone`; for each, from the bottom: the first of the run before
 *             (revision + 1 for the first run) minus its last, its length - 1
 *     the packed cube */
#include "server/history/history_internal.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/util/varint.h"

/* Writes unless `bytes` is NULL: so counting and writing cannot differ. */
static size_t put_number(uint8_t *bytes, size_t at, uint64_t value)
{
	return at + varint_put(bytes == NULL ? NULL : bytes + at, value);
}

static size_t pack_chain(const struct history *history, uint8_t *bytes)
{
	int64_t time = history->updated_ms;
	size_t at = put_number(bytes, 0, history->revision);
	at = put_number(bytes, at, ((uint64_t)time << 1) ^ (time < 0 ? UINT64_MAX : 0));
	at = put_number(bytes, at, history->done.count);
	uint32_t before = 0;
	for (uint32_t i = 0; i < history->done.count; i++) {
		struct revision_run run = history->done.runs[i];
		at = put_number(bytes, at, run.first - before);
		at = put_number(bytes, at, run.last - run.first);
		before = run.last;
	}
	at = put_number(bytes, at, history->undone.count);
	before = history->revision + 1;
	for (uint32_t i = 0; i < history->undone.count; i++) {
		struct revision_run run = history->undone.runs[i];
		at = put_number(bytes, at, before - run.last);
		at = put_number(bytes, at, run.last - run.first);
		before = run.first;
	}
	return at;
}

size_t history_packed_bytes(const struct history *history)
{
	return pack_chain(history, NULL) + cube_packed_bytes(history->cube->size);
}

size_t history_pack(const struct history *history, uint8_t *bytes)
{
	size_t at = pack_chain(history, bytes);
	cube_pack(history->cube, bytes + at);
	return at + cube_packed_bytes(history->cube->size);
}

enum unpacked { UNPACKED, DAMAGED, NO_MEMORY };

/* Makes room for the runs; each takes at least two bytes, which bounds what damaged bytes ask
 * for. */
MUST_USE static enum unpacked unpack_count(const uint8_t **at, const uint8_t *end,
					   struct revision_stack *stack, uint64_t *count)
{
	if (!varint_get(at, end, count) || *count > (size_t)(end - *at) / 2)
		return DAMAGED;
	return *count == 0 || chain_reserve(stack, (uint32_t)*count) ? UNPACKED : NO_MEMORY;
}

MUST_USE static enum unpacked unpack_done(const uint8_t **at, const uint8_t *end,
					  struct history *history)
{
	uint64_t count, gap, length, last = 0;
	enum unpacked result = unpack_count(at, end, &history->done, &count);
	for (uint64_t i = 0; i < count && result == UNPACKED; i++) {
		if (!varint_get(at, end, &gap) || !varint_get(at, end, &length) || gap == 0 ||
		    gap > history->revision - last || length > history->revision - last - gap)
			return DAMAGED;
		struct revision_run run = {(uint32_t)(last + gap), (uint32_t)(last + gap + length)};
		chain_push_up(&history->done, run);
		last = run.last;
	}
	return result;
}

MUST_USE static enum unpacked unpack_undone(const uint8_t **at, const uint8_t *end,
					    struct history *history)
{
	uint32_t lowest =
		history->done.count == 0 ? 1 : history->done.runs[history->done.count - 1].last + 1;
	uint64_t count, gap, length, first = (uint64_t)history->revision + 1;
	enum unpacked result = unpack_count(at, end, &history->undone, &count);
	for (uint64_t i = 0; i < count && result == UNPACKED; i++) {
		if (!varint_get(at, end, &gap) || !varint_get(at, end, &length) || gap == 0 ||
		    gap > first - lowest || length > first - lowest - gap)
			return DAMAGED;
		struct revision_run run = {(uint32_t)(first - gap - length),
					   (uint32_t)(first - gap)};
		chain_push_down(&history->undone, run);
		first = run.first;
	}
	return result;
}

MUST_USE static enum unpacked unpack_history(const uint8_t *at, const uint8_t *end, int size,
					     struct history *history)
{
	uint64_t revision, time;
	if (!varint_get(&at, end, &revision) || revision >= HISTORY_NONE ||
	    !varint_get(&at, end, &time))
		return DAMAGED;
	history->revision = (uint32_t)revision;
	history->updated_ms = (int64_t)((time >> 1) ^ (0 - (time & 1)));
	enum unpacked result = unpack_done(&at, end, history);
	if (result == UNPACKED)
		result = unpack_undone(&at, end, history);
	if (result != UNPACKED)
		return result;
	size_t left = (size_t)(end - at);
	return left == cube_packed_bytes(size) && cube_unpack(history->cube, size, at, left)
		       ? UNPACKED
		       : DAMAGED;
}

struct history *history_unpack(int size, const uint8_t *bytes, size_t length, bool *damaged)
{
	*damaged = false;
	struct history *history = history_make(size);
	if (history == NULL)
		return NULL;
	enum unpacked result = unpack_history(bytes, bytes + length, size, history);
	if (result == UNPACKED) {
		history->settled = cube_is_solved(history->cube);
		history->last_known = history->done.count == 0;
		return history;
	}
	*damaged = result == DAMAGED;
	history_destroy(history);
	return NULL;
}
