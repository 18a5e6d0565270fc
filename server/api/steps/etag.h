/* etag.h: the ETags of stored things, and preconditions on them.
 *
 *     "17-5e3b01c9aa42.7d0c11f2"    a session, or what is read of it
 *     "5e3b01c9aa42"                a thing with one representation
 *
 * Before the point is the state: a hash of everything stored and shown, for a session after its
 * revision. After the point is the view: a hash of what decides how the state is written (route,
 * media type, query). If-Match, and If-None-Match of a change, compare states only: a client may
 * read one representation and write with its ETag. If-None-Match of GET and HEAD compares the whole
 * ETag. ETags are not stored: the same state has the same ETag after a restart. */
#ifndef SERVER_API_STEPS_ETAG_H
#define SERVER_API_STEPS_ETAG_H

#include "server/access/token.h"
#include "server/api/request/context.h"
#include "server/format/cube_out.h"
#include "server/util/error.h"

/* ---- states ---- */

struct etag_state {
	char text[24];
	size_t length;
};

/* Add to a hash that begins as 0. */
uint64_t etag_add(uint64_t hash, const void *bytes, size_t length);
uint64_t etag_add_number(uint64_t hash, uint64_t number);
/* With its length; NULL differs from "". */
uint64_t etag_add_text(uint64_t hash, const char *text);
/* Returns the hash of the names in a roster, which answers show but which are not a part of any
 * state. */
uint64_t etag_of_names(const struct roster *roster);

/* The state of a thing, after all its shown members were added. */
struct etag_state etag_of_hash(uint64_t hash);
/* A hash of what a session is apart from its history; and the session's state. */
uint64_t etag_about(const struct session_meta *meta);
struct etag_state etag_of_session(uint64_t about, const struct history *history);

/* ---- replies ---- */

/* The representations of a session. */
enum etag_kind {
	ETAG_SESSION,
	ETAG_NEW_SESSION,
	ETAG_CUBE,
	ETAG_WRITE,
	ETAG_HISTORY,
	ETAG_PROBLEM
};

/* Sets the reply's ETag. `view`: NULL if the representation has no cube; `more`: what else it
 * depends on, such as a revision in the query. Any thread. */
void etag_reply_session(struct context *ctx, const struct etag_state *state, enum etag_kind kind,
			const struct answer_view *view, uint64_t more);
/* The same for a thing with one representation. */
void etag_reply(struct context *ctx, const struct etag_state *state);
/* The same with a form: a hash of what the answer shows beside its state; 0: none. */
void etag_reply_form(struct context *ctx, const struct etag_state *state, uint64_t form);

/* Call it after that, before the body is written: true if the client already has this
 * representation. The reply is then a 304. */
MUST_USE bool etag_unchanged(struct context *ctx);

/* The ETag of the same representation compressed: ETAG_GZIP before its last quote. If-None-Match
 * matches it only if the client accepts gzip; If-Match always. */
MUST_USE bool etag_mark_gzip(struct context *ctx); /* false: out of memory, nothing was done */
#define ETAG_GZIP "-gz"

/* ---- preconditions of changes ---- */

/* Returns true if the request has a precondition. */
MUST_USE bool etag_asked(const struct context *ctx);

enum etag_verdict { ETAG_FITS, ETAG_IF_MATCH_FAILS, ETAG_IF_NONE_MATCH_FAILS };

/* Compares If-Match and If-None-Match with the thing's state; NULL: it does not exist. */
enum etag_verdict etag_judge(const struct context *ctx, const struct etag_state *state);
/* The newest revision among the ETags of If-Match; -1: there is none. */
int64_t etag_revision_seen(const struct context *ctx);

/* For things other than sessions: false, with the reply 412, if the precondition fails. */
MUST_USE bool etag_allows(struct context *ctx, const struct etag_state *state);

#endif
