/* metrics.c: GET /metrics, in the text format of Prometheus; and the counters of requests.
 *
 * Labels have few values: methods, path templates, statuses, problem types. No ids and no names of
 * users. */
#include "server/api/metrics.h"

#include <assert.h>
#include <stdio.h>

#include "cube/version.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/routes.h"
#include "server/api/service.h"
#include "server/api/steps/caching.h"
#include "server/search/jobs.h"
#include "server/search/table_cache.h"
#include "server/util/heap.h"
#include "server/util/kept_cache.h"
#include "server/util/meters.h"
#include "server/util/process_usage.h"

/* ---- counting ---- */

/* The last is for all others. */
static const uint16_t statuses[] = {200, 201, 202, 204, 206, 400, 401, 403, 404, 405, 406, 409, 410,
				    412, 413, 414, 415, 416, 422, 429, 431, 500, 503, 507, 0};
#define STATUSES (sizeof statuses / sizeof statuses[0])

/* Upper bounds of the buckets of durations, and the same in seconds; then one for all above. */
static const struct {
	uint64_t ns;
	const char *seconds;
} buckets[] = {
	{50000, "0.00005"},  {100000, "0.0001"},  {250000, "0.00025"}, {500000, "0.0005"},
	{1000000, "0.001"},  {2500000, "0.0025"}, {5000000, "0.005"},  {10000000, "0.01"},
	{25000000, "0.025"}, {50000000, "0.05"},  {100000000, "0.1"},  {250000000, "0.25"},
	{500000000, "0.5"},  {1000000000, "1"},   {5000000000, "5"},   {30000000000, "30"},
};
#define BUCKETS (sizeof buckets / sizeof buckets[0])

enum {
	CELL_STATUS,
	CELL_BUCKET = CELL_STATUS + STATUSES,
	CELL_SUM = CELL_BUCKET + BUCKETS + 1,
	CELLS
};
static_assert(CELLS <= METER_ROUTE_CELLS, "a route has no room for its cells");

/* One more is for all other paths. */
static_assert(ROUTES_MAX + 1 <= METER_ROUTES, "there is no room for all routes");
static_assert(PROBLEM_COUNT <= METER_PROBLEMS, "there is no room for all problems");
static_assert(REFUSAL_COUNT <= METER_REFUSALS, "there is no room for all reasons");

static unsigned route_cell(size_t route)
{
	return METER_ROUTE + (unsigned)route * METER_ROUTE_CELLS;
}

void metrics_answered(const struct route *route, const struct reply *reply, uint64_t took_ns)
{
	unsigned cell = route_cell(route ? (size_t)(route - routes) : route_count);
	unsigned status = 0, bucket = 0;
	while (statuses[status] != reply->status && statuses[status] != 0)
		status++;
	while (bucket < BUCKETS && took_ns > buckets[bucket].ns)
		bucket++;
	meter_add(cell + CELL_STATUS + status, 1);
	meter_add(cell + CELL_BUCKET + bucket, 1);
	meter_add(cell + CELL_SUM, took_ns);
	metrics_refused(reply);
}

void metrics_refused(const struct reply *reply)
{
	if (reply->problem > 0)
		meter_add(METER_PROBLEM + reply->problem - 1u, 1);
	if (reply->refusal > 0)
		meter_add(METER_REFUSAL + reply->refusal - 1u, 1);
}

/* ---- writing ---- */

/* Rough cost of adding it all up. */
#define COST_NS 200000

static void head(struct buffer *text, const char *name, const char *kind, const char *meaning)
{
	buffer_text(text, "# HELP ");
	buffer_text(text, name);
	buffer_text(text, " ");
	buffer_text(text, meaning);
	buffer_text(text, "\n# TYPE ");
	buffer_text(text, name);
	buffer_text(text, " ");
	buffer_text(text, kind);
	buffer_text(text, "\n");
}

static void value(struct buffer *text, uint64_t number)
{
	char digits[32];
	snprintf(digits, sizeof digits, " %llu\n", (unsigned long long)number);
	buffer_text(text, digits);
}

static void seconds(struct buffer *text, uint64_t ns)
{
	char digits[48];
	snprintf(digits, sizeof digits, " %llu.%09llu\n", (unsigned long long)(ns / 1000000000u),
		 (unsigned long long)(ns % 1000000000u));
	buffer_text(text, digits);
}

static void gauge(struct buffer *text, const char *name, const char *meaning, uint64_t number)
{
	head(text, name, "gauge", meaning);
	buffer_text(text, name);
	value(text, number);
}

static void label(struct buffer *text, const char *before, const char *name, const char *is)
{
	buffer_text(text, before);
	buffer_text(text, name);
	buffer_text(text, "=\"");
	buffer_text(text, is);
	buffer_text(text, "\"");
}

/* The route under which requests without one are counted. */
static const struct route no_route = {.method = "", .path = ""};

static const struct route *route_at(size_t i)
{
	return i < route_count ? &routes[i] : &no_route;
}

static void route_labels(struct buffer *text, const char *name, size_t route)
{
	buffer_text(text, name);
	label(text, "{", "method", route_at(route)->method);
	label(text, ",", "route", route_at(route)->path);
}

static void write_requests(struct buffer *text)
{
	static const char name[] = "cubed_http_requests_total";
	head(text, name, "counter", "Requests answered.");
	for (size_t route = 0; route <= route_count; route++)
		for (size_t i = 0; i < STATUSES; i++) {
			uint64_t count = meter_sum(route_cell(route) + CELL_STATUS + (unsigned)i);
			char status[8] = "other";
			if (count == 0)
				continue;
			if (statuses[i] != 0)
				snprintf(status, sizeof status, "%u", statuses[i]);
			route_labels(text, name, route);
			label(text, ",", "status", status);
			buffer_text(text, "}");
			value(text, count);
		}
}

static void write_duration(struct buffer *text, size_t route)
{
	uint64_t count = 0;
	unsigned cell = route_cell(route);
	for (size_t i = 0; i <= BUCKETS; i++)
		count += meter_sum(cell + CELL_BUCKET + (unsigned)i);
	if (count == 0)
		return;
	count = 0;
	for (size_t i = 0; i <= BUCKETS; i++) {
		count += meter_sum(cell + CELL_BUCKET + (unsigned)i);
		route_labels(text, "cubed_http_request_duration_seconds_bucket", route);
		label(text, ",", "le", i < BUCKETS ? buckets[i].seconds : "+Inf");
		buffer_text(text, "}");
		value(text, count);
	}
	route_labels(text, "cubed_http_request_duration_seconds_sum", route);
	buffer_text(text, "}");
	seconds(text, meter_sum(cell + CELL_SUM));
	route_labels(text, "cubed_http_request_duration_seconds_count", route);
	buffer_text(text, "}");
	value(text, count);
}

static void write_durations(struct buffer *text)
{
	head(text, "cubed_http_request_duration_seconds", "histogram",
	     "Time from a complete request to its answer.");
	for (size_t route = 0; route <= route_count; route++)
		write_duration(text, route);
}

/* Writes a counter with a cause and a status, also if it is 0: Prometheus sees a rise only of what it
 * has seen before. */
static void write_cause(struct buffer *text, const char *name, const char *key, const char *cause,
			unsigned status, uint64_t count)
{
	char digits[16];
	snprintf(digits, sizeof digits, "%u", status);
	buffer_text(text, name);
	label(text, "{", key, cause);
	label(text, ",", "status", digits);
	buffer_text(text, "}");
	value(text, count);
}

static void write_problems(struct buffer *text)
{
	static const char name[] = "cubed_problems_total";
	head(text, name, "counter", "Problems answered, by type.");
	for (enum problem_type type = 0; type < PROBLEM_COUNT; type++)
		write_cause(text, name, "type", problem_name(type), problem_status(type),
			    meter_sum(METER_PROBLEM + (unsigned)type));
}

static void write_refusals(struct buffer *text)
{
	static const char name[] = "cubed_refused_total";
	head(text, name, "counter",
	     "Requests and connections that were refused with 429, 503 or 507, by reason: a limit "
	     "of /v1/limits, or another.");
	for (enum refusal reason = 0; reason < REFUSAL_COUNT; reason++)
		write_cause(text, name, "reason", refusal_reason(reason), refusal_status(reason),
			    meter_sum(METER_REFUSAL + (unsigned)reason));
}

/* Writes what every program has, under the names that are usual with Prometheus. */
static void write_process(struct buffer *text)
{
	struct process_usage usage;
	process_usage_read(&usage);
	head(text, "process_cpu_seconds_total", "counter", "Processor time of all threads.");
	buffer_text(text, "process_cpu_seconds_total");
	seconds(text, usage.cpu_ns);
	if (usage.resident_bytes > 0) {
		gauge(text, "process_resident_memory_bytes", "Resident memory.",
		      usage.resident_bytes);
		gauge(text, "process_virtual_memory_bytes", "Virtual memory.", usage.virtual_bytes);
	}
	if (usage.open_files > 0)
		gauge(text, "process_open_fds", "Open file descriptors.", usage.open_files);
	if (usage.open_files_max != UINT64_MAX)
		gauge(text, "process_max_fds", "Most open file descriptors.", usage.open_files_max);
}

static void write_batches(struct buffer *text)
{
	uint64_t count = 0;
	head(text, "cubed_commit_writes", "histogram", "Writes per commit.");
	for (unsigned i = 0; i < METER_BATCH_BUCKETS; i++) {
		char bound[16] = "+Inf";
		if (i < METER_BATCH_BUCKETS - 1)
			snprintf(bound, sizeof bound, "%u", 1u << i);
		count += meter_sum(METER_BATCH + i);
		buffer_text(text, "cubed_commit_writes_bucket");
		label(text, "{", "le", bound);
		buffer_text(text, "}");
		value(text, count);
	}
	buffer_text(text, "cubed_commit_writes_sum");
	value(text, meter_sum(METER_BATCH_SUM));
	buffer_text(text, "cubed_commit_writes_count");
	value(text, count);
}

static void write_searches(struct buffer *text)
{
	static const char *const bounds[METER_SOLVE_BUCKETS] = {"0.001", "0.01", "0.1", "1",
								"10",    "100",  "+Inf"};
	uint64_t count = 0;
	head(text, "cubed_solve_duration_seconds", "histogram",
	     "Duration of searches for solutions, without cancelled ones.");
	for (unsigned i = 0; i < METER_SOLVE_BUCKETS; i++) {
		count += meter_sum(METER_SOLVE + i);
		buffer_text(text, "cubed_solve_duration_seconds_bucket");
		label(text, "{", "le", bounds[i]);
		buffer_text(text, "}");
		value(text, count);
	}
	buffer_text(text, "cubed_solve_duration_seconds_sum");
	seconds(text, meter_sum(METER_SOLVE_SUM));
	buffer_text(text, "cubed_solve_duration_seconds_count");
	value(text, count);
}

static void write_counters(struct buffer *text)
{
#define METER_WRITE(cell, kind, name, meaning)                                                     \
	head(text, name, kind, meaning);                                                           \
	buffer_text(text, name);                                                                   \
	value(text, meter_sum(cell));
	METER_TABLE(METER_WRITE)
#undef METER_WRITE
}

/* Writes a gauge if it is known, see METER_DISK_FREE. */
static void known_gauge(struct buffer *text, const char *name, const char *meaning, unsigned cell)
{
	const uint64_t sum = meter_sum(cell);
	if (sum > 0)
		gauge(text, name, meaning, sum - 1);
}

/* Writes a limit, unless it is off. */
static void limit_gauge(struct buffer *text, const char *name, const char *meaning, uint64_t limit)
{
	if (limit != LIMIT_OFF)
		gauge(text, name, meaning, limit);
}

static void write_store(struct buffer *text, const struct service *service)
{
	const struct limits *limits = &service->config.limits;
	const enum store_status health = service->store->operations->health(service->store);
	gauge(text, "cubed_store_away", "1 while the database cannot be reached.",
	      health == STORE_AWAY);
	gauge(text, "cubed_store_full", "1 while changes find no room.", health == STORE_FULL);
	gauge(text, "cubed_store_broken",
	      "1 after a failure of the disk: reads only, until the server is restarted.",
	      health == STORE_BROKEN);
	limit_gauge(text, "cubed_store_limit_bytes", "max-store-bytes.", limits->store_bytes);
	known_gauge(text, "cubed_store_disk_free_bytes",
		    "Free space on the disk of an SQLite database.", METER_DISK_FREE);
}

/* Writes the limits of what other gauges count. */
static void write_limits(struct buffer *text, const struct limits *limits)
{
	limit_gauge(text, "cubed_writes_queued_limit", "max-queue.", limits->queue);
	limit_gauge(text, "cubed_request_limit_bytes", "max-request-bytes.", limits->request_bytes);
	limit_gauge(text, "cubed_jobs_queued_limit", "max-jobs.", limits->jobs);
}

/* With the lock. */
static void write_state(struct buffer *text, const struct service *service)
{
	const struct session_cache *session_cache = &service->session_cache;
	struct live_counts live = live_count(service->live);
	gauge(text, "cubed_sessions_in_memory", "Sessions in memory.",
	      HASH_COUNT(session_cache->sessions));
	gauge(text, "cubed_sessions_in_memory_bytes", "Memory that they take.",
	      session_cache->bytes);
	gauge(text, "cubed_writes_queued", "Writes waiting for the disk.", service_writes(service));
	gauge(text, "cubed_request_bytes", "Memory used by large requests and their answers.",
	      budget_bytes(service->budget));
	gauge(text, "cubed_reads_waiting", "Reads of the store waiting for a thread.",
	      pool_waiting(service->readers));
	gauge(text, "cubed_scans_waiting", "Long reads of the store waiting for their turn.",
	      pool_waiting(service->scans));
	gauge(text, "cubed_computations_waiting", "Long computations waiting for their turn.",
	      pool_waiting(service->slow));
	gauge(text, "cubed_requests_pending", "Requests not answered yet.",
	      service_pending(service));
	gauge(text, "cubed_sessions_watched", "Sessions being watched.", live.sessions);
	gauge(text, "cubed_watchers", "Open event streams.", live.subscribers);
	const struct jobs_count jobs = jobs_count(service->jobs);
	gauge(text, "cubed_jobs_queued", "Searches waiting for their turn.", jobs.queued);
	gauge(text, "cubed_jobs_running", "Searches running.", jobs.running);
	gauge(text, "cubed_jobs_kept", "Jobs that can be queried.", jobs.kept);
	gauge(text, "cubed_jobs_kept_bytes", "Memory that they take.", jobs.kept_bytes);
	gauge(text, "cubed_solver_tables_bytes", "Memory of the tables of solvers.",
	      table_cache_bytes(service->table_cache) + kept_cache_count(service->subgroups).bytes);
	gauge(text, "cubed_solver_tables_opening", "Tables of solvers being read or made.",
	      table_cache_openings(service->table_cache));
	gauge(text, "cubed_long_polls", "Requests waiting for an entry.", live.polls);
}

/* Reading the counters needs no lock. */
static void metrics_compute(struct context *ctx)
{
	struct reply *reply = &ctx->request->reply;
	struct buffer *text = &reply->body;
	gauge(text, "cubed_heap_bytes",
	      "Memory that is allocated; what is freed stays resident for "
	      "a while.",
	      heap_bytes());
	write_counters(text);
	write_process(text);
	write_batches(text);
	write_searches(text);
	write_problems(text);
	write_refusals(text);
	write_requests(text);
	write_durations(text);
	reply->status = 200;
	reply->content_type = "text/plain; version=0.0.4; charset=utf-8";
	reply->cache = caching_none;
}

void metrics_handle(struct context *ctx)
{
	struct buffer *text = &ctx->request->reply.body;
	head(text, "cubed_build_info", "gauge", "The version.");
	buffer_text(text, "cubed_build_info{version=\"" CUBE_VERSION "\"} 1\n");
	head(text, "cubed_start_time_seconds", "gauge",
	     "Start time of the process, in seconds since 1970.");
	buffer_text(text, "cubed_start_time_seconds");
	seconds(text, (uint64_t)ctx->service->started_ms * 1000000u);
	head(text, "process_start_time_seconds", "gauge",
	     "Start time of the process, in seconds since 1970.");
	buffer_text(text, "process_start_time_seconds");
	seconds(text, (uint64_t)ctx->service->started_ms * 1000000u);
	known_gauge(text, "cubed_tls_certificate_expiry_timestamp_seconds",
		    "When the certificate expires, or one that signed it, in seconds since 1970.",
		    METER_CERTIFICATE_EXPIRY);
	write_store(text, ctx->service);
	write_limits(text, &ctx->service->config.limits);
	write_state(text, ctx->service);
	ctx_compute(ctx, COST_NS, metrics_compute, NULL);
}
