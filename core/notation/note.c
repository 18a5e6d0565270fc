/* notation/note.c: what is read, but may have been meant otherwise.
 *
 * In "(R U) x6" x6 is the rotation, as everywhere, although many people mean "six times". Directly
 * after a bracket, "(R U)x6", it is read so. "R, U" may be a commutator without its brackets or a list of
 * two moves, and what "U/R" means depends on who writes it. In "R2L" on a 3x3x3 the 2 is an amount. */
#include "core/notation/notation_internal.h"

#include <stdio.h>
#include <string.h>

/* A repetition is noted from this number on after plain moves: x2 and x3 are rotations there. */
#define DOUBTFUL_TURNS 4
/* The longest amount that is noted. */
#define DIGITS_MAX 15

/* Returns true if the unit read last is a bracket without an amount, with only white space up to
 * `at`. */
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
	const int length = (int)(amount->end - amount->start);       /* with a prime */
	const bool direct = amount->start - 1 == place->bracket_end; /* no space before the x */
	struct cube_notes *notes = r->notes;
	if (!place->is_rotation || digits == 0 || digits > DIGITS_MAX ||
	    (amount->prime && !(place->after_bracket && direct)) ||
	    amount->value < (place->after_bracket ? 2 : DOUBTFUL_TURNS) ||
	    notes->count == CUBE_NOTES_MAX)
		return;
	struct cube_note *note = &notes->note[notes->count++];
	const char *text = (const char *)r->text, *number = text + amount->start;
	*note = (struct cube_note){.offset = place->start, .length = amount->end - place->start};
	snprintf(note->detail, sizeof(note->detail),
		 "x%.*s is read as a rotation of the cube; to repeat %s write (R U)%.*s.", length,
		 number, place->after_bracket ? "the group" : "moves", length, number);
	if (!place->after_bracket)
		return;
	const int bracket = (int)(place->bracket_end - place->start);
	snprintf(note->readings[0], sizeof(note->readings[0]), "%.*s x%.*s", bracket,
		 text + place->start, length, number);
	snprintf(note->readings[1], sizeof(note->readings[1]), "%.*s%.*s", bracket,
		 text + place->start, length, number);
}

/* A new note; NULL if none is wanted or there is no room. */
static struct cube_note *add_note(struct reader *r, size_t start, size_t end)
{
	struct cube_notes *notes = r->notes;
	if (!notes || notes->count == CUBE_NOTES_MAX)
		return NULL;
	struct cube_note *note = &notes->note[notes->count++];
	*note = (struct cube_note){.offset = start, .length = end - start};
	return note;
}

/* Keeps the readings only if both fit and can be read. */
static void keep_readings(const struct reader *r, struct cube_note *note, const int lengths[2])
{
	const int room = (int)sizeof(note->readings[0]);
	bool good = true;
	for (int i = 0; i < 2; i++)
		good &= lengths[i] > 0 && lengths[i] < room &&
			notation_reads(r, note->readings[i], (size_t)lengths[i]);
	if (!good)
		note->readings[0][0] = note->readings[1][0] = '\0';
}

void notation_note_amount(struct reader *r, size_t end, char readings[2][NOTE_READING_MAX])
{
	struct cube_note *note = r->amount_noted ? NULL : add_note(r, r->unit_start, end);
	if (!note)
		return;
	r->amount_noted = true;
	snprintf(note->detail, sizeof(note->detail),
		 "A number between two moves is read as an amount: %s, not %s.", readings[0],
		 readings[1]);
	memcpy(note->readings, readings, sizeof(note->readings));
}

void notation_note_times(struct reader *r, size_t sign)
{
	const struct amount *amount = &r->amount;
	const char *text = (const char *)r->text, *number = text + amount->start;
	const int digits = (int)(amount->digits_end - amount->start);
	const int bracket = (int)(amount->start - sign - r->unit_start);
	if (number[-1] != 'x' || digits > DIGITS_MAX)
		return;
	struct cube_note *note = add_note(r, r->unit_start, amount->end);
	if (!note)
		return;
	snprintf(note->detail, sizeof(note->detail),
		 "x%.*s directly after a bracket is read as %.*s times; for the rotation write a "
		 "space before it.",
		 digits, number, digits, number);
	/* After a number a move needs a space. */
	const char *space = notation_takes_number(r, amount->end) ? " " : "";
	snprintf(note->readings[0], sizeof(note->readings[0]), "%.*s%.*s%s", bracket,
		 text + r->unit_start, digits, number, space);
	snprintf(note->readings[1], sizeof(note->readings[1]), "%.*s x%.*s%s", bracket,
		 text + r->unit_start, digits, number, space);
}

void notation_note_slash(struct reader *r, uint32_t node, size_t start, size_t slash, size_t end)
{
	const struct cube_node *conjugate = &r->nodes[node], *first = conjugate + 1;
	const struct trimmed place = notation_trim(r, start, end);
	const bool bracket =
		notation_mark(r, place.start).kind == MARK_SQUARE_OPEN && r->depth > r->bare;
	const size_t open = bracket ? notation_mark(r, place.start).length : 0;
	const size_t close = bracket ? notation_mark(r, r->at).length : 0;
	const struct trimmed a = notation_trim(r, place.start + open, slash);
	const struct trimmed b = notation_trim(r, slash + 1, place.end - close);
	const int a_length = (int)(a.end - a.start), b_length = (int)(b.end - b.start);
	const char *a_text = (const char *)r->text + a.start;
	const char *b_text = (const char *)r->text + b.start;
	char half[sizeof(((struct cube_note *)0)->readings[0])];
	if (conjugate->middle == node + 1 || place.end <= place.start)
		return;
	struct cube_note *note = add_note(r, place.start, place.end);
	if (!note)
		return;
	snprintf(note->detail, sizeof(note->detail),
		 "A/B is read as A B A2' B' A, which is the commutator [A: [B, A2']].");
	struct cube_turn twice = first->turn;
	twice.quarters = twice.quarters % 2 == 0 ? 0 : 2;
	if (conjugate->middle == node + 2)
		cube_turn_print(r->size, twice, half);
	else
		snprintf(half, sizeof(half), "(%.*s)2'", a_length, a_text);
	const int lengths[2] = {snprintf(note->readings[0], sizeof(note->readings[0]),
					 "[%.*s: [%.*s, %s]]", a_length, a_text, b_length, b_text,
					 half),
				snprintf(note->readings[1], sizeof(note->readings[1]),
					 "[%.*s, %.*s]", a_length, a_text, b_length, b_text)};
	keep_readings(r, note, lengths);
}

void notation_note_comma(struct reader *r, size_t comma)
{
	const struct trimmed all = notation_trim(r, 0, r->length);
	const bool setup = r->stack[0].kind == MARK_COLON;
	const size_t colon = setup ? r->stack[0].offset : 0;
	const size_t after = setup ? colon + notation_mark(r, colon).length : all.start;
	const struct trimmed s = notation_trim(r, all.start, setup ? colon : all.start);
	const struct trimmed rest = notation_trim(r, after, all.end);
	const struct trimmed a = notation_trim(r, after, comma);
	const struct trimmed b = notation_trim(r, comma + notation_mark(r, comma).length, all.end);
	const char *text = (const char *)r->text;
	struct cube_note *note = add_note(r, all.start, all.end);
	if (!note)
		return;
	char(*readings)[sizeof(note->readings[0])] = note->readings;
	const size_t room = sizeof(readings[0]);
	const int s_length = (int)(s.end - s.start), rest_length = (int)(rest.end - rest.start);
	int lengths[2];
	if (setup) {
		snprintf(note->detail, sizeof(note->detail),
			 "A: B, C is read as [A: [B, C]]; write brackets to make it clear.");
		lengths[0] = snprintf(readings[0], room, "[%.*s: [%.*s]]", s_length, text + s.start,
				      rest_length, text + rest.start);
		lengths[1] = snprintf(readings[1], room, "[[%.*s: %.*s], %.*s]", s_length,
				      text + s.start, (int)(a.end - a.start), text + a.start,
				      (int)(b.end - b.start), text + b.start);
	} else {
		snprintf(note->detail, sizeof(note->detail),
			 "A, B is read as the commutator [A, B]; for a list of moves write spaces "
			 "between them.");
		lengths[0] = snprintf(readings[0], room, "[%.*s]", rest_length, text + rest.start);
		lengths[1] = notation_without_commas(r, all, readings[1], room)
				     ? (int)strlen(readings[1])
				     : -1;
	}
	keep_readings(r, note, lengths);
}
