/* table_cache.h: the tables that searches read, opened once (tables.h): when first needed, or earlier by
 * table_cache_warm(). Callers wait meanwhile or give up; opening continues either way. Any thread.
 *
 * Methods that prove shortest solutions grow: a search that takes long asks for larger tables
 * (table_cache_grow), which one thread of low priority reads or makes in the background, as large as
 * a limit of memory allows. Searches go on with the others until then. All tables stay in memory
 * until the end. */
#ifndef SERVER_SEARCH_TABLE_CACHE_H
#define SERVER_SEARCH_TABLE_CACHE_H

#include <stdatomic.h>
#include <stdint.h>

#include "server/search/tables.h"

struct table_cache;
struct kept_cache; /* goal_cache.h */

/* `folder` has the files of tables and outlives the cache; NULL: no files. `large`: use a method's
 * largest tables in the folder, else its smallest available ones. Tables of more than `make_bytes_max`
 * are not made if there is no file. NULL if out of memory. */
MUST_USE struct table_cache *table_cache_create(const char *folder, bool large,
						size_t make_bytes_max);
/* Before the first search: larger tables of a method may take this memory; 0 (also the default): none. */
void table_cache_set_grow_max(struct table_cache *table_cache, size_t bytes);
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

/* The time to wait for tables that are not open: until a time of the monotonic clock, or until
 * `stop` becomes true, which is checked every 20 ms. */
struct table_cache_deadline {
	uint64_t due_ns;
	const atomic_bool *stop;
};

/* Returns the number of tables that are being opened now. Does not wait. */
unsigned table_cache_openings(struct table_cache *table_cache);

/* The tables that a search by a method reads: its own and the smallest ones of its base; NULL if it
 * has none. */
struct table_cache_tables {
	const void *tables, *base;
	const struct cube_solver_tables *row; /* of `tables` */
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
/* Returns true if any of its tables are being opened now. Does not wait. */
bool table_cache_opening(struct table_cache *table_cache, const struct cube_solver *solver);

/* Begins to open the largest tables of the method for which there is memory, unless as large ones are
 * open or it was tried. Does not wait. */
void table_cache_grow(struct table_cache *table_cache, const struct cube_solver *solver);
/* Returns how often larger tables were opened. Takes no lock. */
unsigned table_cache_grown(const struct table_cache *table_cache);
/* The tables that table_cache_grow() is opening; NULL: none. Does not wait. */
const struct cube_solver_tables *table_cache_growing(struct table_cache *table_cache,
						     const struct cube_solver *solver);
/* The tables of goals, which are made for requests and kept. */
struct kept_cache *table_cache_goals(struct table_cache *table_cache);
/* Memory of all open tables, those of goals included. Does not wait. */
size_t table_cache_bytes(struct table_cache *table_cache);

/* The open tables of the method, the largest; NULL: none. Does not wait. */
const struct cube_solver_tables *table_cache_loaded(struct table_cache *table_cache,
						    const struct cube_solver *solver);

#endif
