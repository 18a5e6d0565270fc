/* notation/move.c: one move: how it is written, what it means for a size and a dialect. */
#include "core/notation/notation_internal.h"

/* Reads a number of any length; larger ones count as MOVE_NUMBER_MAX. Returns where it ends. */
static size_t lex_number(const struct reader *r, size_t at, uint32_t *value, bool *leading_zero)
{
	*value = 0;
	*leading_zero |= r->text[at] == '0';
	for (; at < r->length && notation_kinds[r->text[at]] == MARK_DIGIT; at++) {
		*value = *value * 10 + (uint32_t)(r->text[at] - '0');
		if (*value > MOVE_NUMBER_MAX)
			*value = MOVE_NUMBER_MAX;
	}
	return at;
}

bool notation_lex_move(const struct reader *r, size_t at, struct move *move)
{
	*move = (struct move){.start = at};
	struct mark mark = notation_mark(r, at);
	if (mark.kind == MARK_DIGIT) {
		move->numbers = 1;
		at = lex_number(r, at, &move->b, &move->leading_zero);
		mark = notation_mark(r, at);
		if (mark.kind == MARK_DASH &&
		    notation_mark(r, at + mark.length).kind == MARK_DIGIT) {
			move->numbers = 2;
			move->a = move->b;
			at = lex_number(r, at + mark.length, &move->b, &move->leading_zero);
			mark = notation_mark(r, at);
		}
	}
	move->family = move->end = at;
	if (!notation_is_move(mark.kind))
		return false;
	move->kind = mark.kind;
	move->face = notation_faces[r->text[at]];
	move->end = ++at;
	if (mark.kind == MARK_FACE && at < r->length &&
	    (r->text[at] == 'w' || r->text[at] == 'v')) {
		move->suffix = (char)r->text[at];
		move->end++;
	}
	return true;
}

static unsigned form_of(const struct move *move)
{
	static const unsigned named[MARK_COUNT] = {
		[MARK_MIDDLE] = FORM_MIDDLE, [MARK_INNER] = FORM_INNER, [MARK_WHOLE] = FORM_WHOLE};
	static const unsigned plain[3] = {FORM_FACE, FORM_LAYER, FORM_RANGE};
	static const unsigned wide[3] = {FORM_WIDE, FORM_WIDE_NUMBER, FORM_RANGE};
	static const unsigned small[3] = {FORM_SMALL, FORM_SMALL_NUMBER, FORM_RANGE};
	if (move->suffix == 'v')
		return FORM_VIEW;
	if (move->kind == MARK_SMALL)
		return small[move->numbers];
	if (move->kind == MARK_FACE)
		return (move->suffix == 'w' ? wide : plain)[move->numbers];
	return named[move->kind];
}

/* M E S m e s x y z Rv: layers that no number changes. */
static enum cube_error_code judge_named(int size, const struct move *move, unsigned form,
					struct cube_turn *turn)
{
	if (move->numbers > 0)
		return CUBE_ERROR_PREFIX;
	if (form == FORM_MIDDLE) {
		if (size % 2 == 0)
			return size == 2 ? CUBE_ERROR_LAYER : CUBE_ERROR_NO_MIDDLE;
		turn->from = turn->to = (uint8_t)((size + 1) / 2);
		turn->style = CUBE_STYLE_MIDDLE;
	} else if (form == FORM_INNER) {
		if (size < 3)
			return CUBE_ERROR_LAYER;
		turn->from = 2;
		turn->to = (uint8_t)(size - 1);
		turn->style = CUBE_STYLE_INNER;
	} else {
		*turn = cube_turn_make(size, move->face, 1, size, 1);
	}
	return CUBE_OK;
}

enum cube_error_code notation_judge_move(int size, const struct dialect *dialect,
					 const struct move *move, struct cube_turn *turn)
{
	unsigned form = form_of(move);
	if (!(dialect->forms & form))
		return CUBE_ERROR_DIALECT;
	*turn = (struct cube_turn){.face = move->face, .from = 1, .to = 1, .quarters = 1};
	if (form == FORM_FACE)
		return CUBE_OK;
	if (form & (FORM_MIDDLE | FORM_INNER | FORM_WHOLE | FORM_VIEW))
		return judge_named(size, move, form, turn);

	uint32_t n = (uint32_t)size, from = 1, to = move->numbers > 0 ? move->b : 2;
	bool inner = dialect->small_is_layer && n > 3;
	if (inner && form == FORM_SMALL_NUMBER)
		return CUBE_ERROR_DIALECT;
	/* In the WCA's notation 1Rw is invalid: the number before Rw is at least 2. */
	if (form == FORM_WIDE_NUMBER && to < 2 && !(dialect->forms & FORM_LAYER))
		return CUBE_ERROR_DIALECT;
	if (form == FORM_RANGE)
		from = move->a;
	else if (form == FORM_LAYER || (inner && form == FORM_SMALL))
		from = to;
	if (move->leading_zero || to > n || from > n)
		return CUBE_ERROR_LAYER;
	if (from > to)
		return CUBE_ERROR_RANGE;
	if (from == 1 && to == n)
		return CUBE_ERROR_WHOLE_CUBE;
	turn->from = (uint8_t)from;
	turn->to = (uint8_t)to;
	return CUBE_OK;
}

int8_t notation_quarters(const struct amount *amount)
{
	static const int8_t quarters[2][4] = {{0, 1, 2, -1}, {0, -1, -2, 1}};
	return quarters[amount->prime][amount->rest];
}

bool notation_read_move(struct reader *r)
{
	struct cube_turn turn;
	struct move move;
	if (!notation_lex_move(r, r->at, &move))
		return notation_refuse_move(r, &move, CUBE_ERROR_MOVE);
	enum cube_error_code code = notation_judge_move(r->size, r->dialect, &move, &turn);
	if (code != CUBE_OK)
		return notation_refuse_move(r, &move, code);
	struct note_place place;
	notation_look_for_repeat(r, &move, &place);
	r->move = move;
	r->unit_start = move.start;
	r->unit_is_move = true;
	if (!notation_read_amount(r, move.end))
		return false;
	notation_note_repeat(r, &place);
	turn.quarters = (int8_t)(turn.quarters * notation_quarters(&r->amount));
	if (turn.quarters == 0) {
		r->zeros++;
		return true;
	}
	uint32_t node = r->on_inverse ? r->capacity - ++r->inverse_count : r->count++;
	r->nodes[node] = (struct cube_node){
		.amount = 1,
		.end = node + 1,
		.turn = turn,
		.kind = CUBE_NODE_TURN,
	};
	return true;
}
