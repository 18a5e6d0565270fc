/* answer.c: prints what the service answered. */
#include "server/shell/answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "server/api/request/media.h"
#include "server/api/request/stream.h"
#include "server/json/slice.h"
#include "server/shell/problem_text.h"
#include "server/util/term_style.h"

/* The time between two looks at a search that goes on. */
#define LOOK_US 50000
#define FORMS_USUAL "facelets"

/* ---- how ---- */

struct question_style answers_begin(struct answers *answers)
{
	const struct shell_options *options = answers->options;
	const char *as = shell_options_value(options, PARAMETER_AS);
	const char *color = shell_options_value(options, PARAMETER_COLOR);
	struct question_style style = {.accept = media_type(MEDIA_JSON)};
	if (options->json)
		return style;
	switch (options->command->prints) {
	case PRINTS_FORMS:
		answers->pictures = as ? strcasecmp(as, "net") == 0 : answers->terminal || color;
		if (answers->pictures)
			style.accept = media_type(MEDIA_TEXT);
		style.coloured = answers->pictures && answers->terminal && !color &&
				 term_style_of(getenv("TERM"), getenv("NO_COLOR")) == TERM_COLORS;
		break;
	case PRINTS_TEXT:
		style.accept = media_type(MEDIA_TEXT);
		break;
	case PRINTS_PICTURE:
		style.accept = media_type(options->png ? MEDIA_PNG : MEDIA_SVG);
		break;
	case PRINTS_ROWS:
		style.accept = media_type(MEDIA_NDJSON);
		break;
	}
	return style;
}

/* ---- members of an answer ---- */

/* The member with that name, in upper or lower case as formats may be named. */
static bool member_of(struct span object, const char *name, size_t length, struct span *value)
{
	struct slice_list members;
	struct span key;
	if (!slice_list(object, '{', &members))
		return false;
	while (slice_next(&members, &key, value))
		if (key.length == length + 2 && strncasecmp(key.bytes + 1, name, length) == 0)
			return true;
	return false;
}

static bool member(struct span object, const char *name, struct span *value)
{
	return member_of(object, name, strlen(name), value);
}

/* Prints a string without its quotes, any other value as it is. */
static void print_value(FILE *out, struct span value)
{
	struct arena arena = {0};
	struct span text = value;
	if (slice_is_text(value) && !slice_text(&arena, value, &text))
		text = value;
	fwrite(text.bytes, 1, text.length, out);
	arena_finish(&arena);
}

/* Prints the forms that a list names, with tabs between them. */
static void print_listed(FILE *out, struct span cube, const char *list, bool first)
{
	struct span value;
	for (const char *at = list; at; first = false) {
		const size_t length = strcspn(at, ",");
		if (!first)
			putc('\t', out);
		if (member_of(cube, at, length, &value))
			print_value(out, value);
		at = at[length] ? at + length + 1 : NULL;
	}
}

/* Prints the forms of the cube in one line, in the order in which they were named. */
static void print_forms(const struct answers *answers, struct span answer)
{
	const struct shell_options *options = answers->options;
	struct span cube;
	bool first = true;
	if (!member(answer, "cube", &cube))
		return;
	for (size_t i = 0; i < options->parameter_count; i++)
		if (options->parameter[i].parameter == PARAMETER_AS) {
			print_listed(answers->out, cube, options->parameter[i].value, first);
			first = false;
		}
	if (first)
		print_listed(answers->out, cube, FORMS_USUAL, first);
	putc('\n', answers->out);
}

/* Prints the solutions of a search that has ended, one a line. */
static void print_solutions(FILE *out, struct span result)
{
	struct span value, item, none;
	struct slice_list list;
	if (member(result, "solutions", &value) && slice_list(value, '[', &list)) {
		while (slice_next(&list, &none, &item))
			if (member(item, "solution", &value)) {
				print_value(out, value);
				putc('\n', out);
			}
	} else if (member(result, "solution", &value)) {
		print_value(out, value);
		putc('\n', out);
	}
}

/* ---- answers ---- */

static enum answer_result refused(struct answers *answers, const struct question *question,
				  struct span problem)
{
	const struct shell_options *options = answers->options;
	if (options->json) {
		fwrite(problem.bytes, 1, problem.length, answers->out);
		putc('\n', answers->out);
	} else if (question->line > 0 && !answers->pictures) {
		/* So that each line of the input has one of the output. */
		putc('\n', answers->out);
	}
	fflush(answers->out);
	return problem_text_print(stderr, options, question, problem) ? ANSWER_OPTION
								      : ANSWER_PROBLEM;
}

/* Asks for the search at `path` until it has ended; then prints its result. */
static enum answer_result wait_for_job(struct answers *answers, const struct question *question)
{
	const char *path = question->request.reply.location;
	for (;;) {
		struct question *look = question_create_plain(path);
		struct span job, value = {0};
		const char *fault;
		if (!look)
			return ANSWER_PROBLEM;
		question_send(answers->service, look);
		while (!look->answered)
			question_wait(answers->service, -1);
		const struct buffer *body = &look->request.reply.body;
		const struct span text = {body->bytes, body->length};
		enum answer_result result = ANSWER_GOOD;
		const bool read = slice_document(text, &job, &fault);
		const bool done = read && member(job, "result", &value) && !span_is(value, "null");
		const bool failed = !done && (!read || !member(job, "problem", &value) ||
					      !span_is(value, "null"));
		if (failed) {
			result = refused(answers, question, value.bytes && read ? value : text);
		} else if (done && answers->options->json) {
			fwrite(value.bytes, 1, value.length, answers->out);
			putc('\n', answers->out);
		} else if (done) {
			print_solutions(answers->out, value);
		}
		question_free(look);
		if (done || failed)
			return result;
		question_wait(answers->service, -1);
		usleep(LOOK_US);
	}
}

static bool is_json(const struct request *request)
{
	return request->reply.content_type && media_is(request->reply.content_type, MEDIA_JSON);
}

/* Prints the body or the pieces of the answer as they are, and ends its last line. */
static void print_whole(struct answers *answers, struct question *question)
{
	const struct reply *reply = &question->request.reply;
	const struct buffer *bytes = reply->stream ? &reply->stream->piece : &reply->body;
	char last = '\n';
	do {
		fwrite(bytes->bytes, 1, bytes->length, answers->out);
		if (bytes->length > 0)
			last = bytes->bytes[bytes->length - 1];
	} while (!ferror(answers->out) && question_more(answers->service, question));
	if (last != '\n' && shell_prints_text(answers->options->command))
		putc('\n', answers->out);
}

/* Prints notes on the moves, which are in the JSON of an answer: for a person, beside the output. An
 * unfolded cube has none; so the same is asked again for JSON. */
static void print_notes(struct answers *answers, const struct question *question,
			struct span answer)
{
	const struct question_style style = {.accept = media_type(MEDIA_JSON)};
	const struct text text = {question->text, question->text ? strlen(question->text) : 0};
	struct question *again = NULL;
	const char *fault;
	struct span notes;
	if (answers->pictures) {
		again = question_create(answers->options, &style, text, question->line);
		if (!again)
			return;
		question_send(answers->service, again);
		while (!again->answered)
			question_wait(answers->service, -1);
		const struct buffer *body = &again->request.reply.body;
		answer = (struct span){body->bytes, body->length};
	}
	fflush(answers->out);
	if (slice_document(answer, &answer, &fault) && member(answer, "notes", &notes))
		notes_text_print(stderr, answers->options, question, notes);
	question_free(again);
}

enum answer_result answer_print(struct answers *answers, struct question *question)
{
	const struct request *request = &question->request;
	const struct buffer *body = &request->reply.body;
	struct span text = {body->bytes, body->length};
	const bool forms = answers->options->command->prints == PRINTS_FORMS;
	if (body->failed) {
		fputs("cubed: out of memory\n", stderr);
		return ANSWER_PROBLEM;
	}
	while (text.length > 0 && text.bytes[text.length - 1] == '\n')
		text.length--;
	if (request->reply.status >= 400)
		return refused(answers, question, text);
	if (request->reply.status == 202 && request->reply.location)
		return wait_for_job(answers, question);
	if (answers->pictures && answers->printed++ > 0)
		putc('\n', answers->out);
	if (forms && !answers->options->json && is_json(request))
		print_forms(answers, text);
	else
		print_whole(answers, question);
	if (forms && !answers->options->json)
		print_notes(answers, question, text);
	return ANSWER_GOOD;
}
