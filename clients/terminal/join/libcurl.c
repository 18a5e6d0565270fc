/* libcurl.c: loads curl's library. */
#include "clients/terminal/join/libcurl.h"

#include <dlfcn.h>

/* Debian has builds with OpenSSL and with GnuTLS; either will do. */
static const char *const libraries[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#define LIBRARIES (sizeof libraries / sizeof libraries[0])

struct libcurl curl;

static bool load_functions(void *library, struct error *error)
{
#define LIBCURL_LOAD(name)                                                                         \
	*(void **)&curl.name = dlsym(library, #name);                                              \
	if (curl.name == NULL)                                                                     \
		return error_set(error, "libcurl is too old: it has no %s", #name);
	LIBCURL_FUNCTIONS(LIBCURL_LOAD)
#undef LIBCURL_LOAD
	return true;
}

bool libcurl_load(struct error *error)
{
	void *library = NULL;
	for (size_t i = 0; i < LIBRARIES && library == NULL; i++)
		library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
	if (library == NULL)
		return error_set(error, "--join needs curl's library: install libcurl4 (%s)",
				 dlerror());
	if (!load_functions(library, error))
		return false;
	return curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ||
	       error_set(error, "curl's library cannot be started");
}
