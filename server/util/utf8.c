/* utf8.c: decodes UTF-8 (RFC 3629), and rejects characters that do not belong in names. */
#include "server/util/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t length, uint32_t *code_point)
{
	const unsigned char *byte = (const unsigned char *)text;
	if (byte[0] < 0x80) {
		*code_point = byte[0];
		return 1;
	}
	size_t count = byte[0] >= 0xf0 ? 4 : byte[0] >= 0xe0 ? 3 : 2;
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	if (byte[0] < 0xc2 || byte[0] > 0xf4 || count > length)
		return 0;
	uint32_t value = byte[0] & (0x7fu >> count);
	for (size_t i = 1; i < count; i++) {
		if ((byte[i] & 0xc0) != 0x80)
			return 0;
		value = value << 6 | (byte[i] & 0x3f);
	}
	if (value < least[count] || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return 0;
	*code_point = value;
	return count;
}

bool utf8_valid(const char *text, size_t length)
{
	for (size_t i = 0, count; i < length; i += count) {
		uint32_t code_point;
		count = utf8_decode(text + i, length - i, &code_point);
		if (count == 0)
			return false;
	}
	return true;
}

void utf8_mend(char *text)
{
	size_t length = strlen(text);
	for (size_t i = 0, count; i < length; i += count) {
		uint32_t code_point;
		count = utf8_decode(text + i, length - i, &code_point);
		if (count > 0)
			continue;
		text[i] = '?';
		count = 1;
	}
}

bool utf8_printable(uint32_t code_point)
{
	static const struct {
		uint32_t first, last;
	} refused[] = {
		{0x00, 0x1f},     {0x7f, 0x9f},       {0xad, 0xad},     {0x61c, 0x61c},
		{0x200b, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f}, {0xfeff, 0xfeff},
		{0xfff9, 0xfffb}, {0xe0000, 0xe0fff},
	};
	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
		if (code_point >= refused[i].first && code_point <= refused[i].last)
			return false;
	return (code_point & 0xfffe) != 0xfffe;
}
