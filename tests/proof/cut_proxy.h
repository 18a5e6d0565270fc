/* cut_proxy.h: a proxy before a PostgreSQL server that can be made bad: it cuts a connection behind a given
 * byte, holds what comes, or delays it. It listens on an abstract Unix socket, so nothing is left
 * behind if the test is killed. */
#ifndef TESTS_PROOF_CUT_PROXY_H
#define TESTS_PROOF_CUT_PROXY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CUT_PROXY_CONNECTIONS 64

enum cut_direction { CUT_TO_SERVER, CUT_TO_CLIENT };

enum cut_mode {
	CUT_NOTHING,
	CUT_CLOSE, /* both ends are closed */
	CUT_HOLD,  /* nothing more is passed on, and the ends stay open: a frozen network */
};

struct cut_connection {
	int ends[2]; /* client, server; -1: none */
	bool held;
	bool writes; /* it has sent the statement that the plans are for */
};

struct cut_proxy {
	char name[64]; /* for libpq: host=NAME */
	const char *statement;
	char upstream[108]; /* the server's socket */
	int listener, wake[2];
	pthread_t thread;
	pthread_mutex_t mutex; /* of all that follows */
	enum cut_mode mode;
	enum cut_direction direction;
	uint64_t left; /* bytes in that direction until it happens */
	unsigned done; /* the number of times it happened */
	int delay_ms;  /* of everything */
	bool stopping;
	struct cut_connection connections[CUT_PROXY_CONNECTIONS];
};

/* `folder`: of the server's socket. `statement`: its name; plans are for the connections that use it,
 * so that no notification to another one sets them off. */
void cut_proxy_start(struct cut_proxy *proxy, const char *folder, const char *statement);
void cut_proxy_stop(struct cut_proxy *proxy);
/* Once `bytes` more have passed in that direction, over the connections that use the statement, this
 * happens to the connection that they passed: to that byte, not further. */
void cut_proxy_plan(struct cut_proxy *proxy, enum cut_mode mode, enum cut_direction direction,
		    uint64_t bytes);
/* Returns how often it happened since cut_proxy_start(). */
unsigned cut_proxy_done(struct cut_proxy *proxy);
/* Delays everything from now on. */
void cut_proxy_delay(struct cut_proxy *proxy, int ms);
/* Closes the connections that are held, or all. */
void cut_proxy_close(struct cut_proxy *proxy, bool all);

#endif
