/* right.c: who asks, and what he may do. */
#include "server/api/right.h"

#include <string.h>
#include <strings.h>

#include "server/access/secret.h"
#include "server/access/tickets.h"
#include "server/api/limit.h"
#include "server/api/problem.h"
#include "server/api/routes.h"
#include "server/api/state.h"

/* ---- who ---- */

static bool invalid(struct work *work, const char *detail)
{
	if (limit_wrong_token(work))
		problem_answer(work->request, PROBLEM_TOKEN_INVALID, detail);
	return false;
}

void right_unknown(struct work *work)
{
	invalid(work, "There is no such token, or it was revoked.");
}

bool right_read(struct work *work)
{
	static const char scheme[] = "Bearer";
	const char *field = work->request->header[HEADER_AUTHORIZATION];
	if (!field)
		return true;
	const size_t length = strlen(scheme);
	if (strncasecmp(field, scheme, length) != 0 || field[length] != ' ')
		return invalid(work, "The Authorization must be: Bearer, a blank, and a token.");
	const char *token = field + length + strspn(field + length, " ");
	size_t token_length = strcspn(token, " \t");
	if (token[token_length] != '\0' ||
	    !token_parse(token, token_length, &work->who.session, work->who.hash))
		return invalid(work, "There is no such token.");
	work->who.asked = true;
	return true;
}

bool right_read_ticket(struct work *work)
{
	const struct text *ticket = &work->query.value[PARAMETER_TICKET];
	if (!ticket->bytes || work->who.asked)
		return true;
	if (tickets_find(work->service->tickets, ticket->bytes, ticket->length, service_now_ms(),
			 &work->who.session, &work->who.token) &&
	    memcmp(&work->who.session, &work->id, sizeof work->id) == 0)
		return true;
	work->who.token = 0;
	return invalid(work, "There is no such ticket, it is of another session, or it is older "
			     "than a minute.");
}

static void asked(struct work *work)
{
	const struct stored_token *token = token_find(work->roster, work->who.hash);
	const uint32_t number = token ? token->number : 0;
	work->who.pending = false;
	work->who.key = work->session->meta.deleted ? 0 : work->session->meta.key;
	hub_leave(work);
	work->id = (struct session_id){{0}};
	work->who.token = number;
	if (number > 0) {
		work->who.then(work);
	} else {
		right_unknown(work);
		work_answer(work);
	}
}

void right_ask(struct work *work, void (*then)(struct work *work))
{
	work->who.pending = true;
	work->who.then = then;
	work->id = work->who.session;
	hub_enter(work, NEED_READ, asked);
}

/* ---- what he may ---- */

const struct stored_token *right_token(const struct work *work)
{
	if (work->who.token == 0 ||
	    memcmp(&work->who.session, &work->session->meta.id, sizeof work->who.session) != 0)
		return NULL;
	const struct stored_token *token = roster_at(work->roster, work->who.token);
	return token && token->revoked_ms == 0 ? token : NULL;
}

uint32_t right_actor(const struct work *work)
{
	const struct stored_token *token = right_token(work);
	return token ? token->number : 0;
}

/* Each includes those before it. */
enum allowed { NOTHING, SEE, TURN, OWN };

static enum allowed allowed_to(const struct work *work)
{
	static const enum allowed by_access[] = {
		[ACCESS_EDIT] = TURN, [ACCESS_VIEW] = SEE, [ACCESS_NONE] = NOTHING};
	static const enum allowed by_role[] = {
		[ROLE_OWNER] = OWN, [ROLE_EDITOR] = TURN, [ROLE_VIEWER] = SEE};
	/* It was made before there were tokens: it stays open to all until somebody owns it. */
	if (!work->roster)
		return OWN;
	const struct stored_token *token = right_token(work);
	enum allowed all = by_access[work->session->meta.access];
	enum allowed his = token ? by_role[token->role] : NOTHING;
	return his > all ? his : all;
}

bool right_turns(const struct work *work)
{
	return allowed_to(work) >= TURN;
}

bool right_owns(const struct work *work)
{
	return allowed_to(work) == OWN;
}

static bool refuse(struct work *work, enum allowed needed)
{
	if (right_token(work))
		problem_answer(work->request, PROBLEM_ROLE_SMALL,
			       needed == OWN ? "Only an owner of the session may do this."
					     : "A viewer may only read.");
	else
		problem_answer(work->request, PROBLEM_TOKEN_REQUIRED,
			       needed == OWN ? "This needs a token of an owner of the session."
					     : "This needs a token of an owner or an editor of the "
					       "session.");
	return false;
}

/* Since the token was looked up, or a ticket was made of it. */
static bool was_revoked(const struct work *work)
{
	return work->who.token != 0 && !right_token(work) &&
	       memcmp(&work->who.session, &work->session->meta.id, sizeof work->who.session) == 0;
}

bool right_check(struct work *work)
{
	static const enum allowed needs[] = {[READS] = SEE,  [CREATES] = SEE, [WRITES] = SEE,
					     [TURNS] = TURN, [OWNS] = OWN,    [OWNS_READS] = OWN};
	const enum allowed allowed = allowed_to(work), needed = needs[work->route->does];
	if (was_revoked(work)) {
		right_unknown(work);
		return false;
	}
	if (allowed == NOTHING && work->asks != RIGHTS_OF_CREATOR) {
		work_store_problem(work, STORE_NOT_FOUND); /* as if it were not there */
		return false;
	}
	if (work->session->meta.deleted && work->asks != RIGHTS_AFTER_DELETION) {
		problem_answer(work->request, PROBLEM_GONE, "This session was deleted.");
		return false;
	}
	return work->asks == RIGHTS_OF_CREATOR || allowed >= needed || refuse(work, needed);
}
