/* module.c: what the module gives the layers below it. */
#include "server/modules/times/module.h"

#include "server/api/request/books.h"
#include "server/api/routes.h"
#include "server/modules/times/handlers.h"
#include "server/modules/times/stats_cache.h"
#include "server/modules/times/times_internal.h"

#define P(name) ((parameter_set)1 << PARAMETER_##name)
#define M(name) (1u << MEDIA_##name)

static const struct route rows[] = {
#define ROUTE(...) {__VA_ARGS__, false},
#include "server/modules/times/routes.def"
#undef ROUTE
};

static const struct book_calls books = {.create = stats_cache_create,
					.destroy = stats_cache_destroy,
					.changed = stats_cache_changed,
					.post_again = times_post_again,
					.change_again = times_change_again};

void module_times_setup(void)
{
	routes_add(rows, sizeof rows / sizeof rows[0]);
	books_set(&books);
}
