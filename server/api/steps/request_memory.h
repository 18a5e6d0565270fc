/* request_memory.h: which client's memory a request takes, and the answer if it reaches its limit.
 *
 * A request takes its memory through its charge (server/util/budget.h): for its body, its arena,
 * including parsed JSON, and its answer, until that has been sent. A refusal looks like a failed
 * allocation, which every step handles; here the resulting answer is replaced by one that says what
 * to do. */
#ifndef SERVER_API_STEPS_REQUEST_MEMORY_H
#define SERVER_API_STEPS_REQUEST_MEMORY_H

#include "server/api/request/request.h"
#include "server/config.h"
#include "server/util/error.h"

struct service;

/* The address that limits for each address apply to: 16 bytes, of IPv6 the first half. False: they
 * do not apply, as on loopback. */
MUST_USE bool request_memory_client(const struct config *config, const struct request *request,
				    uint8_t client[BUDGET_CLIENT_BYTES]);

/* Opens the charge of the request's memory: before its body arrives, once its peer and headers are
 * known. serve() does it if the caller did not. */
void request_memory_open(struct service *service, struct request *request);

/* Returns true if there is room for a body of that length now; otherwise the reply says why not.
 * Charges nothing. */
MUST_USE bool request_memory_admits(struct request *request, uint64_t body_length);

/* Call it before the answer is sent: makes it 429, 503 or 413 if it reports a lack of memory
 * because the budget refused. */
void request_memory_answer(struct request *request);

/* Makes the reply 429, 503 or 413 if the budget refused, else 503 out-of-memory. */
void request_memory_no_memory(struct request *request);

#endif
