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
	APPEND_MAKE,        /* makes the turns outside of the session, then begins again */
	APPEND_PLAN,        /* plans the entry... */
	APPEND_SUBMIT,      /* ...and queues it */
	APPEND_CONFLICT,    /* answers with what was missed */
	APPEND_REFUSED,     /* the reply is a problem */
	APPEND_ANSWERED,
	APPEND_WAIT, /* continues later, or has been answered */
};

/* The rule for applying moves although their revision is stale. */
enum rebase {
	REBASE_NEVER,
	REBASE_COMMUTING, /* if their order and that of the missed ones makes no difference */
	REBASE_ALWAYS,
};

/* The turns of an entry of moves or a scramble, which do not depend on the session's state. */
struct append_turns {
	bool ready;
	int size;
	struct cube_turn *turns;
	size_t count;
	uint32_t *times; /* of moves; NULL: unknown */
	/* A solved cube after them, if composing is faster than turning; else NULL. */
	const struct cube *effect;
};

struct append {
	enum entry_kind kind;
	enum append_phase resume_at;      /* the next one after a wait */
	struct moves_request moves;       /* of moves and scramble */
	struct cube_notes notes;          /* on them */
	struct scramble_request scramble; /* if the server makes the scramble */
	int64_t revision;                 /* last seen by the client, or -1 */
	int64_t count;                    /* of undo and redo */
	struct answer_view view;
	bool turns;     /* each entry with its turns as objects */
	uint8_t rebase; /* enum rebase: what the caller asked for */
	struct append_turns made;

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

/* Plans an entry on ctx->visit.snapshot: the state after it, its packed form, the answer. Set in
 * `entry`: kind, restores, and its turns, the resulting cube, or both. False with a problem if out
 * of memory. Any thread. */
bool append_plan(struct context *ctx, struct entry *entry);

/* Writes the notes between the two parts of the answer again, for a retried request for moves or a
 * scramble, from its body. False with a problem. Any thread. */
MUST_USE bool append_write_notes_again(struct context *ctx, struct out *out, int size);

/* ---- append_turns.c: the turns of an entry, made before the session is entered if that takes
 * long ---- */

/* The cost of making them for a cube of that size, in ns; 0: they are made, or there are none. */
uint64_t append_turns_cost(const struct append *append, int size);
/* Makes append->made, for a cube of made.size. False with a problem. Any thread. */
MUST_USE bool append_turns_make(struct context *ctx, struct append *append);
/* The same, with the effect of many turns. A problem shows in the reply's status. Any thread. */
void append_turns_prepare(struct context *ctx);
/* The cost of turning a cube and of writing the entry, in ns. */
uint64_t append_entry_cost(const struct append *append, int size);
/* Sets the turns of an entry, and the cube after it if they have an effect on record, on the arena.
 * False with a problem. Any thread. */
MUST_USE bool append_turns_take(struct context *ctx, const struct append *append,
				struct entry *entry);
/* Reads the moves of a request; only an entry of moves may have times. */
MUST_USE bool append_read_moves(struct context *ctx, struct append *append, int size,
				struct cube_alg *alg, uint32_t **times);

/* ---- append_answer.c ---- */

/* Writes the answer; false with a 503. Any thread. */
MUST_USE bool append_write_answer(struct context *ctx, const struct entry *entry,
				  const struct history *after);
/* The answer's parts: up to the notes on the moves, and from the cube on. `turns`: as entry_write()
 * has it. `rebased_from` NULL: it was not rebased. Any thread. */
void append_write_entry(struct out *out, const struct entry *entry, int size, bool turns,
			const struct roster *roster, const uint32_t *rebased_from);
void append_write_cube(struct out *out, const struct cube *cube, const struct answer_view *view);

/* undo.c: the plan of undo, redo and reset. */
void undo_plan(struct context *ctx, struct store_reader *reader);

#endif
