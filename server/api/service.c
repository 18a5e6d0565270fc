/* service.c: creates, polls, stops and frees the service as a whole. */
#include "server/api/service.h"

#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "server/access/secret.h"
#include "server/api/input/input.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/request_log.h"
#include "server/api/routes.h"
#include "server/api/serve.h"
#include "server/api/search/answer_cache.h"
#include "server/api/search/shared_jobs.h"
#include "server/api/search/solve_out.h"
#include "server/search/distances.h"
#include "server/search/jobs.h"
#include "server/search/subgroup_cache.h"
#include "server/search/table_cache.h"
#include "server/threads/priority.h"
#include "server/util/container_of.h"
#include "server/util/heap.h"
#include "server/util/log.h"
#include "server/util/monotonic.h"
#include "server/util/process_usage.h"

/* Enough to hide the disk's latency for cold sessions, and to keep one core for the loop. */
#define READER_THREADS 2
/* One scan runs at a time, so each client has at most one. */
#define SCAN_THREADS 1
/* The most workers; two on one core would only take turns. A client has at most one of each. */
#define WORKER_THREADS 2
#define SLOW_THREADS 2
/* The time that a read may take before it becomes a scan, and a scan before another client's
 * runs. */
#define SLICE_NS 2000000
#define SOLVE_THREADS_MAX 64
/* The largest solving tables that are generated if there is no file: this takes a few seconds at
 * most, or some tenths of a second without threads. */
#define MAKE_BYTES 134217728
#define MAKE_HERE_BYTES 16000000

/* One thread per core, and one more that is reserved for short searches. */
static unsigned solve_threads(const struct config *config)
{
	const unsigned set = config->solve_threads, count = set > 0 ? set : process_cores() + 1;
	/* The last one is for short searches: the first long one would occupy a single thread. */
	return count < 2 ? 2 : count < SOLVE_THREADS_MAX ? count : SOLVE_THREADS_MAX;
}

static unsigned worker_threads(unsigned cores)
{
	return cores < WORKER_THREADS ? cores : WORKER_THREADS;
}

static const struct nodes *nodes_of_module;

void service_nodes_set(const struct nodes *nodes)
{
	nodes_of_module = nodes;
}

static bool create_pools(struct service *service, bool threads)
{
	struct pool_options options = {.store = service->store,
				       .completions = &service->completions,
				       .slice_ns = threads ? SLICE_NS : 0,
				       .cores = process_cores(),
				       .clock = monotonic_ns};
	options.threads = threads ? SCAN_THREADS : 0;
	options.priority = POOL_LOW;
	service->scans = pool_create(&options);
	const struct store_operations *store = service->store->operations;
	const unsigned readers = store->readers > 0 ? store->readers : READER_THREADS;
	options.priority = POOL_NORMAL;
	options.threads = threads ? 1 : 0;
	service->feed = service->nodes ? pool_create(&options) : NULL;
	service->poster = service->nodes ? pool_create(&options) : NULL;
	options.threads = threads ? readers : 0;
	options.rest = service->scans;
	service->readers = pool_create(&options);
	options.threads = threads ? worker_threads(options.cores) : 0;
	options.client_threads = 1;
	options.store = NULL;
	options.rest = NULL;
	service->workers = pool_create(&options);
	options.threads = threads ? SLOW_THREADS : 0;
	options.priority = POOL_LOW;
	service->slow = pool_create(&options);
	return service->scans && (!service->nodes || (service->feed && service->poster)) &&
	       service->readers && service->workers && service->slow;
}

/* The readers first: they pass jobs on to the scans. */
static void destroy_pools(struct service *service)
{
	pool_destroy(service->slow);
	pool_destroy(service->workers);
	pool_destroy(service->readers);
	pool_destroy(service->feed);
	pool_destroy(service->poster);
	pool_destroy(service->scans);
}

static struct jobs *create_jobs(struct service *service, bool threads)
{
	const struct config *config = &service->config;
	const struct jobs_options options = {.threads = threads ? solve_threads(config) : 0,
					     .completions = &service->completions,
					     .table_cache = service->table_cache,
					     .warm = !config->tables_late,
					     .queue_max = config->limits.jobs,
					     .client_max = config->limits.address_jobs,
					     .keep_ms = config->limits.job_keep_ms,
					     .bytes_max = config->limits.job_bytes,
					     .write = solve_write,
					     .ended = answer_cache_keep,
					     .context = service};
	return service->table_cache ? jobs_create(&options) : NULL;
}

static struct live *create_live(struct service *service)
{
	const struct live_options options = {.sessions = &service->session_cache,
					     .store = service->store,
					     .readers = service->readers,
					     .poster = service->poster,
					     .elsewhere = service->nodes ? service->nodes->elsewhere
									 : NULL,
					     .limits = &service->config.limits,
					     .waits = !service->inline_jobs};
	return live_create(&options);
}

/* The store's hint; on one of its threads. The loop that wakes asks what it is about. */
static void others_changed(void *context, const uint64_t *keys, size_t count)
{
	struct service *service = context;
	if (nodes_of_module &&
	    nodes_of_module->gate->hint(&service->session_cache.gate, keys, count))
		completions_wake(&service->completions);
}

/* Also on one of its threads. There is nothing left to serve: stops as an operator would stop it. */
static void database_outgrown(void *context)
{
	struct service *service = context;
	atomic_store(&service->outgrown, true);
	kill(getpid(), SIGTERM);
}

/* Sealed with the secret of the database, if other processes use it too. */
static bool create_tickets(struct service *service, struct error *error)
{
	struct store *store = service->store;
	uint8_t secret[HASH_BYTES] = {0};
	enum store_status status = STORE_OK;
	const bool shared = store->operations->secret != NULL;
	if (shared) {
		struct store_reader *reader = store->operations->reader_create(store);
		status = reader ? store->operations->secret(reader, secret) : STORE_NO_MEMORY;
		if (reader)
			store->operations->reader_destroy(reader);
	}
	if (status == STORE_OK)
		service->tickets = tickets_create(shared ? secret : NULL);
	secret_forget(secret, sizeof secret);
	if (!service->tickets)
		error_set(error, "Cannot start: the secret of the database cannot be read.");
	return service->tickets != NULL;
}

static bool open_store(struct service *service, struct error *error)
{
	const struct limits *limits = &service->config.limits;
	const uint64_t queue = limits->queue;
	const struct store_options options = {
		.committed = completions_push_writes,
		.context = &service->completions,
		.queue_max = queue < UINT32_MAX ? (uint32_t)queue : UINT32_MAX,
		.now_ms = wall_ms,
		.bytes_max = limits->store_bytes == LIMIT_OFF ? 0 : limits->store_bytes,
		.wait_ms = service->config.store_wait_ms,
		.lanes = service->config.store_lanes,
		.require_replica = service->config.require_replica,
		.changed = others_changed,
		.changed_context = service,
		.outgrown = database_outgrown,
		.outgrown_context = service};
	service->store = store_open(service->config.store, &options, error);
	if (!service->store)
		return false;
	service->nodes = service->store->operations->changes ? nodes_of_module : NULL;
	if (create_tickets(service, error))
		return true;
	service->store->operations->close(service->store);
	return false;
}

struct service *service_create(const struct config *config, bool threads, struct error *error)
{
	struct service *service = calloc(1, sizeof *service);
	if (!service || !completions_init(&service->completions) ||
	    !session_cache_init(&service->session_cache)) {
		error_set(error, "Cannot start: out of memory or file descriptors.");
		free(service);
		return NULL;
	}
	routes_setup();
	service->routes = routes;
	service->route_count = route_count;
	service->config = *config;
	service->answer = serve_answered;
	service->started_ms = wall_ms();
	service->rates = rates_create();
	service->budget =
		budget_create(config->limits.request_bytes, config->limits.address_request_bytes);
	const bool books = books_open(service);
	service->inline_jobs = !threads;
	error_set(error, "Cannot start: out of memory.");
	if (!service->rates || !service->budget || !books || !secret_setup() ||
	    !open_store(service, error))
		goto no_store;
	priority_set_background((int)config->background_nice);
	const bool pools = create_pools(service, threads);
	service->live = create_live(service);
	service->table_cache = table_cache_create(config->tables_dir, config->large_tables,
						  threads ? MAKE_BYTES : MAKE_HERE_BYTES);
	if (threads && config->tables_dir)
		tables_files_clean(config->tables_dir);
	if (service->table_cache && threads)
		table_cache_set_grow_max(service->table_cache, config->limits.solve_memory);
	service->distances = distances_create();
	service->subgroups = subgroup_cache_create(SUBGROUP_CACHE_BYTES);
	service->jobs = create_jobs(service, threads);
	if (service->nodes && pools)
		service->shared_jobs = service->nodes->jobs->create(service, service->poster);
	if (!pools || !service->live || !service->distances || !service->subgroups ||
	    !service->jobs || (service->nodes && !service->shared_jobs)) {
		error_set(error, "Cannot start the worker threads.");
		goto no_threads;
	}
	const struct session_cache_options cache = {.store = service->store,
						    .readers = service->readers,
						    .feed = service->feed,
						    .gate = service->nodes ? service->nodes->gate
									   : NULL,
						    .bytes_max = config->limits.cache_bytes,
						    .observer = &live_observer,
						    .solves_changed = books_changed,
						    .context = service};
	session_cache_open(&service->session_cache, &cache);
	return service;

no_threads:
	if (service->jobs)
		jobs_stop(service->jobs);
	if (service->shared_jobs)
		service->nodes->jobs->destroy(service->shared_jobs);
	jobs_destroy(service->jobs);
	distances_destroy(service->distances);
	kept_cache_destroy(service->subgroups);
	table_cache_destroy(service->table_cache);
	live_destroy(service->live);
	destroy_pools(service);
	service->store->operations->close(service->store);
no_store:
	budget_destroy(service->budget);
	rates_destroy(service->rates);
	tickets_destroy(service->tickets);
	books_close(service);
	session_cache_finish(&service->session_cache);
	completions_finish(&service->completions);
	free(service);
	return NULL;
}

int service_wake_fd(const struct service *service)
{
	return service->completions.wake;
}

static bool service_poll_once(struct service *service)
{
	struct job *job;
	struct store_write *write;
	/* The lock first, so that writes are completed in the order of their commits. */
	lock_acquire(&service->session_cache.lock);
	completions_take(&service->completions, &job, &write);
	bool found = job || write;
	session_cache_written(&service->session_cache, write);
	if (atomic_load_explicit(&service->session_cache.gate.hinted, memory_order_relaxed) &&
	    atomic_exchange(&service->session_cache.gate.hinted, false))
		live_ask(service->live);
	while (job) {
		struct job *next = job->next;
		job_complete(job);
		job = next;
	}
	lock_release(&service->session_cache.lock);
	live_flush(service->live);
	return found;
}

void service_poll(struct service *service)
{
	/* If jobs run inline, completing one may have submitted another. */
	while (service_poll_once(service) && service->inline_jobs)
		;
}

void service_tick(struct service *service)
{
	request_log_left_out(false);
	if (atomic_load_explicit(&service->held_up_count, memory_order_relaxed) == 0)
		return;
	lock_acquire(&service->session_cache.lock);
	stream_go_on(service);
	lock_release(&service->session_cache.lock);
	if (service->inline_jobs)
		service_poll(service);
}

static void trim_run(struct job *job, struct store_reader *reader)
{
	(void)job;
	(void)reader;
	heap_trim();
}

static void trim_done(struct job *job)
{
	struct service *service = container_of(job, struct service, trim);
	atomic_store(&service->trimming, false);
}

void service_trim(struct service *service)
{
	if (atomic_exchange(&service->trimming, true))
		return;
	service->trim = (struct job){.run = trim_run, .done = trim_done};
	pool_submit(service->slow, &service->trim);
}

void service_flush(struct service *service)
{
	session_cache_flush(&service->session_cache);
}

size_t service_writes(const struct service *service)
{
	return atomic_load_explicit(&service->session_cache.writes, memory_order_relaxed);
}

void service_drain(struct service *service)
{
	atomic_store(&service->draining, true);
}

void service_end_polls(struct service *service)
{
	lock_acquire(&service->session_cache.lock);
	live_stop(service->live);
	lock_release(&service->session_cache.lock);
}

void service_stop(struct service *service)
{
	atomic_store(&service->stopping, true);
	service_end_polls(service);
	lock_acquire(&service->session_cache.lock);
	if (service->shared_jobs)
		service->nodes->jobs->stop(service->shared_jobs);
	lock_release(&service->session_cache.lock);
	table_cache_stop(service->table_cache);
	jobs_stop(service->jobs);
}

void service_listens(struct service *service, uint16_t port)
{
	service->config.listen_port = port;
}

struct live *service_live(const struct service *service)
{
	return service->live;
}

size_t service_pending(const struct service *service)
{
	size_t searching = atomic_load(&service->stopping) ? jobs_count(service->jobs).running : 0;
	return atomic_load(&service->pending) + searching;
}

size_t service_unfinished(const struct service *service)
{
	return service_pending(service) + table_cache_openings(service->table_cache);
}

bool service_outgrown(const struct service *service)
{
	return atomic_load(&service->outgrown);
}

/* Without pending requests no memory is charged. A request that was abandoned at the end of the
 * shutdown's grace period may still hold some: that is not an error. */
static void budget_finish(struct service *service)
{
	const uint64_t left = budget_bytes(service->budget);
	const bool wrong = left > 0 && atomic_load(&service->pending) == 0;
	if (wrong)
		log_event(LOG_ERROR, "request memory was not released", LOG_NUMBER("bytes", left));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
	assert(!wrong);
#endif
	budget_destroy(service->budget);
}

void service_destroy(struct service *service)
{
	table_cache_stop(service->table_cache);
	jobs_stop(service->jobs);
	pool_destroy(service->poster);
	service->poster = NULL;
	if (service->shared_jobs)
		service->nodes->jobs->destroy(service->shared_jobs);
	jobs_destroy(service->jobs);
	distances_destroy(service->distances);
	kept_cache_destroy(service->subgroups);
	table_cache_destroy(service->table_cache);
	destroy_pools(service);
	session_cache_close(&service->session_cache);
	live_destroy(service->live);
	service->store->operations->close(service->store);
	budget_finish(service);
	rates_destroy(service->rates);
	tickets_destroy(service->tickets);
	books_close(service);
	session_cache_finish(&service->session_cache);
	completions_finish(&service->completions);
	free(service);
}
