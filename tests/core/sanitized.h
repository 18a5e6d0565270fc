/* tests/core/sanitized.h: true in a program with AddressSanitizer or ThreadSanitizer, which make code several
 * times slower: tests repeat less there. */
#ifndef TESTS_CORE_SANITIZED_H
#define TESTS_CORE_SANITIZED_H

#include <stdbool.h>

#ifndef __has_feature /* as in gcc before 14 */
#define __has_feature(feature) 0
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
	defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

#endif
