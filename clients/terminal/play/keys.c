/* keys.c: bytes of a terminal to keys, keys to turns. */
#include "clients/terminal/play/keys.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cube/algorithm.h"

const char *const play_layout_names[PLAY_LAYOUTS] = {"letters", "speed"};

/* ---- bytes to keys ---- */

/* The length of a control sequence, ESC [ or ESC O and then up to a final byte; 0: not complete. */
static size_t sequence_length(const char *bytes, size_t length)
{
	for (size_t i = 2; i < length; i++)
		if (bytes[i] >= 0x40 && bytes[i] <= 0x7e)
			return i + 1;
	return 0;
}

static int sequence_key(const char *bytes, size_t length)
{
	if (length != 3)
		return PLAY_KEY_OTHER;
	return bytes[2] == 'D' ? PLAY_KEY_LEFT : bytes[2] == 'C' ? PLAY_KEY_RIGHT : PLAY_KEY_OTHER;
}

size_t play_key_read(const char *bytes, size_t length, bool final, int *key)
{
	const unsigned char first = (unsigned char)bytes[0];
	*key = first == '\b'   ? PLAY_KEY_BACKSPACE
	       : first == '\n' ? '\r'
	       : first >= 128  ? PLAY_KEY_OTHER
			       : first;
	if (first != PLAY_KEY_ESCAPE)
		return 1;
	if (length == 1)
		return final ? 1 : 0;
	if (bytes[1] != '[' && bytes[1] != 'O')
		return 1;
	const size_t sequence = sequence_length(bytes, length);
	if (sequence > 0) {
		*key = sequence_key(bytes, sequence);
		return sequence;
	}
	/* One that never ends is dropped. */
	*key = PLAY_KEY_OTHER;
	return final || length >= 32 ? length : 0;
}

/* ---- letters ---- */

static const struct {
	char letter;
	uint8_t face;
	enum { FACE, INNER, WHOLE } layers;
} letters[] = {
	{'u', CUBE_U, FACE},  {'r', CUBE_R, FACE},  {'f', CUBE_F, FACE},  {'d', CUBE_D, FACE},
	{'l', CUBE_L, FACE},  {'b', CUBE_B, FACE},  {'m', CUBE_L, INNER}, {'e', CUBE_D, INNER},
	{'s', CUBE_F, INNER}, {'x', CUBE_R, WHOLE}, {'y', CUBE_U, WHOLE}, {'z', CUBE_F, WHOLE},
};
#define LETTERS (sizeof letters / sizeof letters[0])

/* The middle layer, or on even sizes all inner ones; style as SiGN writes them. */
static bool inner_turn(int size, int face, int quarters, struct cube_turn *turn)
{
	const bool odd = size % 2 == 1;
	const int from = odd ? (size + 1) / 2 : 2, to = odd ? from : size - 1;
	if (from > to)
		return false;
	*turn = cube_turn_make(size, face, from, to, quarters);
	turn->style = odd ? CUBE_STYLE_MIDDLE : CUBE_STYLE_INNER;
	return true;
}

static bool layers_turn(int size, int face, int from, int to, int quarters, struct cube_turn *turn)
{
	if (from > to || to > size)
		return false;
	*turn = cube_turn_make(size, face, from, to, quarters);
	return true;
}

static enum play_press press_letter(struct play_keys *keys, int key, int size,
				    struct cube_turn *turn)
{
	if (key >= '2' && key <= '9') {
		if (key == '2')
			keys->half = true;
		else
			keys->layer = (uint8_t)(key - '0');
		return PLAY_PRESS_PREPARED;
	}
	if (key == 'w' || key == 'W') {
		keys->wide = true;
		return PLAY_PRESS_PREPARED;
	}
	size_t row = 0;
	while (row < LETTERS && (key > 127 || letters[row].letter != tolower(key)))
		row++;
	if (row == LETTERS)
		return PLAY_PRESS_NOTHING;
	const int face = letters[row].face, layer = keys->layer > 0 ? keys->layer : 1;
	const int quarters = (keys->half ? 2 : 1) * (isupper(key) ? -1 : 1);
	const int widest = layer > 2 ? layer : 2;
	bool there = letters[row].layers == WHOLE ? layers_turn(size, face, 1, size, quarters, turn)
		     : letters[row].layers == INNER ? inner_turn(size, face, quarters, turn)
		     : keys->wide ? layers_turn(size, face, 1, widest, quarters, turn)
				  : layers_turn(size, face, layer, layer, quarters, turn);
	keys->half = keys->wide = false;
	keys->layer = 0;
	return there ? PLAY_PRESS_TURN : PLAY_PRESS_NO_LAYER;
}

/* ---- speed ---- */

/* A number of layers: one of these, and so many more. */
enum { NUMBER, LEFT_HAND = 32, RIGHT_HAND = 64, WHOLE_SIZE = 96 };
#define LEFT LEFT_HAND
#define RIGHT RIGHT_HAND
#define SIZE WHOLE_SIZE

static const struct {
	char key;
	uint8_t face, from, to;
	int8_t quarters;
} speed[] = {
#define SPEED(key, face, from, to, quarters) {key, CUBE_##face, from, to, quarters},
#include "clients/terminal/play/keys.def"
#undef SPEED
};
#define SPEED_KEYS (sizeof speed / sizeof speed[0])

static const struct {
	char key;
	uint8_t hand;
	int8_t step;
} widths[] = {{'3', 0, -1}, {'4', 0, 1}, {'8', 1, -1}, {'7', 1, 1}};

static int hand_width(const struct play_keys *keys, int hand, int size)
{
	const int width = keys->narrow[hand] + 1;
	return width < size ? width : size;
}

static int layers_of(const struct play_keys *keys, int number, int size)
{
	const int of = (number + 1) / LEFT_HAND * LEFT_HAND;
	const int base = of == LEFT_HAND    ? hand_width(keys, 0, size)
			 : of == RIGHT_HAND ? hand_width(keys, 1, size)
			 : of == WHOLE_SIZE ? size
					    : 0;
	return base + number - of;
}

static enum play_press press_speed(struct play_keys *keys, int key, int size,
				   struct cube_turn *turn)
{
	key = key < 128 ? tolower(key) : key;
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
		uint8_t *narrow = &keys->narrow[widths[i].hand];
		if (widths[i].key != key)
			continue;
		if (widths[i].step < 0 ? *narrow > 0 : *narrow + 2 < size)
			*narrow = (uint8_t)(*narrow + widths[i].step);
		return PLAY_PRESS_PREPARED;
	}
	for (size_t i = 0; i < SPEED_KEYS; i++)
		if (speed[i].key == key)
			return layers_turn(
				       size, speed[i].face, layers_of(keys, speed[i].from, size),
				       layers_of(keys, speed[i].to, size), speed[i].quarters, turn)
				       ? PLAY_PRESS_TURN
				       : PLAY_PRESS_NO_LAYER;
	return PLAY_PRESS_NOTHING;
}

enum play_press play_press(struct play_keys *keys, int key, int size, struct cube_turn *turn)
{
	return keys->layout == PLAY_SPEED ? press_speed(keys, key, size, turn)
					  : press_letter(keys, key, size, turn);
}

/* ---- the help ---- */

static const char *const letters_help[] = {
	"u r f d l b   turn a face clockwise; with Shift: counterclockwise",
	"x y z         turn the whole cube",
	"m e s         turn the middle layer, or all inner ones of an even cube",
	"w             before a letter: two layers",
	"2             before a letter: a half turn",
	"3 ... 9       before a letter: only this layer; with w: so many layers",
	"q             quit",
};

static const char *const commands_help[] = {
	"",
	"Space         scramble, and inspect; the first turn starts the timer",
	"Left, Right   undo, redo; Backspace: undo",
	"Tab           lesson (2x2x2 to 7x7x7): a hint; then the moves; then makes them",
	"Enter, Esc    lesson: make the moves of the step; end the lesson",
	"Ctrl-N        a solved cube",
	"Ctrl-V        the other view: oblique, or unfolded; v too in letters",
	"=             the other layout: letters, or speed",
	"Ctrl-C        quit; Ctrl-Q too",
};

static const char *const speed_rows[] = {"1234567890", "qwertyuiop", "asdfghjkl;", "zxcvbnm,./"};

/* Two lines for each row of the keyboard: keys, and under each its move. */
static void speed_help(size_t index, int size, char text[PLAY_HELP_BYTES])
{
	const char *row = speed_rows[index / 2];
	size_t at = 0;
	for (; *row; row++) {
		struct play_keys keys = {.layout = PLAY_SPEED};
		struct cube_turn turn;
		char move[CUBE_TURN_TEXT_MAX] = "";
		const enum play_press pressed = play_press(&keys, *row, size, &turn);
		if (index % 2 == 0)
			snprintf(move, sizeof move, "%c", toupper(*row));
		else if (pressed == PLAY_PRESS_TURN)
			cube_turn_print(size, turn, move);
		else if (pressed == PLAY_PRESS_PREPARED)
			snprintf(move, sizeof move, "%s", strchr("34", *row) ? "left" : "right");
		at += (size_t)snprintf(text + at, PLAY_HELP_BYTES - at, "%-7.6s", move);
	}
}

bool play_keys_help(enum play_layout layout, size_t index, int size, char text[PLAY_HELP_BYTES])
{
	const size_t own = layout == PLAY_SPEED ? 9 : sizeof letters_help / sizeof letters_help[0];
	if (index < own) {
		if (layout == PLAY_LETTERS)
			snprintf(text, PLAY_HELP_BYTES, "%s", letters_help[index]);
		else if (index == 8)
			snprintf(text, PLAY_HELP_BYTES,
				 "3 4, 8 7      fewer or more layers for the left, the right hand");
		else
			speed_help(index, size, text);
		return true;
	}
	if (index - own >= sizeof commands_help / sizeof commands_help[0])
		return false;
	snprintf(text, PLAY_HELP_BYTES, "%s", commands_help[index - own]);
	return true;
}
