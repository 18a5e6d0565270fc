/* validate_head.c: checks that a head is well-formed; refuses what libmicrohttpd 0.9.75 tolerates.
 *
 * A head that can be read in two ways allows requests to be smuggled past a proxy: so anything
 * ambiguous is a fault, after which the connection closes (RFC 9112, 11.2). */
#include "server/http/http_internal.h"

#include <string.h>
#include <strings.h>

#include "server/api/request/problem.h"

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

struct head_check {
	struct connection *connection;
	struct request *request;
	const char *fault;     /* NULL: none yet */
	const char *next_line; /* where the next header must begin */
	uint64_t length;
	bool has_length, chunked;
};

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

static bool is_name(const char *name, size_t length, const char *text)
{
	return strlen(text) == length && strncasecmp(name, text, length) == 0;
}

static const char *read_length(struct head_check *check, const char *value, size_t length)
{
	if (check->has_length)
		return "There is more than one Content-Length.";
	if (length == 0 || length > 18)
		return "The Content-Length is not a number of bytes.";
	for (size_t i = 0; i < length; i++) {
		if (value[i] < '0' || value[i] > '9')
			return "The Content-Length is not a number of bytes.";
		check->length = check->length * 10 + (uint64_t)(value[i] - '0');
	}
	check->has_length = true;
	return NULL;
}

static const char *read_encoding(struct head_check *check, const char *value, size_t length)
{
	if (check->chunked)
		return "There is more than one Transfer-Encoding.";
	if (!is_name(value, length, "chunked"))
		return "The only supported Transfer-Encoding is chunked.";
	check->chunked = true;
	return NULL;
}

static const char *read_known(struct head_check *check, enum header header, const char *value,
			      size_t length)
{
	struct request *request = check->request;
	const char *before = request->header[header];
	size_t whole = length;
	/* White space after a value do not belong to it (RFC 9110, 5.5); those before it are
	 * skipped. */
	while (length > 0 && (value[length - 1] == ' ' || value[length - 1] == '\t'))
		length--;
	if (length < whole)
		value = arena_text(&request->arena, value, length);
	if (!value)
		return "There is currently not enough memory for this request.";
	if (!before) {
		request->header[header] = value;
		return NULL;
	}
	if (header == HEADER_HOST)
		return "There is more than one Host.";
	if (header == HEADER_CONTENT_TYPE)
		return "There is more than one Content-Type.";
	/* A list: two fields are equal to one with a comma (RFC 9110, 5.3). */
	size_t before_length = strlen(before);
	char *joined = arena_alloc(&request->arena, before_length + length + 3);
	if (!joined)
		return "There is currently not enough memory for this request.";
	memcpy(joined, before, before_length);
	memcpy(joined + before_length, ", ", 2);
	memcpy(joined + before_length + 2, value, length + 1);
	request->header[header] = joined;
	return NULL;
}

static const char *read_field(struct head_check *check, const char *name, size_t name_length,
			      const char *value, size_t length)
{
	static const char *const names[] = {
#define HEADER_ROW(constant, text) text,
		HEADER_TABLE(HEADER_ROW)
#undef HEADER_ROW
	};
	static const unsigned char lengths[] = {
#define HEADER_ROW(constant, text) sizeof(text) - 1,
		HEADER_TABLE(HEADER_ROW)
#undef HEADER_ROW
	};
	if (!is_token(name, name_length))
		return "A header's name has a character that is not allowed there.";
	if (!has_only(value_bytes, value, length))
		return "A header's value has a control character.";
	for (enum header header = 0; header < HEADER_COUNT; header++)
		if (lengths[header] == name_length &&
		    strncasecmp(name, names[header], name_length) == 0)
			return read_known(check, header, value, length);
	if (is_name(name, name_length, "Content-Length"))
		return read_length(check, value, length);
	if (is_name(name, name_length, "Transfer-Encoding"))
		return read_encoding(check, value, length);
	return NULL;
}

/* libmicrohttpd 0.9.75 reads the head in place and puts a NUL over each CR, LF, colon and
 * separating space. So the next line begins two bytes after a value's end, or the line had a bare
 * LF, a NUL or a folded continuation. */
static bool line_in_place(struct head_check *check, const char *name, size_t name_length,
			  const char *value, size_t length)
{
	if (name != check->next_line || value <= name + name_length || value[length + 1] != '\0')
		return false;
	for (const char *blank = name + name_length + 1; blank < value; blank++)
		if (*blank != ' ' && *blank != '\t')
			return false;
	check->next_line = value + length + 2;
	return true;
}

static enum MHD_Result validate_field(void *context, enum MHD_ValueKind kind, const char *name,
				      size_t name_length, const char *value, size_t length)
{
	struct head_check *check = context;
	(void)kind;
	if (!value)
		check->fault = "A header has no value.";
	else if (check->connection->loop->http->strict_layout &&
		 !line_in_place(check, name, name_length, value, length))
		check->fault = "A header line is folded, does not end in CR LF, or has a NUL.";
	else
		check->fault = read_field(check, name, name_length, value, length);
	return check->fault ? MHD_NO : MHD_YES;
}

static const char *validate_framing(const struct head_check *check, const char *version)
{
	bool http_1_0 = strcmp(version, "HTTP/1.0") == 0;
	if (check->fault)
		return check->fault;
	if (!check->request->header[HEADER_HOST] && !http_1_0)
		return "The Host header is missing.";
	if (check->chunked && check->has_length)
		return "A request must not have both Content-Length and Transfer-Encoding.";
	if (check->chunked && http_1_0)
		return "HTTP/1.0 does not support Transfer-Encoding.";
	return NULL;
}

/* The form for proxies: http://host/path. Its authority replaces Host (RFC 9112, 3.2.2). */
static const char *read_absolute(struct request *request)
{
	const char *authority = strstr(request->target, "//") + 2;
	size_t length = strcspn(authority, "/?#");
	if (length == 0 || authority[length] != '/')
		return "The request target must have a path.";
	request->header[HEADER_HOST] = arena_text(&request->arena, authority, length);
	if (!request->header[HEADER_HOST])
		return "There is currently not enough memory for this request.";
	request->target_length -= (size_t)(authority + length - request->target);
	request->target = authority + length;
	return NULL;
}

static const char *validate_target(struct request *request)
{
	const char *target = request->target;
	for (size_t i = 0; i < request->target_length; i++) {
		unsigned char byte = (unsigned char)target[i];
		if (byte <= 0x20 || byte == 0x7f)
			return "The request target has a space or a control character.";
		if (byte == '%' && target[i + 1] == '0' && target[i + 2] == '0')
			return "The request target has a NUL (%00).";
	}
	if (target[0] == '/')
		return NULL;
	if (strncasecmp(target, "http://", strlen("http://")) == 0 ||
	    strncasecmp(target, "https://", strlen("https://")) == 0)
		return read_absolute(request);
	return "The request target must begin with a slash.";
}

static bool request_line_in_place(const struct request *request, const char *version)
{
	return request->method + strlen(request->method) + 1 == request->target &&
	       request->target + request->target_length + 1 == version &&
	       version[strlen(version) + 1] == '\0';
}

static bool refuse_head(struct request *request, enum problem_type type, const char *detail)
{
	request_identify(request);
	problem_answer(request, type, detail);
	return false;
}

bool validate_head(struct connection *connection, const char *method, const char *version,
		   uint64_t *length)
{
	struct request *request = &connection->request;
	struct head_check check = {.connection = connection, .request = request};
	bool strict = connection->loop->http->strict_layout;
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	size_t head = info ? info->header_size : 0;
	request->method = method;
	if (request->target_length > TARGET_BYTES_MAX)
		return refuse_head(request, PROBLEM_URI_LONG,
				   "The request target is longer than 8192 bytes.");
	if (head > HEAD_BYTES_MAX)
		return refuse_head(request, PROBLEM_HEAD_LARGE,
				   "The request's head is longer than 10240 bytes.");
	if (!is_token(method, strlen(method)))
		return refuse_head(request, PROBLEM_BAD_REQUEST,
				   "The method is not a valid token.");
	if (strict && !request_line_in_place(request, version))
		return refuse_head(request, PROBLEM_BAD_REQUEST,
				   "The request line is not METHOD, target, version and CR LF.");
	check.next_line = version + strlen(version) + 2;
	MHD_get_connection_values_n(connection->mhd, MHD_HEADER_KIND, validate_field, &check);
	const char *fault = validate_framing(&check, version);
	if (!fault && strict && check.next_line + 2 != method + head)
		fault = "The head does not end in CR LF CR LF.";
	if (!fault)
		fault = validate_target(request);
	if (fault)
		return refuse_head(request, PROBLEM_BAD_REQUEST, fault);
	*length = check.chunked ? MHD_SIZE_UNKNOWN : check.length;
	return true;
}
