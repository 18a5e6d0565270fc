/* notation/marks.c: from bytes to marks: letters, signs as pasted, white space, comments. */
#include "core/notation/notation_internal.h"
#include "core/utf8.h"

/* clang-format off */
const uint8_t notation_kinds[256] = {
	['\t' ... '\r'] = MARK_BLANK, [' '] = MARK_BLANK,
	['0' ... '9'] = MARK_DIGIT,
	['A'] = MARK_LETTER, ['C'] = MARK_LETTER, ['G' ... 'K'] = MARK_LETTER,
	['N' ... 'Q'] = MARK_LETTER, ['T'] = MARK_LETTER, ['V' ... 'Z'] = MARK_LETTER,
	['a'] = MARK_LETTER, ['c'] = MARK_LETTER, ['g' ... 'k'] = MARK_LETTER,
	['n' ... 'q'] = MARK_LETTER, ['t'] = MARK_LETTER, ['v' ... 'w'] = MARK_LETTER,
	['U'] = MARK_FACE, ['R'] = MARK_FACE, ['F'] = MARK_FACE,
	['D'] = MARK_FACE, ['L'] = MARK_FACE, ['B'] = MARK_FACE,
	['u'] = MARK_SMALL, ['r'] = MARK_SMALL, ['f'] = MARK_SMALL,
	['d'] = MARK_SMALL, ['l'] = MARK_SMALL, ['b'] = MARK_SMALL,
	['M'] = MARK_MIDDLE, ['E'] = MARK_MIDDLE, ['S'] = MARK_MIDDLE,
	['m'] = MARK_INNER, ['e'] = MARK_INNER, ['s'] = MARK_INNER,
	['x'] = MARK_WHOLE, ['y'] = MARK_WHOLE, ['z'] = MARK_WHOLE,
	['\''] = MARK_PRIME, ['`'] = MARK_PRIME, ['-'] = MARK_DASH,
	['('] = MARK_ROUND_OPEN, [')'] = MARK_ROUND_CLOSE,
	['['] = MARK_SQUARE_OPEN, [']'] = MARK_SQUARE_CLOSE,
	[','] = MARK_COMMA, [':'] = MARK_COLON, ['.'] = MARK_PAUSE, ['/'] = MARK_SLASH,
	[0x80 ... 0xff] = MARK_MULTI,
};

const uint8_t notation_faces[256] = {
	['U'] = CUBE_U, ['R'] = CUBE_R, ['F'] = CUBE_F,
	['D'] = CUBE_D, ['L'] = CUBE_L, ['B'] = CUBE_B,
	['u'] = CUBE_U, ['r'] = CUBE_R, ['f'] = CUBE_F,
	['d'] = CUBE_D, ['l'] = CUBE_L, ['b'] = CUBE_B,
	['M'] = CUBE_L, ['E'] = CUBE_D, ['S'] = CUBE_F,
	['m'] = CUBE_L, ['e'] = CUBE_D, ['s'] = CUBE_F,
	['x'] = CUBE_R, ['y'] = CUBE_U, ['z'] = CUBE_F,
};

/* Characters beyond ASCII that have a meaning, by code point. */
static const struct {
	uint32_t first, last;
	enum mark_kind kind;
} pasted[] = {
	{0x0085, 0x0085, MARK_BLANK},        /* next line */
	{0x00a0, 0x00a0, MARK_BLANK},        /* no-break space */
	{0x00ad, 0x00ad, MARK_BLANK},        /* soft hyphen */
	{0x00b4, 0x00b4, MARK_PRIME},        /* acute accent */
	{0x02b9, 0x02b9, MARK_PRIME},        /* modifier letter prime */
	{0x02bc, 0x02bc, MARK_PRIME},        /* modifier letter apostrophe */
	{0x02cb, 0x02cb, MARK_PRIME},        /* modifier letter grave accent */
	{0x1680, 0x1680, MARK_BLANK},        /* ogham space */
	{0x2000, 0x200f, MARK_BLANK},        /* spaces by width, zero width ones, direction marks */
	{0x2010, 0x2015, MARK_DASH},         /* hyphens and dashes */
	{0x2018, 0x2019, MARK_PRIME},        /* single quotation marks */
	{0x201b, 0x201b, MARK_PRIME},        /* reversed single quotation mark */
	{0x2028, 0x2029, MARK_BLANK},        /* line and paragraph separator */
	{0x202f, 0x202f, MARK_BLANK},        /* narrow no-break space */
	{0x2032, 0x2032, MARK_PRIME},        /* prime */
	{0x205f, 0x2060, MARK_BLANK},        /* mathematical space, word joiner */
	{0x2212, 0x2212, MARK_DASH},         /* minus */
	{0x3000, 0x3000, MARK_BLANK},        /* ideographic space */
	{0xfe63, 0xfe63, MARK_DASH},         /* small hyphen */
	{0xfeff, 0xfeff, MARK_BLANK},        /* zero width no-break space, byte order mark */
	{0xff07, 0xff07, MARK_PRIME},        /* full-width signs from here on */
	{0xff08, 0xff08, MARK_ROUND_OPEN},
	{0xff09, 0xff09, MARK_ROUND_CLOSE},
	{0xff0c, 0xff0c, MARK_COMMA},
	{0xff0d, 0xff0d, MARK_DASH},
	{0xff1a, 0xff1a, MARK_COLON},
	{0xff3b, 0xff3b, MARK_SQUARE_OPEN},
	{0xff3d, 0xff3d, MARK_SQUARE_CLOSE},
};
/* clang-format on */

static size_t sequence_at(const struct reader *r, size_t at)
{
	return utf8_sequence((const char *)r->text + at, r->length - at);
}

struct mark notation_mark_long(const struct reader *r, size_t at)
{
	size_t bytes = sequence_at(r, at);
	if (bytes == 0)
		return (struct mark){MARK_BAD, 1};
	uint32_t point = r->text[at] & (0x7fu >> bytes);
	for (size_t i = 1; i < bytes; i++)
		point = point << 6 | (r->text[at + i] & 0x3fu);
	for (size_t i = 0; i < sizeof(pasted) / sizeof(pasted[0]) && pasted[i].first <= point; i++)
		if (point <= pasted[i].last)
			return (struct mark){(uint8_t)pasted[i].kind, (uint8_t)bytes};
	return (struct mark){MARK_OTHER, (uint8_t)bytes};
}

bool notation_skip_comment(struct reader *r)
{
	size_t start = r->at, at = start + 2;
	bool line = start + 1 < r->length && r->text[start + 1] == '/';
	if (!line && !(start + 1 < r->length && r->text[start + 1] == '*'))
		return notation_refuse(r, CUBE_ERROR_CHARACTER, start, 1,
				       "a comment: // to the end of the line, or /* */");
	for (; at < r->length; at++) {
		unsigned char byte = r->text[at];
		if (line && (byte == '\n' || byte == '\r'))
			break;
		if (!line && byte == '*' && at + 1 < r->length && r->text[at + 1] == '/')
			break;
		if (byte < 0x80)
			continue;
		size_t bytes = sequence_at(r, at);
		if (bytes == 0)
			return notation_refuse(r, CUBE_ERROR_UTF8, at, 1, "text in UTF-8");
		at += bytes - 1;
	}
	if (!line && at == r->length)
		return notation_refuse(r, CUBE_ERROR_COMMENT, start, 2,
				       "*/ at the end of the comment");
	r->at = line ? at : at + 2;
	return true;
}

bool notation_only_space(struct reader *r, size_t at)
{
	size_t back = r->at;
	bool only;
	for (r->at = at;;) {
		struct mark mark = notation_mark(r, r->at);
		only = mark.kind == MARK_END;
		if (mark.kind == MARK_SLASH) {
			if (!notation_skip_comment(r))
				break;
		} else if (mark.kind == MARK_BLANK || mark.kind == MARK_PAUSE) {
			r->at += mark.length;
		} else {
			break;
		}
	}
	r->at = back;
	return only;
}
