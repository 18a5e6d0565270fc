/* network.h: the addresses of this machine that other devices in its networks can open. */
#ifndef SERVER_UTIL_NETWORK_H
#define SERVER_UTIL_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#define NETWORK_ADDRESSES_MAX 8

/* "http://192.168.1.5:8080", or with an IPv6 address in brackets. */
struct network_url {
	char text[72];
};

/* Lists the addresses as URLs, best first: that of the default route, IPv4 before IPv6; none on
 * loopback, in tunnels and in the networks of containers and virtual machines. Returns how many.
 * Asks the kernel, for a tenth of a millisecond. */
size_t network_urls(struct network_url urls[static NETWORK_ADDRESSES_MAX], const char *scheme,
		    uint16_t port);

#endif
