/* core/solve/common/near.h: the states near the solved one, in a hashed table: a lower bound for the rest.
 *
 * Most states are far away, and only of those near it must be known how near. So the table has no
 * place for each state: a state has a name, a number that is the same for what symmetries make of
 * it, and the name's hash is the place. Of what is nearer than the depth, there is the smallest
 * distance of the states whose place it is; of what is just as far, one bit. So a state that shares its place
 * with another one may look too near, but never too far. All of it stays in the cache. */
#ifndef CORE_SOLVE_COMMON_NEAR_H
#define CORE_SOLVE_COMMON_NEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NEAR_NAMES 256 /* most that a state has */
#define NEAR_MOVES 42  /* the most that a space may have */

/* A space of states, packed into 56 bits, and their moves. */
struct near_space {
	const void *context;
	uint64_t solved;
	unsigned moves;
	const uint8_t
		*face; /* by move: the face that it turns; moves of faces f and f + 3 commute */
	uint64_t (*after)(const void *context, uint64_t state, unsigned move);
	/* The names of a state: several if it is symmetric. Returns how many. */
	unsigned (*names)(const void *context, uint64_t state, uint32_t names[NEAR_NAMES]);
};

/* The working memory of the making: the states nearer than the depth, and their smallest names. */
#define NEAR_STATES 330000u
#define NEAR_SEEN_BITS 19
struct near_work {
	uint64_t state[NEAR_STATES];
	uint32_t seen[1u << NEAR_SEEN_BITS];
};

/* A table: 2^nearer_bits places of four bits for states nearer than `depth`, 2^within_bits of one
 * bit for all that are within it. */
struct near {
	int depth;
	unsigned nearer_bits, within_bits;
	uint8_t *nearer, *within;
};

/* The first bits are the place in `within`, others that in `nearer`: so that a state which shares
 * its place in one of them is still found out by the other. */
static inline uint64_t near_hash(uint32_t name)
{
	return name * 0x9e3779b97f4a7c15u;
}

static inline size_t near_place(uint64_t hash, unsigned bits)
{
	return (size_t)(hash >> 20) & (((size_t)1 << bits) - 1);
}

/* Returns true if the state may be within the depth. */
static inline bool near_within(const uint8_t *within, unsigned bits, uint64_t hash)
{
	size_t place = (size_t)(hash >> (64 - bits));
	return within[place / 8] >> place % 8 & 1;
}

/* At most `depth`: that far or farther. */
static inline int near_nearer(const uint8_t *nearer, unsigned bits, uint64_t hash)
{
	size_t place = near_place(hash, bits);
	return nearer[place / 2] >> place % 2 * 4 & 15;
}

/* Prefetches what near_within() and near_nearer() will read: called for several states before the
 * first is read, so that the processor waits once for all of them. */
static inline void near_expect(const uint8_t *within, unsigned within_bits, const uint8_t *nearer,
			       unsigned nearer_bits, uint64_t hash)
{
	__builtin_prefetch(&within[(size_t)(hash >> (64 - within_bits)) / 8]);
	__builtin_prefetch(&nearer[near_place(hash, nearer_bits) / 2]);
}

/* By breadth-first search. States less than `depth` away must be at most NEAR_STATES. Needs
 * 45 KB of the stack. */
void near_make(const struct near *near, const struct near_space *space, struct near_work *work);

#endif
