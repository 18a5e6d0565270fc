/* html.c: text in HTML. */
#include "server/util/html.h"

void html_escape(struct buffer *to, const char *text)
{
	for (; *text; text++) {
		const char *entity = *text == '&'   ? "&amp;"
				     : *text == '<' ? "&lt;"
				     : *text == '>' ? "&gt;"
				     : *text == '"' ? "&quot;"
						    : NULL;
		if (entity)
			buffer_text(to, entity);
		else
			buffer_add(to, text, 1);
	}
}
