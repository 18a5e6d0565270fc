/* utf8.h: checks of text from outside. */
#ifndef SERVER_UTIL_UTF8_H
#define SERVER_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

/* Decodes the sequence at `text` (1 <= length): its bytes (1..4) and code point; 0 if it is not
 * valid UTF-8 (also for overlong forms, surrogates and values beyond U+10FFFF). */
MUST_USE size_t utf8_decode(const char *text, size_t length, uint32_t *code_point);

bool utf8_valid(const char *text, size_t length);

/* Replaces every byte that is not part of a valid sequence by '?'. For text that was cut, or comes
 * from a library. */
void utf8_mend(char *text);

/* Returns true if a name may contain the character: it is visible, not a control character, and
 * does not change the direction of text. */
bool utf8_printable(uint32_t code_point);

#endif
