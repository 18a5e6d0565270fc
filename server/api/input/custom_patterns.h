/* custom_patterns.h: own patterns of a session: stored with it, and found by name if a request is
 * about it or has a token of it.
 *
 * A stored pattern is JSON: {"size": 3, "title": "..." or null, "pattern": {...}}. It cannot refer
 * to own patterns, so that none leads to itself. The names of common patterns (cube/named.h) come
 * first: they cannot be used, and a common name added by a later version hides an own one. */
#ifndef SERVER_API_INPUT_CUSTOM_PATTERNS_H
#define SERVER_API_INPUT_CUSTOM_PATTERNS_H

#include "server/api/input/pattern.h"
#include "server/api/steps/etag.h"
#include "server/session/session_cache.h"
#include "server/util/error.h"

struct receipt_answer;

#define CUSTOM_PATTERN_NAME_BYTES 64

struct custom_pattern {
	struct custom_pattern *next;
	struct text name, title; /* title.bytes NULL: none */
	int size;
	int64_t updated_ms;
	struct json_value *value; /* on the arena, as everything here */
	struct etag_state state;
};

/* The sessions whose own patterns a request may name, as keys of the store: the session it is
 * about, and that of its token; 0: none. */
struct custom_pattern_scope {
	uint64_t key[2];
};
/* With the lock. */
struct custom_pattern_scope custom_pattern_scope(const struct context *ctx);

/* Returns true if the pattern may name an own pattern, and there is a session to look in. Cheap:
 * true for a long body without looking. Any thread. */
MUST_USE bool custom_pattern_is_named(const struct context *ctx,
				      const struct custom_pattern_scope *scope,
				      const struct pattern_request *pattern);
/* Reads the own patterns that it names into pattern->own; pattern_make reports names that do not
 * exist. False with a problem if the store cannot be read. On a reader's thread. */
bool custom_pattern_find(struct context *ctx, struct store_reader *reader,
			 const struct custom_pattern_scope *scope, struct pattern_request *pattern);

/* All own patterns of one session, or the one called `name`; false as above. */
bool custom_pattern_read(struct context *ctx, struct store_reader *reader, uint64_t key,
			 const char *name, struct custom_pattern **list);

/* Enters the session of the parameter `session` and calls `entered`; without the parameter calls it
 * at once, in no session: ctx->who then has the session of the token. Otherwise answers 400, 404
 * and so on. */
void custom_pattern_enter(struct context *ctx, enum session_need need,
			  void (*entered)(struct context *ctx));

/* The state for the ETag of a stored pattern. */
struct etag_state custom_pattern_state(const struct stored_pattern *stored);

/* Writes name, title, sizes, layer, source, and when it was changed. */
void custom_pattern_write(struct out *out, const struct custom_pattern *own);

#endif
