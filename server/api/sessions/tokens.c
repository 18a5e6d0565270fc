/* tokens.c: creating, listing, naming and revoking the tokens of a session.
 *
 * Owners create tokens of any role. Everybody else with a token creates guests of it: tokens of at
 * most its role, which are revoked together with it. */
#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/api/input/input.h"
#include "server/api/request/cursor.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/etag.h"
#include "server/api/steps/session_visit.h"
#include "server/format/session_out.h"
#include "server/util/monotonic.h"

/* Cost of writing a token of the list. */
#define LISTED_NS 200

static bool read_role(struct context *ctx, struct text name, uint8_t *role);
static void create_entered(struct context *ctx);
static bool may_create(struct context *ctx, struct stored_token *token);
static bool has_room(struct context *ctx, const struct stored_token *token);
static bool allowed(struct context *ctx);
static struct etag_state list_state(const struct roster *roster);
static void write_members(struct out *out, const struct stored_token *token);
static void put_token(struct context *ctx, const struct stored_token *token);
static void change_entered(struct context *ctx);
static const struct stored_token *change_find(struct context *ctx);
static void list_entered(struct context *ctx);
static void list_compute(struct context *ctx);
static void revoke_entered(struct context *ctx);
static uint32_t number_of(struct text part);
static bool is_last_owner(const struct roster *roster, const struct stored_token *token);

void token_create_handle(struct context *ctx)
{
	struct stored_token *token = ctx_alloc(ctx, sizeof *token);
	struct text role = {0};
	struct json_value *label = NULL;
	const struct json_member members[] = {
		{"role", JSON_TEXT, &role, 0, 0},
		{"label", JSON_ANY, &label, 0, 0},
	};
	if (token)
		*token = (struct stored_token){0};
	bool read = token && input_object(ctx, ctx->body, "", members, 2);
	read = token && read_role(ctx, role, &token->role) && read;
	read = token && (!label || input_name(ctx, label, "/label", token->label)) && read;
	if (read) {
		ctx->data = token;
		ctx_acquire(ctx, NEED_ALONE, create_entered);
	} else {
		ctx_answer(ctx);
	}
}

static bool read_role(struct context *ctx, struct text name, uint8_t *role)
{
	if (!name.bytes)
		return input_problem(ctx, "/role", "role is required: owner, editor or viewer.",
				     "owner, editor or viewer", NULL);
	return input_choice(ctx, name, "/role", "role", role_names, ROLE_COUNT, role);
}

static void create_entered(struct context *ctx)
{
	struct stored_token *token = ctx->data;
	char text[TOKEN_TEXT + 1];
	if (!may_create(ctx, token) || !allowed(ctx) || !has_room(ctx, token)) {
		ctx_answer(ctx);
		return;
	}
	session_lock(&ctx->visit);
	token->number = ctx->visit.roster ? (uint32_t)ctx->visit.roster->count + 1 : 1;
	token->created_ms = wall_ms();
	token_make(&ctx->visit.id, text, token->hash);
	struct out out = {.buffer = &ctx->request->reply.body};
	out_open(&out, '{');
	write_members(&out, token);
	out_member_string(&out, "token", text);
	out_close(&out, '}');
	secret_forget(text, sizeof text);
	ctx_reply_json(ctx, 201);
	put_token(ctx, token);
}

/* Sets the parent of a guest. False with a problem. */
static bool may_create(struct context *ctx, struct stored_token *token)
{
	const struct stored_token *own = authorize_token(ctx);
	if (authorize_owns(ctx))
		return true;
	if (!own || token->role < own->role) {
		authorize_refuse(ctx, token->role == ROLE_OWNER
					      ? "Only an owner of the session may do this."
					      : "A viewer may only create tokens of viewers.");
		return false;
	}
	token->parent = own->number;
	return true;
}

static bool has_room(struct context *ctx, const struct stored_token *token)
{
	const struct limits *limits = &ctx->service->config.limits;
	const struct roster *roster = ctx->visit.roster;
	if (!roster && token->role != ROLE_OWNER)
		problem_answer(ctx->request, PROBLEM_LAST_OWNER,
			       "The session was created before there were tokens, so it has no "
			       "owner yet. Create a token with the role owner first.");
	else if (roster && (roster->count >= limits->tokens || roster->count >= UINT32_MAX - 1))
		problem_answer(ctx->request, PROBLEM_TOKENS_FULL,
			       "The session has the maximum number of tokens, including revoked "
			       "ones (tokens in /v1/limits).");
	else if (token->parent != 0 && roster->guests >= limits->guests)
		problem_answer(ctx->request, PROBLEM_TOKENS_FULL,
			       "The session has the maximum number of guests, including revoked "
			       "ones (guests in /v1/limits). The token that was sent still works.");
	else
		return true;
	return false;
}

static bool allowed(struct context *ctx)
{
	if (!etag_asked(ctx))
		return true;
	const struct etag_state state = list_state(ctx->visit.roster);
	return etag_allows(ctx, &state);
}

/* The list of tokens has an ETag, which guards creating and revoking. */
static struct etag_state list_state(const struct roster *roster)
{
	uint64_t hash = 0;
	for (size_t i = 0; roster && i < roster->count; i++) {
		const struct stored_token *token = &roster->tokens[i];
		hash = etag_add_number(hash, token->number);
		hash = etag_add_number(hash, token->role);
		hash = etag_add_number(hash, (uint64_t)token->created_ms);
		hash = etag_add_number(hash, (uint64_t)token->revoked_ms);
		hash = etag_add_number(hash, token->parent);
		hash = etag_add_text(hash, token->label);
	}
	return etag_of_hash(hash);
}

static void write_members(struct out *out, const struct stored_token *token)
{
	token_id_write(out, "id", token->number);
	out_member_string(out, "role", role_names[token->role]);
	out_member_string(out, "label", token->label[0] ? token->label : NULL);
	token_id_write(out, "parent", token->parent);
	out_member_time(out, "created_at", token->created_ms);
	out_key(out, "revoked_at");
	if (token->revoked_ms != 0)
		out_time(out, token->revoked_ms);
	else
		out_null(out);
}

/* Stores the token with the finished reply, or answers that memory ran out. */
static void put_token(struct context *ctx, const struct stored_token *token)
{
	ctx->visit.write.kind = WRITE_TOKEN;
	ctx->visit.write.meta = ctx->visit.session->meta;
	ctx->visit.write.token = token;
	if (ctx_reply_made(ctx))
		ctx_write(ctx);
	else
		ctx_answer(ctx);
}

void token_list_handle(struct context *ctx)
{
	ctx_acquire(ctx, NEED_READ, list_entered);
}

static void list_entered(struct context *ctx)
{
	const uint64_t count = ctx->visit.roster ? ctx->visit.roster->count : 0;
	ctx_compute(ctx, count * LISTED_NS, list_compute, NULL);
}

/* From the context's roster, which does not change. Any thread. */
static void list_compute(struct context *ctx)
{
	struct out out = {0};
	const struct etag_state state = list_state(ctx->visit.roster);
	etag_reply(ctx, &state);
	if (etag_unchanged(ctx))
		return;
	page_begin(ctx, &out);
	for (size_t i = 0; ctx->visit.roster && i < ctx->visit.roster->count; i++) {
		out_open(&out, '{');
		write_members(&out, &ctx->visit.roster->tokens[i]);
		out_close(&out, '}');
	}
	page_end(ctx, &out, 0);
}

void token_change_handle(struct context *ctx)
{
	struct stored_token *token = ctx_alloc(ctx, sizeof *token);
	struct json_value *label = NULL;
	const struct json_member members[] = {{"label", JSON_ANY, &label, 0, 0}};
	if (token)
		*token = (struct stored_token){0};
	bool read = token && input_object(ctx, ctx->body, "", members, 1);
	if (read && !label)
		read = input_problem(ctx, "/label", "label is required: a name, or null for none.",
				     "a name, or null", NULL);
	if (read && input_name(ctx, label, "/label", token->label)) {
		ctx->data = token;
		ctx_acquire(ctx, NEED_ALONE, change_entered);
	} else {
		ctx_answer(ctx);
	}
}

static void change_entered(struct context *ctx)
{
	struct stored_token *token = ctx->data;
	const struct stored_token *there = change_find(ctx);
	struct out out = {.buffer = &ctx->request->reply.body};
	if (!there || !allowed(ctx)) {
		ctx_answer(ctx);
		return;
	}
	session_lock(&ctx->visit);
	char label[sizeof token->label];
	memcpy(label, token->label, sizeof label);
	*token = *there;
	memcpy(token->label, label, sizeof label);
	out_open(&out, '{');
	write_members(&out, token);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	put_token(ctx, token);
}

/* The token in the path, if the caller may name it: its bearer, or an owner. NULL with a problem. */
static const struct stored_token *change_find(struct context *ctx)
{
	static const char self[] = "self";
	const struct stored_token *own = authorize_token(ctx);
	const bool is_self = ctx->name.length == strlen(self) &&
			     memcmp(ctx->name.bytes, self, strlen(self)) == 0;
	const struct stored_token *there =
		is_self ? own : roster_at(ctx->visit.roster, number_of(ctx->name));
	const bool is_own = there && there == own;
	if (!is_own && (is_self || !authorize_owns(ctx))) {
		authorize_refuse(ctx, "Only an owner of the session may name other tokens.");
		return NULL;
	}
	if (!there || there->revoked_ms != 0) {
		problem_answer(ctx->request, PROBLEM_NOT_FOUND,
			       "The session has no valid token with this id.");
		return NULL;
	}
	return there;
}

void token_revoke_handle(struct context *ctx)
{
	ctx_acquire(ctx, NEED_ALONE, revoke_entered);
}

static void revoke_entered(struct context *ctx)
{
	const struct stored_token *there = roster_at(ctx->visit.roster, number_of(ctx->name));
	struct stored_token *token = ctx_alloc(ctx, sizeof *token);
	if (!token) {
		ctx_answer(ctx);
	} else if (!there) {
		problem_answer(ctx->request, PROBLEM_NOT_FOUND,
			       "The session has no token with this id.");
		ctx_answer(ctx);
	} else if (!allowed(ctx)) {
		ctx_answer(ctx);
	} else if (there->revoked_ms != 0) {
		ctx->request->reply.status = 204;
		ctx_answer(ctx);
	} else if (is_last_owner(ctx->visit.roster, there)) {
		problem_answer(ctx->request, PROBLEM_LAST_OWNER,
			       "This is the last owner token of the session. Create another one "
			       "first, or delete the session.");
		ctx_answer(ctx);
	} else {
		session_lock(&ctx->visit);
		*token = *there;
		token->revoked_ms = wall_ms();
		ctx->request->reply.status = 204;
		put_token(ctx, token);
	}
}

/* The number in the path; 0 if it is not one. */
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
