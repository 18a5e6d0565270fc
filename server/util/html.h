/* html.h: text in HTML. */
#ifndef SERVER_UTIL_HTML_H
#define SERVER_UTIL_HTML_H

#include "server/util/buffer.h"

/* Appends text between tags, or in an attribute's value in quotation marks: of what means something in
 * HTML the names. */
void html_escape(struct buffer *to, const char *text);

#endif
