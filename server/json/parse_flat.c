/* parse_flat.c: the usual body, a flat object of plain text and small numbers, in one pass. */
#include <string.h>

#include "server/json/json_internal.h"

#define MEMBERS_MAX 16
/* Any 18 digits are less than 2^63. */
#define DIGITS_MAX 18

/* The bytes that a string may have here: printable ASCII except the quote and the backslash. */
static const bool plain_bytes[256] = {[' '] = 1, ['!'] = 1, ['#' ... '['] = 1, [']' ... '~'] = 1};
/* RFC 8259, 2. */
static const bool blank_bytes[256] = {[' '] = 1, ['\t'] = 1, ['\n'] = 1, ['\r'] = 1};

/* The rest of the body. */
struct rest {
	const char *at, *end;
};

static void skip_blanks(struct rest *rest)
{
	while (rest->at < rest->end && blank_bytes[(unsigned char)*rest->at])
		rest->at++;
}

/* Skips white space, then consumes the byte if it is next. */
static bool consume(struct rest *rest, char byte)
{
	skip_blanks(rest);
	if (rest->at == rest->end || *rest->at != byte)
		return false;
	rest->at++;
	return true;
}

/* A string whose opening quote was consumed; `text` is in the body. */
static bool parse_text(struct rest *rest, struct text *text)
{
	const char *at = rest->at;
	while (at < rest->end && plain_bytes[(unsigned char)*at])
		at++;
	*text = (struct text){rest->at, (size_t)(at - rest->at)};
	rest->at = at + 1;
	return at < rest->end && *at == '"';
}

static bool is_digit(const char *at, const char *end)
{
	return at < end && *at >= '0' && *at <= '9';
}

/* A number whose first digit is there. */
static bool parse_whole(struct rest *rest, struct json_value *value)
{
	const char *const first = rest->at;
	int64_t number = 0;
	for (; is_digit(rest->at, rest->end) && rest->at - first < DIGITS_MAX; rest->at++)
		number = number * 10 + (*rest->at - '0');
	*value = (struct json_value){.kind = JSON_KIND_WHOLE, .whole = number};
	return *first != '0' || rest->at - first == 1;
}

static bool parse_word(struct rest *rest, struct json_value *value)
{
	static const struct {
		char text[6];
		unsigned char length;
		struct json_value value;
	} words[] = {
		{"true", 4, {.kind = JSON_KIND_BOOL, .truth = true}},
		{"false", 5, {.kind = JSON_KIND_BOOL, .truth = false}},
		{"null", 4, {.kind = JSON_KIND_NULL}},
	};
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if ((size_t)(rest->end - rest->at) >= words[i].length &&
		    memcmp(rest->at, words[i].text, words[i].length) == 0) {
			rest->at += words[i].length;
			*value = words[i].value;
			return true;
		}
	return false;
}

static bool parse_value(struct rest *rest, struct json_value *value)
{
	struct text text;
	if (!consume(rest, '"'))
		return is_digit(rest->at, rest->end) ? parse_whole(rest, value)
						     : parse_word(rest, value);
	if (!parse_text(rest, &text))
		return false;
	*value = (struct json_value){
		.kind = JSON_KIND_TEXT, .count = text.length, .text = text.bytes};
	return true;
}

static bool name_exists(const struct json_named *members, size_t count, struct text name)
{
	for (size_t i = 0; i < count; i++)
		if (members[i].name.length == name.length &&
		    memcmp(members[i].name.bytes, name.bytes, name.length) == 0)
			return true;
	return false;
}

static bool parse_members(struct rest *rest, struct json_named *members, size_t *count)
{
	*count = 0;
	if (!consume(rest, '{'))
		return false;
	if (consume(rest, '}'))
		return true;
	do {
		struct text name;
		if (*count == MEMBERS_MAX || !consume(rest, '"') || !parse_text(rest, &name) ||
		    name_exists(members, *count, name) || !consume(rest, ':'))
			return false;
		members[*count].name = name;
		if (!parse_value(rest, &members[*count].value))
			return false;
		++*count;
	} while (consume(rest, ','));
	return consume(rest, '}');
}

/* The same bytes in the copy, where a NUL replaces the quote after them. */
static const char *closed(char *copy, const char *body, const char *bytes, size_t length)
{
	char *text = copy + (bytes - body);
	text[length] = '\0';
	return text;
}

bool json_parse_flat(struct arena *arena, const char *body, size_t length,
		     struct json_value **value)
{
	struct json_named found[MEMBERS_MAX];
	struct rest rest = {body, body + length};
	size_t count;
	if (!parse_members(&rest, found, &count))
		return false;
	skip_blanks(&rest);
	if (rest.at != rest.end)
		return false;
	struct {
		struct json_value object;
		struct json_named members[];
	} *kept = arena_alloc(arena, sizeof *kept + count * sizeof found[0] + length);
	*value = NULL;
	if (!kept)
		return true;
	char *copy = (char *)(kept->members + count);
	memcpy(copy, body, length);
	for (size_t i = 0; i < count; i++) {
		struct json_named *member = &kept->members[i];
		*member = found[i];
		member->name.bytes = closed(copy, body, member->name.bytes, member->name.length);
		if (member->value.kind == JSON_KIND_TEXT)
			member->value.text =
				closed(copy, body, member->value.text, member->value.count);
	}
	kept->object = (struct json_value){
		.kind = JSON_KIND_OBJECT, .count = count, .members = kept->members};
	*value = &kept->object;
	return true;
}
