/* table_cache.h: the tables that searches read: opened once (tables.h), when they are asked for first or
 * before by table_cache_warm(). Callers wait meanwhile, or give up: the tables are made all the same. Any
 * thread. */
#ifndef SERVER_SOLVING_TABLE_CACHE_H
#define SERVER_SOLVING_TABLE_CACHE_H

#include <stdatomic.h>
#include <stdint.h>

#include "server/solving/tables.h"

struct table_cache;

/* `folder`: of files of tables; NULL: none. `large`: of a method the largest that are in the folder
 * are taken, else the smallest that can be had. Both live as long as the table cache. NULL when memory is
 * out. Tables of more than
 * `make_bytes_max` are not made where there is no file. */
MUST_USE struct table_cache *table_cache_create(const char *folder, bool large,
						size_t make_bytes_max);
/* NULL is fine; with no search under way. Waits for what is being opened: see table_cache_stop. */
void table_cache_destroy(struct table_cache *table_cache);

/* Ends the making of tables soon; what is not open then stays closed. */
void table_cache_stop(struct table_cache *table_cache);

/* Opens what the usual methods of small cubes need, so that nobody waits for it later. */
void table_cache_warm(struct table_cache *table_cache);

enum table_cache_result {
	TABLE_CACHE_READY,
	TABLE_CACHE_MISSING,
	TABLE_CACHE_NO_MEMORY,
	TABLE_CACHE_NOT_YET
};

/* How long is waited for tables that are not open: until a time of the monotonic clock, or until
 * `stop` becomes true, which is looked at every 20 ms. */
struct table_cache_deadline {
	uint64_t due_ns;
	const atomic_bool *stop;
};

/* How many tables are being opened now, by whatever thread. Does not wait. */
unsigned table_cache_openings(struct table_cache *table_cache);

/* What a search by this method takes: its tables and the smallest ones of its base, NULL where it
 * has none. */
struct table_cache_tables {
	const void *tables, *base;
};
/* MISSING: they are too large to be made now, and there is no good file. NOT_YET: they are being
 * opened, by a thread of their own, or the table cache was stopped before. Without patience (NULL) this one opens them, or waits. */
MUST_USE enum table_cache_result table_cache_take(struct table_cache *table_cache,
						  const struct cube_solver *solver,
						  const struct table_cache_deadline *deadline,
						  struct table_cache_tables *tables);
/* Has what the method needs and is not open be opened by threads of their own. Does not wait. */
void table_cache_begin(struct table_cache *table_cache, const struct cube_solver *solver);
/* Whether that is being done now. Does not wait. */
bool table_cache_opening(struct table_cache *table_cache, const struct cube_solver *solver);

/* The tables of the method that are open now; NULL: none. Does not wait. */
const struct cube_solver_tables *table_cache_loaded(struct table_cache *table_cache,
						    const struct cube_solver *solver);

#endif
