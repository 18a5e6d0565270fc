/* check_history.c: checks the rules of a history entry by entry. */
#include "cube/cube.h"
#include "server/history/check_history.h"

#include <stdlib.h>
#include <string.h>

/* Not against attacks: a user who can change the file can change all of it. */
static uint64_t mark_of(const struct cube *cube)
{
	const size_t bytes = cube_bytes(cube->size);
	uint64_t mark = 0x9e3779b97f4a7c15u, word;
	for (size_t at = 0; at < bytes; at += sizeof word) {
		word = 0;
		memcpy(&word, (const char *)cube + at,
		       bytes - at < sizeof word ? bytes - at : sizeof word);
		mark = (mark ^ word) * 0xff51afd7ed558ccdu;
		mark ^= mark >> 32;
	}
	return mark;
}

static bool add_mark(struct history_check *history_check)
{
	if (history_check->count == history_check->capacity) {
		size_t capacity = history_check->capacity ? history_check->capacity * 2 : 64;
		uint64_t *marks = realloc(history_check->marks, capacity * sizeof *marks);
		if (!marks)
			return false;
		history_check->marks = marks;
		history_check->capacity = capacity;
	}
	history_check->marks[history_check->count++] = mark_of(history_check->history->cube);
	return true;
}

bool history_check_begin(struct history_check *history_check, struct history *history)
{
	history_destroy(history_check->history);
	history_check->history = history;
	history_check->count = 0;
	history_check->first = history->revision;
	return add_mark(history_check);
}

static bool is_in(const struct revision_stack *stack, uint32_t revision)
{
	for (uint32_t i = stack->count; i-- > 0;)
		if (stack->runs[i].first <= revision && revision <= stack->runs[i].last)
			return true;
	return false;
}

static const char *chain_fault(const struct history *history, const struct entry *entry)
{
	const struct revision_stack *done = &history->done;
	switch (entry->kind) {
	case ENTRY_MOVES:
	case ENTRY_SCRAMBLE:
		return entry->restores == HISTORY_NONE
			       ? NULL
			       : "it restores a revision, but is not an undo";
	case ENTRY_UNDO:
		if (done->count == 0)
			return "there is nothing to undo";
		if (entry->restores != 0 && !is_in(done, entry->restores))
			return "it goes back to an entry that is not in force";
		return entry->restores == done->runs[done->count - 1].last ? "it undoes nothing"
									   : NULL;
	case ENTRY_REDO:
		return is_in(&history->undone, entry->restores)
			       ? NULL
			       : "it brings back what was not undone";
	case ENTRY_RESET:
		return entry->restores < entry->revision ? NULL : "it restores nothing";
	case ENTRY_KINDS:
		break;
	}
	return "its kind is unknown";
}

enum history_check_result history_check_entry(struct history_check *history_check,
					      const struct entry *entry, const char **wrong)
{
	struct history *history = history_check->history;
	*wrong = "it is out of order";
	if (entry->revision != history->revision + 1 || entry->revision == HISTORY_NONE)
		return HISTORY_CHECK_WRONG;
	*wrong = chain_fault(history, entry);
	if (*wrong)
		return HISTORY_CHECK_WRONG;
	if (!history_apply(history, entry) || !add_mark(history_check))
		return HISTORY_CHECK_NO_MEMORY;
	if (entry->restores == HISTORY_NONE || entry->restores < history_check->first)
		return HISTORY_CHECK_SOUND;
	if (history_check->marks[entry->restores - history_check->first] ==
	    history_check->marks[history_check->count - 1])
		return HISTORY_CHECK_SOUND;
	*wrong = "the cube after it is not the one that it restores";
	return HISTORY_CHECK_WRONG;
}

void history_check_finish(struct history_check *history_check)
{
	history_destroy(history_check->history);
	free(history_check->marks);
	*history_check = (struct history_check){0};
}
