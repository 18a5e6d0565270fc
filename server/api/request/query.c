/* query.c: the query parameters: split, decode, check. */
#include "server/api/request/query.h"

#include <stdio.h>
#include <string.h>

#include "server/api/request/context.h"
#include "server/api/request/problem.h"
#include "server/util/suggest.h"
#include "server/util/utf8.h"

static const char *const parameter_names[PARAMETER_COUNT + 1] = {
#define PARAMETER_ROW(constant, name) [constant] = name,
	PARAMETER_TABLE(PARAMETER_ROW)
#undef PARAMETER_ROW
};

bool query_problem(struct context *ctx, const char *parameter, const char *detail,
		   const char *expected, const char *suggestion)
{
	struct out out;
	problem_begin(ctx->request, PROBLEM_BAD_PARAMETER, &out, "%s", detail);
	problem_member(&out, "parameter", parameter);
	problem_member(&out, "expected", expected);
	problem_member(&out, "suggestion", suggestion);
	problem_end(ctx->request, &out);
	return false;
}

enum parameter query_parameter(const char *name)
{
	enum parameter parameter = 0;
	while (parameter < PARAMETER_COUNT && strcmp(parameter_names[parameter], name) != 0)
		parameter++;
	return parameter;
}

static int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

size_t query_unescape(const char *text, size_t length, bool plus, char *out, size_t room)
{
	size_t count = 0;
	for (size_t i = 0; i < length; i++) {
		char byte = text[i];
		if (byte == '%') {
			int high = length - i > 2 ? hex_value(text[i + 1]) : -1;
			int low = length - i > 2 ? hex_value(text[i + 2]) : -1;
			if (high < 0 || low < 0)
				return SIZE_MAX;
			byte = (char)(high * 16 + low);
			i += 2;
		} else if (byte == '+' && plus) {
			byte = ' ';
		}
		if (count == room)
			return SIZE_MAX;
		out[count++] = byte;
	}
	return count;
}

bool query_decode(struct context *ctx, const char *text, size_t length, bool plus,
		  struct text *decoded)
{
	decoded->bytes = NULL;
	char *out = ctx_alloc(ctx, length + 1);
	if (!out)
		return false;
	const size_t count = query_unescape(text, length, plus, out, length);
	if (count == SIZE_MAX)
		return query_problem(ctx, NULL,
				     "Each % in the URL must be followed by two hexadecimal "
				     "digits; a percent sign is %25.",
				     "%25 for a percent sign", NULL);
	out[count] = '\0';
	*decoded = (struct text){out, count};
	return true;
}

/* The known parameter with that name; PARAMETER_COUNT if there is none. */
static enum parameter parameter_find(const struct text *name, parameter_set known)
{
	for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
		if (known >> i & 1 && strlen(parameter_names[i]) == name->length &&
		    memcmp(parameter_names[i], name->bytes, name->length) == 0)
			return i;
	return PARAMETER_COUNT;
}

static bool parameter_unknown(struct context *ctx, const struct text *name, parameter_set known)
{
	const char *names[PARAMETER_COUNT];
	char expected[256], detail[320];
	size_t count = 0;
	for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
		if (known >> i & 1)
			names[count++] = parameter_names[i];
	suggest_list(names, count, expected, sizeof expected);
	if (count > 0)
		snprintf(detail, sizeof detail, "Unknown query parameter; use %s.", expected);
	else
		snprintf(detail, sizeof detail, "This path has no query parameters.");
	return query_problem(ctx, name->bytes, detail, count > 0 ? expected : "no query parameters",
			     suggest_nearest(name->bytes, name->length, names, count));
}

/* Parameters with a comma-separated list. */
static bool is_list(enum parameter parameter)
{
	return parameter == PARAMETER_AS || parameter == PARAMETER_PIECES ||
	       parameter == PARAMETER_AVERAGES;
}

/* The known parameter with that name, also with [] after it if it is a list. */
static enum parameter parameter_named(const struct text *name, parameter_set known)
{
	const enum parameter parameter = parameter_find(name, known);
	if (parameter != PARAMETER_COUNT || name->length < 2 ||
	    strcmp(name->bytes + name->length - 2, "[]") != 0)
		return parameter;
	const enum parameter list =
		parameter_find(&(struct text){name->bytes, name->length - 2}, known);
	return list != PARAMETER_COUNT && is_list(list) ? list : PARAMETER_COUNT;
}

/* Joins two parts of a list. */
static bool query_join(struct context *ctx, struct text *list, const struct text *more)
{
	const size_t length = list->length + 1 + more->length;
	char *joined = ctx_alloc(ctx, length + 1);
	if (!joined)
		return false;
	memcpy(joined, list->bytes, list->length);
	joined[list->length] = ',';
	memcpy(joined + list->length + 1, more->bytes, more->length + 1);
	*list = (struct text){joined, length};
	return true;
}

static bool query_read_one(struct context *ctx, const char *text, size_t length,
			   parameter_set known)
{
	const char *equals = memchr(text, '=', length);
	size_t name_length = equals ? (size_t)(equals - text) : length;
	struct text name, value = {"", 0};
	if (!query_decode(ctx, text, name_length, true, &name))
		return false;
	if (!utf8_valid(name.bytes, name.length))
		return query_problem(ctx, NULL,
				     "The name of a query parameter must be valid UTF-8.",
				     "text in UTF-8", NULL);
	if (equals && !query_decode(ctx, equals + 1, length - name_length - 1, true, &value))
		return false;
	enum parameter parameter = parameter_named(&name, known);
	if (parameter == PARAMETER_COUNT)
		return parameter_unknown(ctx, &name, known);
	if (ctx->query.value[parameter].bytes && is_list(parameter))
		return query_join(ctx, &ctx->query.value[parameter], &value);
	if (ctx->query.value[parameter].bytes)
		return query_problem(ctx, name.bytes, "This query parameter must not be repeated.",
				     "the parameter once", NULL);
	ctx->query.value[parameter] = value;
	return true;
}

bool query_read(struct context *ctx, const char *text, size_t length, parameter_set known)
{
	while (length > 0) {
		const char *end = memchr(text, '&', length);
		size_t one = end ? (size_t)(end - text) : length;
		if (one > 0 && !query_read_one(ctx, text, one, known))
			return false;
		if (!end)
			break;
		text += one + 1;
		length -= one + 1;
	}
	return true;
}

bool query_integer(struct context *ctx, enum parameter parameter, int64_t min, int64_t max,
		   int64_t *number)
{
	const struct text *text = &ctx->query.value[parameter];
	if (!text->bytes)
		return true;
	uint64_t value = 0;
	bool digits = text->length > 0;
	for (size_t i = 0; digits && i < text->length; i++) {
		digits = text->bytes[i] >= '0' && text->bytes[i] <= '9';
		/* Beyond all bounds, but still within the type. */
		value = value > INT64_MAX / 16 ? value
					       : value * 10 + (uint64_t)(text->bytes[i] - '0');
	}
	if (!digits || (int64_t)value < min || (int64_t)value > max) {
		char expected[80], detail[128];
		snprintf(expected, sizeof expected, "an integer from %lld to %lld", (long long)min,
			 (long long)max);
		if (digits)
			snprintf(detail, sizeof detail, "%.20s is out of range; use %s.",
				 text->bytes, expected);
		else
			snprintf(detail, sizeof detail, "Must be %s.", expected);
		return query_problem(ctx, parameter_names[parameter], detail, expected, NULL);
	}
	*number = (int64_t)value;
	return true;
}

bool query_bool(struct context *ctx, enum parameter parameter, bool *value)
{
	const struct text *text = &ctx->query.value[parameter];
	if (!text->bytes)
		return true;
	if (text_names(*text, "true") || text_is(*text, "1"))
		*value = true;
	else if (text_names(*text, "false") || text_is(*text, "0"))
		*value = false;
	else
		return query_problem(ctx, parameter_names[parameter], "Must be true or false.",
				     "true or false", NULL);
	return true;
}
