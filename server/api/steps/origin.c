/* origin.c: which origins may read answers, and which requests of other sites are refused. */
#include "server/api/steps/origin.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/host.h"
#include "server/util/log.h"

/* The longest origin that is repeated in a message: a name has at most 253 bytes. */
#define ORIGIN_BYTES_MAX 280
/* The longest list of headers that a preflight is allowed. */
#define CORS_HEADERS_MAX 2048
/* The bytes of HOST:PORT in an origin, as browsers write them. */
#define AUTHORITY_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:[]"

static bool lists_any(const struct config *config)
{
	for (size_t i = 0; i < config->allow_origin_count; i++)
		if (strcmp(config->allow_origin[i], "*") == 0)
			return true;
	return false;
}

const char *origin_default(const struct config *config)
{
	return lists_any(config) ? "*" : NULL;
}

static bool lists(const struct config *config, const char *origin)
{
	for (size_t i = 0; i < config->allow_origin_count; i++)
		if (strcasecmp(config->allow_origin[i], origin) == 0)
			return true;
	return false;
}

/* HOST or HOST:PORT of an http or https origin; NULL for others: "null", an extension's. */
static const char *authority_of(const char *origin)
{
	static const char *const schemes[] = {"http://", "https://"};
	for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
		const char *authority = origin + strlen(schemes[i]);
		if (strncasecmp(origin, schemes[i], strlen(schemes[i])) == 0)
			return authority[0] && strlen(origin) < ORIGIN_BYTES_MAX &&
					       !authority[strspn(authority, AUTHORITY_BYTES)]
				       ? authority
				       : NULL;
	}
	return NULL;
}

/* Returns true if nothing, or a colon and digits, follows the name. */
static bool ends_in_port(const char *rest)
{
	return !rest[0] || (rest[0] == ':' && rest[1] && !rest[1 + strspn(rest + 1, "0123456789")]);
}

/* Returns true if the page came from this server. A proxy may have changed Host: then the browser's word
 * counts, or a name of --allow-host on the usual port. */
static bool is_own(const struct config *config, const struct request *request,
		   const char *authority)
{
	const char *host = request->header[HEADER_HOST],
		   *site = request->header[HEADER_SEC_FETCH_SITE];
	const struct text page = host_name(authority);
	if (!host_is_loopback(&page) && !authority[page.length] && host_is_listed(config, &page))
		return true;
	if (!host)
		return false;
	const struct text name = host_name(host);
	return host_is_own(config, request, &name) &&
	       (strcasecmp(authority, host) == 0 || (site && strcmp(site, "same-origin") == 0));
}

static bool may_use(const struct config *config, const struct request *request, const char *origin)
{
	const char *authority = authority_of(origin);
	if (lists(config, origin))
		return true;
	if (!authority)
		return false;
	const struct text page = host_name(authority);
	if (!ends_in_port(authority + page.length))
		return false;
	return (host_is_loopback(&page) && !config->only_listed_origins) ||
	       is_own(config, request, authority);
}

/* Returns true for /cubed.js and /cubed-VERSION.js, which pages of others load. */
static bool is_for_all(const struct request *request)
{
	static const char path[] = "/cubed";
	const size_t length = sizeof path - 1;
	return request->target && request->target_length > length &&
	       memcmp(request->target, path, length) == 0 && strchr(".-", request->target[length]);
}

void origin_allow(const struct config *config, struct request *request)
{
	const char *origin = request->header[HEADER_ORIGIN];
	struct reply *reply = &request->reply;
	reply->allow_origin = is_for_all(request) ? "*" : origin_default(config);
	reply->vary_origin = !reply->allow_origin;
	if (!reply->allow_origin && origin && may_use(config, request, origin))
		reply->allow_origin = origin;
}

/* Without Origin: returns true if the browser says that a page sent it that may not use the server. */
static bool is_of_other_site(const struct config *config, const struct request *request)
{
	const char *site = request->header[HEADER_SEC_FETCH_SITE];
	const char *host = request->header[HEADER_HOST];
	if (!site || strcmp(site, "none") == 0)
		return false;
	const struct text name = host_name(host ? host : "");
	if (strcmp(site, "same-origin") == 0)
		return !host_is_own(config, request, &name);
	/* Another port of this machine. */
	return strcmp(site, "same-site") != 0 || !host_is_loopback(&name) ||
	       config->only_listed_origins;
}

static bool is_refused(const struct config *config, const struct request *request)
{
	if (request->reply.allow_origin)
		return false;
	return request->header[HEADER_ORIGIN] || is_of_other_site(config, request);
}

/* The flag that would allow the page: the server's own under a name that it does not know, or one
 * of another site. False if the request does not say which. */
static bool name_flag(const struct request *request, char flag[static ORIGIN_BYTES_MAX + 32])
{
	const char *origin = request->header[HEADER_ORIGIN], *host = request->header[HEADER_HOST];
	const char *authority = origin ? authority_of(origin) : NULL;
	if (!origin)
		return false;
	if (!authority)
		snprintf(flag, ORIGIN_BYTES_MAX + 32, "--allow-origin '*'");
	else if (host && strcasecmp(authority, host) == 0)
		snprintf(flag, ORIGIN_BYTES_MAX + 32, "--allow-host %.*s",
			 (int)host_name(host).length, host);
	else
		snprintf(flag, ORIGIN_BYTES_MAX + 32, "--allow-origin %s", origin);
	return true;
}

static bool refuse(struct request *request)
{
	struct out out;
	char flag[ORIGIN_BYTES_MAX + 32] = "--allow-origin";
	const bool named = name_flag(request, flag);
	problem_begin(request, PROBLEM_ORIGIN_NOT_ALLOWED, &out,
		      "Pages of this origin may not send requests to this server. Its operator can "
		      "allow %s with %s.",
		      named ? "them" : "the origin", flag);
	problem_member(&out, "suggestion", named ? flag : NULL);
	problem_end(request, &out);
	return false;
}

static void note_refused(struct context *ctx)
{
	const char *origin = ctx->request->header[HEADER_ORIGIN];
	char flag[ORIGIN_BYTES_MAX + 32];
	if (origin && name_flag(ctx->request, flag) &&
	    first_seen_enter(&ctx->service->refused_pages, origin))
		log_event(LOG_INFO, "refused a page of another origin", LOG_TEXT("origin", origin),
			  LOG_TEXT("allowed_by", flag));
}

static bool is_safe(const char *method)
{
	return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0 ||
	       strcmp(method, "OPTIONS") == 0;
}

bool origin_check(struct context *ctx)
{
	struct request *request = ctx->request;
	const struct config *config = &ctx->service->config;
	origin_allow(config, request);
	if (!is_refused(config, request))
		return true;
	note_refused(ctx);
	return is_safe(request->method) || refuse(request);
}

bool origin_check_search(struct context *ctx)
{
	return !is_refused(&ctx->service->config, ctx->request) || refuse(ctx->request);
}

/* Returns true if it is a list of tokens (RFC 9110, 5.6.2) of usual length. */
static bool is_token_list(const char *list)
{
	static const char others[] = "!#$%&'*+-.^_`|~, \t";
	if (!list[0] || strlen(list) > CORS_HEADERS_MAX)
		return false;
	for (; *list; list++)
		if (!isalnum((unsigned char)*list) && !strchr(others, *list))
			return false;
	return true;
}

void origin_preflight(struct request *request)
{
	const char *headers = request->header[HEADER_CORS_HEADERS];
	request->reply.cors_preflight = true;
	request->reply.asked_headers = headers && is_token_list(headers) ? headers : NULL;
}
