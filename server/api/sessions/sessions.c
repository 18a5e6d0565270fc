/* sessions.c: creating, reading, changing and deleting sessions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "server/access/secret.h"
#include "server/api/input/cube.h"
#include "server/api/input/cube_body.h"
#include "server/api/input/input.h"
#include "server/api/input/scramble.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/new_session.h"
#include "server/api/sessions/precondition.h"
#include "server/api/sessions/session_reply.h"
#include "server/api/steps/idempotency.h"
#include "server/api/steps/session_visit.h"
#include "server/format/session_out.h"
#include "server/util/monotonic.h"
#include "server/util/utf8.h"

struct create {
	struct input_cube cube; /* first: input_cube_resolve passes it back */
	struct moves_request scramble;
	struct scramble_request made; /* instead of `scramble` */
	struct session_meta meta;
	struct answer_view view;
	struct stored_token owner;
};

struct session_reading {
	struct session_snapshot session;
	struct answer_view view;
};

struct session_change {
	struct answer_view view;
	struct session_snapshot session; /* as it will be */
	struct session_meta meta;        /* name, access, listed and policy as asked for */
	bool name, access, listed, policy;
};

static bool create_read(struct context *ctx, struct create *create);
static bool read_access(struct context *ctx, struct text name, struct session_meta *meta);
static bool may_list(struct context *ctx, const struct session_meta *meta);
static bool read_policy(struct context *ctx, struct text name, struct session_meta *meta);
static bool create_read_scramble(struct context *ctx, struct json_value *scramble,
				 struct create *create);
static bool create_read_seed(struct context *ctx, struct text seed, struct create *create);
static void create_resolved(struct context *ctx);
static void create_compute(struct context *ctx);
static bool create_scramble(struct context *ctx, struct create *create);
static bool create_base(struct context *ctx, const struct cube *cube, const struct cube **base);
static void create_computed(struct context *ctx);
static void read_entered(struct context *ctx);
static void read_compute(struct context *ctx);
static bool change_read(struct context *ctx, struct session_change *change);
static void change_entered(struct context *ctx);
static bool change_lock_or_answer(struct context *ctx, const struct answer_view *view);
static void change_compute(struct context *ctx);
static void change_computed(struct context *ctx);
static void delete_entered(struct context *ctx);

void session_create_handle(struct context *ctx)
{
	struct create *create = ctx_alloc(ctx, sizeof *create);
	if (create)
		*create = (struct create){.cube = {.at = -1}, .meta = {.access = ACCESS_VIEW}};
	if (create && etag_allows(ctx, NULL) && create_read(ctx, create))
		input_cube_resolve(ctx, &create->cube, create_resolved);
	else
		ctx_answer(ctx);
}

static bool create_read(struct context *ctx, struct create *create)
{
	int64_t size = -1;
	struct json_value *cube = NULL, *name = NULL, *scramble = NULL;
	struct text access = {0}, notation = {0}, policy = {0}, seed = {0};
	const struct json_member members[] = {
		{"size", JSON_INT64, &size, CUBE_SIZE_MIN, input_size_max(ctx)},
		{"cube", JSON_ANY, &cube, 0, 0},
		{"name", JSON_ANY, &name, 0, 0},
		{"access", JSON_TEXT, &access, 0, 0},
		{"listed", JSON_BOOLEAN, &create->meta.listed, 0, 0},
		{"turn_policy", JSON_TEXT, &policy, 0, 0},
		{"scramble", JSON_ANY, &scramble, 0, 0},
		{"seed", JSON_TEXT, &seed, 0, 0},
		{"notation", JSON_TEXT, &notation, 0, 0},
	};
	if (!answer_view_read(ctx, &create->view))
		return false;
	bool read = cube_body_read(ctx, members, sizeof members / sizeof members[0], &cube);
	if (!cube && size < 0)
		read = input_problem(ctx, "/size", "Send size or cube, for example {\"size\": 3}.",
				     "size or cube", "\"size\": 3");
	else if (cube)
		read = input_cube_read(ctx, cube, "/cube", &create->cube) && read;
	else
		read = input_cube_solved(ctx, size, "/size", &create->cube) && read;
	if (cube)
		input_cube_beside(&create->cube, size);
	read = (!name || input_name(ctx, name, "/name", create->meta.name)) && read;
	read = (!access.bytes || read_access(ctx, access, &create->meta)) && read;
	read = may_list(ctx, &create->meta) && read;
	read = (!policy.bytes || read_policy(ctx, policy, &create->meta)) && read;
	read = moves_read_dialect(ctx, notation, "/notation", &create->scramble) && read;
	read = create_read_scramble(ctx, scramble, create) && read;
	return create_read_seed(ctx, seed, create) && read;
}

static bool read_access(struct context *ctx, struct text name, struct session_meta *meta)
{
	return input_choice(ctx, name, "/access", "access", access_names, ACCESS_COUNT,
			    &meta->access);
}

/* Returns true if a list may have the session: those that nobody may see without a token are in
 * none. */
static bool may_list(struct context *ctx, const struct session_meta *meta)
{
	return !meta->listed || meta->access != ACCESS_NONE ||
	       input_problem(ctx, "/listed", "A session with access none cannot be listed.",
			     "access view or edit together with \"listed\": true, or access none "
			     "without it",
			     NULL);
}

static bool read_policy(struct context *ctx, struct text name, struct session_meta *meta)
{
	return input_choice(ctx, name, "/turn_policy", "turn policy", policy_names, POLICY_COUNT,
			    &meta->policy);
}

static bool create_read_scramble(struct context *ctx, struct json_value *scramble,
				 struct create *create)
{
	const struct json_member as = {"scramble", JSON_BOOLEAN, &create->made.wanted, 0, 0};
	if (!scramble || json_is_kind(scramble, JSON_KIND_NULL))
		return true;
	if (json_is_kind(scramble, JSON_KIND_TEXT) || json_is_kind(scramble, JSON_KIND_ARRAY))
		return moves_from_json(ctx, scramble, "/scramble", &create->scramble);
	if (json_is_kind(scramble, JSON_KIND_OBJECT) || json_value_is_number(scramble))
		return input_problem(ctx, "/scramble",
				     "Must be true, or moves such as \"R U R' U'\".",
				     "true for a scramble made by the server, or moves: a string "
				     "or an array of turns",
				     NULL);
	return input_value(ctx, scramble, "/scramble", &as);
}

static bool create_read_seed(struct context *ctx, struct text seed, struct create *create)
{
	static const struct json_place place = {.pointer = "/seed"};
	if (!seed.bytes)
		return true;
	if (!create->made.wanted)
		return input_problem(
			ctx, "/seed",
			"A seed is for a scramble that the server makes: send \"scramble\": "
			"true, too.",
			"\"scramble\": true together with seed", NULL);
	return scramble_read_seed(ctx, seed, &place, &create->made);
}

static void create_resolved(struct context *ctx)
{
	const struct create *create = ctx->data;
	uint64_t cost = moves_cost(&create->cube.moves, create->cube.size) +
			moves_cost(&create->scramble, create->cube.size) +
			scramble_cost(&create->made, create->cube.size) +
			session_cost(ctx, &create->view, create->cube.size, 0);
	ctx_compute(ctx, cost, create_compute, create_computed);
}

static void create_compute(struct context *ctx)
{
	struct create *create = ctx->data;
	if (!answer_view_fits(ctx, &create->view, create->cube.size) ||
	    !input_cube_turn(ctx, &create->cube) || !create_scramble(ctx, create) ||
	    !create_base(ctx, create->cube.cube, &ctx->visit.write.base))
		return;
	char token[TOKEN_TEXT + 1], location[64] = "/v1/sessions/";
	const struct session_meta *meta = &ctx->visit.write.meta;
	create->meta.size = (uint8_t)create->cube.size;
	if (!new_session(ctx, create->cube.cube, &create->meta, &create->owner, token))
		return;
	session_id_print(&meta->id, location + strlen(location));
	ctx->request->reply.location = ctx_reply_text(ctx, location, strlen(location));
	const struct session_snapshot made = {.meta = *meta,
					      .history = ctx->visit.after,
					      .scramble = ctx->visit.write.scramble,
					      .scramble_count = ctx->visit.write.scramble_count};
	session_reply(ctx, &made, &create->view, 201, create->cube.known, token);
	idempotency_token(ctx, token);
	ctx->facts.creates = true;
	ctx->facts.known = (uint8_t)create->cube.known;
	secret_forget(token, sizeof token);
}

/* Turns the base by the scramble. */
static bool create_scramble(struct context *ctx, struct create *create)
{
	struct cube_alg alg;
	struct cube_turn *turns;
	if (create->made.wanted) {
		if (!scramble_make(ctx, &create->made, create->cube.size, &turns,
				   &ctx->visit.write.scramble_count))
			return false;
	} else if (!moves_given(&create->scramble)) {
		return true;
	} else if (!moves_read(ctx, &create->scramble, create->cube.size, &alg) ||
		   !moves_expand(ctx, &create->scramble, &alg, &turns,
				 &ctx->visit.write.scramble_count)) {
		return false;
	}
	cube_turn_all(create->cube.cube, turns, ctx->visit.write.scramble_count);
	ctx->visit.write.scramble = turns;
	return true;
}

/* The cube of revision 0, or NULL for a solved one. */
static bool create_base(struct context *ctx, const struct cube *cube, const struct cube **base)
{
	struct cube *fresh = ctx_alloc(ctx, cube_bytes(cube->size));
	if (!fresh)
		return false;
	cube_init(fresh, cube->size);
	*base = cube_equal(cube, fresh) ? NULL : cube;
	return true;
}

static void create_computed(struct context *ctx)
{
	if (ctx->request->reply.status == 201 && ctx_reply_made(ctx)) {
		/* The cube may have come from another session: leaves that one. */
		struct history *after = ctx->visit.after;
		ctx->visit.after = NULL;
		session_release(&ctx->visit);
		ctx->visit.after = after;
		ctx_write(ctx);
	} else {
		ctx_answer(ctx);
	}
}

void session_read_handle(struct context *ctx)
{
	ctx_acquire(ctx, NEED_READ, read_entered);
}

static void read_entered(struct context *ctx)
{
	const struct session *session = ctx->visit.session;
	struct session_reading *reading = ctx_alloc(ctx, sizeof *reading);
	ctx->data = reading;
	if (reading && answer_view_read(ctx, &reading->view) &&
	    answer_view_fits(ctx, &reading->view, session->meta.size) &&
	    session_look(ctx, &reading->session)) {
		reading->session.standing = true;
		ctx_compute(ctx,
			    session_cost(ctx, &reading->view, session->meta.size,
					 session->scramble_count),
			    read_compute, NULL);
	} else {
		ctx_answer(ctx);
	}
}

static void read_compute(struct context *ctx)
{
	const struct session_reading *reading = ctx->data;
	session_reply(ctx, &reading->session, &reading->view, 200, CUBE_KNOWN, NULL);
}

void session_change_handle(struct context *ctx)
{
	struct session_change *change = ctx_alloc(ctx, sizeof *change);
	if (change)
		*change = (struct session_change){0};
	if (change && change_read(ctx, change)) {
		ctx->data = change;
		ctx_acquire(ctx, NEED_ALONE, change_entered);
	} else {
		ctx_answer(ctx);
	}
}

static bool change_read(struct context *ctx, struct session_change *change)
{
	struct json_value *name = NULL;
	struct text access = {0}, policy = {0};
	const struct json_member members[] = {
		{"name", JSON_ANY, &name, 0, 0},
		{"access", JSON_TEXT, &access, 0, 0},
		{"listed", JSON_BOOLEAN, &change->meta.listed, 0, 0},
		{"turn_policy", JSON_TEXT, &policy, 0, 0},
	};
	if (!answer_view_read(ctx, &change->view))
		return false;
	bool read = input_object(ctx, ctx->body, "", members, sizeof members / sizeof members[0]);
	change->listed = json_member_of(ctx->body, "listed") != NULL;
	if (read && !name && !access.bytes && !policy.bytes && !change->listed)
		return input_problem(ctx, "",
				     "Send at least one of name, access, listed and turn_policy.",
				     "at least one of name, access, listed, turn_policy", NULL);
	change->name = name != NULL;
	change->access = access.bytes != NULL;
	change->policy = policy.bytes != NULL;
	read = (!name || input_name(ctx, name, "/name", change->meta.name)) && read;
	read = (!access.bytes || read_access(ctx, access, &change->meta)) && read;
	return (!policy.bytes || read_policy(ctx, policy, &change->meta)) && read;
}

static void change_entered(struct context *ctx)
{
	struct session_change *change = ctx->data;
	const struct session *session = ctx->visit.session;
	struct session_meta *meta = &ctx->visit.write.meta;
	if (!answer_view_fits(ctx, &change->view, session->meta.size)) {
		ctx_answer(ctx);
		return;
	}
	if (!change_lock_or_answer(ctx, &change->view))
		return;
	if (change->name)
		memcpy(meta->name, change->meta.name, sizeof meta->name);
	if (change->access)
		meta->access = change->meta.access;
	if (change->listed)
		meta->listed = change->meta.listed;
	else if (meta->access == ACCESS_NONE)
		meta->listed = false;
	if (change->policy)
		meta->policy = change->meta.policy;
	if (!may_list(ctx, meta) || !session_look(ctx, &change->session)) {
		ctx_answer(ctx);
		return;
	}
	change->session.meta = *meta;
	ctx_compute(ctx,
		    session_cost(ctx, &change->view, session->meta.size, session->scramble_count),
		    change_compute, change_computed);
}

/* Locks the session for a change. False: a precondition does not hold, and the context is answered. */
static bool change_lock_or_answer(struct context *ctx, const struct answer_view *view)
{
	uint32_t seen;
	enum precondition precondition = precondition_check(ctx, -1, &seen);
	if (precondition != PRECONDITION_HOLDS) {
		precondition_answer(ctx, precondition, seen, view);
		return false;
	}
	session_lock(&ctx->visit);
	ctx->visit.write.meta = ctx->visit.session->meta;
	/* Later than the previous change, whatever the clock does: no ETag is used twice. */
	const int64_t now_ms = wall_ms(), before_ms = ctx->visit.session->meta.updated_ms;
	ctx->visit.write.meta.updated_ms = now_ms > before_ms ? now_ms : before_ms + 1;
	return true;
}

static void change_compute(struct context *ctx)
{
	const struct session_change *change = ctx->data;
	session_reply(ctx, &change->session, &change->view, 200, CUBE_KNOWN, NULL);
}

static void change_computed(struct context *ctx)
{
	ctx->visit.write.kind = WRITE_META;
	if (ctx->request->reply.status == 200 && ctx_reply_made(ctx))
		ctx_write(ctx);
	else
		ctx_answer(ctx);
}

void session_delete_handle(struct context *ctx)
{
	ctx_acquire(ctx, NEED_ALONE, delete_entered);
}

static void delete_entered(struct context *ctx)
{
	const struct answer_view view = {0};
	if (!change_lock_or_answer(ctx, &view))
		return;
	ctx->visit.write.kind = WRITE_DELETE;
	ctx->visit.write.meta.deleted = true;
	ctx->request->reply.status = 204;
	ctx_write(ctx);
}
