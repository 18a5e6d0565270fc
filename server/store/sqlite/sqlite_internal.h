/* sqlite_internal.h: what the files of the sqlite store share.
 *
 *     open.c          lock, settings, start, close      schema.c          versions; the SQL in the binary
 *     writer.c        queue, failures                   batch.c           one transaction of writes
 *     checkpoint.c    when, and how                     files.c           detects moved files
 *     log_row.c       the entries of a commit in a row  memtable.c        the log in memory
 *     compact.c       entries of the log into chunks    purge.c           deletes what is too old
 *     create.c        the rows of a new session         inline_entries.c  few entries, in the session's row
 *     access.c        tokens, receipts, incarnation     patterns.c        custom patterns
 *     solves.c        solves; answers of solvers        stage.c           large writes, in slices
 *     canonical_index.c  sessions by their cube         room.c            deletions when the store is full
 *     reader.c        find, at, entries, list           connection.c      statements and errors
 *     copy.c          backups; before an upgrade        checksum.c        of packed histories
 *
 * and, for a whole database outside the server (database_internal.h):
 *
 *     database.c  open           examine.c  the file     scan.c  the histories     load.c  filling
 *     scan_log.c  the log        scan_solves.c  solves, frames, answers            row.c   a session's row
 *
 * One connection, that of the writer's thread, does every write and every checkpoint;
 * docs/internals/storage.md explains why. */
#ifndef SERVER_STORE_SQLITE_SQLITE_INTERNAL_H
#define SERVER_STORE_SQLITE_SQLITE_INTERNAL_H

#include "server/store/sqlite/checksum.h"
#include "server/store/sqlite/connection.h"
#include "server/store/sqlite/log_row.h"
#include "server/store/sqlite/stage.h"
#include "server/store/sqlite/memtable.h"
#include "server/store/sqlite/room.h"
#include "server/util/error.h"
#include "server/store/write_queue.h"
#include "server/util/lock.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <sys/stat.h>

/* ---- the store ---- */

struct sqlite_store {
	struct store store; /* first: a struct store * is cast back */
	struct store_options options;
	char *path, *wal_path;
	int lock_fd, file_fd; /* lock file and database; both locked */
	bool has_memtable, has_thread;
	struct memtable memtable;
	_Atomic int health; /* enum store_status */
	_Atomic int64_t
		damage_logged_ms; /* when a reader logged damage last, monotonic; 0: never */
	char incarnation[INCARNATION_TEXT + 1];

	struct write_queue queue;

	/* Only the writer's thread uses these, once it runs: */
	pthread_t thread;
	struct sqlite_connection writer;
	uint64_t generation;
	enum store_status failure; /* the last reason for raising the generation */
	bool broken, full;
	uint64_t page_limit; /* most pages of the database; 0: no limit */
	bool limit_raised;   /* it was raised before: the database may have more pages */
	int reserve_fd;      /* the file reserved for deletions on a full disk; -1: none */
	off_t reserve_wanted, reserve_bytes; /* its size, wanted and actual */
	int64_t measured_ms; /* when room_measure() last looked, monotonic; 0: never */
	struct store_write *large_first, **large_last; /* written in slices, see stage.c */
	struct staged {
		size_t count; /* solves of the first large write that are written; 0: it has not
			       * begun */
		int64_t first, last; /* seq of its solves */
		int64_t key;         /* of their session */
		bool left;           /* solves of a failed write must still be deleted */
	} staged;
	bool needs_room;           /* deleted sessions must be emptied now, see room.c */
	int64_t room_ms, room_key; /* sessions deleted before this (time, key) are empty */
	int64_t next_key, next_seq;
	int64_t fill_from, fill_end; /* keys of sessions that may lack a canonical hash */
	int64_t log_first;     /* earlier rows are deleted, except those of damaged sessions */
	struct buffer log_row; /* under construction, see log_row.h */
	int wal_frames;        /* after the last commit; 0 after a checkpoint was tried */
	bool wal_only;         /* something committed is only in the write-ahead log, */
	int64_t wal_only_ms, committed_ms,
		checkpoint_ms; /* since then; last commit; last checkpoint tried: monotonic */
	struct statx wal;      /* inode and device of the write-ahead log */
	int64_t wrote_ms, retry_ms,
		purge_ms; /* monotonic: last batch; no background work before; next purge */
};

/* The writer's statements: writer_sql[] in batch.c. */
enum writer_statement {
	W_BEGIN,
	W_COMMIT,
	W_ROLLBACK,
	W_CREATE,
	W_MORE,
	W_APPEND,
	W_META,
	W_DELETE,
	W_CLEAR_LOG,
	W_SESSION,
	W_CHUNK,
	W_STATE,
	W_SAVE_CHUNK,
	W_SAVE_STATE,
	W_OLD_DELETED,
	W_PURGE_STATES,
	W_PURGE_CHUNKS,
	W_PURGE_SESSION,
	W_PURGE_MORE,
	W_PURGE_TOKENS,
	W_PURGE_PATTERNS,
	W_TOKEN,
	W_DROP_RECEIPT,
	W_RECEIPT,
	W_PATTERN,
	W_DROP_PATTERN,
	W_PURGE_RECEIPTS,
	W_ALIKE,
	W_OPENING,
	W_UNKNOWN,
	W_SOLVE,
	W_SOLVE_CHANGE,
	W_SOLVE_DROP,
	W_ASSISTANCE,
	W_FRAME,
	W_PURGE_SOLVES,
	W_PURGE_FRAME,
	W_DROP_ANSWER,
	W_ANSWER,
	W_OLD_ANSWERS,
	W_LIVE,
	W_STAGE,
	W_STAGE_BEGIN,
	W_STAGE_END,
	W_STAGE_DROP,
	W_STAGE_DROP_LAST,
	W_NEXT_DELETED,
	W_EMPTY,
	W_EMPTY_MORE,
	W_EMPTY_PATTERNS,
	W_STATEMENTS,
};
extern const char *const writer_sql[W_STATEMENTS];
_Static_assert(W_STATEMENTS <= STATEMENTS_MAX, "a connection has room for them");

/* ---- schema.c ---- */

/* Upgrades the database to this program's schema; an older one is copied before (copy.c). False with
 * a sentence in `error` if it is newer, or of another program, or cannot be copied. */
MUST_USE bool schema_prepare(struct sqlite_connection *connection, const char *path,
			     struct error *error);
/* Checks the version without changing anything: false also for an empty database, and for an *older
 * one unless it is accepted. */
MUST_USE bool schema_check(struct sqlite_connection *connection, const char *path,
			   bool accept_older, bool *older, struct error *error);
/* Creates the tables in an empty database: SQLite's result. */
MUST_USE int schema_make(struct sqlite_connection *connection);
/* Puts a sentence about the failure into `error`; returns false. */
bool schema_explain(struct sqlite_connection *connection, int result, const char *path,
		    struct error *error);

/* ---- copy.c ---- */

/* Copies what the connection sees into an empty file, without the incarnation, and does not sync it:
 * SQLite's result. *full: it failed for want of space. Older schemas are copied, too. */
MUST_USE int copy_make(struct sqlite_connection *from, const char *path, bool *full);
/* Makes the copy that is kept beside a database that is upgraded to that version, and syncs it. Its
 * path, for the caller to free; NULL with a sentence in `error`. */
MUST_USE char *copy_keep(struct sqlite_connection *from, int version, struct error *error);

/* ---- open.c ---- */

/* Opens a store without its thread. NULL with a sentence in `error`. */
MUST_USE struct sqlite_store *
sqlite_store_open(const char *path, const struct store_options *options, struct error *error);
/* Stops the thread, if there is one, closes and frees. An open transaction is rolled back. */
void sqlite_store_close(struct sqlite_store *store);

/* ---- writer.c ---- */

MUST_USE enum store_status writer_submit(struct store *store, struct store_write *write);
void writer_flush(struct store *store);
void *writer_main(void *store);
/* Commits the transaction. If not STORE_OK, it was rolled back; STORE_BROKEN is permanent. */
MUST_USE enum store_status writer_commit(struct sqlite_store *store);
/* Rolls back after a failed statement. Returns `status`, or STORE_BROKEN if that fails too. */
MUST_USE enum store_status writer_abort(struct sqlite_store *store, enum store_status status);
void writer_break(struct sqlite_store *store, const char *what);

/* ---- files.c ---- */

/* Records which files the store has open. False if they do not exist. */
MUST_USE bool files_watch(struct sqlite_store *store);
bool files_moved(struct sqlite_store *store);
/* Logs how deleted files can be saved while this process has them open. */
void files_log_rescue(const struct sqlite_store *store);

/* ---- checkpoint.c ---- */

int checkpoint_committed_hook(void *store, sqlite3 *db, const char *name, int frames);
/* A checkpoint if the log is long. Called after a commit is answered. */
void checkpoint_long(struct sqlite_store *store);
/* Return the time when the checkpoint of a shorter log is due, on the monotonic clock (INT64_MAX:
 * never), and make that checkpoint. */
int64_t checkpoint_due_ms(const struct sqlite_store *store);
void checkpoint_idle(struct sqlite_store *store);

/* ---- batch.c ---- */

/* One transaction of all writes in the chain whose status is STORE_OK. A write that fails alone
 * gets its status and stops no other; if the transaction fails, no write is kept. */
MUST_USE enum store_status batch_commit(struct sqlite_store *store, struct store_write *batch);

/* A write without its solves: SQLite's result, and write->status. */
MUST_USE int batch_write_rest(struct sqlite_store *store, struct store_write *write);

/* ---- create.c ---- */

/* A session is in two tables: `session` has the columns that each needs, `session_more` those that
 * few need. */
#define SESSION_TABLES "session LEFT JOIN session_more ON session_more.session = session.key"
#define SESSION_COLUMNS                                                                            \
	"key, ifnull(size, 3), ifnull(access, 1), id, created_ms, updated_ms, deleted_ms, name, "  \
	"base,"                                                                                    \
	" scramble, policy, opening, session_more.assisted, listed, checksum"
/* The key of the session with id ?1, by the index of ids. */
#define SESSION_KEY_SQL                                                                            \
	"SELECT key FROM session WHERE substr(id, 1, 3) = substr(?1, 1, 3) AND id = ?1"
/* Session ?1 exists and is not deleted. */
#define SESSION_LIVE                                                                               \
	"EXISTS (SELECT 1 FROM session WHERE key = ?1) AND NOT EXISTS (SELECT 1 FROM session_more" \
	" WHERE session = ?1 AND deleted_ms IS NOT NULL)"

struct new_session {
	int64_t key;
	const struct session_meta *meta; /* all but its key */
	int64_t deleted_ms;              /* if meta->deleted */
	const uint8_t *base;             /* packed; NULL: solved */
	size_t base_bytes;
	const uint8_t *scramble; /* packed; NULL: none */
	size_t scramble_bytes;
	const int64_t *canonical_index; /* see canonical_index.c; NULL: unknown */
};
/* Inside a transaction of the writer: SQLite's result. *there: a session has this id already, and
 * nothing was written. */
MUST_USE int session_create(struct sqlite_connection *writer, const struct new_session *session,
			    bool *there);

/* ---- checksum.c ---- */

/* Logs that a session is damaged, once a second at most. */
void damage_log(struct sqlite_store *store, uint64_t key);

/* ---- inline_entries.c ---- */

/* The first entries of a session are in its own row (column `opening`) while they take at most this
 * many bytes; then they become chunk 1 in `history`, and stay there. So a short history is read
 * with its session and needs no row of its own: ten bytes, and a place in another tree. Longer ones
 * are better elsewhere: an entry that leaves a row leaves a hole, and listing sessions reads all
 * openings.
 *
 * A new row is as long as it will be with an entry of twenty turns. Rows are in the order of keys,
 * in full pages; if they grew in compaction, each page would be split, and every ninth byte of the
 * table unused. So the opening of a new session is bytes that no entry begins with.
 *
 * Bytes for each of 200,000 imported sessions with one entry of twenty turns, in the file 77.8:
 *
 *     row 51.3: record 45 (its header 7, id 10, created_ms 6, alike 3, opening 15, checksum 4),
 *               place 6, unused 0.2
 *     index of cubes 13.0, index of ids 13.0: record 9, place 3, unused 1.2 */
#define INLINE_ENTRIES_MAX 128
#define INLINE_ENTRIES_ROOM_BYTES 15
#define INLINE_ENTRIES_ROOM "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
#define INLINE_ENTRIES_ROOM_SQL "x'ffffffffffffffffffffffffffffff'"
bool inline_entries_is_room(const void *bytes, size_t length);
/* Copies a row's opening into an empty chunk, if it has the checksum of that column. *inside: the
 * session has nothing in `history`, and perhaps no entries at all. */
MUST_USE enum store_status inline_entries_read(sqlite3_stmt *row, int column, int checksum,
					       uint64_t key, struct chunk *chunk, bool *inside);
/* Writes the opening (NULL: the entries are in `history` from now on) and the hash of the cube
 * (NULL: unchanged): SQLite's result. */
MUST_USE int inline_entries_save(struct sqlite_connection *writer, uint64_t key,
				 const struct chunk *chunk, const int64_t *canonical_index);

/* ---- access.c ---- */

/* Reads the incarnation of the database, or creates it. Before the store's thread runs. */
MUST_USE int incarnation_prepare(struct sqlite_store *store);
/* Deletes it from a copy. */
MUST_USE int incarnation_forget(struct sqlite_connection *connection);
/* Inside a transaction of the writer: SQLite's result; write->status may change. */
MUST_USE int write_token(struct sqlite_store *store, struct store_write *write, uint64_t key);
/* Binds key and TOKEN_COLUMNS from parameter 1 on. SQLite's codes, or'ed together. */
MUST_USE int token_bind(sqlite3_stmt *statement, uint64_t key, const struct stored_token *token);
/* insert_receipt() is for a new key; write_receipt() replaces a receipt with the same key. */
MUST_USE int insert_receipt(struct sqlite_connection *writer, const struct receipt *receipt);
MUST_USE int write_receipt(struct sqlite_connection *writer, const struct receipt *receipt);
/* Reads the rows of a statement (TOKEN_COLUMNS): one session's tokens in order. STORE_BROKEN if
 * they are damaged. The caller frees *tokens, also after a failure. */
MUST_USE enum store_status tokens_read(struct sqlite_connection *connection,
				       sqlite3_stmt *statement, struct stored_token **tokens,
				       size_t *count);
/* Copies a receipt from a row (RECEIPT_COLUMNS). */
MUST_USE enum store_status receipt_decode(sqlite3_stmt *row, struct receipt *receipt);
#define TOKEN_COLUMNS "number, role, hash, created_ms, revoked_ms, label, parent"
#define RECEIPT_COLUMNS "key, body, created_ms, answer"

/* ---- patterns.c ---- */

/* Binds key, token, name, and pattern and time unless the pattern is NULL. */
MUST_USE int pattern_bind(sqlite3_stmt *statement, uint64_t key,
			  const struct stored_pattern *pattern);
MUST_USE int write_pattern(struct sqlite_store *store, struct store_write *write);
MUST_USE enum store_status reader_patterns(struct store_reader *reader, uint64_t key,
					   const char *name, bool texts, store_visit_pattern *visit,
					   void *context);

/* ---- solves.c ---- */

/* Inside a transaction of the writer: SQLite's result; write->status may change. */
MUST_USE int write_solves(struct sqlite_store *store, struct store_write *write);
MUST_USE int write_frame(struct sqlite_connection *writer, uint64_t key, const char *frame);
MUST_USE int write_solve_changed(struct sqlite_store *store, struct store_write *write);
MUST_USE int write_assistance(struct sqlite_store *store, const struct store_write *write);
MUST_USE int write_answer(struct sqlite_store *store, const struct store_write *write);
/* Decodes a solve from a row (SOLVE_COLUMNS); its texts are the row's. STORE_BROKEN if it is
 * damaged. */
MUST_USE enum store_status solve_decode(sqlite3_stmt *row, bool texts, struct stored_solve *solve);
MUST_USE int solve_bind(sqlite3_stmt *statement, uint64_t session,
			const struct stored_solve *solve);
MUST_USE enum store_status answer_decode(sqlite3_stmt *row, struct stored_answer *answer);
MUST_USE int answer_bind(sqlite3_stmt *statement, const struct stored_answer *answer);
#define SOLVE_VALUES                                                                               \
	"session, id, created_ms, origin, size, time_ms, penalty_ms, clock, verified, revision,"   \
	" actor, base, scramble, solution, comment, list, source, assisted,"                       \
	" event, list_name, splits"
#define SOLVE_COLUMNS SOLVE_VALUES ", seq, (SELECT id FROM session WHERE key = solve.session)"
#define ANSWER_COLUMNS "canonical, size, method, colors, moves, created_ms"
MUST_USE enum store_status reader_solves(struct store_reader *reader,
					 const struct solve_query *query, store_visit_solve *visit,
					 void *context, uint64_t *next);
MUST_USE enum store_status reader_solve(struct store_reader *reader, const uint8_t id[10],
					store_visit_solve *visit, void *context);
MUST_USE enum store_status reader_solve_count(struct store_reader *reader, uint64_t key,
					      uint64_t *count);
MUST_USE enum store_status reader_frame(struct store_reader *reader, uint64_t key, char **frame);
MUST_USE enum store_status reader_answers(struct store_reader *reader, uint64_t canonical,
					  store_visit_answer *visit, void *context);

/* ---- compact.c ---- */

/* Most entries that one slice compacts. */
#define COMPACT_SLICE_ENTRIES 512
/* Moves a slice of entries from the log into chunks. STORE_NOT_FOUND: nothing to do. */
MUST_USE enum store_status compact_slice(struct sqlite_store *store);
/* Writes a chunk (W_SAVE_CHUNK) or the state before it (W_SAVE_STATE), inside a transaction:
 * SQLite's result. */
MUST_USE int compact_save(struct sqlite_connection *writer, int statement, uint64_t key,
			  uint32_t first, const uint8_t *bytes, size_t length);
bool compact_has_work(const struct sqlite_store *store);

/* Computes the hashes of some sessions that lack them; STORE_NOT_FOUND: all are done. */
MUST_USE enum store_status fill_slice(struct sqlite_store *store);

/* ---- purge.c ---- */

/* Deletes receipts that are too old, or part of a session that was deleted long ago.
 * STORE_NOT_FOUND: nothing to do. */
MUST_USE enum store_status purge_slice(struct sqlite_store *store);
/* The same, and then empties part of a session that was deleted at any time. Its key, id and tokens
 * stay, so that it is known to be deleted. */
MUST_USE enum store_status purge_for_room(struct sqlite_store *store);

/* ---- canonical_index.c ---- */

/* The hash of a cube in the canonical index. False if out of memory. */
MUST_USE bool canonical_index_of(const struct cube *cube, int64_t *canonical_index);
/* The same for the cube a session begins with; NULL: solved. */
MUST_USE bool canonical_index_first(int size, const struct cube *base, int64_t *canonical_index);
/* Writes it to the session's row: SQLite's result. */
MUST_USE int canonical_index_save(struct sqlite_connection *writer, uint64_t key,
				  int64_t canonical_index);
MUST_USE enum store_status reader_canonical_index(struct store_reader *reader, uint64_t canonical,
						  uint64_t own, uint64_t before, uint32_t look_at,
						  store_visit_session *visit, void *context,
						  uint64_t *next);

/* ---- reader.c ---- */

enum reader_statement {
	R_BEGIN,
	R_COMMIT,
	R_KEY,
	R_SESSION,
	R_CHUNK,
	R_STATE,
	R_LIST,
	R_LIST_OLDEST,
	R_ALIKE,
	R_TOKENS,
	R_RECEIPT,
	R_PATTERNS,
	R_PATTERN,
	R_SOLVES,
	R_SOLVES_OLD,
	R_SOLVE,
	R_SOLVE_COUNT,
	R_FRAME,
	R_ANSWERS,
	R_STATEMENTS,
};

struct sqlite_reader {
	struct store_reader reader; /* first: a struct store_reader * is cast back */
	struct sqlite_connection connection;
};

static inline struct sqlite_connection *reader_connection(struct store_reader *reader)
{
	return &((struct sqlite_reader *)reader)->connection;
}

static inline struct sqlite_store *reader_store(const struct store_reader *reader)
{
	return (struct sqlite_store *)reader->store;
}

MUST_USE struct store_reader *reader_create(struct store *store);
void reader_destroy(struct store_reader *reader);
MUST_USE enum store_status reader_find(struct store_reader *reader, const struct session_id *id,
				       struct stored_session *session);
MUST_USE enum store_status reader_at(struct store_reader *reader, uint64_t key, uint32_t revision,
				     struct history **history);
MUST_USE enum store_status reader_entries(struct store_reader *reader, uint64_t key, uint32_t after,
					  store_visit_entry *visit, void *context);
/* The session with its state and tokens; free it with stored_session_free(). */
MUST_USE enum store_status reader_stored(struct store_reader *reader, uint64_t key,
					 struct stored_session *session);
MUST_USE enum store_status reader_list(struct store_reader *reader, uint64_t own, uint64_t before,
				       uint32_t look_at, store_visit_session *visit, void *context,
				       uint64_t *next);
MUST_USE enum store_status reader_list_oldest(struct store_reader *reader, uint64_t after,
					      uint32_t look_at, store_visit_session *visit,
					      void *context, uint64_t *next);
MUST_USE enum store_status reader_receipt(struct store_reader *reader,
					  const uint8_t key[HASH_BYTES], struct receipt *receipt);

#endif
