/* network.c: the addresses of this machine that other devices in its networks can open. */
#include "server/util/network.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DISCARD_PORT 9

struct found {
	char text[INET6_ADDRSTRLEN];
	char interface[IF_NAMESIZE];
	int family;
	bool preferred; /* the sender's address for packets to the internet */
};

struct list {
	struct found items[NETWORK_ADDRESSES_MAX];
	size_t count;
};

/* Prints the address. False for one of IPv6 that needs the name of an interface beside it. */
static bool print_address(const struct sockaddr *name, char text[static INET6_ADDRSTRLEN])
{
	if (name->sa_family == AF_INET) {
		const struct in_addr *v4 =
			&((const struct sockaddr_in *)(const void *)name)->sin_addr;
		return inet_ntop(AF_INET, v4, text, INET6_ADDRSTRLEN) != NULL;
	}
	if (name->sa_family != AF_INET6)
		return false;
	const struct in6_addr *v6 = &((const struct sockaddr_in6 *)(const void *)name)->sin6_addr;
	return !IN6_IS_ADDR_LINKLOCAL(v6) &&
	       inet_ntop(AF_INET6, v6, text, INET6_ADDRSTRLEN) != NULL;
}

/* Reads the address from which the kernel would send to the internet. Connecting a datagram socket
 * sends nothing; both addresses are reserved for documents. */
static void preferred_address(int family, char text[static INET6_ADDRSTRLEN])
{
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(DISCARD_PORT)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(DISCARD_PORT)};
	inet_pton(AF_INET, "192.0.2.1", &v4.sin_addr);
	inet_pton(AF_INET6, "2001:db8::1", &v6.sin6_addr);
	const bool is_v4 = family == AF_INET;
	const struct sockaddr *to = is_v4 ? (const void *)&v4 : (const void *)&v6;
	struct sockaddr_storage own = {0};
	socklen_t length = sizeof own;
	text[0] = '\0';
	const int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	if (connect(fd, to, is_v4 ? sizeof v4 : sizeof v6) != 0 ||
	    getsockname(fd, (struct sockaddr *)&own, &length) != 0 ||
	    !print_address((const struct sockaddr *)&own, text))
		text[0] = '\0';
	close(fd);
}

/* Returns true if the interface is a bridge to containers or virtual machines: of Docker (its networks have
 * twelve hexadecimal digits after "br-"), libvirt, LXC, Podman. */
static bool leads_inside(const char *name)
{
	static const char *const bridges[] = {"docker", "virbr", "lxcbr", "cni", "podman"};
	for (size_t i = 0; i < sizeof bridges / sizeof bridges[0]; i++)
		if (strncmp(name, bridges[i], strlen(bridges[i])) == 0)
			return true;
	return strncmp(name, "br-", 3) == 0 && strspn(name + 3, "0123456789abcdef") == 12;
}

/* Returns true if other devices reach this machine by the interface. */
static bool leads_outside(const struct ifaddrs *interface)
{
	const unsigned needed = IFF_UP | IFF_RUNNING;
	return interface->ifa_addr && (interface->ifa_flags & needed) == needed &&
	       !(interface->ifa_flags & (IFF_LOOPBACK | IFF_POINTOPOINT)) &&
	       !leads_inside(interface->ifa_name);
}

/* Adds an address; of IPv6, which has several on an interface, the preferred or else the first. */
static void list_add(struct list *list, const struct ifaddrs *interface, const char *preferred)
{
	struct found found = {.family = interface->ifa_addr->sa_family};
	if (!print_address(interface->ifa_addr, found.text))
		return;
	snprintf(found.interface, sizeof found.interface, "%s", interface->ifa_name);
	found.preferred = strcmp(found.text, preferred) == 0;
	for (size_t i = 0; i < list->count && found.family == AF_INET6; i++) {
		struct found *before = &list->items[i];
		if (before->family != AF_INET6 || strcmp(before->interface, found.interface) != 0)
			continue;
		if (found.preferred)
			*before = found;
		return;
	}
	if (list->count < NETWORK_ADDRESSES_MAX)
		list->items[list->count++] = found;
}

static size_t print_urls(const struct list *list, bool preferred, const char *scheme, uint16_t port,
			 struct network_url *urls)
{
	size_t count = 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct found *found = &list->items[i];
		const bool v6 = found->family == AF_INET6;
		if (found->preferred == preferred)
			snprintf(urls[count++].text, sizeof urls->text, "%s://%s%s%s:%u", scheme,
				 v6 ? "[" : "", found->text, v6 ? "]" : "", (unsigned)port);
	}
	return count;
}

size_t network_urls(struct network_url urls[static NETWORK_ADDRESSES_MAX], const char *scheme,
		    uint16_t port)
{
	static const int families[] = {AF_INET, AF_INET6};
	struct ifaddrs *interfaces;
	size_t count = 0, room = NETWORK_ADDRESSES_MAX;
	if (getifaddrs(&interfaces) != 0)
		return 0;
	for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
		struct list list = {.count = 0};
		char preferred[INET6_ADDRSTRLEN];
		preferred_address(families[i], preferred);
		for (const struct ifaddrs *at = interfaces; at; at = at->ifa_next)
			if (leads_outside(at) && at->ifa_addr->sa_family == families[i])
				list_add(&list, at, preferred);
		if (list.count > room)
			list.count = room;
		room -= list.count;
		count += print_urls(&list, true, scheme, port, urls + count);
		count += print_urls(&list, false, scheme, port, urls + count);
	}
	freeifaddrs(interfaces);
	return count;
}
