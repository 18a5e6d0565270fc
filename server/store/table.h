/* table.h: a hash table of things that hold a link; it never fails once it was made. */
#ifndef SERVER_STORE_TABLE_H
#define SERVER_STORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Part of what is kept; as its first member, so that a link is cast back. */
struct link {
	struct link *next;
	uint64_t hash;
};

struct table {
	struct link **buckets;
	size_t size, count; /* size is a power of two */
};

/* False when memory is out. */
bool table_init(struct table *table);
void table_finish(struct table *table);

/* Grows if memory allows; where it does not, the table gets slower, not full. */
void table_add(struct table *table, struct link *link, uint64_t hash);
void table_remove(struct table *table, struct link *link);
/* Asks the processor for the bucket's first link, which table_first will soon look at. */
void table_expect(const struct table *table, uint64_t hash);
/* The links with that hash, one after another; NULL after the last. */
struct link *table_first(const struct table *table, uint64_t hash);
struct link *table_next(const struct link *link);

#endif
