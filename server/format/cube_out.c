/* cube_out.c: writing cubes, turns and counts as JSON. */
#include "cube/algorithm.h"
#include "cube/cube.h"
#include "cube/poses.h"
#include "server/format/cube_out.h"

bool answer_view_pieces(const struct answer_view *view)
{
	for (size_t i = 0; i < format_count; i++)
		if (view->as >> i & 1 && formats[i].pieces)
			return true;
	return false;
}

void out_cube_member(struct out *out, const struct cube *cube, const struct answer_view *view,
		     enum cube_known known)
{
	const enum format_needs is = known == CUBE_IMPOSSIBLE  ? FORMAT_COLORS
				     : known == CUBE_ASSEMBLED ? FORMAT_PIECES
							       : FORMAT_REACHED;
	if (view->none)
		return;
	out_member_open(out, "cube", '{');
	out_member_integer(out, "size", cube->size);
	for (size_t i = 0; i < format_count; i++) {
		if (i != FORMAT_ALWAYS && !(view->as >> i & 1))
			continue;
		out_key(out, formats[i].name);
		if (format_serves(&formats[i], cube->size) && formats[i].pieces <= is)
			formats[i].write(out, cube, &view->options);
		else
			out_null(out);
	}
	out_member_bool(out, "solved", cube_is_solved(cube));
	out_member_bool(out, "home", cube_is_home(cube));
	if (known == CUBE_ASSUMED) {
		out_member_string(out, "identity", "assumed");
	} else if (is != FORMAT_REACHED) {
		out_member_bool(out, "possible", false);
	}
	out_close(out, '}');
}

void count_write(struct out *out, uint64_t count)
{
	if (count == CUBE_COUNT_OVER)
		out_null(out);
	else
		out_integer(out, (int64_t)count);
}

void metrics_write(struct out *out, const struct cube_metrics *metrics)
{
	const struct {
		const char *name;
		uint64_t count;
	} rows[] = {{"htm", metrics->htm},
		    {"qtm", metrics->qtm},
		    {"stm", metrics->stm},
		    {"qstm", metrics->qstm},
		    {"etm", metrics->etm}};
	out_open(out, '{');
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		out_key(out, rows[i].name);
		count_write(out, rows[i].count);
	}
	out_close(out, '}');
}

#define FEW_TURNS 16

void turns_write(struct out *out, int size, const struct cube_turn *turns, size_t count)
{
	/* Measured only for many turns: printing costs more than reserving room. */
	const size_t room_bytes = count <= FEW_TURNS
					  ? FEW_TURNS * CUBE_TURN_TEXT_MAX
					  : cube_turns_print(size, turns, count, NULL, 0) + 1;
	out_open(out, '"');
	char *room = buffer_room(out->buffer, room_bytes);
	if (room)
		out->buffer->length += cube_turns_print(size, turns, count, room, room_bytes);
	out_close(out, '"');
}

void turn_members_write(struct out *out, int size, struct cube_turn turn)
{
	int8_t normal[3];
	char text[CUBE_TURN_TEXT_MAX];
	out_member_bytes(out, "face", &cube_face_letters[turn.face], 1);
	out_member_integer(out, "from", turn.from);
	out_member_integer(out, "to", turn.to);
	out_member_integer(out, "turns", turn.quarters);
	cube_face_normal(turn.face, normal);
	out_key(out, "axis");
	format_signed_write(out, normal, 3);
	out_key(out, "layers");
	format_numbers_write(out, (const uint8_t[]){turn.from, turn.to}, 2);
	out_member_bytes(out, "move", text, cube_turn_print(size, turn, text));
}

void turn_list_write(struct out *out, int size, const struct cube_turn *turns, size_t count)
{
	out_open(out, '[');
	for (size_t i = 0; i < count; i++) {
		out_open(out, '{');
		turn_members_write(out, size, turns[i]);
		out_close(out, '}');
	}
	out_close(out, ']');
}
