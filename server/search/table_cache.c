/* table_cache.c: the tables that searches read, opened once. */
#include "server/search/table_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/search/goal_cache.h"
#include "server/threads/priority.h"
#include "server/util/lock.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

#define SLOTS_MAX 64
/* The time after which a waiting thread checks its deadline again. */
#define LOOK_NS 20000000

/* A slot that is MISSING stays closed and is tried again: its file may have been made meanwhile. */
enum table_slot_state { TABLE_SLOT_CLOSED, TABLE_SLOT_OPENING, TABLE_SLOT_OPEN };

/* The tables of a method that --tables names, only the smallest, or larger ones that were asked for. */
enum table_slot_kind { TABLE_SLOT_USUAL, TABLE_SLOT_SMALLEST, TABLE_SLOT_GROWN };

struct table_slot {
	const struct cube_solver *solver;
	struct table_cache *table_cache;
	enum table_slot_kind kind;
	bool tried; /* TABLE_SLOT_GROWN: not again */
	enum table_slot_state state;
	enum table_cache_result result; /* of the last opening */
	pthread_t opener;               /* the last thread that opened it */
	bool has_opener;                /* it must be joined */
	const struct cube_solver_tables *row;
	struct tables tables;
};

struct table_cache {
	const char *folder;
	bool large;
	size_t make_bytes_max;
	size_t grow_bytes_max;
	atomic_uint grown;
	atomic_bool stop;
	struct kept_cache *goals;
	struct lock lock;
	pthread_cond_t opened;
	struct table_slot slots[SLOTS_MAX];
};

struct table_cache *table_cache_create(const char *folder, bool large, size_t make_bytes_max)
{
	struct table_cache *table_cache = calloc(1, sizeof *table_cache);
	if (!table_cache)
		return NULL;
	table_cache->folder = folder;
	table_cache->large = large;
	table_cache->make_bytes_max = make_bytes_max;
	table_cache->goals = goal_cache_create(GOAL_CACHE_BYTES);
	if (!table_cache->goals || !lock_init(&table_cache->lock) ||
	    !lock_condition_init(&table_cache->opened)) {
		kept_cache_destroy(table_cache->goals);
		free(table_cache);
		return NULL;
	}
	return table_cache;
}

void table_cache_destroy(struct table_cache *table_cache)
{
	if (!table_cache)
		return;
	for (size_t i = 0; i < SLOTS_MAX; i++) {
		if (table_cache->slots[i].has_opener)
			pthread_join(table_cache->slots[i].opener, NULL);
		if (table_cache->slots[i].state == TABLE_SLOT_OPEN)
			tables_close(&table_cache->slots[i].tables);
	}
	kept_cache_destroy(table_cache->goals);
	pthread_cond_destroy(&table_cache->opened);
	lock_destroy(&table_cache->lock);
	free(table_cache);
}

void table_cache_stop(struct table_cache *table_cache)
{
	atomic_store(&table_cache->stop, true);
}

/* With the lock. There are more slots than three for each method of the library (kinds). */
static struct table_slot *table_slot_of(struct table_cache *table_cache,
					const struct cube_solver *solver, enum table_slot_kind kind)
{
	lock_assert_held(&table_cache->lock);
	/* The same as the smallest, if large ones are not wanted and the first can be made. */
	if (kind == TABLE_SLOT_USUAL && !table_cache->large && solver->table_count > 0 &&
	    solver->tables[0].bytes <= table_cache->make_bytes_max)
		kind = TABLE_SLOT_SMALLEST;
	for (size_t i = 0; i < SLOTS_MAX; i++) {
		struct table_slot *table_slot = &table_cache->slots[i];
		if (!table_slot->solver)
			*table_slot = (struct table_slot){
				.solver = solver, .table_cache = table_cache, .kind = kind};
		if (table_slot->solver == solver && table_slot->kind == kind)
			return table_slot;
	}
	abort();
}

/* ---- opening; without the lock, by the thread that set OPENING ---- */

static void log_opened(const struct table_slot *table_slot, enum tables_result result,
		       uint64_t began_ns)
{
	char name[TABLES_NAME_BYTES];
	tables_name(name, (struct tables_id){table_slot->solver, table_slot->row});
	if (table_slot->tables.error.text[0])
		log_event(LOG_WARNING, "tables could not be used", LOG_TEXT("tables", name),
			  LOG_TEXT("problem", table_slot->tables.error.text));
	if (table_slot->tables.memory)
		log_event(LOG_INFO, result == TABLES_READ ? "tables read" : "tables made",
			  LOG_TEXT("tables", name), LOG_NUMBER("bytes", table_slot->tables.bytes),
			  LOG_NUMBER("ms", (monotonic_ns() - began_ns) / 1000000u));
}

static enum tables_result open_row(const struct table_cache *table_cache,
				   struct table_slot *table_slot, size_t row, size_t make_bytes_max)
{
	const uint64_t began_ns = monotonic_ns();
	const struct tables_source source = {.folder = table_cache->folder,
					     .make_bytes_max = make_bytes_max,
					     .threads = table_slot->kind == TABLE_SLOT_GROWN,
					     .stop = &table_cache->stop};
	if (table_slot->row != &table_slot->solver->tables[row]) /* else others may read it */
		table_slot->row = &table_slot->solver->tables[row];
	enum tables_result result =
		tables_open(&table_slot->tables,
			    (struct tables_id){table_slot->solver, table_slot->row}, &source);
	log_opened(table_slot, result, began_ns);
	return result;
}

static enum table_cache_result open_slot(const struct table_cache *table_cache,
					 struct table_slot *table_slot)
{
	const size_t count =
		table_slot->kind == TABLE_SLOT_SMALLEST ? 1 : table_slot->solver->table_count;
	enum tables_result result = TABLES_NONE;
	if (atomic_load(&table_cache->stop))
		return TABLE_CACHE_NOT_YET;
	if (table_slot->kind == TABLE_SLOT_GROWN)
		result = open_row(table_cache, table_slot,
				  (size_t)(table_slot->row - table_slot->solver->tables),
				  table_cache->grow_bytes_max);
	/* Large ones are only read; the smallest are made if there is no file. */
	else if (table_cache->large && table_cache->folder)
		for (size_t row = count; row-- > 0 && result == TABLES_NONE;)
			result = open_row(table_cache, table_slot, row,
					  row > 0 ? 0 : table_cache->make_bytes_max);
	else
		for (size_t row = 0; row < count && result == TABLES_NONE; row++)
			result =
				open_row(table_cache, table_slot, row, table_cache->make_bytes_max);
	if (table_slot->tables.memory)
		return TABLE_CACHE_READY;
	return result == TABLES_FAILED ? TABLE_CACHE_NO_MEMORY : TABLE_CACHE_MISSING;
}

/* Without the lock. */
static void open_now(struct table_slot *table_slot)
{
	struct table_cache *table_cache = table_slot->table_cache;
	enum table_cache_result result = open_slot(table_cache, table_slot);
	lock_acquire(&table_cache->lock);
	table_slot->result = result;
	table_slot->state = result == TABLE_CACHE_READY ? TABLE_SLOT_OPEN : TABLE_SLOT_CLOSED;
	if (table_slot->kind == TABLE_SLOT_GROWN && result == TABLE_CACHE_READY)
		atomic_fetch_add(&table_cache->grown, 1);
	pthread_cond_broadcast(&table_cache->opened);
	lock_release(&table_cache->lock);
}

static void *opener_main(void *argument)
{
	const struct table_slot *table_slot = argument;
	if (table_slot->kind == TABLE_SLOT_GROWN)
		priority_lower_by_half();
	else
		priority_lower();
	open_now(argument);
	return NULL;
}

/* With the lock. False if no thread could be created. */
static bool begin_aside(struct table_slot *table_slot)
{
	lock_assert_held(&table_slot->table_cache->lock);
	if (table_slot->has_opener)
		pthread_join(table_slot->opener, NULL); /* it has ended or is about to */
	table_slot->has_opener =
		pthread_create(&table_slot->opener, NULL, opener_main, table_slot) == 0;
	table_slot->state = table_slot->has_opener ? TABLE_SLOT_OPENING : TABLE_SLOT_CLOSED;
	return table_slot->has_opener;
}

/* With the lock, which is released meanwhile. */
static void begin_here(struct table_cache *table_cache, struct table_slot *table_slot)
{
	lock_assert_held(&table_cache->lock);
	table_slot->state = TABLE_SLOT_OPENING;
	lock_release(&table_cache->lock);
	open_now(table_slot);
	lock_acquire(&table_cache->lock);
}

/* With the lock. False: the deadline has passed. */
static bool go_on_waiting(struct table_cache *table_cache,
			  const struct table_cache_deadline *deadline)
{
	lock_assert_held(&table_cache->lock);
	if (!deadline) {
		lock_wait(&table_cache->lock, &table_cache->opened);
		return true;
	}
	const uint64_t now_ns = monotonic_ns();
	if (now_ns >= deadline->due_ns || atomic_load(deadline->stop))
		return false;
	const uint64_t until_ns =
		deadline->due_ns - now_ns < LOOK_NS ? deadline->due_ns : now_ns + LOOK_NS;
	lock_wait_until(&table_cache->lock, &table_cache->opened, until_ns);
	return true;
}

static enum table_cache_result tables_of(struct table_cache *table_cache,
					 const struct cube_solver *solver,
					 enum table_slot_kind kind,
					 const struct table_cache_deadline *deadline,
					 struct table_slot **taken)
{
	enum table_cache_result result;
	*taken = NULL;
	if (solver->table_count == 0)
		return TABLE_CACHE_READY;
	lock_acquire(&table_cache->lock);
	struct table_slot *table_slot = table_slot_of(table_cache, solver, kind);
	if (table_slot->state == TABLE_SLOT_CLOSED && (!deadline || !begin_aside(table_slot)))
		begin_here(table_cache, table_slot);
	while (table_slot->state == TABLE_SLOT_OPENING && go_on_waiting(table_cache, deadline))
		;
	result = table_slot->state == TABLE_SLOT_OPENING ? TABLE_CACHE_NOT_YET : table_slot->result;
	if (result == TABLE_CACHE_READY)
		*taken = table_slot;
	lock_release(&table_cache->lock);
	return result;
}

/* With the lock. The slot whose tables are open and largest; NULL: none. */
static const struct table_slot *open_slot_of(struct table_cache *table_cache,
					     const struct cube_solver *solver)
{
	static const enum table_slot_kind kinds[] = {TABLE_SLOT_GROWN, TABLE_SLOT_USUAL};
	lock_assert_held(&table_cache->lock);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const struct table_slot *slot = table_slot_of(table_cache, solver, kinds[i]);
		if (slot->state == TABLE_SLOT_OPEN)
			return slot;
	}
	return NULL;
}

enum table_cache_result table_cache_take(struct table_cache *table_cache,
					 const struct cube_solver *solver,
					 const struct table_cache_deadline *deadline,
					 struct table_cache_tables *tables)
{
	struct table_slot *base = NULL, *usual = NULL;
	*tables = (struct table_cache_tables){NULL, NULL, NULL};
	enum table_cache_result result = TABLE_CACHE_READY;
	if (solver->base)
		result = tables_of(table_cache, solver->base, TABLE_SLOT_SMALLEST, deadline, &base);
	if (result == TABLE_CACHE_READY)
		result = tables_of(table_cache, solver, TABLE_SLOT_USUAL, deadline, &usual);
	if (base)
		tables->base = base->tables.memory;
	if (!usual)
		return result;
	lock_acquire(&table_cache->lock);
	const struct table_slot *best = open_slot_of(table_cache, solver);
	tables->tables = best->tables.memory;
	tables->row = best->row;
	lock_release(&table_cache->lock);
	return result;
}

/* The slots of a method's base and of the method; NULL if it has no tables. With the lock. */
struct needed {
	struct table_slot *table_slot[2];
};
static struct needed needed_by(struct table_cache *table_cache, const struct cube_solver *solver)
{
	lock_assert_held(&table_cache->lock);
	const struct cube_solver *base = solver->base;
	return (struct needed){{base && base->table_count > 0
					? table_slot_of(table_cache, base, TABLE_SLOT_SMALLEST)
					: NULL,
				solver->table_count > 0
					? table_slot_of(table_cache, solver, TABLE_SLOT_USUAL)
					: NULL}};
}

void table_cache_begin(struct table_cache *table_cache, const struct cube_solver *solver)
{
	lock_acquire(&table_cache->lock);
	const struct needed needed = needed_by(table_cache, solver);
	for (size_t i = 0; i < 2; i++)
		if (needed.table_slot[i] && needed.table_slot[i]->state == TABLE_SLOT_CLOSED)
			begin_aside(needed.table_slot[i]);
	lock_release(&table_cache->lock);
}

bool table_cache_opening(struct table_cache *table_cache, const struct cube_solver *solver)
{
	bool opening = false;
	lock_acquire(&table_cache->lock);
	const struct needed needed = needed_by(table_cache, solver);
	for (size_t i = 0; i < 2; i++)
		opening |=
			needed.table_slot[i] && needed.table_slot[i]->state == TABLE_SLOT_OPENING;
	lock_release(&table_cache->lock);
	return opening;
}

const struct cube_solver_tables *table_cache_loaded(struct table_cache *table_cache,
						    const struct cube_solver *solver)
{
	lock_acquire(&table_cache->lock);
	const struct table_slot *table_slot = open_slot_of(table_cache, solver);
	const struct cube_solver_tables *row = table_slot ? table_slot->row : NULL;
	lock_release(&table_cache->lock);
	return row;
}

/* ---- growing ---- */

void table_cache_set_grow_max(struct table_cache *table_cache, size_t bytes)
{
	table_cache->grow_bytes_max = bytes;
}

/* With the lock. The largest tables that may be opened; NULL: none that are larger than the open ones. */
static const struct cube_solver_tables *row_to_grow(struct table_cache *table_cache,
						    const struct cube_solver *solver)
{
	const struct table_slot *open = open_slot_of(table_cache, solver);
	if (!solver->optimal || !open)
		return NULL;
	for (size_t row = solver->table_count; row-- > 0 && &solver->tables[row] != open->row;)
		if (solver->tables[row].bytes <= table_cache->grow_bytes_max)
			return &solver->tables[row];
	return NULL;
}

void table_cache_grow(struct table_cache *table_cache, const struct cube_solver *solver)
{
	if (solver->table_count < 2 || table_cache->grow_bytes_max == 0 ||
	    atomic_load(&table_cache->stop))
		return;
	lock_acquire(&table_cache->lock);
	struct table_slot *table_slot = table_slot_of(table_cache, solver, TABLE_SLOT_GROWN);
	const struct cube_solver_tables *row =
		table_slot->tried ? NULL : row_to_grow(table_cache, solver);
	if (row) {
		table_slot->tried = true;
		table_slot->row = row;
		begin_aside(table_slot);
	}
	lock_release(&table_cache->lock);
}

unsigned table_cache_grown(const struct table_cache *table_cache)
{
	return atomic_load_explicit(&table_cache->grown, memory_order_relaxed);
}

const struct cube_solver_tables *table_cache_growing(struct table_cache *table_cache,
						     const struct cube_solver *solver)
{
	lock_acquire(&table_cache->lock);
	const struct table_slot *table_slot = table_slot_of(table_cache, solver, TABLE_SLOT_GROWN);
	const struct cube_solver_tables *row =
		table_slot->state == TABLE_SLOT_OPENING ? table_slot->row : NULL;
	lock_release(&table_cache->lock);
	return row;
}

struct kept_cache *table_cache_goals(struct table_cache *table_cache)
{
	return table_cache->goals;
}

size_t table_cache_bytes(struct table_cache *table_cache)
{
	size_t bytes = kept_cache_count(table_cache->goals).bytes;
	lock_acquire(&table_cache->lock);
	for (size_t i = 0; i < SLOTS_MAX; i++)
		if (table_cache->slots[i].state == TABLE_SLOT_OPEN)
			bytes += table_cache->slots[i].tables.bytes;
	lock_release(&table_cache->lock);
	return bytes;
}

/* ---- the whole ---- */

unsigned table_cache_openings(struct table_cache *table_cache)
{
	unsigned count = 0;
	lock_acquire(&table_cache->lock);
	for (size_t i = 0; i < SLOTS_MAX; i++)
		count += table_cache->slots[i].state == TABLE_SLOT_OPENING;
	lock_release(&table_cache->lock);
	return count;
}

void table_cache_warm(struct table_cache *table_cache)
{
	for (int size = 3; size >= CUBE_SIZE_MIN; size--) {
		const struct cube_solver *solver = cube_solver_default(size);
		struct table_cache_tables tables;
		if (solver &&
		    table_cache_take(table_cache, solver, NULL, &tables) != TABLE_CACHE_READY &&
		    !atomic_load(&table_cache->stop))
			log_event(LOG_WARNING, "a method has no tables",
				  LOG_TEXT("method", solver->name));
	}
}
