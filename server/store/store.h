/* store.h: where sessions are kept: the seam between the service and a database.
 *
 * Two halves with different rules:
 *   - Writes are queued by the loop's thread (store->submit) and answered later, whole batches at a
 * time, through `committed`, called from a thread of the store's own (or, in the memory store, from
 * within submit). What is answered STORE_OK is on disk.
 *   - Reads block and are made by reader threads, each through a reader of its own. They see
 * everything that was answered STORE_OK before they began.
 *
 * Who decides. The store does: an APPEND whose `entry->revision` is not the stored one plus 1 is
 * answered STORE_CONFLICT and the session's state in memory is thrown away and read again. A store
 * that is the only writer (sqlite) may leave that check out.
 *
 * Failure. The session cache works ahead: it queues entry 6 while entry 5 is still being written.
 * When a commit fails, everything queued behind it must fail too. So each write carries the generation
 * it was made in; a failed commit raises the store's generation, and a write of an older generation
 * is answered with the status of that failure without being tried. The loop adopts write->generation
 * from the first failure it sees and goes back to the committed state of every session. Where the
 * failure was STORE_FULL, writes that free room (store_write_frees) do not fail with it.
 * A write with thousands of solves may fail alone, without raising the generation: no other depends on it.
 *
 * After STORE_BROKEN (an I/O error: what is on disk is uncertain until a restart) every later write
 * is STORE_BROKEN; reads go on. After STORE_FULL the next write is tried again.
 */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include "server/history/history.h"
#include "server/store/solve.h"
#include "server/util/error.h"

#define SESSION_ID_BYTES 10
#define SESSION_NAME_BYTES 128 /* 32 code points of at most 4 bytes */
#define SESSION_DELETED_KEPT_MS                                                                    \
	(INT64_C(30) * 24 * 60 * 60 *                                                              \
	 1000) /* then a store may forget it                          \
					     */

struct session_id {
	uint8_t bytes[SESSION_ID_BYTES];
};

enum session_access { ACCESS_EDIT, ACCESS_VIEW, ACCESS_NONE, ACCESS_COUNT };

/* Who may turn next. ALTERNATE: anybody but who turned last. ROUND_ROBIN: one after the other. */
enum turn_policy { POLICY_FREE, POLICY_ALTERNATE, POLICY_ROUND_ROBIN, POLICY_COUNT };

enum token_role { ROLE_OWNER, ROLE_EDITOR, ROLE_VIEWER, ROLE_COUNT };

#define HASH_BYTES 32 /* BLAKE2b */

/* What is kept of a token. A value. */
struct stored_token {
	uint32_t number; /* 1, 2, 3 in its session, without gaps */
	uint8_t role;    /* enum token_role */
	uint8_t hash[HASH_BYTES];
	int64_t created_ms;
	int64_t revoked_ms;                 /* 0: it is good */
	char label[SESSION_NAME_BYTES + 1]; /* UTF-8; "" for none */
};

/* What is kept of an answered request, so that a retry gets the same answer. */
struct receipt {
	uint8_t key[HASH_BYTES];  /* hash of the client, the request's target and its key */
	uint8_t body[HASH_BYTES]; /* of the request's body */
	int64_t created_ms;
	uint8_t *answer; /* bytes of the service's own */
	size_t answer_bytes;
};
/* A named pattern of a session's own. */
struct stored_pattern {
	uint32_t token; /* whose it is; 0: the session's. The service knows those alone */
	int64_t updated_ms;
	const char *name, *pattern; /* UTF-8; the pattern is JSON */
};

/* Then a store forgets it. */
#define RECEIPT_KEPT_MS (INT64_C(24) * 60 * 60 * 1000)

#define INCARNATION_TEXT 16 /* hexadecimal digits */

/* What is stored of a session besides its history. A value. */
struct session_meta {
	uint64_t key; /* the store's own dense key; given by the store */
	struct session_id id;
	uint8_t size;
	uint8_t access;    /* enum session_access */
	uint8_t policy;    /* enum turn_policy */
	bool deleted;      /* removed, but kept for a while */
	uint32_t assisted; /* one more than the newest revision of which a solution was given to who
			      may turn it; 0: none was */
	int64_t created_ms;
	int64_t updated_ms; /* of the last change of name, access or policy; the history knows its
			       own */
	char name[SESSION_NAME_BYTES + 1]; /* UTF-8; "" for none */
};

enum store_status {
	STORE_OK,
	STORE_NOT_FOUND, /* no such session (reads), or it went meanwhile (writes) */
	STORE_CONFLICT,  /* APPEND: the stored revision is another one */
	STORE_BUSY,      /* the queue is full: nothing was queued */
	STORE_FULL,      /* no room on the disk; nothing of this write is kept */
	STORE_BROKEN,    /* I/O error, or the file was moved: read only until restarted */
	STORE_NO_MEMORY,
	STORE_STOPPED, /* shutting down */
};

enum store_write_kind {
	WRITE_CREATE,
	WRITE_APPEND,
	WRITE_META,
	WRITE_DELETE,
	WRITE_TOKEN,
	WRITE_PATTERN,
	WRITE_SOLVES, /* adds `solves` and nothing else */
	WRITE_SOLVE_CHANGE, /* penalty, comment, source, solution with its clock, time, and assisted, of the
			     * first of them, by seq */
	WRITE_SOLVE_DROP, /* removes it */
	WRITE_ASSISTANCE, /* a solution of meta.key's cube at `revision` was given; never fails for a
			     * session that is not there */
	WRITE_ANSWER
};

/* One write. Embedded by its maker and not touched by it between submit and `committed`. What each
 * append has stands together, with the begin of `meta`: it goes from one core to another and back. */
struct store_write {
	struct store_write *next; /* the store's, and the chain given to `committed` */
	enum store_write_kind kind;
	enum store_status status; /* the answer */
	uint64_t generation;      /* in: that of the loop; out: that of the store */
	/* APPEND: meta.key and meta.size, and the entry packed with a before_ms of 0. */
	const uint8_t *packed;
	size_t packed_bytes;
	uint32_t revision;
	int64_t time_ms; /* of the entry */
	/* CREATE, APPEND and SOLVES: added to the book of the session with it, or not at all; their
	 * seq and session are the store's. `frame`: of the file that they are from; takes the place
	 * of the one before. NULL: none. */
	const struct stored_solve *solves;
	size_t solve_count;
	const char *frame;
	uint64_t solves_bytes; /* what store_solves_bytes says of these; 0: nobody has asked yet */
	/* Any kind: kept with the write, or not at all. NULL: none. A newer one takes the place of
	 * one with the same key. */
	const struct receipt *receipt;
	struct session_meta meta; /* CREATE: all but key, which is the answer; META: key, name,
				     access, policy, updated_ms; DELETE: key, updated_ms; TOKEN
				     and PATTERN: key */
	/* CREATE: the cube of revision 0, NULL for solved, and the scramble's turns (already in
	 * `base`), NULL for none. */
	const struct cube *base;
	const struct cube_turn *scramble;
	size_t scramble_count;
	/* CREATE: token 1, or NULL. TOKEN: the next one, or one that is there, changed. */
	const struct stored_token *token;
	/* PATTERN: one that is new, or takes the place of the one with its name and token; where
	 * its `pattern` is NULL that one is removed, if it is there. */
	const struct stored_pattern *pattern;
	/* ANSWER: takes the place of one of its cube and method. */
	const struct stored_answer *answer;
};

/* Whether it only takes something away, from what was committed before: a session, a solve, a
 * pattern, a token's validity. Such a write hangs on no other one that is under way, and is let
 * through when the store is full: see "When it is full" in docs/reference/operations.md. */
bool store_write_frees(const struct store_write *write);
/* About how many bytes the write adds to a database, for good or until a receipt is forgotten, or
 * writes there anew; 0 for one that removes something. */
uint64_t store_write_bytes(const struct store_write *write);
/* The part of its solves and their frame. That takes milliseconds where they are many: whoever makes
 * them asks on a worker and sets write->solves_bytes. */
uint64_t store_solves_bytes(const struct store_write *write);

/* A session as read: free with stored_session_free. */
struct stored_session {
	struct session_meta meta;
	struct history *history;    /* at the newest committed revision; owned */
	struct cube_turn *scramble; /* owned; NULL for none */
	size_t scramble_count;
	struct stored_token *tokens; /* owned; by number, from 1 on; the revoked ones as well */
	size_t token_count;
};
void stored_session_free(struct stored_session *session);

/* Called for each entry of a page in order; the entry lives only during the call. False stops. */
typedef bool store_visit_entry(void *context, const struct entry *entry);
/* Called for each session of a page; it takes over what it keeps by setting the pointers in
 * `session` to NULL. */
typedef bool store_visit_session(void *context, struct stored_session *session);

/* Called for each pattern of a session; it lives only during the call, which only copies: a lock
 * may be held. False stops. */
typedef bool store_visit_pattern(void *context, const struct stored_pattern *pattern);

/* `context` is that of store_open; `batch` a chain by `next` in the order of submission. A write with
 * thousands of solves may be answered behind others that were submitted after it. */
typedef void store_committed(void *context, struct store_write *batch);

struct store;
struct store_reader;

struct store_operations {
	const char *name; /* "sqlite", "memory" */

	/* Queues a write. STORE_OK: `committed` will be called for it, exactly once, at the latest
	 * some time after the next flush. Any other status: not queued. Never blocks. One thread at
	 * a time. */
	enum store_status (*submit)(struct store *store, struct store_write *write);
	/* What was submitted waits for no more to be committed with. Any thread. */
	void (*flush)(struct store *store);

	/* Readers: one a thread; NULL when it cannot be made. */
	struct store_reader *(*reader_create)(struct store *store);
	void (*reader_destroy)(struct store_reader *reader);

	/* The session with that id (or key), also where `deleted`. */
	enum store_status (*find)(struct store_reader *reader, const struct session_id *id,
				  struct stored_session *session);
	/* The session's state at a revision it has reached. */
	enum store_status (*at)(struct store_reader *reader, uint64_t key, uint32_t revision,
				struct history **history);
	/* Entries with a revision > after in order until `visit` stops. */
	enum store_status (*entries)(struct store_reader *reader, uint64_t key, uint32_t after,
				     store_visit_entry *visit, void *context);
	/* Sessions that are not deleted and whose access is not `none`, and the one with the key
	 * `own` (0: no other), newest first, with a key below `before` (UINT64_MAX: from the
	 * newest), until `visit` stops or `look_at` rows were looked at. `*next` is the key to go
	 * on from, 0 at the end. */
	enum store_status (*list)(struct store_reader *reader, uint64_t own, uint64_t before,
				  uint32_t look_at, store_visit_session *visit, void *context,
				  uint64_t *next);

	/* The same sessions as `list`, of these all whose present cube has this canonical hash (a
	 * cube_colors_hash of a cube_canonical), and perhaps others: who visits looks. */
	enum store_status (*canonical_index)(struct store_reader *reader, uint64_t canonical,
					     uint64_t own, uint64_t before, uint32_t look_at,
					     store_visit_session *visit, void *context,
					     uint64_t *next);

	/* The receipt with that key, unless it is too old; `answer` is then the caller's to free.
	 */
	enum store_status (*receipt)(struct store_reader *reader, const uint8_t key[HASH_BYTES],
				     struct receipt *receipt);

	/* Solves, newest first (or oldest), until `visit` stops or `look_at` of them were looked at.
	 * `*next` is the seq to go on behind, 0 at the end. */
	enum store_status (*solves)(struct store_reader *reader, const struct solve_query *query,
				    store_visit_solve *visit, void *context, uint64_t *next);
	/* The one with that id; STORE_NOT_FOUND, and `visit` is not called, where there is none. */
	enum store_status (*solve)(struct store_reader *reader, const uint8_t id[10],
				   store_visit_solve *visit, void *context);
	/* How many are in a session's book. */
	enum store_status (*solve_count)(struct store_reader *reader, uint64_t key,
					 uint64_t *count);
	/* The frame of the file that was imported last, malloc'd; NULL where there is none. */
	enum store_status (*frame)(struct store_reader *reader, uint64_t key, char **frame);
	/* The answers for cubes with this canonical hash. */
	enum store_status (*answers)(struct store_reader *reader, uint64_t canonical,
				     store_visit_answer *visit, void *context);

	/* The patterns of a session (those of its tokens left out), by name; with `name`, that one
	 * alone. Without `texts` their `pattern` is NULL. */
	enum store_status (*patterns)(struct store_reader *reader, uint64_t key, const char *name,
				      bool texts, store_visit_pattern *visit, void *context);

	/* INCARNATION_TEXT digits and a NUL, as long as the store is open: another one where the
	 * database was restored, so that its revisions need not be those that were seen. Any
	 * thread. */
	const char *(*incarnation)(const struct store *store);

	/* Whether it takes writes now: STORE_OK, STORE_FULL or STORE_BROKEN. Any thread. */
	enum store_status (*health)(struct store *store);

	/* Commits what is queued, answers it, stops the threads and frees the store. Readers are
	 * gone by then. */
	void (*close)(struct store *store);
};

struct store {
	const struct store_operations *operations;
};

struct store_options {
	store_committed *committed;
	void *context;
	uint32_t queue_max;      /* writes waiting at most; then STORE_BUSY */
	int64_t (*now_ms)(void); /* for the age of deleted sessions, and of receipts */
	uint64_t bytes_max;      /* stored at most; beyond, writes are STORE_FULL. 0: no limit */
};

/* Opens what `location` names ("sqlite:PATH", "memory:"). NULL with a sentence for people in
 * `problem` (NUL-terminated, at most `capacity` bytes) where it cannot be: not writable, newer
 * schema, held by another process. */
MUST_USE struct store *store_open(const char *location, const struct store_options *options,
				  struct error *error);

/* One row each in store.c: the scheme and how to open it. */
MUST_USE struct store *store_sqlite_open(const char *path, const struct store_options *options,
					 struct error *error);
MUST_USE struct store *store_memory_open(const char *name, const struct store_options *options,
					 struct error *error);

#endif
