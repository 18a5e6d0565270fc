/* hints.c: the thread that listens and notifies. */
#include "server/store/postgres/hints.h"

#include "server/util/monotonic.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define RETRY_MS 1000
/* A notification needs no disk: if it is lost, nothing is. */
#define LISTEN "SET synchronous_commit = off; LISTEN cubed"

struct hints {
	struct postgres_store *store;
	pthread_t thread;
	int wake; /* an eventfd */
	_Atomic bool due, stopping;
	struct connection connection;
};

static void wake(struct hints *hints)
{
	const uint64_t one = 1;
	if (write(hints->wake, &one, sizeof(one)) < 0)
		return; /* the counter is full: it wakes already */
}

void hints_send(struct postgres_store *store)
{
	struct hints *hints = store->hints;
	if (hints != NULL && !atomic_exchange(&hints->due, true))
		wake(hints);
}

static void report(const struct hints *hints)
{
	const struct store_options *options = &hints->store->options;
	if (options->changed != NULL)
		options->changed(options->changed_context);
}

/* Returns true if another process has notified. */
static bool heard(struct connection *c)
{
	bool others = false;
	PGnotify *notify;
	while ((notify = pq.PQnotifies(c->pg)) != NULL) {
		others |= notify->be_pid != pq.PQbackendPID(c->pg);
		pq.PQfreemem(notify);
	}
	return others;
}

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
				report(hints); /* something may have been missed */
		}
		if (pg_is_open(c) && atomic_exchange(&hints->due, false) &&
		    pg_do_sql(c, "NOTIFY cubed") != FAILURE_NONE)
			pg_close(c);
		if (pg_is_open(c) && heard(c))
			report(hints);
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
	hints->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (hints->wake >= 0 && pthread_create(&hints->thread, NULL, hints_main, hints) == 0) {
		store->hints = hints;
		return true;
	}
	if (hints->wake >= 0)
		close(hints->wake);
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
	free(hints);
	store->hints = NULL;
}
