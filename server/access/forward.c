/* forward.c: networks, and the addresses that proxies forward. */
#include "server/access/forward.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool address_is_v4(const uint8_t address[16])
{
	return memcmp(address, mapped, sizeof mapped) == 0;
}

bool address_is_loopback(const uint8_t address[16])
{
	static const uint8_t v6[16] = {[15] = 1};
	return address_is_v4(address) ? address[12] == 127 : memcmp(address, v6, sizeof v6) == 0;
}

static const uint8_t user_prefix[4] = {0, 'u', 'n', 'x'};

void address_of_user(uint8_t address[16], uint32_t user)
{
	memset(address, 0, 16);
	memcpy(address, user_prefix, sizeof user_prefix);
	for (unsigned i = 0; i < 4; i++)
		address[sizeof user_prefix + i] = (uint8_t)(user >> (24 - 8 * i));
}

bool address_is_user(const uint8_t address[16])
{
	return memcmp(address, user_prefix, sizeof user_prefix) == 0;
}

void address_print(const uint8_t address[16], char text[ADDRESS_TEXT])
{
	const uint8_t *user = address + sizeof user_prefix;
	if (address_is_user(address))
		snprintf(text, ADDRESS_TEXT, "unix:%u",
			 (unsigned)user[0] << 24 | (unsigned)user[1] << 16 |
				 (unsigned)user[2] << 8 | user[3]);
	else if (address_is_v4(address))
		inet_ntop(AF_INET, address + sizeof mapped, text, ADDRESS_TEXT);
	else
		inet_ntop(AF_INET6, address, text, ADDRESS_TEXT);
}

static bool address_parse(const char *text, uint8_t address[16])
{
	if (inet_pton(AF_INET6, text, address) == 1)
		return true;
	memcpy(address, mapped, sizeof mapped);
	return inet_pton(AF_INET, text, address + sizeof mapped) == 1;
}

bool network_parse(const char *text, struct network *network)
{
	char host[INET6_ADDRSTRLEN + 1];
	size_t length = strcspn(text, "/");
	if (strcmp(text, "unix") == 0) {
		address_of_user(network->address, 0);
		network->bits = 8 * sizeof user_prefix;
		return true;
	}
	if (length >= sizeof host)
		return false;
	memcpy(host, text, length);
	host[length] = '\0';
	if (!address_parse(host, network->address))
		return false;
	const bool v4 = !strchr(host, ':');
	unsigned long bits = v4 ? 32 : 128;
	if (text[length] == '/') {
		char *end;
		const char *digits = text + length + 1;
		unsigned long given_bits = strtoul(digits, &end, 10);
		if (digits[0] < '0' || digits[0] > '9' || *end || given_bits > bits)
			return false;
		bits = given_bits;
	}
	network->bits = (unsigned)bits + (v4 ? 96 : 0);
	return true;
}

bool network_has(const struct network *network, const uint8_t address[16])
{
	const unsigned whole = network->bits / 8, rest = network->bits % 8;
	if (memcmp(network->address, address, whole) != 0)
		return false;
	return rest == 0 || (network->address[whole] ^ address[whole]) >> (8 - rest) == 0;
}

bool networks_have(const struct network *networks, size_t count, const uint8_t address[16])
{
	for (size_t i = 0; i < count; i++)
		if (network_has(&networks[i], address))
			return true;
	return false;
}

#define V4_BITS 96 /* before the address itself */
#define V4(a, b)                                                                                   \
	{                                                                                          \
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b                                     \
	}

/* A household, a school or a provider's customers, each with an address of their own: RFC 1918, 4193,
 * 6598; and addresses that no network has. */
static const struct network private_networks[] = {
	{V4(10, 0), V4_BITS + 8},    {V4(100, 64), V4_BITS + 10},
	{V4(127, 0), V4_BITS + 8},   {V4(169, 254), V4_BITS + 16},
	{V4(172, 16), V4_BITS + 12}, {V4(192, 168), V4_BITS + 16},
	{{[15] = 1}, 128},           {{0xfc}, 7},
	{{0xfe, 0x80}, 10},          {{0, 'u', 'n', 'x'}, 32},
};

bool network_of(const uint8_t address[16], struct network *network)
{
	const bool v4 = address_is_v4(address);
	*network = (struct network){.bits = v4 ? V4_BITS + 24 : 48};
	memcpy(network->address, address, network->bits / 8);
	return !networks_have(private_networks,
			      sizeof private_networks / sizeof private_networks[0], address);
}

void network_print(const struct network *network, char text[NETWORK_TEXT_MAX])
{
	char address[INET6_ADDRSTRLEN] = "";
	const bool v4 = address_is_v4(network->address);
	inet_ntop(v4 ? AF_INET : AF_INET6, network->address + (v4 ? sizeof mapped : 0), address,
		  sizeof address);
	snprintf(text, NETWORK_TEXT_MAX, "%s/%u", address, network->bits - (v4 ? V4_BITS : 0));
}

/* One item: "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]:80". */
static bool item_parse(const char *item, size_t length, uint8_t address[16])
{
	char text[64];
	if (length == 0 || length >= sizeof text)
		return false;
	memcpy(text, item, length);
	text[length] = '\0';
	char *host = text, *colon = strchr(text, ':');
	if (text[0] == '[') {
		char *bracket = strchr(text, ']');
		if (!bracket || (bracket[1] && bracket[1] != ':'))
			return false;
		*bracket = '\0';
		host++;
	} else if (colon && !strchr(colon + 1, ':')) {
		*colon = '\0';
	}
	return address_parse(host, address) && !address_is_user(address);
}

void forward_apply(const struct network *trusted, size_t count, const char *header,
		   uint8_t address[16])
{
	const char *end = header ? header + strlen(header) : NULL;
	while (header && networks_have(trusted, count, address) && end > header) {
		const char *item = end;
		while (item > header && item[-1] != ',')
			item--;
		const char *next = item > header ? item - 1 : header;
		item += strspn(item, " \t");
		size_t length = item < end ? (size_t)(end - item) : 0;
		while (length > 0 && (item[length - 1] == ' ' || item[length - 1] == '\t'))
			length--;
		uint8_t given[16];
		if (!item_parse(item, length, given))
			return;
		memcpy(address, given, sizeof given);
		end = next;
	}
}
