/* rows.c: GET /v1/rows: rows of random cubes for training, as bytes, as a NumPy file or as lines; made while they are
 * read. A row depends on the seed and its number alone. */
#include <stdio.h>
#include <string.h>

#include "cube/random.h"
#include "server/access/secret.h"
#include "server/api/cubes/npy_head.h"
#include "server/api/cubes/row_labels.h"
#include "server/api/input/input.h"
#include "server/api/input/scramble.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/service_state.h"
#include "server/api/request/stream.h"
#include "server/api/steps/byte_range.h"
#include "server/api/steps/caching.h"
#include "server/api/steps/etag.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

/* Drawing a state, and writing a byte of a row. */
#define STATE_NS 60
#define BYTE_NS 1
#define DIGIT_NS 3

/* Labels of a row that cost more than that are made for a few states at a time. */
#define SLOW_NS 20000
#define SLOW_BLOCK 8

#define WALK_MIN 1
#define WALK_MAX 30

/* The largest number of a first row, which programs of all languages read exactly. */
#define FIRST_MAX INT64_C(1000000000000000)
/* The same of `count`, if no limit is lower. */
#define COUNT_MAX FIRST_MAX

struct rows {
	struct stream stream; /* first */
	enum media media;
	struct row_cubes cubes;
	struct row_columns columns;
	struct row_labels labels;
	uint64_t seed;
	int64_t first, count, made;
	int64_t block; /* rows that are made before the time is looked at */
	char head[NPY_HEAD_MAX + 1];
	size_t head_length;
	size_t skipped; /* bytes of the next piece that are in front of the range */
	uint64_t left;  /* bytes to send; UINT64_MAX: all */
};

static const char *const format_names[] = {"ndjson", "npy", "raw"};
static const enum media format_media[] = {MEDIA_NDJSON, MEDIA_NPY, MEDIA_OCTETS};

#define ROW_FORMATS (sizeof format_names / sizeof format_names[0])

static bool rows_read(struct context *ctx, struct rows *rows);
static bool read_size(struct context *ctx, struct rows *rows);
static bool read_format(struct context *ctx, struct rows *rows);
static bool read_changes(struct context *ctx, struct row_cubes *cubes);
static bool read_count(struct context *ctx, struct rows *rows);
static bool read_walk(struct context *ctx, struct rows *rows);
static bool read_seed(struct context *ctx, struct rows *rows);
static void set_etag(struct context *ctx, const struct rows *rows);
static bool cut_to_range(struct context *ctx, struct rows *rows);
static void rows_prepare(struct context *ctx, struct stream *stream);
static enum stream_state rows_next(struct stream *stream, struct buffer *piece);

void rows_handle(struct context *ctx)
{
	struct rows *rows = ctx_alloc(ctx, sizeof *rows);
	if (rows)
		*rows = (struct rows){.stream = {.next = rows_next,
						 .prepare = rows_prepare,
						 .length = UINT64_MAX},
				      .media = ctx->media,
				      .cubes = {.size = 3},
				      .left = UINT64_MAX,
				      .count = 1};
	if (!rows || !rows_read(ctx, rows)) {
		ctx_answer(ctx);
		return;
	}
	const bool lines = rows->media == MEDIA_NDJSON;
	const uint64_t count = (uint64_t)rows->count, row_bytes = rows->columns.row_bytes;
	if (rows->media == MEDIA_NPY)
		rows->head_length = row_columns_head(&rows->columns, count, rows->head);
	const uint64_t label_ns = row_labels_cost(&rows->labels, &rows->cubes);
	const size_t states = row_cubes_states(&rows->cubes);
	rows->block = (int64_t)((label_ns > SLOW_NS ? SLOW_BLOCK : ROW_BLOCK) / states);
	if (rows->block == 0)
		rows->block = 1;
	rows->stream.cost_ns = stream_cost(
		STATE_NS * states + label_ns + row_bytes * (lines ? DIGIT_NS : BYTE_NS), count);
	rows->stream.prepare_ns = row_labels_prepare_cost(&rows->labels, &rows->cubes);
	ctx->request->reply.cache = caching_none;
	if (ctx->query.value[PARAMETER_SEED].bytes) {
		ctx->request->reply.cache = caching_pure;
		set_etag(ctx, rows);
	}
	if (etag_unchanged(ctx) || (!lines && !cut_to_range(ctx, rows))) {
		ctx_answer(ctx);
		return;
	}
	stream_start(ctx, &rows->stream, media_type(rows->media));
}

static bool rows_read(struct context *ctx, struct rows *rows)
{
	return read_size(ctx, rows) && read_changes(ctx, &rows->cubes) && read_count(ctx, rows) &&
	       query_integer(ctx, PARAMETER_FIRST, 0, FIRST_MAX, &rows->first) &&
	       read_seed(ctx, rows) && read_walk(ctx, rows) && read_format(ctx, rows) &&
	       row_columns_read(ctx, &rows->cubes, &rows->columns) &&
	       row_labels_read(ctx, &rows->cubes, &rows->columns, &rows->labels);
}

static bool read_size(struct context *ctx, struct rows *rows)
{
	const struct text *size = &ctx->query.value[PARAMETER_SIZE];
	rows->cubes.size = size->bytes && text_is(*size, "2") ? 2 : 3;
	return rows->cubes.size == 2 || !size->bytes || text_is(*size, "3") ||
	       query_problem(ctx, "size",
			     "Rows are of a 2x2x2 or 3x3x3; send size=2 or size=3, or ask GET "
			     "/v1/states for states of other sizes.",
			     "size 2 or 3, or no size for 3", "3");
}

static bool read_changes(struct context *ctx, struct row_cubes *cubes)
{
	static const struct json_place place = {.parameter = "symmetry"};
	static const char *const names[] = {"none", "random"};
	const struct text *name = &ctx->query.value[PARAMETER_SYMMETRY];
	uint8_t is_random = 0;
	bool children = false;
	if (name->bytes &&
	    !input_place_choice(ctx, &place, *name, "symmetry", names, 2, &is_random))
		return false;
	if (!query_bool(ctx, PARAMETER_CHILDREN, &children))
		return false;
	cubes->symmetric = is_random;
	if (children)
		cubes->children = cubes->size == 2 ? CUBE_ACTIONS_2 : CUBE_ACTIONS;
	return true;
}

/* Children count as rows. */
static bool read_count(struct context *ctx, struct rows *rows)
{
	const uint64_t limit = ctx->service->config.limits.rows;
	const uint64_t states = row_cubes_states(&rows->cubes);
	const uint64_t most = limit / states;
	char detail[160];
	if (most > 0)
		return query_integer(ctx, PARAMETER_COUNT_OF, 1,
				     most < COUNT_MAX ? (int64_t)most : COUNT_MAX, &rows->count);
	snprintf(detail, sizeof detail,
		 "A row and its children are %llu rows, and this server sends %llu in a request; "
		 "send no children.",
		 (unsigned long long)states, (unsigned long long)limit);
	return query_problem(ctx, "children", detail, "false, or no children", "false");
}

/* The parameter takes precedence over Accept. */
static bool read_format(struct context *ctx, struct rows *rows)
{
	static const struct json_place place = {.parameter = "format"};
	const struct text *name = &ctx->query.value[PARAMETER_FORMAT];
	uint8_t index;
	if (!name->bytes)
		return true;
	if (!input_place_choice(ctx, &place, *name, "format", format_names, ROW_FORMATS, &index))
		return false;
	rows->media = format_media[index];
	return true;
}

/* Reads a number of one or two digits. Returns the position after it, or NULL if there is none. */
static const char *read_turns(const char *at, int *turns)
{
	const size_t digits = strspn(at, "0123456789");
	*turns = 0;
	for (size_t i = 0; i < digits && i < 2; i++)
		*turns = *turns * 10 + (at[i] - '0');
	return digits == 1 || digits == 2 ? at + digits : NULL;
}

/* "20", or "1..26". */
static bool read_walk(struct context *ctx, struct rows *rows)
{
	const struct text *walk = &ctx->query.value[PARAMETER_WALK];
	if (!walk->bytes)
		return true;
	const char *at = read_turns(walk->bytes, &rows->cubes.shortest);
	rows->cubes.longest = rows->cubes.shortest;
	if (at && strncmp(at, "..", 2) == 0)
		at = read_turns(at + 2, &rows->cubes.longest);
	if (at == walk->bytes + walk->length && WALK_MIN <= rows->cubes.shortest &&
	    rows->cubes.shortest <= rows->cubes.longest && rows->cubes.longest <= WALK_MAX)
		return true;
	return query_problem(ctx, "walk",
			     "Must be the length of the walk in turns, or the shortest and the "
			     "longest, from 1 to 30: for example 20 or 1..26.",
			     "turns from 1 to 30, such as 20 or 1..26; no walk for uniform states",
			     NULL);
}

/* A number in decimal digits below 2^64, as it is printed. */
static bool is_number(struct text text, uint64_t *number)
{
	*number = 0;
	for (size_t i = 0; i < text.length; i++) {
		const unsigned digit = (unsigned)(text.bytes[i] - '0');
		if (digit > 9 || *number > (UINT64_MAX - digit) / 10)
			return false;
		*number = *number * 10 + digit;
	}
	return text.length == 1 || text.bytes[0] != '0';
}

/* A number is the seed that cube/batch.h takes; another text is mixed into one. */
static bool read_seed(struct context *ctx, struct rows *rows)
{
	static const struct json_place place = {.parameter = "seed"};
	const struct text *seed = &ctx->query.value[PARAMETER_SEED];
	struct scramble_request request = {0};
	struct cube_seeded seeded;
	if (!seed->bytes) {
		secret_random(&rows->seed, sizeof rows->seed);
		return true;
	}
	if (!scramble_read_seed(ctx, *seed, &place, &request))
		return false;
	if (is_number(*seed, &rows->seed))
		return true;
	cube_seeded_init(&seeded, seed->bytes, seed->length);
	rows->seed = cube_seeded_next(&seeded);
	return true;
}

/* The bytes follow from the request, so that their hash is not needed. */
static void set_etag(struct context *ctx, const struct rows *rows)
{
	const uint64_t numbers[] = {rows->media,
				    rows->seed,
				    (uint64_t)rows->first,
				    (uint64_t)rows->count,
				    (uint64_t)rows->cubes.shortest,
				    (uint64_t)rows->cubes.longest,
				    rows->cubes.symmetric,
				    rows->cubes.children,
				    rows->columns.id};
	const struct etag_state state = etag_of_hash(etag_add(0, numbers, sizeof numbers));
	etag_reply(ctx, &state);
}

/* Limits the answer to the bytes of the request's Range. Returns false, after a problem, if no byte is in it. Rows without a
 * seed differ each time, so they are always sent whole. */
static bool cut_to_range(struct context *ctx, struct rows *rows)
{
	const uint64_t row_bytes = rows->columns.row_bytes, head = rows->head_length;
	struct byte_range range = {.length = head + (uint64_t)rows->count * row_bytes};
	if (ctx->query.value[PARAMETER_SEED].bytes && !byte_range_read(ctx, range.length, &range))
		return false;
	rows->stream.length = rows->left = range.length;
	rows->stream.status = range.part ? 206 : 200;
	rows->skipped = range.from;
	if (range.from >= head) {
		rows->head_length = 0;
		rows->made = (int64_t)((range.from - head) / row_bytes);
		rows->skipped = (range.from - head) % row_bytes;
	}
	return true;
}

static void rows_prepare(struct context *ctx, struct stream *stream)
{
	struct rows *rows = container_of(stream, struct rows, stream);
	row_labels_prepare(ctx, &rows->cubes, &rows->labels);
}

static void make_block(struct rows *rows, struct buffer *piece)
{
	const int64_t left = rows->count - rows->made;
	uint8_t labels[ROW_LABELS][ROW_BLOCK];
	struct row_block block;
	block.count = left < rows->block ? (size_t)left : (size_t)rows->block;
	row_labels_make(&rows->labels, &rows->cubes, rows->seed,
			(uint64_t)(rows->first + rows->made), labels, &block);
	(rows->media == MEDIA_NDJSON ? row_columns_lines : row_columns_bytes)(&rows->columns,
									      &block, piece);
	rows->made += (int64_t)block.count;
}

static enum stream_state rows_next(struct stream *stream, struct buffer *piece)
{
	struct rows *rows = container_of(stream, struct rows, stream);
	const uint64_t due_ns = monotonic_ns() + STREAM_PIECE_NS;
	buffer_add(piece, rows->head, rows->head_length);
	rows->head_length = 0;
	do
		make_block(rows, piece);
	while (rows->made < rows->count && piece->length < PIECE_BYTES && !piece->failed &&
	       monotonic_ns() < due_ns);
	if (rows->left == UINT64_MAX || piece->failed)
		return rows->made < rows->count ? STREAM_MORE : STREAM_END;
	if (rows->skipped > 0) {
		piece->length -= rows->skipped;
		memmove(piece->bytes, piece->bytes + rows->skipped, piece->length);
		rows->skipped = 0;
	}
	if (piece->length > rows->left)
		piece->length = rows->left;
	rows->left -= piece->length;
	return rows->left > 0 ? STREAM_MORE : STREAM_END;
}
