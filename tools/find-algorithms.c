/* find-algorithms.c: searches algorithms for the cases of cube/sets.h and writes
 * core/sets/algorithms.def: `make algorithms`.
 *
 * Meeting in the middle. All words of up to some turns over a few generators are made from the solved
 * cube. Two words A and B that take the pieces that are not to be changed to the same places make A B'
 * an algorithm of the double length that leaves them where they are. So words are sorted by a hash
 * of these places, and every pair with the same hash is tried. A 2x2x2 is small: there all words are
 * tried.
 *
 * Each algorithm gets an effort, in tenths of a turn of U: core/include/cube/sets.h has the formula.
 * Of each case the easiest are kept and the shortest one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/libcube.h"

#define WORD_MAX 14
#define KEPT 4    /* algorithms of a case */
#define EASIEST 3 /* of these chosen by effort alone */
#define BLOCKS_MAX 6
#define TURNS_MAX (3 * BLOCKS_MAX)
#define LAST_D 4 /* corners and edges from here on are below the last layer */
#define SLOT_CORNER 4
#define SLOT_EDGE 8

/* ---- turns ---- */

/* The blocks that are turned: a face, a wide turn, a slice. */
static const struct block {
	char letter;
	int face, from, to;
	enum cube_turn_style style;
	int slice;     /* quarter turns of the slice M or S with it */
	int effort[3]; /* of X, X2, X', in tenths */
	int wrist;     /* hand whose wrist turns: 0 none, 1 right, 2 left (the other way round) */
} blocks[] = {
	{'R', CUBE_R, 1, 1, CUBE_STYLE_LAYERS, 0, {10, 15, 10}, 1},
	{'U', CUBE_U, 1, 1, CUBE_STYLE_LAYERS, 0, {10, 14, 10}, 0},
	{'F', CUBE_F, 1, 1, CUBE_STYLE_LAYERS, 0, {15, 20, 15}, 0},
	{'D', CUBE_D, 1, 1, CUBE_STYLE_LAYERS, 0, {14, 20, 14}, 0},
	{'L', CUBE_L, 1, 1, CUBE_STYLE_LAYERS, 0, {14, 19, 14}, 2},
	{'B', CUBE_B, 1, 1, CUBE_STYLE_LAYERS, 0, {30, 40, 30}, 0},
	{'r', CUBE_R, 1, 2, CUBE_STYLE_LAYERS, -1, {12, 17, 12}, 1},
	{'f', CUBE_F, 1, 2, CUBE_STYLE_LAYERS, 1, {20, 27, 20}, 0},
	{'M', CUBE_L, 2, 2, CUBE_STYLE_MIDDLE, 1, {17, 20, 15}, 0},
};

struct generator {
	struct cube_turn turn;
	struct cube_state3 state;
	const struct block *block;
	int quarters; /* 1, 2, 3 */
};

static const struct block *block_of(char letter)
{
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (blocks[i].letter == letter)
			return &blocks[i];
	abort();
}

/* Three turns of each letter; returns how many. */
static int make_generators(const char *letters, int size, struct generator *generators)
{
	struct cube *cube = malloc(cube_bytes(size));
	int count = 0;
	for (; *letters; letters++)
		for (int quarters = 1; quarters <= 3; quarters++) {
			const struct block *block = block_of(*letters);
			struct generator *g = &generators[count++];
			struct cube_cubies cubies;
			*g = (struct generator){.block = block, .quarters = quarters};
			g->turn =
				cube_turn_make(size, block->face, block->from, block->to, quarters);
			g->turn.style = (uint8_t)block->style;
			cube_init(cube, size);
			cube_turn(cube, g->turn);
			cube_cubies_of(&cubies, cube);
			cube_state3_from_cubies(&g->state, &cubies);
		}
	free(cube);
	return count;
}

/* ---- effort ---- */

/* The wrists: each of a hand's turns takes it a quarter further from where it rests, half turns either
 * way; it reaches from -1 to 1, and 2 in neither direction without a new grip. */
#define WRISTS 3
#define REGRIP 15

static void turn_wrist(int least[WRISTS], int quarters)
{
	int easiest = least[0], next[WRISTS];
	for (int w = 0; w < WRISTS; w++) {
		easiest = least[w] < easiest ? least[w] : easiest;
		next[w] = 1 << 20;
	}
	for (int w = 0; w < WRISTS; w++) {
		const int from = least[w] < easiest + REGRIP ? least[w] : easiest + REGRIP;
		for (int way = 0; way < 2; way++) {
			const int by = quarters == 2 ? (way ? 2 : -2) : quarters == 3 ? -1 : 1;
			if (w + by >= 0 && w + by < WRISTS && from < next[w + by])
				next[w + by] = from;
		}
	}
	memcpy(least, next, sizeof(next));
}

static int smallest(const int least[WRISTS])
{
	int result = least[0];
	for (int w = 1; w < WRISTS; w++)
		result = least[w] < result ? least[w] : result;
	return result;
}

static int effort_of(const struct generator *const *word, int length)
{
	int effort = 0, right[WRISTS] = {0}, left[WRISTS] = {0};
	for (int i = 0; i < length; i++) {
		effort += word[i]->block->effort[word[i]->quarters - 1];
		if (word[i]->block->wrist == 1)
			turn_wrist(right, word[i]->quarters);
		else if (word[i]->block->wrist == 2)
			turn_wrist(left, 4 - word[i]->quarters);
	}
	return effort + smallest(right) + smallest(left);
}

/* ---- what is kept ---- */

struct found {
	char moves[64];
	struct cube_cubies before; /* the state that it solves */
	int effort, length;
};

struct kept {
	struct found easy[EASIEST + 1]; /* in ascending order of effort */
	int count;
	struct found shortest;
	bool has_shortest;
};

static struct cube_case *cases[CUBE_SETS];
static struct kept *kept[CUBE_SETS];

static int place_of(int set, uint32_t number)
{
	for (int i = 0; i < cube_sets[set].cases; i++)
		if (cases[set][i].number == number)
			return i;
	return -1;
}

static bool is_easier(const struct found *one, const struct found *other)
{
	if (one->effort != other->effort)
		return one->effort < other->effort;
	return one->length != other->length ? one->length < other->length
					    : strcmp(one->moves, other->moves) < 0;
}

static bool is_shorter(const struct found *one, const struct found *other)
{
	return one->length != other->length ? one->length < other->length : is_easier(one, other);
}

static void keep(struct kept *k, const struct found *found)
{
	if (!k->has_shortest || is_shorter(found, &k->shortest)) {
		k->shortest = *found;
		k->has_shortest = true;
	}
	int at = k->count;
	for (int i = 0; i < k->count; i++)
		if (strcmp(k->easy[i].moves, found->moves) == 0)
			return;
	while (at > 0 && is_easier(found, &k->easy[at - 1]))
		at--;
	if (at >= KEPT)
		return;
	for (int i = k->count < KEPT ? k->count++ : KEPT - 1; i > at; i--)
		k->easy[i] = k->easy[i - 1];
	k->easy[at] = *found;
}

/* PBL holds the cube so that U has the worse swap; which swap D has is which of CLL, EG-1 and EG-2 the
 * state belongs to. */
static bool is_held_well(const struct cube_set *set, const struct cube_cubies *before,
			 uint32_t number)
{
	static const char *const of_class[] = {"cll", "eg1", "eg2"};
	uint32_t other;
	return set->base != CUBE_BASE_ANY ||
	       cube_set_number(cube_set_find(of_class[number % 3], 3), before, &other);
}

/* The pieces that an algorithm may change beside the last layer: none; those of the slice M, as in Roux; the
 * pair of the last slot. */
enum changes { LAYER_ALONE, LAYER_AND_SLICE, LAYER_AND_SLOT };

static bool takes(const struct cube_set *set, enum changes changes)
{
	if ((set->slot != CUBE_SLOT_SOLVED) != (changes == LAYER_AND_SLOT))
		return false;
	return set->slice || changes != LAYER_AND_SLICE;
}

/* An algorithm: offers it to each set of its size that has a case which it solves and allows its
 * changes. */
static void offer(const struct generator *const *word, int length, int size, enum changes changes,
		  const struct cube_cubies *before)
{
	struct found found = {.before = *before, .length = length};
	for (int set = 0; set < CUBE_SETS; set++) {
		uint32_t number;
		if (cube_sets[set].size != size || !takes(&cube_sets[set], changes) ||
		    !cube_set_number(&cube_sets[set], before, &number) ||
		    cube_set_is_trivial(&cube_sets[set], number) ||
		    !is_held_well(&cube_sets[set], before, number))
			continue;
		const int place = place_of(set, number);
		if (found.effort == 0) {
			struct cube_turn turns[2 * WORD_MAX];
			for (int i = 0; i < length; i++) {
				turns[i] = word[i]->turn;
				if (turns[i].quarters == -2)
					turns[i].quarters = 2;
			}
			if (cube_turns_print(size, turns, (size_t)length, found.moves,
					     sizeof(found.moves)) >= sizeof(found.moves))
				return;
			found.effort = effort_of(word, length);
		}
		keep(&kept[set][place], &found);
	}
}

/* ---- words ---- */

struct word {
	uint64_t hash;
	uint8_t turn[9], length;
	uint8_t last; /* the blocks of its last turns, which are about one axis */
	uint8_t slice;
};

struct search {
	const char *letters;
	int half; /* turns of a word at most */
	enum changes changes;
	struct generator generator[TURNS_MAX];
	int count;
	struct word *words;
	size_t word_count, room;
};

/* Hashes the places of the pieces that must not be changed. */
static uint64_t hash_of(const struct cube_state3 *state, enum changes changes, int slice_quarters)
{
	const bool slice = changes == LAYER_AND_SLICE;
	struct cube_state3 where;
	uint64_t edges;
	uint32_t corners;
	cube_state3_invert(&where, state);
	if (slice)
		where.piece[5] = where.piece[7] = 0;
	if (changes == LAYER_AND_SLOT)
		where.piece[SLOT_EDGE] = where.piece[CUBE_STATE3_CORNERS + SLOT_CORNER] = 0;
	memcpy(&edges, where.piece + LAST_D, sizeof(edges));
	memcpy(&corners, where.piece + CUBE_STATE3_CORNERS + LAST_D, sizeof(corners));
	uint64_t hash = edges * 0x9e3779b97f4a7c15u ^ (edges >> 29);
	hash = (hash ^ corners) * 0xbf58476d1ce4e5b9u;
	hash = (hash ^ (hash >> 31) ^ (uint64_t)(slice ? 0 : slice_quarters)) * 0x94d049bb133111ebu;
	return hash ^ hash >> 29;
}

/* Returns true if a turn may follow `last_turn`: turns of one axis are made once per block, in the
 * order of the blocks. */
static bool may_follow(const struct search *search, int last_turn, int turn)
{
	const struct generator *before = &search->generator[last_turn];
	const struct generator *after = &search->generator[turn];
	return before->block->face % 3 != after->block->face % 3 || turn / 3 > last_turn / 3;
}

static void add_words(struct search *search, struct word *word, const struct cube_state3 *state)
{
	for (int turn = 0; turn < search->count && word->length < search->half; turn++) {
		const struct generator *g = &search->generator[turn];
		const int last_turn = word->length > 0 ? word->turn[word->length - 1] : -1;
		struct cube_state3 next;
		struct word longer = *word;
		/* A turn of U at the beginning changes nothing that is kept. */
		if (last_turn < 0 ? g->block->letter == 'U' : !may_follow(search, last_turn, turn))
			continue;
		const bool same = last_turn >= 0 && search->generator[last_turn].block->face % 3 ==
							    g->block->face % 3;
		longer.turn[longer.length++] = (uint8_t)turn;
		longer.last = (uint8_t)((same ? word->last : 0) | 1 << turn / 3);
		longer.slice = (uint8_t)((word->slice + 4 + g->block->slice * g->quarters) & 3);
		cube_state3_compose(&next, state, &g->state);
		longer.hash = hash_of(&next, search->changes, longer.slice);
		if (search->word_count == search->room) {
			search->room = search->room * 2 + 1024;
			search->words =
				realloc(search->words, search->room * sizeof(*search->words));
			if (!search->words)
				abort();
		}
		search->words[search->word_count++] = longer;
		add_words(search, &longer, &next);
	}
}

static int by_hash(const void *one, const void *other)
{
	const struct word *a = one, *b = other;
	return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1) : a->length - b->length;
}

static int last_axis(const struct search *search, const struct word *word)
{
	return search->generator[word->turn[word->length - 1]].block->face % 3;
}

/* a, then the inverse of b. */
static void try_pair(const struct search *search, const struct word *a, const struct word *b)
{
	const struct generator *word[2 * WORD_MAX];
	struct cube_state3 first = cube_state3_solved, second = cube_state3_solved;
	struct cube_cubies before;
	int length = 0;
	if (a->length < b->length || a->length > b->length + 1 || (a->last & b->last) ||
	    (last_axis(search, a) == last_axis(search, b) && a->last > b->last))
		return;
	for (int i = 0; i < a->length; i++) {
		word[length++] = &search->generator[a->turn[i]];
		cube_state3_compose(&first, &first, &search->generator[a->turn[i]].state);
	}
	for (int i = b->length; i-- > 0;) {
		const int turn = b->turn[i];
		word[length++] = &search->generator[turn - turn % 3 + 2 - turn % 3];
	}
	for (int i = 0; i < b->length; i++)
		cube_state3_compose(&second, &second, &search->generator[b->turn[i]].state);
	cube_state3_invert(&first, &first);
	cube_state3_compose(&first, &second, &first);
	cube_state3_to_cubies(&first, &before);
	offer(word, length, 3, search->changes, &before);
}

static void search_3(struct search *search)
{
	struct word word = {0};
	search->count = make_generators(search->letters, 3, search->generator);
	add_words(search, &word, &cube_state3_solved);
	qsort(search->words, search->word_count, sizeof(*search->words), by_hash);
	size_t pairs = 0;
	for (size_t begin = 0, end; begin < search->word_count; begin = end) {
		for (end = begin; end < search->word_count &&
				  search->words[end].hash == search->words[begin].hash;)
			end++;
		for (size_t i = begin; i < end; i++)
			for (size_t k = begin; k < end; k++)
				if (i != k) {
					try_pair(search, &search->words[i], &search->words[k]);
					pairs++;
				}
	}
	fprintf(stderr, "%s, %d turns: %zu words, %zu pairs\n", search->letters, 2 * search->half,
		search->word_count, pairs);
	free(search->words);
}

/* ---- 2x2x2 ---- */

static void search_2(const struct generator *generators, int count, int longest,
		     const struct generator **word, int length, const struct cube_state3 *state)
{
	const uint8_t *corner = state->piece + CUBE_STATE3_CORNERS;
	bool is_base = length > 0 && word[length - 1]->block->letter != 'U';
	for (int i = LAST_D; i < CUBE_CORNERS; i++)
		is_base &= corner[i] >= LAST_D && corner[i] < CUBE_CORNERS;
	if (is_base) {
		struct cube_state3 inverse;
		struct cube_cubies before;
		cube_state3_invert(&inverse, state);
		cube_state3_to_cubies(&inverse, &before);
		offer(word, length, 2, LAYER_ALONE, &before);
	}
	for (int i = 0; i < count && length < longest; i++) {
		struct cube_state3 next;
		if (length > 0 ? word[length - 1]->block == generators[i].block
			       : generators[i].block->letter == 'U')
			continue;
		cube_state3_compose(&next, state, &generators[i].state);
		word[length] = &generators[i];
		search_2(generators, count, longest, word, length + 1, &next);
	}
}

/* ---- writing ---- */

static bool is_solved(const struct cube_set *set, const struct cube *cube)
{
	struct cube_cubies cubies;
	uint32_t number;
	if (set->size == 2)
		return cube_is_solved(cube);
	cube_cubies_of(&cubies, cube);
	if (!cube_set_number(set, &cubies, &number) || number != 0)
		return false;
	/* The number does not say how U is turned. */
	return (set->corners != CUBE_SET_COUNTS || cubies.corner_permutation[0] == 0) &&
	       (set->edges != CUBE_SET_COUNTS || cubies.edge_permutation[0] == 0);
}

static void apply(struct cube *cube, const char *moves)
{
	struct cube_node nodes[2 * WORD_MAX + 8];
	struct cube_alg alg;
	struct cube_error error;
	if (cube_parse(moves, strlen(moves), cube->size, CUBE_DIALECT_SIGN, nodes, &alg, &error) !=
	    CUBE_OK)
		abort();
	cube_alg_apply(cube, &alg, NULL);
}

/* Writes the row of an algorithm: how the cube is turned before and after so that it solves the state
 * that the first one solves. */
static void write_row(const struct cube_set *set, int place, const struct found *found,
		      const struct cube *state)
{
	struct cube *cube = malloc(cube_bytes(set->size));
	for (int way = 0; way < (set->size == 2 ? 64 : 16); way++) {
		const int before = way & 3, after = way >> 2 & 3, hold = way >> 4;
		cube_copy(cube, state);
		cube_turn(cube, cube_turn_make(set->size, CUBE_U, 1, set->size, hold));
		cube_turn(cube, cube_turn_make(set->size, CUBE_U, 1, 1, before));
		apply(cube, found->moves);
		cube_turn(cube, cube_turn_make(set->size, CUBE_U, 1, 1, after));
		if (!is_solved(set, cube))
			continue;
		printf("{%d, %d, %d, %d, %d, %d, %d, \"%s\"},\n", (int)(set - cube_sets), place,
		       hold, before, after, found->length, found->effort, found->moves);
		free(cube);
		return;
	}
	fprintf(stderr, "%s: %s does not solve it\n", set->name, found->moves);
	abort();
}

static void write_case(const struct cube_set *set, int place, struct kept *k)
{
	struct cube *solved = malloc(cube_bytes(set->size)), *state = malloc(cube_bytes(set->size));
	bool has_shortest = false;
	int count = k->count < EASIEST ? k->count : EASIEST;
	for (int i = 0; i < count; i++)
		has_shortest |= strcmp(k->easy[i].moves, k->shortest.moves) == 0;
	if (k->count > count || !has_shortest) {
		if (!has_shortest)
			k->easy[count] = k->shortest;
		count++;
	}
	if (k->count > 0) {
		cube_init(solved, set->size);
		apply(solved, k->easy[0].moves);
		cube_invert(state, solved);
	}
	for (int i = 0; i < (k->count > 0 ? count : 0); i++)
		write_row(set, place, &k->easy[i], state);
	free(solved);
	free(state);
}

/* Returns true if the set is among those that are named, or none is. */
static bool is_wanted(const struct cube_set *set, char *const *names)
{
	if (!*names)
		return true;
	while (*names && strcmp(*names, set->name) != 0)
		names++;
	return *names != NULL;
}

static bool any_takes(enum changes changes, char *const *names)
{
	for (int i = 0; i < CUBE_SETS; i++)
		if (cube_sets[i].size == 3 && takes(&cube_sets[i], changes) &&
		    is_wanted(&cube_sets[i], names))
			return true;
	return false;
}

static void search_all_2(void)
{
	struct generator generators[TURNS_MAX];
	const struct generator *word[WORD_MAX];
	search_2(generators, make_generators("RUF", 2, generators), 11, word, 0,
		 &cube_state3_solved);
	search_2(generators, make_generators("RU", 2, generators), 13, word, 0,
		 &cube_state3_solved);
}

static void write_set(int set)
{
	int none = 0;
	for (int place = 0; place < cube_sets[set].cases; place++) {
		write_case(&cube_sets[set], place, &kept[set][place]);
		none += kept[set][place].count == 0;
	}
	fprintf(stderr, "%s: %d of %d cases without an algorithm\n", cube_sets[set].name, none,
		cube_sets[set].cases);
}

/* Arguments: the names of sets of the 3x3x3 whose rows alone are written. */
int main(int argc, char **argv)
{
	static struct search searches[] = {
		{.letters = "RU", .half = 9},
		{.letters = "RUF", .half = 9},
		{.letters = "RUD", .half = 9},
		{.letters = "RUL", .half = 9},
		{.letters = "RrU", .half = 8},
		{.letters = "RUM", .half = 8},
		{.letters = "RUrF", .half = 7},
		{.letters = "RUDF", .half = 7},
		{.letters = "RULF", .half = 6},
		{.letters = "RUFB", .half = 6},
		{.letters = "RUFf", .half = 6},
		{.letters = "RUF", .half = 6, .changes = LAYER_AND_SLICE},
		{.letters = "RrUF", .half = 5, .changes = LAYER_AND_SLICE},
		{.letters = "RrU", .half = 6, .changes = LAYER_AND_SLICE},
		{.letters = "RUL", .half = 6, .changes = LAYER_AND_SLICE},
		{.letters = "RUD", .half = 6, .changes = LAYER_AND_SLICE},
		{.letters = "RU", .half = 9, .changes = LAYER_AND_SLOT},
		{.letters = "RUF", .half = 7, .changes = LAYER_AND_SLOT},
		{.letters = "RUL", .half = 7, .changes = LAYER_AND_SLOT},
		{.letters = "RUD", .half = 7, .changes = LAYER_AND_SLOT},
		{.letters = "RrU", .half = 7, .changes = LAYER_AND_SLOT},
		{.letters = "RUM", .half = 6, .changes = LAYER_AND_SLOT},
		{.letters = "RUrF", .half = 6, .changes = LAYER_AND_SLOT},
		{.letters = "RUFf", .half = 5, .changes = LAYER_AND_SLOT},
		{.letters = "RUDF", .half = 6, .changes = LAYER_AND_SLOT},
	};
	for (int i = 0; i < CUBE_SETS; i++) {
		cases[i] = calloc(cube_sets[i].cases, sizeof(*cases[i]));
		kept[i] = calloc(cube_sets[i].cases, sizeof(*kept[i]));
		cube_set_cases(&cube_sets[i], cases[i]);
	}
	(void)argc;
	for (size_t i = 0; i < sizeof(searches) / sizeof(searches[0]); i++)
		if (any_takes(searches[i].changes, argv + 1))
			search_3(&searches[i]);
	if (!argv[1]) {
		search_all_2();
		printf("/* core/sets/algorithms.def: algorithms for the cases of cube/sets.h, "
		       "written by "
		       "`make algorithms`\n   (tools/find-algorithms.c). Rows of algorithms.c. "
		       "*/\n");
	}
	for (int i = 0; i < CUBE_SETS; i++)
		if (is_wanted(&cube_sets[i], argv + 1))
			write_set(i);
	return 0;
}
