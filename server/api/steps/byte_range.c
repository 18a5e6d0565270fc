/* byte_range.c: reads Range and If-Range, and writes Content-Range. */
#include "server/api/steps/byte_range.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/api/request/problem.h"

#define UNIT "bytes="
#define CONTENT_RANGE_MAX 80

/* Reads a number; one with too many digits is read as the largest. Returns the position after it, or NULL if there is none. */
static const char *read_number(const char *at, uint64_t *number)
{
	const size_t digits = strspn(at, "0123456789");
	*number = strtoull(at, NULL, 10);
	return digits > 0 ? at + digits : NULL;
}

/* Reads "FIRST-LAST", "FIRST-" or "-COUNT" as first and last bytes; `first` is `length` if none of them exists. False: it
 * is none of these. */
static bool read_bytes(const char *at, uint64_t length, uint64_t *first, uint64_t *last)
{
	uint64_t count;
	*last = length - 1;
	if (*at == '-') {
		at = read_number(at + 1, &count);
		*first = at && count < length ? length - count : 0;
		return at && at[strspn(at, " \t")] == '\0';
	}
	at = read_number(at, first);
	if (!at || *at != '-')
		return false;
	if (*++at >= '0' && *at <= '9') {
		at = read_number(at, &count);
		if (count < *first)
			return false;
		*last = count < *last ? count : *last;
	}
	return at[strspn(at, " \t")] == '\0';
}

/* Returns the text of the header; NULL: the whole answer is wanted. */
static const char *wanted(const struct context *ctx)
{
	const char *range = ctx->request->header[HEADER_RANGE];
	const char *only = ctx->request->header[HEADER_IF_RANGE];
	const char *etag = ctx->request->reply.etag;
	if (!range || strcmp(ctx->request->method, "GET") != 0 ||
	    strncasecmp(range, UNIT, strlen(UNIT)) != 0 ||
	    (only && (!etag || strcmp(only, etag) != 0)))
		return NULL;
	range += strlen(UNIT);
	return range + strspn(range, " \t");
}

static bool refuse(struct context *ctx, uint64_t length)
{
	struct reply *reply = &ctx->request->reply;
	char text[CONTENT_RANGE_MAX], detail[160];
	snprintf(detail, sizeof detail,
		 "The range begins behind the end: the answer has %" PRIu64
		 " bytes. Send a range within them, for example bytes=0-%" PRIu64 ".",
		 length, length - 1);
	snprintf(text, sizeof text, "bytes */%" PRIu64, length);
	reply->etag = NULL;
	problem_answer(ctx->request, PROBLEM_RANGE, detail);
	reply->content_range = ctx_reply_text(ctx, text, strlen(text));
	return false;
}

bool byte_range_read(struct context *ctx, uint64_t length, struct byte_range *range)
{
	struct reply *reply = &ctx->request->reply;
	const char *header = wanted(ctx);
	uint64_t first, last;
	char text[CONTENT_RANGE_MAX];
	*range = (struct byte_range){.length = length};
	reply->accept_ranges = true;
	if (!header || !read_bytes(header, length, &first, &last))
		return true;
	if (first >= length || (header[0] == '-' && strtoull(header + 1, NULL, 10) == 0))
		return refuse(ctx, length);
	*range = (struct byte_range){.from = first, .length = last - first + 1, .part = true};
	snprintf(text, sizeof text, "bytes %" PRIu64 "-%" PRIu64 "/%" PRIu64, first, last, length);
	reply->content_range = ctx_reply_text(ctx, text, strlen(text));
	return true;
}
