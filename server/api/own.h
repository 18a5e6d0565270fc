/* own.h: patterns of a session's own: stored with it, found by name where a request is about it, or
 * has a token of it.
 *
 * As stored a pattern is JSON: {"size": 3, "title": "..." or null, "pattern": {...}}. It is made of
 * what a request may send but of no other pattern of one's own, so that none leads to itself. The
 * common names (cube/named.h) come first: nobody may take one, and where a later version of this
 * program has one more, it is that one. */
#ifndef SERVER_API_OWN_H
#define SERVER_API_OWN_H

#include "server/api/etag.h"
#include "server/api/pattern_in.h"
#include "server/session/hub.h"

struct receipt_answer;

#define OWN_NAME_BYTES 64

struct own_pattern {
	struct own_pattern *next;
	struct text name, title; /* title.bytes NULL: none */
	int size;
	int64_t updated_ms;
	struct input_value *value; /* on the arena, as all of it */
	struct etag_state state;
};

/* Whose patterns a request may name: the store's keys of the session that it is about, and of the
 * one whose token it has; 0: none. */
struct own_scope {
	uint64_t key[2];
};
/* With the service's lock. */
struct own_scope own_scope(const struct work *work);

/* Whether the pattern may name any that is not a common one, and there is a session to look in.
 * Quick: of a long pattern it is not known. Any thread. */
bool own_is_named(const struct work *work, const struct own_scope *scope,
		  const struct pattern_request *pattern);
/* Reads those that it names into pattern->own, for pattern_make; which are not there is told by
 * that. False with a problem where the store cannot be read. In a job of the readers. */
bool own_find(struct work *work, struct store_reader *reader, const struct own_scope *scope,
	      struct pattern_request *pattern);

/* All of one session by name (`name` NULL), or one; false as above. */
bool own_read(struct work *work, struct store_reader *reader, uint64_t key, const char *name,
	      struct own_pattern **list);

/* Enters the session of the parameter `session` and calls `entered`; without one calls it at once,
 * in no session: then work->who tells whose token was sent. Answers 400, 404 and so on instead. */
void own_enter(struct work *work, enum session_need need, void (*entered)(struct work *work));

/* What the ETag of a pattern as it is stored is made of. */
struct etag_state own_state(const struct stored_pattern *stored);

/* own_put.c: the size of cube of the pattern that is being stored. */
uint8_t pattern_put_size(const struct work *work);
/* Makes the reply that PUT had, from the body, which is parsed, and the receipt. Any thread. */
void pattern_put_again(struct work *work, const struct receipt_answer *answer);

/* Writes name, title, sizes, source, and when it was changed. */
void own_write(struct out *out, const struct own_pattern *own);

#endif
