/* algorithm/order.c: one order for turns of parallel layers. */
#include "cube/algorithm.h"

/* First and last layer, counted from the face of the axis that comes first. */
static int rank_of(int size, struct cube_turn turn)
{
	const bool far = turn.face >= CUBE_D;
	const int low = far ? size + 1 - turn.to : turn.from;
	const int high = far ? size + 1 - turn.from : turn.to;
	return low * (size + 1) + high;
}

void cube_turns_order(int size, struct cube_turn *turns, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t at = i; at > 0; at--) {
			struct cube_turn *a = &turns[at - 1], *b = &turns[at];
			if (a->face % 3 != b->face % 3 || rank_of(size, *a) <= rank_of(size, *b))
				break;
			const struct cube_turn turn = *a;
			*a = *b;
			*b = turn;
		}
}
