/* history.h: the history of a session: entries, the undo chain, replay, packing.
 *
 * Shared by the session cache and every store. An entry is one accepted call that turned the cube
 * or took something back; entries are numbered 1, 2, 3, ... and never change. The state at a
 * revision is the replay of all entries up to it.
 *
 * The undo chain. `done` holds the revisions of the entries in force, oldest first: undo takes back
 * the newest of them and restores the cube of the one before it (or of revision 0). What was taken
 * back is in `undone`, for redo, until another kind of entry clears it. Both are kept as runs of
 * consecutive revisions, so that a million turns in a row are one run.
 *
 *     entry 1 moves, 2 moves, 3 undo (restores 1): done [1], undone [2]
 *     entry 4 redo (restores 2):                   done [1 2], undone []
 *
 * An entry with too many turns to write out (has_turns false) contains the resulting cube, so that
 * a replay never needs entries before its start. */
#ifndef SERVER_HISTORY_HISTORY_H
#define SERVER_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

struct cube;
struct cube_turn;

#define HISTORY_NONE UINT32_MAX

enum entry_kind { ENTRY_MOVES, ENTRY_UNDO, ENTRY_REDO, ENTRY_RESET, ENTRY_SCRAMBLE, ENTRY_KINDS };

/* The kind's name in the API: "moves". */
const char *entry_kind_name(enum entry_kind kind);

/* One entry. `turns`, `times` and `cube` belong to its maker; each reader says how long they are
 * valid. */
struct entry {
	int64_t time_ms;   /* since 1970 UTC */
	uint32_t revision; /* 1.. */
	uint32_t
		restores; /* revision whose cube it restores; HISTORY_NONE for moves and scramble */
	enum entry_kind kind;
	uint32_t actor; /* who made it: number of a token of the session; 0: unknown */
	bool has_turns; /* false: too many to write out; then `cube` is set */
	size_t turn_count;
	const struct cube_turn *turns;
	const uint32_t *times; /* of moves: when each turn was made, in ms since any moment, by the
			 * clock of the client, ascending; NULL: unknown */
	const struct cube *cube; /* the cube after the entry; if has_turns, NULL or known already */
};

struct revision_run {
	uint32_t first, last;
};

#define REVISION_RUNS_NEAR 4 /* as many as a typical session needs */

struct revision_stack {
	struct revision_run *
		runs; /* ascending from the bottom in `done`, descending towards the top in `undone` */
	uint32_t count, capacity;
	struct revision_run near[REVISION_RUNS_NEAR]; /* their place while they fit */
};

/* The state of a session at a revision, mostly one block of memory. Free it with history_destroy();
 * if it is shared, with history_release(). A shared history must not be changed. */
struct history {
	uint32_t revision;
	unsigned references; /* 1 when it was made */
	uint64_t id; /* of this state, as stored ("States" in store.h); 0: at revision 0, or the
			      * store keeps none. Not packed */
	int64_t updated_ms;  /* time of the newest entry, or 0 at revision 0 */
	uint32_t last_actor; /* of the newest entry in force; not packed */
	bool last_known;     /* last_actor is set; false: it has to be read */
	bool settled; /* the cube has been solved since the newest scramble or reset: no solve is
		       * in progress. False: one may be, if not all entries since then were
		       * applied here */
	struct revision_stack done, undone;
	struct cube *cube; /* in the same block */
};

/* All functions that return bool return false only if out of memory. */

/* Copies `base`, the cube of revision 0. NULL if out of memory. */
MUST_USE struct history *history_create(const struct cube *base);
MUST_USE struct history *history_copy(const struct history *history);
void history_destroy(struct history *history); /* NULL is fine */
/* Adds or drops a reference. One thread at a time. */
struct history *history_share(struct history *history);
void history_release(struct history *history); /* NULL is fine */
/* Bytes of memory that it takes. */
size_t history_bytes(const struct history *history);

/* Returns the number of entries that can be undone, or redone. */
uint64_t history_undoable(const struct history *history);
uint64_t history_redoable(const struct history *history);
/* The same up to `most`, in a time that does not depend on the history. */
uint64_t history_undoable_upto(const struct history *history, uint64_t most);
uint64_t history_redoable_upto(const struct history *history, uint64_t most);
/* The revision whose cube undo (redo) by `count` restores; 1 <= count <= what is available. */
uint32_t history_undo_target(const struct history *history, uint64_t count);
uint32_t history_redo_target(const struct history *history, uint64_t count);
/* The k-th newest (0 the newest) revision in force; and the k-th next for redo. */
uint32_t history_done_at(const struct history *history, uint64_t k);
uint32_t history_undone_at(const struct history *history, uint64_t k);

/* Replays one entry, whose revision is history->revision + 1. If false, the history is
 * unchanged. */
MUST_USE bool history_apply(struct history *history, const struct entry *entry);

/* ---- packing ----------------------------------------------------------------------------------
 * Packed entries follow one another; the first revision implies the others, times are differences.
 * A typical entry of one turn takes 3 bytes, and one more if its actor is known. The layout is in
 * pack.c. */

/* Most bytes that packing this entry takes. */
size_t entry_pack_bound(const struct entry *entry, int size);
/* Packs the entry at `bytes` and returns its length; `before_ms` is the time of the entry before (0
 * for the first of a block). */
size_t entry_pack(const struct entry *entry, int size, int64_t before_ms, uint8_t *bytes);

/* A reader of packed entries. An entry is valid until the next call or entry_reader_finish(). */
struct entry_reader {
	const uint8_t *at, *end;
	uint32_t revision; /* of the next entry */
	int64_t before_ms;
	int size;
	struct cube_turn *turns; /* grows as needed */
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

/* Applies packed entries, from history->revision + 1 up to revision `upto` or to their end.
 * ENTRY_END, or the failure; then the history is as before the entry that failed. */
MUST_USE enum entry_read history_replay(struct history *history, const uint8_t *bytes,
					size_t length, int64_t before_ms, uint32_t upto);

/* snapshot.c: a history as bytes (cube and chain). */
size_t history_packed_bytes(const struct history *history);
size_t history_pack(const struct history *history, uint8_t *bytes);
/* NULL with *damaged true if the bytes are not a history, NULL with it false if out of memory. */
MUST_USE struct history *history_unpack(int size, const uint8_t *bytes, size_t length,
					bool *damaged);

#endif
