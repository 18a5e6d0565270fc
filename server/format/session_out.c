/* session_out.c: writing sessions and entries as JSON. */
#include "server/format/session_out.h"

#include <stdio.h>
#include <string.h>

#include "cube/turn.h"
#include "server/access/right.h"
#include "server/store/session_id.h"

/* A page ends with the entry that takes it past this size. */
#define PAGE_BYTES (4u << 20)
/* Entries to undo or redo are not counted any further. */
#define STANDING_MAX 1000

const char *const access_names[ACCESS_COUNT] = {"edit", "view", "none"};
const char *const policy_names[POLICY_COUNT] = {"free", "alternate", "round-robin"};
const char *const role_names[ROLE_COUNT] = {"owner", "editor", "viewer"};

void session_about_write(struct out *out, const struct session_meta *meta)
{
	out_member_string(out, "name", meta->name[0] ? meta->name : NULL);
	out_member_string(out, "access", access_names[meta->access]);
	out_member_bool(out, "listed", meta->listed);
	out_member_string(out, "turn_policy", policy_names[meta->policy]);
}

void session_write(struct out *out, const struct session_meta *meta,
		   const struct cube_turn *scramble, size_t scramble_count,
		   const struct history *history, const struct answer_view *view,
		   enum cube_known known)
{
	out_open(out, '{');
	session_members_write(out, meta, scramble, scramble_count, history, view, known);
	out_close(out, '}');
}

void session_members_write(struct out *out, const struct session_meta *meta,
			   const struct cube_turn *scramble, size_t scramble_count,
			   const struct history *history, const struct answer_view *view,
			   enum cube_known known)
{
	char id[SESSION_ID_TEXT + 1];
	session_id_print(&meta->id, id);
	out_member_string(out, "id", id);
	out_member_integer(out, "size", meta->size);
	session_about_write(out, meta);
	out_member_integer(out, "revision", history->revision);
	out_member_time(out, "created_at", meta->created_ms);
	out_member_time(out, "updated_at",
			meta->updated_ms > history->updated_ms ? meta->updated_ms
							       : history->updated_ms);
	out_key(out, "scramble");
	if (scramble_count > 0)
		turns_write(out, meta->size, scramble, scramble_count);
	else
		out_null(out);
	out_cube_member(out, history->cube, view, known);
}

void actor_write(struct out *out, const struct stored_token *token)
{
	if (!token) {
		out_null(out);
		return;
	}
	out_open(out, '{');
	token_id_write(out, "id", token->number);
	out_member_string(out, "label", token->label[0] ? token->label : NULL);
	out_member_string(out, "role", role_names[token->role]);
	out_close(out, '}');
}

void standing_write(struct out *out, const struct session_meta *meta, const struct history *history,
		    const struct roster *roster)
{
	const uint32_t last = history->last_actor;
	const uint64_t undoable = history_undoable_upto(history, STANDING_MAX);
	const bool round = meta->policy == POLICY_ROUND_ROBIN && undoable > 0;
	out_member_open(out, "standing", '{');
	out_member_integer(out, "revision", history->revision);
	out_member_integer(out, "undoable", (int64_t)undoable);
	out_member_integer(out, "redoable", (int64_t)history_redoable_upto(history, STANDING_MAX));
	out_key(out, "last");
	actor_write(out, roster_at(roster, last));
	out_key(out, "next");
	actor_write(out, round ? roster_at(roster, right_next(roster, meta, last)) : NULL);
	out_close(out, '}');
}

void you_write(struct out *out, const struct session_meta *meta, const struct roster *roster,
	       const struct stored_token *token)
{
	static const char *const names[] = {[RIGHT_NONE] = "none",
					    [RIGHT_SEE] = "viewer",
					    [RIGHT_TURN] = "editor",
					    [RIGHT_OWN] = "owner"};
	out_member_open(out, "you", '{');
	token_id_write(out, "id", token ? token->number : 0);
	out_member_string(out, "label", token && token->label[0] ? token->label : NULL);
	out_member_string(out, "role", names[right_of(roster, meta, token)]);
	out_close(out, '}');
}

void token_id_write(struct out *out, const char *key, uint32_t number)
{
	char id[16];
	snprintf(id, sizeof id, "%lu", (unsigned long)number);
	out_member_string(out, key, number != 0 ? id : NULL);
}

void entry_write(struct out *out, const struct entry *entry, int size, const struct roster *roster,
		 bool turns)
{
	out_open(out, '{');
	entry_members_write(out, entry, size, roster, turns);
	out_close(out, '}');
}

void entry_members_write(struct out *out, const struct entry *entry, int size,
			 const struct roster *roster, bool turns)
{
	out_member_integer(out, "revision", entry->revision);
	out_member_string(out, "kind", entry_kind_name(entry->kind));
	out_key(out, "moves");
	if (entry->has_turns)
		turns_write(out, size, entry->turns, entry->turn_count);
	else
		out_null(out);
	if (turns) {
		out_key(out, "turns");
		if (entry->has_turns)
			turn_list_write(out, size, entry->turns, entry->turn_count);
		else
			out_null(out);
	}
	if (entry->times) {
		out_member_open(out, "times_ms", '[');
		for (size_t i = 0; i < entry->turn_count; i++)
			out_integer(out, entry->times[i]);
		out_close(out, ']');
	}
	if (entry->restores != HISTORY_NONE)
		out_member_integer(out, "restores", entry->restores);
	out_key(out, "actor");
	actor_write(out, roster_at(roster, entry->actor));
	out_member_time(out, "time", entry->time_ms);
}

bool entry_page_visit(void *context, const struct entry *entry)
{
	struct entry_page *page = context;
	if (entry->revision > page->upto || page->count == page->limit)
		return false;
	if (page->lines)
		page->out->comma = false;
	entry_write(page->out, entry, page->size, page->roster, page->turns);
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
