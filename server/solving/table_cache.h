/* table_cache.h: the tables that searches read, opened once (tables.h): when first needed, or earlier by
 * table_cache_warm(). Callers wait meanwhile or give up; opening continues either way. Any thread. */
#ifndef SERVER_SOLVING_TABLE_CACHE_H
#define SERVER_SOLVING_TABLE_CACHE_H

#include <stdatomic.h>
#include <stdint.h>

#include "server/solving/tables.h"

struct table_cache;

/* `folder` has the files of tables and outlives the cache; NULL: no files. `large`: use a method's
 * largest tables in the folder, else its smallest available ones. Tables of more than `make_bytes_max`
 * are not made if there is no file. NULL if out of memory. */
MUST_USE struct table_cache *table_cache_create(const char *folder, bool large,
						size_t make_bytes_max);
/* After the last search; may be NULL. Waits for what is being opened: see table_cache_stop(). */
void table_cache_destroy(struct table_cache *table_cache);

/* Soon ends the making of tables; what is not open by then stays closed. */
void table_cache_stop(struct table_cache *table_cache);

/* Opens the tables of the default methods of sizes 2 and 3. */
void table_cache_warm(struct table_cache *table_cache);

enum table_cache_result {
	TABLE_CACHE_READY,
	TABLE_CACHE_MISSING,
	TABLE_CACHE_NO_MEMORY,
	TABLE_CACHE_NOT_YET
};

/* How long to wait for tables that are not open: until a time of the monotonic clock, or until `stop`
 * becomes true, which is checked every 20 ms. */
struct table_cache_deadline {
	uint64_t due_ns;
	const atomic_bool *stop;
};

/* How many tables are being opened now. Does not wait. */
unsigned table_cache_openings(struct table_cache *table_cache);

/* What a search by a method reads: its tables and the smallest ones of its base; NULL if it has none.
 */
struct table_cache_tables {
	const void *tables, *base;
};
/* MISSING: they are too large to be made now, and there is no good file. NOT_YET: another thread is
 * still opening them, or the cache was stopped before. `deadline` NULL: this thread opens them, or
 * waits without limit. */
MUST_USE enum table_cache_result table_cache_take(struct table_cache *table_cache,
						  const struct cube_solver *solver,
						  const struct table_cache_deadline *deadline,
						  struct table_cache_tables *tables);
/* Starts threads that open what the method needs and is not open. Does not wait. */
void table_cache_begin(struct table_cache *table_cache, const struct cube_solver *solver);
/* Whether any of its tables are being opened now. Does not wait. */
bool table_cache_opening(struct table_cache *table_cache, const struct cube_solver *solver);

/* The open tables of the method; NULL: none. Does not wait. */
const struct cube_solver_tables *table_cache_loaded(struct table_cache *table_cache,
						    const struct cube_solver *solver);

#endif
