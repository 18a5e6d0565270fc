/* custom_patterns.h: patterns of a session's own: stored with it, found by name where a request is about it, or
 * has a token of it.
 *
 * As stored a pattern is JSON: {"size": 3, "title": "..." or null, "pattern": {...}}. It is made of
 * what a request may send but of no other pattern of one's own, so that none leads to itself. The
 * common names (cube/named.h) come first: nobody may take one, and where a later version of this
 * program has one more, it is that one. */
#ifndef SERVER_API_INPUT_CUSTOM_PATTERNS_H
#define SERVER_API_INPUT_CUSTOM_PATTERNS_H

#include "server/api/input/pattern.h"
#include "server/api/steps/etag.h"
#include "server/session/session_cache.h"

struct receipt_answer;

#define CUSTOM_PATTERN_NAME_BYTES 64

struct custom_pattern {
	struct custom_pattern *next;
	struct text name, title; /* title.bytes NULL: none */
	int size;
	int64_t updated_ms;
	struct json_value *value; /* on the arena, as all of it */
	struct etag_state state;
};

/* Whose patterns a request may name: the store's keys of the session that it is about, and of the
 * one whose token it has; 0: none. */
struct custom_pattern_scope {
	uint64_t key[2];
};
/* With the service's lock. */
struct custom_pattern_scope custom_pattern_scope(const struct context *ctx);

/* Whether the pattern may name any that is not a common one, and there is a session to look in.
 * Quick: of a long pattern it is not known. Any thread. */
bool custom_pattern_is_named(const struct context *ctx, const struct custom_pattern_scope *scope,
			     const struct pattern_request *pattern);
/* Reads those that it names into pattern->own, for pattern_make; which are not there is told by
 * that. False with a problem where the store cannot be read. In a job of the readers. */
bool custom_pattern_find(struct context *ctx, struct store_reader *reader,
			 const struct custom_pattern_scope *scope, struct pattern_request *pattern);

/* All of one session by name (`name` NULL), or one; false as above. */
bool custom_pattern_read(struct context *ctx, struct store_reader *reader, uint64_t key,
			 const char *name, struct custom_pattern **list);

/* Enters the session of the parameter `session` and calls `entered`; without one calls it at once,
 * in no session: then ctx->who tells whose token was sent. Answers 400, 404 and so on instead. */
void custom_pattern_enter(struct context *ctx, enum session_need need,
			  void (*entered)(struct context *ctx));

/* What the ETag of a pattern as it is stored is made of. */
struct etag_state custom_pattern_state(const struct stored_pattern *stored);

/* Writes name, title, sizes, source, and when it was changed. */
void custom_pattern_write(struct out *out, const struct custom_pattern *own);

#endif
