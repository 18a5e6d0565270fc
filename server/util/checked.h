/* checked.h: builds that check what release builds take for granted: those with a sanitizer, and
 * those without optimization. */
#ifndef SERVER_UTIL_CHECKED_H
#define SERVER_UTIL_CHECKED_H

#include <assert.h>

/* gcc defines macros for its sanitizers; clang 14 answers only this question. */
#ifdef __has_feature
#define CHECKED_HAS_FEATURE(name) __has_feature(name)
#else
#define CHECKED_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__) ||     \
	CHECKED_HAS_FEATURE(address_sanitizer) || CHECKED_HAS_FEATURE(thread_sanitizer)
#define IS_CHECKED 1
#else
#define IS_CHECKED 0
#endif

/* assert() in checked builds; in others the condition is not evaluated. */
#define checked_assert(condition) assert(!IS_CHECKED || (condition))

#endif
