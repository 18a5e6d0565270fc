/* solvers.c: GET /v1/solvers: the methods of solving. */
#include "server/api/input/cube.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/service_state.h"
#include "server/api/search/solve_out.h"
#include "server/api/steps/caching.h"
#include "server/json/writer.h"

static void write_solver(struct context *ctx, struct out *out, const struct cube_solver *solver);
static void write_lengths(struct out *out, const struct cube_solver *solver);
static void write_tables(struct out *out, const struct cube_solver *solver,
			 struct table_cache *table_cache);

void solvers_handle(struct context *ctx)
{
	const struct cube_solver *solver;
	struct out out = {0};
	page_begin(ctx, &out);
	for (size_t i = 0; (solver = cube_solver_at(i)); i++)
		if (solver->size_min <= input_size_max(ctx))
			write_solver(ctx, &out, solver);
	page_end(ctx, &out, 0);
	ctx->request->reply.cache = caching_shared;
	ctx_answer(ctx);
}

static void write_solver(struct context *ctx, struct out *out, const struct cube_solver *solver)
{
	const int size_max = (int)input_size_max(ctx);
	const int largest = solver->size_max < size_max ? solver->size_max : size_max;
	out_open(out, '{');
	out_member_string(out, "name", solver->name);
	out_range(out, "sizes", solver->size_min, largest);
	out_member_bool(out, "usual", cube_solver_default(solver->size_min) == solver);
	out_member_bool(out, "optimal", solver->optimal);
	write_lengths(out, solver);
	out_key(out, "stages");
	if (solver->stages) {
		out_open(out, '[');
		for (size_t i = 0; solver->stages[i]; i++)
			out_string(out, solver->stages[i]);
		out_close(out, ']');
	} else {
		out_null(out);
	}
	out_member_bool(out, "several", solve_gives_several(solver));
	out_member_string(out, "base", solver->base ? solver->base->name : NULL);
	write_tables(out, solver, ctx->service->table_cache);
	out_member_integer(out, "work_bytes",
			   solver->work_bytes ? (int64_t)solver->work_bytes(largest) : 0);
	out_close(out, '}');
}

static void write_lengths(struct out *out, const struct cube_solver *solver)
{
	out_member_open(out, "length_max", '{');
	for (int i = 0; i < CUBE_SOLVE_METRICS; i++) {
		const enum cube_solve_metric metric = (enum cube_solve_metric)i;
		if (!cube_solver_counts(solver, metric) &&
		    !(solver->optimal && solve_by_goal(solver, metric)))
			continue;
		out_key(out, solve_metric_names[i]);
		if (solver->length_max[i] > 0)
			out_integer(out, solver->length_max[i]);
		else
			out_null(out);
	}
	out_close(out, '}');
}

static void write_tables(struct out *out, const struct cube_solver *solver,
			 struct table_cache *table_cache)
{
	const struct cube_solver_tables *loaded = table_cache_loaded(table_cache, solver);
	const struct cube_solver_tables *growing = table_cache_growing(table_cache, solver);
	out_member_open(out, "tables", '[');
	for (size_t i = 0; i < solver->table_count; i++) {
		out_open(out, '{');
		out_member_string(out, "name", solver->tables[i].name);
		out_member_integer(out, "bytes", (int64_t)solver->tables[i].bytes);
		out_member_bool(out, "loaded", loaded == &solver->tables[i]);
		out_member_bool(out, "making", growing == &solver->tables[i]);
		out_close(out, '}');
	}
	out_close(out, ']');
}
