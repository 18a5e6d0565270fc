/* encoding.c: Accept-Encoding, and compressing answers. */
#include "server/api/steps/encoding.h"

#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/etag.h"

/* Fast: a tenth of the time of the default level, for a sixth more bytes. */
#define LEVEL 1
/* 8 KiB of text are searched for repetitions, and 96 KiB of memory taken; 16: a header as of gzip. */
#define WINDOW_BITS (13 + 16)
#define MEMORY_LEVEL 7

/* ---- what the client accepts ---- */

/* The weight of a coding in thousandths; -1: the list does not name it. */
static int weight_of(const char *list, const char *coding)
{
	const size_t length = strlen(coding);
	while (*list) {
		list += strspn(list, " \t,");
		const char *end = list + strcspn(list, ",");
		if (strcspn(list, ";, \t") == length && strncasecmp(list, coding, length) == 0)
			return media_weight(list, end);
		list = end;
	}
	return -1;
}

bool encoding_accepted(const struct context *ctx)
{
	const char *list = ctx->request->header[HEADER_ACCEPT_ENCODING];
	if (!list)
		return false;
	int gzip = weight_of(list, "gzip"), identity = weight_of(list, "identity");
	if (gzip < 0)
		gzip = weight_of(list, "x-gzip");
	if (gzip < 0)
		gzip = weight_of(list, "*");
	return gzip > 0 && gzip >= identity;
}

/* ---- compressing ---- */

static bool is_text(const char *type)
{
	return type && (strncmp(type, "text/", 5) == 0 || strstr(type, "json") ||
			strstr(type, "yaml") || strstr(type, "xml"));
}

bool encoding_mark(struct context *ctx)
{
	if (!etag_mark_gzip(ctx))
		return false;
	ctx->request->reply.encoding = "gzip";
	return true;
}

static void *allocate(void *arena, unsigned count, unsigned bytes)
{
	return arena_alloc(arena, (size_t)count * bytes);
}

/* The arena frees it. */
static void leave(void *arena, void *memory)
{
	(void)arena;
	(void)memory;
}

/* On a worker. */
static void encode_run(struct job *job, struct store_reader *reader)
{
	struct context *ctx = ctx_of_job(job);
	struct request *request = ctx->request;
	struct buffer *body = &request->reply.body, packed = {.charge = request->account};
	z_stream stream = {.zalloc = allocate, .zfree = leave, .opaque = &request->arena};
	(void)reader;
	/* If it does not get smaller, it stays. */
	const size_t room = body->length - 1;
	char *bytes = buffer_room(&packed, room);
	if (!bytes || deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
				   Z_DEFAULT_STRATEGY) != Z_OK) {
		buffer_free(&packed);
		return;
	}
	stream.next_in = (unsigned char *)body->bytes;
	stream.avail_in = (unsigned)body->length;
	stream.next_out = (unsigned char *)bytes;
	stream.avail_out = (unsigned)room;
	const bool fits = deflate(&stream, Z_FINISH) == Z_STREAM_END;
	packed.length = room - stream.avail_out;
	deflateEnd(&stream);
	if (!fits || !encoding_mark(ctx)) {
		buffer_free(&packed);
		return;
	}
	buffer_fit(&packed);
	buffer_free(body);
	*body = packed;
}

static void encode_done(struct job *job)
{
	struct context *ctx = ctx_of_job(job);
	ctx->wait.then(ctx);
}

bool encoding_begin(struct context *ctx, void (*then)(struct context *ctx))
{
	const struct reply *reply = &ctx->request->reply;
	if (!ctx->request->header[HEADER_ACCEPT_ENCODING] || reply->status >= 400 ||
	    reply->body.failed || reply->body.length < ENCODING_BYTES_MIN ||
	    reply->body.length > ENCODING_BYTES_MAX || reply->encoding || reply->stream ||
	    !is_text(reply->content_type) || !encoding_accepted(ctx))
		return false;
	ctx->request->left = NULL;
	ctx->wait.then = then;
	ctx->job.run = encode_run;
	ctx->job.done = ctx->job.drop = encode_done;
	pool_submit(ctx->service->workers, &ctx->job);
	return true;
}
