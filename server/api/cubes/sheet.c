/* sheet.c: GET /v1/sheet: the scrambles of a round as a page to print, made while it is read. It needs
 * no script and fetches nothing. */
#include <stdio.h>
#include <string.h>

#include "cube/cube.h"
#include "server/api/cubes/scramble_series.h"
#include "server/api/input/picture.h"
#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/stream.h"
#include "server/api/steps/caching.h"
#include "server/util/container_of.h"
#include "server/util/html.h"
#include "server/util/monotonic.h"
#include "server/util/utf8.h"

/* The scrambles of an average of five, and its extras. */
#define COUNT_USUAL 5
#define EXTRAS_USUAL 2
#define TITLE_BYTES_MAX 200

/* Longer scrambles are in lines of so many moves each, with the moves below each other, so that a
 * scrambler finds the place again. */
#define FLOWING_MAX 30
#define LINE_MOVES 10
#define MOVE_BYTES 32

/* Beside more moves than that there is room for a larger picture. */
#define TALL_MIN 50

struct sheet {
	struct stream stream; /* first */
	struct context *ctx;
	struct scramble_series series;
	struct cube_picture picture;
	uint8_t *shown;
	int64_t made;
};

static bool read_title(struct context *ctx);
static void sheet_prepare(struct context *ctx);
static void sheet_start(struct context *ctx);
static enum stream_state sheet_next(struct stream *stream, struct buffer *piece);
static void write_begin(struct sheet *sheet, struct buffer *to);
static void write_row(struct sheet *sheet, struct buffer *to);
static void write_moves(struct sheet *sheet, size_t count, struct buffer *to);
static void write_picture(struct sheet *sheet, struct buffer *to);
static void sheet_destroy(struct stream *stream);

/* Its own styles are allowed, and nothing else. */
static const char sheet_policy[] =
	"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
	"form-action 'none'; frame-ancestors 'none'; sandbox";

/* A4 and Letter have room for it; a row that is taller than a page is all that breaks. */
static const char style[] =
	"@page{margin:12mm 10mm 14mm;@bottom-right{content:counter(page) \" / \" counter(pages);"
	"font:9pt sans-serif;color:#444}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;max-width:190mm;padding:6mm 3mm;font:11pt/1.35 sans-serif;"
	"color:#000;background:#fff}\n"
	"h1{margin:0;font-size:17pt;line-height:1.2;overflow-wrap:anywhere}\n"
	"p{margin:1mm 0 0}\n"
	".hold,.seed{font-size:9.5pt;color:#333;overflow-wrap:anywhere}\n"
	"table{width:100%;margin-top:3mm;border-collapse:collapse}\n"
	"thead{display:table-header-group}\n"
	"tr{break-inside:avoid}\n"
	"th,td{border:.3mm solid #555;padding:1.6mm 2mm;vertical-align:middle}\n"
	"thead th{padding:1mm 2mm;background:#eee;font-size:9.5pt;text-align:left}\n"
	"tbody th{width:12mm;font-size:15pt;text-align:center}\n"
	"td.moves{font:13pt/1.5 monospace}\n"
	"td.moves.long{font-size:11.5pt;line-height:1.35}\n"
	"td.moves div{white-space:pre;padding:0 1mm}\n"
	"td.moves div:nth-child(even){background:#e9e9e9}\n"
	"td.cube{width:0;padding:1mm;text-align:center}\n"
	"svg{display:block;width:38mm;height:auto;margin:auto}\n"
	"td.tall svg{width:50mm}\n"
	"tr.first-extra>*{border-top:1.2mm double #555}\n"
	"@media print{body{max-width:none;padding:0}"
	"*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n"
	"@media screen and (max-width:150mm){svg,td.tall svg{width:27mm}"
	"td.moves,td.moves.long{font-size:10pt;overflow-wrap:anywhere}"
	"td.moves div{white-space:normal}}\n";

void sheet_handle(struct context *ctx)
{
	struct sheet *sheet = ctx_alloc(ctx, sizeof *sheet);
	if (sheet)
		*sheet = (struct sheet){.stream = {.next = sheet_next,
						   .destroy = sheet_destroy,
						   .length = UINT64_MAX},
					.ctx = ctx};
	if (!sheet || !series_read(ctx, &sheet->series, COUNT_USUAL, EXTRAS_USUAL) ||
	    !read_title(ctx)) {
		ctx_answer(ctx);
		return;
	}
	cube_picture_init(&sheet->picture, CUBE_PICTURE_NET);
	const uint64_t cost_ns = series_cost(&sheet->series) +
				 picture_text_cost(&sheet->picture, (int)sheet->series.size);
	sheet->stream.cost_ns =
		stream_cost(cost_ns, (uint64_t)(sheet->series.count + sheet->series.extras));
	ctx->data = sheet;
	ctx_compute(ctx, cost_ns, sheet_prepare, sheet_start);
}

/* One line of text. */
static bool read_title(struct context *ctx)
{
	const struct text title = ctx->query.value[PARAMETER_TITLE];
	bool plain = title.length <= TITLE_BYTES_MAX;
	for (size_t i = 0; i < title.length && plain; i++)
		plain = (unsigned char)title.bytes[i] >= ' ' && title.bytes[i] != 0x7f;
	return !title.bytes || (plain && utf8_valid(title.bytes, title.length)) ||
	       query_problem(ctx, "title",
			     "The title must be one line of up to 200 bytes of UTF-8.",
			     "a title such as Spring Open 2027, first round", NULL);
}

/* May wait for tables. */
static void sheet_prepare(struct context *ctx)
{
	struct sheet *sheet = ctx->data;
	sheet->shown = ctx_alloc(ctx, cube_facelets((int)sheet->series.size));
	if (sheet->shown)
		(void)series_prepare(ctx, &sheet->series);
}

static void sheet_start(struct context *ctx)
{
	struct sheet *sheet = ctx->data;
	struct reply *reply = &ctx->request->reply;
	reply->cache = sheet->series.request.seed.bytes ? caching_pure : caching_none;
	if (reply->status != 0) {
		sheet_destroy(&sheet->stream);
		ctx_answer(ctx);
		return;
	}
	reply->policy = sheet_policy;
	stream_start(ctx, &sheet->stream, media_type(ctx->media));
}

static enum stream_state sheet_next(struct stream *stream, struct buffer *piece)
{
	struct sheet *sheet = container_of(stream, struct sheet, stream);
	const uint64_t due_ns = monotonic_ns() + STREAM_PIECE_NS;
	const int64_t all = sheet->series.count + sheet->series.extras;
	if (sheet->made == 0)
		write_begin(sheet, piece);
	do {
		write_row(sheet, piece);
	} while (++sheet->made < all && piece->length < PIECE_BYTES && !piece->failed &&
		 monotonic_ns() < due_ns);
	if (sheet->made < all)
		return STREAM_MORE;
	buffer_text(piece, "</tbody>\n</table>\n</body>\n</html>\n");
	return STREAM_END;
}

/* "3x3x3 Blindfolded", or "9x9x9 Cube". */
static void write_event(const struct sheet *sheet, struct buffer *to)
{
	static const char *const variants[] = {[CUBE_SCRAMBLE_PLAIN] = "Cube",
					       [CUBE_SCRAMBLE_BLD] = "Blindfolded",
					       [CUBE_SCRAMBLE_FMC] = "Fewest Moves"};
	const struct scramble_series *series = &sheet->series;
	const int size = (int)series->size;
	char name[64];
	if (series->event) {
		buffer_text(to, series->event->title);
		return;
	}
	snprintf(name, sizeof name, "%dx%dx%d %s", size, size, size,
		 variants[series->request.variant]);
	buffer_text(to, name);
}

static void write_title(struct sheet *sheet, struct buffer *to)
{
	const struct text title = sheet->ctx->query.value[PARAMETER_TITLE];
	if (title.length > 0)
		html_escape(to, title.bytes);
	else
		write_event(sheet, to);
}

static void write_begin(struct sheet *sheet, struct buffer *to)
{
	const char *seed = sheet->series.request.seed.bytes;
	const bool titled = sheet->ctx->query.value[PARAMETER_TITLE].length > 0;
	char line[96];
	buffer_text(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
	write_title(sheet, to);
	buffer_text(to, "</title>\n<style>\n");
	buffer_text(to, style);
	buffer_text(to, "</style>\n</head>\n<body>\n<h1>");
	write_title(sheet, to);
	buffer_text(to, "</h1>\n<p>");
	if (titled) {
		write_event(sheet, to);
		buffer_text(to, ": ");
	}
	snprintf(line, sizeof line, "%lld scramble%s", (long long)sheet->series.count,
		 sheet->series.count == 1 ? "" : "s");
	buffer_text(to, line);
	if (sheet->series.extras > 0) {
		snprintf(line, sizeof line, " and %lld extra%s", (long long)sheet->series.extras,
			 sheet->series.extras == 1 ? "" : "s");
		buffer_text(to, line);
	}
	buffer_text(to,
		    "</p>\n<p class=\"hold\">Begin with a solved cube, white on top and green in "
		    "front.</p>\n");
	if (seed) {
		buffer_text(to, "<p class=\"seed\">Seed: ");
		html_escape(to, seed);
		buffer_text(to, ". Made from a seed: not for competition.</p>\n");
	}
	/* The head of the table is printed on each page. */
	buffer_text(to, "<table>\n<thead><tr><th>No.</th><th>");
	write_title(sheet, to);
	if (titled) {
		buffer_text(to, " \xc2\xb7 "); /* a middle dot */
		write_event(sheet, to);
	}
	buffer_text(to, "</th><th>Scrambled</th></tr></thead>\n<tbody>\n");
}

static void write_row(struct sheet *sheet, struct buffer *to)
{
	const bool extra = sheet->made >= sheet->series.count;
	const int64_t number = (extra ? sheet->made - sheet->series.count : sheet->made) + 1;
	char label[96];
	const size_t count = series_next(&sheet->series);
	series_turn(&sheet->series, count);
	snprintf(label, sizeof label, "<tr%s><th scope=\"row\">%s%lld</th>",
		 extra && number == 1 ? " class=\"first-extra\"" : "", extra ? "E" : "",
		 (long long)number);
	buffer_text(to, label);
	write_moves(sheet, count, to);
	buffer_text(to, count > TALL_MIN ? "<td class=\"cube tall\">" : "<td class=\"cube\">");
	write_picture(sheet, to);
	buffer_text(to, "</td></tr>\n");
}

/* The longest move, of those that are below each other. */
static size_t widest(const struct scramble_series *series, size_t count)
{
	size_t width = 0;
	for (size_t i = 0; i < count; i++) {
		const size_t length =
			cube_turns_print((int)series->size, series->turns + i, 1, NULL, 0);
		width = length > width ? length : width;
	}
	return width;
}

/* Spaces and line breaks make no difference to programs that read the moves. */
static void write_moves(struct sheet *sheet, size_t count, struct buffer *to)
{
	const struct scramble_series *series = &sheet->series;
	const bool lines = count > FLOWING_MAX;
	const size_t width = lines ? widest(series, count) : 0;
	char move[MOVE_BYTES];
	buffer_text(to, lines ? "<td class=\"moves long\">" : "<td class=\"moves\">");
	for (size_t i = 0; i < count; i++) {
		const bool first = lines ? i % LINE_MOVES == 0 : i == 0;
		const bool last = i + 1 == count || (lines && i % LINE_MOVES == LINE_MOVES - 1);
		const size_t length = cube_turns_print((int)series->size, series->turns + i, 1,
						       move, sizeof move);
		if (lines && first)
			buffer_text(to, "<div>");
		buffer_text(to, move);
		for (size_t pad = length; pad < width && !last; pad++)
			buffer_text(to, " ");
		if (!last)
			buffer_text(to, " ");
		else if (lines)
			buffer_text(to, "</div>\n");
	}
	buffer_text(to, "</td>\n");
}

static void write_picture(struct sheet *sheet, struct buffer *to)
{
	const int size = (int)sheet->series.size;
	const size_t facelets = cube_facelets(size);
	for (size_t i = 0; i < facelets; i++)
		sheet->shown[i] = (uint8_t)cube_color_at(sheet->series.cube, i);
	char *room = buffer_room(to, cube_picture_bytes(&sheet->picture, size) + 1);
	if (room)
		to->length += cube_picture_print(&sheet->picture, size, sheet->shown, room);
}

static void sheet_destroy(struct stream *stream)
{
	series_end(&container_of(stream, struct sheet, stream)->series);
}
