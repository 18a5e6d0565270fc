/* feed.c: solutions on their way from a search to a reader. */
#include "server/search/feed.h"

#include <stdlib.h>

#include "server/util/lock.h"
#include "server/util/monotonic.h"

/* Text that waits for its reader, before the search does. */
#define FULL_BYTES 65536
/* The time after which a waiting search looks again if it must stop. */
#define LOOK_NS 50000000u

struct solve_feed {
	struct lock lock;
	pthread_cond_t changed;
	feed_write *write;
	unsigned references;
	struct buffer text;
	bool reported; /* the reader knows that there is text */
	bool closed;
};

struct solve_feed *feed_create(feed_write *write)
{
	struct solve_feed *feed = calloc(1, sizeof *feed);
	if (!feed)
		return NULL;
	feed->write = write;
	feed->references = 1;
	if (lock_init(&feed->lock) && lock_condition_init(&feed->changed))
		return feed;
	free(feed);
	return NULL;
}

struct solve_feed *feed_share(struct solve_feed *feed)
{
	lock_acquire(&feed->lock);
	feed->references++;
	lock_release(&feed->lock);
	return feed;
}

void feed_release(struct solve_feed *feed)
{
	lock_acquire(&feed->lock);
	const bool last = --feed->references == 0;
	lock_release(&feed->lock);
	if (!last)
		return;
	buffer_free(&feed->text);
	pthread_cond_destroy(&feed->changed);
	lock_destroy(&feed->lock);
	free(feed);
}

/* ---- the search ---- */

bool feed_put(struct solve_feed *feed, int size, const struct solve_turns *found)
{
	lock_acquire(&feed->lock);
	if (!feed->closed)
		feed->write(&feed->text, size, found);
	const bool more = !feed->closed && !feed->text.failed;
	lock_release(&feed->lock);
	return more;
}

bool feed_has_news(struct solve_feed *feed)
{
	lock_acquire(&feed->lock);
	const bool news = feed->text.length > 0 && !feed->reported;
	feed->reported |= news;
	lock_release(&feed->lock);
	return news;
}

static bool is_full(const struct solve_feed *feed)
{
	return feed->text.length >= FULL_BYTES && !feed->closed;
}

bool feed_is_full(struct solve_feed *feed)
{
	lock_acquire(&feed->lock);
	const bool full = is_full(feed);
	lock_release(&feed->lock);
	return full;
}

void feed_wait(struct solve_feed *feed, const atomic_bool *stop, uint64_t due_ns)
{
	lock_acquire(&feed->lock);
	for (uint64_t now_ns; is_full(feed) && !atomic_load(stop);) {
		now_ns = monotonic_ns();
		if (now_ns >= due_ns)
			break;
		(void)lock_wait_until(&feed->lock, &feed->changed, now_ns + LOOK_NS);
	}
	lock_release(&feed->lock);
}

/* ---- the reader ---- */

void feed_take(struct solve_feed *feed, struct buffer *piece)
{
	lock_acquire(&feed->lock);
	buffer_add(piece, feed->text.bytes, feed->text.length);
	feed->text.length = 0;
	feed->reported = false;
	pthread_cond_broadcast(&feed->changed);
	lock_release(&feed->lock);
}

bool feed_holds_text(struct solve_feed *feed)
{
	lock_acquire(&feed->lock);
	const bool holds = feed->text.length > 0;
	lock_release(&feed->lock);
	return holds;
}

void feed_close(struct solve_feed *feed)
{
	lock_acquire(&feed->lock);
	feed->closed = true;
	pthread_cond_broadcast(&feed->changed);
	lock_release(&feed->lock);
}
