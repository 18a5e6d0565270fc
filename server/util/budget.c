/* budget.c: counters of bytes; the accounts of clients are in a hash table with a secret seed. */
#include "server/util/budget.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "server/util/container_of.h"
#include "server/util/hash_table.h"
#include "server/util/lock.h"
#include "server/util/share.h"

/* The bytes that a charge keeps unused, so that it need not take them again at once. */
#define KEPT_BYTES (2 * BUDGET_CHUNK_BYTES)

struct budget_account {
	struct hash_link by_client; /* first: see hash_table.h */
	uint8_t client[BUDGET_CLIENT_BYTES];
	_Atomic uint64_t bytes;
	size_t charges; /* with the lock */
};

struct budget {
	uint64_t total, share;
	_Atomic uint64_t bytes;
	uint64_t seed;
	struct lock lock; /* guards the accounts */
	struct hash_table accounts;
};

struct budget *budget_create(uint64_t total, uint64_t share)
{
	struct budget *budget = calloc(1, sizeof *budget);
	if (!budget)
		return NULL;
	if (getrandom(&budget->seed, sizeof budget->seed, 0) != (ssize_t)sizeof budget->seed)
		goto no_seed;
	if (!hash_table_init(&budget->accounts))
		goto no_seed;
	if (!lock_init(&budget->lock))
		goto no_lock;
	budget->total = total;
	budget->share = share < total ? share : total;
	return budget;
no_lock:
	hash_table_finish(&budget->accounts, NULL);
no_seed:
	free(budget);
	return NULL;
}

static void free_account(struct hash_link *link)
{
	free(container_of(link, struct budget_account, by_client));
}

void budget_destroy(struct budget *budget)
{
	if (!budget)
		return;
	hash_table_finish(&budget->accounts, free_account);
	lock_destroy(&budget->lock);
	free(budget);
}

uint64_t budget_bytes(const struct budget *budget)
{
	return atomic_load_explicit(&budget->bytes, memory_order_relaxed);
}

size_t budget_accounts(struct budget *budget)
{
	lock_acquire(&budget->lock);
	const size_t accounts = budget->accounts.count;
	lock_release(&budget->lock);
	return accounts;
}

/* ---- accounts ---- */

/* With the lock held; NULL if out of memory. */
static struct budget_account *account_of(struct budget *budget, const uint8_t *client)
{
	lock_assert_held(&budget->lock);
	const uint64_t hash = hash_seeded(budget->seed, client);
	struct hash_link *link = hash_table_first(&budget->accounts, hash);
	for (; link; link = hash_table_next(link))
		if (memcmp(container_of(link, struct budget_account, by_client)->client, client,
			   BUDGET_CLIENT_BYTES) == 0)
			return container_of(link, struct budget_account, by_client);
	struct budget_account *account = calloc(1, sizeof *account);
	if (!account)
		return NULL;
	memcpy(account->client, client, BUDGET_CLIENT_BYTES);
	hash_table_add(&budget->accounts, &account->by_client, hash);
	return account;
}

/* False if out of memory. */
static bool account_enter(struct charge *charge)
{
	struct budget *budget = charge->budget;
	if (!charge->counted || charge->account || budget->share == UINT64_MAX)
		return true;
	lock_acquire(&budget->lock);
	charge->account = account_of(budget, charge->client);
	if (charge->account)
		charge->account->charges++;
	lock_release(&budget->lock);
	return charge->account != NULL;
}

static void account_leave(struct charge *charge)
{
	struct budget *budget = charge->budget;
	struct budget_account *account = charge->account;
	if (!account)
		return;
	charge->account = NULL;
	lock_acquire(&budget->lock);
	if (--account->charges == 0) {
		hash_table_remove(&budget->accounts, &account->by_client);
		assert(atomic_load(&account->bytes) == 0);
		free(account);
	}
	lock_release(&budget->lock);
}

/* ---- counters ---- */

/* Returns the bytes that requests that can be refused may take. */
static uint64_t admitted(uint64_t limit)
{
	return limit == UINT64_MAX ? limit : limit - limit / 8;
}

static bool counter_take(_Atomic uint64_t *counter, uint64_t bytes, uint64_t most)
{
	uint64_t now = atomic_load_explicit(counter, memory_order_relaxed);
	do {
		if (bytes > most || now > most - bytes)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		counter, &now, now + bytes, memory_order_relaxed, memory_order_relaxed));
	return true;
}

static void counter_give(_Atomic uint64_t *counter, uint64_t bytes)
{
	const uint64_t before = atomic_fetch_sub_explicit(counter, bytes, memory_order_relaxed);
	assert(before >= bytes);
	(void)before;
}

static bool refuse_charge(struct charge *charge, enum budget_refusal refusal)
{
	charge->refused = (unsigned char)refusal;
	return false;
}

/* Returns the bytes that all requests of the account may hold now. If others take or give
 * meanwhile, it is roughly the share, but never more than there is: counter_take() ensures that. */
static uint64_t account_most(const struct budget *budget, const struct budget_account *account)
{
	const uint64_t own = atomic_load_explicit(&account->bytes, memory_order_relaxed);
	const uint64_t all = budget_bytes(budget);
	return share_of_free(admitted(budget->total), all > own ? all - own : 0,
			     admitted(budget->share), admitted(budget->total));
}

/* Returns true if other requests of the client hold something. */
static bool account_holds_more(const struct budget_account *account, const struct charge *charge)
{
	return atomic_load_explicit(&account->bytes, memory_order_relaxed) > charge->held;
}

/* Takes the difference between what is held and `held`. */
static bool hold_more(struct charge *charge, size_t held)
{
	struct budget *budget = charge->budget;
	struct budget_account *account = charge->account;
	const uint64_t share = charge->forced ? UINT64_MAX : admitted(budget->share);
	const uint64_t total = charge->forced ? UINT64_MAX : admitted(budget->total);
	const size_t more = held - charge->held;
	if (held > (account ? share : total))
		return refuse_charge(charge, BUDGET_ALONE);
	const uint64_t most = account && !charge->forced ? account_most(budget, account) : share;
	if (account && !counter_take(&account->bytes, more, most))
		return refuse_charge(charge, account_holds_more(account, charge) ? BUDGET_SHARE
										 : BUDGET_TOTAL);
	if (!counter_take(&budget->bytes, more, total)) {
		if (account)
			counter_give(&account->bytes, more);
		return refuse_charge(charge, BUDGET_TOTAL);
	}
	charge->held = held;
	return true;
}

static size_t in_chunks(size_t bytes)
{
	return (bytes + BUDGET_CHUNK_BYTES - 1) / BUDGET_CHUNK_BYTES * BUDGET_CHUNK_BYTES;
}

/* ---- charges ---- */

void charge_begin(struct charge *charge, struct budget *budget,
		  const uint8_t client[BUDGET_CLIENT_BYTES], bool counted)
{
	*charge = (struct charge){.budget = budget, .counted = counted};
	memcpy(charge->client, client, BUDGET_CLIENT_BYTES);
}

bool charge_hold(struct charge *charge, size_t used)
{
	return account_enter(charge) && hold_more(charge, in_chunks(used));
}

void charge_force(struct charge *charge, size_t bytes)
{
	if (!charge || !charge->budget)
		return;
	const bool forced = charge->forced;
	charge->forced = true;
	if (!charge_take(charge, bytes))
		charge->used += bytes; /* no memory for the account: charge_give() subtracts it
				        * again */
	charge->forced = forced;
}

static void let_go(struct charge *charge, size_t held)
{
	const size_t less = charge->held - held;
	if (charge->account)
		counter_give(&charge->account->bytes, less);
	counter_give(&charge->budget->bytes, less);
	charge->held = held;
}

void charge_let_go(struct charge *charge)
{
	const size_t held = charge->used > BUDGET_FREE_BYTES ? in_chunks(charge->used) : 0;
	if (charge->held > held + KEPT_BYTES)
		let_go(charge, held);
}

void charge_end(struct charge *charge)
{
	if (charge->held > 0)
		let_go(charge, 0);
	account_leave(charge);
	*charge = (struct charge){0};
}

bool charge_ready(const struct charge *charge)
{
	const struct budget *budget = charge->budget;
	if (!budget)
		return true;
	return budget_bytes(budget) < budget->total &&
	       (!charge->account || atomic_load_explicit(&charge->account->bytes,
							 memory_order_relaxed) < budget->share);
}
