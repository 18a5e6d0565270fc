/* turn_policy.c: whose turn it is, and which turns commute. */
#include "server/api/sessions/turn_policy.h"

#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"

/* At most this many missed entries are read. */
#define MISSED_MAX 1000
#define ALL_AXES 7u

/* ---- whose turn ---- */

/* Whether the actor with that token (0: none) may turn. */
static bool in_the_round(const struct context *ctx, uint32_t number)
{
	const bool open = !ctx->visit.roster || ctx->visit.session->meta.access == ACCESS_EDIT;
	if (number == 0)
		return open;
	const struct stored_token *token = roster_at(ctx->visit.roster, number);
	return token && token->revoked_ms == 0 && (open || token->role != ROLE_VIEWER);
}

/* The next actor after `actor`; `actor` if there is no other. */
static uint32_t next_in_round(const struct context *ctx, uint32_t actor)
{
	const size_t numbers = (ctx->visit.roster ? ctx->visit.roster->count : 0) + 1;
	for (size_t step = 1; step <= numbers; step++) {
		uint32_t number = (uint32_t)((actor + step) % numbers);
		if (in_the_round(ctx, number))
			return number;
	}
	return actor;
}

enum turn_policy_next turn_policy_next_after(const struct context *ctx, uint32_t actor)
{
	const uint32_t self = authorize_actor(ctx);
	switch ((enum turn_policy)ctx->visit.session->meta.policy) {
	case POLICY_ALTERNATE:
		return self == actor ? TURN_OTHERS : TURN_ALLOWED;
	case POLICY_ROUND_ROBIN:
		return self == next_in_round(ctx, actor) ? TURN_ALLOWED : TURN_OTHERS;
	case POLICY_FREE:
	case POLICY_COUNT:
		break;
	}
	return TURN_ALLOWED;
}

enum turn_policy_next turn_policy_next(const struct context *ctx)
{
	const struct history *head = ctx->visit.session->head;
	if (ctx->visit.session->meta.policy == POLICY_FREE || history_undoable(head) == 0)
		return TURN_ALLOWED;
	return history_done_at(head, 0) == head->revision ? turn_policy_next_after(ctx, head->actor)
							  : TURN_UNKNOWN;
}

void turn_policy_refuse(struct context *ctx, uint32_t actor)
{
	struct out out;
	const bool round = ctx->visit.session->meta.policy == POLICY_ROUND_ROBIN;
	problem_begin(ctx->request, PROBLEM_NOT_YOUR_TURN, &out,
		      round ? "In this session, the players take turns in a fixed order."
			    : "In this session, no player may turn twice in a row.");
	out_key(&out, "turn_policy");
	out_string(&out, policy_names[ctx->visit.session->meta.policy]);
	out_key(&out, "last");
	actor_write(&out, roster_at(ctx->visit.roster, actor));
	if (round) {
		out_key(&out, "next");
		actor_write(&out, roster_at(ctx->visit.roster, next_in_round(ctx, actor)));
	}
	problem_end(ctx->request, &out);
}

static bool read_actor(void *context, const struct entry *entry)
{
	*(uint32_t *)context = entry->actor;
	return false;
}

enum store_status turn_policy_read_actor(struct context *ctx, struct store_reader *reader,
					 uint32_t *actor)
{
	return ctx->service->store->operations->entries(reader, ctx->visit.session->meta.key,
							history_done_at(ctx->visit.snapshot, 0) - 1,
							read_actor, actor);
}

/* ---- rebase ---- */

unsigned turn_axes(const struct cube_turn *turns, size_t count)
{
	unsigned axes = 0;
	for (size_t i = 0; i < count; i++)
		axes |= 1u << turns[i].face % 3; /* U R F D L B */
	return axes;
}

bool turn_axes_agree(unsigned axes)
{
	return (axes & (axes - 1)) == 0;
}

struct missed_turns {
	unsigned axes;
	uint32_t upto;
};

static bool add_axes(void *context, const struct entry *entry)
{
	struct missed_turns *missed = context;
	if (entry->revision > missed->upto)
		return false;
	missed->axes |= entry->has_turns ? turn_axes(entry->turns, entry->turn_count) : ALL_AXES;
	return turn_axes_agree(missed->axes);
}

enum store_status turn_policy_read_axes(struct context *ctx, struct store_reader *reader,
					uint32_t seen, unsigned *axes)
{
	struct missed_turns missed = {.upto = ctx->visit.snapshot->revision};
	enum store_status status = STORE_OK;
	if (missed.upto - seen > MISSED_MAX)
		missed.axes = ALL_AXES;
	else
		status = ctx->service->store->operations->entries(
			reader, ctx->visit.session->meta.key, seen, add_axes, &missed);
	*axes = missed.axes;
	return status;
}
