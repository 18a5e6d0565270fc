/* table_cache.c: the tables that searches read, opened once. */
#include "server/solving/table_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "server/util/lock.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"

#define SLOTS_MAX 64
/* As of nice(1): turning cubes has priority. */
#define PRIORITY 10
/* How often a waiting thread checks its deadline. */
#define LOOK_NS 20000000

/* A slot that is MISSING stays closed and is tried again: its file may have been made meanwhile. */
enum table_slot_state { TABLE_SLOT_CLOSED, TABLE_SLOT_OPENING, TABLE_SLOT_OPEN };

struct table_slot {
	const struct cube_solver *solver;
	struct table_cache *table_cache;
	bool smallest; /* only the smallest tables */
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
	atomic_bool stop;
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
	if (!lock_init(&table_cache->lock) || !lock_condition_init(&table_cache->opened)) {
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
	pthread_cond_destroy(&table_cache->opened);
	lock_destroy(&table_cache->lock);
	free(table_cache);
}

void table_cache_stop(struct table_cache *table_cache)
{
	atomic_store(&table_cache->stop, true);
}

/* With the lock. There are more slots than the library has methods. */
static struct table_slot *table_slot_of(struct table_cache *table_cache,
					const struct cube_solver *solver, bool smallest)
{
	lock_assert_held(&table_cache->lock);
	/* The same as `smallest`, if large ones are not wanted and the first can be made. */
	smallest |= !table_cache->large && solver->table_count > 0 &&
		    solver->tables[0].bytes <= table_cache->make_bytes_max;
	for (size_t i = 0; i < SLOTS_MAX; i++) {
		struct table_slot *table_slot = &table_cache->slots[i];
		if (!table_slot->solver)
			*table_slot = (struct table_slot){
				.solver = solver, .table_cache = table_cache, .smallest = smallest};
		if (table_slot->solver == solver && table_slot->smallest == smallest)
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
		log_event(LOG_INFO, result == TABLES_MAPPED ? "tables read" : "tables made",
			  LOG_TEXT("tables", name), LOG_NUMBER("bytes", table_slot->tables.bytes),
			  LOG_NUMBER("ms", (monotonic_ns() - began_ns) / 1000000u));
}

static enum tables_result open_row(const struct table_cache *table_cache,
				   struct table_slot *table_slot, size_t row, size_t make_bytes_max)
{
	const uint64_t began_ns = monotonic_ns();
	const struct tables_source source = {.folder = table_cache->folder,
					     .make_bytes_max = make_bytes_max,
					     .stop = &table_cache->stop};
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
	const size_t count = table_slot->smallest ? 1 : table_slot->solver->table_count;
	enum tables_result result = TABLES_NONE;
	if (atomic_load(&table_cache->stop))
		return TABLE_CACHE_NOT_YET;
	/* Large ones are only read; the smallest are made if there is no file. */
	if (table_cache->large && table_cache->folder)
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
	pthread_cond_broadcast(&table_cache->opened);
	lock_release(&table_cache->lock);
}

static void *opener_main(void *argument)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), PRIORITY);
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
					 const struct cube_solver *solver, bool smallest,
					 const struct table_cache_deadline *deadline,
					 const void **memory)
{
	enum table_cache_result result;
	*memory = NULL;
	if (solver->table_count == 0)
		return TABLE_CACHE_READY;
	lock_acquire(&table_cache->lock);
	struct table_slot *table_slot = table_slot_of(table_cache, solver, smallest);
	if (table_slot->state == TABLE_SLOT_CLOSED && (!deadline || !begin_aside(table_slot)))
		begin_here(table_cache, table_slot);
	while (table_slot->state == TABLE_SLOT_OPENING && go_on_waiting(table_cache, deadline))
		;
	result = table_slot->state == TABLE_SLOT_OPENING ? TABLE_CACHE_NOT_YET : table_slot->result;
	if (result == TABLE_CACHE_READY)
		*memory = table_slot->tables.memory;
	lock_release(&table_cache->lock);
	return result;
}

enum table_cache_result table_cache_take(struct table_cache *table_cache,
					 const struct cube_solver *solver,
					 const struct table_cache_deadline *deadline,
					 struct table_cache_tables *tables)
{
	*tables = (struct table_cache_tables){NULL, NULL};
	enum table_cache_result result =
		solver->base ? tables_of(table_cache, solver->base, true, deadline, &tables->base)
			     : TABLE_CACHE_READY;
	return result == TABLE_CACHE_READY
		       ? tables_of(table_cache, solver, false, deadline, &tables->tables)
		       : result;
}

/* The slots of a method's base and of the method; NULL if it has no tables. With the lock. */
struct needed {
	struct table_slot *table_slot[2];
};
static struct needed needed_by(struct table_cache *table_cache, const struct cube_solver *solver)
{
	lock_assert_held(&table_cache->lock);
	const struct cube_solver *base = solver->base;
	return (struct needed){
		{base && base->table_count > 0 ? table_slot_of(table_cache, base, true) : NULL,
		 solver->table_count > 0 ? table_slot_of(table_cache, solver, false) : NULL}};
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
	const struct table_slot *table_slot = table_slot_of(table_cache, solver, false);
	const struct cube_solver_tables *row =
		table_slot->state == TABLE_SLOT_OPEN ? table_slot->row : NULL;
	lock_release(&table_cache->lock);
	return row;
}

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
