/* media.h: the media types of requests and answers. */
#ifndef SERVER_API_REQUEST_MEDIA_H
#define SERVER_API_REQUEST_MEDIA_H

#include "server/api/request/context.h"
#include "server/util/error.h"

/* The Content-Type of an answer in that media type. */
const char *media_type(enum media media);

/* Chooses the media type that the Accept header (RFC 9110, 12.5.1; NULL: anything) prefers among
 * the `offered` bits; of equals `preferred`, or else the first in enum media. MEDIA_COUNT if it
 * accepts none of them. */
enum media media_choose(const char *accept, unsigned offered, enum media preferred);

/* The weight q of an item of an Accept header, between `at` and `end`, in thousandths; 1000 if it has
 * none. */
int media_weight(const char *at, const char *end);

/* Returns true if a Content-Type is that media type; false for NULL. */
MUST_USE bool media_is(const char *content_type, enum media media);

#endif
