/* admission.c: limits of connections by address and by network; room for newcomers when connections run
 * out. */
#include "server/http/event_streams.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/api/request_log.h"
#include "server/util/log.h"
#include "server/util/meters.h"

/* Displaced connections that are not closed yet; fewer than DAEMON_SPARE and the reserved
 * descriptors of http.c. */
#define DISPLACED_MAX 32
/* The longest that a newcomer waits for room: displaced connections are closed meanwhile, and requests for
 * streams become streams. */
#define HOLD_MS 1000
/* So many connections are a crowd: what they leave behind is given back to the system that long after
 * half of them left. */
#define CROWD_MIN 100
#define TRIM_AFTER_MS 2000
/* A network has many streams if it has more than an address may have, or this part of all
 * connections. */
#define FEW_PART 8
/* Connections that a loop gets before further loops get any. With clients that write as fast as
 * they can on the same two cores, one loop answered 3 to 5 % more than two for 256 connections,
 * with a tenth less processor time each; 3 % more for 512; 8 % less for 1,000. */
#define LOOP_FULL 384

static void refuse_connection(struct loop *loop, const struct arrival *arrival,
			      const struct buffer *answer, enum refusal reason)
{
	meter_add(METER_REFUSED, 1);
	meter_add(METER_REFUSAL + (unsigned)reason, 1);
	request_log_connection(&arrival->peer, reason);
	raw_send(arrival->fd, answer);
	lingering_close_add(loop, arrival->fd);
}

/* The one of the first `count` loops with the fewest connections. */
static struct loop *loop_emptiest(struct http *http, size_t count)
{
	struct loop *chosen = &http->loops[0];
	for (size_t i = 1; i < count; i++)
		if (atomic_load(&http->loops[i].connections) < atomic_load(&chosen->connections))
			chosen = &http->loops[i];
	return chosen;
}

/* Few loops serve few connections best: that leaves cores to the writer, and on a small machine to
 * the clients. */
static struct loop *loop_choose(struct http *http)
{
	struct loop *chosen = loop_emptiest(http, http->loops_first);
	if (atomic_load(&chosen->connections) < LOOP_FULL)
		return chosen;
	return loop_emptiest(http, http->running);
}

/* Without TLS, streams have left their loops. */
static size_t count_with_streams(const struct http *http)
{
	return count_connections(http) + (http->tls ? 0 : event_senders_watching(http));
}

/* A proxy on a Unix socket has no limit, like one on loopback; the network of a proxy has none, as its
 * clients are in others. */
static struct address_limits limits_of(const struct http *http, const struct peer *peer)
{
	const struct config *config = http->config;
	const uint64_t each = config->limits.address_connections;
	if (!networks_have(config->trusted_proxy, config->trusted_proxy_count, peer->address))
		return (struct address_limits){each, limit_of_network(&config->limits, each)};
	return (struct address_limits){address_is_user(peer->address) ? LIMIT_OFF : each,
				       LIMIT_OFF};
}

/* Closes a stream of the network that has most streams, for a newcomer: its client resumes it. Of
 * networks with few, none is closed. */
static bool displace_stream(struct http *http)
{
	const struct limits *limits = &http->config->limits;
	const uint64_t part = http->connection_max / FEW_PART;
	const uint64_t few = limits->address_streams < part ? limits->address_streams : part;
	struct displaced displaced;
	char text[NETWORK_TEXT_MAX];
	if (!address_displace_most(http->streams, few, &displaced))
		return false;
	if (!may_warn(http, &http->displaced_log_ms))
		return true;
	network_print(&displaced.network, text);
	log_event(LOG_WARNING,
		  "all connections are in use, streams of the network that has most are closed",
		  LOG_NUMBER("max_connections", http->connection_max), LOG_TEXT("network", text),
		  LOG_NUMBER("streams", displaced.count));
	return true;
}

/* At the limit, displaces a connection that has been idle for long, or a stream of the network that
 * has most. Its own thread closes it a little later. */
static bool make_room(struct http *http)
{
	const size_t count = count_with_streams(http);
	if (count >= http->crowd)
		http->crowd = count + 1;
	if (count < http->connection_max)
		return true;
	return count < http->connection_max + DISPLACED_MAX &&
	       (idler_displace(http->addresses) || displace_stream(http));
}

/* Gives an arrival to a loop. */
static void place_connection(struct loop *loop, const struct arrival *arrival)
{
	struct loop *chosen = loop_choose(loop->http);
	struct arrival *sent = NULL;
	setsockopt(arrival->fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	if (chosen != loop)
		sent = malloc(sizeof *sent);
	if (!sent)
		chosen = loop;
	atomic_fetch_add(&chosen->connections, 1);
	if (sent) {
		*sent = *arrival;
		inbox_push_arrival(chosen, sent);
	} else {
		connection_add(loop, arrival);
	}
}

static void refuse_arrival(struct loop *loop, const struct arrival *arrival)
{
	struct http *http = loop->http;
	address_leave(http->addresses, arrival->address);
	refuse_connection(loop, arrival, &http->refuse_total, REFUSAL_CONNECTIONS);
	if (may_warn(http, &http->full_log_ms))
		log_event(LOG_WARNING, "all connections are in use, new ones are refused",
			  LOG_NUMBER("max_connections", http->connection_max));
}

/* Holds an arrival until there is room; none is accepted meanwhile. After a while without any, false:
 * until there is some, arrivals are refused at once. */
static bool hold_arrival(struct http *http, const struct arrival *arrival)
{
	const int64_t now_ms = http->loops[0].now_ms;
	if (http->crowded_ms == 0)
		http->crowded_ms = now_ms;
	if (now_ms - http->crowded_ms >= HOLD_MS)
		return false;
	if (!http->holding)
		listen_events(http, 0);
	http->holding = true;
	http->held = *arrival;
	return true;
}

static void admit_or_hold(struct loop *loop, const struct arrival *arrival)
{
	if (make_room(loop->http)) {
		loop->http->crowded_ms = 0;
		place_connection(loop, arrival);
	} else if (!hold_arrival(loop->http, arrival)) {
		refuse_arrival(loop, arrival);
	}
}

void admission_retry(struct http *http)
{
	const struct arrival held = http->held;
	if (!http->holding)
		return;
	http->holding = false;
	admit_or_hold(&http->loops[0], &held);
	if (!http->holding && !http->paused)
		listen_events(http, EPOLLIN);
}

void admission_decide(struct loop *loop, const struct arrival *arrival)
{
	struct http *http = loop->http;
	struct arrival admitted = *arrival;
	const struct address_limits limits = limits_of(http, &arrival->peer);
	const enum address_entry entry =
		address_enter(http->addresses, &arrival->peer, &limits, &admitted.address);
	if (entry == ADDRESS_FULL)
		refuse_connection(loop, arrival, &http->refuse_address,
				  REFUSAL_ADDRESS_CONNECTIONS);
	else if (entry != ADDRESS_ENTERS)
		refuse_connection(loop, arrival, &http->refuse_network,
				  REFUSAL_NETWORK_CONNECTIONS);
	else
		/* After that: a refused connection displaces no other. */
		admit_or_hold(loop, &admitted);
}

void admission_close(struct http *http)
{
	if (!http->holding)
		return;
	http->holding = false;
	address_leave(http->addresses, http->held.address);
	close(http->held.fd);
}

bool admission_remembers_crowd(const struct http *http)
{
	return http->crowd >= CROWD_MIN;
}

/* Small allocations stay in the heaps when they are freed, see heap_trim(). */
void admission_tick(struct http *http)
{
	const int64_t now_ms = http->loops[0].now_ms;
	if (!admission_remembers_crowd(http))
		return;
	const size_t count = count_with_streams(http);
	if (count > http->crowd / 2) {
		http->trim_ms = 0;
	} else if (http->trim_ms == 0) {
		http->trim_ms = now_ms + TRIM_AFTER_MS;
	} else if (now_ms >= http->trim_ms) {
		http->trim_ms = 0;
		http->crowd = count;
		service_trim(http->service);
	}
}
