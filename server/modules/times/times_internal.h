/* times_internal.h: recorded solves: what the handlers of /v1/solves share. The rules are in
 * docs/reference/solves.md. */
#ifndef SERVER_MODULES_TIMES_TIMES_INTERNAL_H
#define SERVER_MODULES_TIMES_TIMES_INTERNAL_H

#include "server/api/steps/etag.h"
#include "server/json/slice.h"
#include "server/json/writer.h"
#include "server/session/session_cache.h"
#include "server/util/error.h"

/* ---- write_solve.c: writing ---- */

/* The moves of a solve, read from its text. */
struct solve_moves {
	struct cube_turn *turns;
	uint32_t *times; /* ms, of each; NULL: none */
	size_t count;
};
/* Reads the moves; `moves` is empty if there are none or they cannot be read, as in some imported
 * solves. False if out of memory. Free with solve_moves_free. */
MUST_USE bool solve_moves_read(const struct stored_solve *solve, size_t most,
			       struct solve_moves *moves);
void solve_moves_free(struct solve_moves *moves);
/* From the first move to the last, of moves with times; none if no hand can have made them in that time. */
int64_t solve_moves_time(const struct solve_moves *moves, int size);

/* Write a member: a text or, for NULL, null; a number or null; an id. */
void text_member(struct out *out, const char *key, const char *text);
void number_member(struct out *out, const char *key, int64_t number, bool there);
void solve_id_write(struct out *out, const char *key, const uint8_t bytes[SESSION_ID_BYTES]);

/* The members of a solve, without brackets. `roster` is that of its book; NULL: the actor is left
 * out. False if out of memory. */
MUST_USE bool book_write_solve(struct out *out, const struct stored_solve *solve,
			       const struct solve_moves *moves, const struct roster *roster);
/* The state for its ETag. */
struct etag_state solve_state(const struct stored_solve *solve);
/* The form of its ETag: the name of the solver, which may change; 0: none. */
uint64_t solve_form(const struct stored_solve *solve, const struct roster *roster);
/* The members `result` and `result_ms`; null for TIME_NONE, as is `result_ms` for a DNF. */
void result_members(struct out *out, int64_t result);
/* {"result", "result_ms"}; null for TIME_NONE. */
void result_write(struct out *out, int64_t result);

/* stage_times.c: the member `stages`; null if they are unknown. False as above. */
MUST_USE bool solve_stages_write(struct out *out, const struct stored_solve *solve,
				 const struct solve_moves *moves);
/* Rough cost in ns. */
uint64_t solve_stages_cost(int size, size_t moves);

/* ---- book_query.c: the query ---- */

/* Reads the id of the book into ctx->visit.id: that of the member or else the parameter `session`, or
 * else of the token. *there: one of them was sent. False with a 400. */
MUST_USE bool book_read(struct context *ctx, struct text member, bool *there);
/* Enters the book of a request, that of the parameter `session` or else of its token, and calls
 * `entered`. Otherwise answers 400, 404 and so on; without both 400. */
void book_enter(struct context *ctx, enum session_need need, void (*entered)(struct context *ctx));
/* The same, but without both calls `entered` in no session. */
void book_enter_or_new(struct context *ctx, enum session_need need,
		       void (*entered)(struct context *ctx));
/* Reads the parameter `event`; EVENT_USUAL if it is absent. */
MUST_USE bool event_parameter(struct context *ctx, enum solve_event *event);
/* Reads size, from, to, penalty, assisted, event and list into a query whose other members are set. */
MUST_USE bool solve_query_read(struct context *ctx, struct solve_query *query);

/* Finds the solve of the path and enters its book; then calls `entered` with a copy of the solve in
 * *solve, on the arena. Otherwise answers 404 and so on. */
void solve_find(struct context *ctx, enum session_need need, struct stored_solve *solve,
		void (*entered)(struct context *ctx));
/* A copy whose texts are on the context's arena. False with a 503. */
MUST_USE bool solve_keep(struct context *ctx, const struct stored_solve *solve,
			 struct stored_solve *copy);

/* ---- members.c: reading members; false with a 400 ---- */

/* The longest name of a list. */
#define LIST_NAME_BYTES 200

/* "none" or "ok", "+2", "+4", "+6", "+8" (the plus may be absent) or "dnf", in any case, into ms. */
MUST_USE bool penalty_read(struct context *ctx, struct text name, const char *pointer,
			   int64_t *penalty_ms);
/* The same without an answer. */
MUST_USE bool penalty_find(struct text name, int64_t *penalty_ms);
/* The member `comment`: a string, or null for none. */
MUST_USE bool comment_read(struct context *ctx, struct json_value *value, const char **comment);
/* The member `list`: a string; NULL and null are none, as is "". */
MUST_USE bool list_read(struct context *ctx, struct json_value *value, const char **list);
MUST_USE bool list_name_fits(struct text name);
/* The member `event`: an id. */
MUST_USE bool event_read(struct context *ctx, struct text id, enum solve_event *event);
/* Finds an event by its id; EVENT_USUAL if there is none. *suggestion: what was probably meant, or
 * NULL; `expected`: all ids. */
#define EVENTS_TEXT_MAX 192
MUST_USE enum solve_event event_find(struct text id, char expected[EVENTS_TEXT_MAX],
				     const char **suggestion);
/* Returns true if cubes of this size (0: no cube) have this event. */
MUST_USE bool event_check(struct context *ctx, enum solve_event event, int64_t size);
/* Gives a solve another list, if `listed`, and another event, unless that is EVENT_USUAL. It leaves the
 * list that it had in a file. */
MUST_USE bool solve_place(struct context *ctx, struct stored_solve *solve, bool listed,
			  const char *list, enum solve_event event);
/* The member `splits`: an array of {"name", "time_ms"}, or NULL for none; into JSON on the arena, NULL
 * for none. *last_ms: the time of the last, -1: none. */
MUST_USE bool splits_read(struct context *ctx, struct json_value *array, const char **splits,
			  int64_t *last_ms);
void split_write(struct out *out, const char *name, int64_t time_ms);
/* The member `created_at`: a date and time since 1970; 0 if absent. */
MUST_USE bool created_read(struct context *ctx, struct text text, int64_t *created_ms);

/* ---- post.c: recording ---- */

/* A penalty's text, for any number of ms. */
#define PENALTY_TEXT_MAX 24
const char *penalty_print(int64_t penalty_ms, char text[PENALTY_TEXT_MAX]);

/* A book for solves that are sent without one: a session of that size, and its owner's token. Fills
 * in ctx->visit.write and ctx->visit.after; `token` has room for TOKEN_TEXT + 1. False with a
 * problem. */
MUST_USE bool book_make(struct context *ctx, int size, struct stored_token *owner, char *token);
/* Returns the id of the session whose book the request is about: the one that it entered, or else
 * the one of book_make(). */
const struct session_id *book_id(const struct context *ctx);
/* Stores ctx->visit.write's solves in the session that the context is in, or with the new book,
 * after checking that there is room. */
void solves_store(struct context *ctx);

/* ---- making answers again, from the receipt and the body ---- */

struct receipt_answer;
/* post.c; the body is parsed. Any thread. */
void times_post_again(struct context *ctx, const struct receipt_answer *answer);
/* recorded.c: from the solve as it is stored, including what other requests have changed since. On a
 * reader's thread. */
void times_change_again(struct context *ctx, struct store_reader *reader,
			const struct receipt_answer *answer);

/* ---- list_as_file.c: the list as a file ---- */

/* Answers the context with all solves of a book: those present when the first reading ends, each as
 * it is when it is written. */
void solves_export(struct context *ctx, const struct solve_query *query);

#endif
