/* notation/rubyks.c: the dialect of words: u ur u2 for all six faces, turn, turn_over, invert. */
#include "core/name.h"
#include "core/notation/notation_internal.h"

/* The rotations are y, z' and z2. */
static const struct {
	const char *word;
	uint8_t face, layers;
	int8_t quarters;
} words[] = {
	{"u", CUBE_U, 1, 1},    {"ur", CUBE_U, 1, -1},        {"u2", CUBE_U, 1, 2},
	{"r", CUBE_R, 1, 1},    {"rr", CUBE_R, 1, -1},        {"r2", CUBE_R, 1, 2},
	{"f", CUBE_F, 1, 1},    {"fr", CUBE_F, 1, -1},        {"f2", CUBE_F, 1, 2},
	{"d", CUBE_D, 1, 1},    {"dr", CUBE_D, 1, -1},        {"d2", CUBE_D, 1, 2},
	{"l", CUBE_L, 1, 1},    {"lr", CUBE_L, 1, -1},        {"l2", CUBE_L, 1, 2},
	{"b", CUBE_B, 1, 1},    {"br", CUBE_B, 1, -1},        {"b2", CUBE_B, 1, 2},
	{"turn", CUBE_U, 3, 1}, {"turn_over", CUBE_F, 3, -1}, {"invert", CUBE_F, 3, 2},
};
#define WORDS (sizeof(words) / sizeof(words[0]))

/* U, U' and U2 are what this dialect calls u, ur and u2. */
static bool refuse_word(struct reader *r, size_t end)
{
	struct move move;
	struct amount amount;
	notation_refuse(r, CUBE_ERROR_DIALECT, r->at, end - r->at, r->dialect->has);
	if (!notation_lex_move(r, r->at, &move))
		return false;
	notation_lex_amount(r, move.end, SIZE_MAX, &amount);
	int quarters = notation_quarters(&amount) & 3, layers = move.kind == MARK_WHOLE ? 3 : 1;
	if (amount.end != end || move.numbers > 0 || move.suffix || move.kind == MARK_MIDDLE ||
	    move.kind == MARK_INNER)
		return false;
	for (size_t i = 0; i < WORDS; i++)
		if (words[i].face == move.face && words[i].layers == layers &&
		    (words[i].quarters & 3) == quarters)
			notation_suggest(r, "%s", words[i].word);
	return false;
}

bool notation_read_words(struct reader *r)
{
	while (r->at < r->length) {
		struct mark mark = notation_mark(r, r->at);
		size_t end = r->at;
		if (mark.kind == MARK_BLANK) {
			r->at += mark.length;
			continue;
		}
		while (mark.kind != MARK_BLANK && mark.kind != MARK_END) {
			if (mark.kind == MARK_BAD)
				return notation_refuse(r, CUBE_ERROR_UTF8, end, 1, "text in UTF-8");
			end += mark.length;
			mark = notation_mark(r, end);
		}
		int word = name_find(&words[0].word, sizeof(words[0]), WORDS,
				     (const char *)r->text + r->at, end - r->at);
		if (word < 0)
			return refuse_word(r, end);
		const struct cube_turn turn = cube_turn_make(
			3, words[word].face, 1, words[word].layers, words[word].quarters);
		r->nodes[r->count] = (struct cube_node){
			.amount = 1, .end = r->count + 1, .turn = turn, .kind = CUBE_NODE_TURN};
		r->count++;
		r->at = end;
	}
	return true;
}
