/* turns.c: reading an array of turns. */
#include "server/api/input/turns.h"

#include <stdio.h>
#include <string.h>

#include "cube/poses.h"
#include "server/api/input/input.h"

/* `axis` is a letter, or the vector that an answered turn has beside its face. */
struct turn_members {
	struct text face, axis, move;
	struct json_value *any_axis, *layers, *cubies;
	int64_t from, to, turns, angle, start, end;
};

#define ABSENT INT64_MIN
/* Room for the nodes of the text of one turn. */
#define MOVE_NODES 32

static bool turn_of_face(struct context *ctx, const struct turn_members *in, const char *pointer,
			 int size, struct cube_turn *turn)
{
	const char *face = in->face.length == 1
				   ? memchr(cube_face_letters, in->face.bytes[0], CUBE_FACES)
				   : NULL;
	if (!face)
		return input_problem(ctx, input_pointer(ctx, pointer, "face"),
				     "Unknown face; use U, R, F, D, L or B.", "one of U R F D L B",
				     NULL);
	int64_t from = in->from == ABSENT ? 1 : in->from;
	int64_t to = in->to == ABSENT ? from : in->to;
	char expected[64], detail[64];
	snprintf(expected, sizeof expected, "1 <= from <= to <= %d", size);
	snprintf(detail, sizeof detail, "The cube has the layers 1 to %d.", size);
	if (from < 1 || from > size)
		return input_problem(ctx, input_pointer(ctx, pointer, "from"), detail, expected,
				     NULL);
	if (to < from || to > size)
		return input_problem(ctx, input_pointer(ctx, pointer, "to"),
				     to < from ? "to must not be less than from." : detail,
				     expected, NULL);
	*turn = cube_turn_make(size, (int)(face - cube_face_letters), (int)from, (int)to,
			       in->turns == ABSENT ? 1 : in->turns);
	return true;
}

static bool turn_of_axis(struct context *ctx, const struct turn_members *in, const char *pointer,
			 int size, struct cube_turn *turn)
{
	const char *axis = in->axis.length == 1 ? memchr("xyz", in->axis.bytes[0], 3) : NULL;
	if (!axis)
		return input_problem(ctx, input_pointer(ctx, pointer, "axis"),
				     "Unknown axis; use x, y or z.", "x, y or z", NULL);
	int64_t start = in->start == ABSENT ? 1 : in->start;
	int64_t end = in->end == ABSENT ? start : in->end;
	int index = (int)(*axis - 'x');
	if (cube_turn_from_axis(size, index, in->angle == ABSENT ? 1 : in->angle, start, end, turn))
		return true;
	char expected[96];
	snprintf(expected, sizeof expected,
		 "layers counted from the middle, %d to %d%s, start <= end", -(size / 2), size / 2,
		 size % 2 ? "" : " except 0");
	return input_problem(ctx, pointer,
			     "The cube has no such layers; 1 is the one next to the middle.",
			     expected, NULL);
}

static bool same_numbers(const struct json_value *array, const int64_t *numbers, size_t count)
{
	if (json_item_count(array) != count)
		return false;
	for (size_t i = 0; i < count; i++)
		if (json_value_whole(json_item(array, i)) != numbers[i])
			return false;
	return true;
}

/* `move` must be one turn that does the same; its spelling is kept (M, not 2L). */
static bool same_move(struct text move, int size, struct cube_turn *turn)
{
	struct cube_node nodes[MOVE_NODES];
	struct cube_alg alg;
	struct cube_error error;
	if (cube_parse_nodes(move.bytes, move.length) > MOVE_NODES ||
	    cube_parse(move.bytes, move.length, size, CUBE_DIALECT_SIGN, nodes, &alg, &error) !=
		    CUBE_OK)
		return false;
	if (alg.count == 0)
		return alg.zeros == 1 && turn->quarters == 0;
	const struct cube_turn *read = &nodes[0].turn;
	if (alg.count != 1 || nodes[0].kind != CUBE_NODE_TURN)
		return false;
	const struct cube_turn same =
		cube_turn_make(size, read->face, read->from, read->to, read->quarters);
	if (same.face != turn->face || same.from != turn->from || same.to != turn->to ||
	    same.quarters != turn->quarters)
		return false;
	*turn = *read;
	return true;
}

/* Checks the members that an answer adds to a turn of a face against that turn. The cubies that it
 * moves depend on the cube. */
static bool check_derived(struct context *ctx, const struct turn_members *in, const char *pointer,
			  int size, struct cube_turn *turn)
{
	int8_t normal[3];
	char expected[64], text[CUBE_TURN_TEXT_MAX];
	const char *face = memchr(cube_face_letters, in->face.bytes[0], CUBE_FACES);
	cube_face_normal((int)(face - cube_face_letters), normal);
	const int64_t axis[] = {normal[0], normal[1], normal[2]};
	const int64_t from = in->from == ABSENT ? 1 : in->from;
	const int64_t layers[] = {from, in->to == ABSENT ? from : in->to};
	if (in->any_axis && !same_numbers(in->any_axis, axis, 3)) {
		snprintf(expected, sizeof expected, "[%d, %d, %d], out of face %c, or no axis",
			 normal[0], normal[1], normal[2], *face);
		return input_problem(ctx, input_pointer(ctx, pointer, "axis"),
				     "This axis contradicts the turn's face.", expected, NULL);
	}
	if (in->layers && !same_numbers(in->layers, layers, 2)) {
		snprintf(expected, sizeof expected, "[%d, %d], or no layers", (int)layers[0],
			 (int)layers[1]);
		return input_problem(ctx, input_pointer(ctx, pointer, "layers"),
				     "These layers contradict the turn's from and to.", expected,
				     NULL);
	}
	if (in->move.bytes && !same_move(in->move, size, turn)) {
		const size_t length = cube_turn_print(size, *turn, text);
		snprintf(expected, sizeof expected, "%.*s, or no move", (int)length, text);
		return input_problem(ctx, input_pointer(ctx, pointer, "move"),
				     "This move contradicts the turn's other members.", expected,
				     NULL);
	}
	return true;
}

static bool read_members(struct context *ctx, struct json_value *value, const char *pointer,
			 int size, struct turn_members *in)
{
	const int64_t most = INT64_MAX;
	struct json_value *object;
	const struct json_member members[] = {
		{"face", JSON_TEXT, &in->face, 0, 0},
		{"from", JSON_INT64, &in->from, 1, size},
		{"to", JSON_INT64, &in->to, 1, size},
		{"turns", JSON_INT64, &in->turns, -most, most},
		{"axis", JSON_ANY, &in->any_axis, 0, 0},
		{"angle", JSON_INT64, &in->angle, -most, most},
		{"start", JSON_INT64, &in->start, -size, size},
		{"end", JSON_INT64, &in->end, -size, size},
		{"layers", JSON_ITEMS, &in->layers, 0, 0},
		{"move", JSON_TEXT, &in->move, 0, 0},
		{"cubies", JSON_ITEMS, &in->cubies, 0, 0},
	};
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	if (!json_is_kind(value, JSON_KIND_OBJECT))
		return input_problem(ctx, pointer, "Must be a turn, like the items before it.",
				     "an object such as {\"face\": \"R\", \"turns\": -1}", NULL);
	if (!input_value(ctx, value, pointer, &as) ||
	    !input_object(ctx, object, pointer, members, sizeof members / sizeof members[0]))
		return false;
	if (!in->any_axis || json_is_kind(in->any_axis, JSON_KIND_ARRAY))
		return true;
	in->axis = json_value_text(in->any_axis);
	return in->axis.bytes || input_problem(ctx, input_pointer(ctx, pointer, "axis"),
					       "Must be a letter, or beside face a vector.",
					       "x, y or z, or a vector such as [1, 0, 0]", NULL);
}

static bool read_turn(struct context *ctx, struct json_value *value, const char *pointer, int size,
		      struct cube_turn *turn)
{
	struct turn_members in = {.from = ABSENT,
				  .to = ABSENT,
				  .turns = ABSENT,
				  .angle = ABSENT,
				  .start = ABSENT,
				  .end = ABSENT};
	if (!read_members(ctx, value, pointer, size, &in))
		return false;
	const bool of_face = in.from != ABSENT || in.to != ABSENT || in.turns != ABSENT ||
			     in.layers || in.move.bytes || in.cubies;
	const bool of_axis = in.angle != ABSENT || in.start != ABSENT || in.end != ABSENT;
	if (!in.face.bytes == !in.axis.bytes)
		return input_problem(ctx, pointer,
				     in.face.bytes ? "A turn has a face or an axis, not both."
						   : "A turn must have a face or an axis.",
				     "{\"face\": \"R\"}, or {\"axis\": \"x\"}", NULL);
	if (in.face.bytes ? of_axis : of_face)
		return input_problem(ctx, pointer,
				     "The members of face turns and axis turns must not be mixed.",
				     "face, from, to, turns; or axis, angle, start, end", NULL);
	return in.face.bytes ? turn_of_face(ctx, &in, pointer, size, turn) &&
				       check_derived(ctx, &in, pointer, size, turn)
			     : turn_of_axis(ctx, &in, pointer, size, turn);
}

bool moves_read_turns(struct context *ctx, const struct moves_request *moves, int size,
		      struct cube_alg *alg)
{
	size_t length = json_item_count(moves->array);
	uint32_t count = 0, zeros = 0;
	struct cube_node *nodes = ctx_alloc(ctx, (length + 1) * sizeof *nodes);
	if (!nodes)
		return false;
	for (size_t i = 0; i < length; i++) {
		const char *pointer = input_pointer_index(ctx, moves->pointer, i);
		struct cube_node *node = &nodes[count];
		*node = (struct cube_node){.kind = CUBE_NODE_TURN, .amount = 1, .end = count + 1};
		if (!read_turn(ctx, json_item(moves->array, i), pointer, size, &node->turn))
			return false;
		if (node->turn.quarters == 0)
			zeros++;
		else
			count++;
	}
	*alg = (struct cube_alg){
		.nodes = nodes, .count = count, .size = (uint8_t)size, .zeros = zeros};
	return true;
}
