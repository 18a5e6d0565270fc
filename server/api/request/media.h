/* media.h: the media types of requests and answers. */
#ifndef SERVER_API_REQUEST_MEDIA_H
#define SERVER_API_REQUEST_MEDIA_H

#include "server/api/request/context.h"

/* The Content-Type of an answer in that media. */
const char *media_type(enum media media);

/* Chooses what the Accept header (RFC 9110, 12.5.1; NULL: anything) likes best among the `offered`
 * bits; of equals `preferred`, or else the one that comes first in enum media. MEDIA_COUNT where it
 * takes none of them.
 */
enum media media_choose(const char *accept, unsigned offered, enum media preferred);

/* Whether a Content-Type is that media. NULL is none. */
bool media_is(const char *content_type, enum media media);

#endif
