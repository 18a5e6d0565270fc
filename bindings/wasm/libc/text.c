/* text.c: snprintf() of the modules, for the conversions in the library's texts. wasi-libc's would be a tenth of core.wasm, and
 * imports functions for files. tests/wasm/hashes.mjs compares the texts with those of native code. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A text that is written; `length` counts what did not find room, too. */
struct text {
	char *bytes;
	size_t room, length;
};

static void put(struct text *text, const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++, text->length++)
		if (text->length + 1 < text->room)
			text->bytes[text->length] = bytes[i];
}

static void put_number(struct text *text, uint64_t number, unsigned base, size_t digits)
{
	char reversed[24];
	size_t at = sizeof(reversed);
	do
		reversed[--at] = "0123456789ABCDEF"[number % base];
	while ((number /= base) > 0 || sizeof(reversed) - at < digits);
	put(text, reversed + at, sizeof(reversed) - at);
}

/* Reads the precision before %s, "*" or a number; without one: all of the text. Moves `format` behind it. */
static size_t read_precision(const char **format, va_list *arguments)
{
	size_t precision = 0;
	if (**format != '.')
		return SIZE_MAX;
	if (*++*format == '*') {
		++*format;
		return (size_t)va_arg(*arguments, int);
	}
	for (; **format >= '0' && **format <= '9'; ++*format)
		precision = 10 * precision + (size_t)(**format - '0');
	return precision;
}

/* Writes the argument of the conversion at `format`; returns its last letter. */
static const char *convert(struct text *text, const char *format, va_list *arguments)
{
	const size_t precision = read_precision(&format, arguments);
	switch (*format) {
	case 's': {
		const char *from = va_arg(*arguments, const char *);
		put(text, from, strnlen(from, precision));
		return format;
	}
	case 'c': {
		const char letter = (char)va_arg(*arguments, int);
		put(text, &letter, 1);
		return format;
	}
	case 'd': {
		const int number = va_arg(*arguments, int);
		if (number < 0)
			put(text, "-", 1);
		put_number(text, number < 0 ? -(uint64_t)number : (uint64_t)number, 10, 1);
		return format;
	}
	case 'u':
		put_number(text, va_arg(*arguments, unsigned), 10, 1);
		return format;
	case 'l': /* llu */
		put_number(text, va_arg(*arguments, unsigned long long), 10, 1);
		return format + 2;
	case '0': /* 02X */
		put_number(text, va_arg(*arguments, unsigned), 16, 2);
		return format + 2;
	case '%':
		put(text, format, 1);
		return format;
	default:
		__builtin_trap();
	}
}

/* Writes %c, %s with a precision, %d, %u, %llu, %02X and %%. Any other conversion ends the program. */
int vsnprintf(char *restrict bytes, size_t room, const char *restrict format, va_list given)
{
	struct text text = {.bytes = bytes, .room = room};
	va_list arguments;
	va_copy(arguments, given);
	for (; *format; format++) {
		if (*format == '%')
			format = convert(&text, format + 1, &arguments);
		else
			put(&text, format, 1);
	}
	va_end(arguments);
	if (room > 0)
		bytes[text.length < room ? text.length : room - 1] = '\0';
	return (int)text.length;
}

int snprintf(char *restrict bytes, size_t room, const char *restrict format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(bytes, room, format, arguments);
	va_end(arguments);
	return length;
}
