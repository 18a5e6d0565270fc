/* batch.h: many cubes in one request: the lines of an NDJSON body, or the items of an array.
 *
 * An array is read where it stands in the body, one item after the other: a tree of all of it
 * would take up to a hundred times the memory of the body, for as long as the answer is read. Only
 * where batch_list() does not know its way about the body is it parsed as a whole.
 *
 * Cubes are taken one after the other. Each has a request of its own inside, with an arena and a
 * reply: what is wrong with a cube is told there by everything that tells problems, and goes where
 * its output would have gone. Stored cubes are refused: they are read on the loop's thread only.
 *
 * A line is {"cube": {...}}, as the body of a request for one cube, or the cube alone. Blank lines
 * are passed over. */
#ifndef SERVER_API_INPUT_BATCH_H
#define SERVER_API_INPUT_BATCH_H

#include "server/api/input/cube.h"
#include "server/api/request/stream.h"

struct batch {
	struct context *ctx;
	struct json_value *array; /* parsed; NULL: the body is lines, or a list */
	bool list;                /* the items of the array are read where they stand */
	const char *pointer;      /* of the array */
	size_t at;                /* bytes of the body, or items, that were taken */
	size_t number;            /* of the cube that was taken last: its line or item, from 1 */
	uint64_t byte_ns;         /* what a byte of a line may cost, if it is not of moves */
	int size;                 /* of the largest cube whose moves a line may have */
};

struct batch_item {
	struct request request;
	struct context ctx;
	struct cube_request cube;
	size_t number;
	const char *pointer;       /* of the cube, "" where it is the line */
	struct json_value *object; /* of a parsed array */
	bool listed;               /* the request's body is the text of an array's item */
};

/* Whether the body is {"cubes": [{...}, {...}]} at first sight; `name` is "\"cubes\"". Then the items
 * can be taken. What is inside of them has not been looked at: if one is wrong, the body may not be
 * JSON at all. */
bool batch_list(struct batch *batch, const char *name);

/* Takes the next one; false where there is none. Any thread, one at a time. */
bool batch_next(struct batch *batch, struct batch_item *item);

/* What the next one may cost, in ns. Items of a parsed array come from a body of ordinary size:
 * little. */
uint64_t batch_cost(const struct batch *batch);

/* Reads its cube into item->cube, not made yet. False with a problem in the item's reply. */
bool batch_read(struct batch_item *item);

void batch_item_finish(struct batch_item *item);

/* {"line": 3, "error": problem} and a line's end; of the item, its number and reply are read. */
void batch_error_write(const struct batch_item *item, struct buffer *out);

/* Makes the item's problem that of the whole request; where the batch is lines, with `line`. */
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

/* Answers the context with it. `batch`, `write`, `begin`, `end`, `data` and stream.length are set. */
void batch_stream_start(struct batch_stream *stream, const char *content_type);

#endif
