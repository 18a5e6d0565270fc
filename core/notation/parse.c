/* notation/parse.c: the loop over the text. */
#include "core/notation/notation_internal.h"

#include <assert.h>
#include <string.h>

static bool read_blank(struct reader *r, struct mark mark)
{
	r->at += mark.length;
	return true;
}

static bool read_pause(struct reader *r, struct mark mark)
{
	if (!(r->dialect->forms & FORM_PAUSE))
		return notation_refuse(r, CUBE_ERROR_DIALECT, r->at, mark.length, r->dialect->has);
	return read_blank(r, mark);
}

static bool read_slash(struct reader *r, struct mark mark)
{
	const unsigned char next = r->at + 1 < r->length ? r->text[r->at + 1] : 0;
	if (next != '/' && next != '*' && (r->dialect->forms & FORM_SQUARE))
		return notation_read_separator(r, mark);
	if (!(r->dialect->forms & FORM_COMMENT))
		return notation_refuse(r, CUBE_ERROR_DIALECT, r->at, mark.length, r->dialect->has);
	return notation_skip_comment(r);
}

static bool read_move(struct reader *r, struct mark mark)
{
	(void)mark;
	return notation_read_move(r);
}

typedef bool (*mark_reader)(struct reader *r, struct mark mark);

/* The reader for each mark where a unit may begin. */
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
	[MARK_ROUND_OPEN] = notation_read_open,
	[MARK_ROUND_CLOSE] = notation_read_close,
	[MARK_SQUARE_OPEN] = notation_read_open,
	[MARK_SQUARE_CLOSE] = notation_read_close,
	[MARK_COMMA] = notation_read_separator,
	[MARK_COLON] = notation_read_separator,
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
	return notation_end_brackets(r);
}

bool notation_reads(const struct reader *like, const char *text, size_t length)
{
	struct cube_node nodes[TRIAL_NODES];
	struct cube_error error;
	struct reader r;
	assert(length <= TRIAL_MAX && cube_parse_nodes(text, length) <= TRIAL_NODES);
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
	/* Every node has a letter, an opening bracket or a separator of its own. Only A/B, of which the
	 * text and each square bracket can have one, has two more and a copy of A. */
	size_t count = 1, slashes = 0, places = 1;
	for (size_t i = 0; i < length; i++) {
		unsigned byte = (unsigned char)text[i];
		count += ((byte | 0x20) - 'a' < 26u) | (byte == '(') | (byte == '[') |
			 (byte == ',') | (byte == ':') | (byte == '/') | (byte >= 0x80);
		slashes += byte == '/';
		places += (byte == '[') | (byte >= 0x80);
	}
	return slashes == 0 ? count : 2 * count + 2 * (slashes < places ? slashes : places);
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
