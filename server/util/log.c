/* log.c: a line is built on the stack and written with one write(2), so that lines of threads do
 * not mix. */
#include "server/util/log.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 2048
/* Reserved for the end of a truncated line: a quote, a brace, a line feed. */
#define LINE_LAST 4

static int log_least = LOG_INFO;
static int log_json;

struct log_line {
	char bytes[LINE_BYTES];
	size_t length;
	bool full;
};

void log_configure(enum log_level level, enum log_format format)
{
	log_least = (int)level;
	log_json = format == LOG_FORMAT_JSON;
}

/* All or nothing, so that an escape is never cut in two. */
static void line_add(struct log_line *line, const char *text, size_t length)
{
	if (line->full || line->length + length > LINE_BYTES - LINE_LAST) {
		line->full = true;
		return;
	}
	memcpy(line->bytes + line->length, text, length);
	line->length += length;
}

static void line_text(struct log_line *line, const char *text)
{
	line_add(line, text, strlen(text));
}

static void line_number(struct log_line *line, int64_t number)
{
	char digits[24];
	int length = snprintf(digits, sizeof digits, "%lld", (long long)number);
	line_add(line, digits, (size_t)length);
}

/* Control bytes and bytes beyond ASCII, whose encoding is unknown, must not reach a terminal or
 * break a parser. */
static void line_quoted(struct log_line *line, const char *text)
{
	line_add(line, "\"", 1);
	for (; *text && !line->full; text++) {
		unsigned char byte = (unsigned char)*text;
		char escape[8];
		if (byte == '"' || byte == '\\') {
			line_add(line, (const char[]){'\\', (char)byte}, 2);
		} else if (byte == '\n') {
			line_add(line, "\\n", 2);
		} else if (byte < 0x20 || byte >= 0x7f) {
			snprintf(escape, sizeof escape, "\\u%04x", byte);
			line_add(line, escape, 6);
		} else {
			line_add(line, text, 1);
		}
	}
	line->bytes[line->length++] = '"'; /* in the reserved tail */
}

/* Text that logfmt needs no quotes for, and that fits. */
static bool text_is_plain(const struct log_line *line, const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789-_.:/+@,[]");
	return length > 0 && text[length] == '\0' &&
	       line->length + length <= LINE_BYTES - LINE_LAST;
}

static void line_key(struct log_line *line, const char *key)
{
	if (log_json) {
		line_text(line, ",\"");
		line_text(line, key);
		line_text(line, "\":");
	} else {
		line_text(line, " ");
		line_text(line, key);
		line_text(line, "=");
	}
}

/* Returns true if the key and an empty value fit; otherwise the member is omitted. */
static bool line_fits(const struct log_line *line, const char *key)
{
	return !line->full && line->length + strlen(key) + 32 < LINE_BYTES - LINE_LAST;
}

static void line_field(struct log_line *line, const char *key, const char *text, int64_t number)
{
	if (!line_fits(line, key))
		return;
	line_key(line, key);
	if (!text)
		line_number(line, number);
	else if (!log_json && text_is_plain(line, text))
		line_text(line, text);
	else
		line_quoted(line, text);
}

static void line_time(struct log_line *line)
{
	struct timespec now;
	struct tm utc;
	char text[40];
	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &utc);
	size_t length = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
	snprintf(text + length, sizeof text - length, ".%03dZ", (int)(now.tv_nsec / 1000000));
	line_text(line, log_json ? "{\"time\":\"" : "time=");
	line_text(line, text);
	if (log_json)
		line_text(line, "\"");
}

bool log_writes(int level)
{
	return level >= log_least && level >= LOG_DEBUG && level < LOG_OFF;
}

void log_write(int level, const char *message, const struct log_field *fields)
{
	static const char *const names[] = {"debug", "info", "warning", "error"};
	if (!log_writes(level))
		return;
	struct log_line line;
	line.length = 0;
	line.full = false;
	line_time(&line);
	line_field(&line, "level", names[level], 0);
	line_field(&line, "msg", message, 0);
	for (; fields->key; fields++)
		line_field(&line, fields->key, fields->text, fields->number);
	if (log_json)
		line.bytes[line.length++] = '}';
	line.bytes[line.length++] = '\n';
	/* A failed write is ignored: there is nowhere to report it. */
	ssize_t written = write(STDERR_FILENO, line.bytes, line.length);
	(void)written;
}
