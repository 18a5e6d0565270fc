/* session_out.h: the JSON of sessions and entries in answers, events and exports. */
#ifndef SERVER_FORMAT_SESSION_OUT_H
#define SERVER_FORMAT_SESSION_OUT_H

#include "server/access/token.h"
#include "server/format/cube_out.h"
#include "server/history/history.h"
#include "server/store/store.h"
#include "server/util/error.h"

/* A session with its cube. `known` as in out_cube_member. */
void session_write(struct out *out, const struct session_meta *meta,
		   const struct cube_turn *scramble, size_t scramble_count,
		   const struct history *history, const struct answer_view *view,
		   enum cube_known known);
/* Its members, within an object. */
void session_members_write(struct out *out, const struct session_meta *meta,
			   const struct cube_turn *scramble, size_t scramble_count,
			   const struct history *history, const struct answer_view *view,
			   enum cube_known known);

/* Its members name, access, listed and turn_policy. */
void session_about_write(struct out *out, const struct session_meta *meta);

/* The API's names of access, by enum session_access. */
extern const char *const access_names[ACCESS_COUNT];
extern const char *const policy_names[POLICY_COUNT];
extern const char *const role_names[ROLE_COUNT];

/* `roster`: of the session, for the actor's name; NULL if it has no tokens. `turns`: with each turn
 * as an object, too; null if there are no moves. */
void entry_write(struct out *out, const struct entry *entry, int size, const struct roster *roster,
		 bool turns);
/* Its members, within an object. */
void entry_members_write(struct out *out, const struct entry *entry, int size,
			 const struct roster *roster, bool turns);

/* The member `standing`: how much can be undone and redone, who turned last, whose turn it is. */
void standing_write(struct out *out, const struct session_meta *meta, const struct history *history,
		    const struct roster *roster);
/* The member `you`: the caller with that token (NULL: none), and what they may do. */
void you_write(struct out *out, const struct session_meta *meta, const struct roster *roster,
	       const struct stored_token *token);

/* A member with the id of a token: its number, as text; null for 0. */
void token_id_write(struct out *out, const char *key, uint32_t number);
/* {"id", "label", "role"}; null for no token. */
void actor_write(struct out *out, const struct stored_token *token);

/* A page of entries, filled by visiting the store. */
struct entry_page {
	struct out *out;
	bool lines; /* one entry a line, else items of an array */
	int size;   /* of the cube */
	bool turns; /* as entry_write() has it */
	const struct roster *roster;
	uint32_t upto;  /* newest revision to show */
	uint32_t limit; /* entries at most */
	uint32_t count;
	uint32_t last; /* revision of the last entry written */
};
/* A store_visit_entry with a struct entry_page: stops at the limits, and when the page exceeds some
 * MiB. */
MUST_USE bool entry_page_visit(void *page, const struct entry *entry);
/* Returns true if there are entries after the page. */
MUST_USE bool entry_page_more(const struct entry_page *page);

#define ENTRY_PAGE_MAX 1000

#endif
