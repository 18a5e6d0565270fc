/* history.h: what a session remembers: entries, the undo chain, and replay.
 *
 * The domain model that the session cache and every store share. An entry is one accepted call that
 * turned the cube (or took something back); entries are numbered 1, 2, 3 without gaps and
 * never change. The state at a revision is the replay of all entries up to it.
 *
 * The undo chain. `done` holds the revisions of the entries in force, oldest first: undo takes back
 * the newest of them, and the cube it brings back is that of the one before it (or of revision 0).
 * What was taken back waits in `undone`, ready for redo, until another kind of entry clears it.
 * Both are kept as runs of consecutive revisions, so that a million turns in a row are one run.
 *
 *     entry 1 moves, 2 moves, 3 undo (restores 1): done [1], undone [2]
 *     entry 4 redo (restores 2):                   done [1 2], undone []
 *
 * An entry whose turns are too many to write out (`turns` absent) carries the whole resulting
 * cube when packed, so that a replay never has to look back further than where it started. */
#ifndef SERVER_HISTORY_HISTORY_H
#define SERVER_HISTORY_HISTORY_H

#include "cube/cube.h"
#include "cube/turn.h"
#include "server/util/error.h"

#define HISTORY_NONE UINT32_MAX

enum entry_kind { ENTRY_MOVES, ENTRY_UNDO, ENTRY_REDO, ENTRY_RESET, ENTRY_SCRAMBLE, ENTRY_KINDS };

/* The kind's name in the API: "moves". */
const char *entry_kind_name(enum entry_kind kind);

/* One entry. `turns` and `cube` belong to the maker of the entry; readers (history_unpack, a store)
 * say how long they live. */
struct entry {
	int64_t time_ms;   /* since 1970 UTC */
	uint32_t revision; /* 1.. */
	uint32_t
		restores; /* revision whose cube it brings back; HISTORY_NONE for moves and scramble */
	enum entry_kind kind;
	uint32_t actor; /* who made it: the number of a token of the session; 0: nobody known */
	bool has_turns; /* false: too many to write out; `cube` is set then */
	size_t turn_count;
	const struct cube_turn *turns;
	const uint32_t
		*times; /* of moves: when each turn was made, in milliseconds from any beginning,
	                        * by the clock of who made it, none before the last; NULL: not told */
	const struct cube *cube; /* the cube after the entry; NULL if has_turns */
};

struct revision_run {
	uint32_t first, last;
};

#define REVISION_RUNS_NEAR 4 /* the runs of a typical session */

struct revision_stack {
	struct revision_run *
		runs; /* ascending from the bottom in `done`, descending towards the top in `undone` */
	uint32_t count, capacity;
	struct revision_run near[REVISION_RUNS_NEAR]; /* where they are while they fit */
};

/* A session's whole state at a revision, mostly one block of memory. Made by history_create, freed
 * by history_destroy; or by the last history_release, where it is shared. What is shared is not
 * changed. */
struct history {
	uint32_t revision;
	unsigned references; /* 1 when it was made */
	int64_t updated_ms;  /* time of the newest entry, or 0 at revision 0 */
	uint32_t actor;      /* of the newest entry that was applied here; it is not packed */
	bool settled; /* the cube is or was solved since the newest scramble or reset, so that no solve
	               * is under way; false: it may be, where not all since then was applied here */
	struct revision_stack done, undone;
	struct cube *cube; /* in the same block */
};

/* All functions that return bool return false only if out of memory. */

/* Takes a copy of `base`, the cube of revision 0. NULL if out of memory. */
MUST_USE struct history *history_create(const struct cube *base);
MUST_USE struct history *history_copy(const struct history *history);
void history_destroy(struct history *history); /* NULL is fine */
/* One more who holds it, and one less. They are counted by one thread at a time. */
struct history *history_share(struct history *history);
void history_release(struct history *history); /* NULL is fine */
/* Bytes of memory it holds, for a cache's bound. */
size_t history_bytes(const struct history *history);

/* How many entries undo, or redo, could take now. */
uint64_t history_undoable(const struct history *history);
uint64_t history_redoable(const struct history *history);
/* The revision whose cube undo (redo) by `count` brings back; 1 <= count <= what is available. */
uint32_t history_undo_target(const struct history *history, uint64_t count);
uint32_t history_redo_target(const struct history *history, uint64_t count);
/* The k-th newest (0 the newest) revision in force; and the k-th next for redo. */
uint32_t history_done_at(const struct history *history, uint64_t k);
uint32_t history_undone_at(const struct history *history, uint64_t k);

/* Replays one entry: cube, chain, revision, time. The entry's revision is history->revision + 1.
 * On false (no memory) the history is unchanged. */
MUST_USE bool history_apply(struct history *history, const struct entry *entry);

/* ---- packing ----------------------------------------------------------------------------------
 * Packed entries stand one after another; revisions are implied by the first, times are
 * differences to the one before. A typical one-turn entry takes 3 bytes,
 * and one more where its actor is known. Layout in pack.c. */

/* Bytes that packing this entry takes at most. */
size_t entry_pack_bound(const struct entry *entry, int size);
/* Packs after `bytes`; `before_ms` is the time of the entry before (0 for the first of a block). */
size_t entry_pack(const struct entry *entry, int size, int64_t before_ms, uint8_t *bytes);

/* A reader over packed entries. Entries it gives out live until the next call or
 * entry_reader_finish. */
struct entry_reader {
	const uint8_t *at, *end;
	uint32_t revision; /* of the next entry */
	int64_t before_ms;
	int size;
	struct cube_turn *turns; /* grown as needed */
	size_t turn_capacity;
	uint32_t *times; /* the same */
	size_t time_capacity;
	struct cube *cube;
};
enum entry_read { ENTRY_READ, ENTRY_END, ENTRY_DAMAGED, ENTRY_NO_MEMORY };
void entry_reader_init(struct entry_reader *reader, int size, const uint8_t *bytes, size_t length,
		       uint32_t first_revision, int64_t before_ms);
MUST_USE enum entry_read entry_reader_next(struct entry_reader *reader, struct entry *entry);
void entry_reader_finish(struct entry_reader *reader);

/* Applies packed entries, the first of them history->revision + 1, up to revision `upto` or to
 * their end. ENTRY_END, or the failure; then the history is that before the entry that failed. */
MUST_USE enum entry_read history_replay(struct history *history, const uint8_t *bytes,
					size_t length, int64_t before_ms, uint32_t upto);

/* A whole history as bytes (cube and chain), for snapshots. */
size_t history_packed_bytes(const struct history *history);
size_t history_pack(const struct history *history, uint8_t *bytes);
/* NULL with *damaged true where the bytes are none, NULL with it false if out of memory. */
MUST_USE struct history *history_unpack(int size, const uint8_t *bytes, size_t length,
					bool *damaged);

#endif
