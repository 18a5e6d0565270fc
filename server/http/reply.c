/* reply.c: the headers of an answer; and answers that are made in advance. */
#include "server/http/http_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/request/problem.h"
#include "server/api/request/stream.h"

struct field {
	const char *name, *value;
};

/* On every answer, errors too. */
static const struct field always[] = {
	{"X-Content-Type-Options", "nosniff"},
	{"Referrer-Policy", "no-referrer"},
};

/* An SVG may be opened as a page: it needs no permissions, and gets none. */
static const char picture_policy[] = "default-src 'none'; sandbox";

#define FIELDS_MAX 31

struct fields {
	struct field list[FIELDS_MAX];
	size_t count;
	char retry_after[16];
};

static void field_add(struct fields *fields, const char *name, const char *value)
{
	if (value && value[0])
		fields->list[fields->count++] = (struct field){name, value};
}

static bool is(const struct reply *reply, enum media media)
{
	return reply->content_type && strcmp(reply->content_type, media_type(media)) == 0;
}

/* Adds the fields that limit what a browser may do with the answer. */
static void add_policy_fields(const struct reply *reply, struct fields *fields)
{
	field_add(fields, "Content-Security-Policy",
		  !reply->policy && is(reply, MEDIA_SVG) ? picture_policy : reply->policy);
	if (!reply->policy || !is(reply, MEDIA_HTML))
		return;
	field_add(fields, "X-Frame-Options", reply->framed ? NULL : "DENY");
	field_add(fields, "Cross-Origin-Opener-Policy", "same-origin");
}

static void add_cors_fields(const struct reply *reply, struct fields *fields)
{
	field_add(fields, "Cross-Origin-Resource-Policy",
		  reply->cross_origin ? "cross-origin" : NULL);
	if (reply->vary || reply->vary_origin)
		field_add(fields, "Vary",
			  !reply->vary         ? "Origin"
			  : reply->vary_origin ? "Accept, Accept-Encoding, Origin"
					       : "Accept, Accept-Encoding");
	if (!reply->allow_origin)
		return;
	field_add(fields, "Access-Control-Allow-Origin", reply->allow_origin);
	field_add(fields, "Access-Control-Expose-Headers",
		  "ETag, Location, Retry-After, Link, RateLimit, RateLimit-Policy, Cubed-Token, "
		  "Idempotent-Replayed, Preference-Applied, X-Request-Id, Content-Range, "
		  "Accept-Ranges");
	if (!reply->cors_preflight)
		return;
	field_add(fields, "Access-Control-Allow-Methods", reply->allow);
	field_add(fields, "Access-Control-Allow-Headers",
		  "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, "
		  "Last-Event-ID, Prefer, X-Request-Id, traceparent");
	field_add(fields, "Access-Control-Allow-Headers", reply->asked_headers);
	field_add(fields, "Access-Control-Max-Age", "86400");
}

static void fields_of(const struct reply *reply, const char *request_id, struct fields *fields)
{
	fields->count = 0;
	field_add(fields, "X-Request-Id", request_id);
	field_add(fields, "Content-Type", reply->content_type);
	field_add(fields, "Content-Encoding", reply->encoding);
	field_add(fields, "Allow", reply->allow);
	field_add(fields, "Location", reply->location);
	field_add(fields, "ETag", reply->etag);
	field_add(fields, "Accept-Ranges",
		  reply->accept_ranges && reply->status < 300 ? "bytes" : NULL);
	field_add(fields, "Content-Range", reply->content_range);
	field_add(fields, "Link", reply->link);
	field_add(fields, "Cubed-Token", reply->token);
	field_add(fields, "Preference-Applied",
		  reply->minimal && reply->status < 300 ? "return=minimal" : NULL);
	field_add(fields, "Idempotent-Replayed", reply->replayed ? "true" : NULL);
	field_add(fields, "WWW-Authenticate", reply->authenticate);
	field_add(fields, "Accept-Encoding", reply->accept_encoding);
	field_add(fields, "RateLimit", reply->rate_limit);
	field_add(fields, "RateLimit-Policy", reply->rate_policy);
	field_add(fields, "Cache-Control", reply->cache ? reply->cache : "no-store");
	add_policy_fields(reply, fields);
	if (reply->retry_after_s) {
		snprintf(fields->retry_after, sizeof fields->retry_after, "%u",
			 reply->retry_after_s);
		field_add(fields, "Retry-After", fields->retry_after);
	}
	for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
		fields->list[fields->count++] = always[i];
	add_cors_fields(reply, fields);
	if (reply->close)
		field_add(fields, "Connection", "close");
}

bool reply_add_fields(struct MHD_Response *response, const struct reply *reply,
		      const char *request_id)
{
	struct fields fields;
	fields_of(reply, request_id, &fields);
	for (size_t i = 0; i < fields.count; i++)
		if (MHD_add_response_header(response, fields.list[i].name, fields.list[i].value) ==
		    MHD_NO)
			return false;
	return true;
}

static struct MHD_Response *response_complete(struct MHD_Response *response,
					      const struct request *request)
{
	if (reply_add_fields(response, &request->reply, request->id))
		return response;
	MHD_destroy_response(response);
	return NULL;
}

static struct MHD_Response *response_stream(struct connection *connection)
{
	const struct stream *stream = connection->request.reply.stream;
	struct MHD_Response *response = chunked_body_response(connection);
	/* libmicrohttpd 0.9.75 writes the end of the chunks of an answer to HEAD, which has none:
	 * the next answer would begin with it. So such an answer is not chunked, and its connection
	 * ends. */
	if (response && stream->length == MHD_SIZE_UNKNOWN &&
	    strcmp(connection->request.method, "HEAD") == 0)
		MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
	return response ? response_complete(response, &connection->request) : NULL;
}

/* The response of a complete answer, of whose body it takes ownership. NULL if out of memory. */
static struct MHD_Response *response_make(struct request *request)
{
	struct MHD_Response *response;
	struct reply *reply = &request->reply;
	if (reply->body.failed)
		return NULL;
	if (reply->body.length > 0)
		response = MHD_create_response_from_buffer_with_free_callback(
			reply->body.length, reply->body.bytes, free);
	else
		response = MHD_create_response_from_buffer(0, (void *)(uintptr_t) "",
							   MHD_RESPMEM_PERSISTENT);
	if (!response)
		return NULL;
	/* The charge counts it until the request is finished, when the answer is sent. */
	if (reply->body.length > 0)
		reply->body = (struct buffer){0};
	return response_complete(response, request);
}

enum MHD_Result reply_queue(struct connection *connection)
{
	const struct http *http = connection->loop->http;
	struct reply *reply = &connection->request.reply;
	connection_wait_reply(connection);
	reply->close = reply->close || atomic_load_explicit(&http->closing, memory_order_relaxed);
	if (response_pool_serves(reply)) {
		connection->pooled_response =
			response_pool_get(connection->loop, reply, connection->request.id);
		if (connection->pooled_response) {
			buffer_free(&reply->body); /* it was copied */
			return MHD_queue_response(connection->mhd, reply->status,
						  pooled_response_mhd(connection->pooled_response));
		}
	}
	struct MHD_Response *response =
		reply->stream ? response_stream(connection) : response_make(&connection->request);
	if (!response)
		return MHD_queue_response(connection->mhd, MHD_HTTP_SERVICE_UNAVAILABLE,
					  http->out_of_memory);
	enum MHD_Result result = MHD_queue_response(connection->mhd, reply->status, response);
	MHD_destroy_response(response);
	return result;
}

void reply_head(struct buffer *head, const struct request *request, const char *reason)
{
	const struct reply *reply = &request->reply;
	struct fields fields;
	char line[64];
	fields_of(reply, request->id, &fields);
	snprintf(line, sizeof line, "HTTP/1.1 %u ", reply->status);
	buffer_text(head, line);
	buffer_text(head, reason);
	for (size_t i = 0; i < fields.count; i++) {
		buffer_text(head, "\r\n");
		buffer_text(head, fields.list[i].name);
		buffer_text(head, ": ");
		buffer_text(head, fields.list[i].value);
	}
	buffer_text(head, "\r\n");
}

/* An answer as bytes, for a connection that libmicrohttpd does not answer. */
static bool raw_reply(struct buffer *raw, const struct request *request, const char *reason)
{
	const struct reply *reply = &request->reply;
	char line[64];
	reply_head(raw, request, reason);
	snprintf(line, sizeof line, "Content-Length: %zu\r\n\r\n", reply->body.length);
	buffer_text(raw, line);
	buffer_add(raw, reply->body.bytes, reply->body.length);
	return !raw->failed && !reply->body.failed;
}

void reply_send_raw(const struct connection *connection)
{
	const struct request *request = &connection->request;
	struct buffer raw = {0};
	if (raw_reply(&raw, request, MHD_get_reason_phrase_for(request->reply.status)))
		raw_send(connection->fd, &raw);
	buffer_free(&raw);
}

static bool raw_make(const struct http *http, struct buffer *raw, enum problem_type type,
		     const char *reason, const char *detail)
{
	struct request request;
	request_init(&request);
	request.reply.allow_origin = http->default_origin;
	problem_answer(&request, type, detail);
	request.reply.close = true;
	bool made = raw_reply(raw, &request, reason);
	request_finish(&request);
	return made;
}

bool reply_open(struct http *http)
{
	struct request request;
	request_init(&request);
	request.reply.allow_origin = http->default_origin;
	problem_answer(&request, PROBLEM_OUT_OF_MEMORY,
		       "There is currently not enough memory for this request.");
	http->out_of_memory = response_make(&request);
	request_finish(&request);
	/* Over TLS nothing can be sent before the handshake. */
	if (http->tls)
		return http->out_of_memory != NULL;
	return http->out_of_memory &&
	       raw_make(
		       http, &http->refuse_total, PROBLEM_BUSY, "Service Unavailable",
		       "The server has reached its limit of connections; try again in a moment.") &&
	       raw_make(http, &http->refuse_address, PROBLEM_BUSY, "Service Unavailable",
			"This address has reached its limit of connections; use the open ones.") &&
	       raw_make(http, &http->refuse_network, PROBLEM_BUSY, "Service Unavailable",
			"This network has reached its limit of connections; use the open ones.");
}

void reply_close(struct http *http)
{
	if (http->out_of_memory)
		MHD_destroy_response(http->out_of_memory);
	buffer_free(&http->refuse_total);
	buffer_free(&http->refuse_address);
	buffer_free(&http->refuse_network);
}
