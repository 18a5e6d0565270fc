/* response_pool.c: responses that are reused.
 *
 * libmicrohttpd copies the name and the value of each header of a response, three allocations a
 * header, and nearly all answers have the same headers. A response can be queued any number of
 * times, with a body of fixed length at a fixed place. So each loop keeps responses by the length
 * of their body; the next answer of that length is copied into a free one. They have a Date of
 * their own: the library would format the time for each answer. Measured, processor time of the
 * server for each request on one loop: GET of a session 7.1 us instead of 7.7, POST of a move 8.6
 * instead of 9.2. */
#include "server/http/http_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "server/api/request/problem.h"
#include "server/api/steps/caching.h"

/* Most bytes that a loop keeps; then all are freed, and it starts again. */
#define RESPONSE_POOL_BYTES_MAX ((size_t)1 << 20)
/* The usual Retry-After of a server that is busy. */
#define BUSY_RETRY_AFTER_S 1

struct pooled_response {
	struct pooled_response *next;
	struct MHD_Response *response;
	size_t length;
	unsigned kind;
	uint64_t date_number; /* of its Date; 0: none */
	char etag[40];        /* its present one; "": none */
	char request_id[REQUEST_ID_MAX + 1];
	char rate_limit[64], rate_policy[64];
	char body[];
};

static void pooled_response_free(struct pooled_response *pooled_response)
{
	if (pooled_response->response)
		MHD_destroy_response(pooled_response->response);
	free(pooled_response);
}

void response_pool_empty(struct response_pool *response_pool)
{
	struct pooled_response **list = &response_pool->free[0][0];
	for (size_t i = 0; i < RESPONSE_POOL_KINDS * (RESPONSE_POOL_LENGTH_MAX + 1); i++)
		while (list[i]) {
			struct pooled_response *next = list[i]->next;
			pooled_response_free(list[i]);
			list[i] = next;
		}
	response_pool->bytes = 0;
}

static bool fits(const char *text, size_t room)
{
	return !text || strlen(text) < room;
}

/* Returns the kind of usual headers that it has; RESPONSE_POOL_KINDS: others. */
static unsigned response_pool_kind(const struct reply *reply)
{
	if (reply->problem == 1 + PROBLEM_BUSY)
		return reply->vary || reply->cache || reply->retry_after_s != BUSY_RETRY_AFTER_S
			       ? RESPONSE_POOL_KINDS
			       : RESPONSE_BUSY;
	if (reply->status != MHD_HTTP_OK || reply->content_type != media_type(MEDIA_JSON) ||
	    reply->retry_after_s > 0)
		return RESPONSE_POOL_KINDS;
	if (!reply->cache)
		return reply->vary ? RESPONSE_POOL_KINDS : RESPONSE_UNKEPT;
	return reply->cache == caching_private && reply->vary ? RESPONSE_REVALIDATED
							      : RESPONSE_POOL_KINDS;
}

bool response_pool_serves(const struct reply *reply)
{
	return response_pool_kind(reply) < RESPONSE_POOL_KINDS &&
	       (!reply->vary_origin || !reply->allow_origin) && !reply->stream &&
	       !reply->encoding && !reply->close && !reply->location && !reply->link &&
	       !reply->accept_ranges && !reply->allow && !reply->replayed && !reply->minimal &&
	       !reply->body.failed && reply->body.length <= RESPONSE_POOL_LENGTH_MAX &&
	       fits(reply->etag, sizeof((struct pooled_response *)NULL)->etag) &&
	       fits(reply->rate_limit, sizeof((struct pooled_response *)NULL)->rate_limit) &&
	       fits(reply->rate_policy, sizeof((struct pooled_response *)NULL)->rate_policy);
}

static struct pooled_response *pooled_response_make(const struct reply *reply)
{
	struct pooled_response *pooled_response =
		malloc(sizeof *pooled_response + reply->body.length);
	if (!pooled_response)
		return NULL;
	*pooled_response = (struct pooled_response){.length = reply->body.length,
						    .kind = response_pool_kind(reply)};
	pooled_response->response = MHD_create_response_from_buffer(
		pooled_response->length, pooled_response->body, MHD_RESPMEM_PERSISTENT);
	struct reply plain = {.status = reply->status,
			      .retry_after_s = reply->retry_after_s,
			      .content_type = reply->content_type,
			      .cache = reply->cache,
			      .vary = reply->vary,
			      .vary_origin = reply->vary_origin,
			      .allow_origin = reply->allow_origin};
	if (pooled_response->response && reply_add_fields(pooled_response->response, &plain, NULL))
		return pooled_response;
	pooled_response_free(pooled_response);
	return NULL;
}

/* Replaces the header's value, of which `present` is a copy; "" and NULL: the header is not there. */
static bool pooled_response_set(struct pooled_response *pooled_response, const char *name,
				char *present, const char *value)
{
	value = value ? value : "";
	if (strcmp(present, value) == 0)
		return true;
	if (present[0])
		MHD_del_response_header(pooled_response->response, name, present);
	present[0] = '\0';
	if (value[0] && MHD_add_response_header(pooled_response->response, name, value) == MHD_NO)
		return false;
	memcpy(present, value, strlen(value) + 1);
	return true;
}

/* The current second as in RFC 9110, 5.6.7. */
static void response_pool_update_date(struct response_pool *response_pool, int64_t now_ms)
{
	struct timespec now;
	struct tm parts;
	if (now_ms < response_pool->date_due_ms)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &parts);
	strftime(response_pool->date, sizeof response_pool->date, "%a, %d %b %Y %H:%M:%S GMT",
		 &parts);
	response_pool->date_due_ms = now_ms + 1000 - now.tv_nsec / 1000000;
	response_pool->date_number++;
}

static bool pooled_response_set_date(struct pooled_response *pooled_response,
				     const struct response_pool *response_pool)
{
	if (pooled_response->date_number == response_pool->date_number)
		return true;
	pooled_response->date_number = response_pool->date_number;
	/* Replaces the previous Date. */
	return MHD_add_response_header(pooled_response->response, "Date", response_pool->date) ==
	       MHD_YES;
}

struct pooled_response *response_pool_get(struct loop *loop, const struct reply *reply,
					  const char *request_id)
{
	struct response_pool *response_pool = &loop->response_pool;
	struct pooled_response **first =
		&response_pool->free[response_pool_kind(reply)][reply->body.length];
	struct pooled_response *pooled_response = *first;
	response_pool_update_date(response_pool, loop->now_ms);
	if (pooled_response) {
		*first = pooled_response->next;
		response_pool->bytes -= sizeof *pooled_response + pooled_response->length;
	} else {
		pooled_response = pooled_response_make(reply);
	}
	if (!pooled_response)
		return NULL;
	if (!pooled_response_set_date(pooled_response, response_pool) ||
	    !pooled_response_set(pooled_response, "ETag", pooled_response->etag, reply->etag) ||
	    !pooled_response_set(pooled_response, "X-Request-Id", pooled_response->request_id,
				 request_id) ||
	    !pooled_response_set(pooled_response, "RateLimit", pooled_response->rate_limit,
				 reply->rate_limit) ||
	    !pooled_response_set(pooled_response, "RateLimit-Policy", pooled_response->rate_policy,
				 reply->rate_policy)) {
		pooled_response_free(pooled_response);
		return NULL;
	}
	if (pooled_response->length > 0)
		memcpy(pooled_response->body, reply->body.bytes, pooled_response->length);
	return pooled_response;
}

struct MHD_Response *pooled_response_mhd(const struct pooled_response *pooled_response)
{
	return pooled_response->response;
}

void response_pool_put(struct response_pool *response_pool, struct pooled_response *pooled_response)
{
	if (response_pool->bytes > RESPONSE_POOL_BYTES_MAX)
		response_pool_empty(response_pool);
	struct pooled_response **first =
		&response_pool->free[pooled_response->kind][pooled_response->length];
	pooled_response->next = *first;
	*first = pooled_response;
	response_pool->bytes += sizeof *pooled_response + pooled_response->length;
}
