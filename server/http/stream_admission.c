/* stream_admission.c: which requests for a stream of events are admitted: limits by address and by network.
 */
#include "server/access/forward.h"
#include "server/api/request/problem.h"
#include "server/api/serve.h"
#include "server/http/event_streams.h"

void streams_leave(struct http *http, struct address *address, size_t count)
{
	for (size_t i = 0; i < count; i++)
		address_leave(http->streams, address);
}

/* Counts the client itself, not its proxy; a stream of several sessions as that many. */
static enum address_entry admit_address(struct connection *connection)
{
	struct http *http = connection->loop->http;
	const struct config *config = http->config;
	const uint64_t each = config->limits.address_streams;
	const struct address_limits limits = {each, limit_of_network(&config->limits, each)};
	struct peer peer = connection->request.peer;
	forward_apply(config->trusted_proxy, config->trusted_proxy_count,
		      connection->request.header[HEADER_FORWARDED_FOR], peer.address);
	const size_t sessions = live_sessions(connection->request.reply.subscriber);
	for (size_t i = 0; i < sessions; i++) {
		struct address *address;
		const enum address_entry entry =
			address_enter(http->streams, &peer, &limits, &address);
		if (entry != ADDRESS_ENTERS) {
			streams_leave(http, connection->stream_address, connection->stream_count);
			connection->stream_address = NULL;
			return entry;
		}
		connection->stream_address = address;
		connection->stream_count = i + 1;
	}
	return ADDRESS_ENTERS;
}

static bool admit_at_all(const struct http *http)
{
	return http->event_sender_count > 0 &&
	       (!http->tls ||
		atomic_load(&http->sse_tls_streams) < http->config->limits.tls_streams);
}

bool event_sender_admits(struct connection *connection)
{
	struct request *request = &connection->request;
	const bool room = admit_at_all(connection->loop->http);
	const enum address_entry entry = room ? admit_address(connection) : ADDRESS_FULL;
	if (entry == ADDRESS_ENTERS)
		return true;
	live_leave(request->reply.subscriber);
	request->reply.subscriber = NULL;
	if (room) {
		problem_full(request,
			     entry == ADDRESS_FULL
				     ? "This address has reached its limit of event streams "
				       "(max-streams-per-address in /v1/limits)."
				     : "This network has reached its limit of event streams "
				       "(network-factor times max-streams-per-address in "
				       "/v1/limits).");
		problem_reason(request,
			       entry == ADDRESS_FULL ? REFUSAL_ADDRESS_STREAMS : REFUSAL_NETWORK);
	} else {
		problem_answer(request, PROBLEM_BUSY,
			       "The limit of event streams over TLS is reached "
			       "(max-tls-streams in /v1/limits).");
		problem_reason(request, REFUSAL_TLS_STREAMS);
	}
	serve_turned_away(request);
	return false;
}
