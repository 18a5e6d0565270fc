/* writer.h: writing JSON: an append-only writer over a buffer.
 *
 * The caller writes members in order; commas are added automatically. The buffer remembers if it
 * ran out of memory. Text is UTF-8 and is escaped as JSON requires.
 *
 *     out_open(&out, '{'); out_member_integer(&out, "size", 3); out_close(&out, '}'); */
#ifndef SERVER_JSON_WRITER_H
#define SERVER_JSON_WRITER_H

#include <stdint.h>

#include "server/util/buffer.h"

struct out {
	struct buffer *buffer;
	bool comma; /* the next value or key needs one before it */
};

void out_open(struct out *out, char bracket);
void out_close(struct out *out, char bracket);
/* The name of a member; it needs no escaping. */
static inline void out_name(struct out *out, const char *key, size_t length)
{
	char *room = buffer_room(out->buffer, length + 4);
	if (room) {
		const size_t comma = out->comma;
		room[0] = ',';
		room[comma] = '"';
		memcpy(room + comma + 1, key, length);
		room[comma + length + 1] = '"';
		room[comma + length + 2] = ':';
		out->buffer->length += comma + length + 3;
	}
	out->comma = false;
}

/* The same; for a literal the compiler knows the length and copies in place. */
static inline void out_key(struct out *out, const char *key)
{
	out_name(out, key, strlen(key));
}
void out_integer(struct out *out, int64_t number);
/* A member {"min": ..., "max": ...}. */
void out_range(struct out *out, const char *key, int64_t min, int64_t max);
/* Nanoseconds as milliseconds with three decimals. */
void out_ms(struct out *out, uint64_t ns);
/* A value that is JSON already. */
void out_raw(struct out *out, const char *json, size_t length);
/* A number with two decimals, given in hundredths; not negative. */
void out_decimal(struct out *out, int64_t hundredths);
void out_bool(struct out *out, bool value);
void out_null(struct out *out);
void out_string(struct out *out, const char *text); /* NULL writes null */
void out_bytes(struct out *out, const char *text, size_t length);
/* A string of `length` bytes that need no escaping, filled in by the caller; NULL if out of
 * memory. */
char *out_room(struct out *out, size_t length);
/* Milliseconds since 1970 as "2026-01-31T12:00:00.000Z". */
void out_time(struct out *out, int64_t ms);

/* A member: its name, then its value as above. After out_member_open() its items or members follow. */
#define OUT_MEMBER(kind, parameter, argument)                                                      \
	static inline void out_member_##kind(struct out *out, const char *key, parameter)          \
	{                                                                                          \
		out_key(out, key);                                                                 \
		out_##kind(out, argument);                                                         \
	}
OUT_MEMBER(open, char bracket, bracket)
OUT_MEMBER(integer, int64_t number, number)
OUT_MEMBER(bool, bool value, value)
OUT_MEMBER(string, const char *text, text)
OUT_MEMBER(time, int64_t ms, ms)
#undef OUT_MEMBER
static inline void out_member_bytes(struct out *out, const char *key, const char *text,
				    size_t length)
{
	out_key(out, key);
	out_bytes(out, text, length);
}
static inline void out_member_null(struct out *out, const char *key)
{
	out_key(out, key);
	out_null(out);
}

#endif
