/* listing.c: all solutions of a cube, length by length. */
#include "server/search/listing.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cube/algorithm.h"
#include "cube/cube.h"

static int compare_turns(const struct cube_turn *a, const struct cube_turn *b)
{
	if (a->face != b->face)
		return a->face < b->face ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return (a->quarters & 3) - (b->quarters & 3);
}

static int compare_ways(const struct cube_turn *a, size_t a_count, const struct cube_turn *b,
			size_t b_count)
{
	const size_t common = a_count < b_count ? a_count : b_count;
	for (size_t i = 0; i < common; i++) {
		const int order = compare_turns(&a[i], &b[i]);
		if (order != 0)
			return order;
	}
	return a_count == b_count ? 0 : a_count < b_count ? -1 : 1;
}

/* By length, then by the turns on the normal, then by those on the inverse. */
static int compare(const struct solve_turns *a, const struct solve_turns *b)
{
	const size_t a_normal = a->count - a->inverse, b_normal = b->count - b->inverse;
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	const int order = compare_ways(a->turns, a_normal, b->turns, b_normal);
	if (order != 0)
		return order;
	return compare_ways(a->turns + a_normal, a->inverse, b->turns + b_normal, b->inverse);
}

/* Returns the place where the solution belongs; `*there`: it is there already. */
static unsigned place_of(const struct solve_answer *answer, const struct solve_turns *found,
			 bool *there)
{
	unsigned low = 0, high = answer->count;
	*there = false;
	while (low < high && !*there) {
		const unsigned middle = low + (high - low) / 2;
		const int order = compare(&answer->found[middle], found);
		*there = order == 0;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return high;
}

/* Room for one more: the array has a power of two, or as many as the question wants. */
static bool grow(const struct solve_question *question, struct solve_answer *answer)
{
	const unsigned count = answer->count;
	if (count > 0 && (count & (count - 1)) != 0)
		return true;
	unsigned room = count > 0 ? 2 * count : 1;
	room = room < question->solutions ? room : question->solutions;
	struct solve_turns *found = realloc(answer->found, room * sizeof *found);
	if (found)
		answer->found = found;
	return found != NULL;
}

static void order_turns(int size, const struct solve_turns *found)
{
	const size_t normal = found->count - found->inverse;
	cube_turns_order(size, found->turns, normal);
	if (found->inverse > 0)
		cube_turns_order(size, found->turns + normal, found->inverse);
}

bool listing_insert(const struct solve_question *question, struct solve_turns found,
		    struct solve_answer *answer)
{
	bool there, grown = true;
	/* The steps of a lesson say which turns are theirs: the only solution stays as it is. */
	if (question->solutions > 1)
		order_turns(question->cube->size, &found);
	const unsigned at = place_of(answer, &found, &there);
	if (there || at >= question->solutions ||
	    (answer->count < question->solutions && !(grown = grow(question, answer)))) {
		free(found.turns);
		return grown;
	}
	if (answer->count == question->solutions)
		free(answer->found[--answer->count].turns);
	memmove(&answer->found[at + 1], &answer->found[at],
		(answer->count - at) * sizeof answer->found[0]);
	answer->found[at] = found;
	answer->count++;
	return true;
}

/* ---- all of a length ---- */

struct listing {
	const struct solve_question *question;
	struct solve_answer *answer;
	struct solve_tally *tally;
	bool count_all; /* even if no more are wanted */
	bool full, no_memory;
	/* With a feed: */
	const struct solve_scratch *scratch;
	unsigned fed;
	bool closed, wrong;
};

static bool is_full(const struct listing *listing)
{
	if (listing->question->feed)
		return listing->question->solutions > 0 &&
		       listing->fed >= listing->question->solutions;
	return listing->answer->count >= listing->question->solutions;
}

/* A copy is made only if it belongs into the list: there may be very many. */
static bool keep(struct listing *listing, const struct solve_turns *lent)
{
	struct solve_answer *answer = listing->answer;
	struct solve_turns found = *lent;
	if (is_full(listing) && compare(&found, &answer->found[answer->count - 1]) > 0)
		return true;
	found.turns = malloc((found.count + 1) * sizeof *found.turns);
	if (!found.turns)
		return false;
	memcpy(found.turns, lent->turns, found.count * sizeof *found.turns);
	return listing_insert(listing->question, found, answer);
}

static bool feed_one(struct listing *listing, const struct solve_turns *found)
{
	const struct solve_question *question = listing->question;
	listing->wrong = !solve_is_right(question, listing->scratch, found);
	if (listing->wrong)
		return false;
	listing->closed = !feed_put(question->feed, question->cube->size, found);
	listing->fed++;
	listing->full = is_full(listing);
	return !listing->full && !listing->closed;
}

static bool add(void *context, const struct solve_turns *found)
{
	struct listing *listing = context;
	listing->tally->count++;
	if (listing->question->feed)
		return feed_one(listing, found);
	listing->no_memory = !keep(listing, found);
	listing->full = !listing->count_all && is_full(listing);
	return !listing->full && !listing->no_memory;
}

static enum solve_end list_length(struct search_task *task, const struct solve_control *control,
				  struct listing *listing)
{
	struct solve_answer *answer = listing->answer;
	struct search_result result;
	task->length_max = listing->tally->length;
	task->each = add;
	task->each_context = listing;
	enum solve_end end = search_run(task, control, &result);
	task->each = NULL;
	free(result.found.turns);
	free(result.steps);
	task->due_ns += result.waited_ns;
	answer->waited_ns += result.waited_ns;
	answer->nodes += result.nodes;
	if (task->nodes_max > 0)
		task->nodes_max =
			task->nodes_max > result.nodes ? task->nodes_max - result.nodes : 1;
	if (listing->no_memory)
		return SOLVE_NO_MEMORY;
	if (listing->wrong)
		return SOLVE_WRONG;
	if (listing->closed)
		return SOLVE_STOPPED;
	listing->tally->exhausted = end == SOLVE_COMPLETE && !listing->full;
	return end;
}

/* Adds the tally of a length. Lengths without solutions before the first one with some are left
 * out. */
static struct solve_tally *next_tally(struct solve_answer *answer, int length)
{
	struct solve_tally *tally = &answer->tally[answer->tallies++];
	*tally = (struct solve_tally){.length = length};
	return tally;
}

static enum solve_end list_lengths(struct search_task *task, const struct solve_control *control,
				   struct listing *listing, int shortest, int longest)
{
	struct solve_answer *answer = listing->answer;
	enum solve_end end = SOLVE_COMPLETE;
	const int lists = task->solver->lists;
	longest = longest < lists ? longest : lists;
	task->length_enough = 0;
	task->settle_nodes = 0;
	for (int length = shortest; length <= longest && end == SOLVE_COMPLETE; length++) {
		listing->count_all = answer->tallies == 0;
		if (answer->tallies == SOLVE_TALLIES_MAX ||
		    (!listing->count_all && is_full(listing)))
			break;
		listing->tally = next_tally(answer, length);
		end = list_length(task, control, listing);
		if (listing->count_all && listing->tally->count == 0 && end == SOLVE_COMPLETE)
			answer->tallies = 0;
	}
	return end;
}

enum solve_end listing_make(struct search_task *task, const struct solve_control *control,
			    const struct solve_question *question, int shortest, int longest,
			    struct solve_answer *answer)
{
	struct listing listing = {.question = question, .answer = answer};
	return list_lengths(task, control, &listing, shortest, longest);
}

/* The cube is where it should be: no turns are the only solution. */
static enum solve_end feed_none(struct listing *listing)
{
	const struct solve_question *question = listing->question;
	const struct solve_turns none = {0};
	listing->tally = next_tally(listing->answer, 0);
	*listing->tally = (struct solve_tally){.count = 1, .exhausted = true};
	return feed_put(question->feed, question->cube->size, &none) ? SOLVE_COMPLETE
								     : SOLVE_STOPPED;
}

enum solve_end listing_feed(struct search_task *task, const struct solve_control *control,
			    const struct solve_question *question, int shortest,
			    const struct solve_scratch *scratch, struct solve_answer *answer)
{
	struct listing listing = {.question = question, .answer = answer, .scratch = scratch};
	const int longest = question->length_max > 0  ? question->length_max
			    : question->solutions > 0 ? INT_MAX
						      : shortest;
	task->feed = question->feed;
	task->tables.base = NULL;
	if (shortest == 0)
		return feed_none(&listing);
	return list_lengths(task, control, &listing, shortest, longest);
}
