/* markdown_inline.c: marks in the text of a paragraph. */
#include "tools/docs/markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"

/* Emphasis in links in emphasis: deeper is text. */
#define DEPTH_MAX 12

struct span {
	struct markdown *markdown; /* NULL: only the text */
	FILE *out;
	int depth;
	bool linked; /* in a link: no other one */
};

static void write_span(const struct span *span, const char *text, size_t length);

static size_t run_of(const char *text, size_t length, char mark)
{
	size_t run = 0;
	while (run < length && text[run] == mark)
		run++;
	return run;
}

static void write_text(const struct span *span, const char *text, size_t length)
{
	if (span->markdown)
		html_bytes(span->out, text, length);
	else
		fwrite(text, 1, length, span->out);
}

/* Returns the length of the code that begins here, with the backticks around it; 0: it is not
 * closed. */
static size_t code_length(const char *text, size_t length)
{
	const size_t marks = run_of(text, length, '`');
	for (size_t at = marks; at < length;) {
		const size_t run = run_of(text + at, length - at, '`');
		if (run == marks)
			return at + run;
		at += run > 0 ? run : 1;
	}
	return 0;
}

static size_t write_code(const struct span *span, const char *text, size_t length)
{
	const size_t read = code_length(text, length), marks = run_of(text, length, '`');
	if (read == 0)
		return 0;
	const char *inside = text + marks;
	size_t size = read - 2 * marks;
	if (size > 2 && inside[0] == ' ' && inside[size - 1] == ' ') {
		inside++;
		size -= 2;
	}
	if (span->markdown)
		html_code(span->out, inside, size);
	else
		write_text(span, inside, size);
	return read;
}

/* Returns the position where the bracket that begins at `text` is closed; 0: nowhere. */
static size_t bracket_end(const char *text, size_t length, char open, char close)
{
	int deep = 0;
	for (size_t at = 0; at < length; at++) {
		if (text[at] == '\\' && at + 1 < length) {
			at++;
		} else if (text[at] == '`' && open == '[') {
			const size_t code = code_length(text + at, length - at);
			at += code > 0 ? code - 1 : run_of(text + at, length - at, '`') - 1;
		} else if (text[at] == open) {
			deep++;
		} else if (text[at] == close && --deep == 0) {
			return at;
		}
	}
	return 0;
}

/* Only addresses that lead to pages. */
static bool address_allowed(const char *address)
{
	const size_t scheme = strcspn(address, ":/?#");
	return address[scheme] != ':' || strncmp(address, "https:", 6) == 0 ||
	       strncmp(address, "http:", 5) == 0 || strncmp(address, "mailto:", 7) == 0;
}

static void write_link(const struct span *span, const char *address, const char *text,
		       size_t length, bool picture)
{
	struct span inside = *span;
	inside.linked = true;
	inside.depth++;
	const char *target = address_allowed(address) ? address : NULL;
	if (span->markdown && target && span->markdown->link)
		target = span->markdown->link(span->markdown->context, target);
	if (!span->markdown || !target || (span->linked && !picture)) {
		write_span(&inside, text, length);
		return;
	}
	fputs(picture ? "<img src=\"" : "<a href=\"", span->out);
	html_text(span->out, target);
	if (picture) {
		char *plain = markdown_plain(text, length);
		fputs("\" alt=\"", span->out);
		html_text(span->out, plain);
		fputs("\">", span->out);
		free(plain);
		return;
	}
	fputs("\">", span->out);
	write_span(&inside, text, length);
	fputs("</a>", span->out);
}

/* [text](address "title"), or with ! a picture: how much was read; 0: it is not one. */
static size_t read_link(const struct span *span, const char *text, size_t length)
{
	const size_t begin = text[0] == '!' ? 1 : 0;
	if (begin == length || text[begin] != '[')
		return 0;
	const size_t middle = bracket_end(text + begin, length - begin, '[', ']') + begin;
	if (middle == begin || middle + 1 >= length || text[middle + 1] != '(')
		return 0;
	const size_t size = bracket_end(text + middle + 1, length - middle - 1, '(', ')');
	if (size == 0)
		return 0;
	char address[1000];
	const char *from = text + middle + 2;
	size_t used = size - 1;
	const char *title = memchr(from, ' ', used);
	if (title)
		used = (size_t)(title - from);
	if (used > 1 && from[0] == '<' && from[used - 1] == '>') {
		from++;
		used -= 2;
	}
	if (used >= sizeof address)
		return 0;
	memcpy(address, from, used);
	address[used] = '\0';
	write_link(span, address, text + begin + 1, middle - begin - 1, begin == 1);
	return middle + size + 2;
}

/* <https://...> */
static size_t read_address(const struct span *span, const char *text, size_t length)
{
	const char *end = memchr(text, '>', length);
	char address[1000];
	const size_t size = end ? (size_t)(end - text) - 1 : 0;
	if (!end || size >= sizeof address ||
	    (strncmp(text, "<https://", 9) != 0 && strncmp(text, "<http://", 8) != 0))
		return 0;
	memcpy(address, text + 1, size);
	address[size] = '\0';
	if (strcspn(address, " \n\t<") < size)
		return 0;
	if (span->markdown && !span->linked) {
		fputs("<a href=\"", span->out);
		html_text(span->out, address);
		fputs("\">", span->out);
	}
	write_text(span, address, size);
	if (span->markdown && !span->linked)
		fputs("</a>", span->out);
	return size + 2;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t';
}

/* Returns the position where emphasis with so many marks ends; 0: nowhere. */
static size_t emphasis_end(const char *text, size_t length, size_t marks)
{
	const char mark = text[0];
	for (size_t at = marks; at < length;) {
		if (text[at] == '\\') {
			at += 2;
		} else if (text[at] == '`') {
			const size_t code = code_length(text + at, length - at);
			at += code > 0 ? code : run_of(text + at, length - at, '`');
		} else if (text[at] == mark) {
			const size_t run = run_of(text + at, length - at, mark);
			const bool inner = mark == '_' && at + run < length &&
					   isalnum((unsigned char)text[at + run]);
			if (!is_space(text[at - 1]) && !inner && (run == marks || run == 3))
				return run == 3 && marks == 1 ? at + 2 : at;
			at += run;
		} else {
			at++;
		}
	}
	return 0;
}

/* *emphasis*, **strong**, ***both***: how much was read; 0: it is text. */
static size_t read_emphasis(const struct span *span, const char *whole, size_t at, size_t length)
{
	static const char *const opening[] = {"", "<em>", "<strong>", "<em><strong>"};
	static const char *const closing[] = {"", "</em>", "</strong>", "</strong></em>"};
	const char *text = whole + at;
	const size_t marks = run_of(text, length - at, text[0]);
	if (marks > 3 || at + marks >= length || is_space(text[marks]) ||
	    (text[0] == '_' && at > 0 && isalnum((unsigned char)whole[at - 1])))
		return 0;
	const size_t end = emphasis_end(text, length - at, marks);
	if (end == 0)
		return 0;
	struct span inside = *span;
	inside.depth++;
	if (span->markdown)
		fputs(opening[marks], span->out);
	write_span(&inside, text + marks, end - marks);
	if (span->markdown)
		fputs(closing[marks], span->out);
	return end + marks;
}

/* A mark that begins at `at`: how much of it was read; 0: it is text. */
static size_t read_mark(const struct span *span, const char *text, size_t at, size_t length)
{
	const char *mark = text + at;
	const size_t left = length - at;
	switch (*mark) {
	case '\\':
		if (left < 2 || !(ispunct((unsigned char)mark[1]) || mark[1] == '\n'))
			return 0;
		if (mark[1] == '\n' && span->markdown)
			fputs("<br>\n", span->out);
		else
			write_text(span, mark + 1, 1);
		return 2;
	case '`':
		return write_code(span, mark, left);
	case '[':
	case '!':
		return span->depth < DEPTH_MAX ? read_link(span, mark, left) : 0;
	case '<':
		return read_address(span, mark, left);
	case '*':
	case '_':
		return span->depth < DEPTH_MAX ? read_emphasis(span, text, at, length) : 0;
	default:
		return 0;
	}
}

static void write_span(const struct span *span, const char *text, size_t length)
{
	size_t at = 0;
	while (at < length) {
		const size_t read = read_mark(span, text, at, length);
		if (read > 0) {
			at += read;
			continue;
		}
		/* Marks that are not closed are text, all of a run. */
		size_t plain =
			strchr("`*_", text[at]) ? run_of(text + at, length - at, text[at]) : 1;
		if (text[at] == '\0')
			plain = 1;
		if (span->markdown && length - at > 2 && memcmp(text + at, "  \n", 3) == 0) {
			fputs("<br>", span->out);
			plain = 2;
		} else {
			write_text(span, text + at, plain);
		}
		at += plain;
	}
}

void markdown_inline(struct markdown *markdown, const char *text, size_t length)
{
	const struct span span = {.markdown = markdown, .out = markdown->out};
	write_span(&span, text, length);
}

char *markdown_plain(const char *text, size_t length)
{
	char *plain = NULL;
	size_t size;
	const struct span span = {.out = open_memstream(&plain, &size)};
	write_span(&span, text, length);
	fclose(span.out);
	return plain;
}
