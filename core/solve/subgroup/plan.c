/* core/solve/subgroup/plan.c: the phases of a subgroup: which groups of fewer turns they lead
 * through. */
#include <string.h>

#include "core/solve/subgroup/subgroup_internal.h"

#define PART_MOST (UINT32_C(1) << 17)   /* cosets of a part */
#define PAIRS_MOST (UINT32_C(10) << 20) /* of their cosets: bytes of a table */

/* The number of elements of a group, and of what it makes of each part. */
struct orders {
	group_order all;
	uint64_t part[PARTS]; /* at most 8! 3^7, and 12! 2^11 24 */
};

static group_order order_of(struct room *room, struct chain *chain, struct range range,
			    uint32_t moves)
{
	const struct cube_subgroup *subgroup = room->subgroup;
	chain_begin(chain, range, &room->making->scratch);
	for (int m = 0; m < subgroup->moves; m++)
		if (moves >> m & 1)
			chain_add(chain, &subgroup->move[m].perm, &room->making->scratch);
	return chain_order(chain);
}

static void parts_orders(struct room *room, struct phase *phase, uint32_t moves,
			 struct orders *orders)
{
	for (int i = 0; i < PARTS; i++)
		orders->part[i] =
			(uint64_t)order_of(room, &phase->part[i].chain, part_range[i], moves);
}

/* Returns true if the pairs of cosets of a smaller group fit into a table. */
static bool fits(const struct orders *orders, const struct orders *next)
{
	const uint64_t first = orders->part[0] / next->part[0];
	const uint64_t second = orders->part[1] / next->part[1];
	return first <= PART_MOST && second <= PART_MOST && first * second <= PAIRS_MOST;
}

/* The moves that are left if a generator is dropped, or, if `half`, makes only half turns. */
static uint32_t without(const struct cube_subgroup *subgroup, uint32_t moves, int generator,
			bool half)
{
	for (int m = 0; m < subgroup->moves; m++)
		if (subgroup->move[m].generator == generator &&
		    (!half || subgroup->move[m].turn.quarters % 2 != 0))
			moves &= ~(UINT32_C(1) << m);
	return moves;
}

/* Chooses the moves of the next phase: drops turns as long as that leaves as many cosets or more,
 * and these fit. */
static uint32_t choose_next(struct room *room, struct phase *phase, uint32_t moves,
			    const struct orders *orders, struct orders *next)
{
	*next = (struct orders){1, {1, 1}};
	if (fits(orders, next))
		return 0;
	uint32_t chosen = moves, from;
	*next = *orders;
	do {
		from = chosen;
		for (int i = 0; i < 2 * room->subgroup->generators; i++) {
			struct orders tried;
			const uint32_t some = without(room->subgroup, from, i / 2, i % 2 != 0);
			if (some == from || some == 0)
				continue;
			parts_orders(room, phase, some, &tried);
			if (!fits(orders, &tried))
				continue;
			tried.all =
				order_of(room, &room->making->tried, room->subgroup->range, some);
			const uint64_t pairs =
				orders->part[0] / tried.part[0] * (orders->part[1] / tried.part[1]);
			/* Fewer pairs than cosets: some have the same pair. */
			if (pairs * tried.all < orders->all)
				continue;
			if (tried.all < next->all || (tried.all == next->all && chosen == from)) {
				*next = tried;
				chosen = some;
			}
		}
	} while (chosen != from);
	return chosen;
}

/* Makes the phase of these moves; false if it does not fit. */
static bool plan_phase(struct room *room, struct phase *phase, uint32_t moves,
		       struct orders *orders)
{
	struct orders next;
	uint32_t count[PARTS];
	phase->next = choose_next(room, phase, moves, orders, &next);
	if (next.all == orders->all)
		return false;
	for (int m = 0; m < room->subgroup->moves; m++)
		if (moves >> m & 1)
			phase->move[phase->count++] = (uint8_t)m;
	parts_orders(room, phase, phase->next, &next);
	for (int i = 0; i < PARTS; i++)
		count[i] = (uint32_t)(orders->part[i] / next.part[i]);
	const group_order all = orders->all;
	*orders = next;
	return phase_make(room, phase, count) * next.all == all;
}

void subgroup_plan(struct room *room)
{
	struct cube_subgroup *subgroup = room->subgroup;
	struct orders orders;
	uint32_t moves = (UINT32_C(1) << subgroup->moves) - 1;
	subgroup->phases = 0;
	orders.all = chain_order(&subgroup->chain);
	parts_orders(room, &subgroup->phase[0], moves, &orders);
	for (int i = 0; i < PHASES && moves != 0; i++) {
		struct phase *phase = &subgroup->phase[i];
		phase->count = 0;
		if (!plan_phase(room, phase, moves, &orders))
			return;
		moves = phase->next;
		if (moves == 0)
			subgroup->phases = (uint8_t)(i + 1);
	}
}
