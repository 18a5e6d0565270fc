/* line.h: the visits that wait for a session, and which of them is next.
 *
 * Nobody gets more of a session by asking more often. Visits of one party (an address with a token)
 * are served in the order of their arrival, and parties take turns, one visit each, in the order in
 * which they came. So a party waits for at most one visit of each other party, however many wait.
 * Ahead of these turns come, with turns of their own, visits that only read, which wait for nothing
 * but the session's loading, and urgent ones: an owner revokes a token, changes access, deletes.
 *
 * Computing apart. A visit that has locked its session and needs another thread (session_yield) is
 * apart: others enter meanwhile. The next one of its own party waits for it, but for urgent ones. If
 * LINE_PARTIES visits are apart, all that are not urgent wait.
 *
 * Nothing is allocated: the lists run through the visits. At most LINE_PARTIES parties of a rank
 * have turns of their own; while more wait, some share one. With the session cache's lock. */
#ifndef SERVER_SESSION_LINE_H
#define SERVER_SESSION_LINE_H

#include "server/session/visit.h"

#define LINE_PARTIES 64

/* In the order of service. */
enum line_rank { LINE_READS, LINE_URGENT, LINE_TURNS, LINE_RANKS };

/* All zero: nobody waits. */
struct line {
	/* By rank: the first visit of each party, linked by visit->next_party, in the order of their
	 * turns. A party's visits are linked by visit->next. */
	struct visit *first[LINE_RANKS];
	struct visit *apart; /* linked by visit->next */
	unsigned apart_count;
	unsigned waiting; /* except for the ones apart */
};

/* Adds a visit behind those of its party; `again`: ahead of them. */
void line_put(struct line *line, struct visit *visit, bool again);
/* Returns the visit whose turn it is; NULL: nobody waits, or only for visits that are apart. */
struct visit *line_next(const struct line *line);
/* Removes the visit that line_next() returned. It was its party's turn. */
void line_take(struct line *line, struct visit *visit);
/* Returns true if a visit that comes now must wait for the turn of another one. */
MUST_USE bool line_is_behind(const struct line *line, const struct visit *visit);

/* The visit, which does not wait, is apart until line_rejoin(). */
void line_set_apart(struct line *line, struct visit *visit);
void line_rejoin(struct line *line, struct visit *visit);

#endif
