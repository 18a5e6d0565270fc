/* request_head.c: reads the head of a request, line by line, and what is to be known of it. */
#include "server/http/request_head.h"

#include <string.h>
#include <strings.h>

/* The longest method that libmicrohttpd gets; for a longer one it gets GET. */
#define METHOD_BYTES_MAX 16
#define VERSION_BYTES 8

static const char not_a_request_line[] =
	"The request line must be METHOD, target and version, with one space between them, and end "
	"in CR LF.";

/* RFC 9110, 5.6.2. */
static const bool token_bytes[256] = {
	/* clang-format off */
	['!'] = 1, ['#'] = 1, ['$'] = 1, ['%'] = 1, ['&'] = 1, ['\''] = 1, ['*'] = 1, ['+'] = 1,
	['-'] = 1, ['.'] = 1, ['^'] = 1, ['_'] = 1, ['`'] = 1, ['|'] = 1, ['~'] = 1,
	['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1,
	/* clang-format on */
};

/* RFC 9110, 5.5: of the controls only the tab. */
static const bool value_bytes[256] = {['\t'] = 1, [' ' ... '~'] = 1, [0x80 ... 0xff] = 1};

static bool has_only(const bool allowed[256], const char *text, size_t length)
{
	bool good = true;
	for (size_t i = 0; i < length; i++)
		good &= allowed[(unsigned char)text[i]];
	return good;
}

static bool is_token(const char *text, size_t length)
{
	return length > 0 && has_only(token_bytes, text, length);
}

/* A field: `name: value` without the white space around the value (RFC 9110, 5.5). */
struct field_line {
	const char *name, *value;
	size_t name_length, length;
};

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static void field_split(struct field_line *field, const char *line, size_t length,
			const char *colon)
{
	const char *end = line + length;
	field->name = line;
	field->name_length = (size_t)(colon - line);
	field->value = colon + 1;
	while (field->value < end && is_blank(field->value[0]))
		field->value++;
	while (end > field->value && is_blank(end[-1]))
		end--;
	field->length = (size_t)(end - field->value);
}

static const char *field_check(struct field_line *field, const char *line, size_t length)
{
	const char *colon = memchr(line, ':', length);
	if (is_blank(line[0]))
		return "A header line is folded; send each header on a line of its own.";
	if (!colon)
		return "A header line has no colon.";
	field_split(field, line, length, colon);
	if (!is_token(field->name, field->name_length))
		return "A header's name has a character that is not allowed there.";
	if (!has_only(value_bytes, field->value, field->length))
		return "A header's value has a control character.";
	return NULL;
}

const char *field_line_fault(const char *line, size_t length)
{
	struct field_line field;
	return field_check(&field, line, length);
}

static bool text_is(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

/* ---- the framing ---- */

static const char *read_host(struct request_head *head, const struct field_line *field)
{
	(void)field;
	if (head->has_host)
		return "There is more than one Host.";
	head->has_host = true;
	return NULL;
}

static const char *read_type(struct request_head *head, const struct field_line *field)
{
	(void)field;
	if (head->has_type)
		return "There is more than one Content-Type.";
	head->has_type = true;
	return NULL;
}

/* White space behind the value is allowed (RFC 9110, 5.5), and read in two ways where the framing is
 * concerned: it is refused there. */
static const char *read_length(struct request_head *head, const struct field_line *field)
{
	if (head->has_length)
		return "There is more than one Content-Length.";
	if (field->length == 0 || field->length > 18 || is_blank(field->value[field->length]))
		return "The Content-Length is not a number of bytes.";
	for (size_t i = 0; i < field->length; i++) {
		if (field->value[i] < '0' || field->value[i] > '9')
			return "The Content-Length is not a number of bytes.";
		head->body = head->body * 10 + (uint64_t)(field->value[i] - '0');
	}
	head->has_length = true;
	return NULL;
}

static const char *read_encoding(struct request_head *head, const struct field_line *field)
{
	if (head->chunked)
		return "There is more than one Transfer-Encoding.";
	if (!text_is(field->value, field->length, "chunked") ||
	    is_blank(field->value[field->length]))
		return "The only supported Transfer-Encoding is chunked.";
	head->chunked = true;
	return NULL;
}

static const char *read_connection(struct request_head *head, const struct field_line *field)
{
	const char *at = field->value, *end = field->value + field->length;
	while (at < end) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *last = comma ? comma : end;
		while (at < last && is_blank(at[0]))
			at++;
		while (last > at && is_blank(last[-1]))
			last--;
		head->close |= text_is(at, (size_t)(last - at), "close");
		head->keep_alive |= text_is(at, (size_t)(last - at), "keep-alive");
		at = comma ? comma + 1 : end;
	}
	return NULL;
}

static const char *read_expect(struct request_head *head, const struct field_line *field)
{
	head->expects |= text_is(field->value, field->length, "100-continue");
	return NULL;
}

/* The headers that frame a request, or may occur once only. */
static const struct framing {
	const char *name;
	const char *(*read)(struct request_head *head, const struct field_line *field);
} framings[] = {
	{"Host", read_host},
	{"Content-Type", read_type},
	{"Content-Length", read_length},
	{"Transfer-Encoding", read_encoding},
	{"Connection", read_connection},
	{"Expect", read_expect},
};

static const char *read_field(struct request_head *head, const char *line, size_t length)
{
	struct field_line field;
	const char *fault = field_check(&field, line, length);
	if (fault)
		return fault;
	for (size_t i = 0; i < sizeof framings / sizeof framings[0]; i++)
		if (text_is(field.name, field.name_length, framings[i].name))
			return framings[i].read(head, &field);
	return NULL;
}

static const char *framing_fault(const struct request_head *head)
{
	if (!head->has_host && !head->http_1_0)
		return "The Host header is missing.";
	if (head->chunked && head->has_length)
		return "A request must not have both Content-Length and Transfer-Encoding.";
	if (head->chunked && head->http_1_0)
		return "HTTP/1.0 does not support Transfer-Encoding.";
	return NULL;
}

/* ---- the request line ---- */

/* Returns the length of the scheme and authority of the form for proxies, http://host/path; 0 for a
 * path; SIZE_MAX for anything else. */
static size_t authority_length(const char *target, size_t length)
{
	static const char *const schemes[] = {"http://", "https://"};
	if (target[0] == '/')
		return 0;
	for (size_t i = 0; i < 2; i++) {
		const size_t scheme = strlen(schemes[i]);
		if (length <= scheme || strncasecmp(target, schemes[i], scheme) != 0)
			continue;
		size_t at = scheme;
		while (at < length && target[at] != '/' && target[at] != '?' && target[at] != '#')
			at++;
		return at > scheme && at < length && target[at] == '/' ? at : SIZE_MAX;
	}
	return SIZE_MAX;
}

static const char *target_fault(const char *target, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char byte = (unsigned char)target[i];
		if (byte <= 0x20 || byte == 0x7f)
			return "The request target has a space or a control character.";
		if (byte == '%' && i + 2 < length && target[i + 1] == '0' && target[i + 2] == '0')
			return "The request target has a NUL (%00).";
	}
	if (authority_length(target, length) == SIZE_MAX)
		return "The request target must be a path that begins with a slash, or "
		       "http://HOST/PATH.";
	return NULL;
}

static struct fault bad(const char *detail)
{
	return (struct fault){PROBLEM_BAD_REQUEST, detail};
}

static struct fault read_version(struct request_head *head, const char *version)
{
	if (memcmp(version, "HTTP/", 5) != 0 || version[5] < '0' || version[5] > '9' ||
	    version[6] != '.' || version[7] < '0' || version[7] > '9')
		return bad(not_a_request_line);
	if (version[5] != '1')
		return (struct fault){PROBLEM_HTTP_VERSION,
				      "The version of HTTP must be 1.1 or 1.0."};
	head->http_1_0 = version[7] == '0';
	return (struct fault){0};
}

static struct fault read_request_line(struct request_head *head, const char *line, size_t length)
{
	const char *space = memchr(line, ' ', length);
	if (!space || length < (size_t)(space - line) + 1 + 1 + 1 + VERSION_BYTES)
		return bad(not_a_request_line);
	const char *target = space + 1, *version = line + length - VERSION_BYTES;
	const size_t target_length = (size_t)(version - 1 - target);
	if (version[-1] != ' ')
		return bad(not_a_request_line);
	if (!is_token(line, (size_t)(space - line)))
		return bad("The method is not a valid token.");
	const struct fault fault = read_version(head, version);
	if (fault.detail)
		return fault;
	const size_t method = (size_t)(space - line);
	head->method = method > METHOD_BYTES_MAX ? METHOD_BYTES_MAX + 1 : (unsigned char)method;
	/* Refused at the end of the head, so that the answer suits the page that asked. */
	head->fault = target_length > TARGET_BYTES_MAX
			      ? (struct fault){PROBLEM_URI_LONG,
					       "The request target is longer than 8192 bytes."}
			      : bad(target_fault(target, target_length));
	return (struct fault){0};
}

/* ---- the whole head ---- */

static struct fault read_line(struct request_head *head, const char *line, size_t length)
{
	if (head->method == 0)
		return read_request_line(head, line, length);
	if (length > 0)
		return bad(read_field(head, line, length));
	return head->fault.detail ? head->fault : bad(framing_fault(head));
}

static struct fault too_long(const struct request_head *head)
{
	if (head->method == 0)
		return (struct fault){PROBLEM_URI_LONG, "The request line is longer than 10240 "
							"bytes."};
	return (struct fault){PROBLEM_HEAD_LARGE, "The request's head is longer than 10240 bytes."};
}

static enum head_state refuse(struct request_head *head, struct fault fault)
{
	head->fault = fault;
	return HEAD_REFUSED;
}

enum head_state head_read(struct request_head *head, const char *bytes, size_t length)
{
	const size_t most = length < HEAD_BYTES_MAX ? length : HEAD_BYTES_MAX;
	while (head->line < most) {
		const char *line = bytes + head->line;
		const char *end = memchr(line, '\n', most - head->line);
		if (!end)
			break;
		const size_t line_length = (size_t)(end - line);
		if (line_length == 0 || end[-1] != '\r')
			return refuse(head, bad("A line of the head ends in a bare LF; it must end "
						"in CR LF."));
		const bool fields = head->method != 0;
		const struct fault fault = read_line(head, line, line_length - 1);
		if (fault.detail)
			return refuse(head, fault);
		head->line += line_length + 1;
		if (fields && line_length == 1) {
			head->length = head->line;
			return HEAD_COMPLETE;
		}
	}
	return length > HEAD_BYTES_MAX ? refuse(head, too_long(head)) : HEAD_INCOMPLETE;
}

static char *put(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}

static char *put_text(char *at, const char *text)
{
	return put(at, text, strlen(text));
}

static char *put_length(char *at, uint64_t length)
{
	char digits[20];
	size_t count = 0;
	do
		digits[sizeof digits - ++count] = (char)('0' + length % 10);
	while ((length /= 10) > 0);
	at = put_text(at, "Content-Length:");
	return put_text(put(at, digits + sizeof digits - count, count), "\r\n");
}

/* Each header that is written was received, in at least as many bytes. */
size_t head_cover(const struct request_head *head, char *bytes, size_t least)
{
	char fields[160], method[METHOD_BYTES_MAX];
	char *at = put_text(fields, head->http_1_0 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
	if (head->has_host)
		at = put_text(at, "Host:\r\n");
	if (head->chunked)
		at = put_text(at, "Transfer-Encoding:chunked\r\n");
	if (head->has_length)
		at = put_length(at, head->body);
	if (head->close)
		at = put_text(at, "Connection:close\r\n");
	else if (head->keep_alive)
		at = put_text(at, "Connection:keep-alive\r\n");
	if (head->expects)
		at = put_text(at, "Expect:100-continue\r\n");
	at = put_text(at, "\r\n");
	const size_t tail = (size_t)(at - fields);
	const bool known = head->method <= METHOD_BYTES_MAX;
	const size_t method_length = known ? head->method : 3;
	memcpy(method, known ? bytes : "GET", method_length);
	const size_t others = method_length + 1 + tail;
	const size_t target = least > others ? least - others : 1;
	at = put(bytes, method, method_length);
	at = put(at, " ", 1);
	memset(at, '/', target);
	put(at + target, fields, tail);
	return others + target;
}

/* ---- for the service ---- */

static const struct known {
	const char *name;
	unsigned char length;
} known[HEADER_COUNT] = {
#define HEADER_ROW(constant, text) [constant] = {text, sizeof(text) - 1},
	HEADER_TABLE(HEADER_ROW)
#undef HEADER_ROW
};

/* A list in several fields is equal to one with commas (RFC 9110, 5.3). */
static const char *join(struct arena *arena, const char *before, const char *value, size_t length)
{
	const size_t before_length = strlen(before);
	char *joined = arena_alloc(arena, before_length + length + 3);
	if (!joined)
		return NULL;
	put(put(put(joined, before, before_length), ", ", 2), value, length + 1);
	return joined;
}

static bool set_field(struct request *request, const char *line, size_t length)
{
	struct field_line field;
	field_split(&field, line, length, memchr(line, ':', length));
	for (enum header header = 0; header < HEADER_COUNT; header++) {
		const char **to = &request->header[header];
		if (known[header].length != field.name_length ||
		    strncasecmp(field.name, known[header].name, field.name_length) != 0)
			continue;
		((char *)(uintptr_t)field.value)[field.length] = '\0';
		*to = *to ? join(&request->arena, *to, field.value, field.length) : field.value;
		return *to != NULL;
	}
	return true;
}

/* The authority of the form for proxies replaces Host (RFC 9112, 3.2.2). */
static bool set_authority(struct request *request)
{
	const size_t length = authority_length(request->target, request->target_length);
	if (length == 0 || length == SIZE_MAX)
		return true;
	const char *authority = strstr(request->target, "//") + 2;
	request->header[HEADER_HOST] = arena_text(&request->arena, authority,
						  length - (size_t)(authority - request->target));
	request->target += length;
	request->target_length -= length;
	return request->header[HEADER_HOST] != NULL;
}

bool head_fields(struct request *request, char *bytes, size_t length)
{
	/* A target that is refused may have a CR: only an LF ends the request line. */
	char *end = (char *)memchr(bytes, '\n', length) - 1, *space = memchr(bytes, ' ', length);
	request->method = bytes;
	*space = '\0';
	request->target = space + 1;
	end[-1 - VERSION_BYTES] = '\0';
	request->target_length = (size_t)(end - 1 - VERSION_BYTES - request->target);
	for (char *line = end + 2; line < bytes + length && line[0] != '\r'; line = end + 2) {
		end = memchr(line, '\r', (size_t)(bytes + length - line));
		if (!set_field(request, line, (size_t)(end - line)))
			return false;
	}
	return set_authority(request);
}
