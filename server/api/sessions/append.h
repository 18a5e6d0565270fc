/* append.h: what all calls that append an entry share. */
#ifndef SERVER_API_SESSIONS_APPEND_H
#define SERVER_API_SESSIONS_APPEND_H

#include "server/api/input/input.h"
#include "server/api/input/moves.h"
#include "server/api/input/scramble.h"
#include "server/api/sessions/session_reply.h"

/* The way of an entry, in the order in which it goes. */
enum append_phase {
	APPEND_CHECK,       /* in the session */
	APPEND_ENTER_ALONE, /* again, when no write is under way */
	APPEND_ASK,         /* the store is asked... */
	APPEND_JUDGE,       /* ...and has answered */
	APPEND_PLAN,        /* the entry is worked out... */
	APPEND_SUBMIT,      /* ...and queued */
	APPEND_CONFLICT,    /* answered with what was missed */
	APPEND_REFUSED,     /* the reply is a problem */
	APPEND_WAIT,        /* goes on later, or has been answered */
};

struct append {
	enum entry_kind kind;
	enum append_phase phase;          /* that comes after the wait */
	struct moves_request moves;       /* of moves and scramble */
	struct cube_notes notes;          /* on them */
	struct scramble_request scramble; /* where one is to be made instead */
	int64_t revision;                 /* the client last saw, or -1 */
	int64_t count;                    /* of undo and redo */
	struct cube_view view;
	enum { REBASE_NO, REBASE_FITTING, REBASE_ALWAYS } rebase; /* what the caller asked for */

	/* Since the session was entered. */
	uint64_t about; /* the session, for its ETag */
	uint32_t seen;  /* the revision that it is rebased from; of which more was missed */
	bool rebased;   /* it was made on an older revision */
	bool conflict;  /* it cannot be rebased */
	unsigned axes;  /* of the turns that were missed; 0 where they do not matter */
	bool ask_actor; /* the store is asked for `actor` */
	uint32_t actor; /* of the newest entry in force */
	enum store_status status; /* of what the store was asked */
};

/* Reads what all have: the view, and the body by `members` (one of them may be `revision`). */
bool append_read(struct context *ctx, struct append *append, const struct json_member *members,
		 size_t count);

/* Enters the session and goes through preconditions, plan and write. For undo, redo and reset the
 * plan reads the history. */
void append_start(struct context *ctx, struct append *append);

/* Works out an entry on ctx->visit.snapshot: the state after it, its packed form, the answer. `cube` is
 * the cube it leads to where `entry` has no turns, else NULL. False with a problem where memory is
 * out. Any thread. */
bool append_plan(struct context *ctx, struct entry *entry, const struct cube *cube);

/* What stands between the parts: of a request for moves or a scramble that was answered before, from its body.
 * False with a problem. Any thread. */
bool append_write_notes_again(struct context *ctx, struct out *out, int size);

/* ---- append_answer.c ---- */

/* Writes the answer; false with a 503. Any thread. */
bool append_write_answer(struct context *ctx, const struct entry *entry,
			 const struct history *after);
/* Its parts: up to the notes on its moves, and from the cube on. `rebased_from` NULL: it was not
 * rebased. Any thread. */
void append_write_entry(struct out *out, const struct entry *entry, int size,
			const struct roster *roster, const uint32_t *rebased_from);
void append_write_cube(struct out *out, const struct cube *cube, const struct cube_view *view);

/* undo.c: the plan of undo, redo and reset. */
void undo_plan(struct context *ctx, struct store_reader *reader);

#endif
