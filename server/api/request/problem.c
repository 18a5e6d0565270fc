/* problem.c: writing problems. */
#include "server/api/request/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/util/base_path.h"
#include "server/util/utf8.h"

#define PROBLEM_PREFIX "urn:cubed:problem:"
/* The path of the pages about the types: pages.c. */
#define PROBLEM_PAGES "/docs/problems/"

struct problem_row {
	unsigned status;
	const char *type, *title;
};

static const struct problem_row problem_rows[PROBLEM_COUNT] = {
#define PROBLEM_ROW(constant, status, name, title)                                                 \
	[constant] = {status, PROBLEM_PREFIX name, title},
	PROBLEM_TABLE(PROBLEM_ROW)
#undef PROBLEM_ROW
};

/* The reason of a problem that names none: 1 + enum refusal; 0: the problem refuses nothing. */
static const unsigned char usual_reasons[PROBLEM_COUNT] = {
	[PROBLEM_RATE] = 1 + REFUSAL_RATE,
	[PROBLEM_BUSY] = 1 + REFUSAL_BUSY,
	[PROBLEM_NO_TABLES] = 1 + REFUSAL_NO_TABLES,
	[PROBLEM_SHUTTING_DOWN] = 1 + REFUSAL_SHUTTING_DOWN,
	[PROBLEM_STORE_UNAVAILABLE] = 1 + REFUSAL_STORE_UNAVAILABLE,
	[PROBLEM_STORE_AWAY] = 1 + REFUSAL_STORE_AWAY,
	[PROBLEM_OUT_OF_MEMORY] = 1 + REFUSAL_OUT_OF_MEMORY,
	[PROBLEM_STORAGE_FULL] = 1 + REFUSAL_STORAGE_FULL,
};

#define RETRY_AFTER_S 1
/* For problem_full(). */
#define FULL_RETRY_AFTER_S 5

const char *problem_name(enum problem_type type)
{
	return problem_rows[type].type + strlen(PROBLEM_PREFIX);
}

unsigned problem_status(enum problem_type type)
{
	return problem_rows[type].status;
}

/* RFC 6750, 3. */
static const char *authenticate_of(enum problem_type type)
{
	if (type == PROBLEM_TOKEN_INVALID)
		return "Bearer error=\"invalid_token\"";
	return problem_rows[type].status == 401 ? "Bearer" : NULL;
}

/* Writes the members that every problem has. */
static void write_common(struct request *request, enum problem_type type, struct out *out,
			 const char *detail)
{
	const struct problem_row *row = &problem_rows[type];
	struct reply *reply = &request->reply;
	char help[64 + BASE_PATH_BYTES];
	buffer_free(&reply->body);
	*reply = (struct reply){.status = row->status,
				.body.charge = request->account,
				.content_type = "application/problem+json",
				.close = reply->close,
				.allow_origin = reply->allow_origin,
				.vary_origin = reply->vary_origin,
				.problem = (unsigned char)(type + 1),
				.refusal = usual_reasons[type],
				.authenticate = authenticate_of(type),
				.retry_after_s = row->status == 503 ? RETRY_AFTER_S : 0};
	*out = (struct out){.buffer = &reply->body};
	out_open(out, '{');
	out_member_string(out, "type", row->type);
	out_member_string(out, "title", row->title);
	out_member_integer(out, "status", row->status);
	out_member_string(out, "detail", detail);
	snprintf(help, sizeof help, "%s%s%s", base_path(), PROBLEM_PAGES, problem_name(type));
	out_member_string(out, "help", help);
}

void problem_begin(struct request *request, enum problem_type type, struct out *out,
		   const char *format, ...)
{
	char detail[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(detail, sizeof detail, format, arguments);
	va_end(arguments);
	utf8_mend(detail);
	write_common(request, type, out, detail);
	if (problem_rows[type].status == 401)
		problem_member(out, "suggestion", "Authorization: Bearer TOKEN");
}

void problem_member(struct out *out, const char *key, const char *text)
{
	if (!text || !text[0])
		return;
	out_member_string(out, key, text);
}

void problem_end(struct request *request, struct out *out)
{
	problem_member(out, "request_id", request->id);
	out_close(out, '}');
	buffer_add(&request->reply.body, "\n", 1);
}

void problem_answer(struct request *request, enum problem_type type, const char *detail)
{
	struct out out;
	problem_begin(request, type, &out, "%s", detail);
	problem_end(request, &out);
}

void problem_reason(struct request *request, enum refusal reason)
{
	request->reply.refusal = (unsigned char)(reason + 1);
}

void problem_ticket(struct request *request, const char *detail)
{
	struct out out;
	write_common(request, PROBLEM_TOKEN_INVALID, &out, detail);
	problem_member(&out, "suggestion", "POST /v1/tickets");
	problem_end(request, &out);
}

void problem_no_such_solve(struct request *request)
{
	problem_answer(request, PROBLEM_NO_SUCH_SOLVE, "No solve has this id.");
}

void problem_full(struct request *request, const char *detail)
{
	struct out out;
	problem_begin(request, PROBLEM_RATE, &out, "%s", detail);
	out_member_integer(&out, "retry_after_ms", FULL_RETRY_AFTER_S * 1000);
	problem_end(request, &out);
	request->reply.retry_after_s = FULL_RETRY_AFTER_S;
}
