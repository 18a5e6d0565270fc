/* cursor.c: lists in pages. */
#include "server/api/request/cursor.h"

#include <stdio.h>

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
	return right || query_problem(ctx, "cursor", "Invalid cursor.",
				      "the next_cursor of an earlier answer", NULL);
}

void cursor_write(struct out *out, uint64_t next)
{
	char cursor[20];
	snprintf(cursor, sizeof cursor, "c%llx", (unsigned long long)next);
	out_key(out, "next_cursor");
	out_string(out, next ? cursor : NULL);
}

void page_begin(struct context *ctx, struct out *out)
{
	out->buffer = &ctx->request->reply.body;
	out_open(out, '{');
	out_key(out, "items");
	out_open(out, '[');
}

void page_end(struct context *ctx, struct out *out, uint64_t next)
{
	out_close(out, ']');
	cursor_write(out, next);
	out_close(out, '}');
	ctx_reply_json(ctx, 200);
}
