/* cursor.c: lists in pages. */
#include "server/api/request/cursor.h"

#include <stdio.h>
#include <string.h>

#include "server/api/request/route.h"
#include "server/util/base_path.h"

#define CURSOR_TEXT 20

/* A cursor is "c" and the key to continue from, in hexadecimal without leading zeros. */
bool cursor_read(struct context *ctx, uint64_t *before)
{
	const struct text *cursor = &ctx->query.value[PARAMETER_CURSOR];
	uint64_t key = 0;
	*before = UINT64_MAX;
	if (!cursor->bytes)
		return true;
	bool right = cursor->length >= 2 && cursor->length <= 17 && cursor->bytes[0] == 'c' &&
		     cursor->bytes[1] != '0';
	for (size_t i = 1; right && i < cursor->length; i++) {
		char c = cursor->bytes[i];
		right = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
		key = key << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	*before = key;
	return right || query_problem(ctx, "cursor",
				      "Unknown cursor; send the next_cursor of an earlier answer.",
				      "the next_cursor of an earlier answer", NULL);
}

static void print_cursor(char text[CURSOR_TEXT], uint64_t next)
{
	snprintf(text, CURSOR_TEXT, "c%llx", (unsigned long long)next);
}

/* Returns true if a parameter of the query is a position where a page begins. */
static bool is_position(const char *parameter, size_t length)
{
	const char *equals = memchr(parameter, '=', length);
	const size_t name = equals ? (size_t)(equals - parameter) : length;
	return (name == 6 && memcmp(parameter, "cursor", name) == 0) ||
	       (name == 5 && memcmp(parameter, "after", name) == 0);
}

/* Copies part of the target; what may not be in a Link is escaped. */
static char *copy_escaped(char *to, const char *from, size_t length)
{
	static const char digits[] = "0123456789ABCDEF";
	for (size_t i = 0; i < length; i++) {
		const unsigned char byte = (unsigned char)from[i];
		if (byte > ' ' && byte < 0x7f && byte != '<' && byte != '>' && byte != '"') {
			*to++ = from[i];
			continue;
		}
		*to++ = '%';
		*to++ = digits[byte >> 4];
		*to++ = digits[byte & 15];
	}
	return to;
}

void cursor_link(struct context *ctx, uint64_t next)
{
	const struct request *request = ctx->request;
	const char *end = request->target + request->target_length;
	if (next == 0 || strcmp(ctx->route->method, "GET") != 0)
		return;
	char *link = ctx_alloc(ctx,
			       strlen(base_path()) + request->target_length * 3 + CURSOR_TEXT + 32),
	     *to = link;
	if (!link)
		return;
	const char *at = memchr(request->target, '?', request->target_length);
	char separator = '?';
	*to++ = '<';
	to = stpcpy(to, base_path());
	to = copy_escaped(to, request->target, (size_t)((at ? at : end) - request->target));
	while (at && at < end) {
		const char *parameter = at + 1;
		at = memchr(parameter, '&', (size_t)(end - parameter));
		const size_t length = (size_t)((at ? at : end) - parameter);
		if (length == 0 || is_position(parameter, length))
			continue;
		*to++ = separator;
		to = copy_escaped(to, parameter, length);
		separator = '&';
	}
	char cursor[CURSOR_TEXT];
	print_cursor(cursor, next);
	snprintf(to, CURSOR_TEXT + 24, "%ccursor=%s>; rel=\"next\"", separator, cursor);
	ctx->request->reply.link = link;
}

/* The member `next_cursor`, null for 0, and for GET the Link. */
static void cursor_write(struct context *ctx, struct out *out, uint64_t next)
{
	char cursor[CURSOR_TEXT];
	print_cursor(cursor, next);
	out_member_string(out, "next_cursor", next ? cursor : NULL);
	cursor_link(ctx, next);
}

void page_begin(struct context *ctx, struct out *out)
{
	out->buffer = &ctx->request->reply.body;
	out_open(out, '{');
	out_member_open(out, "items", '[');
}

void page_end_items(struct context *ctx, struct out *out, uint64_t next)
{
	out_close(out, ']');
	cursor_write(ctx, out, next);
}

void page_end(struct context *ctx, struct out *out, uint64_t next)
{
	page_end_items(ctx, out, next);
	out_close(out, '}');
	ctx_reply_json(ctx, 200);
}
