/* core/solve/common/prune.c: pruning tables by breadth-first search over classes. */
#include "core/solve/common/prune.h"

#include <assert.h>
#include <string.h>

#define UNSEEN 0xff

/* A search. All that is done is done for a class, that is for a row of the table, and a move that
 * leads from a class leads to one other; so a few kilobytes are used at a time. */
struct making {
	const struct pair *pair;
	uint8_t *table;
	uint32_t width;
};

/* A class's value that some symmetries leave as it is makes one state of several entries: all that
 * these make of the other value. */
static void mark_images(const struct making *making, uint8_t *row, uint32_t fixed, uint32_t other,
			int distance)
{
	for (uint32_t s = 0; fixed >> s != 0; s++)
		if (fixed >> s & 1)
			row[making->pair->image[s * making->width + other]] = (uint8_t)distance;
}

/* The way of a move from the entries of a class: to the row of another one, and there from each
 * to image[moved[it]]. */
struct row_step {
	uint8_t *row;
	const uint16_t *moved, *image;
	uint32_t fixed;
};

static struct row_step step_of(const struct making *making, uint32_t class, size_t move)
{
	const struct pair *pair = making->pair;
	size_t at = class * pair->moves + move;
	uint32_t to = pair->classes->move ? pair->classes->move[at] : pair->classes->move_wide[at];
	return (struct row_step){.row = &making->table[to / 16 * making->width],
				 .moved = &pair->move[move * making->width],
				 .image = &pair->image[to % 16 * making->width],
				 .fixed = pair->classes->fixed[to / 16]};
}

size_t prune_entries(const uint8_t *row, uint32_t width, uint8_t distance, uint16_t *at)
{
	size_t count = 0;
	if (!memchr(row, distance, width))
		return 0;
	for (uint32_t other = 0; other < width; other++) {
		at[count] = (uint16_t)other;
		count += row[other] == distance;
	}
	return count;
}

/* From the entries of a class at `depth` to their neighbours; returns how many are new. */
static size_t forward(const struct making *making, uint32_t class, int depth)
{
	uint16_t at[PAIR_WIDTH];
	const uint8_t *row = &making->table[class * making->width];
	size_t count = prune_entries(row, making->width, (uint8_t)depth, at), found = 0;
	for (size_t m = 0; m < making->pair->moves && count > 0; m++) {
		const struct row_step step = step_of(making, class, m);
		for (size_t i = 0; i < count; i++) {
			uint32_t other = step.image[step.moved[at[i]]];
			if (step.row[other] != UNSEEN)
				continue;
			step.row[other] = (uint8_t)(depth + 1);
			found++;
			if (step.fixed != 1)
				mark_images(making, step.row, step.fixed, other, depth + 1);
		}
	}
	return found;
}

/* From those that are not met yet to a neighbour at `depth`; returns how many have one. */
static size_t backward(const struct making *making, uint32_t class, int depth)
{
	uint16_t at[PAIR_WIDTH];
	uint8_t *row = &making->table[class * making->width];
	size_t first = prune_entries(row, making->width, UNSEEN, at), count = first;
	for (size_t m = 0; m < making->pair->moves && count > 0; m++) {
		const struct row_step step = step_of(making, class, m);
		size_t left = 0;
		for (size_t i = 0; i < count; i++) {
			uint16_t other = at[i];
			bool met = step.row[step.image[step.moved[other]]] == depth;
			row[other] = met ? (uint8_t)(depth + 1) : UNSEEN;
			at[left] = other;
			left += !met;
		}
		count = left;
	}
	return first - count;
}

/* Pass d finds all entries at distance d + 1, from the side where there is less to do. */
void prune_make(const struct pair *pair, uint8_t *table)
{
	const struct classes *classes = pair->classes;
	struct making making = {.pair = pair, .table = table, .width = pair->other->count};
	size_t unseen = (size_t)classes->count * making.width, found = 1;
	assert(making.width <= PAIR_WIDTH);
	memset(table, UNSEEN, unseen);
	uint32_t class =
		classes->of ? classes->of[classes->coordinate->of(&cube_state3_solved)] : 0;
	uint32_t other = pair->other->of(&cube_state3_solved);
	other = pair->image[class % 16 * making.width + other];
	table[class / 16 * making.width + other] = 0;
	for (int depth = 0; found > 0; depth++) {
		unseen -= found < unseen ? found : unseen;
		bool back = unseen < 2 * found;
		found = 0;
		for (class = 0; class < classes->count; class ++)
			found += (back ? backward : forward)(&making, class, depth);
	}
}
