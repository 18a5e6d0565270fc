/* tables.c: tables of solvers: read from files, or made in memory by some threads. */
#include "server/search/tables.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cube/solve.h"
#include "server/search/tables_internal.h"

#define THREADS_MAX 64

/* ---- names ---- */

void tables_name(char name[TABLES_NAME_BYTES], struct tables_id id)
{
	snprintf(name, TABLES_NAME_BYTES, "%s-%d-%s", id.solver->name, id.solver->size_min,
		 id.row->name);
}

bool tables_at(size_t index, struct tables_id *id)
{
	const struct cube_solver *solver;
	for (size_t i = 0; (solver = cube_solver_at(i)) != NULL; i++) {
		if (index < solver->table_count) {
			*id = (struct tables_id){solver, &solver->tables[index]};
			return true;
		}
		index -= solver->table_count;
	}
	return false;
}

bool tables_find(const char *name, struct tables_id *id)
{
	char other[TABLES_NAME_BYTES];
	for (size_t i = 0; tables_at(i, id); i++) {
		tables_name(other, *id);
		if (strcmp(name, other) == 0)
			return true;
	}
	return false;
}

/* ---- making ---- */

/* A step; each thread does one part after another. */
struct making_step {
	const struct cube_solver_tables *row;
	void *memory;
	unsigned step;
	const atomic_bool *stop; /* of struct tables_source */
	atomic_uint next;
};

static bool stopped(const atomic_bool *stop)
{
	return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static void *work(void *argument)
{
	struct making_step *step = argument;
	unsigned part;
	while (!stopped(step->stop) && (part = atomic_fetch_add(&step->next, 1)) < step->row->parts)
		step->row->make(step->memory, step->step, part);
	return NULL;
}

/* This thread works too, so it does not matter if others cannot be started. */
static void run_step(struct making_step *step, unsigned threads)
{
	pthread_t thread[THREADS_MAX];
	unsigned started = 0;
	while (started + 1 < threads && started + 1 < step->row->parts &&
	       pthread_create(&thread[started], NULL, work, step) == 0)
		started++;
	work(step);
	while (started > 0)
		pthread_join(thread[--started], NULL);
}

void *tables_make(const struct cube_solver_tables *row, unsigned threads, const atomic_bool *stop,
		  tables_progress *progress, void *context)
{
	void *memory =
		mmap(NULL, row->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	/* Searches read at random; without large pages, small ones do. */
	madvise(memory, row->bytes, MADV_HUGEPAGE);
	if (threads == 0) {
		long processors = sysconf(_SC_NPROCESSORS_ONLN);
		threads = processors > 0 ? (unsigned)processors : 1;
	}
	threads = threads > THREADS_MAX ? THREADS_MAX : threads;
	cube_solver_make_begin(row, memory);
	for (unsigned i = 0; i < row->steps; i++) {
		struct making_step step = {.row = row, .memory = memory, .step = i, .stop = stop};
		if (progress)
			progress(context, i, row->steps);
		run_step(&step, threads);
		if (stopped(stop)) {
			munmap(memory, row->bytes);
			return NULL;
		}
	}
	cube_solver_make_end(row, memory);
	if (progress)
		progress(context, row->steps, row->steps);
	return memory;
}

/* ---- finding ---- */

enum tables_result tables_open(struct tables *tables, struct tables_id id,
			       const struct tables_source *source)
{
	char name[TABLES_NAME_BYTES];
	*tables = (struct tables){.bytes = id.row->bytes};
	tables->memory =
		source->folder ? tables_file_open(source->folder, id, &tables->error) : NULL;
	if (tables->memory)
		return TABLES_READ;
	if (id.row->bytes <= source->make_bytes_max) {
		tables->memory = tables_make(id.row, source->threads, source->stop, NULL, NULL);
		if (tables->memory)
			return TABLES_MADE;
		if (stopped(source->stop))
			return TABLES_FAILED;
		error_set(&tables->error, "there is no memory for tables of %zu bytes",
			  id.row->bytes);
		return TABLES_FAILED;
	}
	tables_name(name, id);
	if (!tables->error.text[0])
		error_set(&tables->error,
			  "the tables %s are missing; `cubed tables build %s` makes them", name,
			  name);
	return TABLES_NONE;
}

void tables_close(struct tables *tables)
{
	if (tables->memory)
		munmap((void *)(uintptr_t)tables->memory, tables->bytes);
	*tables = (struct tables){0};
}
