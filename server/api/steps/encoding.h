/* encoding.h: answers compressed with gzip, where the client accepts that; the only user of zlib.
 *
 * Files are compressed when the server is built. Other text of ENCODING_BYTES_MIN bytes and more is
 * compressed on a worker when it is complete; streams are not. The memory for it is the request's;
 * if there is none, the answer is sent as it is. */
#ifndef SERVER_API_STEPS_ENCODING_H
#define SERVER_API_STEPS_ENCODING_H

#include "server/api/request/context.h"
#include "server/util/error.h"

#define ENCODING_BYTES_MIN 1024
/* Longer ones would take a worker too long. */
#define ENCODING_BYTES_MAX ((size_t)4 << 20)

/* Returns true if the client prefers gzip: Accept-Encoding (RFC 9110, 12.5.3). */
MUST_USE bool encoding_accepted(const struct context *ctx);

/* The reply's body is or will be compressed: sets Content-Encoding, and marks the ETag. False: out of
 * memory, nothing was done. */
MUST_USE bool encoding_mark(struct context *ctx);

/* Compresses the complete reply on a worker, if that is wanted, then calls `then` with the lock.
 * False: it is not, and `then` is not called. */
MUST_USE bool encoding_begin(struct context *ctx, void (*then)(struct context *ctx));

#endif
