/* request_head.h: the head of a request, read before libmicrohttpd sees a byte of it.
 *
 * A head that can be read in two ways allows requests to be smuggled past a proxy. So each line is
 * checked as it was sent: anything ambiguous is a fault, after which the connection closes (RFC
 * 9112, 11.2). What libmicrohttpd gets instead is a head with the framing alone: the method, the length of the body, whether the connection is kept. Whatever a version of the
 * library tolerates, joins, refuses or cannot hold, it never meets.
 *
 * No function here does I/O or allocates, but for head_fields(), which uses the request's arena. */
#ifndef SERVER_HTTP_REQUEST_HEAD_H
#define SERVER_HTTP_REQUEST_HEAD_H

#include "server/api/request/problem.h"
#include "server/api/request/request.h"
#include "server/util/error.h"

#define HEAD_BYTES_MAX 10240
#define TARGET_BYTES_MAX 8192

/* A fault of a request: its problem, and a sentence that says what is wrong. */
struct fault {
	enum problem_type type;
	const char *detail; /* NULL: none */
};

/* A head that is being read. All zero: nothing has been read yet. */
struct request_head {
	size_t line;          /* offset of the first line that is not checked, or is refused */
	size_t length;        /* bytes of the whole head, once it is complete */
	unsigned char method; /* length; 0: the request line is not checked. See METHOD_BYTES_MAX */
	bool http_1_0;
	bool has_host, has_type, has_length;
	bool chunked;
	bool close, keep_alive; /* options of Connection */
	bool expects;           /* 100-continue */
	uint64_t body;          /* Content-Length */
	struct fault fault;
};

enum head_state { HEAD_INCOMPLETE, HEAD_COMPLETE, HEAD_REFUSED };

/* Reads on. `bytes` begins where the head begins and has all `length` bytes received since then.
 * HEAD_COMPLETE: head->length of them are the head, and the framing is known. HEAD_REFUSED:
 * head->fault says why; nothing that follows can be a request. Each line is read once. */
enum head_state head_read(struct request_head *head, const char *bytes, size_t length);

/* Overwrites a complete head with the one that libmicrohttpd gets, of at least `least` bytes, which
 * are at most as many as it has. Returns its length, which is not greater than before. */
size_t head_cover(const struct request_head *head, char *bytes, size_t least);

/* The request that libmicrohttpd gets in place of a refused one. */
#define HEAD_REFUSAL "GET / HTTP/1.1\r\nHost:\r\nConnection:close\r\n\r\n"

/* Sets the method, the target and the headers of a request, which point into `bytes`: a head as it
 * was received, or the lines in front of its fault, on the request's arena, where it is taken apart.
 * False if out of memory. */
MUST_USE bool head_fields(struct request *request, char *bytes, size_t length);

/* Checks a field line: of a head, or of the trailer behind a chunked body. `length` is without its
 * CR LF. Returns what is wrong, or NULL. */
const char *field_line_fault(const char *line, size_t length);

#endif
