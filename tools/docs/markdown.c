/* markdown.c: the blocks of Markdown. A block is a list of lines; what is nested in it is a list of
 * shorter lines. */
#include "tools/docs/markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/markdown_lines.h"

/* Lists in lists in quotes: deeper is text. */
#define DEPTH_MAX 12

struct block {
	struct markdown *markdown;
	const struct line *lines;
	size_t count;
	int depth;
	bool tight; /* paragraphs without <p>: in a list without empty lines */
};

static void write_blocks(const struct block *block);

/* ---- headings ---- */

/* As GitHub makes them: lower case, spaces as hyphens, no punctuation; a number if it is taken. */
static const char *make_id(struct markdown *markdown, const char *title)
{
	char id[200], numbered[220];
	size_t length = 0;
	for (; *title && length < sizeof id - 1; title++) {
		const unsigned char c = (unsigned char)*title;
		if (isalnum(c) || c == '-' || c == '_' || c >= 0x80)
			id[length++] = (char)tolower(c);
		else if (c == ' ' || c == '\n')
			id[length++] = '-';
	}
	id[length] = '\0';
	const char *prefix = markdown->prefix ? markdown->prefix : "";
	for (int number = 0;; number++) {
		if (number == 0)
			snprintf(numbered, sizeof numbered, "%.50s%s", prefix, id);
		else
			snprintf(numbered, sizeof numbered, "%.50s%.150s-%d", prefix, id, number);
		size_t i = 0;
		while (i < markdown->id_count && strcmp(markdown->ids[i], numbered) != 0)
			i++;
		if (i == markdown->id_count)
			break;
	}
	if (markdown->id_count == MARKDOWN_IDS_MAX)
		fail("too many headings", title);
	return markdown->ids[markdown->id_count++] = strdup(numbered);
}

/* Returns the text below a heading, up to the next one. */
static struct line section_of(const struct block *block, size_t at)
{
	const char *begin = block->lines[at].text + block->lines[at].length, *end = begin;
	bool is_code = false;
	for (at++; at < block->count && (is_code || heading_level(&block->lines[at]) == 0); at++) {
		is_code ^= fence_length(&block->lines[at]) > 0;
		end = block->lines[at].text + block->lines[at].length;
	}
	return (struct line){begin, (size_t)(end - begin)};
}

static size_t write_heading(const struct block *block, size_t at)
{
	struct markdown *markdown = block->markdown;
	const int level = heading_level(&block->lines[at]);
	struct line title = {block->lines[at].text + level,
			     block->lines[at].length - (size_t)level};
	title = line_trimmed(&title);
	char *plain = markdown_plain(title.text, title.length);
	const char *id = make_id(markdown, plain);
	const int shown = level + markdown->shift > 6 ? 6 : level + markdown->shift;
	if (markdown->heading)
		markdown->heading(markdown->context, shown, id, plain, section_of(block, at));
	fprintf(markdown->out, "<h%d id=\"", shown);
	html_text(markdown->out, id);
	fputs("\">", markdown->out);
	markdown_inline(markdown, title.text, title.length);
	if (shown > 1) {
		fputs(" <a class=\"anchor\" href=\"#", markdown->out);
		html_text(markdown->out, id);
		fputs("\" aria-label=\"Link to ", markdown->out);
		html_text(markdown->out, plain);
		fputs("\">#</a>", markdown->out);
	}
	fprintf(markdown->out, "</h%d>\n", shown);
	free(plain);
	return at + 1;
}

/* ---- code ---- */

static size_t write_fenced(const struct block *block, size_t at)
{
	const struct line *fence = &block->lines[at];
	const size_t indent = line_spaces(fence), length = fence_length(fence);
	struct line info = {fence->text + indent + length, fence->length - indent - length};
	info = line_trimmed(&info);
	const char *gap = memchr(info.text, ' ', info.length);
	char *code;
	size_t size;
	FILE *out = open_memstream(&code, &size);
	for (at++; at < block->count; at++) {
		const struct line line = line_without(&block->lines[at], indent);
		const struct line end = line_trimmed(&block->lines[at]);
		if (fence_length(&end) >= length && end.text[0] == fence->text[indent] &&
		    fence_length(&end) == end.length)
			break;
		fprintf(out, "%.*s\n", (int)line.length, line.text);
	}
	fclose(out);
	html_pre(block->markdown->out, info.text, gap ? (size_t)(gap - info.text) : info.length,
		 code, size);
	free(code);
	return at + 1;
}

static size_t write_indented(const struct block *block, size_t at)
{
	char *code;
	size_t size, end = at;
	for (size_t i = at; i < block->count; i++)
		if (!line_blank(&block->lines[i]) && line_spaces(&block->lines[i]) < 4)
			break;
		else if (!line_blank(&block->lines[i]))
			end = i + 1;
	FILE *out = open_memstream(&code, &size);
	for (; at < end; at++) {
		const struct line line = line_without(&block->lines[at], 4);
		fprintf(out, "%.*s\n", (int)line.length, line.text);
	}
	fclose(out);
	html_pre(block->markdown->out, "", 0, code, size);
	free(code);
	return end;
}

/* ---- tables ---- */

/* The next cell, without the spaces around it; `at` moves behind its bar. */
static struct line next_cell(const struct line *row, size_t *at)
{
	const size_t from = *at;
	size_t end = from;
	while (end < row->length && row->text[end] != '|')
		end += row->text[end] == '\\' && end + 1 < row->length ? 2 : 1;
	*at = end + 1;
	const struct line cell = {row->text + from, end - from};
	return line_trimmed(&cell);
}

/* In a table a bar is written \|, in code too. */
static void write_cell(const struct block *block, const struct line *cell)
{
	char *text = malloc(cell->length + 1);
	size_t length = 0;
	for (size_t i = 0; i < cell->length; i++)
		if (cell->text[i] != '\\' || i + 1 == cell->length || cell->text[i + 1] != '|')
			text[length++] = cell->text[i];
	markdown_inline(block->markdown, text, length);
	free(text);
}

static void write_row(const struct block *block, const struct line *line, const char *element,
		      const char *const *align, size_t columns)
{
	struct line row = line_trimmed(line);
	size_t at = row.length > 0 && row.text[0] == '|' ? 1 : 0;
	if (row.length > 1 && row.text[row.length - 1] == '|' && row.text[row.length - 2] != '\\')
		row.length--;
	fputs("<tr>", block->markdown->out);
	for (size_t i = 0; i < columns; i++) {
		const struct line none = {"", 0};
		const struct line cell = at <= row.length ? next_cell(&row, &at) : none;
		const char *kind = cell.length > 0 ? element : "td"; /* no empty heading */
		fprintf(block->markdown->out, "<%s%s>", kind, align[i]);
		write_cell(block, &cell);
		fprintf(block->markdown->out, "</%s>", kind);
	}
	fputs("</tr>\n", block->markdown->out);
}

static size_t write_table(const struct block *block, size_t at)
{
	const size_t columns = table_columns(&block->lines[at + 1]);
	const char *align[COLUMNS_MAX];
	struct line rule = line_trimmed(&block->lines[at + 1]);
	size_t from = rule.text[0] == '|' ? 1 : 0;
	for (size_t i = 0; i < columns; i++) {
		const struct line cell = next_cell(&rule, &from);
		const bool left = cell.length > 0 && cell.text[0] == ':';
		const bool right = cell.length > 0 && cell.text[cell.length - 1] == ':';
		align[i] = right ? (left ? " class=\"centre\"" : " class=\"right\"") : "";
	}
	FILE *out = block->markdown->out;
	fputs("<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n", out);
	write_row(block, &block->lines[at], "th", align, columns);
	fputs("</thead>\n<tbody>\n", out);
	for (at += 2; at < block->count && !interrupts(&block->lines[at]); at++)
		write_row(block, &block->lines[at], "td", align, columns);
	fputs("</tbody>\n</table></div>\n", out);
	return at;
}

/* ---- lists and quotes ---- */

/* The end of an item that begins at `at`: lines that are indented as its text is, and lines that go
 * on with its paragraph. */
static size_t item_end(const struct block *block, size_t at, size_t indent)
{
	bool after_blank = false;
	struct marker next;
	for (at++; at < block->count; at++) {
		const struct line *line = &block->lines[at];
		if (line_blank(line)) {
			after_blank = true;
		} else if (line_spaces(line) >= indent) {
			after_blank = false;
		} else if (after_blank || interrupts(line) || read_marker(line, &next)) {
			break;
		}
	}
	while (line_blank(&block->lines[at - 1]))
		at--;
	return at;
}

static bool same_list(const struct block *block, size_t at, const struct marker *first)
{
	struct marker marker;
	return at < block->count && read_marker(&block->lines[at], &marker) &&
	       marker.kind == first->kind && marker.ordered == first->ordered;
}

static size_t skip_blank(const struct block *block, size_t at)
{
	while (at < block->count && line_blank(&block->lines[at]))
		at++;
	return at;
}

/* The end of the list; `tight`: no line in it is empty. */
static size_t list_end(const struct block *block, size_t at, const struct marker *first,
		       bool *tight)
{
	*tight = true;
	size_t end = at;
	while (same_list(block, at, first)) {
		struct marker marker;
		read_marker(&block->lines[at], &marker);
		if (at > end)
			*tight = false;
		end = item_end(block, at, marker.indent);
		for (size_t i = at; i < end; i++)
			if (line_blank(&block->lines[i]))
				*tight = false;
		at = skip_blank(block, end);
	}
	return end;
}

static void write_item(const struct block *block, size_t at, size_t end, size_t indent, bool tight)
{
	struct line *lines = malloc((end - at) * sizeof *lines);
	for (size_t i = at; i < end; i++)
		lines[i - at] = line_without(&block->lines[i], indent);
	const struct line *first = &block->lines[at];
	const size_t cut = indent < first->length ? indent : first->length;
	lines[0] = (struct line){first->text + cut, first->length - cut};
	const struct block inside = {block->markdown, lines, end - at, block->depth + 1, tight};
	fputs("<li>", block->markdown->out);
	write_blocks(&inside);
	fputs("</li>\n", block->markdown->out);
	free(lines);
}

static size_t write_list(const struct block *block, size_t at)
{
	FILE *out = block->markdown->out;
	struct marker first, marker;
	bool tight;
	read_marker(&block->lines[at], &first);
	const size_t end = list_end(block, at, &first, &tight);
	if (first.ordered && first.number != 1)
		fprintf(out, "<ol start=\"%u\">\n", first.number);
	else
		fputs(first.ordered ? "<ol>\n" : "<ul>\n", out);
	while (at < end) {
		read_marker(&block->lines[at], &marker);
		const size_t next = item_end(block, at, marker.indent);
		write_item(block, at, next, marker.indent, tight);
		at = skip_blank(block, next);
	}
	fputs(first.ordered ? "</ol>\n" : "</ul>\n", out);
	return end;
}

static size_t write_quote(const struct block *block, size_t at)
{
	struct line *lines = malloc((block->count - at) * sizeof *lines);
	size_t count = 0;
	for (; at < block->count && is_quote(&block->lines[at]); at++, count++) {
		lines[count] = line_without(&block->lines[at], 3);
		lines[count].text++;
		lines[count].length--;
		lines[count] = line_without(&lines[count], 1);
	}
	const struct block inside = {block->markdown, lines, count, block->depth + 1, false};
	fputs("<blockquote>\n", block->markdown->out);
	write_blocks(&inside);
	fputs("</blockquote>\n", block->markdown->out);
	free(lines);
	return at;
}

/* ---- everything ---- */

static size_t write_paragraph(const struct block *block, size_t at)
{
	char *text;
	size_t size, first = at;
	FILE *out = open_memstream(&text, &size);
	for (; at < block->count && (at == first || !interrupts(&block->lines[at])); at++) {
		const struct line line = line_without(&block->lines[at], block->lines[at].length);
		fprintf(out, "%s%.*s", at == first ? "" : "\n", (int)line.length, line.text);
	}
	fclose(out);
	while (size > 0 && text[size - 1] == ' ')
		size--;
	fputs(block->tight ? "" : "<p>", block->markdown->out);
	markdown_inline(block->markdown, text, size);
	fputs(block->tight ? "\n" : "</p>\n", block->markdown->out);
	free(text);
	return at;
}

static size_t write_block(const struct block *block, size_t at)
{
	const struct line *line = &block->lines[at];
	struct marker marker;
	if (block->depth > DEPTH_MAX)
		return write_paragraph(block, at);
	if (line_spaces(line) >= 4)
		return write_indented(block, at);
	if (fence_length(line))
		return write_fenced(block, at);
	if (heading_level(line))
		return write_heading(block, at);
	if (is_quote(line))
		return write_quote(block, at);
	if (is_rule(line)) {
		fputs("<hr>\n", block->markdown->out);
		return at + 1;
	}
	if (read_marker(line, &marker))
		return write_list(block, at);
	if (at + 1 < block->count && memchr(line->text, '|', line->length) &&
	    table_columns(&block->lines[at + 1]))
		return write_table(block, at);
	return write_paragraph(block, at);
}

static void write_blocks(const struct block *block)
{
	for (size_t at = skip_blank(block, 0); at < block->count; at = skip_blank(block, at))
		at = write_block(block, at);
}

void markdown_write(struct markdown *markdown, const char *text)
{
	size_t count = 1;
	for (const char *at = text; *at; at++)
		count += *at == '\n';
	struct line *lines = malloc(count * sizeof *lines);
	for (size_t i = 0; i < count; i++) {
		const size_t length = strcspn(text, "\n");
		lines[i] = (struct line){text, length};
		if (length > 0 && text[length - 1] == '\r')
			lines[i].length--;
		text += length + (text[length] ? 1 : 0);
	}
	const struct block block = {.markdown = markdown, .lines = lines, .count = count};
	write_blocks(&block);
	free(lines);
}
