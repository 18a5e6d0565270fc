/* sessions.c: creating, reading, changing and deleting sessions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/api/cube_in.h"
#include "server/api/input.h"
#include "server/api/problem.h"
#include "server/api/retry.h"
#include "server/api/routes.h"
#include "server/api/scramble_in.h"
#include "server/api/session_out.h"
#include "server/api/spell.h"
#include "server/api/state.h"
#include "server/util/utf8.h"

#define NAME_CODE_POINTS 32

/* ---- members that create and change share ---- */

bool name_take(struct work *work, struct input_value *value, const char *pointer, char *into)
{
	static const char expected[] =
		"a string of at most 32 characters without control characters, or null";
	into[0] = '\0';
	if (input_is_null(value))
		return true;
	if (!input_is_text(value))
		return input_problem(work, pointer, "This must be a string, or null for none.", expected,
				     NULL);
	struct text name = input_text(value);
	size_t points = 0;
	for (size_t at = 0, bytes; at < name.length; at += bytes, points++) {
		uint32_t point;
		bytes = utf8_decode(name.bytes + at, name.length - at, &point);
		if (bytes == 0 || !utf8_printable(point))
			return input_problem(work, pointer,
					     "A name has no control characters and none that hide "
					     "or change the direction of text.",
					     expected, NULL);
	}
	if (points > NAME_CODE_POINTS)
		return input_problem(work, pointer, "This name is too long.", expected, NULL);
	memcpy(into, name.bytes, name.length);
	into[name.length] = '\0';
	return true;
}

static bool take_access(struct work *work, struct text name, struct session_meta *meta)
{
	for (uint8_t i = 0; i < ACCESS_COUNT; i++)
		if (strlen(access_names[i]) == name.length &&
		    memcmp(access_names[i], name.bytes, name.length) == 0) {
			meta->access = i;
			return true;
		}
	return input_problem(work, "/access", "Unknown access.", "edit, view or none",
			     spell_nearest(name.bytes, name.length, access_names, ACCESS_COUNT));
}

static bool take_policy(struct work *work, struct text name, struct session_meta *meta)
{
	for (uint8_t i = 0; i < POLICY_COUNT; i++)
		if (strlen(policy_names[i]) == name.length &&
		    memcmp(policy_names[i], name.bytes, name.length) == 0) {
			meta->policy = i;
			return true;
		}
	return input_problem(work, "/turn_policy", "Unknown turn policy.",
			     "free, alternate or round-robin",
			     spell_nearest(name.bytes, name.length, policy_names, POLICY_COUNT));
}

/* ---- POST /v1/sessions ---- */

struct create {
	struct cube_request cube; /* first: cube_resolve hands it back */
	struct moves_request scramble;
	struct scramble_request made; /* instead of that */
	struct session_meta meta;
	struct cube_view view;
	struct stored_token owner;
};

enum cube_known session_create_known(const struct work *work)
{
	const struct create *create = work->data;
	return create->cube.known;
}

/* Turns the base by the scramble. */
static bool create_scramble(struct work *work, struct create *create)
{
	struct cube_alg alg;
	struct cube_turn *turns;
	if (create->made.wanted) {
		if (!scramble_make(work, &create->made, create->cube.size, &turns,
				   &work->write.scramble_count))
			return false;
	} else if (!moves_given(&create->scramble)) {
		return true;
	} else if (!moves_read(work, &create->scramble, create->cube.size, &alg) ||
		   !moves_expand(work, &create->scramble, &alg, &turns,
				 &work->write.scramble_count)) {
		return false;
	}
	cube_turn_all(create->cube.cube, turns, work->write.scramble_count);
	work->write.scramble = turns;
	return true;
}

/* The cube of revision 0, or NULL where that is a new one. */
static bool create_base(struct work *work, const struct cube *cube, const struct cube **base)
{
	struct cube *fresh = work_take(work, cube_bytes(cube->size));
	if (!fresh)
		return false;
	cube_init(fresh, cube->size);
	*base = cube_equal(cube, fresh) ? NULL : cube;
	return true;
}

static void create_compute(struct work *work)
{
	struct create *create = work->data;
	if (!cube_view_fits(work, &create->view, create->cube.size) ||
	    !cube_request_turn(work, &create->cube) || !create_scramble(work, create) ||
	    !create_base(work, create->cube.cube, &work->write.base))
		return;
	work->after = history_create(create->cube.cube);
	if (!work->after) {
		work_no_memory(work);
		return;
	}
	struct session_meta *meta = &work->write.meta;
	*meta = create->meta;
	meta->size = (uint8_t)create->cube.size;
	meta->created_ms = meta->updated_ms = service_now_ms();
	if (!session_id_make(&meta->id)) {
		problem_answer(work->request, PROBLEM_BUSY,
			       "The system cannot provide random bytes for an id now.");
		return;
	}
	char token[TOKEN_TEXT + 1], location[64] = "/v1/sessions/";
	create->owner = (struct stored_token){
		.number = 1, .role = ROLE_OWNER, .created_ms = meta->created_ms};
	token_make(&meta->id, token, create->owner.hash);
	work->write.token = &create->owner;
	session_id_print(&meta->id, location + strlen(location));
	work->request->reply.location = work_reply_text(work, location, strlen(location));
	const struct session_snapshot made = {.meta = *meta,
					      .history = work->after,
					      .scramble = work->write.scramble,
					      .scramble_count = work->write.scramble_count};
	session_reply(work, &made, &create->view, 201, create->cube.known, token);
	retry_token(work, token);
	secret_forget(token, sizeof token);
}

static void create_computed(struct work *work)
{
	work->write.kind = WRITE_CREATE;
	if (work->request->reply.status == 201 && work_reply_made(work)) {
		/* The cube may have come from another session: that one is left behind. */
		struct history *after = work->after;
		work->after = NULL;
		hub_leave(work);
		work->after = after;
		hub_write(work);
	} else {
		work_answer(work);
	}
}

static void create_resolved(struct work *work)
{
	const struct create *create = work->data;
	uint64_t cost = moves_cost(&create->cube.moves, create->cube.size) +
			moves_cost(&create->scramble, create->cube.size) +
			scramble_cost(&create->made, create->cube.size) +
			session_cost(work, &create->view, create->cube.size, 0);
	work_compute(work, cost, create_compute, create_computed);
}

static bool create_scramble_take(struct work *work, struct input_value *scramble,
				 struct create *create)
{
	const struct input_member as = {"scramble", INPUT_BOOL, &create->made.wanted, 0, 0};
	if (!scramble || input_is_null(scramble))
		return true;
	if (input_is_text(scramble) || input_is_array(scramble))
		return moves_take(work, scramble, "/scramble", &create->scramble);
	if (input_is_object(scramble) || input_is_number(scramble))
		return input_problem(work, "/scramble", "This is not a scramble.",
				     "true for one that is made, or moves, as text or as an array "
				     "of turns",
				     NULL);
	return input_value(work, scramble, "/scramble", &as);
}

static bool create_seed_take(struct work *work, struct text seed, struct create *create)
{
	static const struct input_place place = {.pointer = "/seed"};
	if (!seed.bytes)
		return true;
	if (!create->made.wanted)
		return input_problem(work, "/seed", "A seed is for a scramble that is made.",
				     "\"scramble\": true beside it", NULL);
	return scramble_take_seed(work, seed, &place, &create->made);
}

static bool create_read(struct work *work, struct create *create)
{
	int64_t size = -1;
	struct input_value *cube = NULL, *name = NULL, *scramble = NULL;
	struct text access = {0}, notation = {0}, policy = {0}, seed = {0};
	const struct input_member members[] = {
		{"size", INPUT_INTEGER, &size, CUBE_SIZE_MIN, cube_size_max(work)},
		{"cube", INPUT_OBJECT, &cube, 0, 0},
		{"name", INPUT_ANY, &name, 0, 0},
		{"access", INPUT_TEXT, &access, 0, 0},
		{"turn_policy", INPUT_TEXT, &policy, 0, 0},
		{"scramble", INPUT_ANY, &scramble, 0, 0},
		{"seed", INPUT_TEXT, &seed, 0, 0},
		{"notation", INPUT_TEXT, &notation, 0, 0},
	};
	if (!cube_view_read(work, &create->view) ||
	    !input_object(work, work->body, "", members, sizeof members / sizeof members[0]))
		return false;
	if (cube && size >= 0)
		return input_problem(work, "/size", "A cube has one description.",
				     "either cube or size", NULL);
	if (!cube && size < 0)
		return input_problem(work, "/size",
				     "A new session needs the size of its cube, or a cube.",
				     "size or cube", "\"size\": 3");
	return (cube ? cube_request_read(work, cube, "/cube", &create->cube)
		     : cube_request_solved(work, size, "/size", &create->cube)) &&
	       (!name || name_take(work, name, "/name", create->meta.name)) &&
	       (!access.bytes || take_access(work, access, &create->meta)) &&
	       (!policy.bytes || take_policy(work, policy, &create->meta)) &&
	       moves_take_dialect(work, notation, "/notation", &create->scramble) &&
	       create_scramble_take(work, scramble, create) && create_seed_take(work, seed, create);
}

void session_create_handle(struct work *work)
{
	struct create *create = work_take(work, sizeof *create);
	if (create)
		*create = (struct create){.cube = {.at = -1}, .meta = {.access = ACCESS_VIEW}};
	if (create && etag_allows(work, NULL) && create_read(work, create))
		cube_resolve(work, &create->cube, create_resolved);
	else
		work_answer(work);
}

/* ---- GET /v1/sessions/{id} ---- */

struct reading {
	struct session_snapshot session;
	struct cube_view view;
};

static void read_compute(struct work *work)
{
	const struct reading *reading = work->data;
	session_reply(work, &reading->session, &reading->view, 200, CUBE_KNOWN, NULL);
}

static void read_entered(struct work *work)
{
	const struct session *session = work->session;
	struct reading *reading = work_take(work, sizeof *reading);
	work->data = reading;
	if (reading && cube_view_read(work, &reading->view) &&
	    cube_view_fits(work, &reading->view, session->meta.size) &&
	    session_look(work, &reading->session))
		work_compute(work,
			     session_cost(work, &reading->view, session->meta.size,
					  session->scramble_count),
			     read_compute, NULL);
	else
		work_answer(work);
}

void session_read_handle(struct work *work)
{
	hub_enter(work, NEED_READ, read_entered);
}

/* ---- PATCH and DELETE ---- */

struct change {
	struct cube_view view;
	struct session_snapshot session; /* as it will be */
	struct session_meta meta; /* name, access and policy as asked for */
	bool name, access, policy;
};

/* True where the work may go on; the session is then held. */
static bool change_begin(struct work *work, const struct cube_view *view)
{
	uint32_t seen;
	enum precondition precondition = precondition_check(work, -1, &seen);
	if (precondition != PRECONDITION_HOLDS) {
		precondition_answer(work, precondition, seen, view);
		return false;
	}
	hub_hold(work);
	work->write.meta = work->session->meta;
	/* Later than the change before it, whatever the clock does: no ETag comes again. */
	const int64_t now_ms = service_now_ms(), before_ms = work->session->meta.updated_ms;
	work->write.meta.updated_ms = now_ms > before_ms ? now_ms : before_ms + 1;
	return true;
}

static void change_compute(struct work *work)
{
	const struct change *change = work->data;
	session_reply(work, &change->session, &change->view, 200, CUBE_KNOWN, NULL);
}

static void change_computed(struct work *work)
{
	work->write.kind = WRITE_META;
	if (work->request->reply.status == 200 && work_reply_made(work))
		hub_write(work);
	else
		work_answer(work);
}

static void change_entered(struct work *work)
{
	struct change *change = work->data;
	const struct session *session = work->session;
	struct session_meta *meta = &work->write.meta;
	if (!cube_view_fits(work, &change->view, session->meta.size)) {
		work_answer(work);
		return;
	}
	if (!change_begin(work, &change->view))
		return;
	if (change->name)
		memcpy(meta->name, change->meta.name, sizeof meta->name);
	if (change->access)
		meta->access = change->meta.access;
	if (change->policy)
		meta->policy = change->meta.policy;
	if (!session_look(work, &change->session)) {
		work_answer(work);
		return;
	}
	change->session.meta = *meta;
	work_compute(
		work,
		session_cost(work, &change->view, session->meta.size, session->scramble_count),
		change_compute, change_computed);
}

static bool change_read(struct work *work, struct change *change)
{
	struct input_value *name = NULL;
	struct text access = {0}, policy = {0};
	const struct input_member members[] = {
		{"name", INPUT_ANY, &name, 0, 0},
		{"access", INPUT_TEXT, &access, 0, 0},
		{"turn_policy", INPUT_TEXT, &policy, 0, 0},
	};
	if (!cube_view_read(work, &change->view) || !input_object(work, work->body, "", members, 3))
		return false;
	if (!name && !access.bytes && !policy.bytes)
		return input_problem(work, "", "There is nothing to change.",
				     "name, access or turn_policy", NULL);
	change->name = name != NULL;
	change->access = access.bytes != NULL;
	change->policy = policy.bytes != NULL;
	return (!name || name_take(work, name, "/name", change->meta.name)) &&
	       (!access.bytes || take_access(work, access, &change->meta)) &&
	       (!policy.bytes || take_policy(work, policy, &change->meta));
}

void session_change_handle(struct work *work)
{
	struct change *change = work_take(work, sizeof *change);
	if (change)
		*change = (struct change){0};
	if (change && change_read(work, change)) {
		work->data = change;
		hub_enter(work, NEED_ALONE, change_entered);
	} else {
		work_answer(work);
	}
}

static void delete_entered(struct work *work)
{
	const struct cube_view view = {0};
	if (!change_begin(work, &view))
		return;
	work->write.kind = WRITE_DELETE;
	work->write.meta.deleted = true;
	work->request->reply.status = 204;
	hub_write(work);
}

void session_delete_handle(struct work *work)
{
	hub_enter(work, NEED_ALONE, delete_entered);
}
