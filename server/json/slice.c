/* slice.c: reading JSON in place. */
#include "server/json/slice.h"

#include <stdio.h>
#include <string.h>

bool span_is(struct span span, const char *text)
{
	return span.bytes && span.length == strlen(text) &&
	       memcmp(span.bytes, text, span.length) == 0;
}

/* ---- the grammar ---- */

static void skip_blanks(const char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t' || **at == '\n' || **at == '\r'))
		++*at;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_of(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

static bool skip_escape(const char **at, const char *end)
{
	if (end - *at < 2)
		return false;
	if ((*at)[1] != 'u') {
		bool known = (*at)[1] != '\0' && strchr("\"\\/bfnrt", (*at)[1]) != NULL;
		*at += known ? 2 : 0;
		return known;
	}
	if (end - *at < 6)
		return false;
	for (int i = 2; i < 6; i++)
		if (hex_of((*at)[i]) < 0)
			return false;
	*at += 6;
	return true;
}

static bool skip_string(const char **at, const char *end)
{
	for (++*at; *at < end && **at != '"';) {
		if ((unsigned char)**at < ' ')
			return false;
		if (**at != '\\')
			++*at;
		else if (!skip_escape(at, end))
			return false;
	}
	if (*at == end)
		return false;
	++*at;
	return true;
}

static bool skip_digits(const char **at, const char *end)
{
	const char *from = *at;
	while (*at < end && is_digit(**at))
		++*at;
	return *at > from;
}

static bool skip_number(const char **at, const char *end)
{
	*at += **at == '-';
	if (*at < end && **at == '0')
		++*at;
	else if (!skip_digits(at, end))
		return false;
	if (*at < end && **at == '.') {
		++*at;
		if (!skip_digits(at, end))
			return false;
	}
	if (*at < end && (**at == 'e' || **at == 'E')) {
		++*at;
		*at += *at < end && (**at == '+' || **at == '-');
		return skip_digits(at, end);
	}
	return true;
}

static bool skip_scalar(const char **at, const char *end)
{
	static const char *const words[] = {"true", "false", "null"};
	if (**at == '"')
		return skip_string(at, end);
	if (**at == '-' || is_digit(**at))
		return skip_number(at, end);
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t length = strlen(words[i]);
		if ((size_t)(end - *at) >= length && memcmp(*at, words[i], length) == 0) {
			*at += length;
			return true;
		}
	}
	return false;
}

/* `"key" :` before a member. */
static bool skip_key(const char **at, const char *end)
{
	skip_blanks(at, end);
	if (*at == end || **at != '"' || !skip_string(at, end))
		return false;
	skip_blanks(at, end);
	if (*at == end || **at != ':')
		return false;
	++*at;
	return true;
}

bool slice_value(const char **at, const char *end, struct span *value)
{
	char closing[SLICE_DEPTH_MAX];
	int depth = 0;
	skip_blanks(at, end);
	const char *from = *at;
	for (;;) {
		skip_blanks(at, end);
		if (*at == end)
			return false;
		if (**at == '[' || **at == '{') {
			const char close = **at == '[' ? ']' : '}';
			if (depth == SLICE_DEPTH_MAX)
				return false;
			++*at;
			skip_blanks(at, end);
			if (*at == end || **at != close) {
				closing[depth++] = close;
				if (close == '}' && !skip_key(at, end))
					return false;
				continue;
			}
			++*at;
		} else if (!skip_scalar(at, end)) {
			return false;
		}
		/* After a value: closing brackets, or a comma. */
		while (depth > 0) {
			skip_blanks(at, end);
			if (*at == end || **at != closing[depth - 1])
				break;
			++*at;
			depth--;
		}
		if (depth == 0)
			break;
		if (*at == end || **at != ',')
			return false;
		++*at;
		if (closing[depth - 1] == '}' && !skip_key(at, end))
			return false;
	}
	*value = (struct span){from, (size_t)(*at - from)};
	return true;
}

bool slice_document(struct span text, struct span *value, const char **fault)
{
	const char *end = text.bytes + text.length;
	*fault = text.bytes;
	if (!slice_value(fault, end, value))
		return false;
	skip_blanks(fault, end);
	return *fault == end;
}

/* ---- lists ---- */

bool slice_list(struct span value, char bracket, struct slice_list *list)
{
	if (value.length < 2 || value.bytes[0] != bracket)
		return false;
	*list = (struct slice_list){value.bytes + 1, value.bytes + value.length - 1};
	return true;
}

bool slice_next(struct slice_list *list, struct span *key, struct span *value)
{
	skip_blanks(&list->at, list->end);
	if (list->at == list->end)
		return false;
	list->at += *list->at == ',';
	*key = (struct span){0};
	if (list->end[0] == '}') {
		if (!slice_value(&list->at, list->end, key))
			return false;
		skip_blanks(&list->at, list->end);
		list->at++; /* the colon */
	}
	return slice_value(&list->at, list->end, value);
}

/* ---- scalars ---- */

bool slice_is_text(struct span value)
{
	return value.length >= 2 && value.bytes[0] == '"';
}

static unsigned unit_of(const char *at)
{
	unsigned unit = 0;
	for (int i = 2; i < 6; i++)
		unit = unit * 16 + (unsigned)hex_of(at[i]);
	return unit;
}

static size_t put_utf8(char *to, uint32_t point)
{
	if (point < 0x80) {
		to[0] = (char)point;
		return 1;
	}
	if (point < 0x800) {
		to[0] = (char)(0xc0 | point >> 6);
		to[1] = (char)(0x80 | (point & 63));
		return 2;
	}
	if (point < 0x10000) {
		to[0] = (char)(0xe0 | point >> 12);
		to[1] = (char)(0x80 | (point >> 6 & 63));
		to[2] = (char)(0x80 | (point & 63));
		return 3;
	}
	to[0] = (char)(0xf0 | point >> 18);
	to[1] = (char)(0x80 | (point >> 12 & 63));
	to[2] = (char)(0x80 | (point >> 6 & 63));
	to[3] = (char)(0x80 | (point & 63));
	return 4;
}

/* The character of an escape at *at, which moves behind it. */
static uint32_t unescape(const char **at, const char *end)
{
	static const char names[] = "bfnrt", means[] = "\b\f\n\r\t";
	const char name = (*at)[1];
	if (name != 'u') {
		const char *known = strchr(names, name);
		*at += 2;
		return (uint32_t)(known ? means[known - names] : name);
	}
	uint32_t point = unit_of(*at);
	*at += 6;
	if (point >= 0xd800 && point < 0xdc00 && end - *at >= 6 && **at == '\\' &&
	    (*at)[1] == 'u') {
		unsigned low = unit_of(*at);
		if (low >= 0xdc00 && low < 0xe000) {
			*at += 6;
			return 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return point == 0 || (point >= 0xd800 && point < 0xe000) ? 0xfffd : point;
}

bool slice_text(struct arena *arena, struct span value, struct span *text)
{
	/* Nothing gets longer: an escape of six bytes is three at most. */
	char *room = arena_alloc(arena, value.length);
	const char *at = value.bytes + 1, *end = value.bytes + value.length - 1;
	size_t length = 0;
	if (!room)
		return false;
	while (at < end) {
		if (*at == '\\')
			length += put_utf8(room + length, unescape(&at, end));
		else
			room[length++] = *at++;
	}
	room[length] = '\0';
	*text = (struct span){room, length};
	return true;
}

bool slice_integer(struct span value, int64_t *number)
{
	const char *at = value.bytes, *end = at + value.length;
	const bool negative = at < end && *at == '-';
	int64_t whole = 0;
	int digits = 0;
	for (at += negative; at < end && is_digit(*at); at++) {
		if (++digits > 18)
			return false;
		whole = whole * 10 + (*at - '0');
	}
	if (digits == 0 || memchr(value.bytes, 'e', value.length) ||
	    memchr(value.bytes, 'E', value.length))
		return false;
	*number = negative ? -whole : whole;
	return true;
}

void slice_quote(struct buffer *to, struct span text)
{
	static const char names[] = "btnvfr"; /* from \b on; \v has no short one */
	buffer_text(to, "\"");
	for (size_t i = 0; i < text.length; i++) {
		const unsigned char c = (unsigned char)text.bytes[i];
		char escape[8] = {'\\', (char)c};
		size_t length = 2;
		if (c >= '\b' && c <= '\r' && c != '\v')
			escape[1] = names[c - '\b'];
		else if (c < ' ')
			length = (size_t)snprintf(escape, sizeof escape, "\\u%04x", c);
		else if (c != '"' && c != '\\')
			length = 0;
		buffer_add(to, length > 0 ? escape : (const char *)&text.bytes[i],
			   length > 0 ? length : 1);
	}
	buffer_text(to, "\"");
}
