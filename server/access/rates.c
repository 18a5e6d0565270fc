/* rates.c: buckets in a table of sets; the fullest bucket of a set makes room. */
#include "server/access/rates.h"

#include <stdlib.h>

#include "server/access/secret.h"
#include "server/util/lock.h"

#define SETS 8192
#define WAYS 8
#define LOCKS 64

struct bucket {
	uint64_t who;     /* hash */
	uint64_t full_ns; /* 0: unused */
};

struct rates {
	uint8_t seed[SHORT_SEED_BYTES];
	struct lock locks[LOCKS];
	struct bucket sets[SETS][WAYS];
};

struct rates *rates_create(void)
{
	struct rates *rates = calloc(1, sizeof *rates);
	if (!rates)
		return NULL;
	secret_random(rates->seed, sizeof rates->seed);
	for (int i = 0; i < LOCKS; i++)
		if (!lock_init(&rates->locks[i])) {
			while (i-- > 0)
				lock_destroy(&rates->locks[i]);
			free(rates);
			return NULL;
		}
	return rates;
}

void rates_destroy(struct rates *rates)
{
	if (!rates)
		return;
	for (int i = 0; i < LOCKS; i++)
		lock_destroy(&rates->locks[i]);
	free(rates);
}

/* The client's bucket; if there is none, the fullest of the set is reused. */
static struct bucket *find_bucket(struct bucket set[WAYS], uint64_t who)
{
	struct bucket *fullest = &set[0];
	for (int i = 0; i < WAYS; i++) {
		if (set[i].who == who)
			return &set[i];
		if (set[i].full_ns < fullest->full_ns)
			fullest = &set[i];
	}
	*fullest = (struct bucket){.who = who};
	return fullest;
}

/* The time in which one request fills up again. */
static uint64_t one_ns(const struct rate *rate)
{
	return rate->period_ms * 1000000 / rate->amount;
}

/* The same for the whole burst. */
static uint64_t burst_ns(const struct rate *rate)
{
	const uint64_t each_ns = one_ns(rate), burst = rate->burst < 1 ? 1 : rate->burst;
	return each_ns > UINT64_MAX / 4 / burst ? UINT64_MAX / 4 : each_ns * burst;
}

static uint64_t many_ns(const struct rate *rate, uint64_t count)
{
	const uint64_t each_ns = one_ns(rate), most_ns = burst_ns(rate);
	return count > 1 && each_ns > most_ns / count ? most_ns : each_ns * count;
}

struct rate_answer rates_ask_many(struct rates *rates, const struct rate *rate, uint64_t count,
				  const void *who, size_t length, uint64_t now_ns)
{
	struct rate_answer answer = {.allowed = true, .left = rate->burst};
	if (rate->amount == UINT64_MAX)
		return answer;
	const uint64_t each_ns = one_ns(rate), room_ns = burst_ns(rate);
	const uint64_t all_ns = many_ns(rate, count);
	const uint64_t hash = secret_short_hash(rates->seed, rate->name, who, length);
	struct lock *lock = &rates->locks[hash % LOCKS];
	lock_acquire(lock);
	struct bucket *bucket = find_bucket(rates->sets[hash % SETS], hash);
	uint64_t full_ns = bucket->full_ns > now_ns ? bucket->full_ns : now_ns;
	uint64_t used_ns = full_ns - now_ns;
	answer.allowed = used_ns + all_ns <= room_ns;
	if (answer.allowed)
		bucket->full_ns = full_ns + all_ns;
	else
		answer.wait_ms = (used_ns + all_ns - room_ns + 999999) / 1000000;
	used_ns = bucket->full_ns > now_ns ? bucket->full_ns - now_ns : 0;
	lock_release(lock);
	answer.left = each_ns > 0 && used_ns < room_ns ? (room_ns - used_ns) / each_ns : 0;
	answer.reset_ms = (used_ns + 999999) / 1000000;
	return answer;
}

struct rate_answer rates_ask(struct rates *rates, const struct rate *rate, const void *who,
			     size_t length, uint64_t now_ns)
{
	return rates_ask_many(rates, rate, 1, who, length, now_ns);
}

void rates_give_back_many(struct rates *rates, const struct rate *rate, uint64_t count,
			  const void *who, size_t length)
{
	if (rate->amount == UINT64_MAX)
		return;
	const uint64_t all_ns = many_ns(rate, count);
	const uint64_t hash = secret_short_hash(rates->seed, rate->name, who, length);
	struct lock *lock = &rates->locks[hash % LOCKS];
	lock_acquire(lock);
	struct bucket *bucket = find_bucket(rates->sets[hash % SETS], hash);
	bucket->full_ns = bucket->full_ns > all_ns ? bucket->full_ns - all_ns : 0;
	lock_release(lock);
}

void rates_give_back(struct rates *rates, const struct rate *rate, const void *who, size_t length)
{
	rates_give_back_many(rates, rate, 1, who, length);
}
