/* stream.h: an answer that is made while it is read: pieces, one after the other.
 *
 * A handler that answers many lines hangs a stream on its reply (stream_begin) and answers the
 * work; `reply.body` is then empty. Whoever sends the answer asks for the pieces:
 *
 *     answered(request)              the head is complete; reply.stream is set
 *     stream_more(service, request)  has the next piece made, on another thread
 *     produced(request)              on any thread that serves or polls, perhaps before stream_more
 *                                    returns: the piece is in stream->piece, and stream->state
 *                                    tells what follows
 *
 * The sender takes the bytes of a piece away (and sets its length to 0, or takes the buffer over
 * and zeroes it) before it asks for the next. A piece has some PIECE_BYTES, or one line where that
 * is longer. Between stream_more() and produced() the request must not be finished; at any other
 * time request_finish() ends the stream, read to its end or not. The request's body and arena live
 * until then. */
#ifndef SERVER_STREAM_H
#define SERVER_STREAM_H

#include "server/api/work.h"

/* A piece is sent when it has this many bytes. */
#define PIECE_BYTES 32768

enum stream_state {
	STREAM_MORE,
	STREAM_END,   /* the piece that was made is the last one; it may be empty */
	STREAM_BROKEN /* memory ran out in the middle: the connection is cut, so that nobody takes
			 what came for the whole */
};

struct stream {
	/* Appends to `piece`; any thread, one at a time. */
	enum stream_state (*next)(struct stream *stream, struct buffer *piece);
	/* Frees what does not hang on the request's arena; NULL: nothing. */
	void (*destroy)(struct stream *stream);
	uint64_t cost_ns; /* roughly, of the next piece: decides which thread makes it */
	uint64_t length;  /* bytes of all pieces; UINT64_MAX: not known beforehand */
	struct buffer piece;
	enum stream_state state;
};

/* Makes the reply 200 with this stream for its body; `stream` lives on the request's arena. */
void stream_begin(struct work *work, struct stream *stream, const char *content_type);

/* Has the next piece made; only while the state is STREAM_MORE. */
void stream_more(struct service *service, struct request *request);

/* Ends it. Called by request_finish. */
void stream_end(struct stream *stream);

#endif
