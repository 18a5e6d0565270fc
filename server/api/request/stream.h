/* stream.h: an answer that is made while it is sent: one piece after the other.
 *
 * A handler that answers many lines calls stream_start(). If the first piece is all, the answer is
 * an ordinary body. Otherwise the sender of the answer asks for the pieces:
 *
 *     answered(request)              the head is complete, reply.stream is set, and the first piece
 *                                    is in stream->piece
 *     serve_more(service, request)   has the next piece made, on another thread (server/api/serve.h)
 *     produced(request)              on any thread that serves or polls, perhaps before serve_more
 *                                    returns: the piece is in stream->piece, and stream->state
 *                                    says what follows
 *
 * The sender consumes a piece (and sets its length to 0, or takes the buffer over and zeroes it)
 * before it asks for the next. A piece has some PIECE_BYTES, or one line if that is longer. Between
 * serve_more() and produced() the request must not be finished; at any other time request_finish()
 * ends the stream, complete or not. The request's body and arena live until then.
 *
 * Before its first byte an answer may be refused for lack of memory. Afterwards its next piece
 * waits, holding no memory for it, until other answers have been read (service_tick()). */
#ifndef SERVER_API_REQUEST_STREAM_H
#define SERVER_API_REQUEST_STREAM_H

#include "server/api/request/context.h"

/* A piece is sent when it has this many bytes. */
#define PIECE_BYTES 32768

/* The time that one piece of many items may take, in ns. */
#define STREAM_PIECE_NS 5000000

enum stream_state {
	STREAM_MORE,
	STREAM_END,   /* this piece is the last one; it may be empty */
	STREAM_BROKEN /* out of memory in the middle: the connection is cut, so that a partial
		       * answer does not look complete */
};

struct stream {
	/* Appends to `piece`; any thread, one at a time. */
	enum stream_state (*next)(struct stream *stream, struct buffer *piece);
	/* Instead of `next`: reads pieces from the store, each in slices of a scan (scan.h). Called
	 * again as long as a slice ends with nothing to send. */
	enum stream_state (*read)(struct stream *stream, struct buffer *piece,
				  struct store_reader *reader);
	/* Instead of a call of `next` on another thread: arranges for stream_produce() to be called
	 * once there is something to send. NULL: pieces need no waiting. */
	void (*wait)(struct stream *stream);
	/* Called before the first piece, on the same thread; it may answer a problem. NULL: nothing. */
	void (*prepare)(struct context *ctx, struct stream *stream);
	/* Frees what is not on the request's arena; NULL: nothing. */
	void (*destroy)(struct stream *stream);
	uint64_t cost_ns;    /* rough cost of the next piece: decides which thread makes it */
	uint64_t prepare_ns; /* rough cost of `prepare` */
	uint64_t length;     /* bytes of all pieces; UINT64_MAX: unknown */
	unsigned status;     /* of the answer; 0: 200 */
	struct buffer piece;
	enum stream_state state;
	bool held_up; /* its next piece waits for memory */
};

/* The memory that the sender holds for a streamed answer, in addition to the piece. */
#define STREAM_SENDER_BYTES PIECE_BYTES

/* The `cost_ns` of a stream of so many items that cost `each_ns`. Many are made on the thread of long
 * computations, one piece at a time, in turn with others. */
uint64_t stream_cost(uint64_t each_ns, uint64_t count);

/* Makes the first piece (for a request without `produced`: all of them) here or on another thread
 * and answers the context: 200, or 503 if out of memory. `stream` is on the request's arena;
 * `next`, `cost_ns` and `length` are set. */
void stream_start(struct context *ctx, struct stream *stream, const char *content_type);

/* The same for a stream with `read`, which may make the reply of the first piece a problem and then
 * returns STREAM_BROKEN. */
void stream_scan(struct context *ctx, struct stream *stream, const char *content_type);

/* Has the next piece made; only while the state is STREAM_MORE. */
void stream_more(struct service *service, struct request *request);

/* Resumes the pieces that have waited for memory, as far as there is some now. With the lock. */
void stream_go_on(struct service *service);

/* Makes the next piece here, for a stream with `wait`. With the lock. */
void stream_produce(struct context *ctx);

/* Ends the stream. Called by request_finish. */
void stream_end(struct stream *stream);

#endif
