/* receipt.h: what is stored of an answer so that a retry gets the same bytes.
 *
 * A receipt has no body that can be made again. For an answer with an entry or a session it has
 * what the store does not: the revision, the query with the view, and what later changes overwrite.
 * The rest is read from the history, which never changes. A body of at most RECEIPT_BODY_MAX bytes
 * is kept as it is; a longer one (a pattern, a solve) is made again from the body of the retry,
 * which is the same as that of the first request.
 *
 * Layout, before sealing. Texts end with a NUL; numbers are varints (util/varint.h), negative ones
 * as two's complement of 64 bits.
 *
 *     2 bytes   status, high byte first; 0x80 in the first: a token follows the texts;
 *               0x40: version 2
 *     texts     Content-Type, Location, ETag, Link, and the token if there is one
 *   version 1 (older releases):
 *     rest      the body
 *   version 2:
 *     1 byte    enum receipt_kind; 0x80: the request itself created the session
 *     10 bytes  id of the session
 *     RECEIPT_BODY          rest: the body
 *     RECEIPT_ENTRY         revision; 1 + the revision it was rebased from, 0 for none; 1 if
 *                           the answer has notes on the moves, which are made again from the body
 *                           of the retry, plus 2 if it has no cube because the request preferred
 *                           that; rest: the query
 *     RECEIPT_SESSION       revision; enum cube_known, plus 4 if it has no cube because the request
 *                           preferred that; access, plus 4 if listed; policy; updated_at in ms;
 *                           name (text); rest: the query
 *     RECEIPT_PATTERN       size; updated_at in ms
 *     RECEIPT_SOLVE         size; actor; created_at in ms; 10 bytes: id of the solve
 *     RECEIPT_SOLVE_CHANGE  clock; assisted, 0 or 1; time_ms; penalty_ms
 *
 * A sealed receipt takes at most RECEIPT_BYTES more than the request's target, or RECEIPT_BYTES +
 * RECEIPT_BODY_MAX if it has a body. */
#ifndef SERVER_API_STEPS_RECEIPT_H
#define SERVER_API_STEPS_RECEIPT_H

#include "server/api/request/context.h"
#include "server/format/cube_out.h"
#include "server/store/session_id.h"
#include "server/util/error.h"

#define RECEIPT_BODY_MAX 16384
#define RECEIPT_BYTES 1024

enum receipt_kind {
	RECEIPT_BODY,
	RECEIPT_ENTRY,
	RECEIPT_SESSION,
	RECEIPT_PATTERN,
	RECEIPT_SOLVE,
	RECEIPT_SOLVE_CHANGE,
	RECEIPT_KINDS
};

#define RECEIPT_NO_REBASE UINT64_MAX

/* A receipt being read or written. Its texts belong to the bytes it was read from, or to the
 * context. Only the members of its kind are used. */
struct receipt_answer {
	bool bare; /* of version 1: no kind, no session */
	unsigned status;
	const char *content_type, *location, *etag, *link, *token; /* NULL for none */
	uint8_t kind;
	bool created; /* the request created the session */
	struct session_id session;
	bool listed;
	bool minimal; /* Prefer: return=minimal */
	uint64_t revision;
	uint64_t rebased_from; /* or RECEIPT_NO_REBASE */
	uint64_t noted;        /* 0 or 1 */
	uint64_t known, access, policy, size, actor, clock, assisted;
	uint64_t updated_ms, created_ms, time_ms, penalty_ms;
	uint8_t solve[SESSION_ID_BYTES];
	const char *name;
	struct text rest; /* the body or the query; no NUL follows it */
};

void receipt_write(struct receipt_answer *answer, struct buffer *to);
/* False if the bytes are not a receipt. */
MUST_USE bool receipt_read(const char *bytes, size_t length, struct receipt_answer *answer);

/* Fills in what to keep of the context's complete reply and of ctx->visit.write, which is about to
 * be submitted. `token`: the one in the answer; NULL: none. With the lock. */
void receipt_of(const struct context *ctx, const char *token, struct receipt_answer *answer);

#endif
