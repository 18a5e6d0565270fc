/* request_log.c: a line of the log for each request. The target is not logged: its query may have a
 * ticket. */
#include "server/api/request_log.h"

#include <string.h>

#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/util/log.h"

/* Whether `length` hexadecimal digits follow, small letters, not only zeros unless `zero`; moves on
 * behind them. */
static bool skip_hex(const char **at, size_t length, bool zero)
{
	const size_t digits = strspn(*at, "0123456789abcdef"), zeros = strspn(*at, "0");
	const bool good = digits == length && (zero || zeros < length);
	*at += good ? length : 0;
	return good;
}

/* W3C Trace Context, 3.2: version, trace id, parent id, flags. A later version may have more. */
static bool is_traceparent(const char *text)
{
	const char *at = text;
	if (!skip_hex(&at, 2, true) || strncmp(text, "ff", 2) == 0 || *at++ != '-' ||
	    !skip_hex(&at, 32, false) || *at++ != '-' || !skip_hex(&at, 16, false) ||
	    *at++ != '-' || !skip_hex(&at, 2, true))
		return false;
	return *at == '\0' || (*at == '-' && strncmp(text, "00", 2) != 0);
}

void request_log(const struct request *request, const struct route *route, uint64_t took_ns)
{
	const struct reply *reply = &request->reply;
	const int level = reply->problem == 1 + PROBLEM_INTERNAL ? LOG_ERROR : LOG_DEBUG;
	if (!log_writes(level))
		return;
	struct log_field fields[8] = {
		LOG_TEXT("request_id", request->id ? request->id : ""),
		LOG_TEXT("method", request->method ? request->method : ""),
		LOG_TEXT("route", route ? route->path : ""),
		LOG_NUMBER("status", reply->status),
		LOG_NUMBER("took_us", took_ns / 1000),
	};
	size_t count = 5;
	if (reply->problem > 0)
		fields[count++] = (struct log_field)LOG_TEXT(
			"problem", problem_name((enum problem_type)(reply->problem - 1)));
	const char *trace = request->header[HEADER_TRACEPARENT];
	if (trace && is_traceparent(trace))
		fields[count++] = (struct log_field)LOG_TEXT("traceparent", trace);
	log_write(level, "request", fields);
}
