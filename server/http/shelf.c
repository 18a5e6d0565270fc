/* shelf.c: responses that are used again.
 *
 * libmicrohttpd copies the name and the value of each header that a response gets, three
 * allocations a header; nearly all answers have the same ones. A response and its headers can be
 * queued any number of times, with a body of one length at one place. So each loop keeps some, by
 * the length of their body; the next answer of that length is copied into one that is free. */
#include "server/http/internal.h"

#include <stdlib.h>
#include <string.h>

/* What one loop keeps at most; when that is full it is thrown away and filled anew. */
#define SHELF_BYTES_MAX ((size_t)1 << 20)

struct kept {
	struct kept *next;
	struct MHD_Response *response;
	size_t length;
	char etag[16]; /* the one it has now; "" for none */
	char body[];
};

static void kept_free(struct kept *kept)
{
	if (kept->response)
		MHD_destroy_response(kept->response);
	free(kept);
}

void shelf_empty(struct shelf *shelf)
{
	for (size_t length = 0; length <= SHELF_LENGTH_MAX; length++)
		while (shelf->free[length]) {
			struct kept *next = shelf->free[length]->next;
			kept_free(shelf->free[length]);
			shelf->free[length] = next;
		}
	shelf->bytes = 0;
}

bool shelf_serves(const struct reply *reply)
{
	return reply->status == MHD_HTTP_OK && reply->content_type == media_type(MEDIA_JSON) &&
	       !reply->stream && !reply->close && !reply->location && !reply->link &&
	       !reply->allow && reply->retry_after_s == 0 && !reply->body.failed &&
	       reply->body.length <= SHELF_LENGTH_MAX &&
	       (!reply->etag || strlen(reply->etag) < sizeof((struct kept *)NULL)->etag);
}

static struct kept *kept_make(const struct reply *reply)
{
	struct kept *kept = malloc(sizeof *kept + reply->body.length);
	if (!kept)
		return NULL;
	*kept = (struct kept){.length = reply->body.length};
	kept->response =
		MHD_create_response_from_buffer(kept->length, kept->body, MHD_RESPMEM_PERSISTENT);
	struct reply plain = {.status = reply->status, .content_type = reply->content_type};
	if (kept->response && reply_add_fields(kept->response, &plain))
		return kept;
	kept_free(kept);
	return NULL;
}

static bool kept_set_etag(struct kept *kept, const char *etag)
{
	if (strcmp(kept->etag, etag) == 0)
		return true;
	if (kept->etag[0])
		MHD_del_response_header(kept->response, "ETag", kept->etag);
	kept->etag[0] = '\0';
	if (etag[0] && MHD_add_response_header(kept->response, "ETag", etag) == MHD_NO)
		return false;
	memcpy(kept->etag, etag, strlen(etag) + 1);
	return true;
}

struct kept *shelf_take(struct shelf *shelf, const struct reply *reply)
{
	struct kept **first = &shelf->free[reply->body.length], *kept = *first;
	if (kept) {
		*first = kept->next;
		shelf->bytes -= sizeof *kept + kept->length;
	} else {
		kept = kept_make(reply);
	}
	if (!kept)
		return NULL;
	if (!kept_set_etag(kept, reply->etag ? reply->etag : "")) {
		kept_free(kept);
		return NULL;
	}
	if (kept->length > 0)
		memcpy(kept->body, reply->body.bytes, kept->length);
	return kept;
}

struct MHD_Response *kept_response(const struct kept *kept)
{
	return kept->response;
}

void shelf_put(struct shelf *shelf, struct kept *kept)
{
	if (shelf->bytes > SHELF_BYTES_MAX)
		shelf_empty(shelf);
	kept->next = shelf->free[kept->length];
	shelf->free[kept->length] = kept;
	shelf->bytes += sizeof *kept + kept->length;
}
