/* forward.h: whose request it is: the peer's, or, where that is a proxy that is trusted, the
 * address that it tells of in X-Forwarded-For. Any thread. */
#ifndef SERVER_ACCESS_FORWARD_H
#define SERVER_ACCESS_FORWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses with the same first bits; IPv4 as IPv4-mapped IPv6. */
struct network {
	uint8_t address[16];
	unsigned bits; /* 0..128 */
};

/* Reads "127.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32". */
bool network_parse(const char *text, struct network *network);
bool network_has(const struct network *network, const uint8_t address[16]);
bool address_is_loopback(const uint8_t address[16]);
bool address_is_v4(const uint8_t address[16]);

/* Replaces `address`, the peer's, where that is in one of the networks, by the last one in the
 * header (which may be NULL) that is not: those before it are hearsay. Ports and brackets are
 * passed over; what is no address ends the list. */
void forward_apply(const struct network *trusted, size_t count, const char *header,
		   uint8_t address[16]);

#endif
