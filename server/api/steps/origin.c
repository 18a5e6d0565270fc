/* origin.c: which origins may read answers, and which requests of other sites are refused. */
#include "server/api/steps/origin.h"

#include <string.h>
#include <strings.h>

#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"

static bool lists_any(const struct config *config)
{
	for (size_t i = 0; i < config->allow_origin_count; i++)
		if (strcmp(config->allow_origin[i], "*") == 0)
			return true;
	return false;
}

const char *origin_default(const struct config *config)
{
	if (config->allow_origin_count == 0)
		return config_is_local(config) ? NULL : "*";
	return lists_any(config) ? "*" : NULL;
}

/* The origin as the configuration has it, or NULL if it is not listed. */
static const char *listed(const struct config *config, const char *origin)
{
	for (size_t i = 0; origin && i < config->allow_origin_count; i++)
		if (strcasecmp(config->allow_origin[i], origin) == 0)
			return config->allow_origin[i];
	return NULL;
}

static size_t host_length(const char *host)
{
	return host[0] == '[' ? strcspn(host, "]") : strcspn(host, ":");
}

/* For browsers without Sec-Fetch-Site. As there, two ports of one host are one site. */
static bool is_other_host(const char *origin, const char *host)
{
	const char *separator = strstr(origin, "://");
	if (!separator || !host)
		return true; /* "null": a sandboxed page or a file */
	const char *name = separator + strlen("://");
	const size_t length = host_length(name);
	return length != host_length(host) || strncasecmp(name, host, length) != 0;
}

static bool is_cross_site(const struct request *request)
{
	const char *site = request->header[HEADER_SEC_FETCH_SITE];
	const char *origin = request->header[HEADER_ORIGIN];
	if (site)
		return strcmp(site, "cross-site") == 0;
	return origin && is_other_host(origin, request->header[HEADER_HOST]);
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
	struct reply *reply = &request->reply;
	reply->allow_origin = ctx->service->default_origin;
	if (reply->allow_origin)
		return true;
	reply->allow_origin = listed(config, request->header[HEADER_ORIGIN]);
	reply->vary_origin = config->allow_origin_count > 0;
	return is_safe(request->method) || origin_check_search(ctx);
}

bool origin_check_search(struct context *ctx)
{
	struct request *request = ctx->request;
	if (request->reply.allow_origin || !is_cross_site(request))
		return true;
	problem_answer(
		request, PROBLEM_ORIGIN_NOT_ALLOWED,
		"Pages of this origin may not send requests to this server. Its operator can "
		"allow the origin with --allow-origin.");
	return false;
}
