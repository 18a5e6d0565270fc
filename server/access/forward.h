/* forward.h: the client's address: the peer's, or the one that a trusted proxy gives in
 * X-Forwarded-For. Any thread. */
#ifndef SERVER_ACCESS_FORWARD_H
#define SERVER_ACCESS_FORWARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"

#define ADDRESS_TEXT 46

/* Addresses with the same first bits; IPv4 as IPv4-mapped IPv6. */
struct network {
	uint8_t address[16];
	unsigned bits; /* 0..128 */
};

/* A client on a Unix socket has an address too, so that everything that counts by address counts
 * it: 75:6e78:UUUU:UUUU::, "unx" and the id of its user, in a range that no network uses (RFC 4291
 * reserves 0000::/8). Only the kernel gives it: in a header it is not valid. */
void address_of_user(uint8_t address[16], uint32_t user);
bool address_is_user(const uint8_t address[16]);

/* Reads "127.0.0.1", "10.0.0.0/8", "::1", "2001:db8::/32"; "unix": all clients on a Unix socket. */
MUST_USE bool network_parse(const char *text, struct network *network);
bool network_has(const struct network *network, const uint8_t address[16]);
bool networks_have(const struct network *networks, size_t count, const uint8_t address[16]);
bool address_is_loopback(const uint8_t address[16]);
bool address_is_v4(const uint8_t address[16]);
/* Prints the address for a person: "192.0.2.1", "2001:db8::1", or "unix:1000" for a user on a Unix
 * socket. */
void address_print(const uint8_t address[16], char text[ADDRESS_TEXT]);

/* Finds the network whose addresses share limits: a /24 of IPv4, a /48 of IPv6, of which one customer
 * often has all. False for an address in none: loopback, private and link-local addresses, users. */
MUST_USE bool network_of(const uint8_t address[16], struct network *network);

/* Prints "192.0.2.0/24" or "2001:db8::/48". */
#define NETWORK_TEXT_MAX 56
void network_print(const struct network *network, char text[NETWORK_TEXT_MAX]);

/* If `address`, the peer's, is in one of the networks, replaces it by the last address in the
 * header (which may be NULL) that is not: earlier ones cannot be trusted. Ports and brackets are
 * skipped; anything else ends the list. */
void forward_apply(const struct network *trusted, size_t count, const char *header,
		   uint8_t address[16]);

#endif
