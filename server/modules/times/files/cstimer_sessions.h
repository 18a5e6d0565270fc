/* cstimer_sessions.h: what a csTimer file says of its lists, which csTimer calls sessions.
 *
 * properties.sessionData, an object or a string that holds one, has for each list its name and the type of
 * its scrambles:
 *
 *     {"1": {"name": "one hand", "opt": {"scrType": "333oh"}, "rank": 1}, ...}
 *
 * Older files have "scr" in the place of opt.scrType. Names are escaped as in HTML; a list without a
 * name has its number. Memory comes from the caller's arena. Any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_CSTIMER_SESSIONS_H
#define SERVER_MODULES_TIMES_FILES_CSTIMER_SESSIONS_H

#include "server/json/slice.h"
#include "server/store/solve_event.h"

#define CSTIMER_LISTS_MAX 2048

struct cstimer_session {
	struct span key;  /* "session1", without quotes */
	struct span name; /* decoded, at most CSTIMER_NAME_BYTES; no bytes: its number */
	int size;         /* of the cubes; 0: another puzzle, or unknown */
	enum solve_event event;
	bool added; /* by cstimer_session_for() */
};

#define CSTIMER_NAME_BYTES 200

/* The lists of a file, in its order, and those that were added. */
struct cstimer_sessions {
	struct cstimer_session *row;
	size_t count, capacity;
	int64_t last; /* the largest number of a list */
};

/* Returns true if a member of the file, with its quotes, may be a list: "session" and digits. */
bool cstimer_is_session(struct span quoted);

/* Reads the lists of a file, a JSON object, without their solves. More than CSTIMER_LISTS_MAX are not
 * read. False if out of memory. */
MUST_USE bool cstimer_sessions_read(struct span file, struct arena *arena,
				    struct cstimer_sessions *sessions);
/* The list with that key, without quotes; NULL: there is none. */
struct cstimer_session *cstimer_session_find(const struct cstimer_sessions *sessions,
					     struct span key);
/* Returns true if this is the user's name of the list. */
bool cstimer_session_is(const struct cstimer_session *session, struct span name);
/* The list for solves that come from no file: the first of that name, or without one the first of
 * that event and size; a new one if there is none. NULL: out of memory, or there are too many. */
struct cstimer_session *cstimer_session_for(struct cstimer_sessions *sessions, struct arena *arena,
					    struct span name, enum solve_event event, int size);

/* Writes properties, an object or no bytes for none, with the lists that were added. */
void cstimer_properties_write(struct buffer *to, struct span properties,
			      const struct cstimer_sessions *sessions, struct arena *arena);

#endif
