/* join_internal.h: a joined session, for the files of this folder. */
#ifndef TERMINAL_JOIN_JOIN_INTERNAL_H
#define TERMINAL_JOIN_JOIN_INTERNAL_H

#include "clients/terminal/join/transfer.h"
#include "clients/terminal/join/join.h"
#include "server/json/reader.h"

#define NAME_BYTES 48
#define NOTICE_BYTES 200

/* Turns of one entry. */
#define WRITE_TURNS_MAX 1000

/* The request that is under way, or is to be repeated. */
struct join_write {
	bool active;
	bool turns; /* the first `sent` own turns; else `change` */
	enum play_change change;
	struct buffer body; /* with a NUL */
	char header[64];    /* its Idempotency-Key */
	int64_t sent_ms;
	int64_t repeat_ms; /* when it is sent again; -1: an answer is awaited */
	int failures;
	int64_t revision; /* of its entry, once that is known; else -1 */
};

struct join {
	struct transfers http;
	struct join_address address;
	struct play *play; /* NULL until play_main() has begun */
	struct cube *cube; /* of the first state */
	int64_t revision;  /* -1: no state yet */
	char last_id[64];  /* of the newest event; "": none */
	int64_t begin_ms;  /* times of moves count from here */
	bool open_access;  /* everybody who may see it may turn it */
	bool role_turns;   /* the token's role may turn it */
	char people[NOTICE_BYTES];
	/* The stream. */
	bool online, ended;
	int failures;
	int64_t open_ms; /* when it is opened again; -1: it is open */
	char trouble[NOTICE_BYTES];
	/* Own changes: `asked` times `change`, which were not sent yet. */
	struct join_write write;
	enum play_change change;
	int asked;
	char notice[NOTICE_BYTES], status[2 * NOTICE_BYTES];
	bool changed; /* something is to be shown */
};

/* Copies text for the screen: a line of ASCII, each other character as "?". */
void join_text(char *to, size_t capacity, struct text from);
/* Shows a line about what happened. */
void join_notify(struct join *join, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The time of the next attempt. */
int64_t join_backoff(int failures, int64_t now_ms);
/* Writes the text of an answer with an error, or why there was none. */
void join_problem(const struct transfer *call, char *text, size_t capacity);
/* Returns whether a failed request makes sense later. */
bool join_temporary(const struct transfer *call);
/* Ends the session here, for this reason: the cube can only be looked at. */
void join_end(struct join *join, const char *why);

/* ---- events.c ---- */

/* Reads the complete lines that were received; none while the request under way has no answer, and only
 * the first state before the game begins. */
void join_read_events(struct join *join, int64_t now_ms);

/* ---- write.c ---- */

extern const struct play_calls join_calls;

/* Returns whether the request under way has no answer yet. No event is read then, since one of
 * them may be its entry. */
bool join_in_doubt(const struct join *join);
/* Takes an answer, repeats, or sends what is next. */
void join_write_step(struct join *join, int64_t now_ms);
/* The entry of the request was received. */
void join_write_done(struct join *join);

#endif
