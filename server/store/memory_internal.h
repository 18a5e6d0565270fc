/* memory_internal.h: what the files of the memory store share. */
#ifndef SERVER_STORE_MEMORY_INTERNAL_H
#define SERVER_STORE_MEMORY_INTERNAL_H

#include "server/store/chunk.h"
#include "server/store/memory.h"
#include "server/util/hash_table.h"
#include "server/util/lock.h"
#include "server/util/error.h"

struct memory_session {
	struct hash_link by_id; /* first: see hash_table.h */
	struct session_meta meta;
	uint8_t *base; /* packed cube of revision 0; NULL: solved */
	size_t base_bytes;
	struct cube_turn *scramble;
	size_t scramble_count;
	struct stored_token *tokens;
	size_t token_count;
	struct stored_pattern *patterns; /* by name; the texts of each in one block, which begins
					  * with the name */
	size_t pattern_count;
	char *frame;          /* of the imported file; NULL: none */
	struct chunk *chunks; /* at least one; the last is open */
	size_t chunk_count, chunk_capacity;
	uint64_t state;     /* id of the newest state */
	size_t entry_bytes; /* of the newest entry, in its chunk */
	int64_t deleted_ms;
	struct memory_session *deleted_before, *deleted_after; /* in the order of deletion */
};

/* A receipt that is kept. */
struct memory_receipt {
	struct hash_link by_key; /* first: see hash_table.h */
	struct receipt receipt;
	struct memory_receipt *older, *newer; /* in the order of creation */
};

struct memory_answer {
	struct memory_answer *newer;
	struct stored_answer answer; /* its texts follow it */
};

/* Copies of a write's solves, so that adding them cannot fail. */
struct memory_added {
	struct stored_solve **solves;
	size_t count;
	char *frame;
};

struct memory_notice {
	struct memory_notice *prev, *next;
	struct store_notice notice; /* the bytes follow it */
};

/* A store that has posted notices. */
struct memory_process {
	struct memory_process *next;
	uint64_t process;
	int64_t posted_ms; /* the last time; by the monotonic clock */
};

/* A change, for the readers that have not seen it. */
struct memory_change {
	struct store_change change;       /* its entries are its own */
	bool solves;                      /* it brought solves, too */
	const struct memory_store *maker; /* who wrote it, */
	bool answered;                    /* and was called back */
};

struct memory_space {
	struct memory_space *next; /* next space with a name */
	unsigned users;
	char *name; /* "": private to one store */

	struct lock hints;           /* of `stores`; taken before `lock` */
	struct memory_store *stores; /* the stores that share the space */

	struct lock lock; /* of what follows */
	struct hash_table by_id;
	struct memory_session **by_key; /* by_key[key - 1]; NULL once purged */
	uint64_t keys, capacity;
	struct memory_session *deleted; /* oldest deletion first */
	struct hash_table receipts;
	struct memory_receipt *oldest_receipt;
	struct stored_solve **solves; /* by seq */
	size_t solve_count, solve_capacity;
	uint64_t solve_seq;            /* the newest */
	struct memory_answer *answers; /* oldest first */
	size_t answer_count;
	char incarnation[INCARNATION_TEXT + 1];
	uint8_t secret[HASH_BYTES];
	struct memory_notice *notices;
	struct memory_process *processes;
	uint64_t bytes; /* written, roughly; only purged receipts are subtracted */
	/* The newest changes of a space with a name, numbered from 1. */
	struct memory_change *changes; /* number n is at n % changes_kept */
	uint64_t changes_kept, changes_made;
	uint64_t changes_first; /* the oldest that is kept */
	unsigned faults;        /* of enum memory_fault */
};

/* A write that was submitted to a store that is held. */
struct memory_held {
	struct memory_held *previous, *next;
	struct store_write *write;
	uint64_t key;    /* of the session; 0: none */
	bool committed;  /* and not answered yet, */
	uint64_t change; /* as this change; 0: none */
};

struct memory_store {
	struct store store; /* first: a struct store * is cast back */
	struct store_options options;
	struct memory_space *space;
	struct memory_store *previous, *next; /* of the space */
	/* With the space's lock held. */
	enum store_status fail_next, failure;
	bool broken, full, hold;
	uint64_t generation;
	struct memory_held *held; /* in the order of submission */
};

struct memory_reader {
	struct store_reader reader; /* first: a struct store_reader * is cast back */
	uint64_t seen;              /* the newest change that it was given */
};

/* ---- memory_space.c ---- */

/* The space of that name, made if there is none; for "" a new one. NULL if
 * out of memory or randomness. */
MUST_USE struct memory_space *memory_space_open(const char *name);
void memory_space_close(struct memory_space *space);

/* With the lock held. NULL if there is none. */
struct memory_session *memory_find_id(struct memory_space *space, const struct session_id *id);
struct memory_session *memory_find_key(struct memory_space *space, uint64_t key);
/* Returns true if several stores may write to it: then states, versions and receipts are
 * checked. */
MUST_USE bool memory_space_is_shared(const struct memory_space *space);
/* Does one write; a failed one changes nothing. STORE_FULL if it would keep more than the store's
 * maximum. `now_ms`: by the store's clock. `*change`: the number of the change to report, or 0. */
MUST_USE enum store_status memory_write(struct memory_store *store, struct store_write *write,
					int64_t now_ms, uint64_t *change);
/* Purges receipts and deleted sessions whose time is over. */
void memory_purge(struct memory_space *space, int64_t now_ms);

/* ---- memory.c ---- */

struct memory_store *memory_of_store(struct store *store);
struct memory_space *memory_space_of(const struct store_reader *reader);
/* Commits the write: sets its status and generation. Returns the number of the change; 0: there is
 * nothing to report. With the lock. */
MUST_USE uint64_t memory_commit(struct memory_store *store, struct store_write *write);
/* Calls back, without the lock. */
void memory_answer(struct memory_store *store, struct store_write *write, uint64_t change);
/* Copies the session with the space's lock held, and releases that: its history up to a revision,
 * and, if `stored` is not NULL, the rest. STORE_NOT_FOUND if `session` is NULL. */
MUST_USE enum store_status memory_read_unlock(struct store_reader *reader,
					      struct memory_session *session, uint32_t upto,
					      struct history **history,
					      struct stored_session *stored);

/* ---- memory_changes.c: what the stores of a space report to each other ---- */

/* Room for the change that the write makes, so that reporting it cannot fail. Nothing to do in a space
 * without a name. With the lock. False if out of memory. */
MUST_USE bool memory_change_prepare(struct memory_space *space, const struct store_write *write,
				    struct memory_change *change);
void memory_change_discard(struct memory_change *change);
/* Keeps the change of a write to `session` that was done; its number, 0 if there is nothing to report. */
MUST_USE uint64_t memory_change_add(struct memory_space *space, const struct memory_store *maker,
				    const struct memory_session *session,
				    struct memory_change *change);
/* The maker was called back. */
void memory_change_answered(struct memory_space *space, uint64_t number);
void memory_changes_free(struct memory_space *space);
/* Joins the stores that are notified of changes, and leaves them. Without the lock. */
void memory_hints_join(struct memory_store *store);
void memory_hints_leave(struct memory_store *store);
/* Calls options.changed of the other stores. Without the lock. */
void memory_hint_others(const struct memory_store *store);
/* As in struct store_operations. */
MUST_USE enum store_status memory_reader_changes(struct store_reader *reader,
						 store_visit_change *visit, void *context);

/* ---- memory_held.c: stores that commit and answer when a test says so ---- */

/* Keeps the write until it is committed and answered. With the lock. */
MUST_USE enum store_status memory_hold_write(struct memory_store *store, struct store_write *write);
/* Commits and answers all that is held. */
void memory_held_finish(struct memory_store *store);

/* ---- memory_list.c: as in struct store_operations ---- */

MUST_USE enum store_status memory_reader_list(struct store_reader *reader, uint64_t own,
					      uint64_t before, uint32_t look_at,
					      store_visit_session *visit, void *context,
					      uint64_t *next);
MUST_USE enum store_status memory_reader_list_oldest(struct store_reader *reader, uint64_t after,
						     uint32_t look_at, store_visit_session *visit,
						     void *context, uint64_t *next);
MUST_USE enum store_status memory_reader_canonical_index(struct store_reader *reader,
							 uint64_t canonical, uint64_t own,
							 uint64_t before, uint32_t look_at,
							 store_visit_session *visit, void *context,
							 uint64_t *next);

/* ---- memory_access.c: tokens, patterns and receipts; with the lock held ---- */
MUST_USE enum store_status memory_put_token(struct memory_session *session,
					    const struct stored_token *token);
MUST_USE enum store_status memory_put_pattern(struct memory_session *session,
					      const struct stored_pattern *pattern);
void memory_patterns_free(struct memory_session *session);
/* A copy, so that adding it cannot fail; NULL if out of memory. */
MUST_USE struct memory_receipt *memory_receipt_make(const struct receipt *receipt);
void memory_receipt_free(struct memory_receipt *receipt); /* NULL is fine */
void memory_receipt_add(struct memory_space *space, struct memory_receipt *receipt);
/* The newest with this key; NULL if there is none. */
const struct receipt *memory_find_receipt(const struct memory_space *space,
					  const uint8_t key[HASH_BYTES]);
void memory_receipts_purge(struct memory_space *space, int64_t oldest_ms);

/* ---- memory_notices.c: as in struct store_operations, of stores in a space with a name ---- */

MUST_USE enum store_status memory_reader_secret(struct store_reader *reader,
						uint8_t secret[HASH_BYTES]);
MUST_USE enum store_status memory_reader_post(struct store_reader *reader,
					      const struct store_notice *notices, size_t count);
MUST_USE enum store_status memory_reader_notices(struct store_reader *reader,
						 const uint8_t (*subjects)[NOTICE_SUBJECT_BYTES],
						 size_t count, store_visit_notice *visit,
						 void *context);
void memory_notices_free(struct memory_space *space);

/* ---- memory_solves.c: solves, and answers of solvers; with the lock held ---- */

/* Bytes that the write adds. */
uint64_t memory_solves_bytes(const struct store_write *write);
/* Copies the solves of a write, which must be added or discarded. False if out of memory. */
MUST_USE bool memory_solves_prepare(struct memory_space *space, const struct store_write *write,
				    struct memory_added *added);
void memory_solves_add(struct memory_space *space, struct memory_session *session,
		       struct memory_added *added);
void memory_solves_discard(struct memory_added *added);
/* WRITE_SOLVE_CHANGE and WRITE_SOLVE_DROP. */
MUST_USE enum store_status memory_solve_changed(struct memory_space *space,
						const struct store_write *write);
/* Frees all solves of a session. */
void memory_solves_forget(struct memory_space *space, uint64_t key);
MUST_USE enum store_status memory_put_answer(struct memory_space *space,
					     const struct stored_answer *answer);
void memory_solves_free(struct memory_space *space);

/* Returns the seq to continue after; 0 at the end. */
uint64_t memory_solves_visit(struct memory_space *space, const struct solve_query *query,
			     store_visit_solve *visit, void *context);
MUST_USE enum store_status memory_solve_find(struct memory_space *space, const uint8_t id[10],
					     store_visit_solve *visit, void *context);
uint64_t memory_solves_count(const struct memory_space *space, uint64_t key);
void memory_answers_visit(const struct memory_space *space, uint64_t canonical,
			  store_visit_answer *visit, void *context);

#endif
