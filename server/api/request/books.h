/* books.h: what the service and its requests call about the recorded solves of sessions, which a module
 * has: the book of a session. Without the module, nothing happens. */
#ifndef SERVER_API_REQUEST_BOOKS_H
#define SERVER_API_REQUEST_BOOKS_H

#include <stdbool.h>
#include <stdint.h>

#include "server/util/error.h"

struct context;
struct receipt_answer;
struct service;
struct stats_cache;
struct store_reader;

struct book_calls {
	struct stats_cache *(*create)(void); /* NULL if out of memory */
	void (*destroy)(struct stats_cache *stats);
	/* Solves of the book with this key may have changed, or for 0 any solves. With the lock. */
	void (*changed)(struct stats_cache *stats, uint64_t key);
	/* Make an answer again, from its receipt and the parsed body, or from the solve as it is
	 * stored. The first on any thread, the second on a reader's. */
	void (*post_again)(struct context *ctx, const struct receipt_answer *answer);
	void (*change_again)(struct context *ctx, struct store_reader *reader,
			     const struct receipt_answer *answer);
};

/* Says how; a module does. Before the first service is created. */
void books_set(const struct book_calls *calls);

/* False if out of memory. */
MUST_USE bool books_open(struct service *service);
void books_close(struct service *service);
/* See struct book_calls; `service` is a struct service. */
void books_changed(void *service, uint64_t key);

#endif
