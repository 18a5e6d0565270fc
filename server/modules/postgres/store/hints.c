/* hints.c: the thread that listens and notifies. */
#include "server/modules/postgres/store/hints.h"

#include "server/util/monotonic.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define RETRY_MS 1000
/* A notification needs no disk: if it is lost, nothing is. */
#define LISTEN "SET synchronous_commit = off; LISTEN cubed"

#define COMMAND "NOTIFY cubed, '"

struct keys {
	uint64_t each[HINT_KEYS_MAX];
	size_t count; /* HINT_KEYS_MAX + 1: too many, all sessions */
};

struct hints {
	struct postgres_store *store;
	pthread_t thread;
	int wake; /* an eventfd */
	_Atomic bool due, stopping;
	struct lock lock;
	struct keys added; /* with the lock: for the next notification */
	struct connection connection;
};

static void wake(struct hints *hints)
{
	const uint64_t one = 1;
	if (write(hints->wake, &one, sizeof(one)) < 0)
		return; /* the counter is full: it wakes already */
}

/* ---- sending ---- */

void hints_add(struct postgres_store *store, uint64_t key)
{
	struct hints *hints = store->hints;
	if (hints == NULL)
		return;
	struct keys *keys = &hints->added;
	lock_acquire(&hints->lock);
	/* Entries of one session often come together. */
	const bool again = keys->count > 0 && keys->count <= HINT_KEYS_MAX &&
			   keys->each[keys->count - 1] == key;
	if (!again && keys->count < HINT_KEYS_MAX)
		keys->each[keys->count++] = key;
	else if (!again)
		keys->count = HINT_KEYS_MAX + 1;
	lock_release(&hints->lock);
}

void hints_send(struct postgres_store *store)
{
	struct hints *hints = store->hints;
	if (hints == NULL)
		return;
	lock_acquire(&hints->lock);
	const bool added = hints->added.count > 0;
	lock_release(&hints->lock);
	if (added && !atomic_exchange(&hints->due, true))
		wake(hints);
}

/* Returns false if it could not be sent. */
MUST_USE static bool notify(struct hints *hints)
{
	char command[sizeof COMMAND + 17 * HINT_KEYS_MAX + 1] = COMMAND;
	size_t length = sizeof COMMAND - 1;
	lock_acquire(&hints->lock);
	const struct keys keys = hints->added;
	hints->added.count = 0;
	lock_release(&hints->lock);
	for (size_t i = 0; i < keys.count && keys.count <= HINT_KEYS_MAX; i++)
		length += (size_t)snprintf(command + length, sizeof command - length, "%s%" PRIx64,
					   i > 0 ? "," : "", keys.each[i]);
	snprintf(command + length, sizeof command - length, "'");
	return keys.count == 0 || pg_do_sql(&hints->connection, command) == FAILURE_NONE;
}

/* ---- hearing ---- */

static void report(const struct hints *hints, const uint64_t *keys, size_t count)
{
	const struct store_options *options = &hints->store->options;
	if (options->changed != NULL)
		options->changed(options->changed_context, keys, count);
}

/* Reads the keys of a payload. Returns their number; 0: it stands for all sessions. */
static size_t read_keys(const char *payload, uint64_t keys[HINT_KEYS_MAX])
{
	static const char digits[] = "0123456789abcdef";
	for (size_t count = 0; count < HINT_KEYS_MAX; payload++) {
		const size_t length = strspn(payload, digits);
		if (length == 0 || length > 16)
			return 0;
		keys[count++] = strtoull(payload, NULL, 16);
		payload += length;
		if (*payload == '\0')
			return count;
		if (*payload != ',')
			return 0;
	}
	return 0;
}

/* Reports what other processes have notified. */
static void hear(struct hints *hints)
{
	struct connection *c = &hints->connection;
	uint64_t keys[HINT_KEYS_MAX];
	PGnotify *notified;
	while ((notified = pq.PQnotifies(c->pg)) != NULL) {
		if (notified->be_pid != pq.PQbackendPID(c->pg))
			report(hints, keys, read_keys(notified->extra, keys));
		pq.PQfreemem(notified);
	}
}

/* ---- the thread ---- */

/* Waits for the server, for hints_send() and for the end. */
static bool wait_event(struct hints *hints)
{
	struct connection *c = &hints->connection;
	struct pollfd fds[2] = {
		{.fd = hints->wake, .events = POLLIN},
		{.fd = pg_is_open(c) ? pq.PQsocket(c->pg) : -1, .events = POLLIN},
	};
	uint64_t count;
	if (poll(fds, 2, pg_is_open(c) ? -1 : RETRY_MS) < 0)
		return true;
	if (fds[0].revents != 0 && read(hints->wake, &count, sizeof(count)) < 0)
		return true;
	if (fds[1].revents != 0 && pg_is_open(c) && !pq.PQconsumeInput(c->pg))
		pg_close(c);
	return !atomic_load(&hints->stopping);
}

static void *hints_main(void *argument)
{
	struct hints *hints = argument;
	struct connection *c = &hints->connection;
	do {
		if (!pg_is_open(c) && pg_connect(hints->store, c) == STORE_OK) {
			if (pg_do_sql(c, LISTEN) != FAILURE_NONE)
				pg_close(c);
			else
				report(hints, NULL, 0); /* something may have been missed */
		}
		if (pg_is_open(c) && atomic_exchange(&hints->due, false) && !notify(hints))
			pg_close(c);
		if (pg_is_open(c))
			hear(hints);
	} while (wait_event(hints));
	pg_close(c);
	return NULL;
}

bool hints_start(struct postgres_store *store)
{
	struct hints *hints = calloc(1, sizeof(*hints));
	if (hints == NULL)
		return false;
	hints->store = store;
	if (!lock_init(&hints->lock))
		goto no_lock;
	hints->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (hints->wake < 0)
		goto no_wake;
	if (pthread_create(&hints->thread, NULL, hints_main, hints) != 0)
		goto no_thread;
	store->hints = hints;
	return true;
no_thread:
	close(hints->wake);
no_wake:
	lock_destroy(&hints->lock);
no_lock:
	free(hints);
	return false;
}

void hints_stop(struct postgres_store *store)
{
	struct hints *hints = store->hints;
	if (hints == NULL)
		return;
	atomic_store(&hints->stopping, true);
	wake(hints);
	pthread_join(hints->thread, NULL);
	close(hints->wake);
	lock_destroy(&hints->lock);
	free(hints);
	store->hints = NULL;
}
