/* problem.h: the errors that the API answers: one row each, and the only place with HTTP statuses
 * of errors. An answer is application/problem+json (RFC 9457). */
#ifndef SERVER_API_REQUEST_PROBLEM_H
#define SERVER_API_REQUEST_PROBLEM_H

#include "cube/error.h"
#include "server/api/request/refusal.h"
#include "server/api/request/request.h"
#include "server/json/writer.h"

/* constant, status, name in urn:cubed:problem:NAME, title */
#define PROBLEM_TABLE(X)                                                                           \
	X(PROBLEM_BAD_REQUEST, 400, "bad-request", "The request is invalid")                       \
	X(PROBLEM_MALFORMED_JSON, 400, "malformed-json", "The body is not valid JSON")             \
	X(PROBLEM_BAD_MEMBER, 400, "bad-member", "A member of the body is invalid")                \
	X(PROBLEM_BAD_PARAMETER, 400, "bad-parameter", "A query parameter is invalid")             \
	X(PROBLEM_TOKEN_REQUIRED, 401, "token-required", "A token is required")                    \
	X(PROBLEM_TOKEN_INVALID, 401, "token-invalid", "The token is invalid")                     \
	X(PROBLEM_ROLE_SMALL, 403, "role-too-small", "The role of the token does not allow this")  \
	X(PROBLEM_NOT_YOUR_TURN, 403, "not-your-turn", "It is another player's turn")              \
	X(PROBLEM_NOT_YOUR_ENTRY, 403, "not-your-entry", "Another actor made this entry")          \
	X(PROBLEM_HOST_NOT_ALLOWED, 403, "host-not-allowed", "The host name is not allowed")       \
	X(PROBLEM_ORIGIN_NOT_ALLOWED, 403, "origin-not-allowed", "The origin is not allowed")      \
	X(PROBLEM_NOT_FOUND, 404, "not-found", "Session or token not found")                       \
	X(PROBLEM_NO_SUCH_PATTERN, 404, "no-such-pattern", "Pattern not found")                    \
	X(PROBLEM_NO_SUCH_SET, 404, "no-such-set", "Set not found")                                \
	X(PROBLEM_NO_SUCH_CASE, 404, "no-such-case", "Case not found")                             \
	X(PROBLEM_NO_SUCH_JOB, 404, "no-such-job", "Job not found")                                \
	X(PROBLEM_NO_SUCH_SOLVE, 404, "no-such-solve", "Solve not found")                          \
	X(PROBLEM_NO_SUCH_ROUTE, 404, "no-such-route", "Path not found")                           \
	X(PROBLEM_METHOD, 405, "method-not-allowed", "Method not allowed")                         \
	X(PROBLEM_NOT_ACCEPTABLE, 406, "not-acceptable",                                           \
	  "None of the accepted media types is available")                                         \
	X(PROBLEM_STALE_REVISION, 409, "stale-revision", "The session has a newer revision")       \
	X(PROBLEM_SESSION_FULL, 409, "session-full", "The session's history is full")              \
	X(PROBLEM_NOTHING_TO_UNDO, 409, "nothing-to-undo", "There is nothing to undo or redo")     \
	X(PROBLEM_LAST_OWNER, 409, "last-owner", "A session must have an owner")                   \
	X(PROBLEM_TOKENS_FULL, 409, "tokens-full", "The session has the maximum number of tokens") \
	X(PROBLEM_NAME_TAKEN, 409, "name-taken", "A common pattern has this name")                 \
	X(PROBLEM_PATTERNS_FULL, 409, "patterns-full",                                             \
	  "The session has the maximum number of patterns")                                        \
	X(PROBLEM_SOLVES_FULL, 409, "solves-full", "The session has the maximum number of solves") \
	X(PROBLEM_GONE, 410, "gone", "The session was deleted")                                    \
	X(PROBLEM_PRECONDITION, 412, "precondition-failed", "A precondition failed")               \
	X(PROBLEM_BODY_LARGE, 413, "too-large", "The request is too large")                        \
	X(PROBLEM_URI_LONG, 414, "too-large", "The request is too large")                          \
	X(PROBLEM_MEDIA_TYPE, 415, "unsupported-media-type", "The content type is not supported")  \
	X(PROBLEM_RANGE, 416, "range-not-satisfiable", "The range is outside of the answer")       \
	X(PROBLEM_BAD_NOTATION, 422, "bad-notation", "The moves are invalid")                      \
	X(PROBLEM_BAD_PATTERN, 422, "bad-pattern", "The pattern is invalid")                       \
	X(PROBLEM_IMPOSSIBLE_CUBE, 422, "impossible-cube",                                         \
	  "The cube cannot be reached by turning")                                                 \
	X(PROBLEM_IDENTITY_UNKNOWN, 422, "identity-unknown",                                       \
	  "Centres of one colour cannot be distinguished")                                         \
	X(PROBLEM_IDEMPOTENCY, 422, "idempotency-mismatch",                                        \
	  "The Idempotency-Key was used for another body")                                         \
	X(PROBLEM_BAD_FILE, 422, "bad-file", "The file cannot be read")                            \
	X(PROBLEM_RATE, 429, "rate-limited", "Too many requests")                                  \
	X(PROBLEM_HEAD_LARGE, 431, "too-large", "The request is too large")                        \
	X(PROBLEM_INTERNAL, 500, "internal", "Internal server error")                              \
	X(PROBLEM_BUSY, 503, "busy", "The server is busy")                                         \
	X(PROBLEM_NO_TABLES, 503, "no-tables", "The server has no tables for this method")         \
	X(PROBLEM_SHUTTING_DOWN, 503, "shutting-down", "The server is shutting down")              \
	X(PROBLEM_STORE_UNAVAILABLE, 503, "store-unavailable",                                     \
	  "Changes currently cannot be stored")                                                    \
	X(PROBLEM_STORE_AWAY, 503, "store-away", "The database cannot be reached")                 \
	X(PROBLEM_STORE_DAMAGED, 503, "store-damaged", "The stored session is damaged")            \
	X(PROBLEM_OUT_OF_MEMORY, 503, "out-of-memory", "The server is out of memory")              \
	X(PROBLEM_HTTP_VERSION, 505, "http-version", "The version of HTTP is not supported")       \
	X(PROBLEM_STORAGE_FULL, 507, "storage-full", "The disk is full")

enum problem_type {
#define PROBLEM_ROW(constant, status, name, title) constant,
	PROBLEM_TABLE(PROBLEM_ROW)
#undef PROBLEM_ROW
		PROBLEM_COUNT
};

/* NAME of its URN, and its status. */
const char *problem_name(enum problem_type type);
unsigned problem_status(enum problem_type type);

/* Makes the reply a problem with this detail. The reply's previous body is dropped. */
void problem_answer(struct request *request, enum problem_type type, const char *detail);

/* Answers 401: a ticket is unknown or too old, and only a new one helps. */
void problem_ticket(struct request *request, const char *detail);

/* Answers 429: the client has the maximum number of something, and it is unknown when there will be
 * room again. */
void problem_full(struct request *request, const char *detail);

/* Says which limit was reached, for metrics and the log. Call it after the problem was answered:
 * otherwise the reason is the type of the problem. */
void problem_reason(struct request *request, enum refusal reason);

/* The same answer for every solve that the caller cannot have, whatever the reason. */
void problem_no_such_solve(struct request *request);

struct context;

/* The same about the session of a request, with the member or parameter that names it. */
void ctx_session_problem(struct context *ctx, enum problem_type type, const char *detail);

/* problem_answer() in steps, to add members: begin, the members, end. */
void problem_begin(struct request *request, enum problem_type type, struct out *out,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));
void problem_member(struct out *out, const char *key, const char *text); /* none if NULL or "" */
void problem_end(struct request *request, struct out *out);

#endif
