/* question.c: makes requests of options and texts, and waits for their answers. */
#include "server/shell/question.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/request/stream.h"
#include "server/api/serve.h"

/* For service_tick(). */
#define WAIT_MS 500

/* The symbols of facelets: faces and colours; or six of anybody's own, which no moves consist of. */
static const char *const alphabets[] = {"URFDLBWGYOurfdlbwgyo", "0123456789", "abcdefABCDEF"};
#define ALPHABETS (sizeof alphabets / sizeof alphabets[0])

/* ---- what a text is ---- */

static size_t word_length(const char *at, const char *end)
{
	size_t length = 0;
	while (at + length < end && at[length] != ' ' && at[length] != '\t')
		length++;
	return length;
}

static size_t spaces(const char *at, const char *end)
{
	size_t length = 0;
	while (at + length < end && (at[length] == ' ' || at[length] == '\t'))
		length++;
	return length;
}

static bool all_among(struct text text, const char *bytes)
{
	for (size_t i = 0; i < text.length; i++)
		if (!text.bytes[i] || !strchr(bytes, text.bytes[i]))
			return false;
	return text.length > 0;
}

/* Facelets are letters or digits alone, more than 20, and stand together, perhaps by rows. Moves
 * without numbers, primes and spaces are hardly ever so many; the largest index has 20 digits. */
#define FACELETS_LEAST 21
#define FACELETS_TOGETHER 4

static bool is_facelets_in(struct text text, const char *symbols)
{
	const char *at = text.bytes, *end = at + text.length;
	size_t count = 0;
	while (at < end) {
		const size_t length = word_length(at, end);
		if (length < FACELETS_TOGETHER || !all_among((struct text){at, length}, symbols))
			return false;
		count += length;
		at += length;
		at += spaces(at, end);
	}
	return count >= FACELETS_LEAST;
}

static bool is_facelets(struct text text)
{
	for (size_t i = 0; i < ALPHABETS; i++)
		if (is_facelets_in(text, alphabets[i]))
			return true;
	return false;
}

/* Twelve words of two letters, then eight of three. */
static bool is_reid(struct text text)
{
	const char *at = text.bytes, *end = at + text.length;
	size_t count = 0;
	for (; at < end; count++) {
		const size_t length = word_length(at, end);
		if (length != (count < 12 ? 2 : 3) ||
		    !all_among((struct text){at, length}, "URFDLB"))
			return false;
		at += length;
		at += spaces(at, end);
	}
	return count == 20;
}

enum parameter question_parameter(struct text text)
{
	if (text.length > 0 && text.bytes[0] == '{')
		return PARAMETER_COUNT;
	if (is_facelets(text))
		return PARAMETER_FACELETS;
	if (all_among(text, "0123456789"))
		return PARAMETER_INDEX;
	return is_reid(text) ? PARAMETER_REID : PARAMETER_MOVES;
}

/* ---- making a request ---- */

static void add_parameter(struct buffer *target, const char *name, const char *value)
{
	static const char digits[] = "0123456789ABCDEF";
	buffer_text(target, memchr(target->bytes, '?', target->length) ? "&" : "?");
	buffer_text(target, name);
	buffer_add(target, "=", 1);
	for (const char *at = value; *at; at++) {
		const unsigned char byte = (unsigned char)*at;
		const char escaped[3] = {'%', digits[byte >> 4], digits[byte & 15]};
		const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
				   (byte >= 'a' && byte <= 'z') || strchr("-._~,", byte);
		buffer_add(target, plain ? at : escaped, plain ? 1 : 3);
	}
}

static void answered(struct request *request)
{
	struct question *question = request->owner;
	question->answered = true;
}

static void produced(struct request *request)
{
	struct question *question = request->owner;
	question->produced = true;
}

/* The address of a client on this machine, whose searches are not counted. */
static const struct peer loopback = {{[10] = 0xff, 0xff, 127, 0, 0, 1}};

struct question *question_create_plain(const char *path)
{
	struct question *question = calloc(1, sizeof *question);
	if (!question)
		return NULL;
	request_init(&question->request);
	question->request.method = "GET";
	question->request.body = "";
	question->request.peer = loopback;
	question->request.owner = question;
	question->request.answered = answered;
	question->request.produced = produced;
	buffer_text(&question->target, path);
	return question;
}

static bool set_text(struct question *question, struct text text)
{
	question->text = malloc(text.length + 1);
	if (!question->text)
		return false;
	/* A parameter is a string: a NUL would end it, and the rest would be lost unnoticed. */
	for (size_t i = 0; i < text.length; i++)
		question->text[i] = text.bytes[i] ? text.bytes[i] : '?';
	question->text[text.length] = '\0';
	return true;
}

struct question *question_create(const struct shell_options *options,
				 const struct question_style *style, struct text text, size_t line)
{
	struct question *question = question_create_plain(options->path);
	if (!question || (text.bytes && !set_text(question, text))) {
		question_free(question);
		return NULL;
	}
	struct request *request = &question->request;
	const bool described = shell_options_value(options, PARAMETER_FACELETS) ||
			       shell_options_value(options, PARAMETER_INDEX) ||
			       shell_options_value(options, PARAMETER_REID);
	question->line = line;
	question->parameter = described || !text.bytes ? PARAMETER_MOVES : question_parameter(text);
	request->header[HEADER_ACCEPT] = style->accept;
	for (size_t i = 0; i < options->parameter_count; i++)
		add_parameter(&question->target, options->parameter[i].name,
			      options->parameter[i].value);
	if (text.bytes && question->parameter == PARAMETER_COUNT) {
		request->method = "POST";
		request->body = question->text;
		request->body_length = text.length;
		request->header[HEADER_CONTENT_TYPE] = "application/json";
	} else if (text.bytes) {
		add_parameter(&question->target, shell_parameter_name(question->parameter),
			      question->text);
	}
	if (style->coloured)
		add_parameter(&question->target, "color", "always");
	if (!question->target.failed)
		return question;
	question_free(question);
	return NULL;
}

void question_free(struct question *question)
{
	if (!question)
		return;
	request_finish(&question->request);
	buffer_free(&question->target);
	free(question->text);
	free(question);
}

/* ---- its way ---- */

void question_send(struct service *service, struct question *question)
{
	question->request.target = question->target.bytes;
	question->request.target_length = question->target.length;
	serve(service, &question->request);
}

bool question_wait(struct service *service, int fd)
{
	struct pollfd ready[2] = {{.fd = service_wake_fd(service), .events = POLLIN},
				  {.fd = fd, .events = POLLIN}};
	service_flush(service);
	poll(ready, fd >= 0 ? 2 : 1, WAIT_MS);
	service_tick(service);
	service_poll(service);
	return fd >= 0 && ready[1].revents != 0;
}

bool question_more(struct service *service, struct question *question)
{
	struct stream *stream = question->request.reply.stream;
	if (!stream || stream->state != STREAM_MORE)
		return false;
	stream->piece.length = 0;
	question->produced = false;
	serve_more(service, &question->request);
	while (!question->produced)
		question_wait(service, -1);
	return true;
}
