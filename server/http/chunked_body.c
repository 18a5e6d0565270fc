/* chunked_body.c: answers that are made while they are read (server/api/request/stream.h).
 *
 * libmicrohttpd asks for bytes when the client has room for them. It gets the rest of the piece; if
 * there is none, the next piece is requested, and the connection is suspended until it is made. So
 * at most one piece waits for a slow client. */
#include "server/http/http_internal.h"

#include <string.h>

#include "server/api/request/stream.h"
#include "server/api/serve.h"

void chunked_body_produced(struct request *request)
{
	struct connection *connection = request->owner;
	if (atomic_exchange(&connection->answer, ANSWER_MADE) == ANSWER_AWAITED)
		inbox_push_answered(connection->loop, connection);
}

/* False: the piece comes later; the connection is suspended. */
static bool pieces_next(struct connection *connection)
{
	enum answer pending = ANSWER_PENDING;
	connection->piece_sent = 0;
	atomic_store(&connection->answer, ANSWER_PENDING);
	serve_more(connection->loop->http->service, &connection->request);
	if (!atomic_compare_exchange_strong(&connection->answer, &pending, ANSWER_AWAITED))
		return true;
	connection->awaited = connection->suspended = true;
	connection_wait(connection, WAIT_SERVICE);
	MHD_suspend_connection(connection->mhd);
	return false;
}

static ssize_t pieces_read(void *context, uint64_t position, char *bytes, size_t most)
{
	struct connection *connection = context;
	struct stream *stream = connection->request.reply.stream;
	(void)position;
	if (connection->waiting != WAIT_REPLY)
		connection_wait_piece(connection);
	while (connection->piece_sent == stream->piece.length) {
		stream->piece.length = 0;
		if (stream->state == STREAM_END)
			return MHD_CONTENT_READER_END_OF_STREAM;
		if (stream->state == STREAM_BROKEN)
			return MHD_CONTENT_READER_END_WITH_ERROR;
		if (!pieces_next(connection))
			return 0;
	}
	size_t left = stream->piece.length - connection->piece_sent;
	size_t length = left < most ? left : most;
	memcpy(bytes, stream->piece.bytes + connection->piece_sent, length);
	connection->piece_sent += length;
	return (ssize_t)length;
}

struct MHD_Response *chunked_body_response(struct connection *connection)
{
	const struct stream *stream = connection->request.reply.stream;
	connection->piece_sent = 0;
	return MHD_create_response_from_callback(stream->length, PIECE_BYTES, pieces_read,
						 connection, NULL);
}
