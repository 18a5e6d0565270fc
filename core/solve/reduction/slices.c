/* core/solve/reduction/slices.c: pairs the edges of the smaller of the large cubes in few turns.
 *
 * What a word does while blocks are turned is counted as if they were turned back after it; if the
 * next word has blocks about the same axis, only the difference has to be turned. Each word that is
 * taken brings the wings nearer, by the cycles of three that are left. Of the cubes that have as
 * many left the shortest are kept, until none has any. */
#include "core/solve/reduction/slices.h"

#include <string.h>

#include "core/hold.h"
#include "core/solve/common/moves.h"

#define ORBITS 2 /* wing orbits, at most */
#define WIDTHS 2 /* of blocks: 2 and 3 layers */
#define CONFIGS_MAX 48
#define LEFT_MAX (ORBITS * 12)
#define WIDTH 120 /* cubes with as many cycles left that are gone on from */
#define ROOM (4 * WIDTH)
#define WIDTH_LAST 16 /* of those that are nearly paired, which take long words too */
#define STEPS_MAX ((LEFT_MAX + 1) * WIDTH * 4)
#define TURN_FIRST 60000 /* words from here on are single turns of outer layers */
#define NO_STEP UINT32_MAX

/* The turns of the blocks of two and three layers of U and of D. */
struct block_turns {
	uint8_t turned[2][WIDTHS];
};

struct slices_state {
	uint8_t middle[ORBIT];
	uint8_t wing[ORBITS][WING_BYTES];
	struct block_turns config;
	uint32_t step, before;
	uint16_t cost, word;
	uint8_t axis;
};

struct slices_step {
	uint32_t before;
	uint16_t word;
	uint8_t axis;
	struct block_turns config;
};

struct slices {
	struct slices_state state[LEFT_MAX + 1][ROOM];
	struct slices_step step[STEPS_MAX];
	uint32_t way[STEPS_MAX];
	uint32_t count[LEFT_MAX + 1], worst[LEFT_MAX + 1], steps;
	struct block_turns config[CONFIGS_MAX];
	int configs, orbits;
	const struct words *words;
};

size_t slices_bytes(void)
{
	return CUBE_SOLVE_ALIGNED(sizeof(struct slices));
}

/* ---- blocks ---- */

static void add_config(struct slices *slices, int u2, int u3, int d2, int d3)
{
	if (slices->orbits == 1 && (u3 != 0 || d3 != 0))
		return;
	slices->config[slices->configs++] =
		(struct block_turns){{{u2 & 3, u3 & 3}, {d2 & 3, d3 & 3}}};
}

static void find_configs(struct slices *slices)
{
	slices->configs = 0;
	for (int a = 1; a < 4; a++) {
		add_config(slices, a, 0, 0, 0);
		add_config(slices, 0, a, 0, 0);
		add_config(slices, -a, a, 0, 0);
		add_config(slices, 0, 0, a, 0);
		add_config(slices, 0, 0, 0, a);
		add_config(slices, 0, 0, -a, a);
		for (int b = 1; b < 4; b++) {
			add_config(slices, a, 0, b, 0);
			add_config(slices, 0, a, 0, b);
		}
	}
}

/* The quarters by which the outer layer and, from 1 on, the layers of the wing orbits are turned.
 */
static int quarters_of(const struct block_turns *config, int side, int layer)
{
	int sum = 0;
	for (int width = layer > 0 ? layer - 1 : 0; width < WIDTHS; width++)
		sum += config->turned[side][width];
	return sum & 3;
}

/* Blocks turned from one to the other. */
static int turns_between(const struct block_turns *a, const struct block_turns *b)
{
	int turns = 0;
	for (int i = 0; i < 2 * WIDTHS; i++)
		turns += a->turned[i / WIDTHS][i % WIDTHS] != b->turned[i / WIDTHS][i % WIDTHS];
	return turns;
}

static int cost_of(const struct slices_state *state, int axis, const struct block_turns *config,
		   int length)
{
	static const struct block_turns none;
	if (state->axis == axis)
		return turns_between(&state->config, config) + length;
	return turns_between(&state->config, &none) + turns_between(&none, config) + length;
}

/* ---- words ---- */

/* Turns a ring's wings on, past the middle edges. */
static inline void turn_ring(uint8_t wing[WING_BYTES], const uint8_t ring[RING], int quarters)
{
	uint8_t piece[RING];
	for (int i = 0; i < RING; i++)
		piece[(i + quarters) % RING] = wing[ring[i]];
	for (int i = 0; i < RING; i++)
		wing[ring[i]] = piece[i];
}

/* The middle edges seen along an axis, as rings before and after a word while blocks are turned. */
struct ring_view {
	uint8_t seen[ORBIT];
	uint8_t before[2][RING], after[2][RING];
};

static int place_before(const struct words *words, const struct block_turns *config, int place)
{
	return words->turn[CUBE_U][quarters_of(config, 0, 0)]
			  [words->turn[CUBE_D][quarters_of(config, 1, 0)][place]];
}

static void look_word(const struct words *words, const struct word *word,
		      const struct block_turns *config, struct ring_view *view)
{
	for (int i = 0; i < RING; i++) {
		view->after[0][i] =
			view->seen[place_before(words, config, word->from[ring_of_u[i]])];
		view->after[1][i] =
			view->seen[place_before(words, config, word->from[ring_of_d[i]])];
	}
}

static void change(const struct slices *slices, const struct ring_view *view,
		   const struct block_turns *config, uint8_t wing[ORBITS][WING_BYTES])
{
	for (int k = 0; k < slices->orbits; k++) {
		int up = quarters_of(config, 0, k + 1), down = quarters_of(config, 1, k + 1);
		/* An edge that is turned over changes its rings: all blocks first, then all back.
		 */
		if (up != 0)
			turn_ring(wing[k], view->before[0], up);
		if (down != 0)
			turn_ring(wing[k], view->before[1], 4 - down);
		if (up != 0)
			turn_ring(wing[k], view->after[0], 4 - up);
		if (down != 0)
			turn_ring(wing[k], view->after[1], down);
	}
}

static int left_of(const struct slices *slices, uint8_t wing[ORBITS][WING_BYTES])
{
	int left = 0;
	for (int k = 0; k < slices->orbits; k++)
		left += wings_distance(wing[k]);
	return left;
}

static int home_of(const struct slices *slices, uint8_t wing[ORBITS][WING_BYTES])
{
	int home = 0;
	for (int k = 0; k < slices->orbits; k++)
		home += wings_home(wing[k]);
	return home;
}

/* ---- kept states ---- */

static struct slices_state *room_for_state(struct slices *slices, int left, int cost)
{
	struct slices_state *state = slices->state[left];
	if (slices->count[left] < ROOM)
		return &state[slices->count[left]++];
	if ((uint32_t)cost >= slices->worst[left])
		return NULL;
	uint32_t worst = 0;
	for (uint32_t i = 1; i < ROOM; i++)
		worst = state[i].cost > state[worst].cost ? i : worst;
	slices->worst[left] = state[worst].cost;
	return cost < state[worst].cost ? &state[worst] : NULL;
}

static void add_state(struct slices *slices, const struct slices_state *from, int axis, uint32_t w,
		      const struct block_turns *config, const struct ring_view *view,
		      uint8_t wing[ORBITS][WING_BYTES], int left)
{
	const struct words *words = slices->words;
	const struct word *word = &words->word[w];
	int cost = from->cost + cost_of(from, axis, config, word->length);
	struct slices_state *to = room_for_state(slices, left, cost);
	struct block_turns back;
	if (!to)
		return;
	for (int i = 0; i < 2 * WIDTHS; i++)
		back.turned[i / WIDTHS][i % WIDTHS] =
			(uint8_t)(-config->turned[i / WIDTHS][i % WIDTHS] & 3);
	for (int place = 0; place < ORBIT; place++) {
		int at = word->from[place_before(words, &back, place)];
		to->middle[words->view[axis][place]] = view->seen[place_before(words, config, at)];
	}
	memcpy(to->wing, wing, sizeof(to->wing));
	to->config = *config;
	to->before = from->step;
	to->cost = (uint16_t)cost;
	to->word = (uint16_t)w;
	to->axis = (uint8_t)axis;
}

static void expand_state(struct slices *slices, const struct slices_state *state, int left,
			 uint32_t words)
{
	int home = home_of(slices, (uint8_t(*)[WING_BYTES])state->wing);
	for (int axis = 0; axis < AXES; axis++) {
		struct ring_view view;
		for (int place = 0; place < ORBIT; place++)
			view.seen[place] = state->middle[slices->words->view[axis][place]];
		for (int i = 0; i < RING; i++) {
			view.before[0][i] = view.seen[ring_of_u[i]];
			view.before[1][i] = view.seen[ring_of_d[i]];
		}
		for (uint32_t w = 0; w < words; w++) {
			for (int c = 0; c < slices->configs; c++) {
				const struct block_turns *config = &slices->config[c];
				uint8_t wing[ORBITS][WING_BYTES];
				memcpy(wing, state->wing, sizeof(wing));
				look_word(slices->words, &slices->words->word[w], config, &view);
				change(slices, &view, config, wing);
				if (home_of(slices, wing) <= home)
					continue;
				int now = left_of(slices, wing);
				if (now < left)
					add_state(slices, state, axis, w, config, &view, wing, now);
			}
		}
	}
}

static bool same(const struct slices *slices, const struct slices_state *a,
		 const struct slices_state *b)
{
	return a->cost == b->cost && memcmp(a->middle, b->middle, sizeof(a->middle)) == 0 &&
	       memcmp(a->wing, b->wing, (size_t)slices->orbits * WING_BYTES) == 0;
}

/* The shortest first, each once; returns how many. */
static uint32_t choose(struct slices *slices, int left, uint32_t most)
{
	struct slices_state *state = slices->state[left];
	uint32_t count = slices->count[left], chosen = 0;
	while (chosen < count && chosen < most) {
		uint32_t best = chosen;
		for (uint32_t i = chosen + 1; i < count; i++)
			best = state[i].cost < state[best].cost ? i : best;
		struct slices_state swap = state[best];
		state[best] = state[chosen];
		state[chosen] = swap;
		bool again = false;
		for (uint32_t i = 0; i < chosen; i++)
			again |= same(slices, &state[i], &swap);
		if (again)
			state[chosen] = state[--count];
		else
			chosen++;
	}
	return chosen;
}

/* ---- the way ---- */

static void turn_blocks(struct reduction *reduction, int axis, const struct block_turns *from,
			const struct block_turns *to)
{
	const struct cube_hold *hold = &cube_hold_table.hold[words_hold(axis)];
	for (int i = 0; i < 2 * WIDTHS; i++) {
		int side = i / WIDTHS, width = i % WIDTHS;
		reduction_turn(reduction, hold->to[side == 0 ? CUBE_U : CUBE_D], 1, width + 2,
			       to->turned[side][width] - from->turned[side][width]);
	}
}

static void follow(struct reduction *reduction, struct slices *slices, uint32_t last)
{
	static const struct block_turns none;
	const struct block_turns *config = &none;
	uint32_t count = 0;
	int axis = 0;
	for (uint32_t step = last; step != NO_STEP; step = slices->step[step].before)
		slices->way[count++] = step;
	while (count > 0) {
		const struct slices_step *step = &slices->step[slices->way[--count]];
		if (step->word == UINT16_MAX)
			continue;
		if (step->word >= TURN_FIRST) {
			int move = step->word - TURN_FIRST;
			turn_blocks(reduction, axis, config, &none);
			config = &none;
			reduction_turn(reduction, move_face(move), 1, 1, move_quarters(move));
			continue;
		}
		const struct word *word = &slices->words->word[step->word];
		const struct cube_hold *hold = &cube_hold_table.hold[words_hold(step->axis)];
		if (step->axis != axis) {
			turn_blocks(reduction, axis, config, &none);
			config = &none;
		}
		turn_blocks(reduction, step->axis, config, &step->config);
		for (int i = 0; i < word->length; i++)
			reduction_turn(reduction, hold->to[move_face(word->move[i])], 1, 1,
				       move_quarters(word->move[i]));
		axis = step->axis;
		config = &step->config;
	}
	turn_blocks(reduction, axis, config, &none);
}

static uint32_t add_step(struct slices *slices, const struct slices_state *state)
{
	slices->step[slices->steps] =
		(struct slices_step){state->before, state->word, state->axis, state->config};
	return slices->steps++;
}

/* Expands a state from which words find nothing, with each turn of an outer layer before. */
static void expand_turned(struct slices *slices, const struct slices_state *state, int left)
{
	static const struct block_turns none;
	const struct words *words = slices->words;
	for (int move = 0; move < MOVES && slices->steps < STEPS_MAX; move++) {
		struct slices_state turned = *state;
		const uint8_t *from = words->turn[move_face(move)][move_quarters(move)];
		for (int place = 0; place < ORBIT; place++)
			turned.middle[place] = state->middle[from[place]];
		turned.cost = (uint16_t)(cost_of(state, state->axis, &none, 1));
		turned.cost = (uint16_t)(turned.cost + state->cost);
		turned.config = none;
		turned.before = state->step;
		turned.word = (uint16_t)(TURN_FIRST + move);
		turned.step = add_step(slices, &turned);
		expand_state(slices, &turned, left, words->count_of[WORD_SHORT]);
	}
}

bool slices_pair(struct reduction *reduction, const struct words *words,
		 const struct pairing *pairing, void *work)
{
	struct slices *slices = work;
	slices->words = words;
	slices->orbits = pairing->orbits;
	slices->steps = 0;
	find_configs(slices);
	for (int left = 0; left <= LEFT_MAX; left++) {
		slices->count[left] = 0;
		slices->worst[left] = UINT32_MAX;
	}
	struct slices_state start = {.before = NO_STEP, .word = UINT16_MAX};
	memcpy(start.middle, pairing->middle, sizeof(start.middle));
	memcpy(start.wing, pairing->wing, (size_t)pairing->orbits * WING_BYTES);
	int first = left_of(slices, start.wing);
	*room_for_state(slices, first, 0) = start;
	for (int left = first; left >= 0; left--) {
		bool last = left <= 2;
		uint32_t count = choose(slices, left, last ? WIDTH_LAST : WIDTH);
		for (uint32_t i = 0; i < count; i++) {
			struct slices_state *state = &slices->state[left][i];
			state->step = slices->steps;
			slices->step[slices->steps++] = (struct slices_step){
				state->before, state->word, state->axis, state->config};
			if (left == 0) {
				follow(reduction, slices, state->step);
				return true;
			}
			expand_state(slices, state, left,
				     words->count_of[last ? WORD_LENGTH : WORD_SHORT]);
			if (last)
				expand_turned(slices, state, left);
			if (!reduction_go_on(reduction, 1024))
				return false;
		}
	}
	return false;
}
