/* share.h: what one client may hold of something that all clients share.
 *
 * A client may hold `share` of every `whole` that the other clients leave free: alone, that part of
 * the total; the more the others hold, the less. So a few clients never take everything, but what
 * is left shrinks with each client that takes all it may. Example: a quarter each of 60 s. The
 * first may hold 15 s, the second 11.25 s; after ten of them 3.4 s are free, of which the eleventh
 * may hold 0.8 s; after twenty, the next one may hold 0.05 s.
 *
 * Source: dynamic thresholds (A. Choudhury, E. Hahne: Dynamic Queue Length Thresholds for
 * Shared-Memory Packet Switches, 1998). */
#ifndef SERVER_UTIL_SHARE_H
#define SERVER_UTIL_SHARE_H

#include <stdint.h>

/* The most that a client may hold of `total` while the others hold `others`, rounded up;
 * 0 < `whole`. A share of the whole or more: all that is free. */
static inline uint64_t share_of_free(uint64_t total, uint64_t others, uint64_t share,
				     uint64_t whole)
{
	const uint64_t free = others < total ? total - others : 0;
	if (share >= whole)
		return free;
	__extension__ const unsigned __int128 part = (unsigned __int128)free * share;
	return (uint64_t)(part / whole + (part % whole != 0));
}

#endif
