/* algorithm/metrics.c: counting turns in five ways, without writing repeats out. */
#include "core/algorithm/tree.h"

enum block { BLOCK_OUTER, BLOCK_INNER, BLOCK_ROTATION, BLOCK_COUNT };

/* The count of a turn of each kind of block in each metric: `turn` once per turn, and `quarter`
 * once per quarter turn. HTM counts an inner block as the two outer blocks that it equals. */
static const struct {
	size_t offset;
	uint8_t turn[BLOCK_COUNT], quarter[BLOCK_COUNT];
} metrics_table[] = {
	{offsetof(struct cube_metrics, htm), {1, 2, 0}, {0, 0, 0}},
	{offsetof(struct cube_metrics, qtm), {0, 0, 0}, {1, 2, 0}},
	{offsetof(struct cube_metrics, stm), {1, 1, 0}, {0, 0, 0}},
	{offsetof(struct cube_metrics, qstm), {0, 0, 0}, {1, 1, 0}},
	{offsetof(struct cube_metrics, etm), {1, 1, 1}, {0, 0, 0}},
};

#define METRICS (sizeof(metrics_table) / sizeof(metrics_table[0]))

/* Turns by kind of block and by quarter turns: [..][0] of one, [..][1] of two. */
struct tally {
	uint64_t turns[BLOCK_COUNT][2];
};

static inline void tally_add(struct tally *tally, int size, struct cube_turn turn, uint64_t times)
{
	bool first = turn.from == 1, last = turn.to == size;
	enum block block = first && last   ? BLOCK_ROTATION
			   : first || last ? BLOCK_OUTER
					   : BLOCK_INNER;
	if (turn.quarters == 0)
		return;
	uint64_t *sum = &tally->turns[block][turn.quarters % 2 == 0];
	*sum = count_add(*sum, times);
}

static void tally_finish(const struct tally *tally, struct cube_metrics *metrics)
{
	*metrics = (struct cube_metrics){0};
	for (int block = 0; block < BLOCK_COUNT; block++) {
		for (unsigned quarters = 1; quarters <= 2; quarters++) {
			uint64_t turns = tally->turns[block][quarters - 1];
			if (turns == 0)
				continue; /* most kinds of turns are in no algorithm */
			for (size_t row = 0; row < METRICS; row++) {
				uint64_t *sum =
					(uint64_t *)((char *)metrics + metrics_table[row].offset);
				unsigned each = metrics_table[row].turn[block] +
						metrics_table[row].quarter[block] * quarters;
				*sum = count_add(*sum, count_multiply(turns, each));
			}
		}
	}
}

void cube_alg_metrics(const struct cube_alg *alg, struct cube_metrics *metrics)
{
	struct tally tally = {0};
	struct tree_walk walk;
	const struct cube_node *node;
	uint64_t times;
	tree_walk_init(&walk, alg->nodes, 0, alg->count);
	while ((node = tree_walk_next(&walk, &times)))
		tally_add(&tally, alg->size, node->turn, times);
	tally_finish(&tally, metrics);
}

void cube_turns_metrics(int size, const struct cube_turn *turns, size_t count,
			struct cube_metrics *metrics)
{
	struct tally tally = {0};
	for (size_t i = 0; i < count; i++)
		tally_add(&tally, size, turns[i], 1);
	tally_finish(&tally, metrics);
}
