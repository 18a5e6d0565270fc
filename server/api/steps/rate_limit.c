/* rate_limit.c: which rates count a request, and the answer to too many. */
#include "server/api/steps/rate_limit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "server/access/rates.h"
#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/request/service_state.h"

#define SECOND_MS 1000
#define MINUTE_MS 60000
#define DAY_MS 86400000

/* The rates, from the limits. */
static struct rate rate_reads(const struct limits *limits)
{
	return (struct rate){"reads", limits->reads, limits->reads_burst, SECOND_MS};
}

static struct rate rate_writes(const struct limits *limits)
{
	return (struct rate){"writes", limits->writes, limits->writes_burst, SECOND_MS};
}

static struct rate rate_creations(const struct limits *limits)
{
	return (struct rate){"creations", limits->creations, limits->creations, MINUTE_MS};
}

static struct rate rate_sessions(const struct limits *limits)
{
	return (struct rate){"sessions", limits->address_sessions, limits->address_sessions,
			     DAY_MS};
}

static struct rate rate_stored(const struct limits *limits)
{
	return (struct rate){"store-bytes", limits->address_store_bytes,
			     limits->address_store_bytes, DAY_MS};
}

static struct rate rate_wrong_tokens(const struct limits *limits)
{
	return (struct rate){"wrong-tokens", limits->wrong_tokens, limits->wrong_tokens, MINUTE_MS};
}

static struct rate rate_lookups(const struct limits *limits)
{
	return (struct rate){"tokens", limits->reads, limits->reads_burst, SECOND_MS};
}

static uint64_t times(uint64_t amount, uint64_t factor)
{
	return amount > UINT64_MAX / factor ? UINT64_MAX : amount * factor;
}

void rate_limit_begin(struct context *ctx)
{
	const struct config *config = &ctx->service->config;
	const uint64_t loopback_factor = config->limits.loopback_factor;
	const uint64_t network_factor = config->limits.network_factor;
	const struct charge *charge = &ctx->request->charge;
	memcpy(ctx->client, charge->client, sizeof ctx->client);
	if (!config->rate_limit)
		return;
	ctx->rates.counted = charge->counted;
	ctx->rates.factor = charge->counted                ? 1
			    : loopback_factor == LIMIT_OFF ? 0
							   : loopback_factor;
	if (charge->counted && network_factor != LIMIT_OFF &&
	    network_of(ctx->client, &ctx->rates.network))
		ctx->rates.network_factor = network_factor;
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The time after which the whole burst is allowed again. */
static uint64_t burst_ms(const struct rate *rate)
{
	return rate->burst > UINT64_MAX / rate->period_ms
		       ? rate->burst / rate->amount * rate->period_ms
		       : rate->burst * rate->period_ms / rate->amount;
}

static char *print_text(char *at, const char *text)
{
	const size_t length = strlen(text);
	memcpy(at, text, length);
	return at + length;
}

static char *print_number(char *at, uint64_t number)
{
	char digits[20], *first = digits + sizeof digits;
	do {
		*--first = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	const size_t length = (size_t)(digits + sizeof digits - first);
	memcpy(at, first, length);
	return at + length;
}

/* "name";r=1;t=2: an item of RateLimit or RateLimit-Policy. If out of memory there is none: what
 * was committed must be answered as such. */
static const char *print_item(struct context *ctx, const char *name, const char *amount,
			      uint64_t count, const char *time, uint64_t ms)
{
	char text[96], *at = text;
	at = print_text(at, "\"");
	at = print_text(at, name);
	at = print_number(print_text(at, amount), count);
	at = print_number(print_text(at, time), ms / 1000 + (ms % 1000 > 0));
	return arena_text(&ctx->request->arena, text, (size_t)(at - text));
}

static void write_fields(struct context *ctx, const struct rate_left *rate)
{
	struct reply *reply = &ctx->request->reply;
	reply->rate_limit = print_item(ctx, rate->name, "\";r=", rate->left, ";t=", rate->reset_ms);
	reply->rate_policy =
		print_item(ctx, rate->name, "\";q=", rate->burst, ";w=", rate->burst_ms);
}

/* Returns true if a smaller part of the burst of `a` is left than of that of `b`. */
static bool is_tighter(const struct rate_left *a, const struct rate_left *b)
{
	return !b->name || (double)a->left * (double)b->burst < (double)b->left * (double)a->burst;
}

void rate_limit_write(struct context *ctx)
{
	const struct rate_left *rate = &ctx->rates.left;
	if (ctx->rates.creation && is_tighter(&ctx->rates.creation_left, rate))
		rate = &ctx->rates.creation_left;
	/* A 429 has the rate that was exceeded, or none if it is not about rates. */
	if (rate->name && ctx->request->reply.status != 429)
		write_fields(ctx, rate);
}

/* Returns the limit that a rate is made of. */
static enum refusal reason_of(const struct rate *rate)
{
	static const struct {
		const char *rate;
		enum refusal reason;
	} reasons[] = {
		{"reads", REFUSAL_READS},
		{"tokens", REFUSAL_READS},
		{"writes", REFUSAL_WRITES},
		{"creations", REFUSAL_CREATIONS},
		{"sessions", REFUSAL_ADDRESS_SESSIONS},
		{"store-bytes", REFUSAL_ADDRESS_STORE_BYTES},
		{"wrong-tokens", REFUSAL_WRONG_TOKENS},
	};
	for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
		if (strcmp(reasons[i].rate, rate->name) == 0)
			return reasons[i].reason;
	return REFUSAL_RATE;
}

/* `what`: the text of what was too much. */
static bool refuse_rate(struct context *ctx, const char *what, enum refusal reason,
			const struct rate *rate, struct rate_answer answer)
{
	struct out out;
	unsigned long long wait_s = (answer.wait_ms + 999) / 1000;
	problem_begin(ctx->request, PROBLEM_RATE, &out,
		      "%s (%s). Try again in %llu s. The rates are in /v1/limits.", what,
		      rate->name, wait_s);
	out_member_integer(&out, "retry_after_ms", (int64_t)answer.wait_ms);
	problem_end(ctx->request, &out);
	problem_reason(ctx->request, reason);
	ctx->request->reply.retry_after_s = (unsigned)wait_s;
	const struct rate_left refused = {.name = rate->name,
					  .burst = rate->burst,
					  .left = answer.left,
					  .reset_ms = answer.wait_ms,
					  .burst_ms = burst_ms(rate)};
	write_fields(ctx, &refused);
	return false;
}

static struct rate scaled(struct rate rate, uint64_t factor)
{
	rate.amount = times(rate.amount, factor);
	rate.burst = times(rate.burst, factor);
	return rate;
}

/* The client, or its network: what a rate is counted for. */
struct counted {
	const void *who;
	size_t length;
	uint64_t factor;      /* its rates as a multiple of the limits; 0: unlimited */
	const char *too_many; /* the text of the refusal */
	bool is_network;
};

/* Returns the limit that a refusal is because of: the factor of networks, or what the rate is made of. */
static enum refusal reason_for(const struct counted *counted, const struct rate *rate)
{
	return counted->is_network ? REFUSAL_NETWORK : reason_of(rate);
}

static struct counted counted_address(const struct context *ctx)
{
	return (struct counted){ctx->client, sizeof ctx->client, ctx->rates.factor,
				"Too many requests of this kind", false};
}

static struct counted counted_network(const struct context *ctx)
{
	return (struct counted){&ctx->rates.network, sizeof ctx->rates.network,
				ctx->rates.network_factor,
				"Too many requests of this kind from this network", true};
}

/* `left` is replaced if this rate is tighter. */
static bool count_request(struct context *ctx, struct rate rate, const struct counted *counted,
			  struct rate_left *left)
{
	if (counted->factor == 0)
		return true;
	rate = scaled(rate, counted->factor);
	struct rate_answer answer =
		rates_ask(ctx->service->rates, &rate, counted->who, counted->length, now_ns());
	const struct rate_left here = {.name = rate.name,
				       .burst = rate.burst,
				       .left = answer.left,
				       .reset_ms = answer.reset_ms,
				       .burst_ms = burst_ms(&rate)};
	if (rate.amount != UINT64_MAX && is_tighter(&here, left))
		*left = here;
	return answer.allowed ||
	       refuse_rate(ctx, counted->too_many, reason_for(counted, &rate), &rate, answer);
}

static void give_back_to(struct context *ctx, struct rate rate, uint64_t count,
			 const struct counted *counted)
{
	if (counted->factor == 0)
		return;
	rate = scaled(rate, counted->factor);
	rates_give_back_many(ctx->service->rates, &rate, count, counted->who, counted->length);
}

/* Undoes what the address and its network were counted. */
static void give_back(struct context *ctx, struct rate rate, uint64_t count)
{
	const struct counted address = counted_address(ctx), network = counted_network(ctx);
	give_back_to(ctx, rate, count, &address);
	give_back_to(ctx, rate, count, &network);
}

/* Counts the request for its address, and for the network of that; for both or for none. */
static bool count_client(struct context *ctx, struct rate rate, struct rate_left *left)
{
	const struct counted address = counted_address(ctx), network = counted_network(ctx);
	if (!count_request(ctx, rate, &address, left))
		return false;
	if (count_request(ctx, rate, &network, left))
		return true;
	give_back_to(ctx, rate, 1, &address);
	return false;
}

static struct rate rate_of(const struct context *ctx)
{
	const struct limits *limits = &ctx->service->config.limits;
	const bool writes = ctx->route && (route_changes(ctx->route) || ctx->route->does == SHOWS);
	return writes ? rate_writes(limits) : rate_reads(limits);
}

bool rate_limit_address(struct context *ctx)
{
	return count_client(ctx, rate_of(ctx), &ctx->rates.left) &&
	       (!ctx->route || ctx->route->does != CREATES || rate_limit_creation(ctx));
}

bool rate_limit_creation(struct context *ctx)
{
	const struct limits *limits = &ctx->service->config.limits;
	if (!count_client(ctx, rate_creations(limits), &ctx->rates.creation_left))
		return false;
	if (!count_client(ctx, rate_sessions(limits), &ctx->rates.creation_left)) {
		give_back(ctx, rate_creations(limits), 1);
		return false;
	}
	ctx->rates.creation = ctx->rates.factor != 0;
	return true;
}

void rate_limit_not_created(struct context *ctx)
{
	const struct limits *limits = &ctx->service->config.limits;
	if (!ctx->rates.creation)
		return;
	ctx->rates.creation = false;
	give_back(ctx, rate_creations(limits), 1);
	give_back(ctx, rate_sessions(limits), 1);
}

void rate_limit_not_stored(struct context *ctx)
{
	if (ctx->rates.bytes == 0)
		return;
	give_back(ctx, rate_stored(&ctx->service->config.limits), ctx->rates.bytes);
	ctx->rates.bytes = 0;
}

/* Counts bytes that are to be stored. */
static bool count_stored(struct context *ctx, uint64_t bytes, const struct counted *counted,
			 const char *too_much)
{
	if (counted->factor == 0)
		return true;
	const struct rate rate = scaled(rate_stored(&ctx->service->config.limits), counted->factor);
	const struct rate_answer answer = rates_ask_many(ctx->service->rates, &rate, bytes,
							 counted->who, counted->length, now_ns());
	return answer.allowed ||
	       refuse_rate(ctx, too_much, reason_for(counted, &rate), &rate, answer);
}

bool rate_limit_stored(struct context *ctx)
{
	const struct counted address = counted_address(ctx), network = counted_network(ctx);
	rate_limit_not_stored(ctx);
	const uint64_t bytes = ctx->rates.factor == 0 ? 0 : store_write_bytes(&ctx->visit.write);
	if (bytes == 0)
		return true;
	if (!count_stored(ctx, bytes, &address,
			  "This address has stored as much data as is currently allowed"))
		return false;
	if (!count_stored(ctx, bytes, &network,
			  "This network has stored as much data as is currently allowed")) {
		give_back_to(ctx, rate_stored(&ctx->service->config.limits), bytes, &address);
		return false;
	}
	ctx->rates.bytes = bytes;
	return true;
}

bool rate_limit_token(struct context *ctx)
{
	if (ctx->who.token == 0)
		return true;
	uint8_t who[SESSION_ID_BYTES + sizeof ctx->who.token];
	memcpy(who, ctx->who.session.bytes, SESSION_ID_BYTES);
	memcpy(who + SESSION_ID_BYTES, &ctx->who.token, sizeof ctx->who.token);
	struct counted token = counted_address(ctx);
	token.who = who;
	token.length = sizeof who;
	return count_request(ctx, rate_of(ctx), &token, &ctx->rates.left);
}

bool rate_limit_lookup(struct context *ctx)
{
	return count_client(ctx, rate_lookups(&ctx->service->config.limits), &ctx->rates.left);
}

bool rate_limit_wrong_token(struct context *ctx)
{
	return count_client(ctx, rate_wrong_tokens(&ctx->service->config.limits), &ctx->rates.left);
}
