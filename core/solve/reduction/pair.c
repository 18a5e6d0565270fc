/* core/solve/reduction/pair.c: pairs the edges of large cubes: for each axis, word and turn of a
 * layer, those of the wing orbits that come nearer by it are changed by it together. */
#include "core/solve/reduction/pair.h"

#include <string.h>

#include "core/hold.h"
#include "core/solve/common/moves.h"

#define LAYER_COST 4 /* there and back, each as two outer blocks */

struct layer_change {
	int axis, quarters;
	bool down; /* the layers of D, else of U */
	const struct word *word;
	bool in[WING_ORBITS_MAX];
	int gain, cost;
};

/* As seen along an axis. */
static void see_along(const struct words *words, int axis, const uint8_t middle[ORBIT],
		      uint8_t seen[ORBIT])
{
	for (int place = 0; place < ORBIT; place++)
		seen[place] = middle[words->view[axis][place]];
}

static void after_word(const struct word *word, const uint8_t before[ORBIT], uint8_t after[ORBIT])
{
	for (int place = 0; place < ORBIT; place++)
		after[place] = before[word->from[place]];
}

/* Finds the orbits that come nearer. */
static void find_gain(const struct pairing *pairing, const uint8_t before[ORBIT],
		      struct layer_change *change)
{
	uint8_t after[ORBIT], wing[WING_BYTES];
	const uint8_t *ring = change->down ? ring_of_d : ring_of_u;
	int quarters = change->down ? 4 - change->quarters : change->quarters;
	after_word(change->word, before, after);
	change->gain = 0;
	change->cost = change->word->length;
	for (int k = 0; k < pairing->orbits; k++) {
		memcpy(wing, pairing->wing[k], sizeof(wing));
		wings_change(wing, ring, quarters, before, after);
		change->in[k] = wings_home(wing) > wings_home(pairing->wing[k]);
		if (!change->in[k])
			continue;
		int gain = wings_distance(pairing->wing[k]) - wings_distance(wing);
		change->in[k] = gain > 0;
		change->gain += change->in[k] ? gain : 0;
		change->cost += change->in[k] ? LAYER_COST : 0;
	}
}

/* The one that brings most for its turns. */
static bool find_best(struct reduction *reduction, const struct words *words,
		      const struct pairing *pairing, int length, struct layer_change *best)
{
	uint8_t seen[ORBIT];
	best->gain = 0;
	best->cost = 1;
	for (int axis = 0; axis < AXES; axis++) {
		see_along(words, axis, pairing->middle, seen);
		for (uint32_t w = 0; w < words->count_of[length]; w++) {
			if (!reduction_go_on(reduction, 6))
				return false;
			for (int i = 0; i < 6; i++) {
				struct layer_change change = {.axis = axis,
							      .quarters = i % 3 + 1,
							      .down = i / 3,
							      .word = &words->word[w]};
				find_gain(pairing, seen, &change);
				if (change.gain * best->cost > best->gain * change.cost)
					*best = change;
			}
		}
	}
	return best->gain > 0;
}

static void turn_layers(struct reduction *reduction, const struct layer_change *change, int sign)
{
	const struct cube_hold *hold = &cube_hold_table.hold[words_hold(change->axis)];
	int face = hold->to[change->down ? CUBE_D : CUBE_U];
	for (int k = 0, last; k < WING_ORBITS_MAX; k = last + 1) {
		for (last = k; change->in[k] && last + 1 < WING_ORBITS_MAX && change->in[last + 1];)
			last++;
		if (change->in[k])
			reduction_turn(reduction, face, k + 2, last + 2, sign * change->quarters);
	}
}

static void apply(struct reduction *reduction, const struct words *words, struct pairing *pairing,
		  const struct layer_change *change)
{
	const struct cube_hold *hold = &cube_hold_table.hold[words_hold(change->axis)];
	const uint8_t *ring = change->down ? ring_of_d : ring_of_u;
	int quarters = change->down ? 4 - change->quarters : change->quarters;
	uint8_t before[ORBIT], after[ORBIT];
	see_along(words, change->axis, pairing->middle, before);
	after_word(change->word, before, after);
	for (int k = 0; k < pairing->orbits; k++)
		if (change->in[k])
			wings_change(pairing->wing[k], ring, quarters, before, after);
	for (int place = 0; place < ORBIT; place++)
		pairing->middle[words->view[change->axis][place]] = after[place];
	turn_layers(reduction, change, 1);
	for (int i = 0; i < change->word->length; i++) {
		int move = change->word->move[i];
		reduction_turn(reduction, hold->to[move_face(move)], 1, 1, move_quarters(move));
	}
	turn_layers(reduction, change, -1);
}

void pair_stir(struct reduction *reduction, const struct words *words, struct pairing *pairing,
	       uint32_t *random)
{
	*random = *random * 1664525u + 1013904223u;
	int face = (int)(*random >> 16) % CUBE_FACES, quarters = 1 + (int)(*random >> 24) % 3;
	uint8_t before[ORBIT];
	memcpy(before, pairing->middle, sizeof(before));
	for (int place = 0; place < ORBIT; place++)
		pairing->middle[place] = before[words->turn[face][quarters][place]];
	reduction_turn(reduction, face, 1, 1, quarters);
}

void pair_wings(struct reduction *reduction, const struct words *words, struct pairing *pairing)
{
	uint32_t random = 1;
	for (;;) {
		struct layer_change best = {.gain = 0};
		bool paired = true;
		for (int k = 0; k < pairing->orbits; k++)
			paired &= wings_home(pairing->wing[k]) == ORBIT;
		if (paired || reduction->stopped)
			return;
		/* Two wings of one edge and a third need an edge that is turned over: a long word.
		 */
		if (find_best(reduction, words, pairing, WORD_SHORT, &best) ||
		    find_best(reduction, words, pairing, WORD_LENGTH, &best))
			apply(reduction, words, pairing, &best);
		else
			pair_stir(reduction, words, pairing, &random);
	}
}
