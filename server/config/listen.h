/* listen.h: the value of --listen, and who can reach such a server. */
#ifndef SERVER_CONFIG_LISTEN_H
#define SERVER_CONFIG_LISTEN_H

#include <stdbool.h>

#include "server/config.h"

#define LISTEN_EXPECTED "HOST:PORT, PORT, or unix:PATH of at most 107 bytes"

/* Reads HOST:PORT, [IPV6]:PORT, :PORT, PORT or unix:PATH. False if it has another form. */
MUST_USE bool listen_parse(struct config *config, const char *value);

/* Returns true if the server listens only on loopback or a Unix socket: all clients are on this machine. */
bool listen_is_local(const struct config *config);

/* Returns true if it listens on all addresses of this machine. */
bool listen_is_everywhere(const struct config *config);

#endif
