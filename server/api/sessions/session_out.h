/* session_out.h: sessions and entries in answers, and what their handlers share. */
#ifndef SERVER_API_SESSIONS_SESSION_OUT_H
#define SERVER_API_SESSIONS_SESSION_OUT_H

#include "server/api/cubes/cube_out.h"
#include "server/api/steps/etag.h"
#include "server/session/session_cache.h"

/* A session with its cube. `known` as in cube_write. */
void session_write(struct out *out, const struct session_meta *meta,
		   const struct cube_turn *scramble, size_t scramble_count,
		   const struct history *history, const struct cube_view *view,
		   enum cube_known known);

/* What an answer about a session is written from: nobody changes it meanwhile, so that it may be
 * written on any thread. */
struct session_snapshot {
	struct session_meta meta;
	const struct history *history;    /* held by the context, as its snapshot or as `after` */
	const struct cube_turn *scramble; /* of its creation, on the context's arena; NULL: none */
	size_t scramble_count;
};

/* Takes one of the session that the context has entered, at its committed state, which becomes the
 * work's snapshot. With the service's lock. False with a 503 where memory is out. */
bool session_look(struct context *ctx, struct session_snapshot *snapshot);

/* Answers with the session. `token`: of its owner, beside its members; NULL: none. Any thread. */
void session_reply(struct context *ctx, const struct session_snapshot *snapshot,
		   const struct cube_view *view, unsigned status, enum cube_known known,
		   const char *token);
/* What that costs, in ns. */
uint64_t session_cost(const struct context *ctx, const struct cube_view *view, int size,
		      size_t scramble_count);

/* sessions.c: what is known of the cube that a session is being created with. */
enum cube_known session_create_known(const struct context *ctx);

/* Its members name, access and turn_policy. */
void session_about_write(struct out *out, const struct session_meta *meta);

/* The API's names of access, by enum session_access. */
extern const char *const access_names[ACCESS_COUNT];
extern const char *const policy_names[POLICY_COUNT];
extern const char *const role_names[ROLE_COUNT];

/* Turns as a string value. */
void turns_write(struct out *out, int size, const struct cube_turn *turns, size_t count);

/* `roster`: of the session, for the actor's name; NULL where it has no tokens. */
void entry_write(struct out *out, const struct entry *entry, int size, const struct roster *roster);

/* {"id", "label", "role"}; null for no token. */
void actor_write(struct out *out, const struct stored_token *token);

/* A page of entries, filled by a store's visits. */
struct entry_page {
	struct out *out;
	bool lines; /* an entry a line, else items of an array */
	int size;   /* of the cube */
	const struct roster *roster;
	uint32_t upto;  /* newest revision to show */
	uint32_t limit; /* entries at most */
	uint32_t count;
	uint32_t last; /* revision of the last entry written */
};
/* A store_visit_entry with a struct entry_page: stops at the limits, also when the page grows past
 * some MiB. */
bool entry_page_visit(void *page, const struct entry *entry);
/* Whether there are entries behind the page. */
bool entry_page_more(const struct entry_page *page);

#define ENTRY_PAGE_MAX 1000

/* What If-Match and If-None-Match, and the member `revision`, say of the head of the session that
 * the context has entered. */
enum precondition { PRECONDITION_HOLDS, PRECONDITION_HEADER, PRECONDITION_REVISION };

/* `revision` < 0: none was given. `*seen` is set to the revision the client last saw, as far as it
 * can be told. */
enum precondition precondition_check(const struct context *ctx, int64_t revision, uint32_t *seen);

/* Answers 412 or 409 with what was missed since `seen`, as of the session's committed state. No
 * write is under way. */
void precondition_answer(struct context *ctx, enum precondition failed, uint32_t seen,
			 const struct cube_view *view);

#endif
