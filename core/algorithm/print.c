/* algorithm/print.c: canonical text: SiGN with w, single spaces, brackets kept. */
#include "core/algorithm/print.h"
#include "core/algorithm/tree.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void print_bytes(struct print_writer *writer, const char *bytes, size_t length)
{
	if (writer->length < writer->capacity) {
		size_t room = writer->capacity - writer->length;
		memcpy(writer->text + writer->length, bytes, length < room ? length : room);
	}
	writer->length += length;
}

size_t print_end(struct print_writer *writer)
{
	if (writer->capacity > 0) {
		size_t last = writer->capacity - 1;
		writer->text[writer->length < last ? writer->length : last] = '\0';
	}
	return writer->length;
}

static char *put_number(char *at, unsigned number)
{
	if (number >= 100)
		*at++ = (char)('0' + number / 100);
	if (number >= 10)
		*at++ = (char)('0' + number / 10 % 10);
	*at++ = (char)('0' + number % 10);
	return at;
}

/* Letters of the styles, by face; 0 if a style does not name a face. */
static const char style_letters[4][CUBE_FACES + 1] = {
	[CUBE_STYLE_LAYERS] = "URFDLB",
	[CUBE_STYLE_MIDDLE] = {0, 0, 'S', 'E', 'M', 0, 0},
	[CUBE_STYLE_INNER] = {0, 0, 's', 'e', 'm', 0, 0},
	[CUBE_STYLE_WHOLE] = {'y', 'x', 'z', 0, 0, 0, 0},
};

size_t cube_turn_print(int size, struct cube_turn turn, char text[CUBE_TURN_TEXT_MAX])
{
	/* By quarters -2..2. */
	static const char amounts[5][3] = {"2'", "'", "0", "", "2"};
	unsigned from = turn.from, to = turn.to;
	assert(turn.quarters >= -2 && turn.quarters <= 2);
	/* All layers are a rotation, whatever face and style they came with. */
	if (from == 1 && to == (unsigned)size && !style_letters[CUBE_STYLE_WHOLE][turn.face])
		turn = cube_turn_make(size, turn.face, 1, size, turn.quarters);
	else if (from == 1 && to == (unsigned)size)
		turn.style = CUBE_STYLE_WHOLE;
	char letter = style_letters[turn.style][turn.face], *at = text;
	if (turn.style != CUBE_STYLE_LAYERS && letter) {
		*at++ = letter;
	} else {
		if (from > 1 && from < to) {
			at = put_number(at, from);
			*at++ = '-';
		}
		if (to > 2 || (to == 2 && from == 2))
			at = put_number(at, to);
		*at++ = style_letters[CUBE_STYLE_LAYERS][turn.face];
		if (from < to)
			*at++ = 'w';
	}
	for (const char *amount = amounts[turn.quarters + 2]; *amount; amount++)
		*at++ = *amount;
	*at = '\0';
	return (size_t)(at - text);
}

size_t cube_turns_print(int size, const struct cube_turn *turns, size_t count, char *text,
			size_t capacity)
{
	struct print_writer writer = {text, capacity, 0};
	char word[CUBE_TURN_TEXT_MAX];
	for (size_t i = 0; i < count; i++) {
		if (turns[i].quarters == 0)
			continue;
		if (writer.length > 0)
			print_bytes(&writer, " ", 1);
		print_bytes(&writer, word, cube_turn_print(size, turns[i], word));
	}
	return print_end(&writer);
}

static void put_separator(struct print_writer *writer, const struct cube_node *node)
{
	print_bytes(writer, node->kind == CUBE_NODE_COMMUTATOR ? ", " : ": ", 2);
}

/* Returns true if the node turns nothing because its amount is zero. Such nodes are not written, as
 * other readers take R0 for R. */
static bool is_zero(const struct cube_node *node)
{
	return node->kind == CUBE_NODE_TURN ? node->turn.quarters == 0 : node->amount == 0;
}

static void put_close(struct print_writer *writer, const struct cube_node *node)
{
	char amount[24];
	if (node->middle == node->end)
		put_separator(writer, node);
	print_bytes(writer, node->kind == CUBE_NODE_GROUP ? ")" : "]", 1);
	if (node->amount != 1 && node->amount != -1) {
		uint64_t times = amount_size(node->amount);
		int length = snprintf(amount, sizeof(amount), "%" PRIu64, times);
		print_bytes(writer, amount, (size_t)length);
	}
	if (node->amount < 0)
		print_bytes(writer, "'", 1);
}

size_t print_alg(const struct cube_alg *alg, print_word *word, char *text, size_t capacity)
{
	char turn[CUBE_TURN_TEXT_MAX];
	struct print_writer writer = {text, capacity, 0};
	const struct cube_node *stack[CUBE_DEPTH_MAX];
	int depth = 0;
	bool blank = false; /* the next unit needs one before it */
	for (uint32_t at = 0; at <= alg->count; at++) {
		for (; depth > 0 && at == stack[depth - 1]->end; blank = true)
			put_close(&writer, stack[--depth]);
		if (at == alg->count)
			break;
		const struct cube_node *node = &alg->nodes[at];
		if (depth > 0 && at == stack[depth - 1]->middle) {
			put_separator(&writer, stack[depth - 1]);
			blank = false;
		}
		if (is_zero(node)) {
			at = node->end - 1;
			continue;
		}
		if (blank)
			print_bytes(&writer, " ", 1);
		blank = node->kind == CUBE_NODE_TURN;
		if (blank) {
			print_bytes(&writer, turn, word(alg->size, node->turn, turn));
		} else {
			print_bytes(&writer, node->kind == CUBE_NODE_GROUP ? "(" : "[", 1);
			stack[depth++] = node;
		}
	}
	return print_end(&writer);
}

size_t cube_alg_print(const struct cube_alg *alg, char *text, size_t capacity)
{
	return print_alg(alg, cube_turn_print, text, capacity);
}
