/* receiver.c: checks what comes from a client, part by part, and makes the plain form of it. */
#include "server/http/receiver.h"

#include <errno.h>
#include <string.h>

/* The longest line of a chunked body, and the longest trailer. */
#define LINE_BYTES_MAX HEAD_BYTES_MAX
/* Bytes read at a time while a head is incomplete. */
#define HELD_READ_BYTES 4096
/* The longest plain form of a head, and what may be kept of heads before another one is refused. */
#define PLAIN_HEAD_MAX 1024
#define HEADS_BYTES_MAX ((size_t)32 << 10)
/* Buffers up to this size are kept for the next request. */
#define KEPT_BYTES 2048
/* A size of more digits than these, without leading zeros, is too large for any limit. */
#define CHUNK_DIGITS_MAX 15

/* Bytes that are checked in place: those up to `used` are read, and what libmicrohttpd gets of them
 * is in front, up to `passed`, which is never more. */
struct span {
	char *bytes;
	size_t length, used, passed;
};

static void span_put(struct span *span, const char *bytes, size_t length)
{
	memmove(span->bytes + span->passed, bytes, length);
	span->passed += length;
}

/* Passes on the next bytes as they are, at most `most`; returns their number. */
static size_t span_pass(struct span *span, uint64_t most)
{
	size_t length = span->length - span->used;
	if (length > most)
		length = (size_t)most;
	if (span->passed != span->used)
		memmove(span->bytes + span->passed, span->bytes + span->used, length);
	span->passed += length;
	span->used += length;
	return length;
}

/* Nothing that follows is read. `last` is what libmicrohttpd gets: a request, or the rest of one. */
static bool stop(struct receiver *receiver, struct span *span, struct fault fault, const char *last)
{
	receiver->fault = fault;
	receiver->fault_at = receiver->passed;
	receiver->last = last;
	receiver->part = RECEIVE_STOPPED;
	span->used = span->length;
	return false;
}

static bool stop_body(struct receiver *receiver, struct span *span, const char *detail,
		      const char *last)
{
	return stop(receiver, span, (struct fault){PROBLEM_BAD_REQUEST, detail}, last);
}

/* ---- the parts of a request; each returns false if it needs more bytes ---- */

/* Removes the first bytes of a buffer, which have been passed on. */
static void buffer_drop(struct buffer *buffer, size_t *from)
{
	if (*from == 0)
		return;
	buffer->length -= *from;
	memmove(buffer->bytes, buffer->bytes + *from, buffer->length);
	*from = 0;
}

/* In front of each head that is kept. */
struct kept_head {
	size_t length, plain; /* bytes of the head; of its plain form */
	uint64_t body;        /* as in struct taken_head */
	bool refused;         /* only the lines in front of the fault are kept */
};

static void keep_head(struct receiver *receiver, const struct kept_head *kept, const char *bytes)
{
	receiver->passed++;
	buffer_drop(&receiver->heads, &receiver->heads_from);
	buffer_add(&receiver->heads, kept, sizeof *kept);
	buffer_add(&receiver->heads, bytes, kept->length);
}

/* Keeps the complete head, and overwrites it with its plain form. Returns the length of that; 0 if
 * out of memory. */
static size_t cover_head(struct receiver *receiver, char *bytes)
{
	const struct request_head *head = &receiver->head;
	struct kept_head kept = {.length = head->length,
				 .body = head->chunked ? RECEIVE_CHUNKED : head->body};
	const bool first = receiver->heads.length == receiver->heads_from;
	const size_t at = receiver->heads.length - receiver->heads_from;
	keep_head(receiver, &kept, bytes);
	if (receiver->heads.failed)
		return 0;
	kept.plain = head_cover(head, bytes,
				first                           ? 0
				: head->length < PLAIN_HEAD_MAX ? head->length
								: PLAIN_HEAD_MAX);
	memcpy(receiver->heads.bytes + at, &kept, sizeof kept);
	return kept.plain;
}

static bool receive_head(struct receiver *receiver, struct span *span)
{
	struct request_head *head = &receiver->head;
	char *bytes = span->bytes + span->used;
	const size_t length = span->length - span->used;
	/* Empty lines before a request are ignored (RFC 9112, 2.2). */
	if (head->line == 0 && length >= 2 && bytes[0] == '\r' && bytes[1] == '\n') {
		span->used += 2;
		return true;
	}
	enum head_state state = length > 0 ? head_read(head, bytes, length) : HEAD_INCOMPLETE;
	if (state == HEAD_INCOMPLETE)
		return false;
	if (state == HEAD_COMPLETE &&
	    receiver->heads.length - receiver->heads_from > HEADS_BYTES_MAX) {
		head->fault = (struct fault){PROBLEM_HEAD_LARGE,
					     "Too many large requests were sent before the first "
					     "of them was answered."};
		state = HEAD_REFUSED;
	}
	/* A client that has begun to send the body does not wait for 100 Continue. */
	head->expects &= length == head->length;
	if (state == HEAD_REFUSED)
		keep_head(receiver, &(struct kept_head){.length = head->line, .refused = true},
			  bytes);
	const size_t plain = state == HEAD_REFUSED ? 0 : cover_head(receiver, bytes);
	/* Out of memory: libmicrohttpd gets a request that the exchange does not find here. */
	if (plain == 0)
		return stop(receiver, span, head->fault, HEAD_REFUSAL);
	span_put(span, bytes, plain);
	span->used += head->length;
	receiver->left = head->body;
	receiver->part = head->chunked    ? RECEIVE_CHUNK_SIZE
			 : head->body > 0 ? RECEIVE_BODY
					  : RECEIVE_HEAD;
	*head = (struct request_head){0};
	return true;
}

static bool receive_body(struct receiver *receiver, struct span *span)
{
	receiver->left -= span_pass(span, receiver->left);
	if (receiver->left > 0)
		return false;
	receiver->part = RECEIVE_HEAD;
	return true;
}

/* Returns the next line, without its CR LF; NULL: it is not complete, or a fault. */
static const char *next_line(struct receiver *receiver, struct span *span, size_t *length,
			     const char *last)
{
	const char *line = span->bytes + span->used;
	const size_t left = span->length - span->used;
	const char *end = memchr(line, '\n', left < LINE_BYTES_MAX ? left : LINE_BYTES_MAX);
	if (!end && left < LINE_BYTES_MAX)
		return NULL;
	if (!end) {
		stop_body(receiver, span, "A line of the chunked body is longer than 10240 bytes.",
			  last);
		return NULL;
	}
	if (end == line || end[-1] != '\r') {
		stop_body(receiver, span,
			  "A line of the chunked body ends in a bare LF; it must end in CR LF.",
			  last);
		return NULL;
	}
	*length = (size_t)(end - line) - 1;
	span->used += *length + 2;
	return line;
}

static int hex_digit(char byte)
{
	if (byte >= '0' && byte <= '9')
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/* Returns true if the rest of a line is an extension (RFC 9112, 7.1.1), or nothing. */
static bool is_extension(const char *text, size_t length)
{
	size_t at = 0;
	while (at < length && (text[at] == ' ' || text[at] == '\t'))
		at++;
	if (at == length)
		return length == 0;
	for (size_t i = at; i < length; i++)
		if (((unsigned char)text[i] < 0x20 && text[i] != '\t') || text[i] == 0x7f)
			return false;
	return text[at] == ';';
}

static bool receive_chunk_size(struct receiver *receiver, struct span *span)
{
	static const char last[] = "0\r\n\r\n";
	size_t length, at = 0;
	const char *line = next_line(receiver, span, &length, last);
	if (!line)
		return false;
	while (at < length && line[at] == '0')
		at++;
	const size_t zeros = at;
	receiver->left = 0;
	for (; at < length && hex_digit(line[at]) >= 0; at++)
		if (at - zeros < CHUNK_DIGITS_MAX)
			receiver->left = receiver->left * 16 + (uint64_t)hex_digit(line[at]);
	if (at - zeros > CHUNK_DIGITS_MAX)
		return stop(receiver, span,
			    (struct fault){PROBLEM_BODY_LARGE, "A chunk of the body is too large."},
			    last);
	if (at == 0 || !is_extension(line + at, length - at))
		return stop_body(receiver, span,
				 "A chunk must begin with its size in hexadecimal digits.", last);
	/* The size without leading zeros: not longer than it was. */
	span_put(span, receiver->left ? line + zeros : "0", receiver->left ? at - zeros : 1);
	span_put(span, "\r\n", 2);
	receiver->trailer = 0;
	receiver->part = receiver->left ? RECEIVE_CHUNK : RECEIVE_TRAILER;
	return true;
}

static bool receive_chunk(struct receiver *receiver, struct span *span)
{
	receiver->left -= span_pass(span, receiver->left);
	if (receiver->left > 0)
		return false;
	receiver->part = RECEIVE_CHUNK_END;
	return true;
}

static bool receive_chunk_end(struct receiver *receiver, struct span *span)
{
	const char *bytes = span->bytes + span->used;
	const size_t length = span->length - span->used;
	if ((length > 0 && bytes[0] != '\r') || (length > 1 && bytes[1] != '\n'))
		return stop_body(receiver, span, "A chunk must be followed by CR LF.",
				 "\r\n0\r\n\r\n");
	if (length < 2)
		return false;
	span_pass(span, 2);
	receiver->part = RECEIVE_CHUNK_SIZE;
	return true;
}

/* Nobody reads trailers: they are checked and left out. */
static bool receive_trailer(struct receiver *receiver, struct span *span)
{
	static const char last[] = "\r\n";
	size_t length;
	const char *line = next_line(receiver, span, &length, last);
	if (!line)
		return false;
	if (length == 0) {
		span_put(span, "\r\n", 2);
		receiver->part = RECEIVE_HEAD;
		return true;
	}
	receiver->trailer += length;
	const char *fault = field_line_fault(line, length);
	if (fault)
		return stop_body(receiver, span, fault, last);
	if (receiver->trailer > LINE_BYTES_MAX)
		return stop(receiver, span,
			    (struct fault){PROBLEM_HEAD_LARGE,
					   "The request's trailer is longer than 10240 bytes."},
			    last);
	return true;
}

static bool receive_stopped(struct receiver *receiver, struct span *span)
{
	(void)receiver;
	span->used = span->length;
	return false;
}

static void check_span(struct receiver *receiver, struct span *span)
{
	static bool (*const parts[])(struct receiver *, struct span *) = {
		[RECEIVE_HEAD] = receive_head,
		[RECEIVE_BODY] = receive_body,
		[RECEIVE_CHUNK_SIZE] = receive_chunk_size,
		[RECEIVE_CHUNK] = receive_chunk,
		[RECEIVE_CHUNK_END] = receive_chunk_end,
		[RECEIVE_TRAILER] = receive_trailer,
		[RECEIVE_STOPPED] = receive_stopped,
	};
	while (parts[receiver->part](receiver, span))
		;
}

/* ---- from the source to libmicrohttpd ---- */

static void buffer_keep_small(struct buffer *buffer)
{
	buffer->length = 0;
	if (buffer->capacity > KEPT_BYTES)
		buffer_free(buffer);
}

/* Passes on what is held and checked, then what ends a fault; returns the number of bytes. */
static size_t pass_held(struct receiver *receiver, char *bytes, size_t most)
{
	size_t length = receiver->held_checked - receiver->held_from;
	if (length > most)
		length = most;
	if (length > 0)
		memcpy(bytes, receiver->held.bytes + receiver->held_from, length);
	receiver->held_from += length;
	if (receiver->held_from == receiver->held.length && receiver->held.length > 0) {
		buffer_keep_small(&receiver->held);
		receiver->held_from = receiver->held_checked = 0;
	}
	while (receiver->last && receiver->last[0] && length < most &&
	       receiver->held_from == receiver->held_checked)
		bytes[length++] = *receiver->last++;
	return length;
}

/* Checks what was received behind what is held. */
static void check_held(struct receiver *receiver)
{
	struct buffer *held = &receiver->held;
	struct span span = {.bytes = held->bytes + receiver->held_checked,
			    .length = held->length - receiver->held_checked};
	check_span(receiver, &span);
	memmove(span.bytes + span.passed, span.bytes + span.used, span.length - span.used);
	receiver->held_checked += span.passed;
	held->length -= span.used - span.passed;
}

/* Reads to where libmicrohttpd wants it, behind what it gets already; checks it there, and holds
 * back what is incomplete. */
static ssize_t read_through(struct receiver *receiver, const struct receive_source *source,
			    char *bytes, size_t most, size_t *done)
{
	struct span span = {.bytes = bytes + *done};
	const ssize_t count = source->read(source->from, span.bytes, most);
	if (count <= 0)
		return count;
	span.length = (size_t)count;
	check_span(receiver, &span);
	if (span.used < span.length)
		buffer_add(&receiver->held, span.bytes + span.used, span.length - span.used);
	*done += span.passed;
	return count;
}

static ssize_t read_behind_held(struct receiver *receiver, const struct receive_source *source)
{
	receiver->held_checked -= receiver->held_from;
	buffer_drop(&receiver->held, &receiver->held_from);
	char *room = buffer_room(&receiver->held, HELD_READ_BYTES);
	if (!room)
		return 0;
	const ssize_t count = source->read(source->from, room, HELD_READ_BYTES);
	if (count <= 0)
		return count;
	receiver->held.length += (size_t)count;
	check_held(receiver);
	return count;
}

ssize_t receiver_read(struct receiver *receiver, const struct receive_source *source, void *bytes,
		      size_t most)
{
	size_t done = 0;
	bool empty = false; /* the source, as far as it is known */
	for (;;) {
		done += pass_held(receiver, (char *)bytes + done, most - done);
		if (done == most || (done > 0 && empty))
			return (ssize_t)done;
		if (receiver->part == RECEIVE_STOPPED) {
			errno = EAGAIN;
			return done > 0 ? (ssize_t)done : source->again;
		}
		const bool behind = receiver->held.length > 0;
		const size_t wanted = behind ? HELD_READ_BYTES : most - done;
		const ssize_t count = behind ? read_behind_held(receiver, source)
					     : read_through(receiver, source, bytes, wanted, &done);
		/* Out of memory: the stream ends. */
		if (receiver->held.failed)
			return 0;
		if (count <= 0)
			return done > 0 ? (ssize_t)done : count;
		empty = !source->short_is_empty || (size_t)count < wanted;
	}
}

/* ---- to the exchange ---- */

void receiver_finish(struct receiver *receiver)
{
	buffer_free(&receiver->held);
	buffer_free(&receiver->heads);
}

bool receiver_take(struct receiver *receiver, struct request *request, size_t length,
		   struct taken_head *taken)
{
	struct buffer *heads = &receiver->heads;
	struct kept_head kept;
	*taken = (struct taken_head){0};
	if (receiver->taken == receiver->passed)
		return false;
	receiver->taken++;
	if (heads->failed)
		return false;
	memcpy(&kept, heads->bytes + receiver->heads_from, sizeof kept);
	char *bytes = arena_alloc(&request->arena, kept.length + 1);
	if (!bytes || (!kept.refused && kept.plain != length))
		return false;
	memcpy(bytes, heads->bytes + receiver->heads_from + sizeof kept, kept.length);
	receiver->heads_from += sizeof kept + kept.length;
	if (receiver->heads_from == heads->length) {
		buffer_keep_small(heads);
		receiver->heads_from = 0;
	}
	if (kept.refused)
		taken->fault = receiver->fault;
	taken->body = kept.body;
	return kept.length == 0 || head_fields(request, bytes, kept.length);
}

struct fault receiver_body_fault(const struct receiver *receiver)
{
	return receiver->fault_at == receiver->taken ? receiver->fault : (struct fault){0};
}
