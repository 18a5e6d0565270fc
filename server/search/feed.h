/* feed.h: solutions on their way from a search to a reader, in the order in which they are found. Any
 * thread; the feed has a lock of its own. If the reader is slow, the search waits without a slot
 * (search.c). */
#ifndef SERVER_SEARCH_FEED_H
#define SERVER_SEARCH_FEED_H

#include <stdatomic.h>

#include "server/util/buffer.h"
#include "server/util/error.h"

struct solve_feed;
struct solve_turns; /* answer.h */

/* Appends a solution as text. */
typedef void feed_write(struct buffer *text, int size, const struct solve_turns *found);

/* With one reference; NULL: out of memory. */
MUST_USE struct solve_feed *feed_create(feed_write *write);
MUST_USE struct solve_feed *feed_share(struct solve_feed *feed);
void feed_release(struct solve_feed *feed);

/* ---- the search ---- */

/* False: nothing more is read, or out of memory. */
MUST_USE bool feed_put(struct solve_feed *feed, int size, const struct solve_turns *found);
/* Returns true if there is text that was not reported yet; it is reported by this. */
MUST_USE bool feed_has_news(struct solve_feed *feed);
MUST_USE bool feed_is_full(struct solve_feed *feed);
/* Waits until it is not, or `stop`, or the monotonic clock has reached `due_ns`. */
void feed_wait(struct solve_feed *feed, const atomic_bool *stop, uint64_t due_ns);

/* ---- the reader ---- */

/* Appends what has been found since the last call. */
void feed_take(struct solve_feed *feed, struct buffer *piece);
MUST_USE bool feed_holds_text(struct solve_feed *feed);
/* Nothing more is read. */
void feed_close(struct solve_feed *feed);

#endif
