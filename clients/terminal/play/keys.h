/* keys.h: the keys of `cubed play`: bytes of a terminal to keys, keys to turns.
 *
 * There are two layouts, those of the page: letters (r is R, Shift turns the other way) and speed
 * (csTimer's, keys.def). Both have the same commands, on keys that neither turns with. */
#ifndef TERMINAL_PLAY_KEYS_H
#define TERMINAL_PLAY_KEYS_H

#include "cube/turn.h"
#include "server/util/error.h"

/* A key is the byte that it types, or one of these. */
enum play_key {
	PLAY_KEY_CTRL_C = 3,
	PLAY_KEY_TAB = 9,
	PLAY_KEY_CTRL_N = 14,
	PLAY_KEY_CTRL_Q = 17,
	PLAY_KEY_CTRL_V = 22,
	PLAY_KEY_ESCAPE = 27,
	PLAY_KEY_BACKSPACE = 127,
	PLAY_KEY_LEFT = 256,
	PLAY_KEY_RIGHT,
	PLAY_KEY_OTHER, /* something that means nothing here */
};

/* Takes a key off the front of `length` bytes that were read from the terminal; `length` is at
 * least 1. Returns how many bytes it has; 0 if it may be the beginning of a longer sequence and
 * `final` is false. */
MUST_USE size_t play_key_read(const char *bytes, size_t length, bool final, int *key);

enum play_layout { PLAY_LETTERS, PLAY_SPEED, PLAY_LAYOUTS };

extern const char *const play_layout_names[PLAY_LAYOUTS];

/* The keys that were pressed before a turn; zeros at first. */
struct play_keys {
	enum play_layout layout;
	bool half, wide;   /* of letters: what was pressed before the letter */
	uint8_t layer;     /* the same; 0: none */
	uint8_t narrow[2]; /* of speed: the widths of the left and the right hand, less 1 */
};

enum play_press {
	PLAY_PRESS_NOTHING,  /* the key does not turn in this layout */
	PLAY_PRESS_PREPARED, /* it changed what the next one turns */
	PLAY_PRESS_NO_LAYER, /* a turn of a layer that the cube does not have */
	PLAY_PRESS_TURN,
};

/* Presses a key on a cube of that size. */
MUST_USE enum play_press play_press(struct play_keys *keys, int key, int size,
				    struct cube_turn *turn);

/* The help: row `index` of the layout, at most 72 characters; false past the last. */
#define PLAY_HELP_BYTES 80
MUST_USE bool play_keys_help(enum play_layout layout, size_t index, int size,
			     char text[PLAY_HELP_BYTES]);

#endif
