/* session_out.c: writing sessions and entries. */
#include "server/api/sessions/session_out.h"

#include <stdio.h>
#include <string.h>

#include "server/store/session_id.h"

/* A page ends with the entry that brings it past this size. */
#define PAGE_BYTES (4u << 20)

const char *const access_names[ACCESS_COUNT] = {"edit", "view", "none"};
const char *const policy_names[POLICY_COUNT] = {"free", "alternate", "round-robin"};
const char *const role_names[ROLE_COUNT] = {"owner", "editor", "viewer"};

#define FEW_TURNS 16

void turns_write(struct out *out, int size, const struct cube_turn *turns, size_t count)
{
	/* Measured only where there are many: printing costs more than room. */
	const size_t room_bytes = count <= FEW_TURNS
					  ? FEW_TURNS * CUBE_TURN_TEXT_MAX
					  : cube_turns_print(size, turns, count, NULL, 0) + 1;
	out_open(out, '"');
	char *room = buffer_room(out->buffer, room_bytes);
	if (room)
		out->buffer->length += cube_turns_print(size, turns, count, room, room_bytes);
	out_close(out, '"');
}

void session_about_write(struct out *out, const struct session_meta *meta)
{
	out_key(out, "name");
	out_string(out, meta->name[0] ? meta->name : NULL);
	out_key(out, "access");
	out_string(out, access_names[meta->access]);
	out_key(out, "turn_policy");
	out_string(out, policy_names[meta->policy]);
}

void session_write(struct out *out, const struct session_meta *meta,
		   const struct cube_turn *scramble, size_t scramble_count,
		   const struct history *history, const struct cube_view *view,
		   enum cube_known known)
{
	char id[SESSION_ID_TEXT + 1];
	session_id_print(&meta->id, id);
	out_open(out, '{');
	out_key(out, "id");
	out_string(out, id);
	out_key(out, "size");
	out_integer(out, meta->size);
	session_about_write(out, meta);
	out_key(out, "revision");
	out_integer(out, history->revision);
	out_key(out, "created_at");
	out_time(out, meta->created_ms);
	out_key(out, "updated_at");
	out_time(out,
		 meta->updated_ms > history->updated_ms ? meta->updated_ms : history->updated_ms);
	out_key(out, "scramble");
	if (scramble_count > 0)
		turns_write(out, meta->size, scramble, scramble_count);
	else
		out_null(out);
	out_key(out, "cube");
	cube_write(out, history->cube, view, known);
	out_close(out, '}');
}

/* Printing a turn. */
#define TURN_NS 30

uint64_t session_cost(const struct context *ctx, const struct cube_view *view, int size,
		      size_t scramble_count)
{
	return cube_view_cost(ctx, view, size) + scramble_count * TURN_NS;
}

bool session_look(struct context *ctx, struct session_snapshot *snapshot)
{
	const struct session *session = ctx->visit.session;
	struct cube_turn *scramble = NULL;
	const size_t bytes = session->scramble_count * sizeof *scramble;
	if (bytes > 0) { /* it goes with the session, which may be read again meanwhile */
		scramble = ctx_take(ctx, bytes);
		if (!scramble)
			return false;
		memcpy(scramble, session->scramble, bytes);
	}
	session_take_snapshot(&ctx->visit, session->committed);
	*snapshot = (struct session_snapshot){.meta = session->meta,
					      .history = ctx->visit.snapshot,
					      .scramble = scramble,
					      .scramble_count = session->scramble_count};
	return true;
}

void session_reply(struct context *ctx, const struct session_snapshot *snapshot,
		   const struct cube_view *view, unsigned status, enum cube_known known,
		   const char *token)
{
	struct reply *reply = &ctx->request->reply;
	const struct etag_state state =
		etag_of_session(etag_about(&snapshot->meta), snapshot->history);
	etag_reply_session(ctx, &state, token ? ETAG_NEW_SESSION : ETAG_SESSION, view, 0);
	if (etag_unchanged(ctx))
		return;
	if (cube_reply_text(ctx, snapshot->history->cube, view, status)) {
		if (token)
			reply->token = ctx_reply_text(ctx, token, TOKEN_TEXT);
		return;
	}
	struct out out = {.buffer = &reply->body};
	session_write(&out, &snapshot->meta, snapshot->scramble, snapshot->scramble_count,
		      snapshot->history, view, known);
	if (token) { /* beside its members */
		out.buffer->length -= out.buffer->length > 0;
		out_key(&out, "token");
		out_string(&out, token);
		out_close(&out, '}');
	}
	ctx_reply_json(ctx, status);
}

void actor_write(struct out *out, const struct stored_token *token)
{
	char id[16];
	if (!token) {
		out_null(out);
		return;
	}
	snprintf(id, sizeof id, "%lu", (unsigned long)token->number);
	out_open(out, '{');
	out_key(out, "id");
	out_string(out, id);
	out_key(out, "label");
	out_string(out, token->label[0] ? token->label : NULL);
	out_key(out, "role");
	out_string(out, role_names[token->role]);
	out_close(out, '}');
}

void entry_write(struct out *out, const struct entry *entry, int size, const struct roster *roster)
{
	out_open(out, '{');
	out_key(out, "revision");
	out_integer(out, entry->revision);
	out_key(out, "kind");
	out_string(out, entry_kind_name(entry->kind));
	out_key(out, "moves");
	if (entry->has_turns)
		turns_write(out, size, entry->turns, entry->turn_count);
	else
		out_null(out);
	if (entry->times) {
		out_key(out, "times_ms");
		out_open(out, '[');
		for (size_t i = 0; i < entry->turn_count; i++)
			out_integer(out, entry->times[i]);
		out_close(out, ']');
	}
	if (entry->restores != HISTORY_NONE) {
		out_key(out, "restores");
		out_integer(out, entry->restores);
	}
	out_key(out, "actor");
	actor_write(out, roster_at(roster, entry->actor));
	out_key(out, "time");
	out_time(out, entry->time_ms);
	out_close(out, '}');
}

bool entry_page_visit(void *context, const struct entry *entry)
{
	struct entry_page *page = context;
	if (entry->revision > page->upto || page->count == page->limit)
		return false;
	if (page->lines)
		page->out->comma = false;
	entry_write(page->out, entry, page->size, page->roster);
	if (page->lines)
		buffer_add(page->out->buffer, "\n", 1);
	page->last = entry->revision;
	page->count++;
	return page->count < page->limit && page->out->buffer->length < PAGE_BYTES &&
	       !page->out->buffer->failed;
}

bool entry_page_more(const struct entry_page *page)
{
	return page->count > 0 && page->last < page->upto;
}
