/* tokens.c: handing out, listing and revoking the tokens of a session; and tickets. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/access/tickets.h"
#include "server/api/etag.h"
#include "server/api/input.h"
#include "server/api/problem.h"
#include "server/api/right.h"
#include "server/api/routes.h"
#include "server/api/session_out.h"
#include "server/api/spell.h"
#include "server/api/state.h"

static void write_members(struct out *out, const struct stored_token *token)
{
	char id[16];
	snprintf(id, sizeof id, "%lu", (unsigned long)token->number);
	out_key(out, "id");
	out_string(out, id);
	out_key(out, "role");
	out_string(out, role_names[token->role]);
	out_key(out, "label");
	out_string(out, token->label[0] ? token->label : NULL);
	out_key(out, "created_at");
	out_time(out, token->created_ms);
	out_key(out, "revoked_at");
	if (token->revoked_ms != 0)
		out_time(out, token->revoked_ms);
	else
		out_null(out);
}

/* Stores the token, with the reply that is made, or answers that memory ran out. */
static void put_token(struct work *work, const struct stored_token *token)
{
	work->write.kind = WRITE_TOKEN;
	work->write.meta = work->session->meta;
	work->write.token = token;
	if (work_reply_made(work))
		hub_write(work);
	else
		work_answer(work);
}

/* The list of tokens has an ETag, which guards handing out and revoking. */
static struct etag_state list_state(const struct roster *roster)
{
	uint64_t hash = 0;
	for (size_t i = 0; roster && i < roster->count; i++) {
		const struct stored_token *token = &roster->tokens[i];
		hash = etag_add_number(hash, token->number);
		hash = etag_add_number(hash, token->role);
		hash = etag_add_number(hash, (uint64_t)token->created_ms);
		hash = etag_add_number(hash, (uint64_t)token->revoked_ms);
		hash = etag_add_text(hash, token->label);
	}
	return etag_of_hash(hash);
}

static bool allowed(struct work *work)
{
	if (!etag_asked(work))
		return true;
	const struct etag_state state = list_state(work->roster);
	return etag_allows(work, &state);
}

/* ---- POST .../tokens ---- */

static void create_entered(struct work *work)
{
	struct stored_token *token = work->data;
	const size_t count = work->roster ? work->roster->count : 0;
	char text[TOKEN_TEXT + 1], location[96] = "/v1/sessions/";
	if (!allowed(work)) {
		work_answer(work);
		return;
	}
	if (count >= work->service->config.limits.tokens || count >= UINT32_MAX - 1) {
		problem_answer(work->request, PROBLEM_TOKENS_FULL,
			       "The session has as many tokens as it can have, including revoked ones "
			       "counted.");
		work_answer(work);
		return;
	}
	if (count == 0 && token->role != ROLE_OWNER) {
		problem_answer(
			work->request, PROBLEM_LAST_OWNER,
			"Nobody owns this session yet, because it was created before there were "
			"tokens: the first "
			"one is its owner's. Hand out one with the role owner, then others.");
		work_answer(work);
		return;
	}
	hub_hold(work);
	token->number = (uint32_t)count + 1;
	token->created_ms = service_now_ms();
	token_make(&work->id, text, token->hash);
	session_id_print(&work->id, location + strlen(location));
	size_t length = strlen(location);
	length += (size_t)snprintf(location + length, sizeof location - length, "/tokens/%lu",
				   (unsigned long)token->number);
	work->request->reply.location = work_reply_text(work, location, length);
	struct out out = {.buffer = &work->request->reply.body};
	out_open(&out, '{');
	write_members(&out, token);
	out_key(&out, "token");
	out_string(&out, text);
	out_close(&out, '}');
	secret_forget(text, sizeof text);
	work_reply_json(work, 201);
	put_token(work, token);
}

static bool take_role(struct work *work, struct text name, uint8_t *role)
{
	if (!name.bytes)
		return input_problem(work, "/role", "This member is missing.",
				     "owner, editor or viewer", NULL);
	for (uint8_t i = 0; i < ROLE_COUNT; i++)
		if (strlen(role_names[i]) == name.length &&
		    memcmp(role_names[i], name.bytes, name.length) == 0) {
			*role = i;
			return true;
		}
	return input_problem(work, "/role", "Unknown role.", "owner, editor or viewer",
			     spell_nearest(name.bytes, name.length, role_names, ROLE_COUNT));
}

void token_create_handle(struct work *work)
{
	struct stored_token *token = work_take(work, sizeof *token);
	struct text role = {0};
	struct input_value *label = NULL;
	const struct input_member members[] = {
		{"role", INPUT_TEXT, &role, 0, 0},
		{"label", INPUT_ANY, &label, 0, 0},
	};
	if (token)
		*token = (struct stored_token){0};
	if (token && input_object(work, work->body, "", members, 2) &&
	    take_role(work, role, &token->role) &&
	    (!label || name_take(work, label, "/label", token->label))) {
		work->data = token;
		hub_enter(work, NEED_ALONE, create_entered);
	} else {
		work_answer(work);
	}
}

/* ---- GET .../tokens ---- */

/* Writing a token of the list. */
#define LISTED_NS 200

/* Of the work's roster, which nobody changes. Any thread. */
static void list_compute(struct work *work)
{
	struct out out = {.buffer = &work->request->reply.body};
	const struct etag_state state = list_state(work->roster);
	etag_reply(work, &state);
	if (etag_unchanged(work))
		return;
	out_open(&out, '{');
	out_key(&out, "items");
	out_open(&out, '[');
	for (size_t i = 0; work->roster && i < work->roster->count; i++) {
		out_open(&out, '{');
		write_members(&out, &work->roster->tokens[i]);
		out_close(&out, '}');
	}
	out_close(&out, ']');
	out_close(&out, '}');
	work_reply_json(work, 200);
}

static void list_entered(struct work *work)
{
	const uint64_t count = work->roster ? work->roster->count : 0;
	work_compute(work, count * LISTED_NS, list_compute, NULL);
}

void token_list_handle(struct work *work)
{
	hub_enter(work, NEED_READ, list_entered);
}

/* ---- DELETE .../tokens/{token_id} ---- */

/* The number in the path; 0 where it is none. */
static uint32_t number_of(struct text part)
{
	uint64_t number = 0;
	if (part.length == 0 || part.length > 10 || part.bytes[0] == '0')
		return 0;
	for (size_t i = 0; i < part.length; i++) {
		if (part.bytes[i] < '0' || part.bytes[i] > '9')
			return 0;
		number = number * 10 + (uint64_t)(part.bytes[i] - '0');
	}
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

static bool is_last_owner(const struct roster *roster, const struct stored_token *token)
{
	if (token->role != ROLE_OWNER)
		return false;
	for (size_t i = 0; i < roster->count; i++)
		if (roster->tokens[i].role == ROLE_OWNER && roster->tokens[i].revoked_ms == 0 &&
		    &roster->tokens[i] != token)
			return false;
	return true;
}

static void revoke_entered(struct work *work)
{
	const struct stored_token *there = roster_at(work->roster, number_of(work->name));
	struct stored_token *token = work_take(work, sizeof *token);
	if (!token) {
		work_answer(work);
	} else if (!there) {
		problem_answer(work->request, PROBLEM_NOT_FOUND,
			       "The session has no token with this id.");
		work_answer(work);
	} else if (!allowed(work)) {
		work_answer(work);
	} else if (there->revoked_ms != 0) {
		work->request->reply.status = 204;
		work_answer(work);
	} else if (is_last_owner(work->roster, there)) {
		problem_answer(work->request, PROBLEM_LAST_OWNER,
			       "This is the only token of an owner: hand out another one first, or "
			       "delete the session.");
		work_answer(work);
	} else {
		hub_hold(work);
		*token = *there;
		token->revoked_ms = service_now_ms();
		work->request->reply.status = 204;
		put_token(work, token);
	}
}

void token_revoke_handle(struct work *work)
{
	hub_enter(work, NEED_ALONE, revoke_entered);
}

/* ---- POST .../ticket ---- */

static void ticket_entered(struct work *work)
{
	char text[TICKET_TEXT + 1];
	struct out out = {.buffer = &work->request->reply.body};
	const int64_t now_ms = service_now_ms();
	tickets_make(work->service->tickets, &work->id, right_actor(work), now_ms, text);
	out_open(&out, '{');
	out_key(&out, "ticket");
	out_string(&out, text);
	out_key(&out, "expires_at");
	out_time(&out, now_ms + TICKET_MS);
	out_close(&out, '}');
	secret_forget(text, sizeof text);
	work_reply_json(work, 201);
	work_answer(work);
}

void ticket_handle(struct work *work)
{
	if (input_object(work, work->body, "", NULL, 0))
		hub_enter(work, NEED_READ, ticket_entered);
	else
		work_answer(work);
}
