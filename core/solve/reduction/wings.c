/* core/solve/reduction/wings.c: the words that pair edges, and wings as permutations. */
#include "core/solve/reduction/wings.h"

#include <string.h>

#include "core/cubies/cubies_internal.h"
#include "core/permutation.h"
#include "core/hold.h"
#include "core/solve/common/moves.h"
#include "cube/cube.h"

/* On a 3x3x3 the places of middle edges. */
#define MIDDLE_ROW 0
#define MIDDLE_COLUMN 1

const uint8_t ring_of_u[RING] = {17, 9, 21, 13}; /* R F L B, the first quarter */
const uint8_t ring_of_d[RING] = {19, 11, 23, 15};

static void compose(uint8_t result[ORBIT], const uint8_t a[ORBIT], const uint8_t b[ORBIT])
{
	uint8_t both[ORBIT];
	for (int place = 0; place < ORBIT; place++)
		both[place] = a[b[place]];
	memcpy(result, both, sizeof(both));
}

/* ---- words ---- */

int words_hold(int axis)
{
	static const uint8_t up[AXES] = {CUBE_U, CUBE_R, CUBE_F};
	return cube_hold_table.of[up[axis]][(up[axis] + 1) % 3];
}

static void make_turns(struct words *words)
{
	for (int face = 0; face < CUBE_FACES; face++) {
		for (int quarters = 0; quarters < 4; quarters++) {
			struct cube_turn turn = cube_turn_make(3, face, 1, 1, quarters);
			orbit_turn(3, MIDDLE_ROW, MIDDLE_COLUMN, turn, words->turn[face][quarters]);
		}
	}
}

static int place_of_facelet(size_t facelet)
{
	int place = 0;
	while (place < ORBIT && orbit_facelet(3, MIDDLE_ROW, MIDDLE_COLUMN, place) != facelet)
		place++;
	return place;
}

static void make_views(struct words *words)
{
	for (int axis = 0; axis < AXES; axis++) {
		const struct cube_hold *hold = &cube_hold_table.hold[words_hold(axis)];
		for (int place = 0; place < ORBIT; place++) {
			size_t at = orbit_facelet(3, MIDDLE_ROW, MIDDLE_COLUMN, place);
			words->view[axis][place] = (uint8_t)place_of_facelet(cube_hold_facelet(
				hold, 3, (int)at / 9, (int)at % 9 / 3, (int)at % 3));
		}
	}
}

/* Returns true if it does to the edges around U and D's middle what none before it does. */
static bool is_new(const struct words *words, const uint8_t from[ORBIT])
{
	bool nothing = true;
	for (int i = 0; i < RING; i++)
		nothing &= from[ring_of_u[i]] == ring_of_u[i];
	if (nothing)
		return false;
	for (uint32_t w = 0; w < words->count; w++) {
		bool same = true;
		for (int i = 0; i < RING; i++)
			same &= words->word[w].from[ring_of_u[i]] == from[ring_of_u[i]];
		if (same)
			return false;
	}
	return true;
}

static bool around_u(int move)
{
	return move_face(move) % 3 != CUBE_U;
}

/* All words of `length` that begin like `word`. */
static void add_words(struct words *words, struct word *word, int length)
{
	int at = word->length;
	if (at == length) {
		int net[CUBE_FACES] = {0};
		for (int i = 0; i < length; i++)
			net[move_face(word->move[i])] += move_quarters(word->move[i]);
		for (int face = 0; face < CUBE_FACES; face++)
			if (face % 3 != CUBE_U && net[face] % 4 != 0)
				return;
		if (is_new(words, word->from) && words->count < WORDS_MAX)
			words->word[words->count++] = *word;
		return;
	}
	for (uint8_t move = 0; move < MOVES; move++) {
		struct word next = *word;
		if ((at == 0 || at == length - 1) && !around_u(move))
			continue;
		if (at > 0 && !face_follows(move_face(move), move_face(word->move[at - 1])))
			continue;
		next.move[next.length++] = move;
		compose(next.from, word->from, words->turn[move_face(move)][move_quarters(move)]);
		add_words(words, &next, length);
	}
}

void words_make(struct words *words)
{
	memset(words, 0, sizeof(*words));
	make_turns(words);
	make_views(words);
	for (int length = 1; length <= WORD_LENGTH; length++) {
		struct word word = {.length = 0};
		memcpy(word.from, words->turn[CUBE_U][0], ORBIT);
		add_words(words, &word, length);
		words->count_of[length] = words->count;
	}
}

/* ---- wings ---- */

int wings_distance(const uint8_t wing[WING_BYTES])
{
	uint32_t left = (1u << ORBIT) - 1;
	int odd = 0;
	while (left != 0) {
		int at = __builtin_ctz(left), length = 0;
		for (; left >> at & 1; at = wing[at], length++)
			left &= ~(1u << at);
		odd += length & 1;
	}
	return (ORBIT - odd) / 2;
}

int wings_home(const uint8_t wing[WING_BYTES])
{
	int home = 0;
	for (int i = 0; i < WING_BYTES; i++)
		home += wing[i] == i;
	return home - (WING_BYTES - ORBIT);
}

void wings_change(uint8_t wing[WING_BYTES], const uint8_t ring[RING], int quarters,
		  const uint8_t before[ORBIT], const uint8_t after[ORBIT])
{
	uint8_t piece[RING];
	for (int i = 0; i < RING; i++)
		piece[(i + quarters) % RING] = wing[before[ring[i]]];
	for (int i = 0; i < RING; i++)
		wing[before[ring[i]]] = piece[i];
	for (int i = 0; i < RING; i++)
		piece[i] = wing[after[ring[(i + quarters) % RING]]];
	for (int i = 0; i < RING; i++)
		wing[after[ring[i]]] = piece[i];
}

/* ---- the middle edges of even sizes ---- */

struct imagined {
	const struct cube *cube;
	uint8_t place[CUBE_EDGES][2]; /* of its two stickers */
	uint8_t edge[CUBE_EDGES];     /* by place; the imagined one */
	uint8_t flip[CUBE_EDGES];
	int8_t agree[CUBE_EDGES][CUBE_EDGES]
		    [2]; /* wings at the place that belong to edge and flip */
};

static void count_agreeing(struct imagined *all, int orbits)
{
	memset(all->agree, 0, sizeof(all->agree));
	for (int i = 0; i < CUBE_EDGES; i++)
		for (int j = 0; j < 2; j++)
			all->place[i][j] = (uint8_t)place_of_facelet(cubies_edge_facelets[i][j]);
	for (int at = 0; at < CUBE_EDGES * 2; at++) {
		for (int k = 1; k <= orbits; k++) {
			int home = orbit_home(all->cube, 0, k, all->place[at / 2][at % 2]);
			for (int edge = 0; edge < CUBE_EDGES; edge++)
				for (int j = 0; j < 2; j++)
					all->agree[at / 2][edge][(at + j) % 2] =
						(int8_t)(all->agree[at / 2][edge][(at + j) % 2] +
							 (all->place[edge][j] == home));
		}
	}
}

static int agreeing(const struct imagined *all, int at, int edge, int flip)
{
	return all->agree[at][edge][flip];
}

/* The most agreeing first. */
static void choose_edges(struct imagined *all)
{
	uint32_t places = 0, edges = 0;
	for (int round = 0; round < CUBE_EDGES; round++) {
		int most = -1, best = 0;
		for (int i = 0; i < CUBE_EDGES * CUBE_EDGES * 2; i++) {
			int at = i / 24, edge = i / 2 % 12;
			if (places >> at & 1 || edges >> edge & 1 ||
			    agreeing(all, at, edge, i % 2) <= most)
				continue;
			most = agreeing(all, at, edge, i % 2);
			best = i;
		}
		all->edge[best / 24] = (uint8_t)(best / 2 % 12);
		all->flip[best / 24] = (uint8_t)(best % 2);
		places |= 1u << best / 24;
		edges |= 1u << best / 2 % 12;
	}
}

/* A 3x3x3 with these edges and the corners there are must be one that turns lead to. */
static void make_possible(struct imagined *all)
{
	uint8_t corners[ORBIT];
	int flips = 0, best = 0, least = 1000;
	bool odd = cube_permutation_is_odd(all->edge, CUBE_EDGES);
	for (int i = 0; i < CUBE_EDGES; i++) {
		int loss = agreeing(all, i, all->edge[i], all->flip[i]) -
			   agreeing(all, i, all->edge[i], !all->flip[i]);
		flips += all->flip[i];
		best = loss < least ? i : best;
		least = loss < least ? loss : least;
	}
	if (flips % 2)
		all->flip[best] ^= 1;
	for (int place = 0; place < ORBIT; place++)
		corners[place] = (uint8_t)orbit_home(all->cube, 0, 0, place);
	if (cube_permutation_is_odd(corners, ORBIT) == odd)
		return;
	least = 1000;
	for (int pair = 0; pair < CUBE_EDGES * CUBE_EDGES * 2; pair++) {
		int i = pair / 24, j = pair / 2 % 12, flip = pair % 2;
		int loss = agreeing(all, i, all->edge[i], all->flip[i]) +
			   agreeing(all, j, all->edge[j], all->flip[j]) -
			   agreeing(all, i, all->edge[j], all->flip[j] ^ flip) -
			   agreeing(all, j, all->edge[i], all->flip[i] ^ flip);
		if (i < j && loss < least) {
			least = loss;
			best = pair;
		}
	}
	int i = best / 24, j = best / 2 % 12;
	uint8_t edge = all->edge[i], flip = all->flip[i];
	all->edge[i] = all->edge[j];
	all->flip[i] = (uint8_t)(all->flip[j] ^ best % 2);
	all->edge[j] = edge;
	all->flip[j] = (uint8_t)(flip ^ best % 2);
}

void pairing_of(struct pairing *pairing, const struct cube *cube)
{
	int n = cube->size;
	pairing->orbits = (n - 2) / 2;
	if (n % 2 == 1) {
		for (int place = 0; place < ORBIT; place++)
			pairing->middle[place] = (uint8_t)orbit_home(cube, 0, n / 2, place);
	} else {
		struct imagined all = {.cube = cube};
		count_agreeing(&all, pairing->orbits);
		choose_edges(&all);
		make_possible(&all);
		for (int i = 0; i < CUBE_EDGES; i++)
			for (int j = 0; j < 2; j++)
				pairing->middle[all.place[i][j]] =
					all.place[all.edge[i]][j ^ all.flip[i]];
	}
	for (int k = 0; k < pairing->orbits; k++) {
		for (uint8_t i = ORBIT; i < WING_BYTES; i++)
			pairing->wing[k][i] = i;
		for (int place = 0; place < ORBIT; place++)
			pairing->wing[k][pairing->middle[place]] =
				(uint8_t)orbit_home(cube, 0, k + 1, place);
	}
}
