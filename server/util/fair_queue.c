/* fair_queue.c: accounts of clients, and the choice of the next item. */
#include "server/util/fair_queue.h"

#include <string.h>

static bool is_active(const struct fair_account *account)
{
	return account->first || account->in_service > 0;
}

static bool is_account_of(const struct fair_account *account,
			  const uint8_t client[CLIENT_KEY_BYTES])
{
	return memcmp(account->client, client, CLIENT_KEY_BYTES) == 0;
}

/* If all accounts are active, clients without one share those of others. */
static struct fair_account *shared_account(struct fair_queue *queue,
					   const uint8_t client[CLIENT_KEY_BYTES])
{
	unsigned sum = 0;
	for (size_t i = 0; i < CLIENT_KEY_BYTES; i++)
		sum = sum * 31 + client[i];
	return &queue->accounts[sum % FAIR_QUEUE_CLIENTS];
}

/* The account of a client: its own, else a new one, else the idle one that has received the least
 * service, which is the one that loses the least by being forgotten. */
static struct fair_account *account_of(struct fair_queue *queue,
				       const uint8_t client[CLIENT_KEY_BYTES])
{
	struct fair_account *idle = NULL;
	for (size_t i = 0; i < queue->used; i++) {
		struct fair_account *account = &queue->accounts[i];
		if (is_account_of(account, client))
			return account;
		if (!is_active(account) && (!idle || account->served_ns < idle->served_ns))
			idle = account;
	}
	const bool forgets_nothing = idle && idle->served_ns <= queue->now_ns;
	if (!forgets_nothing && queue->used < FAIR_QUEUE_CLIENTS)
		idle = &queue->accounts[queue->used++];
	if (!idle)
		return shared_account(queue, client);
	*idle = (struct fair_account){0};
	memcpy(idle->client, client, CLIENT_KEY_BYTES);
	return idle;
}

void fair_queue_push(struct fair_queue *queue, struct fair_item *item,
		     const uint8_t client[CLIENT_KEY_BYTES])
{
	struct fair_account *account = account_of(queue, client);
	if (!is_active(account) && account->served_ns < queue->now_ns)
		account->served_ns = queue->now_ns;
	struct fair_item *before = item->begun ? account->last_begun : account->last;
	struct fair_item **link = before ? &before->next : &account->first;
	item->next = *link;
	item->account = account;
	*link = item;
	if (account->last == before)
		account->last = item;
	if (item->begun)
		account->last_begun = item;
	account->estimated_ns += item->estimate_ns;
	account->waiting++;
	queue->waiting++;
}

static bool may_be_served(const struct fair_queue *queue, const struct fair_account *account)
{
	return account->first &&
	       (queue->in_service_max == 0 || account->in_service < queue->in_service_max);
}

static bool goes_before(const struct fair_account *a, const struct fair_account *b)
{
	return a->in_service != b->in_service ? a->in_service < b->in_service
					      : a->served_ns < b->served_ns;
}

struct fair_item *fair_queue_pop(struct fair_queue *queue)
{
	struct fair_account *chosen = NULL;
	for (size_t i = 0; i < queue->used; i++) {
		struct fair_account *account = &queue->accounts[i];
		if (may_be_served(queue, account) && (!chosen || goes_before(account, chosen)))
			chosen = account;
	}
	if (!chosen)
		return NULL;
	struct fair_item *item = chosen->first;
	chosen->first = item->next;
	if (chosen->last == item)
		chosen->last = NULL;
	if (chosen->last_begun == item)
		chosen->last_begun = NULL;
	item->next = NULL;
	chosen->waiting--;
	chosen->in_service++;
	if (queue->now_ns < chosen->served_ns)
		queue->now_ns = chosen->served_ns;
	queue->waiting--;
	return item;
}

bool fair_queue_remove(struct fair_queue *queue, struct fair_item *item)
{
	struct fair_account *account = item->account;
	struct fair_item *before = NULL, *at = account ? account->first : NULL;
	for (; at && at != item; at = at->next)
		before = at;
	if (!at)
		return false;
	*(before ? &before->next : &account->first) = item->next;
	if (account->last == item)
		account->last = before;
	if (account->last_begun == item) /* all before it have begun */
		account->last_begun = before;
	account->estimated_ns -= item->estimate_ns;
	item->next = NULL;
	item->account = NULL;
	account->waiting--;
	queue->waiting--;
	return true;
}

uint64_t fair_queue_estimated(const struct fair_queue *queue,
			      const uint8_t client[CLIENT_KEY_BYTES])
{
	for (size_t i = 0; i < queue->used; i++)
		if (is_account_of(&queue->accounts[i], client))
			return queue->accounts[i].estimated_ns;
	return 0;
}

/* While the client's own items are served, and then this one, each other client gets as many turns. */
struct fair_outlook fair_queue_outlook(const struct fair_queue *queue,
				       const uint8_t client[CLIENT_KEY_BYTES])
{
	size_t own = 0;
	for (size_t i = 0; i < queue->used; i++)
		if (is_account_of(&queue->accounts[i], client))
			own = queue->accounts[i].waiting;
	struct fair_outlook outlook = {.own = own, .ahead = own, .clients = 1};
	for (size_t i = 0; i < queue->used; i++) {
		const struct fair_account *other = &queue->accounts[i];
		if (is_account_of(other, client) || !is_active(other))
			continue;
		outlook.clients++;
		outlook.ahead += other->waiting <= own ? other->waiting : own + 1;
	}
	return outlook;
}

void fair_queue_done(struct fair_item *item, uint64_t cost_ns)
{
	struct fair_account *account = item->account;
	account->in_service--;
	account->served_ns += cost_ns;
	account->estimated_ns -= item->estimate_ns;
	item->account = NULL;
}
