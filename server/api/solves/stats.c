/* stats.c: GET /v1/solves/stats: best, mean and averages by the rules of the WCA. */
#include <stdlib.h>
#include <string.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/scan.h"
#include "server/api/request/service_state.h"
#include "server/api/solves/solves_internal.h"
#include "server/solves/stats_cache.h"
#include "server/solves/times.h"

/* Results averaged between two checks of the clock. */
#define AVERAGED_ROWS 2000

static const struct {
	const char *key;
	unsigned of;
} rows[] = {{"mo3", 3}, {"ao5", 5}, {"ao12", 12}, {"ao50", 50}, {"ao100", 100}};

#define ROWS (sizeof rows / sizeof rows[0])

struct stats {
	struct solve_query query;
	struct stats_key key; /* of the request, before its size becomes the newest solve's */
	uint64_t generation;  /* of the book, when reading began */
	struct scan scan;
	int64_t *results; /* newest first, then in chronological order */
	uint8_t (*ids)[SESSION_ID_BYTES];
	size_t count, capacity;
	uint64_t untimed, assisted, seen;
	bool failed, read;
	struct averaging averaging[ROWS];
	size_t averaged; /* of rows */
};

static void stats_entered(struct context *ctx);
static bool stats_visit(void *context, const struct stored_solve *solve);
static bool room_for_one(struct stats *stats);
static bool stats_kept(struct context *ctx, struct stats *stats);
static void stats_run(struct context *ctx, struct store_reader *reader);
static bool stats_read(struct context *ctx, struct stats *stats, struct store_reader *reader);
static void reverse(struct stats *stats);
static bool stats_average(struct job *job, struct stats *stats);
static void write_stats(struct context *ctx, const struct stats *stats);
static void write_counts(struct out *out, const struct stats *stats);
static void write_single(struct out *out, const struct stats *stats, const char *key, size_t at);
static size_t best_of(const struct stats *stats);
static void write_average(struct out *out, const struct stats *stats, size_t row);
static void stats_done(struct context *ctx);

void solve_stats_handle(struct context *ctx)
{
	struct stats *stats = ctx_alloc(ctx, sizeof *stats);
	if (stats)
		*stats = (struct stats){0};
	ctx->data = stats;
	if (stats && solve_query_read(ctx, &stats->query))
		book_enter(ctx, NEED_READ, stats_entered);
	else
		ctx_answer(ctx);
}

static void stats_entered(struct context *ctx)
{
	struct stats *stats = ctx->data;
	stats->query.session = ctx->visit.session->meta.key;
	stats->scan = (struct scan){
		.ctx = ctx, .left = UINT64_MAX, .solve = stats_visit, .context = stats};
	if (stats_kept(ctx, stats)) {
		ctx_answer(ctx);
		return;
	}
	ctx_read(ctx, stats_run, stats_done);
}

static bool stats_visit(void *context, const struct stored_solve *solve)
{
	struct stats *stats = context;
	const int64_t result = time_result(solve->time_ms, solve->penalty_ms);
	if (stats->query.size < 0)
		stats->query.size = solve->size; /* of the newest solve */
	if (solve->size != stats->query.size)
		return true;
	stats->seen++;
	if (solve->assisted) {
		stats->assisted++;
		return true;
	}
	if (result == TIME_NONE) {
		stats->untimed++;
		return true;
	}
	stats->failed = !room_for_one(stats);
	if (stats->failed)
		return false;
	memcpy(stats->ids[stats->count], solve->id, SESSION_ID_BYTES);
	stats->results[stats->count++] = result;
	return true;
}

static bool room_for_one(struct stats *stats)
{
	if (stats->count < stats->capacity)
		return true;
	const size_t capacity = stats->capacity ? stats->capacity * 2 : 256;
	int64_t *results = realloc(stats->results, capacity * sizeof *results);
	if (results)
		stats->results = results;
	void *ids = realloc(stats->ids, capacity * sizeof *stats->ids);
	if (ids)
		stats->ids = ids;
	stats->capacity = results && ids ? capacity : stats->capacity;
	return results && ids;
}

static bool stats_kept(struct context *ctx, struct stats *stats)
{
	struct stats_cache *cache = ctx->service->stats;
	stats->key = (struct stats_key){.book = stats->query.session,
					.since_ms = stats->query.since_ms,
					.until_ms = stats->query.until_ms,
					.size = stats->query.size,
					.penalty = (int)stats->query.penalty};
	stats->generation = stats_cache_generation(cache, stats->key.book);
	if (!stats_cache_get(cache, &stats->key, &ctx->request->reply.body))
		return false;
	ctx->request->reply.status = 200;
	ctx->request->reply.content_type = media_type(MEDIA_JSON);
	return true;
}

/* One slice. */
static void stats_run(struct context *ctx, struct store_reader *reader)
{
	struct stats *stats = ctx->data;
	if (!stats->read && !stats_read(ctx, stats, reader))
		return;
	ctx->job.more = !stats_average(&ctx->job, stats);
	if (!ctx->job.more)
		write_stats(ctx, stats);
}

/* False: the slice is over, or it failed. */
static bool stats_read(struct context *ctx, struct stats *stats, struct store_reader *reader)
{
	if (!scan_solves(&stats->scan, reader, &stats->query))
		return false;
	if (stats->scan.status != STORE_OK || stats->failed) {
		ctx_store_problem(ctx, stats->failed ? STORE_NO_MEMORY : stats->scan.status);
		return false;
	}
	reverse(stats);
	for (size_t i = 0; i < ROWS; i++)
		averaging_begin(&stats->averaging[i], rows[i].of);
	stats->read = true;
	return true;
}

static void reverse(struct stats *stats)
{
	for (size_t i = 0, j = stats->count; i + 1 < j; i++) {
		int64_t result = stats->results[i];
		uint8_t id[SESSION_ID_BYTES];
		j--;
		stats->results[i] = stats->results[j];
		stats->results[j] = result;
		memcpy(id, stats->ids[i], sizeof id);
		memcpy(stats->ids[i], stats->ids[j], sizeof id);
		memcpy(stats->ids[j], id, sizeof id);
	}
}

/* False: the slice is over. */
static bool stats_average(struct job *job, struct stats *stats)
{
	while (stats->averaged < ROWS) {
		struct averaging *averaging = &stats->averaging[stats->averaged];
		const size_t left = stats->count - averaging->at;
		averaging_go_on(averaging, stats->results,
				averaging->at + (left < AVERAGED_ROWS ? left : AVERAGED_ROWS));
		stats->averaged += averaging->at == stats->count;
		if (stats->averaged < ROWS && job_slice_over(job))
			return false;
	}
	return true;
}

static void write_stats(struct context *ctx, const struct stats *stats)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	write_counts(&out, stats);
	write_single(&out, stats, "latest", stats->count - 1);
	write_single(&out, stats, "best", best_of(stats));
	out_key(&out, "mean");
	result_write(&out, mean_of(stats->results, stats->count));
	for (size_t i = 0; i < ROWS; i++)
		write_average(&out, stats, i);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
}

static void write_counts(struct out *out, const struct stats *stats)
{
	size_t dnf = 0;
	for (size_t i = 0; i < stats->count; i++)
		dnf += stats->results[i] == TIME_DNF;
	out_key(out, "size");
	if (stats->query.size >= CUBE_SIZE_MIN)
		out_integer(out, stats->query.size);
	else
		out_null(out);
	out_key(out, "solves");
	out_integer(out, (int64_t)stats->seen);
	out_key(out, "dnf");
	out_integer(out, (int64_t)dnf);
	out_key(out, "untimed");
	out_integer(out, (int64_t)stats->untimed);
	out_key(out, "assisted");
	out_integer(out, (int64_t)stats->assisted);
}

static void write_single(struct out *out, const struct stats *stats, const char *key, size_t at)
{
	char text[TIME_TEXT_MAX];
	out_key(out, key);
	if (at >= stats->count) {
		out_null(out);
		return;
	}
	time_print(stats->results[at], text);
	out_open(out, '{');
	solve_id_write(out, "id", stats->ids[at]);
	out_key(out, "result");
	out_string(out, text);
	out_key(out, "result_ms");
	if (stats->results[at] >= 0)
		out_integer(out, stats->results[at]);
	else
		out_null(out);
	out_close(out, '}');
}

/* The first of the shortest. */
static size_t best_of(const struct stats *stats)
{
	size_t best = stats->count;
	for (size_t i = 0; i < stats->count; i++)
		if (stats->results[i] >= 0 &&
		    (best == stats->count || stats->results[i] < stats->results[best]))
			best = i;
	return best;
}

static void write_average(struct out *out, const struct stats *stats, size_t row)
{
	const struct averages averages = stats->averaging[row].averages;
	const unsigned of = rows[row].of;
	out_key(out, rows[row].key);
	out_open(out, '{');
	out_key(out, "current");
	result_write(out, averages.current);
	out_key(out, "best");
	result_write(out, averages.best);
	out_key(out, "best_solves");
	if (averages.best < 0) {
		out_null(out);
	} else {
		out_open(out, '{');
		solve_id_write(out, "first", stats->ids[averages.best_from]);
		solve_id_write(out, "last", stats->ids[averages.best_from + of - 1]);
		out_close(out, '}');
	}
	out_close(out, '}');
}

static void stats_done(struct context *ctx)
{
	struct stats *stats = ctx->data;
	free(stats->results);
	free(stats->ids);
	if (ctx->request->reply.status == 200)
		stats_cache_put(ctx->service->stats, &stats->key, stats->generation,
				&ctx->request->reply.body);
	ctx_answer(ctx);
}
