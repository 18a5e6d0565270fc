/* history.c: the state of a session, and how an entry changes it. */
#include "cube/cube.h"
#include "cube/turn.h"
#include "server/history/history_internal.h"

#include <assert.h>
#include <stdlib.h>

const char *entry_kind_name(enum entry_kind kind)
{
	static const char *const names[ENTRY_KINDS] = {
		[ENTRY_MOVES] = "moves", [ENTRY_UNDO] = "undo",         [ENTRY_REDO] = "redo",
		[ENTRY_RESET] = "reset", [ENTRY_SCRAMBLE] = "scramble",
	};
	return names[kind];
}

struct history *history_make(int size)
{
	struct history *history = malloc(sizeof(*history) + cube_bytes(size));
	if (history == NULL)
		return NULL;
	history->revision = 0;
	history->references = 1;
	history->id = 0;
	history->updated_ms = 0;
	history->last_actor = 0;
	history->last_known = true;
	history->settled = false;
	chain_init(&history->done);
	chain_init(&history->undone);
	history->cube = (struct cube *)(history + 1);
	return history;
}

struct history *history_create(const struct cube *base)
{
	struct history *history = history_make(base->size);
	if (history == NULL)
		return NULL;
	cube_copy(history->cube, base);
	history->settled = cube_is_solved(base);
	return history;
}

struct history *history_copy(const struct history *history)
{
	struct history *copy = history_make(history->cube->size);
	if (copy == NULL)
		return NULL;
	cube_copy(copy->cube, history->cube);
	copy->revision = history->revision;
	copy->updated_ms = history->updated_ms;
	copy->last_actor = history->last_actor;
	copy->last_known = history->last_known;
	copy->settled = history->settled;
	if (!chain_copy(&copy->done, &history->done) ||
	    !chain_copy(&copy->undone, &history->undone)) {
		history_destroy(copy);
		return NULL;
	}
	return copy;
}

void history_destroy(struct history *history)
{
	if (history == NULL)
		return;
	chain_finish(&history->done);
	chain_finish(&history->undone);
	free(history);
}

struct history *history_share(struct history *history)
{
	history->references++;
	return history;
}

void history_release(struct history *history)
{
	if (history != NULL && --history->references == 0)
		history_destroy(history);
}

/* Bytes of runs outside its own block. */
static size_t far_bytes(const struct revision_stack *stack)
{
	return stack->runs == stack->near ? 0 : stack->capacity * sizeof(struct revision_run);
}

size_t history_bytes(const struct history *history)
{
	return sizeof(*history) + cube_bytes(history->cube->size) + far_bytes(&history->done) +
	       far_bytes(&history->undone);
}

/* ---- undo and redo ---- */

uint64_t history_undoable(const struct history *history)
{
	return chain_depth(&history->done);
}

uint64_t history_redoable(const struct history *history)
{
	return chain_depth(&history->undone);
}

uint64_t history_undoable_upto(const struct history *history, uint64_t most)
{
	return chain_depth_upto(&history->done, most);
}

uint64_t history_redoable_upto(const struct history *history, uint64_t most)
{
	return chain_depth_upto(&history->undone, most);
}

uint32_t history_done_at(const struct history *history, uint64_t k)
{
	for (uint32_t i = history->done.count; i-- > 0;) {
		const struct revision_run run = history->done.runs[i];
		if (k < run_length(run))
			return run.last - (uint32_t)k;
		k -= run_length(run);
	}
	return 0; /* below the oldest entry is revision 0 */
}

uint32_t history_undone_at(const struct history *history, uint64_t k)
{
	for (uint32_t i = history->undone.count; i-- > 0;) {
		const struct revision_run run = history->undone.runs[i];
		if (k < run_length(run))
			return run.first + (uint32_t)k;
		k -= run_length(run);
	}
	assert(false); /* the caller checks history_redoable() first */
	return history->revision;
}

uint32_t history_undo_target(const struct history *history, uint64_t count)
{
	assert(count >= 1);
	/* Undo restores the cube of the entry below those that it takes back. */
	return history_done_at(history, count);
}

uint32_t history_redo_target(const struct history *history, uint64_t count)
{
	assert(count >= 1);
	return history_undone_at(history, count - 1);
}

/* ---- replay ---- */

/* Allocates all that the entry needs, so that the rest cannot fail. */
static bool reserve_runs(struct history *history, const struct entry *entry)
{
	if (entry->kind == ENTRY_UNDO)
		return chain_reserve(&history->undone,
				     chain_runs_above(&history->done, entry->restores));
	if (entry->kind == ENTRY_REDO)
		return chain_reserve(&history->done,
				     chain_runs_upto(&history->undone, entry->restores));
	return chain_reserve(&history->done, 1);
}

bool history_apply(struct history *history, const struct entry *entry)
{
	assert(entry->revision == history->revision + 1);
	if (!reserve_runs(history, entry))
		return false;
	if (entry->kind == ENTRY_UNDO) {
		chain_undo(&history->done, &history->undone, entry->restores);
		history->last_known = history->done.count == 0;
		history->last_actor = 0;
	} else if (entry->kind == ENTRY_REDO) {
		chain_redo(&history->done, &history->undone, entry->restores);
		history->last_known = false;
		history->last_actor = 0;
	} else {
		struct revision_run run = {entry->revision, entry->revision};
		chain_push_up(&history->done, run);
		history->undone.count = 0;
		history->last_known = true;
		history->last_actor = entry->actor;
	}
	if (entry->cube)
		cube_copy(history->cube, entry->cube);
	else
		cube_turn_all(history->cube, entry->turns, entry->turn_count);
	history->revision = entry->revision;
	history->updated_ms = entry->time_ms;
	if (entry->kind == ENTRY_SCRAMBLE || entry->kind == ENTRY_RESET)
		history->settled = false;
	history->settled = history->settled || cube_is_solved(history->cube);
	return true;
}

enum entry_read history_replay(struct history *history, const uint8_t *bytes, size_t length,
			       int64_t before_ms, uint32_t upto)
{
	struct entry_reader reader;
	struct entry entry;
	enum entry_read result = ENTRY_END;
	entry_reader_init(&reader, history->cube->size, bytes, length, history->revision + 1,
			  before_ms);
	while (history->revision < upto) {
		result = entry_reader_next(&reader, &entry);
		if (result != ENTRY_READ)
			break;
		if (!history_apply(history, &entry)) {
			result = ENTRY_NO_MEMORY;
			break;
		}
		result = ENTRY_END;
	}
	entry_reader_finish(&reader);
	return result;
}
