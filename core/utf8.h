/* core/utf8.h: how long a UTF-8 sequence is, by RFC 3629: no overlong forms, no surrogates. */
#ifndef CORE_UTF8_H
#define CORE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Bytes (1..4) of the valid sequence that starts `text`, of which `length` may be read; 0 where
 * none does. */
static inline size_t utf8_sequence(const char *text, size_t length)
{
	const unsigned char *byte = (const unsigned char *)text;
	/* By the first byte's upper five bits: how many bytes, and the least code point. */
	static const uint8_t lengths[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
					    0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2, 2, 3, 3, 4, 0};
	static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
	if (length == 0)
		return 0;
	size_t bytes = lengths[byte[0] >> 3];
	if (bytes <= 1 || bytes > length)
		return bytes <= 1 ? bytes : 0;
	uint32_t point = byte[0] & (0x7fu >> bytes);
	for (size_t i = 1; i < bytes; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (byte[i] & 0x3fu);
	}
	if (point < least[bytes] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff))
		return 0;
	return bytes;
}

#endif
