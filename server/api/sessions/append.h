/* append.h: what all calls that append an entry share. */
#ifndef SERVER_API_SESSIONS_APPEND_H
#define SERVER_API_SESSIONS_APPEND_H

#include "server/api/input/input.h"
#include "server/api/input/moves.h"
#include "server/api/input/scramble.h"
#include "server/api/sessions/session_reply.h"
#include "server/util/error.h"

/* The phases of appending an entry, in order. */
enum append_phase {
	APPEND_CHECK,       /* in the session */
	APPEND_ENTER_ALONE, /* enters again once no write is under way */
	APPEND_ASK,         /* asks the store... */
	APPEND_JUDGE,       /* ...and judges its answer */
	APPEND_PLAN,        /* plans the entry... */
	APPEND_SUBMIT,      /* ...and queues it */
	APPEND_CONFLICT,    /* answers with what was missed */
	APPEND_REFUSED,     /* the reply is a problem */
	APPEND_ANSWERED,
	APPEND_WAIT, /* continues later, or has been answered */
};

/* Whether moves are applied although their revision is stale. */
enum rebase {
	REBASE_NEVER,
	REBASE_COMMUTING, /* if their order and that of the missed ones makes no difference */
	REBASE_ALWAYS,
};

struct append {
	enum entry_kind kind;
	enum append_phase resume_at;      /* the next one after a wait */
	struct moves_request moves;       /* of moves and scramble */
	struct cube_notes notes;          /* on them */
	struct scramble_request scramble; /* if the server makes the scramble */
	int64_t revision;                 /* last seen by the client, or -1 */
	int64_t count;                    /* of undo and redo */
	struct cube_view view;
	bool turns;     /* each entry with its turns as objects */
	uint8_t rebase; /* enum rebase: what the caller asked for */

	/* Set after entering the session: */
	uint64_t about; /* hash of the session, for its ETag */
	uint32_t seen;  /* the revision it is rebased from; entries after it were missed */
	bool rebased;   /* made on an older revision */
	bool conflict;  /* cannot be rebased */
	unsigned axes;  /* of the missed turns; 0 if they do not matter */
	enum store_status status;    /* of the store's answer */
	struct store_reader *reader; /* while undo, redo or reset is planned */
	struct recording *recording; /* of the solve that the entry ends */
};

/* Reads what all calls share: the view, and the body by `members` (one of them may be
 * `revision`). */
MUST_USE bool append_read(struct context *ctx, struct append *append,
			  const struct json_member *members, size_t count);

/* Enters the session and goes through preconditions, plan and write. For undo, redo and reset the
 * plan reads the history. */
void append_start(struct context *ctx, struct append *append);

/* Plans an entry on ctx->visit.snapshot: the state after it, its packed form, the answer. `cube` is
 * the resulting cube if `entry` has no turns, else NULL. False with a problem if out of memory. Any
 * thread. */
bool append_plan(struct context *ctx, struct entry *entry, const struct cube *cube);

/* Writes the notes between the two parts of the answer again, for a retried request for moves or a
 * scramble, from its body. False with a problem. Any thread. */
MUST_USE bool append_write_notes_again(struct context *ctx, struct out *out, int size);

/* ---- append_answer.c ---- */

/* Writes the answer; false with a 503. Any thread. */
MUST_USE bool append_write_answer(struct context *ctx, const struct entry *entry,
				  const struct history *after);
/* The answer's parts: up to the notes on the moves, and from the cube on. `turns`: as entry_write()
 * has it. `rebased_from` NULL: it was not rebased. Any thread. */
void append_write_entry(struct out *out, const struct entry *entry, int size, bool turns,
			const struct roster *roster, const uint32_t *rebased_from);
void append_write_cube(struct out *out, const struct cube *cube, const struct cube_view *view);

/* undo.c: the plan of undo, redo and reset. */
void undo_plan(struct context *ctx, struct store_reader *reader);

#endif
