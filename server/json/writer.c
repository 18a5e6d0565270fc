/* writer.c: writing JSON: literals, numbers, escaped text. */
#include "server/json/writer.h"

#include <string.h>

static void out_comma(struct out *out)
{
	if (out->comma)
		buffer_add(out->buffer, ",", 1);
	out->comma = true;
}

void out_open(struct out *out, char bracket)
{
	const char text[2] = {',', bracket};
	const size_t comma = out->comma;
	buffer_add(out->buffer, text + 1 - comma, 1 + comma);
	out->comma = false;
}

void out_close(struct out *out, char bracket)
{
	buffer_add(out->buffer, &bracket, 1);
	out->comma = true;
}

void out_integer(struct out *out, int64_t number)
{
	char digits[24];
	char *const end = digits + sizeof digits, *at = end;
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	do {
		*--at = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (number < 0)
		*--at = '-';
	if (out->comma)
		*--at = ',';
	out->comma = true;
	buffer_add(out->buffer, at, (size_t)(end - at));
}

void out_range(struct out *out, const char *key, int64_t min, int64_t max)
{
	out_member_open(out, key, '{');
	out_member_integer(out, "min", min);
	out_member_integer(out, "max", max);
	out_close(out, '}');
}

void out_ms(struct out *out, uint64_t ns)
{
	const uint64_t us = ns / 1000;
	out_integer(out, (int64_t)(us / 1000));
	const char decimals[4] = {'.', (char)('0' + us / 100 % 10), (char)('0' + us / 10 % 10),
				  (char)('0' + us % 10)};
	buffer_add(out->buffer, decimals, sizeof decimals);
}

void out_raw(struct out *out, const char *json, size_t length)
{
	out_comma(out);
	buffer_add(out->buffer, json, length);
}

void out_decimal(struct out *out, int64_t hundredths)
{
	const char rest[3] = {'.', (char)('0' + hundredths / 10 % 10),
			      (char)('0' + hundredths % 10)};
	out_integer(out, hundredths / 100);
	buffer_add(out->buffer, rest, sizeof rest);
}

void out_bool(struct out *out, bool value)
{
	out_comma(out);
	buffer_text(out->buffer, value ? "true" : "false");
}

void out_null(struct out *out)
{
	out_comma(out);
	buffer_add(out->buffer, "null", 4);
}

char *out_room(struct out *out, size_t length)
{
	out_comma(out);
	char *room = buffer_room(out->buffer, length + 2);
	if (!room)
		return NULL;
	room[0] = '"';
	room[length + 1] = '"';
	out->buffer->length += length + 2;
	return room + 1;
}

/* The two-character escapes by byte; 'u' for \u00xx, 0 for bytes written as they are. */
static char out_escape(unsigned char byte)
{
	switch (byte) {
	case '"':
	case '\\':
		return (char)byte;
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	case '\t':
		return 't';
	default:
		return byte < 0x20 || byte == 0x7f ? 'u' : 0;
	}
}

void out_bytes(struct out *out, const char *text, size_t length)
{
	out_comma(out);
	struct buffer *buffer = out->buffer;
	buffer_add(buffer, "\"", 1);
	size_t plain = 0;
	for (size_t i = 0; i < length; i++) {
		char escape = out_escape((unsigned char)text[i]);
		if (!escape)
			continue;
		static const char hex[] = "0123456789abcdef";
		unsigned char byte = (unsigned char)text[i];
		char code[6] = {'\\', escape, '0', '0', hex[byte >> 4], hex[byte & 15]};
		buffer_add(buffer, text + plain, i - plain);
		buffer_add(buffer, code, escape == 'u' ? 6 : 2);
		plain = i + 1;
	}
	buffer_add(buffer, text + plain, length - plain);
	buffer_add(buffer, "\"", 1);
}

void out_string(struct out *out, const char *text)
{
	if (text)
		out_bytes(out, text, strlen(text));
	else
		out_null(out);
}

/* Days since 1970 to year, month, day, by counting in 400-year eras that begin in March.
 * Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days. */
static void civil_date(int64_t days, int *year, int *month, int *day)
{
	days += 719468;
	int64_t era = (days >= 0 ? days : days - 146096) / 146097;
	int64_t of_era = days - era * 146097;
	int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
	int64_t march_month = (5 * of_year + 2) / 153;
	*day = (int)(of_year - (153 * march_month + 2) / 5 + 1);
	*month = (int)(march_month < 10 ? march_month + 3 : march_month - 9);
	*year = (int)(year_of_era + era * 400 + (*month <= 2));
}

static void two_digits(char *at, int value)
{
	at[0] = (char)('0' + value / 10 % 10);
	at[1] = (char)('0' + value % 10);
}

void out_time(struct out *out, int64_t ms)
{
	int year, month, day;
	int64_t seconds = ms / 1000 - (ms % 1000 < 0);
	int64_t days = seconds / 86400 - (seconds % 86400 < 0);
	int of_day = (int)(seconds - days * 86400), milli = (int)(ms - seconds * 1000);
	civil_date(days, &year, &month, &day);
	char *at = out_room(out, 24);
	if (!at)
		return;
	memcpy(at, "0000-00-00T00:00:00.000Z", 24);
	two_digits(at, year / 100);
	two_digits(at + 2, year % 100);
	two_digits(at + 5, month);
	two_digits(at + 8, day);
	two_digits(at + 11, of_day / 3600);
	two_digits(at + 14, of_day / 60 % 60);
	two_digits(at + 17, of_day % 60);
	at[20] = (char)('0' + milli / 100);
	two_digits(at + 21, milli % 100);
}
