/* fair.c: whose turn it is, and what may be done in any order. */
#include "server/api/fair.h"

#include "server/api/problem.h"
#include "server/api/right.h"
#include "server/api/state.h"

/* More than these are not looked through. */
#define MISSED_MAX 1000
#define ALL_AXES 7u

/* ---- whose turn ---- */

/* Whether who has that token, or 0 none, may turn. */
static bool in_the_round(const struct work *work, uint32_t number)
{
	const bool open = !work->roster || work->session->meta.access == ACCESS_EDIT;
	if (number == 0)
		return open;
	const struct stored_token *token = roster_at(work->roster, number);
	return token && token->revoked_ms == 0 && (open || token->role != ROLE_VIEWER);
}

/* The next after `actor`; he himself where there is nobody else. */
static uint32_t next_in_round(const struct work *work, uint32_t actor)
{
	const size_t numbers = (work->roster ? work->roster->count : 0) + 1;
	for (size_t step = 1; step <= numbers; step++) {
		uint32_t number = (uint32_t)((actor + step) % numbers);
		if (in_the_round(work, number))
			return number;
	}
	return actor;
}

enum fair_turn fair_turn_after(const struct work *work, uint32_t actor)
{
	const uint32_t he = right_actor(work);
	switch ((enum turn_policy)work->session->meta.policy) {
	case POLICY_ALTERNATE:
		return he == actor ? FAIR_OTHERS : FAIR_HIS;
	case POLICY_ROUND_ROBIN:
		return he == next_in_round(work, actor) ? FAIR_HIS : FAIR_OTHERS;
	case POLICY_FREE:
	case POLICY_COUNT:
		break;
	}
	return FAIR_HIS;
}

enum fair_turn fair_turn(const struct work *work)
{
	const struct history *head = work->session->head;
	if (work->session->meta.policy == POLICY_FREE || history_undoable(head) == 0)
		return FAIR_HIS;
	return history_done_at(head, 0) == head->revision ? fair_turn_after(work, head->actor)
							  : FAIR_UNKNOWN;
}

void fair_refuse(struct work *work, uint32_t actor)
{
	struct out out;
	const bool round = work->session->meta.policy == POLICY_ROUND_ROBIN;
	problem_begin(work->request, PROBLEM_NOT_YOUR_TURN, &out,
		      round ? "In this session everybody who may turn has a turn, one after the other."
			    : "In this session nobody turns twice in a row.");
	out_key(&out, "turn_policy");
	out_string(&out, policy_names[work->session->meta.policy]);
	out_key(&out, "last");
	actor_write(&out, roster_at(work->roster, actor));
	if (round) {
		out_key(&out, "next");
		actor_write(&out, roster_at(work->roster, next_in_round(work, actor)));
	}
	problem_end(work->request, &out);
}

static bool take_actor(void *context, const struct entry *entry)
{
	*(uint32_t *)context = entry->actor;
	return false;
}

enum store_status fair_read_actor(struct work *work, struct store_reader *reader, uint32_t *actor)
{
	return work->service->store->operations->entries(reader, work->session->meta.key,
							 history_done_at(work->snapshot, 0) - 1,
							 take_actor, actor);
}

/* ---- rebase ---- */

unsigned fair_axes(const struct cube_turn *turns, size_t count)
{
	unsigned axes = 0;
	for (size_t i = 0; i < count; i++)
		axes |= 1u << turns[i].face % 3; /* U R F D L B */
	return axes;
}

bool fair_axes_agree(unsigned axes)
{
	return (axes & (axes - 1)) == 0;
}

struct missed {
	unsigned axes;
	uint32_t upto;
};

static bool add_axes(void *context, const struct entry *entry)
{
	struct missed *missed = context;
	if (entry->revision > missed->upto)
		return false;
	missed->axes |= entry->has_turns ? fair_axes(entry->turns, entry->turn_count) : ALL_AXES;
	return fair_axes_agree(missed->axes);
}

enum store_status fair_read_axes(struct work *work, struct store_reader *reader, uint32_t seen,
				 unsigned *axes)
{
	struct missed missed = {.upto = work->snapshot->revision};
	enum store_status status = STORE_OK;
	if (missed.upto - seen > MISSED_MAX)
		missed.axes = ALL_AXES;
	else
		status = work->service->store->operations->entries(reader, work->session->meta.key,
								   seen, add_axes, &missed);
	*axes = missed.axes;
	return status;
}
