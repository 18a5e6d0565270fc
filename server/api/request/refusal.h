/* refusal.h: why a request or a connection was refused with 429, 503 or 507, for metrics and the log:
 * finer than the type of the problem. */
#ifndef SERVER_API_REQUEST_REFUSAL_H
#define SERVER_API_REQUEST_REFUSAL_H

/* constant, status, reason: the limit that was reached, by its name in GET /v1/limits; with hyphens:
 * another reason, most of them types of problems. */
#define REFUSAL_TABLE(X)                                                                           \
	X(REFUSAL_READS, 429, "reads")                                                             \
	X(REFUSAL_WRITES, 429, "writes")                                                           \
	X(REFUSAL_CREATIONS, 429, "creations")                                                     \
	X(REFUSAL_ADDRESS_SESSIONS, 429, "address_sessions")                                       \
	X(REFUSAL_ADDRESS_STORE_BYTES, 429, "address_store_bytes")                                 \
	X(REFUSAL_WRONG_TOKENS, 429, "wrong_tokens")                                               \
	X(REFUSAL_ADDRESS_STREAMS, 429, "address_streams")                                         \
	X(REFUSAL_WATCHERS, 429, "watchers")                                                       \
	X(REFUSAL_ADDRESS_JOBS, 429, "address_jobs")                                               \
	X(REFUSAL_ADDRESS_COMPUTING, 429, "address_computing_ms")                                  \
	X(REFUSAL_ADDRESS_REQUEST_BYTES, 429, "address_request_bytes")                             \
	X(REFUSAL_NETWORK, 429, "network_factor")                                                  \
	X(REFUSAL_RATE, 429, "rate-limited")                                                       \
	X(REFUSAL_CONNECTIONS, 503, "connections")                                                 \
	X(REFUSAL_ADDRESS_CONNECTIONS, 503, "address_connections")                                 \
	X(REFUSAL_NETWORK_CONNECTIONS, 503, "network_factor")                                      \
	X(REFUSAL_TLS_STREAMS, 503, "tls_streams")                                                 \
	X(REFUSAL_REQUEST_BYTES, 503, "request_bytes")                                             \
	X(REFUSAL_CACHE_BYTES, 503, "cache_bytes")                                                 \
	X(REFUSAL_QUEUE, 503, "queue")                                                             \
	X(REFUSAL_JOBS, 503, "jobs")                                                               \
	X(REFUSAL_COMPUTING, 503, "computing_ms")                                                  \
	X(REFUSAL_CONFLICT, 503, "conflict")                                                       \
	X(REFUSAL_CLIENT_LEFT, 503, "client-left")                                                 \
	X(REFUSAL_BUSY, 503, "busy")                                                               \
	X(REFUSAL_NO_TABLES, 503, "no-tables")                                                     \
	X(REFUSAL_SHUTTING_DOWN, 503, "shutting-down")                                             \
	X(REFUSAL_STORE_UNAVAILABLE, 503, "store-unavailable")                                     \
	X(REFUSAL_STORE_AWAY, 503, "store-away")                                                   \
	X(REFUSAL_OUT_OF_MEMORY, 503, "out-of-memory")                                             \
	X(REFUSAL_STORAGE_FULL, 507, "storage-full")

enum refusal {
#define REFUSAL_ROW(constant, status, reason) constant,
	REFUSAL_TABLE(REFUSAL_ROW)
#undef REFUSAL_ROW
		REFUSAL_COUNT
};

const char *refusal_reason(enum refusal refusal);
unsigned refusal_status(enum refusal refusal);

#endif
