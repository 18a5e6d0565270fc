/* notation/bracket.c: brackets, and what stands for them.
 *
 * "A: B", "A, B" and "A/B" may fill the whole text without brackets, and so may "A: B, C" and
 * "A: B/C". The node of such a bare separator is put before what was read already; its frame ends with the
 * text. A/B, in brackets or bare, is [A: [B, A2']]: it opens the commutator as a frame of its own. */
#include "core/name.h"
#include "core/notation/notation_internal.h"

#include <string.h>

/* Returns true if the `(18f)` of other programs stands at r->at: the number of moves, given at the
 * end. It is one only if `18f` is not a legal move here; otherwise it is a group. */
static bool is_length_note(struct reader *r, struct mark open)
{
	/* f q s, and a * for "proven shortest", are Cube Explorer's; the others name metrics. */
	static const char *const units[] = {"f",    "h",   "q",   "s",   "htm", "qtm",  "stm",
					    "qstm", "etm", "HTM", "QTM", "STM", "QSTM", "ETM"};
	size_t start = r->at + open.length, at = start;
	struct move move;
	struct cube_turn turn;
	while (at < r->length && notation_kinds[r->text[at]] == MARK_DIGIT)
		at++;
	bool blank = at < r->length && r->text[at] == ' ';
	size_t word = at + blank, end = word;
	while (end < r->length && ((r->text[end] | 0x20) >= 'a' && (r->text[end] | 0x20) <= 'z'))
		end++;
	if (at == start || (blank && end - word == 1) ||
	    name_find(units, sizeof(units[0]), sizeof(units) / sizeof(units[0]),
		      (const char *)r->text + word, end - word) < 0)
		return false;
	bool legal = notation_lex_move(r, start, &move) && move.end == end &&
		     notation_judge_move(r->size, r->dialect, &move, &turn) == CUBE_OK;
	bool star = end < r->length && r->text[end] == '*';
	struct mark close = notation_mark(r, end + star);
	return close.kind == MARK_ROUND_CLOSE && (star || !legal) &&
	       notation_only_space(r, end + star + close.length);
}

static bool refuse_mark(struct reader *r, struct mark mark, enum cube_error_code code,
			const char *expected)
{
	return notation_refuse(r, code, r->at, mark.length, expected);
}

static bool refuse_depth(struct reader *r, struct mark mark)
{
	return refuse_mark(r, mark, CUBE_ERROR_DEPTH, "at most 64 brackets in brackets");
}

/* ---- frames ---- */

static struct frame *top_frame(struct reader *r)
{
	return &r->stack[r->depth - 1];
}

/* A new frame, for a node that exists or is about to be added. */
static void push_frame(struct reader *r, uint32_t node, uint8_t kind)
{
	r->stack[r->depth++] = (struct frame){node, (uint32_t)r->at, kind, kind == MARK_SLASH};
	if (r->depth > r->deepest)
		r->deepest = r->depth;
}

static void add_node(struct reader *r, enum cube_node_kind kind)
{
	r->nodes[r->count++] = (struct cube_node){.amount = 1, .kind = (uint8_t)kind};
}

bool notation_read_open(struct reader *r, struct mark mark)
{
	const struct dialect *dialect = r->dialect;
	bool round = mark.kind == MARK_ROUND_OPEN;
	if (round && (dialect->forms & FORM_NOTE) && is_length_note(r, mark)) {
		r->at = r->length;
		return true;
	}
	if (!(dialect->forms & (round ? FORM_ROUND : FORM_SQUARE)))
		return refuse_mark(r, mark, CUBE_ERROR_DIALECT, dialect->has);
	if (dialect->round_is_inverse && r->on_inverse)
		return refuse_mark(r, mark, CUBE_ERROR_DIALECT, "no ( ) within ( )");
	if (r->depth == CUBE_DEPTH_MAX)
		return refuse_depth(r, mark);
	if (dialect->round_is_inverse) {
		r->stack[r->depth++] = (struct frame){r->count, (uint32_t)r->at, mark.kind, false};
		r->on_inverse = true;
	} else {
		push_frame(r, r->count, mark.kind);
		add_node(r, CUBE_NODE_GROUP);
	}
	r->at += mark.length;
	return true;
}

/* ---- separators ---- */

/* The nodes of A and B in A/B: only plain moves can be before a slash, since they are copied. */
static bool is_plain(const struct reader *r, uint32_t from)
{
	for (uint32_t i = from; i < r->count; i++)
		if (r->nodes[i].kind != CUBE_NODE_TURN)
			return false;
	return true;
}

/* Opens the commutator of A/B behind A. */
static void open_slash(struct reader *r)
{
	push_frame(r, r->count, MARK_SLASH);
	add_node(r, CUBE_NODE_COMMUTATOR);
}

/* Appends A2' to the commutator of A/B, its second part. */
static void append_half(struct reader *r, const struct cube_node *conjugate,
			struct cube_node *commutator)
{
	const struct cube_node *first = conjugate + 1;
	const uint32_t count = (uint32_t)(commutator - first);
	commutator->middle = r->count;
	if (count == 1) {
		/* U2' or U2 is the same, and U4 is nothing. */
		r->nodes[r->count] = *first;
		r->nodes[r->count].turn.quarters = 2;
		r->nodes[r->count].end = r->count + 1;
		r->count += first->turn.quarters % 2 != 0;
	} else if (count > 1) {
		add_node(r, CUBE_NODE_GROUP);
		struct cube_node *group = &r->nodes[r->count - 1];
		group->amount = -2;
		for (uint32_t i = 0; i < count; i++) {
			r->nodes[r->count] = first[i];
			r->nodes[r->count].end = r->count + 1;
			r->count++;
		}
		group->end = r->count;
		if (r->depth + 1 > r->deepest)
			r->deepest = (uint8_t)(r->depth + 1);
	}
}

/* Ends the frame of a separator. */
static void pop_separator(struct reader *r)
{
	const struct frame *frame = top_frame(r);
	struct cube_node *node = &r->nodes[frame->node];
	if (frame->kind == MARK_SLASH)
		append_half(r, &r->nodes[(frame - 1)->node], node);
	node->end = r->count;
	r->depth--;
}

/* Returns true if a move or bracket was read since the text began, or since the last bare
 * separator. */
static bool part_has_units(const struct reader *r)
{
	return r->unit_end > r->part_at;
}

/* Puts a node before the part that was read last. */
static void insert_node(struct reader *r, uint32_t at, enum cube_node_kind kind)
{
	struct cube_node *nodes = r->nodes;
	memmove(nodes + at + 1, nodes + at, (r->count - at) * sizeof(*nodes));
	r->count++;
	for (uint32_t i = at + 1; i < r->count; i++) {
		nodes[i].end++;
		nodes[i].middle += nodes[i].middle > 0;
	}
	nodes[at] = (struct cube_node){.amount = 1, .middle = r->count, .kind = (uint8_t)kind};
}

/* Reads a separator in no brackets: the first one, or a comma or slash after a colon. */
static bool read_bare(struct reader *r, struct mark mark)
{
	const bool second =
		r->bare == 1 && r->stack[0].kind == MARK_COLON && mark.kind != MARK_COLON;
	const uint32_t part = second ? r->nodes[r->stack[0].node].middle : 0;
	if (!(r->dialect->forms & FORM_SQUARE) || r->trial || (r->bare > 0 && !second) ||
	    !part_has_units(r))
		return notation_refuse_bare_separator(r, mark);
	if (mark.kind == MARK_SLASH && !is_plain(r, part))
		return refuse_mark(r, mark, CUBE_ERROR_BRACKET_PARTS, "plain moves before a slash");
	if (r->deepest + 3 > CUBE_DEPTH_MAX)
		return refuse_depth(r, mark);
	insert_node(r, part, mark.kind == MARK_COMMA ? CUBE_NODE_COMMUTATOR : CUBE_NODE_CONJUGATE);
	r->deepest++;
	push_frame(r, part, mark.kind == MARK_SLASH ? MARK_COLON : mark.kind);
	if (mark.kind == MARK_SLASH)
		open_slash(r);
	r->bare = r->depth;
	r->part_before = r->part_at;
	r->at += mark.length;
	r->part_at = r->at;
	return true;
}

bool notation_read_separator(struct reader *r, struct mark mark)
{
	if (r->depth == r->bare)
		return read_bare(r, mark);
	struct frame *frame = top_frame(r);
	if (frame->kind != MARK_SQUARE_OPEN || frame->separated)
		return refuse_mark(r, mark, CUBE_ERROR_BRACKET_PARTS,
				   "one comma or colon, between the two parts of [ ]");
	if (mark.kind == MARK_SLASH && !is_plain(r, frame->node + 1))
		return refuse_mark(r, mark, CUBE_ERROR_BRACKET_PARTS, "plain moves before a slash");
	if (mark.kind == MARK_SLASH && r->depth + 2 > CUBE_DEPTH_MAX)
		return refuse_depth(r, mark);
	frame->separated = true;
	r->nodes[frame->node].middle = r->count;
	r->nodes[frame->node].kind =
		mark.kind == MARK_COMMA ? CUBE_NODE_COMMUTATOR : CUBE_NODE_CONJUGATE;
	if (mark.kind == MARK_SLASH)
		open_slash(r);
	r->at += mark.length;
	return true;
}

/* ---- the end of a bracket ---- */

/* Reads the amount of a bracket that ends at r->at: 3, 3', ^3, *3, x3. */
static bool read_times(struct reader *r)
{
	const size_t sign = notation_repeat_sign(r, r->at);
	if (sign == 0) {
		/* For readings in an error: the unit ends before its amount. */
		r->unit_end = r->at;
		return notation_read_amount(r, r->at);
	}
	if (!notation_read_repeat(r, r->at + sign))
		return false;
	notation_note_times(r, sign);
	return true;
}

bool notation_read_close(struct reader *r, struct mark mark)
{
	bool round = mark.kind == MARK_ROUND_CLOSE;
	if (r->depth == r->bare)
		return refuse_mark(r, mark, CUBE_ERROR_BRACKET_CLOSE, "a bracket to close");
	struct frame *frame = top_frame(r);
	if (round != (frame->kind == MARK_ROUND_OPEN)) {
		refuse_mark(r, mark, CUBE_ERROR_BRACKET_CLOSE,
			    "the bracket that belongs to the last one opened");
		/* In [R) it is unknown whether a group or a second part is missing. */
		if (!round || frame->separated)
			notation_suggest(r, "%s", round ? "]" : ")");
		return false;
	}
	if (!round && !frame->separated)
		return refuse_mark(r, mark, CUBE_ERROR_BRACKET_PARTS,
				   "a comma or colon and a second part before it");
	if (frame->kind == MARK_SLASH) {
		const size_t slash = frame->offset;
		pop_separator(r);
		frame = top_frame(r);
		notation_note_slash(r, frame->node, frame->offset, slash, r->at + mark.length);
	}
	r->depth--;
	r->unit_start = r->at;
	r->unit_is_move = false;
	r->at += mark.length;
	if (r->dialect->round_is_inverse) {
		r->on_inverse = false;
		r->unit_end = r->at;
		r->amount = (struct amount){r->at, r->at, r->at, 1, 1, false, false};
		return true;
	}
	struct cube_node *node = &r->nodes[frame->node];
	node->end = r->count;
	if (!read_times(r))
		return false;
	node->amount = r->amount.prime ? -r->amount.value : r->amount.value;
	if (node->amount == 0)
		r->count = frame->node;
	return true;
}

/* ---- the end of the text ---- */

static bool refuse_open(struct reader *r)
{
	const struct frame *frame = top_frame(r);
	frame -= frame->kind == MARK_SLASH;
	return notation_refuse(
		r, CUBE_ERROR_BRACKET_OPEN, frame->offset, notation_mark(r, frame->offset).length,
		frame->kind == MARK_ROUND_OPEN ? "a ) that closes it" : "a ] that closes it");
}

bool notation_end_brackets(struct reader *r)
{
	if (r->depth > r->bare)
		return refuse_open(r);
	if (r->bare == 0)
		return true;
	const struct frame last = *top_frame(r);
	if (!part_has_units(r)) {
		r->at = last.offset;
		return notation_refuse_bare_separator(r, notation_mark(r, r->at));
	}
	while (r->depth > 0)
		pop_separator(r);
	if (last.kind == MARK_SLASH)
		notation_note_slash(r, (&r->stack[r->bare - 2])->node, r->part_before, last.offset,
				    r->length);
	else if (last.kind == MARK_COMMA)
		notation_note_comma(r, last.offset);
	return true;
}
