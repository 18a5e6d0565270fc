/* varint.h: numbers in few bytes: seven bits a byte, the low ones first. */
#ifndef SERVER_UTIL_VARINT_H
#define SERVER_UTIL_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

#define VARINT_MAX 10

/* Writes at `bytes` unless that is NULL. Returns the length, 1..VARINT_MAX. */
MUST_USE static inline size_t varint_put(uint8_t *bytes, uint64_t value)
{
	size_t length = 0;
	while (value >= 0x80) {
		if (bytes != NULL)
			bytes[length] = (uint8_t)(value | 0x80);
		length++;
		value >>= 7;
	}
	if (bytes != NULL)
		bytes[length] = (uint8_t)value;
	return length + 1;
}

/* Reads a number at *at and advances *at. False if the bytes end early or have more than 64
 * bits. */
MUST_USE static inline bool varint_get(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	uint64_t result = 0;
	for (unsigned shift = 0; shift < 64 && *at < end; shift += 7) {
		uint8_t byte = *(*at)++;
		if (shift == 63 && byte > 1)
			return false;
		result |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			*value = result;
			return true;
		}
	}
	return false;
}

#endif
