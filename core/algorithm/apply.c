/* algorithm/apply.c: turning a cube by an algorithm, repeats by powers of permutations.
 *
 * A bracket that is short when written out is written out and turned. A longer one is worked out
 * once as a permutation: its parts are applied to solved cubes, then inverted, composed and raised
 * to the power of its amount, each in O(n^2). So no node is visited twice, whatever the amounts and
 * however deep commutators double each other. */
#include "core/algorithm/tree.h"
#include "cube/cube.h"

/* Turns that cost about as much as working with the permutation of a bracket, as measured: the
 * larger the cube, the cheaper is a turn beside 6*n*n stickers. */
#define SHORT_TURNS(size) (8 + (size) / 2)

/* Scratch: two cubes for all, and two for each level of brackets. */
struct applier {
	const struct cube_node *nodes;
	int size;
	size_t stride; /* bytes from one scratch cube to the next */
	char *scratch;
};

static size_t stride_of(int size)
{
	return (cube_bytes(size) + 15) / 16 * 16;
}

size_t cube_alg_scratch_bytes(const struct cube_alg *alg)
{
	return alg->depth == 0 ? 0 : 2 * ((size_t)alg->depth + 1) * stride_of(alg->size);
}

static struct cube *scratch_cube(const struct applier *applier, int level, int which)
{
	return (struct cube *)(void *)(applier->scratch +
				       (size_t)(2 * level + which) * applier->stride);
}

/* A bracket that is being worked out, and the cube that it will turn. */
struct task {
	const struct cube_node *node;
	struct cube *target;
};

/* `target` is turned by the bracket whose parts are in the scratch cubes of `level`. */
static void finish_task(const struct applier *applier, struct task task, int level)
{
	const struct cube_node *node = task.node;
	struct cube *a = scratch_cube(applier, level, 0), *b = scratch_cube(applier, level, 1);
	struct cube *s = scratch_cube(applier, 0, 0), *t = scratch_cube(applier, 0, 1);
	switch ((enum cube_node_kind)node->kind) {
	case CUBE_NODE_TURN:
		return;
	case CUBE_NODE_GROUP:
		cube_power(s, a, node->amount);
		break;
	case CUBE_NODE_COMMUTATOR:
		/* (A B A') B', then its power. */
		cube_compose(s, a, b);
		cube_invert(t, a);
		cube_compose(a, s, t);
		cube_invert(t, b);
		cube_compose(b, a, t);
		cube_power(s, b, node->amount);
		break;
	case CUBE_NODE_CONJUGATE:
		/* (A B A')^k = A B^k A'. */
		cube_power(s, b, node->amount);
		cube_compose(t, a, s);
		cube_invert(b, a);
		cube_compose(s, t, b);
		break;
	}
	cube_compose(t, task.target, s);
	cube_copy(task.target, t);
}

/* Turns the cube by the bracket at `node` if that is short; else returns false. */
static bool apply_short(const struct applier *applier, uint32_t node, struct cube *target)
{
	struct cube_turn turns[SHORT_TURNS(CUBE_SIZE_MAX)];
	uint32_t end = applier->nodes[node].end;
	uint64_t most = (uint64_t)SHORT_TURNS(applier->size);
	if (tree_length(applier->nodes, node, end, most) > most)
		return false;
	cube_turn_all(target, turns, tree_expand(applier->nodes, node, end, turns));
	return true;
}

void cube_alg_apply(struct cube *cube, const struct cube_alg *alg, void *scratch)
{
	struct applier applier = {alg->nodes, alg->size, stride_of(alg->size), scratch};
	struct task stack[CUBE_DEPTH_MAX + 1];
	struct cube *target = cube;
	int level = 0;
	for (uint32_t at = 0;;) {
		while (level > 0 && at == stack[level].node->end) {
			struct task task = stack[level];
			if (task.node->middle == at)
				cube_init(scratch_cube(&applier, level, 1), alg->size);
			finish_task(&applier, task, level--);
			target = task.target;
		}
		if (level > 0 && at == stack[level].node->middle) {
			target = scratch_cube(&applier, level, 1);
			cube_init(target, alg->size);
		}
		if (at == alg->count)
			return;
		const struct cube_node *node = &alg->nodes[at];
		if (node->kind == CUBE_NODE_TURN) {
			cube_turn(target, node->turn);
			at++;
		} else if (apply_short(&applier, at, target)) {
			at = node->end;
		} else if (node->kind == CUBE_NODE_GROUP && node->amount == 1) {
			at++;
		} else {
			stack[++level] = (struct task){node, target};
			target = scratch_cube(&applier, level, 0);
			cube_init(target, alg->size);
			at++;
		}
	}
}
