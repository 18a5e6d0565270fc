/* batch.h: many cubes in one request: the lines of an NDJSON body, or the items of an array.
 *
 * An array is read in place, one item after the other: a tree of all of it would take up to a
 * hundred times the memory of the body, for as long as the answer is read. Only if batch_list()
 * does not recognize the body is it parsed as a whole.
 *
 * Each cube has an inner request with its own arena and reply: code that reports problems writes
 * them there, and they take the place of the cube's output. Sessions are refused: they are read
 * only on the loop's thread.
 *
 * A line is {"cube": {...}}, as the body of a request for one cube, or the cube alone. Blank lines
 * are skipped. */
#ifndef SERVER_API_INPUT_BATCH_H
#define SERVER_API_INPUT_BATCH_H

#include "server/api/input/cube.h"
#include "server/api/request/stream.h"
#include "server/util/error.h"

struct batch {
	struct context *ctx;
	struct json_value *array; /* parsed; NULL: the body is lines, or a list */
	struct json_value *one;   /* the only cube; NULL: there is a list of them */
	bool list;                /* the items of the array are read in place */
	const char *pointer;      /* of the array */
	size_t at;                /* bytes of the body, or items, consumed so far */
	size_t number;            /* of the last cube: its line or item, from 1 */
	uint64_t byte_ns;         /* cost of a byte of a line outside of moves */
	int size;                 /* of the largest cube whose moves a line may have */
};

struct batch_item {
	struct request request;
	struct context ctx;
	struct input_cube cube;
	size_t number;
	const char *pointer;       /* of the cube; "" if it is the whole line */
	struct json_value *object; /* of a parsed array */
	bool listed;               /* the request's body is the text of an array's item */
};

/* Returns true if the body looks like {"cubes": [{...}, {...}]}; `name` is "\"cubes\"". Then the
 * items can be read. They are not checked yet: if one is wrong, the whole body may not be valid
 * JSON. */
MUST_USE bool batch_list(struct batch *batch, const char *name);

/* Takes the next cube; false if there is none. Any thread, one at a time. */
MUST_USE bool batch_next(struct batch *batch, struct batch_item *item);

/* Cost of the next cube, in ns. Items of a parsed array come from a body of ordinary size: 0. */
uint64_t batch_cost(const struct batch *batch);

/* Returns true if an item's line is no larger than a body may be; otherwise answers 413 for it. */
MUST_USE bool batch_line_fits(struct context *ctx);
/* Reads the cube into item->cube, without making it. False with a problem in the item's reply. */
MUST_USE bool batch_read(struct batch_item *item);

void batch_item_finish(struct batch_item *item);

/* {"line": 3, "error": problem} and a line break; reads the item's number and reply. */
void batch_error_write(const struct batch_item *item, struct buffer *out);

/* Makes the item's problem that of the whole request; for lines, with `line`. */
void batch_refuse(struct batch *batch, struct batch_item *item);

/* A stream over a batch: `write` appends what one cube makes, `begin` what comes before the first
 * and `end` what follows the last (NULL: nothing). */
struct batch_stream {
	struct stream stream; /* first */
	struct batch batch;
	void (*write)(struct batch_stream *stream, struct batch_item *item, struct buffer *piece);
	void (*begin)(struct batch_stream *stream, struct buffer *piece);
	void (*end)(struct batch_stream *stream, struct buffer *piece);
	bool begun;
	void *data; /* the handler's */
};

/* Answers the context with the stream. `batch`, `write`, `begin`, `end`, `data` and stream.length
 * must be set. */
void batch_stream_start(struct batch_stream *stream, const char *content_type);

#endif
