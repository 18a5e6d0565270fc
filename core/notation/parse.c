/* notation/parse.c: the loop over the text, and its brackets. */
#include "core/name.h"
#include "core/notation/notation_internal.h"

#include <assert.h>
#include <string.h>

/* Whether the `(18f)` of other programs stands at r->at: the number of moves, given at the end. It
 * is one only if `18f` is not a legal move here; otherwise it is a group. */
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

static bool refuse_bracket(struct reader *r, struct mark mark, enum cube_error_code code,
			   const char *expected)
{
	return notation_refuse(r, code, r->at, mark.length, expected);
}

static bool read_blank(struct reader *r, struct mark mark)
{
	r->at += mark.length;
	return true;
}

static bool read_pause(struct reader *r, struct mark mark)
{
	if (!(r->dialect->forms & FORM_PAUSE))
		return refuse_bracket(r, mark, CUBE_ERROR_DIALECT, r->dialect->has);
	return read_blank(r, mark);
}

static bool read_slash(struct reader *r, struct mark mark)
{
	if (!(r->dialect->forms & FORM_COMMENT))
		return refuse_bracket(r, mark, CUBE_ERROR_DIALECT, r->dialect->has);
	return notation_skip_comment(r);
}

static bool read_move(struct reader *r, struct mark mark)
{
	(void)mark;
	return notation_read_move(r);
}

static bool read_open(struct reader *r, struct mark mark)
{
	const struct dialect *dialect = r->dialect;
	bool round = mark.kind == MARK_ROUND_OPEN;
	if (round && (dialect->forms & FORM_NOTE) && is_length_note(r, mark)) {
		r->at = r->length;
		return true;
	}
	if (!(dialect->forms & (round ? FORM_ROUND : FORM_SQUARE)))
		return refuse_bracket(r, mark, CUBE_ERROR_DIALECT, dialect->has);
	if (dialect->round_is_inverse && r->on_inverse)
		return refuse_bracket(r, mark, CUBE_ERROR_DIALECT, "no ( ) within ( )");
	if (r->depth == CUBE_DEPTH_MAX)
		return refuse_bracket(r, mark, CUBE_ERROR_DEPTH, "at most 64 brackets in brackets");
	r->stack[r->depth++] = (struct frame){r->count, (uint32_t)r->at, mark.kind, false};
	r->at += mark.length;
	if (dialect->round_is_inverse) {
		r->on_inverse = true;
		return true;
	}
	if (r->depth > r->deepest)
		r->deepest = r->depth;
	r->nodes[r->count++] = (struct cube_node){.amount = 1, .kind = CUBE_NODE_GROUP};
	return true;
}

static bool read_separator(struct reader *r, struct mark mark)
{
	if (r->depth == 0)
		return notation_refuse_bare_separator(r, mark);
	struct frame *frame = &r->stack[r->depth - 1];
	if (frame->kind != MARK_SQUARE_OPEN || frame->separated)
		return refuse_bracket(r, mark, CUBE_ERROR_BRACKET_PARTS,
				      "one comma or colon, between the two parts of [ ]");
	frame->separated = true;
	r->nodes[frame->node].middle = r->count;
	r->nodes[frame->node].kind =
		mark.kind == MARK_COMMA ? CUBE_NODE_COMMUTATOR : CUBE_NODE_CONJUGATE;
	r->at += mark.length;
	return true;
}

static bool read_close(struct reader *r, struct mark mark)
{
	bool round = mark.kind == MARK_ROUND_CLOSE;
	if (r->depth == 0)
		return refuse_bracket(r, mark, CUBE_ERROR_BRACKET_CLOSE, "a bracket to close");
	struct frame *frame = &r->stack[r->depth - 1];
	if (round != (frame->kind == MARK_ROUND_OPEN)) {
		refuse_bracket(r, mark, CUBE_ERROR_BRACKET_CLOSE,
			       "the bracket that belongs to the last one opened");
		/* Of [R) it cannot be known whether a group or a second part is missing. */
		if (!round || frame->separated)
			notation_suggest(r, "%s", round ? "]" : ")");
		return false;
	}
	if (!round && !frame->separated)
		return refuse_bracket(r, mark, CUBE_ERROR_BRACKET_PARTS,
				      "a comma or colon and a second part before it");
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
	/* For readings in an error: the unit ends before its amount. */
	r->unit_end = r->at;
	if (!notation_read_amount(r, r->at))
		return false;
	node->amount = r->amount.prime ? -r->amount.value : r->amount.value;
	if (node->amount == 0)
		r->count = frame->node;
	return true;
}

typedef bool (*mark_reader)(struct reader *r, struct mark mark);

/* What to do at each mark where a unit may begin. */
static const mark_reader readers[MARK_COUNT] = {
	[MARK_OTHER] = notation_refuse_mark,
	[MARK_BAD] = notation_refuse_mark,
	[MARK_LETTER] = notation_refuse_mark,
	[MARK_PRIME] = notation_refuse_mark,
	[MARK_DASH] = notation_refuse_mark,
	[MARK_BLANK] = read_blank,
	[MARK_DIGIT] = read_move,
	[MARK_FACE] = read_move,
	[MARK_SMALL] = read_move,
	[MARK_MIDDLE] = read_move,
	[MARK_INNER] = read_move,
	[MARK_WHOLE] = read_move,
	[MARK_ROUND_OPEN] = read_open,
	[MARK_ROUND_CLOSE] = read_close,
	[MARK_SQUARE_OPEN] = read_open,
	[MARK_SQUARE_CLOSE] = read_close,
	[MARK_COMMA] = read_separator,
	[MARK_COLON] = read_separator,
	[MARK_PAUSE] = read_pause,
	[MARK_SLASH] = read_slash,
};

static bool read_all(struct reader *r)
{
	for (;;) {
		struct mark mark = notation_mark(r, r->at);
		if (mark.kind == MARK_END)
			break;
		if (!readers[mark.kind](r, mark))
			return false;
	}
	if (r->depth == 0)
		return true;
	const struct frame *frame = &r->stack[r->depth - 1];
	return notation_refuse(
		r, CUBE_ERROR_BRACKET_OPEN, frame->offset, notation_mark(r, frame->offset).length,
		frame->kind == MARK_ROUND_OPEN ? "a ) that closes it" : "a ] that closes it");
}

bool notation_reads(const struct reader *like, const char *text, size_t length)
{
	struct cube_node nodes[TRIAL_MAX + 1];
	struct cube_error error;
	struct reader r;
	assert(length <= TRIAL_MAX && cube_parse_nodes(text, length) <= TRIAL_MAX + 1);
	memset(&r, 0, sizeof(r));
	r.text = (const unsigned char *)text;
	r.length = length;
	r.size = like->size;
	r.dialect = like->dialect;
	r.nodes = nodes;
	r.error = &error;
	r.trial = true;
	return !r.dialect->words && !r.dialect->round_is_inverse && read_all(&r);
}

/* Puts the moves on the inverse, B, behind the others as one group (B)'. They were read into the
 * end of the nodes, last first. */
static void append_inverse(struct reader *r)
{
	uint32_t moves = r->inverse_count, group = r->count;
	struct cube_node *nodes = r->nodes;
	if (moves == 0)
		return;
	memmove(nodes + group + 1, nodes + r->capacity - moves, moves * sizeof(*nodes));
	for (uint32_t low = group + 1, high = group + moves; low < high; low++, high--) {
		struct cube_node node = nodes[low];
		nodes[low] = nodes[high];
		nodes[high] = node;
	}
	r->count += 1 + moves;
	for (uint32_t i = group + 1; i < r->count; i++)
		nodes[i].end = i + 1;
	nodes[group] = (struct cube_node){.amount = -1, .end = r->count, .kind = CUBE_NODE_GROUP};
	r->deepest = 1;
}

size_t cube_parse_nodes(const char *text, size_t length)
{
	/* Every node has a letter or an opening bracket of its own. */
	size_t count = 1;
	for (size_t i = 0; i < length; i++) {
		unsigned byte = (unsigned char)text[i];
		count += ((byte | 0x20) - 'a' < 26u) | (byte == '(') | (byte == '[') |
			 (byte >= 0x80);
	}
	return count;
}

enum cube_error_code cube_parse(const char *text, size_t length, int size,
				enum cube_dialect dialect, struct cube_node *nodes,
				struct cube_alg *alg, struct cube_error *error)
{
	return cube_parse_noted(text, length, size, dialect, nodes, alg, NULL, error);
}

enum cube_error_code cube_parse_noted(const char *text, size_t length, int size,
				      enum cube_dialect dialect, struct cube_node *nodes,
				      struct cube_alg *alg, struct cube_notes *notes,
				      struct cube_error *error)
{
	assert(cube_size_valid(size) && dialect < CUBE_DIALECT_COUNT);
	struct reader r;
	if (notes)
		notes->count = 0;
	/* Its stack is written before it is read and stays as it is. */
	memset(&r, 0, offsetof(struct reader, stack));
	memset(&r.unit_start, 0, sizeof(r) - offsetof(struct reader, unit_start));
	r.text = (const unsigned char *)text;
	r.length = length;
	r.size = size;
	r.dialect = notation_dialect(dialect);
	r.nodes = nodes;
	r.error = error;
	r.notes = notes;
	if (length >= UINT32_MAX)
		notation_refuse(&r, CUBE_ERROR_LONG, 0, length, "text of less than 4 GiB");
	else if (r.dialect->only_size && size != r.dialect->only_size)
		notation_refuse(&r, CUBE_ERROR_SIZE, 0, length, "a 3x3x3 cube for this dialect");
	else {
		if (r.dialect->round_is_inverse)
			r.capacity = (uint32_t)cube_parse_nodes(text, length);
		if (r.dialect->words ? notation_read_words(&r) : read_all(&r)) {
			append_inverse(&r);
			*alg = (struct cube_alg){nodes, r.count, (uint8_t)size, r.deepest, r.zeros};
			return CUBE_OK;
		}
	}
	return error->code;
}
