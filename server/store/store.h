/* store.h: where sessions are kept: the seam between the service and a database.
 *
 * Writes are queued by one thread at a time (submit) and answered later, in batches, through
 * `committed`, on a thread of the store (in the memory store, within submit). A write that is
 * answered STORE_OK is on disk. Reads block; reader threads make them, each with a reader of its
 * own. They see every write that was answered STORE_OK before they began.
 *
 * States. Each state of a session has an id: 63 random bits, 0 for the state of revision 0. An APPEND
 * names the state that it was made on and the one that it makes; if the stored state is another
 * one it is answered STORE_CONFLICT, and the session cache reads the session again. Revisions would
 * not do: with writes queued ahead of the disk, another process may have reached the same revision
 * with other entries. In the same way, `meta.version` is the version of everything else of the session
 * that a write may depend on (name, access, listed, policy, tokens, own patterns, solves that exist,
 * deletion); writes of every kind but CREATE, ASSISTANCE and ANSWER are STORE_CONFLICT if it has
 * changed. A store that is written
 * by one process only (sqlite) omits both checks, since that process has made them.
 *
 * Others' changes. A store that several processes write (`changes` is not NULL) reports what was
 * committed, by any of them. A cache may answer from memory after one call of `changes` that began
 * after the request came (server/session/gate.h).
 *
 * Failure. The session cache works ahead: it queues entry 6 while entry 5 is still being written.
 * If a commit fails, everything queued behind it must fail too. So each write carries the
 * generation in which it was made; a failed commit raises the store's generation, and a write of an
 * older generation fails with the same status without being tried. The cache adopts the generation
 * of the first failed write it sees and returns every session to its committed state. After
 * STORE_FULL, writes that free room (store_write_frees) do not fail with the others. A write with
 * thousands of solves may fail alone, without raising the generation: no other write depends on it.
 *
 * After STORE_BROKEN (an I/O error: what is on disk is uncertain until a restart) every later write
 * is STORE_BROKEN; reads continue. After STORE_FULL the next write is tried again. STORE_AWAY and
 * STORE_UNKNOWN end by themselves when the database is back. */
#ifndef SERVER_STORE_STORE_H
#define SERVER_STORE_STORE_H

#include "server/history/history.h"
#include "server/store/solve.h"
#include "server/util/error.h"

#define SESSION_ID_BYTES 10
#define SESSION_NAME_BYTES 128 /* 32 code points of at most 4 bytes */
/* The time for which a store keeps a deleted session, at least. */
#define SESSION_DELETED_KEPT_MS (INT64_C(30) * 24 * 60 * 60 * 1000)

struct session_id {
	uint8_t bytes[SESSION_ID_BYTES];
};

enum session_access { ACCESS_EDIT, ACCESS_VIEW, ACCESS_NONE, ACCESS_COUNT };

/* The order of turns. ALTERNATE: everybody except the last to turn. ROUND_ROBIN: one after the
 * other. */
enum turn_policy { POLICY_FREE, POLICY_ALTERNATE, POLICY_ROUND_ROBIN, POLICY_COUNT };

enum token_role { ROLE_OWNER, ROLE_EDITOR, ROLE_VIEWER, ROLE_COUNT };

#define HASH_BYTES 32 /* BLAKE2b */

/* A token as stored. A value. */
struct stored_token {
	uint32_t number; /* 1, 2, 3, ... in its session */
	uint32_t parent; /* of a guest: the token it was made with, a smaller number; 0: none */
	uint8_t role;    /* enum token_role */
	bool shared;     /* it has valid guests; not stored, a roster sets it */
	uint8_t hash[HASH_BYTES];
	int64_t created_ms;
	int64_t revoked_ms;                 /* 0: valid */
	char label[SESSION_NAME_BYTES + 1]; /* UTF-8; "" for none */
};

/* The answer of a request, so that a retry gets the same one. */
struct receipt {
	uint8_t key[HASH_BYTES];  /* hash of the client, the target and the Idempotency-Key */
	uint8_t body[HASH_BYTES]; /* of the request's body */
	int64_t created_ms;
	uint8_t *answer; /* opaque to the store */
	size_t answer_bytes;
};
/* A custom pattern of a session. */
struct stored_pattern {
	uint32_t token; /* owner; 0: the session. The service uses only 0 */
	int64_t updated_ms;
	const char *name, *pattern; /* UTF-8; the pattern is JSON */
};

/* The time for which a store keeps a receipt. */
#define RECEIPT_KEPT_MS (INT64_C(24) * 60 * 60 * 1000)

#define INCARNATION_TEXT 16 /* hexadecimal digits */

/* A session without its history. A value. */
struct session_meta {
	uint64_t key; /* dense; given by the store */
	struct session_id id;
	uint8_t size;
	uint8_t access;    /* enum session_access */
	uint8_t policy;    /* enum turn_policy */
	bool deleted;      /* deleted, but still kept */
	bool listed;       /* in lists and searches; never if access is ACCESS_NONE */
	uint32_t version;  /* counts changes of all that follows, of tokens, of own patterns, of
			    * solves (not new ones) and of `deleted` */
	uint32_t assisted; /* one more than the newest revision whose solution was shown to an
			    * editor; 0: none */
	int64_t created_ms;
	int64_t updated_ms; /* of the last change of name, access, listed or policy */
	char name[SESSION_NAME_BYTES + 1]; /* UTF-8; "" for none */
};

enum store_status {
	STORE_OK,
	STORE_NOT_FOUND, /* no such session, or (writes) it was deleted meanwhile */
	STORE_CONFLICT, /* the stored state, or version of the description, is another one; or there
			  * is a receipt with this key, or a session with this id, already */
	STORE_BUSY,     /* the queue is full: nothing was queued */
	STORE_FULL,     /* no room; nothing of this write is kept */
	STORE_BROKEN,   /* I/O error, or the file was moved: read only until restarted */
	STORE_NO_MEMORY,
	STORE_STOPPED, /* shutting down */
	STORE_AWAY,    /* the database cannot be reached; nothing of this write is kept */
	STORE_UNKNOWN, /* the connection broke while it was committed: it may be kept or not */
	STORE_DAMAGED, /* the stored session is not what was written; others can be read */
};

enum store_write_kind {
	WRITE_CREATE,
	WRITE_APPEND,
	WRITE_META,
	WRITE_DELETE,
	WRITE_TOKEN,
	WRITE_PATTERN,
	WRITE_SOLVES,       /* adds `solves` and nothing else */
	WRITE_SOLVE_CHANGE, /* replaces penalty, comment, source, solution, clock, time, assisted,
			     * event and list of the first of `solves`, found by seq */
	WRITE_SOLVE_DROP,   /* deletes the first of `solves`, found by seq */
	WRITE_ASSISTANCE,   /* a solution of session meta.key at `revision` was shown; succeeds
			   * also if there is no such session */
	WRITE_ANSWER
};

/* One write, embedded by its maker, who must not touch it between submit and `committed`. The
 * members of an append are together, next to the first ones of `meta`: they move from core to
 * core. */
struct store_write {
	struct store_write *next; /* used by the store; the chain given to `committed` */
	enum store_write_kind kind;
	enum store_status status; /* the answer */
	uint64_t generation;      /* in: the cache's; out: the store's */
	/* APPEND: meta.key and meta.size, and the entry packed with a before_ms of 0. */
	const uint8_t *packed;
	size_t packed_bytes;
	uint32_t revision;
	int64_t time_ms;   /* of the entry */
	int64_t before_ms; /* of the entry before it; of the session's creation if it is the first */
	uint32_t last_actor;   /* after it: of the newest entry in force */
	uint64_t state_before; /* ids of the states that it is made on, */
	uint64_t state_after;  /* and that it makes */
	/* CREATE, APPEND and SOLVES: added to the book of the session, all or none, together with
	 * the rest; the store sets seq and session. `frame`: of the imported file; replaces the one
	 * before. NULL: none. */
	const struct stored_solve *solves;
	size_t solve_count;
	const char *frame;
	uint64_t solves_bytes; /* store_solves_bytes(); 0: not computed yet */
	/* Any kind: kept if the write is. NULL: none. Replaces one with the same key that is too old
	 * to be read; where several processes write, the write is STORE_CONFLICT if there is another. */
	const struct receipt *receipt;
	struct session_meta meta; /* CREATE: all but key, which the store sets; META: key, version,
				   * name, access, listed, policy, updated_ms; DELETE: key, version,
				   * updated_ms; others: key, version */
	/* CREATE: the cube of revision 0, NULL: solved; and the turns of the scramble, which `base`
	 * includes, NULL: none. */
	const struct cube *base;
	const struct cube_turn *scramble;
	size_t scramble_count;
	/* CREATE: token 1, or NULL. TOKEN: a new one with the next number, or a changed one. */
	const struct stored_token *token;
	/* PATTERN: added, or replaces the one with its name and token; a NULL `pattern` deletes
	 * that one, if there is one. */
	const struct stored_pattern *pattern;
	/* ANSWER: replaces one with the same cube and method. */
	const struct stored_answer *answer;
};

/* Returns true if the write only removes something that is committed: a session, a solve, a
 * pattern, the validity of a token. Such a write depends on no other write in progress and is
 * accepted when the store is full ("When it is full" in docs/reference/operations.md). */
bool store_write_frees(const struct store_write *write);
/* Returns true if the write raises the version of its session's description. */
bool store_write_raises_version(const struct store_write *write);
/* About how many bytes the write adds to a database, for good or until a receipt expires; 0 for one
 * that removes something. */
uint64_t store_write_bytes(const struct store_write *write);
/* The part of the solves and their frame. For thousands of solves this takes milliseconds: call it
 * on a worker and set write->solves_bytes. */
uint64_t store_solves_bytes(const struct store_write *write);

/* A session as read. Free it with stored_session_free(). */
struct stored_session {
	struct session_meta meta;
	struct history *history;    /* at the newest committed revision; owned */
	struct cube_turn *scramble; /* owned; NULL: none */
	size_t scramble_count;
	struct stored_token *tokens; /* owned; by number, from 1 on, including revoked ones */
	size_t token_count;
};
void stored_session_free(struct stored_session *session);

/* Called for each entry in order; the entry is valid during the call. False stops. */
typedef bool store_visit_entry(void *context, const struct entry *entry);
/* Called for each session. It may keep what it sets to NULL in `session`; the rest is freed. False
 * stops. */
typedef bool store_visit_session(void *context, struct stored_session *session);

/* Called for each pattern of a session, which is valid during the call, perhaps with a lock held:
 * it must only copy. False stops. */
typedef bool store_visit_pattern(void *context, const struct stored_pattern *pattern);

/* `context` is that of the options; `batch` is a chain by `next` in the order of submission. A
 * write with thousands of solves may be answered after writes that were submitted later. */
typedef void store_committed(void *context, struct store_write *batch);

enum store_change_kind {
	CHANGE_ENTRIES, /* entries were added to a session */
	CHANGE_SOLVES,  /* solves of its book were added, changed or removed; reported besides the
			 * entries of an append that brings solves */
	CHANGE_META,    /* anything else about a session changed: read it again */
	CHANGE_MISSED, /* some changes are not reported: everything that was read may be outdated */
	/* Reported before others: the connection to the database broke. It may have shown, just
	 * before, what was never committed; what an earlier call reported is not of that kind, nor
	 * what was read before an earlier call began. */
	CHANGE_RECONNECTED,
};

/* A committed change, as caches of other processes need it. Valid during the call. */
struct store_change {
	enum store_change_kind kind;
	uint64_t key; /* of the session; CHANGE_MISSED, CHANGE_RECONNECTED: 0 */
	/* CHANGE_ENTRIES: */
	uint32_t first, last; /* revisions of the first and the last one */
	uint32_t version;     /* under which they were made */
	uint32_t last_actor;  /* history.last_actor after the last one */
	uint64_t state;       /* id of the state after the last one */
	/* Packed one after another, times as differences; that of the first one to the entry before
	 * it, or to the session's creation. */
	const uint8_t *entries;
	size_t bytes;
};
typedef void store_visit_change(void *context, const struct store_change *change);

/* A message of a process about itself to the others that share its database: who watches a session
 * here, how far a search is. A process has at most one notice on each subject. Notices are not
 * durable: a failover may lose the newest. */
#define NOTICE_SUBJECT_BYTES 16
/* A process that has not posted for so long counts as stopped. */
#define NOTICE_ALIVE_MS 10000
/* The notices of a stopped process are kept at least so long. */
#define NOTICE_KEPT_MS (60 * 60 * 1000)

struct store_notice {
	uint8_t subject[NOTICE_SUBJECT_BYTES];
	uint64_t process; /* the poster; not read by `post` */
	bool stopped;     /* its process has stopped; not read by `post` */
	const uint8_t *bytes;
	size_t length;
};
/* Called for each notice, which is valid during the call, perhaps with a lock held: it must only
 * copy. */
typedef void store_visit_notice(void *context, const struct store_notice *notice);

struct store;
struct store_reader;

struct store_operations {
	const char *name; /* "sqlite", "memory", "postgresql" */
	unsigned readers; /* readers that are worth having at a time; 0: the usual number */

	/* Queues a write. STORE_OK: `committed` will be called for it exactly once, at the latest
	 * after the next flush. Any other status: not queued. Never blocks. One thread at a
	 * time. */
	MUST_USE enum store_status (*submit)(struct store *store, struct store_write *write);
	/* Commits what was submitted without waiting for more. Any thread. */
	void (*flush)(struct store *store);

	/* A reader, for one thread; NULL if it cannot be made. */
	MUST_USE struct store_reader *(*reader_create)(struct store *store);
	void (*reader_destroy)(struct store_reader *reader);

	/* The session with this id, also if it is deleted. */
	MUST_USE enum store_status (*find)(struct store_reader *reader, const struct session_id *id,
					   struct stored_session *session);
	/* The state at a revision; STORE_NOT_FOUND if the session has not reached it. */
	MUST_USE enum store_status (*at)(struct store_reader *reader, uint64_t key,
					 uint32_t revision, struct history **history);
	/* Entries with revisions above `after`, in order, until `visit` stops. */
	MUST_USE enum store_status (*entries)(struct store_reader *reader, uint64_t key,
					      uint32_t after, store_visit_entry *visit,
					      void *context);
	/* Sessions that are listed and not deleted, and the one with the key `own` (0: no other)
	 * if it is not deleted, newest first, with a key below `before` (UINT64_MAX: from the
	 * newest), until `visit` stops or `look_at` rows were read. `*next` is the `before` of the
	 * next call, 0 at the end. */
	MUST_USE enum store_status (*list)(struct store_reader *reader, uint64_t own,
					   uint64_t before, uint32_t look_at,
					   store_visit_session *visit, void *context,
					   uint64_t *next);

	/* The sessions that are listed, oldest first, with a key above `after` (0: from the
	 * oldest). `*next` is the `after` of the next call, 0 at the end. */
	MUST_USE enum store_status (*list_oldest)(struct store_reader *reader, uint64_t after,
						  uint32_t look_at, store_visit_session *visit,
						  void *context, uint64_t *next);

	/* The sessions of `list` whose present cube has this canonical hash (cube_colors_hash() of
	 * cube_canonical()), and perhaps others: `visit` must compare the cubes. */
	MUST_USE enum store_status (*canonical_index)(struct store_reader *reader,
						      uint64_t canonical, uint64_t own,
						      uint64_t before, uint32_t look_at,
						      store_visit_session *visit, void *context,
						      uint64_t *next);

	/* The receipt with this key, unless it is too old. The caller frees `answer`. */
	MUST_USE enum store_status (*receipt)(struct store_reader *reader,
					      const uint8_t key[HASH_BYTES],
					      struct receipt *receipt);

	/* Solves, newest first (or oldest), until `visit` stops or `look_at` rows were read.
	 * `*next` is the `from` of the next call, 0 at the end. */
	MUST_USE enum store_status (*solves)(struct store_reader *reader,
					     const struct solve_query *query,
					     store_visit_solve *visit, void *context,
					     uint64_t *next);
	/* The one with this id; STORE_NOT_FOUND if there is none. */
	MUST_USE enum store_status (*solve)(struct store_reader *reader,
					    const uint8_t id[SESSION_ID_BYTES],
					    store_visit_solve *visit, void *context);
	/* The number of solves in a session's book. */
	MUST_USE enum store_status (*solve_count)(struct store_reader *reader, uint64_t key,
						  uint64_t *count);
	/* The frame of the file imported last, malloc'd; NULL if there is none. */
	MUST_USE enum store_status (*frame)(struct store_reader *reader, uint64_t key,
					    char **frame);
	/* The stored answers for cubes with this canonical hash. */
	MUST_USE enum store_status (*answers)(struct store_reader *reader, uint64_t canonical,
					      store_visit_answer *visit, void *context);

	/* The patterns of a session (not of its tokens), by name; with `name`, only that one.
	 * Without `texts` their `pattern` is NULL. */
	MUST_USE enum store_status (*patterns)(struct store_reader *reader, uint64_t key,
					       const char *name, bool texts,
					       store_visit_pattern *visit, void *context);

	/* Visits what was committed since the last call with this reader, or since the reader was
	 * created, by any process, and for each session in the order of its history. Leaves out
	 * what this process was called back for before the call began. Sees every change that was
	 * answered anywhere before the call began. NULL: no other process writes. */
	MUST_USE enum store_status (*changes)(struct store_reader *reader,
					      store_visit_change *visit, void *context);

	/* The following three are NULL if no other process uses the database. */

	/* Copies the secret that all processes of the database share: random, made once. */
	MUST_USE enum store_status (*secret)(struct store_reader *reader,
					     uint8_t secret[HASH_BYTES]);
	/* Posts notices of this process, in place of those with the same subjects; one with NULL
	 * `bytes` is taken away. Also a sign of life: call it each second while there are any. One
	 * thread at a time. */
	MUST_USE enum store_status (*post)(struct store_reader *reader,
					   const struct store_notice *notices, size_t count);
	/* The notices of other processes with these subjects, in any order. */
	MUST_USE enum store_status (*notices)(struct store_reader *reader,
					      const uint8_t (*subjects)[NOTICE_SUBJECT_BYTES],
					      size_t count, store_visit_notice *visit,
					      void *context);

	/* Copies INCARNATION_TEXT digits and a NUL. A restored database, or one that lost what it had
	 * answered, has another incarnation: its revisions need not be those that clients have seen.
	 * Any thread. */
	void (*incarnation)(const struct store *store, char text[INCARNATION_TEXT + 1]);

	/* Returns whether the store accepts writes: STORE_OK, STORE_FULL, STORE_BROKEN or
	 * STORE_AWAY. Any thread. */
	enum store_status (*health)(struct store *store);

	/* Commits and answers what is queued, stops the threads and frees the store. All readers
	 * must be destroyed before. */
	void (*close)(struct store *store);
};

struct store {
	const struct store_operations *operations;
};

/* The first member of a store's own reader. */
struct store_reader {
	struct store *store;
};

#define STORE_LANES_MAX 8

struct store_options {
	store_committed *committed;
	void *context;
	uint32_t queue_max;      /* most writes waiting; beyond, STORE_BUSY */
	int64_t (*now_ms)(void); /* since 1970 UTC: for the age of deleted sessions and receipts */
	uint64_t bytes_max;      /* most bytes stored; beyond, STORE_FULL. 0: no limit */
	/* For databases behind a network: how long writes wait while it is away, until STORE_AWAY;
	 * 0: the usual time. */
	uint32_t wait_ms;
	/* The number of threads that commit at the same time, if a database can do that: 1 to
	 * STORE_LANES_MAX; 0: the usual number. Writes of a session keep their order. */
	uint32_t lanes;
	/* Refuse to open a database that acknowledges what no second server has. */
	bool require_replica;
	/* Called when another process has probably changed the sessions with these keys (`count` 0: any
	 * of them), from a thread of the store; NULL: never. Only a hint, which may get lost: `changes`
	 * reports what it was. Nothing is said of new sessions. */
	void (*changed)(void *context, const uint64_t *keys, size_t count);
	void *changed_context;
	/* Called once if a newer program has upgraded the database so that this one must not use it any
	 * more, from a thread of the store; NULL: never. All that is asked of the store then fails. */
	void (*outgrown)(void *context);
	void *outgrown_context;
};

/* Sets history->last_actor of a session's state if it is not known: reads one entry. */
MUST_USE enum store_status store_read_last(struct store_reader *reader, uint64_t key,
					   struct history *history);

/* The location without secrets, for logs and messages: itself, or its scheme alone if a password may
 * be in it. */
const char *store_location_public(const char *location);

/* Opens "sqlite:PATH", "postgresql:CONNINFO" or "memory:NAME". NULL with a sentence in `error` if that fails: for example
 * not writable, a newer schema, in use by another process. */
MUST_USE struct store *store_open(const char *location, const struct store_options *options,
				  struct error *error);

#endif
