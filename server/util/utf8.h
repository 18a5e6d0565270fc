/* utf8.h: looking at text from outside. */
#ifndef SERVER_UTIL_UTF8_H
#define SERVER_UTIL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

/* Decodes the sequence at `text` (1 <= length): its bytes (1..4) and code point; 0 if it is not
 * valid UTF-8 (overlong forms, surrogates and what is beyond U+10FFFF included). */
MUST_USE size_t utf8_decode(const char *text, size_t length, uint32_t *code_point);

bool utf8_valid(const char *text, size_t length);

/* Puts '?' in the place of every byte that is not part of a valid sequence: text that was cut, or
 * that came with another library's message. */
void utf8_mend(char *text);

/* Whether a name may hold it: no control character and nothing that changes the direction of text
 * or hides. */
bool utf8_printable(uint32_t code_point);

#endif
