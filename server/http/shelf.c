/* shelf.c: responses that are used again.
 *
 * libmicrohttpd copies the name and the value of each header that a response gets, three
 * allocations a header; nearly all answers have the same ones. A response and its headers can be
 * queued any number of times, with a body of one length at one place. So each loop keeps some, by
 * the length of their body; the next answer of that length is copied into one that is free. They
 * bring their own Date: the library would take the time apart for each answer. */
#include "server/http/internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What one loop keeps at most; when that is full it is thrown away and filled anew. */
#define SHELF_BYTES_MAX ((size_t)1 << 20)
/* Bodies' memory that one loop keeps: of that many requests at a time. */
#define SPARES_MAX 512

/* In the first bytes of memory of BUFFER_FIRST_BYTES, of malloc. */
struct spare {
	struct spare *next;
};

struct kept {
	struct kept *next;
	struct MHD_Response *response;
	size_t length;
	uint64_t date_number; /* of the Date it has; 0: none */
	char etag[40];        /* the one it has now; "" for none */
	char *etag_copy;      /* the library's, of the same length; NULL: none */
	char body[];
};

static void kept_free(struct kept *kept)
{
	if (kept->response)
		MHD_destroy_response(kept->response);
	free(kept);
}

struct buffer shelf_spare(struct shelf *shelf)
{
	struct spare *spare = shelf->spares;
	if (!spare)
		return (struct buffer){0};
	shelf->spares = spare->next;
	shelf->spare_count--;
	return (struct buffer){.bytes = (char *)spare, .capacity = BUFFER_FIRST_BYTES};
}

void shelf_spare_put(struct shelf *shelf, struct buffer *body)
{
	if (body->capacity != BUFFER_FIRST_BYTES || shelf->spare_count >= SPARES_MAX) {
		buffer_free(body);
		return;
	}
	struct spare *spare = (struct spare *)(void *)body->bytes;
	spare->next = shelf->spares;
	shelf->spares = spare;
	shelf->spare_count++;
	*body = (struct buffer){0};
}

static void spares_free(struct shelf *shelf)
{
	while (shelf->spares) {
		struct buffer body = shelf_spare(shelf);
		buffer_free(&body);
	}
}

void shelf_empty(struct shelf *shelf)
{
	spares_free(shelf);
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
	       !reply->vary_origin &&
	       !reply->stream && !reply->close && !reply->location && !reply->link &&
	       !reply->allow && !reply->replayed && reply->retry_after_s == 0 && !reply->body.failed &&
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
	struct reply plain = {.status = reply->status,
			      .content_type = reply->content_type,
			      .allow_origin = reply->allow_origin};
	if (kept->response && reply_add_fields(kept->response, &plain))
		return kept;
	kept_free(kept);
	return NULL;
}

static enum MHD_Result find_etag(void *context, enum MHD_ValueKind kind, const char *name,
				 const char *value)
{
	(void)kind;
	if (strcmp(name, "ETag") != 0)
		return MHD_YES;
	*(char **)context = (char *)(uintptr_t)value;
	return MHD_NO;
}

/* Mostly the new one is as long as the one before. Then it is written over the library's copy of
 * that, which nobody reads now: to delete and to add a header is six times libc's memory. */
static bool kept_set_etag(struct kept *kept, const char *etag)
{
	const size_t length = strlen(etag);
	if (strcmp(kept->etag, etag) == 0)
		return true;
	if (kept->etag_copy && strlen(kept->etag) == length) {
		memcpy(kept->etag_copy, etag, length);
		memcpy(kept->etag, etag, length);
		return true;
	}
	if (kept->etag[0])
		MHD_del_response_header(kept->response, "ETag", kept->etag);
	kept->etag[0] = '\0';
	kept->etag_copy = NULL;
	if (length == 0)
		return true;
	if (MHD_add_response_header(kept->response, "ETag", etag) == MHD_NO)
		return false;
	MHD_get_response_headers(kept->response, find_etag, &kept->etag_copy);
	memcpy(kept->etag, etag, length + 1);
	return true;
}

/* The second that it is now, as RFC 9110, 5.6.7, wants it. */
static void shelf_look_at_clock(struct shelf *shelf, int64_t now_ms)
{
	struct timespec now;
	struct tm parts;
	if (now_ms < shelf->date_due_ms)
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &parts);
	strftime(shelf->date, sizeof shelf->date, "%a, %d %b %Y %H:%M:%S GMT", &parts);
	shelf->date_due_ms = now_ms + 1000 - now.tv_nsec / 1000000;
	shelf->date_number++;
}

static bool kept_set_date(struct kept *kept, const struct shelf *shelf)
{
	if (kept->date_number == shelf->date_number)
		return true;
	kept->date_number = shelf->date_number;
	/* It takes the place of the one before: there is one Date. */
	return MHD_add_response_header(kept->response, "Date", shelf->date) == MHD_YES;
}

struct kept *shelf_take(struct loop *loop, const struct reply *reply)
{
	struct shelf *shelf = &loop->shelf;
	struct kept **first = &shelf->free[reply->body.length], *kept = *first;
	shelf_look_at_clock(shelf, loop->now_ms);
	if (kept) {
		*first = kept->next;
		shelf->bytes -= sizeof *kept + kept->length;
	} else {
		kept = kept_make(reply);
	}
	if (!kept)
		return NULL;
	if (!kept_set_date(kept, shelf) || !kept_set_etag(kept, reply->etag ? reply->etag : "")) {
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
