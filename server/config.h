/* config.h: the configuration: flags, environment, limits.
 *
 * Each limit is one row, which defines the struct member, the flag, the environment variable
 * CUBED_..., the line in --help and the entry in GET /v1/limits. */
#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/access/forward.h"
#include "server/util/log.h"
#include "server/util/error.h"

/* The value of a limit that is off. */
#define LIMIT_OFF UINT64_MAX

/* member, flag, default, unit, meaning */
#define LIMIT_TABLE(X)                                                                             \
	X(size, "max-size", 100, "layers", "largest cube")                                         \
	X(picture_pixels, "max-picture-pixels", 1024, "pixels", "width of a picture")              \
	X(moves, "max-moves", 10000, "moves", "moves of one entry or one expanded text")           \
	X(entries, "max-entries", 1000000, "entries", "entries of one session")                    \
	X(body_bytes, "max-body", 1048576, "bytes", "size of a request body")                      \
	X(batch_bytes, "max-batch", 16777216, "bytes",                                             \
	  "size of a body with many cubes, one per line")                                          \
	X(request_bytes, "max-request-bytes", 268435456, "bytes",                                  \
	  "memory of all requests: bodies, parsed JSON, answers not sent yet")                     \
	X(address_request_bytes, "max-request-bytes-per-address", 134217728, "bytes",              \
	  "memory of the requests of one address if it is the only one, "                          \
	  "otherwise less; loopback is not counted")                                               \
	X(connections, "max-connections", 15000, "connections", "open connections")                \
	X(address_connections, "max-connections-per-address", 256, "connections",                  \
	  "open connections of one address; loopback is not counted")                              \
	X(header_ms, "header-timeout-ms", 5000, "ms", "time for a request's head to arrive")       \
	X(body_ms, "body-timeout-ms", 10000, "ms", "time for a request's body to arrive")          \
	X(reads, "max-reads", 50, "requests/s",                                                    \
	  "reading requests of one token, and of one address")                                     \
	X(reads_burst, "max-reads-burst", 200, "requests",                                         \
	  "reading requests at once, after a pause")                                               \
	X(writes, "max-writes", 20, "requests/s",                                                  \
	  "changing requests of one token, and of one address")                                    \
	X(writes_burst, "max-writes-burst", 60, "requests",                                        \
	  "changing requests at once, after a pause")                                              \
	X(creations, "max-creations", 10, "requests/min",                                          \
	  "sessions created by one token or address")                                              \
	X(loopback_factor, "loopback-factor", 100, "times",                                        \
	  "rates of loopback clients, as a multiple of those of other addresses")                  \
	X(network_factor, "network-factor", 16, "times",                                           \
	  "rates, connections and streams of a network, a /24 of IPv4 or a /48 of IPv6, as a "     \
	  "multiple of those of one address; private networks are not counted")                    \
	X(address_sessions, "max-sessions-per-address", 1000, "sessions/day",                      \
	  "sessions created by one address")                                                       \
	X(address_store_bytes, "max-store-bytes-per-address", 1073741824, "bytes/day",             \
	  "bytes added to the database by one address")                                            \
	X(wrong_tokens, "max-wrong-tokens", 10, "requests/min", "wrong tokens of one address")     \
	X(tokens, "max-tokens", 1000, "tokens", "tokens of one session, including revoked ones")   \
	X(guests, "max-guests", 500, "tokens",                                                     \
	  "those of these tokens that are guests, including revoked ones")                         \
	X(patterns, "max-patterns", 100, "patterns", "own patterns of one session")                \
	X(pattern_bytes, "max-pattern-bytes", 65536, "bytes",                                      \
	  "stored size of one of these patterns")                                                  \
	X(solves, "max-solves", 100000, "solves", "recorded solves of one session")                \
	X(store_bytes, "max-store-bytes", 68719476736, "bytes", "size of the database")            \
	X(idle_ms, "keep-alive-timeout-ms", 30000, "ms",                                           \
	  "time that a connection may be idle, between requests or with an "                       \
	  "answer that is not read")                                                               \
	X(read_rate, "min-read-rate", 1024, "bytes/s",                                             \
	  "slowest rate at which an answer may be read, averaged over "                            \
	  "keep-alive-timeout-ms")                                                                 \
	X(watchers, "max-watchers-per-session", 20000, "streams",                                  \
	  "streams of one session's events")                                                       \
	X(address_streams, "max-streams-per-address", 32, "streams",                               \
	  "streams of events of one address, a stream of several sessions as "                     \
	  "that many; loopback is not counted")                                                    \
	X(ticket_sessions, "max-sessions-per-ticket", 32, "sessions",                              \
	  "sessions of one ticket, and so of one stream of events; at most 128")                   \
	X(tls_streams, "max-tls-streams", 1000, "streams", "streams of events over TLS")           \
	X(replay, "max-replay", 10000, "entries",                                                  \
	  "missed entries that a stream sends one by one; for more it sends one "                  \
	  "resync")                                                                                \
	X(ping_ms, "ping-interval-ms", 15000, "ms",                                                \
	  "time between two pings on a stream of events")                                          \
	X(stuck_ms, "stream-timeout-ms", 30000, "ms",                                              \
	  "time without progress after which an unread stream of events is "                       \
	  "closed")                                                                                \
	X(queue, "max-queue", 8192, "writes", "writes waiting for the disk")                       \
	X(cache_bytes, "cache-bytes", 268435456, "bytes", "memory for sessions in use")            \
	X(solve_ms, "max-solve-ms", 300000, "ms", "longest timeout of a search for a solution")    \
	X(solve_memory, "solve-memory", 268435456, "bytes",                                        \
	  "larger tables that the server makes by itself for shortest solutions; 0: none")         \
	X(jobs, "max-jobs", 64, "jobs", "waiting long searches; as many short ones may wait too")  \
	X(address_jobs, "max-jobs-per-address", 16, "jobs",                                        \
	  "searches of one address, waiting or running; loopback is not counted")                  \
	X(computing_ms, "max-computing-ms", 60000, "ms",                                           \
	  "estimated time of all long computations, waiting or running")                           \
	X(address_computing_ms, "max-computing-ms-per-address", 15000, "ms",                       \
	  "the same for one address if it is the only one, otherwise less; "                       \
	  "loopback is not counted")                                                               \
	X(scrambles, "max-scrambles", 1000, "scrambles", "scrambles in one request")               \
	X(states, "max-states", 1000000, "states", "random states in one request")                 \
	X(rows, "max-rows", 1000000000, "rows", "rows of random cubes in one request")             \
	X(job_keep_ms, "job-keep-ms", 600000, "ms", "time for which the result of a job is kept")  \
	X(job_bytes, "job-bytes", 67108864, "bytes", "memory for results that are kept")

struct limits {
#define LIMIT_MEMBER(member, flag, value, unit, meaning) uint64_t member;
	LIMIT_TABLE(LIMIT_MEMBER)
#undef LIMIT_MEMBER
};

/* The limit of a network, from that of an address. */
static inline uint64_t limit_of_network(const struct limits *limits, uint64_t each)
{
	const uint64_t factor = limits->network_factor;
	return factor == LIMIT_OFF || each > LIMIT_OFF / factor ? LIMIT_OFF : each * factor;
}

#define ALLOW_HOSTS_MAX 16
#define ALLOW_ORIGINS_MAX 16
#define TRUSTED_PROXIES_MAX 16
#define SECURITY_CONTACTS_MAX 4

/* Requests that get a line of the log: those with an internal error; also refused ones (429,
 * 503, 507), some of each reason in a minute; or all. */
enum log_requests { LOG_REQUESTS_NONE, LOG_REQUESTS_ERRORS, LOG_REQUESTS_ALL };

struct config {
	char listen_path[108];  /* of a Unix socket; "": see listen_host */
	char listen_host[256];  /* as given, without brackets; "": all addresses */
	uint16_t listen_port;   /* 0: any free one */
	const char *store;      /* "sqlite:PATH", "postgresql:CONNINFO" or "memory:" */
	uint32_t store_wait_ms; /* time that changes wait for a database that is away */
	uint32_t store_lanes;   /* with PostgreSQL: see struct store_options; 0: the usual */
	bool require_replica;   /* with PostgreSQL: only with a synchronous standby */
	uint32_t drain_ms;      /* time that it serves on after SIGTERM */
	const char *tls_cert, *tls_key; /* files; NULL: no TLS */
	const char *base_path;          /* in front of its paths, "" or "/cubes"; see base_path.h */
	const char *security_contact[SECURITY_CONTACTS_MAX]; /* URIs, the preferred one first */
	size_t security_contact_count;
	const char *tables_dir;   /* a folder with tables of solvers (server/search/tables.h) */
	unsigned loops;           /* threads that serve connections; 0: chosen by the number of
				 * cores */
	unsigned solve_threads;   /* threads that search for solutions; 0: the same */
	unsigned background_nice; /* see server/threads/priority.h */
	bool large_tables;        /* for solving, if the folder has them */
	bool tables_late; /* open the usual tables when a search needs them, not at the start */
	bool lan;         /* other devices in the network open the page */
	char machine_name[256]; /* with `lan`: the host name of this machine */
	const char *allow_host[ALLOW_HOSTS_MAX];
	size_t allow_host_count;
	const char *allow_origin[ALLOW_ORIGINS_MAX]; /* "*", or as in Origin; see origin.h */
	size_t allow_origin_count;
	bool only_listed_origins; /* not those on loopback */
	bool rate_limit;          /* requests are counted */
	struct network trusted_proxy[TRUSTED_PROXIES_MAX];
	size_t trusted_proxy_count;
	enum log_level log_level;
	enum log_format log_format;
	enum log_requests log_requests;
	struct limits limits;
};

enum config_result { CONFIG_RUN, CONFIG_HELP, CONFIG_EXIT_OK, CONFIG_EXIT_USAGE };

/* Reads the environment, then the flags, which take precedence. --version prints and returns
 * CONFIG_EXIT_OK; an error prints one line. CONFIG_HELP: --help was given. */
MUST_USE enum config_result config_read(struct config *config, int argc, char **argv);

/* Returns true if a flag needs no value. */
bool config_flag_is_bare(const char *flag);

/* Prints the flags, a line each. */
void config_print_flags(void);

#endif
