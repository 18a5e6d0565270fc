/* limit.c: which rate a request counts by, and the answer to too many. */
#include "server/api/limit.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "server/access/rates.h"
#include "server/api/problem.h"
#include "server/api/routes.h"
#include "server/api/state.h"

#define FULL_RETRY_S 5
#define SECOND_MS 1000
#define MINUTE_MS 60000
#define DAY_MS 86400000

/* The rates, as the limits have them. */
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

void limit_begin(struct work *work)
{
	const struct config *config = &work->service->config;
	const uint64_t loopback_factor = config->limits.loopback_factor;
	const struct charge *charge = &work->request->charge;
	memcpy(work->client, charge->client, sizeof work->client);
	if (!config->rate_limit)
		return;
	work->counted = charge->counted;
	work->rate_factor = charge->counted ? 1 : loopback_factor == LIMIT_OFF ? 0 : loopback_factor;
}

static uint64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* In which the whole burst is allowed again. */
static uint64_t burst_ms(const struct rate *rate)
{
	return rate->burst > UINT64_MAX / rate->period_ms
		       ? rate->burst / rate->amount * rate->period_ms
		       : rate->burst * rate->period_ms / rate->amount;
}

/* `what` was too many. */
static bool refuse(struct work *work, const char *what, const struct rate *rate,
		   struct rate_answer answer)
{
	struct out out;
	char text[96];
	unsigned long long wait_s = (answer.wait_ms + 999) / 1000;
	problem_begin(work->request, PROBLEM_RATE, &out,
		      "%s (%s); the next is served in %llu s. /v1/limits lists what is allowed.",
		      what, rate->name, wait_s);
	out_key(&out, "retry_after_ms");
	out_integer(&out, (int64_t)answer.wait_ms);
	problem_end(work->request, &out);
	struct reply *reply = &work->request->reply;
	reply->retry_after_s = (unsigned)wait_s;
	int length = snprintf(text, sizeof text, "\"%s\";r=%llu;t=%llu", rate->name,
			      (unsigned long long)answer.left, wait_s);
	reply->rate_limit = work_reply_text(work, text, (size_t)length);
	length = snprintf(text, sizeof text, "\"%s\";q=%llu;w=%llu", rate->name,
			  (unsigned long long)rate->burst,
			  (unsigned long long)(burst_ms(rate) + 999) / 1000);
	reply->rate_policy = work_reply_text(work, text, (size_t)length);
	return false;
}

static bool too_many(struct work *work, const struct rate *rate, struct rate_answer answer)
{
	return refuse(work, "Too many requests of this kind", rate, answer);
}

static uint64_t times(uint64_t amount, uint64_t factor)
{
	return amount > UINT64_MAX / factor ? UINT64_MAX : amount * factor;
}

static struct rate scaled(struct rate rate, uint64_t factor)
{
	rate.amount = times(rate.amount, factor);
	rate.burst = times(rate.burst, factor);
	return rate;
}

static bool count(struct work *work, struct rate rate, const void *who, size_t length)
{
	if (work->rate_factor == 0)
		return true;
	rate = scaled(rate, work->rate_factor);
	struct rate_answer answer = rates_ask(work->service->rates, &rate, who, length, now_ns());
	return answer.allowed || too_many(work, &rate, answer);
}

static bool count_address(struct work *work, struct rate rate)
{
	return count(work, rate, work->client, sizeof work->client);
}

static struct rate rate_of(const struct work *work)
{
	const struct limits *limits = &work->service->config.limits;
	return work->route && route_changes(work->route) ? rate_writes(limits) : rate_reads(limits);
}

bool limit_address(struct work *work)
{
	return count_address(work, rate_of(work)) &&
	       (!work->route || work->route->does != CREATES || limit_creation(work));
}

static void give_back(struct work *work, struct rate rate)
{
	rate = scaled(rate, work->rate_factor);
	rates_give_back(work->service->rates, &rate, work->client, sizeof work->client);
}

bool limit_creation(struct work *work)
{
	const struct limits *limits = &work->service->config.limits;
	if (!count_address(work, rate_creations(limits)))
		return false;
	if (!count_address(work, rate_sessions(limits))) {
		if (work->rate_factor != 0)
			give_back(work, rate_creations(limits));
		return false;
	}
	work->creation_counted = work->rate_factor != 0;
	return true;
}

void limit_not_created(struct work *work)
{
	const struct limits *limits = &work->service->config.limits;
	if (!work->creation_counted)
		return;
	work->creation_counted = false;
	give_back(work, rate_creations(limits));
	give_back(work, rate_sessions(limits));
}

void limit_not_stored(struct work *work)
{
	if (work->bytes_counted == 0)
		return;
	const struct rate rate =
		scaled(rate_stored(&work->service->config.limits), work->rate_factor);
	rates_give_back_many(work->service->rates, &rate, work->bytes_counted, work->client,
			     sizeof work->client);
	work->bytes_counted = 0;
}

bool limit_stored(struct work *work)
{
	limit_not_stored(work);
	const uint64_t bytes = work->rate_factor == 0 ? 0 : store_write_bytes(&work->write);
	if (bytes == 0)
		return true;
	const struct rate rate =
		scaled(rate_stored(&work->service->config.limits), work->rate_factor);
	const struct rate_answer answer =
		rates_ask_many(work->service->rates, &rate, bytes, work->client,
			       sizeof work->client, now_ns());
	if (!answer.allowed)
		return refuse(work, "This address has stored as much as is allowed for now", &rate,
			      answer);
	work->bytes_counted = bytes;
	return true;
}

bool limit_token(struct work *work)
{
	if (work->who.token == 0)
		return true;
	uint8_t who[SESSION_ID_BYTES + sizeof work->who.token];
	memcpy(who, work->who.session.bytes, SESSION_ID_BYTES);
	memcpy(who + SESSION_ID_BYTES, &work->who.token, sizeof work->who.token);
	return count(work, rate_of(work), who, sizeof who);
}

bool limit_lookup(struct work *work)
{
	return count_address(work, rate_lookups(&work->service->config.limits));
}

bool limit_wrong_token(struct work *work)
{
	return count_address(work, rate_wrong_tokens(&work->service->config.limits));
}

void limit_full(struct request *request, const char *detail)
{
	struct out out;
	problem_begin(request, PROBLEM_RATE, &out, "%s", detail);
	out_key(&out, "retry_after_ms");
	out_integer(&out, FULL_RETRY_S * SECOND_MS);
	problem_end(request, &out);
	request->reply.retry_after_s = FULL_RETRY_S;
}
