/* books.c: the recorded solves of sessions, as the module has them that was set. */
#include "server/api/request/books.h"

#include "server/api/request/service_state.h"

static const struct book_calls *calls_of_module;

void books_set(const struct book_calls *calls)
{
	calls_of_module = calls;
}

bool books_open(struct service *service)
{
	service->books = calls_of_module;
	service->stats = service->books ? service->books->create() : NULL;
	return !service->books || service->stats;
}

void books_close(struct service *service)
{
	if (service->books)
		service->books->destroy(service->stats);
}

void books_changed(void *of, uint64_t key)
{
	struct service *service = of;
	if (service->books)
		service->books->changed(service->stats, key);
}
