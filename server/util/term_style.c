/* term_style.c: what a terminal can show. */
#include "server/util/term_style.h"

#include <stddef.h>
#include <string.h>

enum term_style term_style_of(const char *term, const char *no_color)
{
	if (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0)
		return TERM_DUMB;
	return no_color != NULL && no_color[0] != '\0' ? TERM_LETTERED : TERM_COLORS;
}
