/* core/turn_make.c: making turns as values: canonical amounts, styles, Cubie's axes. */
#include "cube/turn.h"

int8_t cube_quarters(int64_t quarters)
{
	/* Half turns keep their direction; three quarters are one back. */
	int rest = (int)(quarters % 4);
	return (int8_t)(rest == 3 ? -1 : rest == -3 ? 1 : rest);
}

struct cube_turn cube_turn_make(int size, int face, int from, int to, int64_t quarters)
{
	struct cube_turn turn = {
		.face = (uint8_t)face,
		.from = (uint8_t)from,
		.to = (uint8_t)to,
		.quarters = cube_quarters(quarters),
		.style = CUBE_STYLE_LAYERS,
	};
	if (from == 1 && to == size) {
		turn.style = CUBE_STYLE_WHOLE;
		if (face >= CUBE_D) {
			turn.face = (uint8_t)(face - 3);
			turn.quarters = (int8_t)-turn.quarters;
		}
	}
	return turn;
}

/* Cubie's layer number as an index from L, D or B, or -1 if there is no such layer. */
static int layer_index(int size, int64_t layer)
{
	int half = size / 2;
	if (layer < -half || layer > half)
		return -1;
	if (size % 2 != 0)
		return half + (int)layer;
	if (layer == 0)
		return -1;
	return half + (int)layer - (layer > 0 ? 1 : 0);
}

bool cube_turn_from_axis(int size, int axis, int64_t angle, int64_t start, int64_t end,
			 struct cube_turn *turn)
{
	static const uint8_t face_of_axis[3] = {CUBE_R, CUBE_U, CUBE_F};
	int low = layer_index(size, start), high = layer_index(size, end);
	if (axis < 0 || axis > 2 || low < 0 || high < 0 || low > high)
		return false;
	/* Counted from the nearer face. Right-handed about an axis is counterclockwise as seen from
	 * its positive end and clockwise from the other. */
	int quarters = cube_quarters(angle), face = face_of_axis[axis];
	if (low < size - 1 - high)
		*turn = cube_turn_make(size, face + 3, low + 1, high + 1, quarters);
	else
		*turn = cube_turn_make(size, face, size - high, size - low, -quarters);
	return true;
}

/* Cubie's number of the layer with this index from L, D or B. */
static int index_layer(int size, int index)
{
	const int layer = index - size / 2;
	return size % 2 == 0 && layer >= 0 ? layer + 1 : layer;
}

struct cube_axis_turn cube_turn_to_axis(int size, struct cube_turn turn)
{
	static const int axis_of_face[CUBE_FACES] = {1, 0, 2, 1, 0, 2};
	const bool far = turn.face >= CUBE_D;
	return (struct cube_axis_turn){
		.axis = axis_of_face[turn.face],
		.angle = far ? turn.quarters : -turn.quarters,
		.start = index_layer(size, far ? turn.from - 1 : size - turn.to),
		.end = index_layer(size, far ? turn.to - 1 : size - turn.from),
	};
}

struct cube_turn cube_turn_inverse(struct cube_turn turn)
{
	turn.quarters = (int8_t)-turn.quarters;
	return turn;
}
