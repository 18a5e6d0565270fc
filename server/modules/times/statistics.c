/* statistics.c: GET /v1/solves/stats: best, mean and averages by the rules of the WCA, of each event alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/request/media.h"
#include "server/api/request/scan.h"
#include "server/api/request/service_state.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/handlers.h"
#include "server/modules/times/stats_cache.h"
#include "server/modules/times/times_internal.h"

/* More groups are only counted. */
#define GROUPS_MAX 100

/* Results averaged between two checks of the clock. */
#define AVERAGED_ROWS 2000

/* The averages of every answer. */
static const struct average_kind usual[] = {{3, true},   {5, false},   {12, false},
					    {50, false}, {100, false}, {1000, false}};

#define USUAL (sizeof usual / sizeof usual[0])
#define ROWS (USUAL + ASKED_AVERAGES)

/* Solves that are averaged together: of one event, or of EVENT_OTHER those of one size and list; and
 * of one list if the request groups by lists. */
struct stats_group {
	enum solve_event event;
	int size;
	char *list;       /* NULL: of all lists, or of those in none */
	int64_t *results; /* newest first, then in chronological order */
	uint8_t (*ids)[SESSION_ID_BYTES];
	size_t count, capacity;
	uint64_t untimed, assisted, seen;
};

struct stats {
	struct solve_query query;
	bool by_list;
	struct stats_key key;
	uint64_t generation; /* of the book, when reading began */
	struct scan scan;
	struct stats_group groups[GROUPS_MAX]; /* the group of the newest solve first */
	size_t group_count;
	uint64_t others; /* solves that are in no group */
	bool failed, read;
	struct out out;
	size_t group;                   /* the group being averaged */
	struct average_kind rows[ROWS]; /* the usual averages, then those that were asked for */
	size_t row_count;
	int64_t *sorted; /* room for the results of all rows */
	struct averaging averaging[ROWS];
	size_t averaged; /* of rows */
};

static bool read_group_by(struct context *ctx, bool *by_list);
static bool read_rows(struct context *ctx, struct stats *stats);
static void stats_entered(struct context *ctx);
static bool stats_kept(struct context *ctx, struct stats *stats);
static bool stats_visit(void *context, const struct stored_solve *solve);
static struct stats_group *group_of(struct stats *stats, const struct stored_solve *solve);
static bool add_result(struct stats_group *group, const struct stored_solve *solve);
static bool room_for_one(struct stats_group *group);
static void stats_run(struct context *ctx, struct store_reader *reader);
static bool stats_read(struct context *ctx, struct stats *stats, struct store_reader *reader);
static void reverse(struct stats_group *group);
static void begin_group(struct stats *stats);
static bool stats_average(struct job *job, struct stats *stats);
static void write_group(struct stats *stats);
static void write_counts(struct out *out, const struct stats_group *group);
static void write_single(struct out *out, const struct stats_group *group, const char *key,
			 size_t at);
static size_t best_of(const struct stats_group *group);
static void write_averages(struct out *out, const struct stats *stats);
static void write_average(struct out *out, const struct stats *stats, size_t row);
static void stats_done(struct context *ctx);

void times_stats_handle(struct context *ctx)
{
	struct stats *stats = ctx_alloc(ctx, sizeof *stats);
	if (stats)
		*stats = (struct stats){0};
	ctx->data = stats;
	if (stats && solve_query_read(ctx, &stats->query) && read_group_by(ctx, &stats->by_list) &&
	    read_rows(ctx, stats))
		book_enter(ctx, NEED_READ, stats_entered);
	else
		ctx_answer(ctx);
}

static bool read_group_by(struct context *ctx, bool *by_list)
{
	const struct text *text = &ctx->query.value[PARAMETER_GROUP_BY];
	*by_list = text->bytes && strcmp(text->bytes, "list") == 0;
	return !text->bytes || *by_list || strcmp(text->bytes, "event") == 0 ||
	       query_problem(ctx, "group_by", "Solves are grouped by event or by list.",
			     "event or list", NULL);
}

/* Sets the rows, with room for their results. */
static bool read_rows(struct context *ctx, struct stats *stats)
{
	size_t results = 0;
	if (!asked_averages_read(ctx, stats->key.averages))
		return false;
	memcpy(stats->rows, usual, sizeof usual);
	memcpy(stats->rows + USUAL, stats->key.averages, sizeof stats->key.averages);
	while (stats->row_count < ROWS && stats->rows[stats->row_count].of > 0)
		results += stats->rows[stats->row_count++].of;
	stats->sorted = ctx_alloc(ctx, results * sizeof *stats->sorted);
	return stats->sorted;
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

static bool stats_kept(struct context *ctx, struct stats *stats)
{
	struct stats_cache *cache = ctx->service->stats;
	const char *list = stats->query.list;
	stats->key.book = stats->query.session;
	stats->key.since_ms = stats->query.since_ms;
	stats->key.until_ms = stats->query.until_ms;
	stats->key.size = stats->query.size;
	stats->key.penalty = (int)stats->query.penalty;
	stats->key.event = (int)stats->query.event;
	stats->key.by_list = stats->by_list;
	stats->key.listed = list != NULL;
	stats->generation = stats_cache_generation(cache, stats->key.book);
	if (list)
		snprintf(stats->key.list, sizeof stats->key.list, "%s", list);
	if (!stats_cache_get(cache, &stats->key, &ctx->request->reply.body))
		return false;
	ctx->request->reply.status = 200;
	ctx->request->reply.content_type = media_type(MEDIA_JSON);
	return true;
}

static bool stats_visit(void *context, const struct stored_solve *solve)
{
	struct stats *stats = context;
	struct stats_group *group = group_of(stats, solve);
	if (!group) {
		stats->others++;
		return !stats->failed;
	}
	stats->failed = !add_result(group, solve);
	return !stats->failed;
}

/* NULL: there are too many, or out of memory. */
static struct stats_group *group_of(struct stats *stats, const struct stored_solve *solve)
{
	const enum solve_event event = solve_event_of(solve->event, solve->size);
	const bool listed = stats->by_list || stats->query.list || event == EVENT_OTHER;
	const char *name = listed ? solve_list(solve) : NULL;
	for (size_t i = 0; i < stats->group_count; i++) {
		struct stats_group *group = &stats->groups[i];
		if (group->event == event && group->size == solve->size &&
		    strcmp(group->list ? group->list : "", name ? name : "") == 0)
			return group;
	}
	if (stats->group_count == GROUPS_MAX)
		return NULL;
	struct stats_group *group = &stats->groups[stats->group_count++];
	*group = (struct stats_group){.event = event, .size = solve->size};
	if (name)
		group->list = strdup(name);
	stats->failed = name && !group->list;
	return stats->failed ? NULL : group;
}

/* False if out of memory. */
static bool add_result(struct stats_group *group, const struct stored_solve *solve)
{
	const int64_t result = time_result(solve->time_ms, solve->penalty_ms);
	group->seen++;
	if (solve->assisted) {
		group->assisted++;
		return true;
	}
	if (result == TIME_NONE) {
		group->untimed++;
		return true;
	}
	if (!room_for_one(group))
		return false;
	memcpy(group->ids[group->count], solve->id, SESSION_ID_BYTES);
	group->results[group->count++] = result;
	return true;
}

static bool room_for_one(struct stats_group *group)
{
	if (group->count < group->capacity)
		return true;
	const size_t capacity = group->capacity ? group->capacity * 2 : 64;
	int64_t *results = realloc(group->results, capacity * sizeof *results);
	if (results)
		group->results = results;
	void *ids = realloc(group->ids, capacity * sizeof *group->ids);
	if (ids)
		group->ids = ids;
	group->capacity = results && ids ? capacity : group->capacity;
	return results && ids;
}

/* One slice. */
static void stats_run(struct context *ctx, struct store_reader *reader)
{
	struct stats *stats = ctx->data;
	if (!stats->read && !stats_read(ctx, stats, reader))
		return;
	ctx->job.more = !stats_average(&ctx->job, stats);
	if (ctx->job.more)
		return;
	out_close(&stats->out, ']');
	number_member(&stats->out, "others", (int64_t)stats->others, true);
	out_close(&stats->out, '}');
	ctx_reply_json(ctx, 200);
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
	for (size_t i = 0; i < stats->group_count; i++)
		reverse(&stats->groups[i]);
	begin_group(stats);
	stats->out = (struct out){.buffer = &ctx->request->reply.body};
	out_open(&stats->out, '{');
	out_member_open(&stats->out, "items", '[');
	stats->read = true;
	return true;
}

static void reverse(struct stats_group *group)
{
	for (size_t i = 0, j = group->count; i + 1 < j; i++) {
		int64_t result = group->results[i];
		uint8_t id[SESSION_ID_BYTES];
		j--;
		group->results[i] = group->results[j];
		group->results[j] = result;
		memcpy(id, group->ids[i], sizeof id);
		memcpy(group->ids[i], group->ids[j], sizeof id);
		memcpy(group->ids[j], id, sizeof id);
	}
}

static void begin_group(struct stats *stats)
{
	int64_t *sorted = stats->sorted;
	for (size_t i = 0; i < stats->row_count; i++) {
		averaging_begin(&stats->averaging[i], stats->rows[i].of,
				average_kind_trim(stats->rows[i]), sorted);
		sorted += stats->rows[i].of;
	}
	stats->averaged = 0;
}

/* False: the slice is over. */
static bool stats_average(struct job *job, struct stats *stats)
{
	while (stats->group < stats->group_count) {
		const struct stats_group *group = &stats->groups[stats->group];
		struct averaging *averaging = &stats->averaging[stats->averaged];
		const size_t left = group->count - averaging->at;
		averaging_go_on(averaging, group->results,
				averaging->at + (left < AVERAGED_ROWS ? left : AVERAGED_ROWS));
		stats->averaged += averaging->at == group->count;
		if (stats->averaged == stats->row_count) {
			write_group(stats);
			begin_group(stats);
			stats->group++;
		}
		if (stats->group < stats->group_count && job_slice_over(job))
			return false;
	}
	return true;
}

static void write_group(struct stats *stats)
{
	struct out *out = &stats->out;
	const struct stats_group *group = &stats->groups[stats->group];
	out_open(out, '{');
	write_counts(out, group);
	write_single(out, group, "latest", group->count - 1);
	write_single(out, group, "best", best_of(group));
	out_key(out, "mean");
	result_write(out, mean_of(group->results, group->count));
	write_averages(out, stats);
	out_close(out, '}');
}

static void write_counts(struct out *out, const struct stats_group *group)
{
	size_t dnf = 0;
	for (size_t i = 0; i < group->count; i++)
		dnf += group->results[i] == TIME_DNF;
	text_member(out, "event", solve_events[group->event].id);
	number_member(out, "size", group->size, group->size >= CUBE_SIZE_MIN);
	text_member(out, "list", group->list);
	number_member(out, "solves", (int64_t)group->seen, true);
	number_member(out, "dnf", (int64_t)dnf, true);
	number_member(out, "untimed", (int64_t)group->untimed, true);
	number_member(out, "assisted", (int64_t)group->assisted, true);
}

static void write_single(struct out *out, const struct stats_group *group, const char *key,
			 size_t at)
{
	out_key(out, key);
	if (at >= group->count) {
		out_null(out);
		return;
	}
	out_open(out, '{');
	solve_id_write(out, "id", group->ids[at]);
	result_members(out, group->results[at]);
	out_close(out, '}');
}

/* The first of the shortest. */
static size_t best_of(const struct stats_group *group)
{
	size_t best = group->count;
	for (size_t i = 0; i < group->count; i++)
		if (group->results[i] >= 0 &&
		    (best == group->count || group->results[i] < group->results[best]))
			best = i;
	return best;
}

static void write_averages(struct out *out, const struct stats *stats)
{
	char name[AVERAGE_NAME_BYTES];
	for (size_t i = 0; i < USUAL; i++) {
		average_kind_name(stats->rows[i], name);
		out_member_open(out, name, '{');
		write_average(out, stats, i);
	}
	if (stats->row_count == USUAL)
		return;
	out_member_open(out, "averages", '[');
	for (size_t i = USUAL; i < stats->row_count; i++) {
		average_kind_name(stats->rows[i], name);
		out_open(out, '{');
		out_member_string(out, "name", name);
		write_average(out, stats, i);
	}
	out_close(out, ']');
}

/* Writes the members of an average, and closes its object. */
static void write_average(struct out *out, const struct stats *stats, size_t row)
{
	const struct stats_group *group = &stats->groups[stats->group];
	const struct averages averages = stats->averaging[row].averages;
	const unsigned of = stats->rows[row].of;
	out_key(out, "current");
	result_write(out, averages.current);
	out_key(out, "best");
	result_write(out, averages.best);
	out_key(out, "best_solves");
	if (averages.best < 0) {
		out_null(out);
	} else {
		out_open(out, '{');
		solve_id_write(out, "first", group->ids[averages.best_from]);
		solve_id_write(out, "last", group->ids[averages.best_from + of - 1]);
		out_close(out, '}');
	}
	out_close(out, '}');
}

static void stats_done(struct context *ctx)
{
	struct stats *stats = ctx->data;
	for (size_t i = 0; i < stats->group_count; i++) {
		free(stats->groups[i].list);
		free(stats->groups[i].results);
		free(stats->groups[i].ids);
	}
	if (ctx->request->reply.status == 200 &&
	    (!stats->query.list || strlen(stats->query.list) < sizeof stats->key.list))
		stats_cache_put(ctx->service->stats, &stats->key, stats->generation,
				&ctx->request->reply.body);
	ctx_answer(ctx);
}
