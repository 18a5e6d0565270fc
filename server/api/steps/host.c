/* host.c: the names under which the server is reached. */
#include "server/api/steps/host.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/config/listen.h"

#define NAME_BYTES_MAX 253
#define MDNS ".local" /* under which a machine announces its name in its network */

struct text host_name(const char *host)
{
	const size_t length = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
	return (struct text){host, strnlen(host, length)};
}

bool host_is_loopback(const struct text *name)
{
	return text_names(*name, "localhost") || text_names(*name, "127.0.0.1") ||
	       text_names(*name, "[::1]");
}

bool host_is_listed(const struct config *config, const struct text *name)
{
	for (size_t i = 0; i < config->allow_host_count; i++)
		if (text_names(*name, config->allow_host[i]))
			return true;
	return false;
}

/* Reads an address in the form in which browsers write it. Returns false if it is a name. */
static bool read_address(const struct text *name, struct peer *address)
{
	static const struct peer v4_mapped = {{[10] = 0xff, [11] = 0xff}};
	char text[INET6_ADDRSTRLEN];
	const bool v6 = name->length > 2 && name->bytes[0] == '[';
	const size_t length = v6 ? name->length - 2 : name->length;
	if (length >= sizeof text)
		return false;
	memcpy(text, v6 ? name->bytes + 1 : name->bytes, length);
	text[length] = '\0';
	*address = v4_mapped;
	return inet_pton(v6 ? AF_INET6 : AF_INET, text, address->address + (v6 ? 0 : 12)) == 1;
}

static bool is_machine(const struct config *config, const struct text *name)
{
	char local[sizeof config->machine_name + sizeof MDNS];
	snprintf(local, sizeof local, "%s" MDNS, config->machine_name);
	return text_names(*name, config->machine_name) || text_names(*name, local);
}

/* Returns true if the server answers for certain names only. */
static bool is_strict(const struct config *config)
{
	return listen_is_local(config) || config->allow_host_count > 0 || config->lan;
}

static bool is_known(const struct config *config, const struct text *name)
{
	return host_is_loopback(name) || host_is_listed(config, name) ||
	       (config->lan && is_machine(config, name));
}

bool host_is_own(const struct config *config, const struct request *request,
		 const struct text *name)
{
	struct peer address;
	return is_known(config, name) ||
	       ((config->lan || !is_strict(config)) && read_address(name, &address) &&
		memcmp(&address, &request->local, sizeof address) == 0);
}

/* Returns true if a server that answers for certain names answers for this one. */
static bool is_answered(const struct config *config, const struct text *name)
{
	struct peer address;
	return is_known(config, name) || (config->lan && read_address(name, &address));
}

static void refuse(struct request *request, const struct config *config, const struct text *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
	char flag[sizeof "--allow-host " + NAME_BYTES_MAX];
	struct out out;
	problem_begin(request, PROBLEM_HOST_NOT_ALLOWED, &out, "%s",
		      config->lan ? "This server accepts only addresses, the name of its machine, "
				    "localhost, and the names given with --allow-host."
				  : "This server accepts only the host names localhost, "
				    "127.0.0.1, [::1] and those given with --allow-host.");
	snprintf(flag, sizeof flag, "--allow-host %.*s", (int)name->length, name->bytes);
	if (name->length <= NAME_BYTES_MAX && strspn(name->bytes, letters) >= name->length)
		problem_member(&out, "suggestion", flag);
	problem_end(request, &out);
}

bool host_check(struct context *ctx)
{
	const struct config *config = &ctx->service->config;
	const char *host = ctx->request->header[HEADER_HOST];
	if (!host || !is_strict(config))
		return true;
	const struct text name = host_name(host);
	if (is_answered(config, &name))
		return true;
	refuse(ctx->request, config, &name);
	return false;
}
