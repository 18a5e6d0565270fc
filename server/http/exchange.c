/* exchange.c: a request from its first byte to its answer: callbacks of libmicrohttpd.
 *
 *     exchange_target     the request line arrived
 *     exchange_handle     first call: the head arrived; then for each piece of the body; then for its
 *                         end; then again and again while the answer is awaited
 *     exchange_completed  the answer is sent, or the connection is lost
 *
 * An answer queued in the first call closes the connection, so only a broken head is answered
 * there. Between two requests a connection has no exchange. */
#include "server/http/event_streams.h"

#include <stdlib.h>
#include <string.h>

#include "server/api/metrics.h"
#include "server/api/request/problem.h"
#include "server/api/request_log.h"
#include "server/api/serve.h"
#include "server/api/steps/origin.h"
#include "server/api/steps/request_memory.h"
#include "server/util/log.h"

/* Memory allocated at once for a body of declared length; a client that declares more must send it
 * first. */
#define BODY_FIRST_BYTES 65536
/* A body of declared length up to this is in the request's own memory. */
#define BODY_SMALL_BYTES 512
/* The time that libmicrohttpd polls for an answer. */
#define SUSPEND_MS 10
/* And for how many connections of a loop at a time. */
#define AWAITING_MOST 512
/* The time after a refusal for which computations are taken to wait for longer than that. */
#define PRESSED_MS 100

#define BODY_LARGE                                                                                 \
	"The body is larger than body_bytes, or than batch_bytes where it is lines (see "          \
	"/v1/limits)."

void *exchange_target(void *context, const char *uri, struct MHD_Connection *mhd)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	struct connection *connection = info->socket_context;
	(void)context;
	(void)uri;
	if (!connection)
		return NULL;
	connection->stage = STAGE_HEAD;
	idler_unlist(connection->loop->http->addresses, &connection->idler);
	atomic_store_explicit(&connection->answer, ANSWER_PENDING, memory_order_relaxed);
	return connection;
}

/* On the thread that completed the answer. */
static void exchange_answered(struct request *request)
{
	struct connection *connection = request->owner;
	if (atomic_exchange(&connection->answer, ANSWER_MADE) == ANSWER_AWAITED)
		inbox_push_answered(connection->loop, connection);
}

static void body_end(struct connection *connection)
{
	if (!connection->body_small)
		buffer_free(&connection->body);
	connection->body = (struct buffer){0};
	connection->body_small = false;
}

static void exchange_finish(struct connection *connection)
{
	if (connection->stage >= STAGE_SERVED && !connection->watches)
		count_add(&connection->loop->serving, (size_t)-1);
	connection->watches = false;
	if (connection->stage > STAGE_HEAD)
		request_finish(&connection->request);
	body_end(connection);
	if (connection->pooled_response)
		response_pool_put(&connection->loop->response_pool, connection->pooled_response);
	connection->pooled_response = NULL;
	connection->stage = STAGE_NONE;
}

void exchange_arrived(struct connection *connection)
{
	struct loop *loop = connection->loop;
	connection->awaited = false;
	if (connection->lost) {
		exchange_finish(connection);
		connection->lost = false;
		if (connection->closed)
			free(connection);
		return;
	}
	loop->run_daemon = true;
	if (connection->suspended)
		MHD_resume_connection(connection->mhd);
	else
		loop->awaiting--;
	connection->suspended = false;
}

static enum MHD_Result exchange_refuse(struct connection *connection)
{
	connection->stage = STAGE_REFUSED;
	connection->request.reply.close = true;
	connection->linger = true;
	metrics_answered(NULL, &connection->request.reply, 0);
	request_log(&connection->request, NULL, 0);
	return reply_queue(connection);
}

static enum MHD_Result exchange_reply(struct connection *connection)
{
	connection->stage = STAGE_REPLIED;
	const struct reply *reply = &connection->request.reply;
	if (reply->subscriber && reply->problem == 0 && event_sender_admits(connection)) {
		if (connection->loop->http->tls)
			return event_sender_tunnel(connection);
		event_sender_seat(connection);
		return MHD_NO;
	}
	enum MHD_Result result = reply_queue(connection);
	/* A complete answer needs nothing of its request, and the client may take long to read
	 * it. */
	if (!connection->request.reply.stream) {
		body_end(connection);
		arena_finish(&connection->request.arena);
	}
	return result;
}

/* Allocates memory for a body of declared length. */
static void body_begin(struct connection *connection, uint64_t length)
{
	struct buffer *body = &connection->body;
	if (length <= BODY_SMALL_BYTES) {
		body->bytes = arena_alloc(&connection->request.arena, (size_t)length);
		connection->body_small = body->bytes != NULL;
		body->capacity = connection->body_small ? (size_t)length : 0;
	}
	if (connection->body_small)
		return;
	body->charge = connection->request.account;
	buffer_room(body, length < BODY_FIRST_BYTES ? (size_t)length : BODY_FIRST_BYTES);
}

static void request_begin(struct connection *connection)
{
	struct request *request = &connection->request;
	struct peer peer = request->peer, local = request->local;
	request_init(request);
	arena_begin(&request->arena, connection->first, sizeof connection->first);
	request->arena.charge = request->account;
	request->peer = peer;
	request->local = local;
	request->owner = connection;
	request->answered = exchange_answered;
	request->produced = chunked_body_produced;
}

/* Takes the head that receive.c has checked. False: libmicrohttpd has read another one. */
static bool exchange_take_head(struct connection *connection, struct taken_head *taken)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	if (receiver_take(&connection->receiver, &connection->request, info ? info->header_size : 0,
			  taken))
		return true;
	log_event(LOG_ERROR, "a request was dropped: its head could not be checked");
	request_finish(&connection->request);
	return false;
}

static enum MHD_Result exchange_head(struct connection *connection)
{
	struct request *request = &connection->request;
	struct taken_head taken;
	request_begin(connection);
	if (!exchange_take_head(connection, &taken))
		return MHD_NO;
	origin_allow(connection->loop->http->config, request);
	request_identify(request);
	if (taken.fault.detail) {
		problem_answer(request, taken.fault.type, taken.fault.detail);
		return exchange_refuse(connection);
	}
	request_memory_open(connection->loop->http->service, request);
	connection->body_max = serve_body_max(connection->loop->http->config,
					      request->header[HEADER_CONTENT_TYPE]);
	const bool declared = taken.body != RECEIVE_CHUNKED;
	if (declared && taken.body > connection->body_max) {
		problem_answer(request, PROBLEM_BODY_LARGE, BODY_LARGE);
		return exchange_refuse(connection);
	}
	if (declared && !request_memory_admits(request, taken.body))
		return exchange_refuse(connection);
	connection->stage = STAGE_BODY;
	if (taken.body > 0) {
		body_begin(connection, taken.body);
		connection_wait(connection, WAIT_BODY);
	}
	return MHD_YES;
}

/* If out of memory, what came of the body is not needed. */
static void body_drop(struct connection *connection)
{
	struct buffer *body = &connection->body;
	if (connection->body_small)
		return;
	buffer_free(body);
	body->failed = true;
}

/* A chunked body exceeds the limit. In this state libmicrohttpd accepts no answer. */
static void exchange_refuse_body(struct connection *connection)
{
	struct request *request = &connection->request;
	problem_answer(request, PROBLEM_BODY_LARGE, BODY_LARGE);
	request->reply.close = true;
	connection->linger = true;
	metrics_answered(NULL, &request->reply, 0);
	request_log(request, NULL, 0);
	if (!connection->loop->http->tls)
		reply_send_raw(connection);
}

static enum MHD_Result exchange_body(struct connection *connection, const char *upload,
				     size_t *upload_size)
{
	struct buffer *body = &connection->body;
	if (*upload_size > connection->body_max - body->length) {
		exchange_refuse_body(connection);
		return MHD_NO;
	}
	buffer_add(body, upload, *upload_size);
	/* The rest is read and dropped, so that the request can be answered. */
	if (body->failed && body->bytes)
		body_drop(connection);
	*upload_size = 0;
	return MHD_YES;
}

/* Suspends a connection that awaits its answer. */
static void exchange_suspend(struct connection *connection)
{
	connection->suspended = true;
	connection->loop->awaiting--;
	MHD_suspend_connection(connection->mhd);
}

/* Returns true if an answer will hardly come while libmicrohttpd would poll for it: that of a computation
 * while others are refused. */
static bool waits_long(const struct connection *connection)
{
	const struct loop *loop = connection->loop;
	return loop->now_ms < loop->pressed_until_ms &&
	       atomic_load_explicit(&connection->request.heeds_leaving, memory_order_relaxed);
}

static enum MHD_Result exchange_serve(struct connection *connection)
{
	struct loop *loop = connection->loop;
	struct request *request = &connection->request;
	const struct fault fault = receiver_body_fault(&connection->receiver);
	if (fault.detail) {
		problem_answer(request, fault.type, fault.detail);
		return exchange_refuse(connection);
	}
	if (!connection->body_small)
		buffer_fit(&connection->body);
	request->body = connection->body.bytes;
	request->body_length = connection->body.length;
	request->began_ns = loop->now_ns;
	connection->stage = STAGE_SERVED;
	count_add(&loop->serving, 1);
	if (connection->body.failed) {
		request_memory_no_memory(request);
		return exchange_reply(connection);
	}
	serve(loop->http->service, request);
	/* From here on another thread may answer; this one continues later. */
	enum answer pending = ANSWER_PENDING;
	if (!atomic_compare_exchange_strong(&connection->answer, &pending, ANSWER_AWAITED)) {
		if (request->reply.problem == 1 + PROBLEM_BUSY)
			loop->pressed_until_ms = loop->now_ms + PRESSED_MS;
		return exchange_reply(connection);
	}
	connection->awaited = true;
	connection_wait(connection, WAIT_SERVICE);
	if (loop->awaiting++ >= AWAITING_MOST || waits_long(connection))
		exchange_suspend(connection);
	return MHD_YES;
}

/* libmicrohttpd asks for an answer that serve() did not give at once. Suspending a connection takes
 * it out of epoll and back: two system calls and a useless read, expensive compared with a 1 ms
 * commit. So it stays among the ready ones and is polled each time the daemon runs, which costs 0.1
 * us; it is suspended only if that takes long, or for many at a time. */
static enum MHD_Result exchange_await(struct connection *connection)
{
	struct loop *loop = connection->loop;
	if (!connection->awaited) {
		/* The answer is written when the daemon runs next. */
		loop->run_daemon = true;
		return exchange_reply(connection);
	}
	if (loop->now_ms - connection->since_ms >= SUSPEND_MS)
		exchange_suspend(connection);
	return MHD_YES;
}

enum MHD_Result exchange_handle(void *context, struct MHD_Connection *mhd, const char *url,
				const char *method, const char *version, const char *upload,
				size_t *upload_size, void **request_context)
{
	struct connection *connection = *request_context;
	(void)context;
	(void)mhd;
	(void)url;
	(void)method;
	(void)version;
	if (!connection)
		return MHD_NO;
	switch (connection->stage) {
	case STAGE_HEAD:
		return exchange_head(connection);
	case STAGE_BODY:
		return *upload_size > 0 ? exchange_body(connection, upload, upload_size)
					: exchange_serve(connection);
	case STAGE_SERVED:
		return exchange_await(connection);
	case STAGE_NONE:
	case STAGE_REFUSED:
	case STAGE_REPLIED:
		break;
	}
	return MHD_NO;
}

void exchange_completed(void *context, struct MHD_Connection *mhd, void **request_context,
			enum MHD_RequestTerminationCode code)
{
	struct connection *connection = *request_context;
	struct loop *loop = context;
	(void)mhd;
	(void)code;
	if (!connection || connection->stage == STAGE_NONE)
		return;
	if (connection->awaited) {
		/* The client disconnected before its answer: the service still uses the request. */
		connection->lost = true;
		if (atomic_load(&connection->request.heeds_leaving))
			serve_left(loop->http->service, &connection->request);
		if (!connection->suspended)
			loop->awaiting--;
		return;
	}
	exchange_finish(connection);
	if (!connection->cut)
		connection_wait(connection, WAIT_IDLE);
}
