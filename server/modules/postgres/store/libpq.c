/* libpq.c: loads PostgreSQL's client library. */
#include "server/modules/postgres/store/libpq.h"

#include <dlfcn.h>
#include <pthread.h>

#define LIBRARY "libpq.so.5"

struct libpq pq;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool loaded;

static bool load_functions(void *library, struct error *error)
{
#define LIBPQ_LOAD(name)                                                                           \
	*(void **)&pq.name = dlsym(library, #name);                                                \
	if (pq.name == NULL)                                                                       \
		return error_set(error, "%s is too old: it has no %s", LIBRARY, #name);
	LIBPQ_FUNCTIONS(LIBPQ_LOAD)
#undef LIBPQ_LOAD
	return true;
}

bool libpq_load(struct error *error)
{
	pthread_mutex_lock(&loading);
	if (!loaded) {
		void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
		if (library == NULL)
			error_set(error,
				  "a store on PostgreSQL needs its client library: install libpq5 "
				  "(%s)",
				  dlerror());
		else
			loaded = load_functions(library, error);
	}
	const bool done = loaded;
	pthread_mutex_unlock(&loading);
	return done;
}
