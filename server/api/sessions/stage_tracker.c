/* stage_tracker.c: the stages of a solve, for each first layer that it may have. */
#include "server/api/sessions/stage_tracker.h"
#include "cube/named.h"

void chains_begin(struct chains *chains)
{
	for (int color = 0; color < CUBE_FACES; color++) {
		chains->chain[color].whole = true;
		chains->chain[color].reached = 0;
	}
}

void chains_miss(struct chains *chains)
{
	for (int color = 0; color < CUBE_FACES; color++)
		chains->chain[color].whole = false;
}

/* Returns those of the fits in which A is on the layer's face. A face is identified by the colour
 * in its middle, which moves with it however the cube is held. */
static uint32_t fits_about(int size, const uint8_t *colors, uint8_t layer, int color, uint32_t fits)
{
	size_t n = (size_t)size, middle = n / 2 * n + n / 2;
	int wanted = layer == CUBE_LAYER_LAST ? (color + 3) % CUBE_FACES : color;
	if (layer == CUBE_LAYER_NONE)
		return fits;
	for (int face = 0; face < CUBE_FACES; face++)
		if (colors[(size_t)face * n * n + middle] != wanted)
			fits &= ~(0xfu << cube_fit(face, 0));
	return fits;
}

/* A state, and the fits of stages in it, computed on first use. */
struct stage_look {
	int size;
	const uint8_t *colors;
	struct stage now;
	uint32_t known, fits[STAGES_MAX];
};

static void compare_stage(struct chains *chains, struct stage_look *looking, int color)
{
	struct chain *chain = &chains->chain[color];
	while (chain->reached < chains->count) {
		size_t i = chain->reached;
		if (!(looking->known >> i & 1))
			looking->fits[i] = chains->fits(chains->context, i);
		looking->known |= 1u << i;
		uint32_t fits = fits_about(looking->size, looking->colors, chains->layer[i], color,
					   looking->fits[i]);
		if (fits == 0)
			return;
		struct stage *stage = &chain->stage[chain->reached++];
		*stage = looking->now;
		stage->fit = __builtin_ctz(fits);
		stage->whole = chain->whole;
		chain->whole = true;
	}
}

bool chains_look(struct chains *chains, int size, const uint8_t *colors, struct find_place at,
		 size_t turns)
{
	struct stage_look looking = {.size = size,
				     .colors = colors,
				     .now = {.at = at, .turns = turns, .look = chains->looks++}};
	bool more = false;
	for (int color = 0; color < CUBE_FACES; color++) {
		compare_stage(chains, &looking, color);
		more |= chains->chain[color].reached < chains->count;
	}
	return more;
}

/* Returns true if a describes the solve better than b: it gets further, or its last stage came
 * earlier, or the one before that. */
static bool is_better(const struct chain *a, const struct chain *b)
{
	if (a->reached != b->reached)
		return a->reached > b->reached;
	for (size_t i = a->reached; i-- > 0;)
		if (a->stage[i].look != b->stage[i].look)
			return a->stage[i].look < b->stage[i].look;
	return false;
}

const struct chain *chains_best(const struct chains *chains)
{
	const struct chain *best = &chains->chain[0];
	for (int color = 1; color < CUBE_FACES; color++)
		if (is_better(&chains->chain[color], best))
			best = &chains->chain[color];
	return best;
}
