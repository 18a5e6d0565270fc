/* notation/note.c: what is read, but may have been meant otherwise.
 *
 * In "(R U) x6" x6 is the rotation, as everywhere; many people write it for "six times". */
#include "core/notation/notation_internal.h"

#include <stdio.h>

/* A repetition is noted from this number on after plain moves: x2 and x3 are rotations there. */
#define DOUBTFUL_TURNS 4
/* The longest amount that is noted. */
#define DIGITS_MAX 15

/* Whether the unit read last is a bracket without an amount, with only white space up to `at`. */
static bool follows_bracket(const struct reader *r, size_t at)
{
	if (r->unit_end == 0 || r->unit_is_move || r->amount.end > r->amount.start)
		return false;
	for (size_t i = r->unit_end; i < at;) {
		struct mark mark = notation_mark(r, i);
		if (mark.kind != MARK_BLANK)
			return false;
		i += mark.length;
	}
	return true;
}

void notation_look_for_repeat(struct reader *r, const struct move *move, struct note_place *place)
{
	*place = (struct note_place){0};
	if (!r->notes || r->text[move->family] != 'x' || r->dialect->round_is_inverse)
		return;
	place->is_rotation = true;
	place->after_bracket = follows_bracket(r, move->start);
	place->start = place->after_bracket ? r->unit_start : move->start;
	place->bracket_end = r->unit_end;
}

void notation_note_repeat(struct reader *r, const struct note_place *place)
{
	const struct amount *amount = &r->amount;
	const int digits = (int)(amount->digits_end - amount->start);
	struct cube_notes *notes = r->notes;
	if (!place->is_rotation || digits == 0 || digits > DIGITS_MAX || amount->prime ||
	    amount->value < (place->after_bracket ? 2 : DOUBTFUL_TURNS) ||
	    notes->count == CUBE_NOTES_MAX)
		return;
	struct cube_note *note = &notes->note[notes->count++];
	const char *text = (const char *)r->text, *number = text + amount->start;
	*note = (struct cube_note){.offset = place->start, .length = amount->end - place->start};
	snprintf(note->detail, sizeof(note->detail),
		 "x%.*s is read as a rotation of the cube; to repeat %s write (R U)%.*s.", digits,
		 number, place->after_bracket ? "the group" : "moves", digits, number);
	if (!place->after_bracket)
		return;
	const int bracket = (int)(place->bracket_end - place->start);
	snprintf(note->readings[0], sizeof(note->readings[0]), "%.*s x%.*s", bracket,
		 text + place->start, digits, number);
	snprintf(note->readings[1], sizeof(note->readings[1]), "%.*s%.*s", bracket,
		 text + place->start, digits, number);
}
