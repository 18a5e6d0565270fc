/* turn_policy.c: whose turn it is, and which turns commute. */
#include "server/api/sessions/turn_policy.h"

#include "server/access/right.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"

/* At most this many missed entries are read. */
#define MISSED_MAX 1000
#define ALL_AXES 7u

/* ---- whose turn ---- */

bool turn_policy_allows(const struct context *ctx)
{
	const struct history *head = ctx->visit.session->head;
	const struct session_meta *meta = &ctx->visit.session->meta;
	const uint32_t self = authorize_actor(ctx), last = head->last_actor;
	if (history_undoable_upto(head, 1) == 0)
		return true;
	switch ((enum turn_policy)meta->policy) {
	case POLICY_ALTERNATE:
		return self != last;
	case POLICY_ROUND_ROBIN:
		return self == right_next(ctx->visit.roster, meta, last);
	case POLICY_FREE:
	case POLICY_COUNT:
		break;
	}
	return true;
}

void turn_policy_refuse(struct context *ctx)
{
	struct out out;
	const uint32_t last = ctx->visit.session->head->last_actor;
	const bool round = ctx->visit.session->meta.policy == POLICY_ROUND_ROBIN;
	problem_begin(ctx->request, PROBLEM_NOT_YOUR_TURN, &out,
		      round ? "In this session, the players take turns in a fixed order."
			    : "In this session, no player may turn twice in a row.");
	out_member_string(&out, "turn_policy", policy_names[ctx->visit.session->meta.policy]);
	out_key(&out, "last");
	actor_write(&out, roster_at(ctx->visit.roster, last));
	if (round) {
		out_key(&out, "next");
		actor_write(&out, roster_at(ctx->visit.roster,
					    right_next(ctx->visit.roster, &ctx->visit.session->meta,
						       last)));
	}
	problem_end(ctx->request, &out);
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
