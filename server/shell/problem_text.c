/* problem_text.c: prints a problem and the text that it is about. */
#include "server/shell/problem_text.h"

#include <stdlib.h>
#include <string.h>

#include "server/util/utf8.h"

/* The most characters of a text that are shown; and of those before the fault if it is longer. */
#define SHOWN_MAX 72
#define SHOWN_BEFORE 36

struct problem_members {
	const char *detail, *parameter, *pointer, *suggestion; /* NULL: absent */
	int64_t offset, length;                                /* -1: absent */
	const char
		*repair; /* of the first problem of an impossible cube that has one; NULL: none */
};

/* Finds the first repair among the problems of a cube. */
static const char *first_repair(struct arena *arena, struct span problems)
{
	struct slice_list list, members;
	struct span key, problem, value, text;
	if (!slice_list(problems, '[', &list))
		return NULL;
	while (slice_next(&list, &key, &problem)) {
		if (!slice_list(problem, '{', &members))
			continue;
		while (slice_next(&members, &key, &value))
			if (span_is(key, "\"repair\"") && slice_text(arena, value, &text))
				return text.bytes;
	}
	return NULL;
}

static void read_members(struct arena *arena, struct span problem, struct problem_members *members)
{
	const struct {
		const char *name;
		const char **text;
		int64_t *number;
	} rows[] = {{"\"detail\"", &members->detail, NULL},
		    {"\"parameter\"", &members->parameter, NULL},
		    {"\"pointer\"", &members->pointer, NULL},
		    {"\"suggestion\"", &members->suggestion, NULL},
		    {"\"offset\"", NULL, &members->offset},
		    {"\"length\"", NULL, &members->length}};
	struct slice_list list;
	struct span key, value, text;
	*members = (struct problem_members){.offset = -1, .length = -1};
	if (!slice_list(problem, '{', &list))
		return;
	while (slice_next(&list, &key, &value)) {
		if (span_is(key, "\"problems\""))
			members->repair = first_repair(arena, value);
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
			if (!span_is(key, rows[i].name))
				continue;
			if (rows[i].text && slice_text(arena, value, &text))
				*rows[i].text = text.bytes;
			else if (rows[i].number && !slice_integer(value, rows[i].number))
				*rows[i].number = -1;
		}
	}
}

/* The next character of the text, of one or more bytes; 0 at the end. */
static size_t character(const char *text)
{
	uint32_t point;
	const size_t bytes = text[0] ? utf8_decode(text, strlen(text), &point) : 0;
	return bytes > 0 ? bytes : text[0] != '\0';
}

static size_t characters(const char *text, size_t bytes)
{
	size_t count = 0;
	for (size_t at = 0; at < bytes && text[at]; at += character(text + at))
		count++;
	return count;
}

/* Prints a character; one that would move the cursor, or is not UTF-8, as another one. */
static void print_character(FILE *out, const char *text, size_t bytes)
{
	uint32_t point;
	if ((unsigned char)text[0] < ' ' || text[0] == 0x7f)
		putc(' ', out);
	else if (utf8_decode(text, bytes, &point) == 0)
		putc('?', out);
	else
		fwrite(text, 1, bytes, out);
}

/* Prints the text, or a part of a long one, and marks under `length` bytes from `offset` on. */
static void print_marked(FILE *out, const char *text, size_t offset, size_t length)
{
	const size_t column = characters(text, offset);
	const size_t first = column > SHOWN_MAX - SHOWN_BEFORE ? column - SHOWN_BEFORE : 0;
	size_t number = 0, bytes, marks = characters(text + offset, length);
	fprintf(out, "  %s", first > 0 ? "..." : "");
	for (const char *at = text; (bytes = character(at)) > 0; at += bytes, number++) {
		if (number == first + SHOWN_MAX) {
			fputs("...", out);
			break;
		}
		if (number >= first)
			print_character(out, at, bytes);
	}
	const size_t before = column - first + (first > 0 ? 3 : 0);
	if (marks > first + SHOWN_MAX - column)
		marks = first + SHOWN_MAX - column;
	fprintf(out, "\n  %*s", (int)before, "");
	for (size_t i = 0; i < (marks > 0 ? marks : 1); i++)
		putc('^', out);
	putc('\n', out);
}

/* The text that an offset counts in; NULL: an unknown one. */
static const char *marked_text(const struct shell_options *options, const struct question *question,
			       const struct problem_members *about)
{
	if (!about->parameter)
		return about->pointer || question->parameter != PARAMETER_COUNT ? NULL
										: question->text;
	if (question->text && question->parameter != PARAMETER_COUNT &&
	    strcmp(shell_parameter_name(question->parameter), about->parameter) == 0)
		return question->text;
	for (size_t i = 0; i < options->parameter_count; i++)
		if (strcmp(options->parameter[i].name, about->parameter) == 0)
			return options->parameter[i].value;
	return NULL;
}

/* Prints the text that it is about, if that is known, with a mark. */
static void print_place(FILE *out, const char *text, const struct problem_members *about)
{
	if (text && about->offset >= 0 && (size_t)about->offset <= strlen(text))
		print_marked(out, text, (size_t)about->offset,
			     about->length > 0 ? (size_t)about->length : 0);
}

static bool is_option(const struct shell_options *options, const char *parameter)
{
	for (size_t i = 0; parameter && i < options->parameter_count; i++)
		if (strcmp(options->parameter[i].name, parameter) == 0)
			return true;
	return false;
}

static void print_begin(FILE *out, const struct question *question)
{
	fputs("cubed: ", out);
	if (question->line > 0)
		fprintf(out, "line %zu: ", question->line);
}

bool problem_text_print(FILE *out, const struct shell_options *options,
			const struct question *question, struct span problem)
{
	struct arena arena = {0};
	struct problem_members about;
	char name[SHELL_NAME_BYTES];
	read_members(&arena, problem, &about);
	const bool option = is_option(options, about.parameter);
	const char *text = marked_text(options, question, &about);
	print_begin(out, question);
	if (option) {
		shell_option_name(about.parameter, name);
		fprintf(out, "--%s: ", name);
	} else if (about.pointer && about.pointer[0]) {
		fprintf(out, "%s: ", about.pointer);
	}
	if (about.detail)
		fprintf(out, "%s\n", about.detail);
	else
		fprintf(out, "%.*s\n", (int)problem.length, problem.bytes);
	print_place(out, text, &about);
	if (about.suggestion)
		fprintf(out, "  suggestion: %s\n", about.suggestion);
	if (about.repair)
		fprintf(out, "  repair: %s\n", about.repair);
	arena_finish(&arena);
	return option;
}

void notes_text_print(FILE *out, const struct shell_options *options,
		      const struct question *question, struct span notes)
{
	struct arena arena = {0};
	struct slice_list list;
	struct span none, note;
	if (!slice_list(notes, '[', &list))
		return;
	while (slice_next(&list, &none, &note)) {
		struct problem_members about;
		read_members(&arena, note, &about);
		about.parameter = shell_parameter_name(PARAMETER_MOVES);
		const char *text = marked_text(options, question, &about);
		print_begin(out, question);
		fprintf(out, "note: %s\n", about.detail ? about.detail : "");
		print_place(out, text, &about);
	}
	arena_finish(&arena);
}
