/* notation/refuse.c: what is reported about refused text: where, what was expected, and what
 * could be written instead. A suggestion is only made if it is legal on this cube and in this
 * dialect, and if the intended meaning is clear: inserting it never changes what the text means.
 * A layer that the cube does not have is an exception: the nearest one is named. */
#include "core/error.h"
#include "core/notation/notation_internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool notation_refuse(struct reader *r, enum cube_error_code code, size_t offset, size_t length,
		     const char *expected)
{
	error_fill(r->error, code, offset, length, expected);
	return false;
}

void notation_suggest(struct reader *r, const char *format, ...)
{
	struct cube_error *error = r->error;
	va_list arguments;
	va_start(arguments, format);
	int length = vsnprintf(error->suggestion, sizeof(error->suggestion), format, arguments);
	va_end(arguments);
	if (length < 0 || (size_t)length >= sizeof(error->suggestion))
		error->suggestion[0] = '\0';
}

/* Returns true if a move without its amount could be written like this. */
static bool is_legal(const struct reader *r, const char *text)
{
	struct reader other = {
		.text = (const unsigned char *)text, .length = strlen(text), .size = r->size};
	struct move move;
	struct cube_turn turn;
	return notation_lex_move(&other, 0, &move) && move.end == other.length &&
	       notation_judge_move(r->size, r->dialect, &move, &turn) == CUBE_OK;
}

/* Suggests the turn in the dialect's own spelling; turns by 0 quarters only if they have one. */
static void suggest_turn(struct reader *r, struct cube_turn turn)
{
	char bare[CUBE_TURN_TEXT_MAX], whole[CUBE_TURN_TEXT_MAX];
	cube_turn_print(r->size, turn, whole);
	int quarters = turn.quarters & 3;
	turn.quarters = 1;
	cube_turn_print(r->size, turn, bare);
	if (!is_legal(r, bare))
		return;
	if (!r->dialect->amounts)
		notation_suggest(r, "%s", whole);
	else if (quarters > 0)
		notation_suggest(r, "%s%s", bare, r->dialect->spelling[quarters - 1]);
}

/* Suggests the move with that amount, if SiGN has such a move on this cube. */
static void suggest_move(struct reader *r, const struct move *move, const struct amount *amount)
{
	struct cube_turn turn;
	const struct dialect *sign = notation_dialect(CUBE_DIALECT_SIGN);
	if (notation_judge_move(r->size, sign, move, &turn) != CUBE_OK)
		return;
	turn.quarters = (int8_t)(turn.quarters * notation_quarters(amount));
	suggest_turn(r, turn);
}

static uint32_t clamp(uint32_t value, uint32_t least, uint32_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* Clamps the layers of a move to those that the cube has. */
static void clamp_layers(int size, struct move *move)
{
	uint32_t n = (uint32_t)size, a = move->a, b = move->b;
	move->leading_zero = false;
	if (move->numbers == 1 && (move->suffix == 'w' || move->kind == MARK_SMALL)) {
		move->b = clamp(b, 1, n - 1);
	} else {
		move->a = clamp(a < b ? a : b, 1, n);
		move->b = clamp(a < b ? b : a, 1, n);
		if (move->numbers == 1)
			move->b = clamp(b, 1, n);
		else if (move->a == 1 && move->b == n)
			move->b = n - 1;
	}
}

static void expect_layers(struct reader *r, const struct move *move)
{
	bool wide = move->suffix == 'w' || move->kind == MARK_SMALL;
	char *expected = r->error->expected;
	size_t room = sizeof(r->error->expected);
	if (move->numbers == 0)
		snprintf(expected, room, "a cube of size 3 or more");
	else if (move->numbers == 1 && wide)
		snprintf(expected, room, "1 to %d layers", r->size - 1);
	else
		snprintf(expected, room, "layers from 1 to %d", r->size);
}

static const char *const expected_texts[CUBE_ERROR_COUNT] = {
	[CUBE_ERROR_RANGE] = "the smaller layer first",
	[CUBE_ERROR_WHOLE_CUBE] = "x, y or z to turn the whole cube",
	[CUBE_ERROR_NO_MIDDLE] = "a cube of odd size; m e s turn all inner layers",
	[CUBE_ERROR_PREFIX] = "no number before M E S m e s x y z, nor before Rv",
	[CUBE_ERROR_AMOUNT] = "an amount like 2, ' or 2'",
	[CUBE_ERROR_AMOUNT_LARGE] = "an amount up to 1000000000000000",
};

static const char *expected_of(const struct reader *r, enum cube_error_code code)
{
	bool own = !expected_texts[code] || (code == CUBE_ERROR_AMOUNT && r->dialect->amounts);
	return own ? r->dialect->has : expected_texts[code];
}

/* Refuses the amount of the unit read last, with what follows up to `end`: it should have been
 * `value`, with or without a prime. For a bracket, only what follows it is reported. */
static bool refuse_after_unit(struct reader *r, enum cube_error_code code, size_t end,
			      int64_t value, bool prime)
{
	size_t start = r->unit_is_move ? r->unit_start : r->amount.start;
	notation_refuse(r, code, start, end - start, expected_of(r, code));
	if (r->dialect->round_is_inverse && !r->unit_is_move) {
		r->error->code = CUBE_ERROR_DIALECT;
		snprintf(r->error->expected, sizeof(r->error->expected), "no amount after ( )");
	} else if (r->unit_is_move) {
		struct amount amount = {.rest = (uint8_t)(value % 4), .prime = prime};
		suggest_move(r, &r->move, &amount);
	} else if (value == 1 && prime) {
		notation_suggest(r, "'");
	} else if (value <= CUBE_AMOUNT_MAX) {
		notation_suggest(r, "%" PRId64 "%s", value, prime ? "'" : "");
	}
	return false;
}

bool notation_refuse_amount(struct reader *r, enum cube_error_code code)
{
	/* Only the remainder of a move's digits counts; it is right for any number of digits. */
	int64_t value = r->unit_is_move ? r->amount.rest : r->amount.value;
	refuse_after_unit(r, code, r->amount.end, value, r->amount.prime);
	/* L3w, where L' would be another move than either of its readings. */
	if (r->unit_is_move && r->amount.end < r->length && r->text[r->amount.end] == 'w')
		r->error->suggestion[0] = '\0';
	return false;
}

static bool follows_unit(const struct reader *r, size_t at)
{
	return r->unit_end > 0 && r->unit_end == at;
}

/* Returns true if numbers stand between a unit and the move directly after it, and may belong to
 * either. */
static bool shares_digits(const struct reader *r, const struct move *move)
{
	return (move->kind == MARK_FACE || move->kind == MARK_SMALL) &&
	       follows_unit(r, move->start) &&
	       (move->numbers > 0 || r->amount.digits_end > r->amount.start);
}

/* Returns true if the move is all that stands between two round brackets and looks like a number of
 * moves: the (18f) of other programs, which counts only at the end. */
static bool is_inner_note(const struct reader *r, const struct move *move)
{
	const struct frame *frame = r->depth > 0 ? &r->stack[r->depth - 1] : NULL;
	return frame && frame->kind == MARK_ROUND_OPEN && move->numbers == 1 &&
	       move->kind == MARK_SMALL &&
	       frame->offset + notation_mark(r, frame->offset).length == move->start &&
	       notation_mark(r, move->end).kind == MARK_ROUND_CLOSE;
}

/* Returns true if the move is a 3x before a bracket, as others write (R U)3. */
static bool is_repeat_before(const struct reader *r, const struct move *move)
{
	size_t at = move->end;
	struct mark mark = notation_mark(r, at);
	for (; mark.kind == MARK_BLANK; mark = notation_mark(r, at))
		at += mark.length;
	return r->text[move->family] == 'x' &&
	       (mark.kind == MARK_ROUND_OPEN || mark.kind == MARK_SQUARE_OPEN);
}

/* Refuses numbers without a face after them. */
static bool refuse_numbers(struct reader *r, const struct move *move)
{
	struct mark next = notation_mark(r, move->end);
	size_t length = move->end - move->start;
	if (next.kind == MARK_BAD)
		return notation_refuse(r, CUBE_ERROR_UTF8, move->end, 1, "text in UTF-8");
	if (follows_unit(r, move->start) && (!r->unit_is_move || r->amount.prime)) {
		struct amount digits;
		notation_lex_amount(r, move->start, move->end, &digits);
		int64_t value = r->unit_is_move ? digits.rest : digits.value;
		return refuse_after_unit(r, CUBE_ERROR_AMOUNT, move->end, value, true);
	}
	if (next.kind == MARK_DASH)
		return notation_refuse(r, CUBE_ERROR_RANGE, move->start, length + next.length,
				       "a second layer number after the dash");
	return notation_refuse(
		r, CUBE_ERROR_MOVE, move->start, length,
		"a face directly after the number, or the number directly after a move");
}

/* Refuses 3r where r is a layer: it may be the layer 3R or the block 3Rw. */
static bool refuse_layer_or_wide(struct reader *r, const struct move *move,
				 const struct amount *amount)
{
	const struct dialect *sign = notation_dialect(CUBE_DIALECT_SIGN);
	char(*readings)[sizeof(r->error->readings[0])] = r->error->readings;
	struct move either = *move;
	struct cube_turn turn;
	either.kind = MARK_FACE;
	for (int i = 0; i < 2; i++) {
		either.suffix = i == 0 ? 0 : 'w';
		if (notation_judge_move(r->size, sign, &either, &turn) != CUBE_OK) {
			readings[0][0] = '\0';
			return false;
		}
		turn.quarters = (int8_t)(turn.quarters * notation_quarters(amount));
		cube_turn_print(r->size, turn, readings[i]);
	}
	if (strcmp(readings[0], readings[1]) == 0) {
		notation_suggest(r, "%s", readings[0]);
		readings[0][0] = readings[1][0] = '\0';
		return false;
	}
	r->error->code = CUBE_ERROR_AMBIGUOUS;
	snprintf(r->error->expected, sizeof(r->error->expected), "%s for a layer, %s for a block",
		 readings[0], readings[1]);
	return false;
}

bool notation_refuse_move(struct reader *r, const struct move *move, enum cube_error_code code)
{
	if (code == CUBE_ERROR_MOVE)
		return refuse_numbers(r, move);
	struct amount amount;
	notation_lex_amount(r, move->end, SIZE_MAX, &amount);
	/* Digits that could belong to the next move are not reported for this one. */
	if (amount.digits_end == amount.end && notation_takes_number(r, amount.end))
		notation_lex_amount(r, move->end, move->end, &amount);
	size_t end = amount.end;
	if (move->kind == MARK_SMALL && end == move->end && end < r->length && r->text[end] == 'w')
		end++; /* rw: what is suggested stands for both */
	notation_refuse(r, code, move->start, end - move->start, expected_of(r, code));

	struct move right = *move;
	if (code == CUBE_ERROR_LAYER)
		expect_layers(r, move);
	if (shares_digits(r, move) || is_inner_note(r, move))
		return false;
	if (code == CUBE_ERROR_PREFIX && is_repeat_before(r, move)) {
		snprintf(r->error->expected, sizeof(r->error->expected),
			 "a number after the bracket, as in (R U)3, to repeat it");
		return false;
	}
	if (code == CUBE_ERROR_DIALECT && r->dialect->small_is_layer && move->kind == MARK_SMALL)
		return refuse_layer_or_wide(r, move, &amount);
	if (code == CUBE_ERROR_LAYER) {
		clamp_layers(r->size, &right);
	} else if (code == CUBE_ERROR_RANGE) {
		right.a = move->b;
		right.b = move->a;
	} else if (code == CUBE_ERROR_PREFIX) {
		right.numbers = 0;
	} else if (code == CUBE_ERROR_NO_MIDDLE) {
		right.kind = MARK_INNER;
	}
	bool whole = right.numbers == 2 && right.a == 1 && right.b == (uint32_t)r->size;
	int8_t quarters = notation_quarters(&amount);
	if (whole || code == CUBE_ERROR_WHOLE_CUBE)
		suggest_turn(r, cube_turn_make(r->size, move->face, 1, r->size, quarters));
	else
		suggest_move(r, &right, &amount);
	return false;
}

/* Refuses L3w on a cube that has 3Lw as well. Its other reading is Lw3. */
static bool refuse_digits_before_w(struct reader *r)
{
	char(*readings)[sizeof(r->error->readings[0])] = r->error->readings;
	const struct amount one = {.rest = 1};
	struct move wide = r->move;
	wide.suffix = 'w';
	suggest_move(r, &wide, &r->amount);
	snprintf(readings[0], sizeof(readings[0]), "%.47s", r->error->suggestion);
	wide.numbers = 1;
	wide.b = (uint32_t)r->amount.value;
	suggest_move(r, &wide, &one);
	snprintf(readings[1], sizeof(readings[1]), "%.47s", r->error->suggestion);
	r->error->suggestion[0] = '\0';
	r->error->code = CUBE_ERROR_AMBIGUOUS;
	snprintf(r->error->expected, sizeof(r->error->expected),
		 "%s for an amount, %s for so many layers", readings[0], readings[1]);
	return false;
}

/* Returns true if the amount of a plain move may also be how many layers a wide one has. A 2 is an
 * amount: 2Rw is hardly ever written. */
static bool may_be_layers(const struct reader *r)
{
	return r->move.kind == MARK_FACE && r->move.numbers == 0 && !r->amount.prime &&
	       r->amount.digits_end > r->amount.start && r->amount.value > 2 &&
	       r->amount.value < r->size && (r->dialect->forms & FORM_WIDE_NUMBER);
}

/* FW2: a capital W. */
static bool refuse_capital(struct reader *r)
{
	struct amount amount;
	struct move right = r->move;
	notation_lex_amount(r, r->at + 1, SIZE_MAX, &amount);
	if (amount.digits_end == amount.end && notation_takes_number(r, amount.end))
		notation_lex_amount(r, r->at + 1, r->at + 1, &amount);
	notation_refuse(r, CUBE_ERROR_MOVE, r->unit_start, amount.end - r->unit_start,
			"a small w directly after U R F D L B");
	right.suffix = 'w';
	suggest_move(r, &right, &amount);
	return false;
}

/* w or v in the wrong place: L'w, R2w, rw. */
static bool refuse_suffix(struct reader *r, char suffix)
{
	static const char expected[] = "w or v directly after U R F D L B";
	size_t at = r->at;
	if (!follows_unit(r, at) || !r->unit_is_move || r->move.suffix)
		return notation_refuse(r, CUBE_ERROR_MOVE, at, 1, expected);
	notation_refuse(r, CUBE_ERROR_MOVE, r->unit_start, at + 1 - r->unit_start, expected);
	if (suffix == 'w' && may_be_layers(r))
		return refuse_digits_before_w(r);
	struct move right = r->move;
	if (right.kind == MARK_SMALL)
		right.kind = MARK_FACE;
	if (right.kind == MARK_FACE) {
		right.suffix = suffix;
		suggest_move(r, &right, &r->amount);
	}
	return false;
}

/* Reads the signs of other programs for a prime or a 2 after a unit: Ui U- R+ R++ R'' R". Returns
 * false, and refuses nothing, if the sign at r->at is not one of these. */
static bool is_foreign_amount(const struct reader *r, struct mark mark, size_t *end, int64_t *value,
			      bool *prime)
{
	static const char double_prime[] = "\xe2\x80\xb3", double_quote[] = "\xe2\x80\x9d";
	const char *sign = (const char *)r->text + r->at;
	bool digits = r->amount.digits_end > r->amount.start;
	*end = r->at + mark.length;
	*value = r->unit_is_move ? r->amount.rest : r->amount.value;
	*prime = true;
	if (!r->amount.prime && (mark.kind == MARK_DASH || *sign == 'i')) {
		struct mark next = notation_mark(r, *end);
		if (!digits && mark.kind == MARK_DASH && next.kind == MARK_DASH) {
			*value = 2;
			*end += next.length;
		}
		return true;
	}
	if (digits)
		return false;
	if (!r->amount.prime && *sign == '+') {
		*value = *end < r->length && r->text[*end] == '+' ? 2 : 1;
		*end += *value == 2;
		*prime = false;
		return true;
	}
	*value = 2;
	if (mark.length == 3 && !r->amount.prime)
		return !memcmp(sign, double_prime, 3) || !memcmp(sign, double_quote, 3);
	if (!r->amount.prime)
		return *sign == '"';
	if (mark.kind != MARK_PRIME)
		return false;
	/* As many quarters back as there are primes. */
	for (mark = notation_mark(r, *end); mark.kind == MARK_PRIME; ++*value) {
		*end += mark.length;
		mark = notation_mark(r, *end);
	}
	return true;
}

/* Returns true if a caret stands before a bracket, as in ^(F R): moves on the inverse, as some
 * write them. */
static bool is_caret_before_bracket(const struct reader *r)
{
	return r->text[r->at] == '^' && notation_mark(r, r->at + 1).kind == MARK_ROUND_OPEN;
}

/* Returns true if what follows may belong to an amount that is written in a foreign way. */
static bool amount_goes_on(const struct reader *r, size_t at)
{
	struct mark mark = notation_mark(r, at);
	return mark.kind == MARK_DIGIT || mark.kind == MARK_PRIME || mark.kind == MARK_DASH ||
	       (at < r->length && strchr("+\"i", r->text[at]));
}

bool notation_refuse_mark(struct reader *r, struct mark mark)
{
	size_t at = r->at, end;
	int64_t value;
	bool prime;
	if (mark.kind == MARK_BAD)
		return notation_refuse(r, CUBE_ERROR_UTF8, at, 1, "text in UTF-8");
	char sign = (char)r->text[at];
	if (sign == 'w' || sign == 'v')
		return refuse_suffix(r, sign);
	if (sign == 'W' && follows_unit(r, at) && r->unit_is_move && r->move.kind == MARK_FACE &&
	    !r->move.suffix && r->amount.end == r->amount.start)
		return refuse_capital(r);
	if (is_caret_before_bracket(r))
		return notation_refuse(
			r, CUBE_ERROR_CHARACTER, at, 1,
			"the dialect nissy, where (F R) without ^ is on the inverse");
	if (follows_unit(r, at) && is_foreign_amount(r, mark, &end, &value, &prime)) {
		refuse_after_unit(r, CUBE_ERROR_AMOUNT, end, value, prime);
		if (amount_goes_on(r, end))
			r->error->suggestion[0] = '\0';
		return false;
	}
	/* A first prime after a unit is only left over if the unit cannot have an amount. */
	if (mark.kind == MARK_PRIME && follows_unit(r, at) && !r->amount.prime)
		return refuse_after_unit(r, CUBE_ERROR_DIALECT, at + mark.length, 1, true);
	if (mark.kind == MARK_PRIME)
		return notation_refuse(r, CUBE_ERROR_AMOUNT, at, mark.length,
				       "one prime, directly after its move or bracket");
	if (mark.kind == MARK_DASH)
		return notation_refuse(r, CUBE_ERROR_RANGE, at, mark.length,
				       "a dash only between two layers, as in 2-3Rw");
	notation_refuse(r, mark.kind == MARK_LETTER ? CUBE_ERROR_MOVE : CUBE_ERROR_CHARACTER, at,
			mark.length, r->dialect->has);
	if ((sign == 'X' || sign == 'Y' || sign == 'Z') && (r->dialect->forms & FORM_WHOLE))
		notation_suggest(r, "%c", sign + ('x' - 'X'));
	return false;
}
