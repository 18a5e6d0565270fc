/* meters.h: counters of the process, for GET /metrics. Any thread.
 *
 * Each thread has its own page of counters, as long as there are pages, so that counting is an
 * addition in that core's cache; reading sums all pages. A gauge also goes down. */
#ifndef SERVER_UTIL_METERS_H
#define SERVER_UTIL_METERS_H

#include <stddef.h>
#include <stdint.h>

/* cell, kind, name, meaning */
#define METER_TABLE(X)                                                                             \
	X(METER_CONNECTIONS, "gauge", "cubed_http_connections",                                    \
	  "Open connections, streams of events too.")                                              \
	X(METER_CONNECTIONS_LIMIT, "gauge", "cubed_http_connections_limit",                        \
	  "Most open connections: max-connections, or as many as there are open files for.")       \
	X(METER_REFUSED, "counter", "cubed_http_connections_refused_total",                        \
	  "Connections that were refused: the client should retry later.")                         \
	X(METER_CUT, "counter", "cubed_http_connections_cut_total",                                \
	  "Connections that were closed because they were slow or idle.")                          \
	X(METER_TRIMS, "counter", "cubed_heap_trims_total",                                        \
	  "Times that freed memory was given back to the system, after many clients had left.")    \
	X(METER_SESSIONS_HOT, "counter", "cubed_sessions_found_in_memory_total",                   \
	  "Requests for a session that was in memory.")                                            \
	X(METER_SESSIONS_COLD, "counter", "cubed_sessions_loaded_total",                           \
	  "Sessions that were read from the store.")                                               \
	X(METER_STORE_READS, "counter", "cubed_store_reads_total",                                 \
	  "Reads of the store, each slice of a long one.")                                         \
	X(METER_GATE_ROUNDS, "counter", "cubed_gate_rounds_total",                                 \
	  "Questions to the store about changes of other processes.")                              \
	X(METER_GATE_VISITS, "counter", "cubed_gate_visits_total",                                 \
	  "Requests that waited for such a question.")                                             \
	X(METER_GATE_TRUSTED, "counter", "cubed_gate_trusted_total",                               \
	  "Requests that were to append an entry and did not wait: the store checks it.")          \
	X(METER_GATE_WRONG, "counter", "cubed_gate_trusted_conflicts_total",                       \
	  "Of them, those that another process was ahead of.")                                     \
	X(METER_GATE_HINTS, "counter", "cubed_gate_hints_total",                                   \
	  "Hints of other processes that they have changed sessions.")                             \
	X(METER_GATE_HINTS_FOLLOWED, "counter", "cubed_gate_hints_followed_total",                 \
	  "Of them, those that led to a question, since such a session is watched here.")          \
	X(METER_STORE_BYTES, "gauge", "cubed_store_bytes",                                         \
	  "Size of the database, as max-store-bytes counts it, at most a minute ago.")             \
	X(METER_STORE_CONFLICTS, "counter", "cubed_store_conflicts_total",                         \
	  "Writes that were made again because another process was first.")                        \
	X(METER_STORE_DOUBTS, "counter", "cubed_store_doubts_total",                               \
	  "Transactions whose answer was lost with the connection to the database.")               \
	X(METER_STORE_FOUND, "counter", "cubed_store_doubts_committed_total",                      \
	  "Of them, those that were found to be committed.")                                       \
	X(METER_STORE_UNKNOWN, "counter", "cubed_store_doubts_unknown_total",                      \
	  "Of them, those that nothing was found out about in time.")                              \
	X(METER_STORE_INCARNATIONS, "counter", "cubed_store_incarnations_total",                   \
	  "Times that committed writes were found to be lost, or a backup to be restored.")        \
	X(METER_STORE_LANES, "gauge", "cubed_store_lanes",                                         \
	  "Lanes in PostgreSQL: connections of all processes that have written in the last day.")  \
	X(METER_SLICES, "counter", "cubed_scan_slices_total",                                      \
	  "Slices of long reads that were queued again.")                                          \
	X(METER_ABANDONED, "counter", "cubed_jobs_abandoned_total",                                \
	  "Reads, computations and pieces of streams dropped because the client disconnected.")    \
	X(METER_PUBLISHED, "counter", "cubed_events_published_total",                              \
	  "Entries of watched sessions that became events.")                                       \
	X(METER_SENT, "counter", "cubed_events_sent_total",                                        \
	  "Entries that were sent, counted for each watcher.")                                     \
	X(METER_SENT_BYTES, "counter", "cubed_events_sent_bytes_total",                            \
	  "Bytes that were sent to watchers.")                                                     \
	X(METER_PAGES, "counter", "cubed_events_log_pages_total",                                  \
	  "Pages of the log that were read for watchers.")                                         \
	X(METER_RESYNCS, "counter", "cubed_events_resyncs_total",                                  \
	  "Whole states that were sent instead of missed entries.")                                \
	X(METER_STUCK, "counter", "cubed_watchers_cut_total",                                      \
	  "Watchers that were disconnected because they did not read.")                            \
	X(METER_DISPLACED, "counter", "cubed_watchers_displaced_total",                            \
	  "Watchers that were disconnected for a newcomer, because connections ran out.")          \
	X(METER_SOLVED, "counter", "cubed_solve_completed_total", "Solving jobs that completed.")  \
	X(METER_SOLVE_STOPPED, "counter", "cubed_solve_timed_out_total",                           \
	  "Solving jobs that reached their time limit.")                                           \
	X(METER_SOLVE_CANCELLED, "counter", "cubed_solve_cancelled_total",                         \
	  "Solving jobs that were cancelled, or whose client disconnected.")                       \
	X(METER_SOLVE_FAILED, "counter", "cubed_solve_failed_total",                               \
	  "Solving jobs that failed: out of memory, or a wrong answer.")

/* The sizes of commits: buckets up to 1, 2, 4, ... 2^(n-2) writes, and more. */
#define METER_BATCH_BUCKETS 12
/* Times of solving jobs: buckets up to 1, 10, 100 ms, 1, 10, 100 s, and more; and their sum. */
#define METER_SOLVE_BUCKETS 7
/* Requests: cells for each route, see server/api/metrics.c. */
#define METER_ROUTES 128
#define METER_ROUTE_CELLS 48
#define METER_PROBLEMS 64
/* Refusals by reason, see server/api/request/refusal.h. */
#define METER_REFUSALS 64

enum meter {
#define METER_ROW(cell, kind, name, meaning) cell,
	METER_TABLE(METER_ROW)
#undef METER_ROW
		METER_BATCH,
	METER_BATCH_SUM = METER_BATCH + METER_BATCH_BUCKETS,
	METER_SOLVE,
	METER_SOLVE_SUM = METER_SOLVE + METER_SOLVE_BUCKETS,
	METER_PROBLEM,
	METER_REFUSAL = METER_PROBLEM + METER_PROBLEMS,
	/* Gauges that are not always known: 0, or one more than the number. */
	METER_DISK_FREE = METER_REFUSAL + METER_REFUSALS,
	METER_CERTIFICATE_EXPIRY, /* seconds since 1970 */
	METER_ROUTE,
	METER_CELLS = METER_ROUTE + METER_ROUTES * METER_ROUTE_CELLS
};

/* `amount` may be negative, as a uint64_t. */
void meter_add(unsigned cell, uint64_t amount);
uint64_t meter_sum(unsigned cell);
/* Sets a gauge. One thread at a time for each cell. */
void meter_set(unsigned cell, uint64_t value);

/* A commit of `writes` writes. */
void meter_batch(size_t writes);
/* A solving job and its time. */
void meter_solve(uint64_t took_ns);

#endif
