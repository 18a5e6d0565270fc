/* html.h: text in HTML. */
#ifndef SERVER_UTIL_HTML_H
#define SERVER_UTIL_HTML_H

#include "server/util/buffer.h"

/* Appends text for between tags or an attribute's value in double quotes: & < > " become entities.
 * `text` must be UTF-8. */
void html_escape(struct buffer *to, const char *text);

#endif
