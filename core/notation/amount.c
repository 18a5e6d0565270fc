/* notation/amount.c: repeats and primes after a unit, and whose the digits are.
 *
 * In R2L the 2 may be the amount of R or the layer of L; in R12U on a large cube 1 and 2 may even
 * be shared out. On the 2x2x2 and the 3x3x3 a single 2 or 3 between two moves is an amount, because there
 * nobody names layers in text without spaces; elsewhere such text is refused. Every way to cut the digits is tried that could leave the next move a layer, which
 * has three digits at most; so the work per junction is bounded however long the digits are. */
#include "core/notation/notation_internal.h"

#include <stdio.h>
#include <string.h>

/* Digits of a layer number: CUBE_SIZE_MAX has three. */
#define LAYER_DIGITS 3

void notation_lex_amount(const struct reader *r, size_t at, size_t limit, struct amount *amount)
{
	*amount = (struct amount){.start = at, .value = 1, .rest = 1};
	int64_t value = 0;
	unsigned last_two = 0;
	size_t end = limit < r->length ? limit : r->length;
	for (; at < end && notation_kinds[r->text[at]] == MARK_DIGIT; at++) {
		unsigned digit = (unsigned)(r->text[at] - '0');
		last_two = last_two % 10 * 10 + digit;
		value = value > CUBE_AMOUNT_MAX ? value : value * 10 + digit;
	}
	if (at > amount->start) {
		amount->value = value;
		amount->rest = (uint8_t)(last_two % 4); /* 4 divides 100 */
		amount->leading_zero = r->text[amount->start] == '0' && at > amount->start + 1;
	}
	amount->digits_end = amount->end = at;
	if (at >= limit)
		return;
	struct mark mark = notation_mark(r, at);
	if (mark.kind == MARK_PRIME) {
		amount->prime = true;
		amount->end += mark.length;
	}
}

/* CUBE_OK where the unit read last may have this amount here. */
static enum cube_error_code judge_amount(const struct reader *r, const struct amount *amount)
{
	if (amount->leading_zero)
		return CUBE_ERROR_AMOUNT;
	if (!r->unit_is_move && amount->value > CUBE_AMOUNT_MAX)
		return CUBE_ERROR_AMOUNT_LARGE;
	if (!r->dialect->amounts || amount->end == amount->start)
		return CUBE_OK;
	size_t digits = amount->digits_end - amount->start;
	char only = amount->prime ? '\'' : (char)r->text[amount->start];
	if (digits + amount->prime > 1 || !strchr(r->dialect->amounts, only))
		return CUBE_ERROR_DIALECT;
	return CUBE_OK;
}

bool notation_takes_number(const struct reader *r, size_t at)
{
	struct mark mark = notation_mark(r, at);
	return mark.kind == MARK_FACE || mark.kind == MARK_SMALL ||
	       (mark.kind == MARK_DASH && notation_mark(r, at + mark.length).kind == MARK_DIGIT);
}

/* Writes the two ways to read digits between two units. `splits` are the two ends of the amount, `end`
 * is that of the second unit. */
static void write_readings(const struct reader *r, const size_t splits[2], size_t end,
			   char readings[2][NOTE_READING_MAX])
{
	size_t start = r->unit_start;
	size_t digits = r->unit_is_move ? r->move.end : r->unit_end;
	const char *text = (const char *)r->text;
	for (int i = 0; i < 2; i++) {
		struct amount amount;
		char number[20];
		notation_lex_amount(r, digits, splits[i], &amount);
		int length = (int)(splits[i] - digits);
		/* Only a move can have more digits than fit; of those the remainder says all. */
		if (length <= 16)
			snprintf(number, sizeof(number), "%.*s", length, text + digits);
		else
			snprintf(number, sizeof(number), "%d", amount.rest);
		snprintf(readings[i], NOTE_READING_MAX, "%.*s%s %.*s", (int)(digits - start),
			 text + start, number, (int)(end - splits[i]), text + splits[i]);
	}
}

/* Refuses digits that could belong to two moves; `followers` are the moves after the two splits. */
static bool refuse_ambiguous(struct reader *r, const size_t splits[2],
			     const struct move followers[2])
{
	size_t start = r->unit_start, end = followers[0].end;
	notation_refuse(r, CUBE_ERROR_AMBIGUOUS, start, end - start,
			"a space that shows which move the number belongs to");
	write_readings(r, splits, end, r->error->readings);
	return false;
}

/* Returns true if digits with two readings are usually an amount: a 2 or 3 between two moves of a
 * cube with at most one inner layer. A 3 before a wide move has no second reading there. */
static bool is_usual_amount(const struct reader *r, size_t start, size_t end)
{
	return r->size <= 3 && r->unit_is_move && end - start == 1 &&
	       (r->text[start] == '2' || r->text[start] == '3');
}

/* Returns true if the digits start..split are an amount and a legal move begins at `split`. */
static bool split_is_legal(const struct reader *r, size_t start, size_t split,
			   struct move *follower)
{
	struct amount amount;
	struct cube_turn turn;
	notation_lex_amount(r, start, split, &amount);
	return judge_amount(r, &amount) == CUBE_OK && notation_lex_move(r, split, follower) &&
	       notation_judge_move(r->size, r->dialect, follower, &turn) == CUBE_OK;
}

/* Decides where the amount of digits start..end ends, with a move directly after them. */
static bool split_digits(struct reader *r, size_t start, size_t end, size_t *split)
{
	size_t cuts[2 + LAYER_DIGITS] = {end}, legal[2];
	struct move followers[2];
	int count = 1, found = 0;
	/* The two natural readings first: all digits to one side, all to the other. */
	if (end - start <= LAYER_DIGITS)
		cuts[count++] = start;
	for (size_t own = 1; own <= LAYER_DIGITS && own < end - start; own++)
		cuts[count++] = end - own;
	for (int i = 0; i < count && found < 2; i++) {
		legal[found] = cuts[i];
		found += split_is_legal(r, start, cuts[i], &followers[found]);
	}
	if (found == 2 && is_usual_amount(r, start, end)) {
		char readings[2][NOTE_READING_MAX];
		write_readings(r, legal, followers[0].end, readings);
		notation_note_amount(r, followers[0].end, readings);
		found = 1;
	}
	if (found == 2)
		return refuse_ambiguous(r, legal, followers);
	/* Without a legal reading, the plain one says what is wrong. */
	bool range = notation_mark(r, end).kind == MARK_DASH;
	*split = found == 1 ? legal[0] : range ? start : end;
	return true;
}

bool notation_read_amount(struct reader *r, size_t at)
{
	struct amount *amount = &r->amount;
	uint8_t next = at < r->length ? notation_kinds[r->text[at]] : MARK_END;
	if (next != MARK_DIGIT && next != MARK_PRIME && next != MARK_MULTI) {
		*amount = (struct amount){at, at, at, 1, 1, false, false};
		r->at = r->unit_end = at;
		return true;
	}
	notation_lex_amount(r, at, SIZE_MAX, amount);
	if (amount->digits_end > at && !amount->prime && notation_takes_number(r, amount->end)) {
		size_t split = at;
		if (!split_digits(r, at, amount->end, &split))
			return false;
		notation_lex_amount(r, at, split, amount);
	}
	r->at = r->unit_end = amount->end;
	if (amount->end == amount->start)
		return true;
	enum cube_error_code code = judge_amount(r, amount);
	return code == CUBE_OK || notation_refuse_amount(r, code);
}

size_t notation_repeat_sign(const struct reader *r, size_t at)
{
	if (at >= r->length || r->dialect->round_is_inverse)
		return 0;
	const unsigned char *sign = r->text + at;
	struct amount amount;
	size_t bytes = *sign == '^' || *sign == '*' || *sign == 'x';
	if (r->length - at > 2 && memcmp(sign, "\xc3\x97", 2) == 0) /* the multiplication sign */
		bytes = 2;
	if (bytes == 0)
		return 0;
	notation_lex_amount(r, at + bytes, SIZE_MAX, &amount);
	/* x' and x3' are rotations, and so is an x alone. */
	const bool digits = amount.digits_end > amount.start;
	return digits && !(*sign == 'x' && amount.prime) ? bytes : 0;
}

bool notation_read_repeat(struct reader *r, size_t at)
{
	r->unit_end = at;
	notation_lex_amount(r, at, SIZE_MAX, &r->amount);
	r->at = r->unit_end = r->amount.end;
	enum cube_error_code code = judge_amount(r, &r->amount);
	return code == CUBE_OK || notation_refuse_amount(r, code);
}
