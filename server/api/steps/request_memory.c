/* request_memory.c: which client's memory a request takes, and the answer if it may take no
 * more. */
#include "server/api/steps/request_memory.h"

#include <string.h>

#include "server/access/forward.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/rate_limit.h"

bool request_memory_client(const struct config *config, const struct request *request,
			   uint8_t client[BUDGET_CLIENT_BYTES])
{
	memcpy(client, request->peer.address, BUDGET_CLIENT_BYTES);
	bool is_proxy = false;
	for (size_t i = 0; i < config->trusted_proxy_count && !is_proxy; i++)
		is_proxy = network_has(&config->trusted_proxy[i], client);
	const bool is_local = address_is_loopback(client) && !is_proxy;
	forward_apply(config->trusted_proxy, config->trusted_proxy_count,
		      request->header[HEADER_FORWARDED_FOR], client);
	if (!address_is_v4(client) && !is_local)
		memset(client + 8, 0, 8); /* one customer has a /64 */
	return !is_local;
}

void request_memory_open(struct service *service, struct request *request)
{
	uint8_t client[BUDGET_CLIENT_BYTES];
	const bool counted = request_memory_client(&service->config, request, client);
	charge_begin(&request->charge, service->budget, client, counted);
}

bool request_memory_admits(struct request *request, uint64_t body_length)
{
	struct charge *charge = request->account;
	if (body_length <= BUDGET_CHUNK_BYTES)
		return true;
	if (body_length < SIZE_MAX / 2 && charge_take(charge, (size_t)body_length)) {
		charge_give(charge, (size_t)body_length);
		return true;
	}
	request_memory_no_memory(request);
	return false;
}

/* Only such a request can be too large. */
static bool has_body(const struct request *request)
{
	return strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0;
}

void request_memory_no_memory(struct request *request)
{
	struct charge *charge = request->account;
	/* The answer itself is small. */
	charge->forced = true;
	switch ((enum budget_refusal)charge->refused) {
	case BUDGET_GRANTED:
		problem_answer(request, PROBLEM_OUT_OF_MEMORY,
			       "There is currently not enough memory for this request; nothing was "
			       "changed.");
		break;
	case BUDGET_TOTAL:
		problem_answer(
			request, PROBLEM_BUSY,
			"All requests together use the memory allowed for them (request_bytes in "
			"/v1/limits); nothing was changed. Try again in a moment.");
		problem_reason(request, REFUSAL_REQUEST_BYTES);
		break;
	case BUDGET_SHARE:
		problem_full(request, "The requests of this address use the memory allowed for one "
				      "address (address_request_bytes in /v1/limits); nothing was "
				      "changed. Read the answers to the others first.");
		problem_reason(request, REFUSAL_ADDRESS_REQUEST_BYTES);
		break;
	case BUDGET_ALONE:
		problem_answer(request, has_body(request) ? PROBLEM_BODY_LARGE : PROBLEM_BUSY,
			       "This request alone needs more memory than allowed (request_bytes "
			       "and address_request_bytes in /v1/limits); nothing was changed. Ask "
			       "for less at a time.");
		break;
	}
}

void request_memory_answer(struct request *request)
{
	const struct reply *reply = &request->reply;
	if (request->account->refused != BUDGET_GRANTED &&
	    (reply->body.failed || reply->problem == 1 + PROBLEM_OUT_OF_MEMORY))
		request_memory_no_memory(request);
}
