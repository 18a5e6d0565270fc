/* patterns.c: GET /v1/patterns: the patterns that have names; and one of them. */
#include <stdio.h>

#include "server/api/cube_in.h"
#include "server/api/problem.h"
#include "server/api/routes.h"

static void write_row(struct out *out, const struct cube_named *named, int64_t size_max)
{
	out_key(out, "name");
	out_string(out, named->name);
	out_key(out, "title");
	out_string(out, named->title);
	out_key(out, "sizes");
	out_open(out, '{');
	out_key(out, "min");
	out_integer(out, named->size_min);
	out_key(out, "max");
	out_integer(out, named->size_max < size_max ? named->size_max : size_max);
	out_close(out, '}');
	out_key(out, "source");
	out_string(out, named->source);
}

static bool serves(const struct cube_named *named, int64_t size)
{
	return size < 0 || (size >= named->size_min && size <= named->size_max);
}

void patterns_handle(struct work *work)
{
	struct out out = {.buffer = &work->request->reply.body};
	int64_t size = -1, most = cube_size_max(work);
	if (query_integer(work, PARAMETER_SIZE, CUBE_SIZE_MIN, most, &size)) {
		out_open(&out, '{');
		out_key(&out, "items");
		out_open(&out, '[');
		for (size_t i = 0; i < cube_named_count; i++) {
			if (!serves(&cube_named[i], size) || cube_named[i].size_min > most)
				continue;
			out_open(&out, '{');
			write_row(&out, &cube_named[i], most);
			out_close(&out, '}');
		}
		out_close(&out, ']');
		out_close(&out, '}');
		work_reply_json(work, 200);
	}
	work_answer(work);
}

/* ---- one, as a pattern that can be sent ---- */

/* Six arrays with a blank between, as one string. */
static bool write_colors(struct work *work, struct out *out, const struct cube_named_part *part,
			 int size)
{
	size_t area = (size_t)size * (size_t)size, at = 0;
	uint8_t *items = work_take(work, cube_facelets(size));
	char *text = work_take(work, cube_facelets(size) + CUBE_FACES);
	if (!items || !text)
		return false;
	cube_named_items(part, size, items);
	for (size_t i = 0; i < cube_facelets(size); i++) {
		if (i > 0 && i % area == 0)
			text[at++] = ' ';
		text[at++] = cube_pattern_letter(items[i]);
	}
	out_key(out, "faces");
	out_bytes(out, text, at);
	return true;
}

static void write_pieces(struct out *out, const struct cube_named_part *part)
{
	const char *at = part->text;
	struct cube_piece_rule rule;
	out_key(out, "pieces");
	out_open(out, '{');
	while (cube_named_rule(part, &at, &rule)) {
		out_key(out, cube_place_name(rule.place));
		out_string(out,
			   cube_piece_condition_name((enum cube_piece_condition)rule.condition));
	}
	out_close(out, '}');
	out_key(out, "views");
	out_string(out, "all");
}

static bool write_part(struct work *work, struct out *out, const struct cube_named_part *part,
		       int size)
{
	bool made = true;
	out_open(out, '{');
	if (part->kind == CUBE_NAMED_COLORS) {
		made = write_colors(work, out, part, size);
	} else if (part->kind == CUBE_NAMED_PIECES) {
		write_pieces(out, part);
	} else {
		out_key(out, "name");
		out_string(out, part->row->name);
	}
	out_close(out, '}');
	return made;
}

/* Parts up to the next alternative: `next` is the first of them and, afterwards, that one. */
static bool write_alternative(struct work *work, struct out *out, const char **at, int size,
			      struct cube_named_part *next, bool *more)
{
	const char *ahead = *at;
	struct cube_named_part part = *next;
	*more = cube_named_part(at, next);
	if (!*more || next->alternative)
		return write_part(work, out, &part, size);
	*at = ahead;
	out_open(out, '{');
	out_key(out, "all");
	out_open(out, '[');
	bool made = write_part(work, out, &part, size);
	while (made && (*more = cube_named_part(at, next)) && !next->alternative)
		made = write_part(work, out, next, size);
	out_close(out, ']');
	out_close(out, '}');
	return made;
}

static bool write_pattern(struct work *work, struct out *out, const struct cube_named *named,
			  int size)
{
	const char *at = named->text, *ahead;
	struct cube_named_part part;
	bool several = false, made = true, more;
	for (ahead = at; cube_named_part(&ahead, &part);)
		several |= part.alternative;
	if (several) {
		out_open(out, '{');
		out_key(out, "any");
		out_open(out, '[');
	}
	more = cube_named_part(&at, &part);
	while (made && more)
		made = write_alternative(work, out, &at, size, &part, &more);
	if (several) {
		out_close(out, ']');
		out_close(out, '}');
	}
	return made;
}

static void pattern_compute(struct work *work)
{
	const struct cube_named *named = work->data;
	struct out out = {.buffer = &work->request->reply.body};
	int64_t size = named->size_min < 3 ? 3 : named->size_min, most = cube_size_max(work);
	char expected[32];
	if (size > most)
		size = named->size_min;
	if (!query_integer(work, PARAMETER_SIZE, CUBE_SIZE_MIN, most, &size))
		return;
	snprintf(expected, sizeof expected, "%d to %d", named->size_min, named->size_max);
	if (!serves(named, size)) {
		query_problem(work, "size", "The pattern is not for this size.", expected, NULL);
		return;
	}
	out_open(&out, '{');
	write_row(&out, named, most);
	out_key(&out, "setup");
	out_string(&out, named->setup);
	out_key(&out, "size");
	out_integer(&out, size);
	out_key(&out, "pattern");
	if (!write_pattern(work, &out, named, (int)size))
		return;
	out_close(&out, '}');
	work_reply_json(work, 200);
}

void pattern_handle(struct work *work)
{
	const struct cube_named *named = cube_named_find(work->name.bytes, work->name.length);
	if (!named) {
		problem_answer(work->request, PROBLEM_NO_SUCH_PATTERN, "No pattern has this name.");
		work_answer(work);
		return;
	}
	work->data = (void *)(uintptr_t)named;
	/* The largest row of the largest cube. */
	work_compute(work, work->query.value[PARAMETER_SIZE].length >= 2 ? 1000000 : 1000,
		     pattern_compute, NULL);
}
