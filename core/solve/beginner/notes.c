/* core/solve/beginner/notes.c: which pieces and places a step is about. */
#include "core/solve/beginner/notes.h"

#include "core/solve/beginner/names.h"
#include "cube/query.h"

#include <assert.h>
#include <string.h>

int beginner_row(enum beginner_stage stage)
{
	int row = 0;
	while (beginner_cases[row].stage != stage)
		row++;
	return row;
}

bool beginner_is_bare(const struct beginner_choice *choice)
{
	return choice->main == WORD_MATCH || choice->main == WORD_PLACED ||
	       choice->main == WORD_CLOSE;
}

int corners_placed(const struct cube_state3 *state)
{
	int count = 0;
	for (int i = 0; i < 4; i++)
		count += (state->piece[CUBE_STATE3_CORNERS + i] & CUBE_STATE3_PIECE) == i;
	return count;
}

int corners_twisted(const struct cube_state3 *state)
{
	int count = 0;
	for (int i = 0; i < 4; i++)
		count += state->piece[CUBE_STATE3_CORNERS + i] >> CUBE_STATE3_TURN != 0;
	return count;
}

/* ---- names ---- */

/* A place by its byte, as cube/query.h counts them. */
static const char *place_name(int byte)
{
	return cube_place_name(byte >= CUBE_STATE3_CORNERS ? byte - CUBE_STATE3_CORNERS
							   : CUBE_CORNERS + byte);
}

/* Returns the place of a piece, both as bytes. */
static int place_of(const struct cube_state3 *state, int piece)
{
	const int from = piece & CUBE_STATE3_CORNERS;
	for (int i = from; i < from + (from ? CUBE_CORNERS : CUBE_EDGES); i++)
		if ((state->piece[i] & CUBE_STATE3_PIECE) == piece - from)
			return i;
	assert(false);
	return -1;
}

static int piece_at(const struct cube_state3 *state, int place)
{
	return (state->piece[place] & CUBE_STATE3_PIECE) + (place & CUBE_STATE3_CORNERS);
}

struct naming {
	struct cube_lesson_note *note;
	const struct beginner_view *before; /* as it is held */
	const struct cube_state3 *ready, *after;
};

static void set_name(struct naming *naming, enum beginner_name name, const char *letters)
{
	char *to = naming->note->name[name];
	size_t length = strlen(letters);
	memcpy(to, letters, length + 1);
}

/* A piece by the letters of its colours, the one of the first or last layer first. */
static void set_piece(struct naming *naming, enum beginner_name name, int piece)
{
	char letters[4] = "";
	const char *sides = place_name(piece);
	for (int i = 0; sides[i] != '\0'; i++) {
		long side = strchr(cube_face_letters, sides[i]) - cube_face_letters;
		letters[i] = cube_face_letters[naming->before->color[side]];
	}
	set_name(naming, name, letters);
}

static void set_place(struct naming *naming, enum beginner_name name,
		      const struct cube_state3 *state, int piece)
{
	set_name(naming, name, place_name(place_of(state, piece)));
}

/* The side where the first sticker of its name faces. */
static void set_facing(struct naming *naming, enum beginner_name name,
		       const struct cube_state3 *state, int piece)
{
	int place = place_of(state, piece);
	char letter[2] = {place_name(place)[state->piece[place] >> CUBE_STATE3_TURN], '\0'};
	set_name(naming, name, letter);
}

/* Both pieces that are at two places when the top layer was turned. */
static void set_both(struct naming *naming, int a, int b, const struct cube_state3 *state)
{
	set_piece(naming, NAME_A, piece_at(state, a));
	set_piece(naming, NAME_B, piece_at(state, b));
	set_name(naming, NAME_A_AT, place_name(a));
	set_name(naming, NAME_B_AT, place_name(b));
}

/* ---- the cases ---- */

/* Names the places of the piece before, with the top layer turned, and after. */
static void name_piece(struct naming *naming, int piece)
{
	set_piece(naming, NAME_PIECE, piece);
	set_place(naming, NAME_FROM, &naming->before->state, piece);
	set_facing(naming, NAME_FACING, &naming->before->state, piece);
	set_place(naming, NAME_AT, naming->ready, piece);
	set_facing(naming, NAME_AT_FACING, naming->ready, piece);
	set_place(naming, NAME_TO, naming->after, piece);
}

static void note_piece(struct naming *naming, const struct beginner_choice *choice)
{
	static const uint16_t hints[] = {WORD_CROSS_HINT, WORD_FIRST_HINT, WORD_SECOND_HINT};
	static const uint16_t lifts[] = {WORD_CROSS_HINT, WORD_FIRST_LIFT_HINT,
					 WORD_SECOND_LIFT_HINT};
	static const uint16_t readies[] = {WORD_CROSS_READY, WORD_FIRST_READY, WORD_SECOND_READY};
	struct cube_lesson_note *note = naming->note;
	name_piece(naming, choice->piece);
	note->hint = (choice->rank > 0 ? lifts : hints)[choice->stage];
	if (choice->quarters > 0)
		note->ready = readies[choice->stage];
	if (choice->stage == SECOND_LAYER)
		set_piece(naming, NAME_A, choice->piece == PLACE_FL ? PLACE_DLF : PLACE_DFR);
}

static void note_cross(struct naming *naming)
{
	struct cube_lesson_note *note = naming->note;
	if (note->main == WORD_LINE) {
		note->hint = WORD_LINE_HINT;
		set_both(naming, PLACE_UL, PLACE_UR, naming->ready);
	} else if (note->main == WORD_ANGLE) {
		note->hint = WORD_ANGLE_HINT;
		set_both(naming, PLACE_UB, PLACE_UL, naming->ready);
	} else {
		int good[4], count = 0;
		note->hint = WORD_DOT_HINT;
		for (int i = PLACE_UR; i <= PLACE_UB; i++)
			if (naming->after->piece[i] >> CUBE_STATE3_TURN == 0)
				good[count++] = i;
		assert(count == 2);
		set_both(naming, good[0], good[1], naming->after);
	}
}

static void note_edges(struct naming *naming)
{
	struct cube_lesson_note *note = naming->note;
	if (note->main == WORD_MATCH) {
		note->hint = WORD_MATCH_HINT;
		name_piece(naming, PLACE_UF);
		return;
	}
	const bool opposite = note->main == WORD_OPPOSITE;
	const int c = piece_at(naming->ready, PLACE_UF), d = piece_at(naming->ready, PLACE_UL);
	note->hint = opposite ? WORD_OPPOSITE_HINT : WORD_EXCHANGE_HINT;
	set_both(naming, PLACE_UB, opposite ? PLACE_UF : PLACE_UR, naming->ready);
	set_piece(naming, NAME_C, c);
	set_piece(naming, NAME_D, d);
	set_place(naming, NAME_C_TO, naming->after, c);
	set_place(naming, NAME_D_TO, naming->after, d);
	note->ready = note->quarters > 0 ? WORD_EXCHANGE_READY : WORD_EXCHANGE_IS;
}

static void note_corners(struct naming *naming)
{
	struct cube_lesson_note *note = naming->note;
	int placed = PLACE_URF;
	if (note->main == WORD_PLACED) {
		note->hint = WORD_PLACED_HINT;
		name_piece(naming, PLACE_URF);
		return;
	}
	note->hint = note->main == WORD_NO_CORNER ? WORD_NO_CORNER_HINT : WORD_ROUND_HINT;
	if (note->quarters > 0) {
		int piece = piece_at(naming->ready, PLACE_URF);
		note->hint =
			note->main == WORD_NO_CORNER ? WORD_NO_CORNER_HINT : WORD_ROUND_READY_HINT;
		note->ready = WORD_ROUND_READY;
		set_piece(naming, NAME_B, piece);
		set_place(naming, NAME_B_AT, &naming->before->state, piece);
		set_name(naming, NAME_C_TO, place_name(PLACE_URF));
	}
	while (note->main == WORD_NO_CORNER && place_of(naming->after, placed) != placed)
		placed++;
	set_piece(naming, NAME_A, placed);
	set_name(naming, NAME_A_AT, place_name(placed));
}

static void note_twist(struct naming *naming, const struct beginner_choice *choice)
{
	struct cube_lesson_note *note = naming->note;
	name_piece(naming, choice->piece);
	if (note->main == WORD_CLOSE) {
		note->hint = WORD_CLOSE_HINT;
		return;
	}
	note->hint = WORD_TWIST_HINT;
	if (note->quarters > 0)
		note->ready = WORD_TWIST_READY;
	note->after = corners_twisted(naming->after) > 0 ? WORD_TWIST_MORE : WORD_TWIST_DONE;
}

/* Nothing else of it is filled. */
static struct cube_lesson_note note_begin(const struct cube_solve_step *step,
					  const struct beginner_view *before)
{
	return (struct cube_lesson_note){.hold = step->rotations > 0 ? WORD_HOLD_TURN
								     : WORD_HOLD_KEEP,
					 .up = before->color[CUBE_U],
					 .front = before->color[CUBE_F],
					 .first = before->color[CUBE_D]};
}

void beginner_note_parity(struct cube_solve_step *step, bool flip,
			  const struct beginner_view *before, const struct cube_state3 *after)
{
	struct cube_lesson_note *note = &step->note;
	struct naming naming = {note, before, &before->state, after};
	*note = note_begin(step, before);
	note->hint = flip ? WORD_FLIP_HINT : WORD_SWAP_HINT;
	note->main = flip ? WORD_FLIP : WORD_SWAP;
	if (flip) {
		name_piece(&naming, piece_at(&before->state, PLACE_UF));
		return;
	}
	const int a = piece_at(&before->state, PLACE_UF), b = piece_at(&before->state, PLACE_UB);
	set_both(&naming, PLACE_UF, PLACE_UB, &before->state);
	set_piece(&naming, NAME_C, a);
	set_piece(&naming, NAME_D, b);
	set_place(&naming, NAME_C_TO, after, a);
	set_place(&naming, NAME_D_TO, after, b);
}

/* A 2x2x2 has no centres: how it is held is said by a corner that is home, or by one of the last
 * layer. */
static void note_hold(struct naming *naming, bool turned)
{
	static const uint8_t places[] = {PLACE_DLF, PLACE_DBL, PLACE_DRB, PLACE_DFR};
	const struct cube_state3 *state = &naming->before->state;
	int place = PLACE_ULB;
	for (size_t i = sizeof(places); i-- > 0;)
		if (state->piece[places[i]] == cube_state3_solved.piece[places[i]])
			place = places[i];
	const int piece = piece_at(state, place);
	set_piece(naming, NAME_E, piece);
	set_name(naming, NAME_E_AT, place_name(place));
	set_facing(naming, NAME_E_FACING, state, piece);
	naming->note->hold = turned ? WORD_HOLD_TURN_2 : WORD_HOLD_KEEP_2;
}

void beginner_note(struct cube_solve_step *step, int size, const struct beginner_choice *choice,
		   const struct beginner_view *before, const struct cube_state3 *after)
{
	struct cube_lesson_note *note = &step->note;
	struct naming naming = {note, before, &choice->before, after};
	*note = note_begin(step, before);
	note->main = choice->main;
	note->row = (uint8_t)choice->row;
	note->quarters = (uint8_t)choice->quarters;
	note->times = (uint8_t)choice->times;
	if (size == 2)
		note_hold(&naming, step->rotations > 0);
	switch (choice->stage) {
	case LAST_CROSS:
		note_cross(&naming);
		break;
	case LAST_EDGES:
		note_edges(&naming);
		break;
	case LAST_CORNERS_PLACED:
		note_corners(&naming);
		break;
	case LAST_CORNERS_TURNED:
		note_twist(&naming, choice);
		break;
	default:
		note_piece(&naming, choice);
		break;
	}
	const char *colors = note->name[NAME_PIECE];
	if (choice->piece < 0 || choice->rank > 0 || beginner_is_bare(choice))
		return;
	const char *name = cube_place_name(cube_place_find(colors, strlen(colors)));
	memcpy(step->piece, name, strlen(name) + 1);
}
