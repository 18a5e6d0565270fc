/* audit.c: the rules that a history obeys, checked entry by entry. */
#include "server/history/audit.h"

#include <stdlib.h>
#include <string.h>

/* Not against an enemy: who can change the file can change all of it. */
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

static bool add_mark(struct audit *audit)
{
	if (audit->count == audit->capacity) {
		size_t capacity = audit->capacity ? audit->capacity * 2 : 64;
		uint64_t *marks = realloc(audit->marks, capacity * sizeof *marks);
		if (!marks)
			return false;
		audit->marks = marks;
		audit->capacity = capacity;
	}
	audit->marks[audit->count++] = mark_of(audit->history->cube);
	return true;
}

bool audit_begin(struct audit *audit, struct history *history)
{
	history_destroy(audit->history);
	audit->history = history;
	audit->count = 0;
	audit->first = history->revision;
	return add_mark(audit);
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
		return entry->restores == HISTORY_NONE ? NULL : "it restores, and is no undo";
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

enum audit_result audit_entry(struct audit *audit, const struct entry *entry, const char **wrong)
{
	struct history *history = audit->history;
	*wrong = "it is out of order";
	if (entry->revision != history->revision + 1 || entry->revision == HISTORY_NONE)
		return AUDIT_WRONG;
	*wrong = chain_fault(history, entry);
	if (*wrong)
		return AUDIT_WRONG;
	if (!history_apply(history, entry) || !add_mark(audit))
		return AUDIT_NO_MEMORY;
	if (entry->restores == HISTORY_NONE || entry->restores < audit->first)
		return AUDIT_SOUND;
	if (audit->marks[entry->restores - audit->first] == audit->marks[audit->count - 1])
		return AUDIT_SOUND;
	*wrong = "the cube after it is not the one that it restores";
	return AUDIT_WRONG;
}

void audit_finish(struct audit *audit)
{
	history_destroy(audit->history);
	free(audit->marks);
	*audit = (struct audit){0};
}
