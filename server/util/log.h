/* log.h: structured log lines on stderr, logfmt or JSON. Any thread. */
#ifndef SERVER_UTIL_LOG_H
#define SERVER_UTIL_LOG_H

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERROR, LOG_OFF };
enum log_format { LOG_FORMAT_LOGFMT, LOG_FORMAT_JSON };

struct log_field {
	const char *key;  /* NULL ends the list */
	const char *text; /* NULL: the number */
	int64_t number;
};

#define LOG_TEXT(k, t)                                                                             \
	{                                                                                          \
		.key = (k), .text = (t)                                                            \
	}
#define LOG_NUMBER(k, n)                                                                           \
	{                                                                                          \
		.key = (k), .number = (int64_t)(n)                                                 \
	}

/* Before any thread is started. */
void log_configure(enum log_level level, enum log_format format);

/* Returns true if lines of that level are written. */
bool log_writes(int level);

/* One line: time, level, message, fields:  log_event(LOG_INFO, "store opened", LOG_TEXT("path",
 * path)); */
#define log_event(level, ...)                                                                      \
	log_write((level), LOG_FIRST(__VA_ARGS__, 0),                                              \
		  (const struct log_field[]){LOG_REST(__VA_ARGS__)})
#define LOG_FIRST(message, ...) (message)
#define LOG_REST(message, ...)                                                                     \
	__VA_ARGS__ __VA_OPT__(, )                                                                 \
	{                                                                                          \
		0                                                                                  \
	}
void log_write(int level, const char *message, const struct log_field *fields);

#endif
