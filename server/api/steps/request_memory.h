/* request_memory.h: whose memory a request takes, and the answer to one that may take no more.
 *
 * A request takes its memory through its charge (server/util/budget.h): its body, its arena, with
 * the JSON that was read, and its answer, until that has been sent. What is refused fails as if
 * memory were out, which every step can deal with at any time; here that answer becomes the one
 * that says what to do. */
#ifndef SERVER_API_STEPS_REQUEST_MEMORY_H
#define SERVER_API_STEPS_REQUEST_MEMORY_H

#include "server/api/request/request.h"
#include "server/config.h"

struct service;

/* The address that a request counts for where something is limited for each address: 16 bytes, of
 * IPv6 the first half. False: it has no limits of its own, as loopback. */
bool request_memory_client(const struct config *config, const struct request *request,
			   uint8_t client[BUDGET_CLIENT_BYTES]);

/* Opens the account that the request's memory counts for: before any of its body is there, once its
 * peer and its headers are. serve() does it if nobody did. */
void request_memory_open(struct service *service, struct request *request);

/* Whether there is room for a body of that length now; otherwise the reply says why not. Nothing is
 * charged yet. */
bool request_memory_admits(struct request *request, uint64_t body_length);

/* Before the answer leaves: makes it 429, 503 or 413 where it says that memory is out because the
 * budget refused it. */
void request_memory_answer(struct request *request);

/* Makes the reply 429, 503 or 413 where the budget refused something, else 503 out-of-memory. */
void request_memory_no_memory(struct request *request);

#endif
