/* tests/fuzz/fuzz_receiver.c: any bytes as what a client sends, for libFuzzer.
 *
 * The first byte chooses the size of the pieces that arrive, the second how much is requested at a
 * time. The plain form must not depend on either, must not be longer than what was sent but for the
 * text that ends a fault, and must pass through a receiver unchanged. The first head, or the lines in
 * front of its fault, are taken apart as the exchange does it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/http/receiver.h"

#define CHECK(condition) ((condition) ? (void)0 : abort())
#define LAST_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct pieces {
	const char *bytes;
	size_t length, at, piece;
};

static ssize_t read_piece(void *from, void *bytes, size_t most)
{
	struct pieces *pieces = from;
	size_t length = pieces->length - pieces->at;
	if (length > pieces->piece)
		length = pieces->piece;
	if (length > most)
		length = most;
	if (length == 0) {
		errno = EAGAIN;
		return -1;
	}
	memcpy(bytes, pieces->bytes + pieces->at, length);
	pieces->at += length;
	return (ssize_t)length;
}

/* Returns the plain form, and whether there was a fault. */
static char *plain_form(const char *bytes, size_t length, size_t piece, size_t most, size_t *count,
			bool *fault)
{
	struct receiver receiver = {0};
	struct pieces pieces = {bytes, length, 0, piece};
	const struct receive_source source = {read_piece, &pieces, -1, true};
	char *plain = malloc(length + LAST_MAX + most);
	ssize_t got = 1;
	CHECK(plain);
	*count = 0;
	while (got > 0 || (pieces.at < length && receiver.part != RECEIVE_STOPPED)) {
		got = receiver_read(&receiver, &source, plain + *count, most);
		*count += got > 0 ? (size_t)got : 0;
		CHECK(*count <= length + LAST_MAX);
	}
	*fault = receiver.part == RECEIVE_STOPPED;
	CHECK(!*fault || receiver.fault.detail);
	receiver_finish(&receiver);
	return plain;
}

static void take_apart(const char *bytes, size_t length)
{
	struct request_head head = {0};
	struct request request;
	const enum head_state state = head_read(&head, bytes, length);
	const size_t kept = state == HEAD_INCOMPLETE ? 0 : head.line;
	if (kept == 0)
		return;
	char *copy = malloc(kept + 1);
	CHECK(copy);
	memcpy(copy, bytes, kept);
	request_init(&request);
	CHECK(head_fields(&request, copy, kept));
	CHECK(strlen(request.method) > 0 && strlen(request.target) <= request.target_length);
	request_finish(&request);
	free(copy);
}

static bool expects(const uint8_t *data, size_t size)
{
	static const char word[] = "100-continue";
	for (size_t at = 0; at + sizeof word - 1 <= size; at++)
		if (strncasecmp((const char *)data + at, word, sizeof word - 1) == 0)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t length, cut_length, again_length;
	bool fault, cut_fault, again_fault;
	/* A request for 100 Continue is passed to libmicrohttpd or not depending on the pieces in
	 * which bytes arrive, so such inputs are left out. */
	if (size < 2 || expects(data, size))
		return 0;
	const char *bytes = (const char *)data + 2;
	take_apart(bytes, size - 2);
	char *plain = plain_form(bytes, size - 2, SIZE_MAX, 1 << 14, &length, &fault);
	char *cut = plain_form(bytes, size - 2, 1 + data[0], 1 + data[1], &cut_length, &cut_fault);
	CHECK(length == cut_length && fault == cut_fault && memcmp(plain, cut, length) == 0);
	char *again = plain_form(plain, length, SIZE_MAX, 1 << 14, &again_length, &again_fault);
	CHECK(!again_fault && again_length == length && memcmp(plain, again, length) == 0);
	free(plain);
	free(cut);
	free(again);
	return 0;
}
