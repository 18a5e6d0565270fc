/* core/solve/subgroup/cosets.c: the cosets that a phase passes through, by number, and their
 * distances. */
#include <string.h>

#include "core/solve/subgroup/subgroup_internal.h"

const struct range part_range[PARTS] = {{0, POINTS_CORNERS}, {POINTS_CORNERS, POINTS}};

size_t room_take(struct room *room, size_t bytes)
{
	const size_t offset = room->used, aligned = (bytes + 7) / 8 * 8;
	if (aligned > ROOM_END - offset)
		return 0;
	room->used += aligned;
	return offset;
}

/* ---- cosets of one part ---- */

static size_t width_of(const struct part *part)
{
	return (size_t)part->chain.range.end - part->chain.range.first;
}

/* The slot with the coset of this representative, or the free one where it belongs. FNV-1a. */
static uint32_t *slot_of(const struct cube_subgroup *subgroup, const struct part *part,
			 const struct perm *representative)
{
	const uint8_t *points = subgroup_at(subgroup, part->points);
	const uint8_t *wanted = representative->to + part->chain.range.first;
	uint32_t *slots = subgroup_at(subgroup, part->slots), hash = 0x811c9dc5u;
	const size_t width = width_of(part);
	for (size_t i = 0; i < width; i++)
		hash = (hash ^ wanted[i]) * 0x01000193u;
	for (hash ^= hash >> 15;; hash++) {
		uint32_t *slot = &slots[hash & part->mask];
		if (*slot == 0 || memcmp(points + (*slot - 1) * width, wanted, width) == 0)
			return slot;
	}
}

uint32_t part_number(const struct cube_subgroup *subgroup, const struct part *part,
		     const struct perm *perm)
{
	struct perm representative = *perm;
	chain_represent(&part->chain, &representative);
	return *slot_of(subgroup, part, &representative) - 1;
}

/* The number of a coset, which is the next one if it is met for the first time. */
static uint32_t number_of(const struct cube_subgroup *subgroup, struct part *part,
			  struct perm *perm)
{
	chain_represent(&part->chain, perm);
	uint32_t *slot = slot_of(subgroup, part, perm);
	if (*slot == 0) {
		const size_t width = width_of(part);
		uint8_t *points = subgroup_at(subgroup, part->points);
		memcpy(points + part->count * width, perm->to + part->chain.range.first, width);
		*slot = ++part->count;
	}
	return *slot - 1;
}

/* Numbers the `count` cosets of a part from that of 1 on, breadth first. */
static bool number_cosets(struct room *room, const struct phase *phase, struct part *part,
			  uint32_t count)
{
	struct cube_subgroup *subgroup = room->subgroup;
	const struct range range = part->chain.range;
	const size_t width = width_of(part);
	struct perm perm, coset;
	part->mask = 1;
	while (part->mask < 2 * count)
		part->mask = 2 * part->mask + 1;
	part->points = room_take(room, count * width);
	part->slots = room_take(room, ((size_t)part->mask + 1) * sizeof(uint32_t));
	part->moved = room_take(room, (size_t)count * phase->count * sizeof(uint32_t));
	if (part->points == 0 || part->slots == 0 || part->moved == 0)
		return false;
	uint32_t *moved = subgroup_at(subgroup, part->moved);
	memset(subgroup_at(subgroup, part->slots), 0, ((size_t)part->mask + 1) * sizeof(uint32_t));
	part->count = 0;
	perm_identity(&perm);
	number_of(subgroup, part, &perm);
	for (uint32_t number = 0; number < part->count; number++) {
		const uint8_t *points = subgroup_at(subgroup, part->points);
		memcpy(coset.to + range.first, points + number * width, width);
		for (int m = 0; m < phase->count; m++) {
			perm_compose(&perm, &subgroup->move[phase->move[m]].inverse, &coset, range);
			*moved++ = number_of(subgroup, part, &perm);
		}
	}
	return true;
}

/* ---- distances ---- */

/* Gives the neighbours of all pairs at one distance theirs; returns how many had none. */
static uint32_t spread(const struct cube_subgroup *subgroup, const struct phase *phase,
		       uint8_t depth)
{
	const uint32_t *first = subgroup_at(subgroup, phase->part[0].moved);
	const uint32_t *second = subgroup_at(subgroup, phase->part[1].moved);
	const uint32_t rows = phase->part[0].count, columns = phase->part[1].count;
	const int moves = phase->count;
	uint8_t *distance = subgroup_at(subgroup, phase->distance);
	uint32_t reached = 0;
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t column = 0; column < columns; column++) {
			if (distance[(size_t)row * columns + column] != depth)
				continue;
			for (int m = 0; m < moves; m++) {
				const size_t to =
					(size_t)first[row * (uint32_t)moves + (uint32_t)m];
				uint8_t *after =
					&distance[to * columns +
						  second[column * (uint32_t)moves + (uint32_t)m]];
				reached += *after == UNREACHED;
				if (*after == UNREACHED)
					*after = depth + 1;
			}
		}
	return reached;
}

uint32_t phase_make(struct room *room, struct phase *phase, const uint32_t count[PARTS])
{
	const size_t pairs = (size_t)count[0] * count[1];
	uint32_t all = 1, reached;
	for (int i = 0; i < PARTS; i++)
		if (!number_cosets(room, phase, &phase->part[i], count[i]))
			return 0;
	phase->distance = room_take(room, pairs);
	if (phase->distance == 0)
		return 0;
	uint8_t *distance = subgroup_at(room->subgroup, phase->distance);
	memset(distance, UNREACHED, pairs);
	distance[0] = 0;
	phase->farthest = 0;
	while ((reached = spread(room->subgroup, phase, phase->farthest)) > 0) {
		phase->farthest++;
		all += reached;
	}
	return all;
}
