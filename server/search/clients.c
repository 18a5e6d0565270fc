/* clients.c: what each client has: jobs, kept answers, and search time. */
#include <stdlib.h>
#include <string.h>

#include "server/search/jobs_internal.h"

static void forget(struct jobs *jobs, struct job_client *client)
{
	HASH_DELETE(hh, jobs->clients, client);
	free(client);
}

/* No job refers to it, and it has used no more search time than a new client. */
static bool is_forgettable(const struct jobs *jobs, const struct job_client *client)
{
	return client->references == 0 && client->time_ns <= jobs->virtual_ns;
}

/* Clients without jobs are remembered while their search time counts. Checks all of them whenever
 * their number has doubled. */
static void sweep(struct jobs *jobs)
{
	struct job_client *client, *next;
	if (HASH_COUNT(jobs->clients) < jobs->sweep_at)
		return;
	HASH_ITER (hh, jobs->clients, client, next) {
		if (is_forgettable(jobs, client))
			forget(jobs, client);
	}
	jobs->sweep_at = 2 * HASH_COUNT(jobs->clients) + 64;
}

struct job_client *client_acquire(struct jobs *jobs, const uint8_t *address)
{
	lock_assert_held(&jobs->lock);
	struct client_key key = {.counted = address != NULL};
	struct job_client *client;
	bool failed = false;
	if (address)
		memcpy(key.address, address, sizeof key.address);
	HASH_FIND(hh, jobs->clients, &key, sizeof key, client);
	if (!client) {
		sweep(jobs);
		client = calloc(1, sizeof *client);
		if (!client)
			return NULL;
		client->key = key;
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) (failed = true)
		HASH_ADD(hh, jobs->clients, key, sizeof client->key, client);
	}
	if (failed) {
		free(client);
		return NULL;
	}
	client->references++;
	return client;
}

void client_release(struct jobs *jobs, struct job_client *client)
{
	lock_assert_held(&jobs->lock);
	client->references--;
	if (is_forgettable(jobs, client))
		forget(jobs, client);
}

struct job_client *client_with_most_kept(const struct jobs *jobs)
{
	lock_assert_held(&jobs->lock);
	struct job_client *most = NULL;
	for (struct job_client *client = jobs->clients; client; client = client->hh.next)
		if (client->kept_bytes > (most ? most->kept_bytes : 0))
			most = client;
	return most;
}

void clients_free(struct jobs *jobs)
{
	lock_assert_held(&jobs->lock);
	struct job_client *client, *next;
	HASH_ITER (hh, jobs->clients, client, next)
		forget(jobs, client);
}
