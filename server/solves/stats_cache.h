/* stats_cache.h: statistics of books, kept until the book changes.
 *
 * Each book has a generation, which any committed write to its solves raises. Who reads a book notes
 * the generation first, so that an answer that was overtaken by a write is never given again. Books
 * whose keys fall together share a generation; then one's write forgets the other's answers, and
 * nothing worse. A fixed number of answers is kept, each up to STATS_BYTES; a new one takes the place
 * of the one that was not asked for the longest. With the service's lock. */
#ifndef SERVER_SOLVES_STATS_CACHE_H
#define SERVER_SOLVES_STATS_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "server/util/buffer.h"
#include "server/util/error.h"

#define STATS_BYTES 3072

/* What was asked for. */
struct stats_key {
	uint64_t book;
	int64_t since_ms, until_ms;
	int size, penalty;
};

struct stats_cache;

MUST_USE struct stats_cache *stats_cache_create(void); /* NULL when memory is out */
void stats_cache_destroy(struct stats_cache *cache);

/* Solves of the book were added, changed or removed. */
void stats_cache_changed(struct stats_cache *cache, uint64_t book);
uint64_t stats_cache_generation(const struct stats_cache *cache, uint64_t book);

/* Keeps an answer that was read in that generation; nothing where it is too long or overtaken. */
void stats_cache_put(struct stats_cache *cache, const struct stats_key *key, uint64_t generation,
		     const struct buffer *answer);
/* Appends the answer; false where none is kept. */
MUST_USE bool stats_cache_get(struct stats_cache *cache, const struct stats_key *key,
			      struct buffer *answer);

#endif
