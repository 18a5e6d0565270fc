/* algorithm/transform.c: algorithms seen in a mirror, or turned as a whole. */
#include <assert.h>

#include "core/room.h"
#include "cube/algorithm.h"
#include "cube/cube.h"

void cube_transform_init(struct cube_transform *transform)
{
	*transform = (struct cube_transform){.mirrored = false};
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		transform->face[face] = face;
}

void cube_transform_rotate(struct cube_transform *transform, int size, struct cube_turn rotation)
{
	union cube3 turned;
	uint8_t to[CUBE_FACES];
	assert(rotation.from == 1 && rotation.to == size);
	(void)size;
	rotation.to = 3;
	cube_init(&turned.cube, 3);
	cube_turn(&turned.cube, rotation);
	for (size_t at = 0; at < CUBE_FACES; at++)
		to[cube_color_at(&turned.cube, 9 * at + 4)] = (uint8_t)at;
	for (int face = 0; face < CUBE_FACES; face++)
		transform->face[face] = to[transform->face[face]];
}

void cube_transform_mirror(struct cube_transform *transform, enum cube_plane plane)
{
	for (int face = 0; face < CUBE_FACES; face++)
		if (transform->face[face] % 3 == plane)
			transform->face[face] = (uint8_t)((transform->face[face] + 3) % CUBE_FACES);
	transform->mirrored = !transform->mirrored;
}

/* The same turn seen from the opposite face. */
static void see_from_behind(int size, struct cube_turn *turn)
{
	const uint8_t from = turn->from;
	turn->face = (uint8_t)((turn->face + 3) % CUBE_FACES);
	turn->from = (uint8_t)(size + 1 - turn->to);
	turn->to = (uint8_t)(size + 1 - from);
	turn->quarters = (int8_t)-turn->quarters;
}

struct cube_turn cube_turn_transform(int size, struct cube_turn turn,
				     const struct cube_transform *transform)
{
	const int8_t quarters = turn.quarters;
	turn.face = transform->face[turn.face];
	if (transform->mirrored)
		turn.quarters = (int8_t)-turn.quarters;
	/* M E S m e s turn like L D F, and x y z like R U F. */
	const bool slice = turn.style == CUBE_STYLE_MIDDLE || turn.style == CUBE_STYLE_INNER;
	if ((slice && (turn.face == CUBE_R || turn.face == CUBE_U || turn.face == CUBE_B)) ||
	    (turn.style == CUBE_STYLE_WHOLE && turn.face >= CUBE_D))
		see_from_behind(size, &turn);
	if (quarters == 2 || quarters == -2)
		turn.quarters = quarters;
	return turn;
}

void cube_alg_transform(const struct cube_alg *alg, const struct cube_transform *transform,
			struct cube_node *nodes, struct cube_alg *result)
{
	for (uint32_t i = 0; i < alg->count; i++) {
		nodes[i] = alg->nodes[i];
		if (nodes[i].kind == CUBE_NODE_TURN)
			nodes[i].turn = cube_turn_transform(alg->size, nodes[i].turn, transform);
	}
	*result = *alg;
	result->nodes = nodes;
}
