/* written.c: moves in another dialect, or as turns. */
#include "server/api/cubes/written.h"

#include <stdio.h>

#include "server/api/input/input.h"
#include "server/api/request/media.h"
#include "server/format/cube_out.h"
#include "server/util/suggest.h"

/* Names of all forms; returns how many of them serve the size. */
static size_t forms_of(int size, const char *names[WRITTEN_COUNT])
{
	size_t count = 0;
	for (int i = 0; i < CUBE_DIALECT_COUNT; i++) {
		const int only = cube_dialect_size((enum cube_dialect)i);
		if (only == 0 || only == size)
			names[count++] = cube_dialect_name((enum cube_dialect)i);
	}
	names[count++] = "axis";
	names[count++] = "turns";
	return count;
}

bool written_read(struct context *ctx, struct text name, int size, uint8_t *as)
{
	const char *names[WRITTEN_COUNT];
	char expected[128], detail[128];
	if (!name.bytes)
		return true;
	if (!input_choice(ctx, name, "/write", "form of moves", names, forms_of(3, names), as))
		return false;
	if (*as >= CUBE_DIALECT_COUNT)
		return true;
	const int only = cube_dialect_size((enum cube_dialect) * as);
	if (only == 0 || only == size)
		return true;
	snprintf(detail, sizeof detail, "%s has moves of a %dx%dx%d only, and size is %d.",
		 cube_dialect_name((enum cube_dialect) * as), only, only, only, size);
	suggest_list(names, forms_of(size, names), expected, sizeof expected);
	return input_problem(ctx, "/write", detail, expected, NULL);
}

/* {"axis": "x", "angle": -1, "start": 1, "end": 1} */
static void write_axis_turns(struct out *out, int size, const struct cube_turn *turns, size_t count)
{
	out_open(out, '[');
	for (size_t i = 0; i < count; i++) {
		const struct cube_axis_turn turn = cube_turn_to_axis(size, turns[i]);
		out_open(out, '{');
		out_member_bytes(out, "axis", &"xyz"[turn.axis], 1);
		out_member_integer(out, "angle", turn.angle);
		out_member_integer(out, "start", turn.start);
		out_member_integer(out, "end", turn.end);
		out_close(out, '}');
	}
	out_close(out, ']');
}

/* A turn for which there is no word, and which one it is when all are written out. */
static bool no_word(struct context *ctx, const struct moves_request *moves,
		    enum cube_dialect dialect, int size, const struct cube_turn *turns,
		    size_t fault)
{
	char text[CUBE_TURN_TEXT_MAX], detail[200];
	cube_turn_print(size, turns[fault], text);
	snprintf(detail, sizeof detail,
		 "%s (move %zu, written out) rotates the cube, and nothing after it rotates it "
		 "back; %s has no word for rotations.",
		 text, fault + 1, cube_dialect_name(dialect));
	return moves_problem(ctx, moves, detail,
			     "moves that leave all centres where they were; or another form");
}

/* Text on the arena; NULL if it cannot be written (the reply says why). */
static const char *dialect_text(struct context *ctx, const struct moves_request *moves,
				const struct cube_alg *alg, enum cube_dialect dialect)
{
	const int size = alg->size;
	struct cube_turn *turns;
	size_t count, length, fault;
	if (cube_dialect_nests(dialect)) {
		length = cube_alg_print_in(dialect, alg, NULL, 0);
		char *text = ctx_alloc(ctx, length + 1);
		if (text)
			cube_alg_print_in(dialect, alg, text, length + 1);
		return text;
	}
	if (!moves_expand(ctx, moves, alg, &turns, &count))
		return NULL;
	if (!cube_turns_print_in(dialect, size, turns, count, NULL, 0, &length, &fault)) {
		no_word(ctx, moves, dialect, size, turns, fault);
		return NULL;
	}
	char *text = ctx_alloc(ctx, length + 1);
	if (!text ||
	    !cube_turns_print_in(dialect, size, turns, count, text, length + 1, &length, &fault))
		return NULL;
	return text;
}

bool written_write(struct context *ctx, struct out *out, const struct moves_request *moves,
		   const struct cube_alg *alg, uint8_t as)
{
	struct cube_turn *turns;
	size_t count;
	const bool plain = ctx->media == MEDIA_TEXT;
	if (as < CUBE_DIALECT_COUNT) {
		const char *text = dialect_text(ctx, moves, alg, (enum cube_dialect)as);
		if (text && plain) {
			buffer_text(out->buffer, text);
		} else if (text) {
			out_member_string(out, "written", text);
		}
		return text != NULL;
	}
	if (plain)
		return input_problem(ctx, "/write", "An array of turns cannot be plain text.",
				     "a dialect, or Accept: application/json", NULL);
	if (!moves_expand(ctx, moves, alg, &turns, &count))
		return false;
	out_key(out, "written");
	if (as == WRITTEN_AXIS)
		write_axis_turns(out, alg->size, turns, count);
	else
		turn_list_write(out, alg->size, turns, count);
	return true;
}
