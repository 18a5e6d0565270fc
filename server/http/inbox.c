/* inbox.c: what other threads hand to a loop: new connections, and completed answers. */
#include "server/http/http_internal.h"

#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

static void inbox_ready(struct loop *loop, struct watch *watch)
{
	uint64_t count;
	ssize_t length = read(watch->fd, &count, sizeof count);
	(void)length;
	inbox_drain(loop);
}

bool inbox_open(struct loop *loop)
{
	struct inbox *inbox = &loop->inbox;
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (fd >= 0 && lock_init(&inbox->lock) && loop_watch(loop, &inbox->watch, fd, inbox_ready))
		return true;
	inbox->watch.fd = fd;
	return false;
}

void inbox_close(struct loop *loop)
{
	if (loop->inbox.watch.fd >= 0)
		close(loop->inbox.watch.fd);
	lock_destroy(&loop->inbox.lock);
}

/* The counter of the eventfd cannot overflow: a failed write means that it is readable. */
void inbox_wake(struct loop *loop)
{
	ssize_t length = write(loop->inbox.watch.fd, &(uint64_t){1}, sizeof(uint64_t));
	(void)length;
}

void inbox_push_arrival(struct loop *loop, struct arrival *arrival)
{
	struct inbox *inbox = &loop->inbox;
	lock_acquire(&inbox->lock);
	bool first = !inbox->arrivals && !inbox->answered;
	arrival->next = inbox->arrivals;
	inbox->arrivals = arrival;
	lock_release(&inbox->lock);
	if (first)
		inbox_wake(loop);
}

void inbox_push_answered(struct loop *loop, struct connection *connection)
{
	struct inbox *inbox = &loop->inbox;
	lock_acquire(&inbox->lock);
	bool first = !inbox->arrivals && !inbox->answered;
	connection->next_answered = inbox->answered;
	inbox->answered = connection;
	lock_release(&inbox->lock);
	if (first)
		inbox_wake(loop);
}

void inbox_drain(struct loop *loop)
{
	struct inbox *inbox = &loop->inbox;
	lock_acquire(&inbox->lock);
	struct arrival *arrival = inbox->arrivals;
	struct connection *connection = inbox->answered;
	inbox->arrivals = NULL;
	inbox->answered = NULL;
	lock_release(&inbox->lock);
	while (arrival) {
		struct arrival *next = arrival->next;
		connection_add(loop, arrival);
		free(arrival);
		arrival = next;
	}
	while (connection) {
		struct connection *next = connection->next_answered;
		exchange_arrived(connection);
		connection = next;
	}
}
