/* core/solve/subgroup/search.c: turns that make a state of a subgroup, phase by phase. */
#include <string.h>

#include "core/solve/subgroup/subgroup_internal.h"

/* After the first solution, the search ends at so many positions. What follows one way through a
 * phase gets a sixteenth of that, so that many ways are tried. */
#define NODES 300000
#define SHARE 4

struct search {
	const struct cube_subgroup *subgroup;
	uint64_t nodes, limit;
	int best; /* one more than the longest that is wanted */
	bool found;
	uint8_t path[CUBE_SUBGROUP_LONGEST];
	uint8_t shortest[CUBE_SUBGROUP_LONGEST];
};

/* A phase on its way. */
struct way {
	int phase, begun; /* the length of the phases before it */
	struct perm perm; /* its beginning */
};

static bool is_over(const struct search *search)
{
	return search->found && search->nodes > search->limit;
}

/* Returns true if a move may follow: generators of one axis turn by rising number, others
 * freely. */
static bool follows(const struct search *search, int move, int length)
{
	if (length == 0)
		return true;
	const struct group_move *after = &search->subgroup->move[move];
	const struct group_move *before = &search->subgroup->move[search->path[length - 1]];
	return after->axis != before->axis || after->generator > before->generator;
}

static void begin_phase(struct search *search, struct way *way, int length);

/* Begins the next phase, unless its own moves could have made the last turn. */
static void end_phase(struct search *search, const struct way *way, int length)
{
	const struct cube_subgroup *subgroup = search->subgroup;
	const struct phase *phase = &subgroup->phase[way->phase];
	struct way next = {way->phase + 1, length, way->perm};
	if (length > way->begun && (phase->next >> search->path[length - 1] & 1))
		return;
	for (int i = way->begun; i < length; i++)
		perm_compose(&next.perm, &subgroup->move[search->path[i]].inverse, &next.perm,
			     subgroup->range);
	begin_phase(search, &next, length);
}

/* Tries all turns of exactly that length, from a pair of cosets. */
static void descend(struct search *search, const struct way *way, const uint32_t number[PARTS],
		    int length, int left)
{
	const struct cube_subgroup *subgroup = search->subgroup;
	const struct phase *phase = &subgroup->phase[way->phase];
	const uint32_t *row[PARTS];
	search->nodes++;
	if (left == 0) {
		end_phase(search, way, length);
		return;
	}
	for (int i = 0; i < PARTS; i++) {
		const uint32_t *moved = subgroup_at(subgroup, phase->part[i].moved);
		row[i] = moved + (size_t)number[i] * phase->count;
	}
	for (int m = 0; m < phase->count && !is_over(search); m++) {
		const uint32_t after[PARTS] = {row[0][m], row[1][m]};
		if (phase_distance(subgroup, phase, after[0], after[1]) >= left ||
		    !follows(search, phase->move[m], length))
			continue;
		search->path[length] = phase->move[m];
		descend(search, way, after, length + 1, left - 1);
	}
}

/* Tries longer and longer turns for a phase, as long as the whole becomes shorter. */
static void begin_phase(struct search *search, struct way *way, int length)
{
	const struct cube_subgroup *subgroup = search->subgroup;
	if (way->phase == subgroup->phases) {
		memcpy(search->shortest, search->path, (size_t)length);
		search->best = length;
		search->found = true;
		return;
	}
	const struct phase *phase = &subgroup->phase[way->phase];
	const uint64_t limit = search->limit, share = search->nodes + (NODES >> SHARE * way->phase);
	uint32_t number[PARTS];
	search->limit = share < limit ? share : limit;
	for (int i = 0; i < PARTS; i++)
		number[i] = part_number(subgroup, &phase->part[i], &way->perm);
	for (int left = phase_distance(subgroup, phase, number[0], number[1]);
	     length + left < search->best && !is_over(search); left++)
		descend(search, way, number, length, left);
	search->limit = limit;
}

int cube_subgroup_turns(const struct cube_subgroup *subgroup, const struct cube *cube,
			struct cube_turn *turns)
{
	struct search search = {.subgroup = subgroup, .best = CUBE_SUBGROUP_LONGEST + 1};
	struct way way = {.phase = 0};
	perm_from_cube(&way.perm, cube);
	search.limit = NODES;
	begin_phase(&search, &way, 0);
	for (int i = 0; search.found && i < search.best; i++)
		turns[i] = subgroup->move[search.shortest[i]].turn;
	return search.found ? search.best : -1;
}
