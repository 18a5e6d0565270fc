/* postgres_internal.h: what the files of the PostgreSQL store share.
 *
 *     libpq.c         the client library, loaded        connection.c   run, deadlines, errors
 *     connection_open.c    connect, settings of the server
 *     pooler.c        poolers that cannot be used
 *     parameters.c    values in binary form             statements.c   the table of statements
 *     schema.c        tables, incarnation               open.c         lanes registered; close
 *     lane.c          queue and thread of a lane        transaction.c  one transaction of writes
 *     append.c        runs of entries                   create.c       new sessions
 *     change_body.c   what a batch reports to caches   resolve.c      after a lost connection
 *     hints.c         LISTEN and NOTIFY                 write_kind.c   how each kind of write is sent
 *
 *     copy_rows.c     rows sent in bulk
 *
 *     reader_connection.c  create, destroy, run
 *     reader.c        readers, and what they ask        maintenance.c  snapshots, index, purging
 *
 * A lane is a connection with a thread that writes; sessions are spread over the lanes of a process
 * by key. Each transaction of a lane inserts one row (lane, batch) into `change`: it reports to other
 * processes what was changed, and after a lost connection whether it was committed. */
#ifndef SERVER_STORE_POSTGRES_POSTGRES_INTERNAL_H
#define SERVER_STORE_POSTGRES_POSTGRES_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "server/modules/postgres/store/change_body.h"
#include "server/modules/postgres/store/connection.h"
#include "server/store/store.h"
#include "server/util/error.h"
#include "server/util/lock.h"

#define LANES 1 /* options.lanes if that is 0 */
#define READERS 8
#define WAIT_MS 10000                   /* options.wait_ms if that is 0 */
#define CONFIRM_NS UINT64_C(2000000000) /* a barrier is trusted for so long */

/* session.mode */
enum session_mode {
	MODE_ACCESS = 3,       /* enum session_access */
	MODE_POLICY_SHIFT = 2, /* enum turn_policy, two bits */
	MODE_DELETED = 16,
	MODE_MORE = 32, /* it has a row in session_more */
	MODE_LISTED = 64,
};
static inline int16_t session_mode_of(const struct session_meta *meta)
{
	return (int16_t)(meta->access | meta->policy << MODE_POLICY_SHIFT |
			 (meta->deleted ? MODE_DELETED : 0) | (meta->listed ? MODE_LISTED : 0));
}

/* An id of 10 bytes, of a session or a solve, is in two columns: id8 and id2. */
static inline uint64_t id_first8(const uint8_t id[SESSION_ID_BYTES])
{
	return get_uint8(id);
}
static inline int16_t id_last2(const uint8_t id[SESSION_ID_BYTES])
{
	return (int16_t)(id[8] << 8 | id[9]);
}

static inline void id_join(uint64_t first8, int16_t last2, uint8_t id[SESSION_ID_BYTES])
{
	for (int i = 0; i < 8; i++)
		id[i] = (uint8_t)(first8 >> (56 - 8 * i));
	id[8] = (uint8_t)((uint16_t)last2 >> 8);
	id[9] = (uint8_t)last2;
}

/* receipt.key: so much of a receipt's key. */
#define RECEIPT_KEY_BYTES 16

/* session.canonical and canonical_index.hash: of cube_colors_hash(), the upper half. Only sessions
 * that are listed are in the index; the others have 0. */
static inline int32_t canonical_hash(uint64_t hash)
{
	const uint32_t upper = (uint32_t)(hash >> 32);
	return upper == 0 ? 1 : (int32_t)upper;
}

/* ---- the store ---- */

struct postgres_store {
	struct store store; /* first: a struct store * is cast back */
	struct store_options options;
	char *conninfo;
	uint64_t process; /* random: this process, as others know it, */
	char node[17];    /* and in hexadecimal digits, as its lanes have it */
	uint32_t wait_ms;
	_Atomic int health;    /* enum store_status */
	_Atomic bool outgrown; /* the tables have a version that this program must not use */
	struct lane *lanes;
	unsigned lane_count;
	struct hints *hints;               /* NULL: none */
	struct maintenance *maintenance;   /* NULL: none */
	_Atomic uint64_t readers_away_ns;  /* since when readers find no database; 0: they do */
	_Atomic uint64_t readers_tried_ns; /* when one of them tried last */

	struct lock lock; /* of all that follows */
	bool has_lock;
	char incarnation[INCARNATION_TEXT + 1];
	uint64_t generation;
	enum store_status failure; /* the last reason for raising the generation */
};

static inline enum connection_use pg_use(const struct postgres_store *store)
{
	return store->options.require_replica ? CONNECTION_REPLICATES : CONNECTION_WRITES;
}

static inline enum store_status pg_connect(const struct postgres_store *store,
					   struct connection *connection)
{
	return pg_open(connection, store->conninfo, pg_use(store), CONNECTION_NEXT_S);
}

/* A durable write of this connection, in the row of `lane`; 0: in that of the process. It fails if
 * the tables were upgraded to a version that this program must not use (store_outgrown()); with
 * CONNECTION_REPLICATES also if the server has no synchronous standby any more. */
MUST_USE enum failure pg_barrier(struct postgres_store *store, struct connection *connection,
				 int32_t lane, uint64_t until_ns);
/* The tables need a program that knows the schema `minimum`: logs it and calls options.outgrown,
 * once. */
void store_outgrown(struct postgres_store *store, int minimum);

/* SQL: how many signs of life there are from processes that had the database open so recently. A
 * process that has written has lanes; versions before 0.6 have nothing else. */
#define SERVERS_ALIVE(interval)                                                                    \
	"SELECT (SELECT count(*) FROM lane WHERE beat > now() - interval '" interval "')"          \
	" + (SELECT count(*) FROM process WHERE beat > now() - interval '" interval "')"

/* ---- pooler.c ---- */

/* Checks that the connection, which was opened so, has a session of the server to itself. False, with a
 * sentence in `error`, behind a pooler that pools transactions. */
MUST_USE bool pooler_check(const char *conninfo, enum connection_use use,
			   struct connection *connection, struct error *error);

/* ---- schema.c ---- */

/* Creates or upgrades the tables, checks the settings of the server, reads the incarnation. False
 * with a sentence in `error`. */
MUST_USE bool schema_open(struct postgres_store *store, struct connection *connection,
			  struct error *error);
/* Reads the incarnation again, for example after `changes` found that history went back. */
MUST_USE enum failure pg_incarnation_read(struct postgres_store *store,
					  struct connection *connection);
/* History went back: gives the database a new incarnation, unless another process already did. */
MUST_USE enum failure pg_incarnation_renew(struct postgres_store *store,
					   struct connection *connection);

/* ---- readers ---- */

/* The newest batch of each lane that `changes` has reported. */
struct seen {
	int32_t lane;
	uint64_t batch;
	int64_t at_s;   /* when it was reported; 0: it was there before */
	bool committed; /* it was reported by the database, and not as an empty row */
};

struct postgres_reader {
	struct store_reader reader; /* first: a struct store_reader * is cast back */
	struct postgres_store *store;
	struct connection connection;
	struct parameters parameters; /* for one statement at a time */
	struct seen *vector;          /* begins at the reader's creation */
	size_t vector_count;
	uint64_t checked_ns; /* when `changes` looked last whether history went back */
	uint64_t durable_ns; /* when the last durable write of this connection began */
	bool is_new;         /* `changes` has not compared the connection with the vector yet */
	bool lost;           /* the vector has a batch that the database does not have */
	int64_t asked_s;     /* when `changes` asked last, by the clock that also runs in a sleep */
	bool has_vector;
};

/* Runs a statement with reader->parameters; connects again and repeats it if the connection breaks,
 * until the store's wait_ms are over: STORE_AWAY. *result is the caller's to clear; NULL unless
 * STORE_OK. */
MUST_USE enum store_status pg_reader_run(struct postgres_reader *reader, enum statement statement,
					 PGresult **result);
/* The batch up to which this process was called back, if `lane` is one of its own; 0 if not. */
uint64_t lane_answered(const struct postgres_store *store, int32_t lane);
/* The last batch that was found not to be committed, if `lane` is one of its own; 0 if not. */
uint64_t lane_denied(const struct postgres_store *store, int32_t lane);
/* The number of lane i of this process, 0 while it has none; false: there is no lane i. */
MUST_USE bool pg_lane_own(const struct postgres_store *store, unsigned i, int32_t *number);

MUST_USE struct store_reader *pg_reader_create(struct store *store);
void pg_reader_destroy(struct store_reader *reader);
MUST_USE enum store_status pg_reader_find(struct store_reader *reader, const struct session_id *id,
					  struct stored_session *session);
MUST_USE enum store_status pg_reader_at(struct store_reader *reader, uint64_t key,
					uint32_t revision, struct history **history);
MUST_USE enum store_status pg_reader_entries(struct store_reader *reader, uint64_t key,
					     uint32_t after, store_visit_entry *visit,
					     void *context);
MUST_USE enum store_status pg_reader_list(struct store_reader *reader, uint64_t own,
					  uint64_t before, uint32_t look_at,
					  store_visit_session *visit, void *context,
					  uint64_t *next);
MUST_USE enum store_status pg_reader_list_oldest(struct store_reader *reader, uint64_t after,
						 uint32_t look_at, store_visit_session *visit,
						 void *context, uint64_t *next);
MUST_USE enum store_status pg_reader_canonical_index(struct store_reader *reader,
						     uint64_t canonical, uint64_t own,
						     uint64_t before, uint32_t look_at,
						     store_visit_session *visit, void *context,
						     uint64_t *next);
MUST_USE enum store_status pg_reader_receipt(struct store_reader *reader,
					     const uint8_t key[HASH_BYTES],
					     struct receipt *receipt);
MUST_USE enum store_status pg_reader_patterns(struct store_reader *reader, uint64_t key,
					      const char *name, bool texts,
					      store_visit_pattern *visit, void *context);
MUST_USE enum store_status pg_reader_solves(struct store_reader *reader,
					    const struct solve_query *query,
					    store_visit_solve *visit, void *context,
					    uint64_t *next);
MUST_USE enum store_status pg_reader_solve(struct store_reader *reader,
					   const uint8_t id[SESSION_ID_BYTES],
					   store_visit_solve *visit, void *context);
MUST_USE enum store_status pg_reader_solve_count(struct store_reader *reader, uint64_t key,
						 uint64_t *count);
MUST_USE enum store_status pg_reader_frame(struct store_reader *reader, uint64_t key, char **frame);
MUST_USE enum store_status pg_reader_answers(struct store_reader *reader, uint64_t canonical,
					     store_visit_answer *visit, void *context);
MUST_USE enum store_status pg_reader_secret(struct store_reader *reader,
					    uint8_t secret[HASH_BYTES]);
MUST_USE enum store_status pg_reader_post(struct store_reader *reader,
					  const struct store_notice *notices, size_t count);
MUST_USE enum store_status pg_reader_notices(struct store_reader *reader,
					     const uint8_t (*subjects)[NOTICE_SUBJECT_BYTES],
					     size_t count, store_visit_notice *visit,
					     void *context);
MUST_USE enum store_status pg_reader_changes(struct store_reader *reader, store_visit_change *visit,
					     void *context);

/* ---- transactions ---- */

#define TRANSACTION_STATEMENTS_MAX 8
#define TRANSACTION_WRITES_MAX 512
#define TRANSACTION_BYTES_MAX 262144 /* beyond, the next write begins another transaction */

/* The kind of answer that a statement of a transaction has. */
enum answer {
	ANSWER_NOTHING,  /* its rows are not looked at */
	ANSWER_CHANGE,   /* it inserted the row of `change`: see transaction_change() */
	ANSWER_CREATED,  /* the keys of new sessions, in the order of the writes */
	ANSWER_APPENDED, /* as ANSWER_CHANGE, and keys of sessions due for a snapshot */
};

/* CREATE and APPEND: as many as wait, together. Other kinds: one write, alone. */
struct transaction {
	struct lane *lane;
	struct connection *connection;
	uint64_t batch;
	/* The writes, by `next`. Those with another status than STORE_OK have failed already and
	 * are skipped by all that follows. */
	struct store_write *first;
	struct store_write *end;  /* the write behind the last one, or NULL */
	uint32_t writes, creates; /* ones that have not failed */
	bool alone;
	struct runs *runs;            /* of its appends */
	struct parameters parameters; /* for one statement at a time */
	struct buffer body;           /* of the row of `change` */
	struct {
		enum statement statement;
		enum answer answer;
		bool prepares;
		PGresult *result;
	} sent[TRANSACTION_STATEMENTS_MAX];
	unsigned sent_count;
};

/* Queues a statement with transaction->parameters. */
MUST_USE enum failure transaction_send(struct transaction *transaction, enum statement statement,
				       enum answer answer);
/* Adds the last three parameters, lane (int4), batch (int8) and body (bytea), and queues the
 * statement. It must insert one row into `change` whatever happens, and return
 *
 *     refused int8[]   the keys of sessions whose writes were not done, or NULL; also in the row
 *     gone boolean     whether they are STORE_NOT_FOUND, not STORE_CONFLICT
 *
 * as in
 *
 *     WITH done AS (UPDATE session SET version = version + 1 ... WHERE key = $1::int8
 *                   AND version = $2::int4 AND mode & 16 = 0 RETURNING key),
 *          more AS (INSERT ... SELECT ... FROM done)
 *     INSERT INTO change (lane, batch, body, refused) SELECT $4::int4, $5::int8, $6::bytea,
 *            CASE WHEN NOT EXISTS (SELECT FROM done) THEN ARRAY[$1::int8] END
 *     RETURNING refused, NOT EXISTS (SELECT FROM session WHERE key = $1 AND mode & 16 = 0)
 *
 * The body is made before: CHANGE_META of write->meta.key for every kind but ANSWER. */
MUST_USE enum failure transaction_change(struct transaction *transaction, enum statement statement);

/* Sends a kind of write that is alone in its transaction: fills transaction->parameters
 * (parameters_begin() first) and calls transaction_change(), once. Its receipt follows by
 * receipts_send(). The rows of write_kind.c. */
typedef enum failure write_send(struct transaction *transaction, const struct store_write *write);
/* Adds number, parent, role, hash, created_ms, revoked_ms and label. */
void token_parameters(struct parameters *parameters, const struct stored_token *token);
write_send meta_send, delete_send, token_send, pattern_send, solves_send, solve_change_send,
	solve_drop_send, assistance_send, answer_send;
/* NULL for CREATE and APPEND. */
write_send *write_kind_send(enum store_write_kind kind);

/* The solves and frames of the CREATE and APPEND writes of a transaction, behind the row of
 * `change`; sends nothing if there are none. Sessions that the row of `change` refuses get none:
 *     .. WHERE i.session <> ALL (coalesce((SELECT refused FROM change WHERE lane = $l AND batch = $b), '{}'))
 * A new session has no key yet: it is found by id8 and id2. */
MUST_USE enum failure transaction_solves_send(struct transaction *transaction);
/* The receipts of all writes of a transaction, sorted by key, in the same way. One that is too old is
 * deleted first; another one with the same key must fail with a duplicate key (23505): then the
 * writes are sent one by one, and this one is STORE_CONFLICT. */
MUST_USE enum failure transaction_receipts_send(struct transaction *transaction);

/* ---- maintenance ---- */

/* One thread of the process with a connection of its own: snapshots, the canonical index, purging.
 * Started when the lanes are registered; false if there is no thread. */
MUST_USE bool pg_maintenance_start(struct postgres_store *store);
void pg_maintenance_stop(struct postgres_store *store);
/* A session's entries since its newest snapshot take SNAPSHOT_BYTES or more. Any thread. */
void pg_maintenance_due(struct postgres_store *store, uint64_t key);
#define SNAPSHOT_BYTES_TEXT "4096"

#endif
