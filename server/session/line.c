/* line.c: who waits for a session, by rank and party. */
#include "server/session/line.h"

#include <string.h>

static enum line_rank rank_of(const struct visit *visit)
{
	if (visit->need == NEED_READ)
		return LINE_READS;
	return visit->urgent ? LINE_URGENT : LINE_TURNS;
}

static bool is_same_party(const struct visit *a, const struct visit *b)
{
	if (a->token != b->token || !a->client || !b->client)
		return a->token == b->token && a->client == b->client;
	return memcmp(a->client, b->client, CLIENT_KEY_BYTES) == 0;
}

/* Chooses the party, of LINE_PARTIES, that shares its turn with this visit. */
static unsigned shared_turn(const struct visit *visit)
{
	unsigned sum = visit->token;
	for (size_t i = 0; visit->client && i < CLIENT_KEY_BYTES; i++)
		sum = sum * 31 + visit->client[i];
	return sum % LINE_PARTIES;
}

/* The link to the first visit of a visit's party, or of the one that it shares a turn with; to the
 * end of the list if it has none. */
static struct visit **find_party(struct visit **link, const struct visit *visit)
{
	struct visit **shared = NULL;
	const unsigned share = shared_turn(visit);
	for (unsigned i = 0; *link && i < LINE_PARTIES; i++, link = &(*link)->next_party) {
		if (is_same_party(*link, visit))
			return link;
		if (i == share)
			shared = link;
	}
	return *link ? shared : link;
}

void line_put(struct line *line, struct visit *visit, bool again)
{
	struct visit **link = find_party(&line->first[rank_of(visit)], visit);
	struct visit *first = *link;
	line->waiting++;
	visit->next = visit->next_party = NULL;
	visit->last = visit;
	if (!first) {
		*link = visit;
	} else if (again) {
		visit->next = first;
		visit->last = first->last;
		visit->next_party = first->next_party;
		*link = visit;
	} else {
		first->last->next = visit;
		first->last = visit;
	}
}

/* Returns true if a visit has to wait for one that is apart. */
static bool waits_for_apart(const struct line *line, const struct visit *visit)
{
	if (line->apart_count >= LINE_PARTIES)
		return true;
	for (const struct visit *apart = line->apart; apart; apart = apart->next)
		if (is_same_party(apart, visit))
			return true;
	return false;
}

/* The first of that rank that need not wait for a visit that is apart. */
static struct visit *next_of(const struct line *line, enum line_rank rank)
{
	struct visit *visit = line->first[rank];
	while (visit && rank == LINE_TURNS && waits_for_apart(line, visit))
		visit = visit->next_party;
	return visit;
}

struct visit *line_next(const struct line *line)
{
	struct visit *next = NULL;
	for (int rank = 0; rank < LINE_RANKS && !next; rank++)
		next = next_of(line, (enum line_rank)rank);
	return next;
}

void line_take(struct line *line, struct visit *visit)
{
	struct visit **link = &line->first[rank_of(visit)], *following = visit->next;
	while (*link != visit)
		link = &(*link)->next_party;
	*link = visit->next_party;
	line->waiting--;
	visit->next = visit->next_party = NULL;
	if (!following)
		return;
	following->last = visit->last;
	following->next_party = NULL;
	while (*link)
		link = &(*link)->next_party;
	*link = following;
}

bool line_is_behind(const struct line *line, const struct visit *visit)
{
	const enum line_rank own = rank_of(visit);
	if (own == LINE_READS)
		return false;
	if (own == LINE_TURNS && waits_for_apart(line, visit))
		return true;
	for (int rank = LINE_URGENT; rank <= (int)own; rank++)
		if (next_of(line, (enum line_rank)rank))
			return true;
	return false;
}

void line_set_apart(struct line *line, struct visit *visit)
{
	visit->next = line->apart;
	line->apart = visit;
	line->apart_count++;
}

void line_rejoin(struct line *line, struct visit *visit)
{
	struct visit **link = &line->apart;
	while (*link != visit)
		link = &(*link)->next;
	*link = visit->next;
	visit->next = NULL;
	line->apart_count--;
}
