/* term_style.h: what a terminal can show, by the variables TERM and NO_COLOR. */
#ifndef SERVER_UTIL_TERM_STYLE_H
#define SERVER_UTIL_TERM_STYLE_H

enum term_style {
	TERM_COLORS,   /* 256 colours */
	TERM_LETTERED, /* without colours, but the cursor can be moved */
	TERM_DUMB,     /* lines of text, one after the other */
};

/* Returns the style for these values of TERM and NO_COLOR, each of which may be NULL. */
enum term_style term_style_of(const char *term, const char *no_color);

#endif
