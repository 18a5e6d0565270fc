/* byte_range.h: the Range of a request (RFC 9110, 14): a part of an answer whose length is known before it is made. */
#ifndef SERVER_API_STEPS_BYTE_RANGE_H
#define SERVER_API_STEPS_BYTE_RANGE_H

#include "server/api/request/context.h"

struct byte_range {
	uint64_t from, length;
	bool part; /* not the whole answer */
};

/* Reads the Range of a GET for an answer of so many bytes (at least one), and sets Accept-Ranges. The reply has its ETag
 * already, for If-Range. Several ranges, and a header that cannot be read, ask for the whole answer. False: the range
 * begins behind the end, and the reply is a 416. */
MUST_USE bool byte_range_read(struct context *ctx, uint64_t length, struct byte_range *range);

#endif
