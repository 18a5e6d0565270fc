/* cstimer.h: csTimer's format, both ways and without loss.
 *
 * An export is one JSON object. A member `session1`, `session2`, ... is a list of solves (an array,
 * or in older files a string that holds one), `properties` are the timer's own. A solve is
 *
 *     [[penalty, ms, split...], scramble, comment, unix seconds, [moves, puzzle]]
 *
 * penalty 0, 2000 or -1 for DNF; splits from the last phase to the first; the last member, moves
 * with times, is not always there. Of a solve its own text is kept, and of the file a frame: the
 * file with all lists empty. Frame and texts together are the file again, byte for byte except for
 * white space between solves; they keep what is not understood.
 *
 * csTimer cannot say that a solve was assisted: its comment ends with CSTIMER_ASSISTED then.
 *
 * Memory comes from the caller's arena. Any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_CSTIMER_H
#define SERVER_MODULES_TIMES_FILES_CSTIMER_H

#include "server/json/slice.h"
#include "server/store/solve_event.h"

struct cstimer_sessions;

/* A solve as read. Spans live as long as text and arena. */
struct cstimer_solve {
	struct span list;                        /* the list's name, "session1" */
	struct span source;                      /* the solve's own text */
	int64_t time_ms;                         /* or TIME_NONE if it is 0 or not understood */
	int64_t penalty_ms;                      /* or PENALTY_DNF */
	int64_t created_ms;                      /* since 1970; 0: unknown */
	struct span scramble, comment, solution; /* decoded; no bytes: none */
	int size;                                /* of the cube; 0: another puzzle, or unknown */
	enum solve_event event;
	struct span list_name; /* as its user knows it; no bytes: that of `list` */
	bool assisted;         /* its comment ended with the mark, which `comment` lacks */
};

#define CSTIMER_ASSISTED "[assisted]"

enum cstimer_result {
	CSTIMER_OK,
	CSTIMER_BAD,
	CSTIMER_FOREIGN,
	CSTIMER_TWICE,
	CSTIMER_MANY,
	CSTIMER_NO_MEMORY,
	CSTIMER_STOPPED
};

/* Reads a file, UTF-8; calls `visit` for each solve in order until it returns false. The rest goes to
 * `frame`. *offset is the fault on CSTIMER_BAD, the second list of a name on CSTIMER_TWICE.
 * CSTIMER_MANY: more than CSTIMER_LISTS_MAX lists.
 * CSTIMER_FOREIGN: JSON without a list of solves, or whose lists have nothing like a solve. Linear,
 * except for sorting the names. */
MUST_USE enum cstimer_result cstimer_read(struct span text, struct arena *arena,
					  bool (*visit)(void *context,
							const struct cstimer_solve *solve),
					  void *context, struct buffer *frame, size_t *offset);

/* Reads one solve's own text into all members but those of its list. False if out of memory. */
MUST_USE bool cstimer_solve_read(struct span source, struct arena *arena,
				 struct cstimer_solve *solve);
/* Returns the time when the solve was made, in ms since 1970; 0 if its own text does not say it. */
int64_t cstimer_solve_created(struct span source);

/* ---- writing ---- */

/* Writes a solve's text. `splits` are the ends of all phases but the last, in ms from the beginning,
 * ascending. */
void cstimer_solve_write(struct buffer *to, const struct cstimer_solve *solve,
			 const int64_t *splits, size_t split_count);
/* Makes the text of a solve that was read from a file of another kind, on the arena, into solve->source.
 * `ends` are those of its phases. Its time becomes TIME_NONE if it is 0, as cstimer_solve_read() has it.
 * False if out of memory. */
MUST_USE bool cstimer_solve_make(struct cstimer_solve *solve, const int64_t *ends, size_t count,
				 struct arena *arena);
/* The same text with another penalty and comment, assisted or not. */
void cstimer_solve_change(struct buffer *to, struct span source, int64_t penalty_ms,
			  struct span comment, bool assisted);

/* The frame for solves that came from no file. */
extern const char cstimer_frame_empty[];

/* Writes a frame with its lists filled in: `fill` appends the solves of a list, separated by commas,
 * to `to`. The lists of `sessions` that are new follow those of the frame, and its properties get their
 * names and events. False if the frame is no JSON object. */
MUST_USE bool cstimer_write(struct span frame, const struct cstimer_sessions *sessions,
			    void (*fill)(void *context, struct span list, struct buffer *to),
			    void *context, struct buffer *to);

#define CSTIMER_PHASES_MAX 16
/* The phases in a solve's own text: their ends in order of time, in ms from the beginning, the last
 * of them the time itself. Returns how many there are; 0 if there is no time. */
size_t cstimer_phases(struct span source, int64_t ends[CSTIMER_PHASES_MAX]);

#endif
