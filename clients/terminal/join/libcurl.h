/* libcurl.h: curl's library, loaded when it is first needed.
 *
 * The program is not linked with it: a cube of your own needs no network, and a package that depends on
 * libcurl brings 16 packages to each server (clients/terminal/README.md). Its functions are called through the table `curl`:
 * curl.curl_easy_init(). Its header gives the types. */
#ifndef TERMINAL_JOIN_LIBCURL_H
#define TERMINAL_JOIN_LIBCURL_H

/* The checks of types are macros with the names of the functions. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#include "server/util/error.h"

/* All functions that are used. Each is in libcurl 7.28 or older. */
#define LIBCURL_FUNCTIONS(X)                                                                       \
	X(curl_easy_cleanup)                                                                       \
	X(curl_easy_getinfo)                                                                       \
	X(curl_easy_init)                                                                          \
	X(curl_easy_reset)                                                                         \
	X(curl_easy_setopt)                                                                        \
	X(curl_easy_strerror)                                                                      \
	X(curl_global_init)                                                                        \
	X(curl_multi_add_handle)                                                                   \
	X(curl_multi_cleanup)                                                                      \
	X(curl_multi_fdset)                                                                        \
	X(curl_multi_info_read)                                                                    \
	X(curl_multi_init)                                                                         \
	X(curl_multi_perform)                                                                      \
	X(curl_multi_remove_handle)                                                                \
	X(curl_multi_timeout)                                                                      \
	X(curl_slist_append)                                                                       \
	X(curl_slist_free_all)

struct libcurl {
#define LIBCURL_MEMBER(name) __typeof__(name) *name;
	LIBCURL_FUNCTIONS(LIBCURL_MEMBER)
#undef LIBCURL_MEMBER
};

/* Filled by libcurl_load(); constant from then on. */
extern struct libcurl curl;

/* Loads the library; it stays loaded. False with a sentence in `error`. Call it once, before any
 * other thread starts. */
MUST_USE bool libcurl_load(struct error *error);

#endif
