/* notation/write.c: writing moves in the words of a dialect.
 *
 * A turn is taken apart into steps that the dialect has words for, a writer for each dialect. On the
 * 3x3x3 every turn is a rotation and turns of the outer layers that it does not turn: Rw is x and L. */
#include "core/algorithm/print.h"
#include "core/notation/notation_internal.h"

#include <assert.h>
#include <string.h>

struct writing {
	struct print_writer out;
	int size;
	struct cube_transform frame; /* rotations that were not written, done one after another */
};

static void put_word(struct writing *writing, const char *word, size_t length)
{
	if (writing->out.length > 0)
		print_bytes(&writing->out, " ", 1);
	print_bytes(&writing->out, word, length);
}

/* ---- sign, inner ---- */

/* In older literature r is the second layer, where it is not the middle one. */
static size_t inner_word(int size, struct cube_turn turn, char text[CUBE_TURN_TEXT_MAX])
{
	size_t length = cube_turn_print(size, turn, text);
	if (size > 3 && turn.style == CUBE_STYLE_LAYERS && turn.from == 2 && turn.to == 2) {
		assert(text[0] == '2');
		memmove(text, text + 1, length--);
		text[0] = (char)(text[0] + ('a' - 'A'));
	}
	return length;
}

static void write_sign(struct writing *writing, struct cube_turn turn)
{
	char text[CUBE_TURN_TEXT_MAX];
	put_word(writing, text, cube_turn_print(writing->size, turn, text));
}

static void write_inner(struct writing *writing, struct cube_turn turn)
{
	char text[CUBE_TURN_TEXT_MAX];
	put_word(writing, text, inner_word(writing->size, turn, text));
}

/* ---- wca ---- */

static int opposite(int face)
{
	return (face + 3) % CUBE_FACES;
}

/* Layers 1..to of a face, or all of them. Half turns have no direction. */
static void write_block(struct writing *writing, int face, int to, int quarters)
{
	struct cube_turn turn = cube_turn_make(writing->size, face, 1, to, quarters);
	if (turn.quarters == -2)
		turn.quarters = 2;
	write_sign(writing, turn);
}

/* Inner layers are an outer block without a smaller one. */
static void write_wca(struct writing *writing, struct cube_turn turn)
{
	if (turn.from == 1) {
		write_block(writing, turn.face, turn.to, turn.quarters);
	} else if (turn.to == writing->size) {
		write_block(writing, opposite(turn.face), writing->size + 1 - turn.from,
			    -turn.quarters);
	} else {
		write_block(writing, turn.face, turn.to, turn.quarters);
		write_block(writing, turn.face, turn.from - 1, -turn.quarters);
	}
}

/* ---- nissy ---- */

/* R Rw M x: the third layer of a face is the first one of the opposite face, and slices turn like L, D, F. */
static void write_nissy(struct writing *writing, struct cube_turn turn)
{
	static const uint8_t slice_faces[] = {CUBE_D, CUBE_L, CUBE_F};
	const bool middle = turn.from == 2 && turn.to == 2;
	if (middle ? turn.face != slice_faces[turn.face % 3] : turn.to == 3 && turn.from > 1) {
		const uint8_t from = turn.from;
		turn.face = (uint8_t)opposite(turn.face);
		turn.from = (uint8_t)(4 - turn.to);
		turn.to = (uint8_t)(4 - from);
		turn.quarters = (int8_t)-turn.quarters;
	}
	turn.style = middle ? CUBE_STYLE_MIDDLE : CUBE_STYLE_LAYERS;
	write_sign(writing, turn);
}

/* ---- kociemba, rubyks ---- */

/* Hands on the turns of outer layers that, after a rotation of the whole cube by the turn's quarters about
 * its face, make the turn; in any order, since they commute. Returns whether there is such a rotation. */
static bool outer_turns(struct writing *writing, struct cube_turn turn,
			void (*write_face)(struct writing *writing, int face, int quarters))
{
	const bool near = turn.from == 1, far = turn.to == 3,
		   middle = turn.from <= 2 && turn.to >= 2;
	if (near != middle)
		write_face(writing, turn.face, near ? turn.quarters : -turn.quarters);
	if (far != middle)
		write_face(writing, opposite(turn.face), far ? -turn.quarters : turn.quarters);
	return middle;
}

/* U3, of the face whose centre is there, which is where the cube was not rotated. */
static void kociemba_face(struct writing *writing, int face, int quarters)
{
	int home = 0;
	while (writing->frame.face[home] != face)
		home++;
	const char word[2] = {cube_face_letters[home], (char)('0' + (quarters & 3))};
	put_word(writing, word, 2);
}

static void write_kociemba(struct writing *writing, struct cube_turn turn)
{
	if (outer_turns(writing, turn, kociemba_face))
		cube_transform_rotate(&writing->frame, 3,
				      cube_turn_make(3, turn.face, 1, 3, turn.quarters));
}

static void rubyks_face(struct writing *writing, int face, int quarters)
{
	static const char suffix[4] = {0, 0, '2', 'r'};
	const char word[2] = {(char)(cube_face_letters[face] + ('a' - 'A')), suffix[quarters & 3]};
	put_word(writing, word, word[1] ? 2 : 1);
}

/* Rotations about U, R and F in the fewest words, which are y, z' and z2. */
static const char *const rubyks_rotations[3][4] = {
	{"", "turn", "turn turn", "turn turn turn"},
	{"", "turn turn_over turn invert", "turn turn invert", "turn_over invert turn turn_over"},
	{"", "turn_over invert", "invert", "turn_over"},
};

static void write_rubyks(struct writing *writing, struct cube_turn turn)
{
	if (!outer_turns(writing, turn, rubyks_face))
		return;
	turn = cube_turn_make(3, turn.face, 1, 3, turn.quarters);
	const char *words = rubyks_rotations[turn.face][turn.quarters & 3];
	put_word(writing, words, strlen(words));
}

/* ---- */

static void (*const writers[CUBE_DIALECT_COUNT])(struct writing *, struct cube_turn) = {
	[CUBE_DIALECT_SIGN] = write_sign,         [CUBE_DIALECT_WCA] = write_wca,
	[CUBE_DIALECT_INNER] = write_inner,       [CUBE_DIALECT_NISSY] = write_nissy,
	[CUBE_DIALECT_KOCIEMBA] = write_kociemba, [CUBE_DIALECT_RUBYKS] = write_rubyks,
};

bool cube_dialect_nests(enum cube_dialect dialect)
{
	return (notation_dialect(dialect)->forms & FORM_SQUARE) != 0;
}

size_t cube_alg_print_in(enum cube_dialect dialect, const struct cube_alg *alg, char *text,
			 size_t capacity)
{
	assert(cube_dialect_nests(dialect));
	return print_alg(alg, dialect == CUBE_DIALECT_INNER ? inner_word : cube_turn_print, text,
			 capacity);
}

static bool is_rotated(const struct cube_transform *frame)
{
	return frame->face[CUBE_U] != CUBE_U || frame->face[CUBE_R] != CUBE_R;
}

bool cube_turns_print_in(enum cube_dialect dialect, int size, const struct cube_turn *turns,
			 size_t count, char *text, size_t capacity, size_t *length, size_t *fault)
{
	struct writing writing = {.out = {text, capacity, 0}, .size = size};
	bool rotated = false;
	assert(!notation_dialect(dialect)->only_size ||
	       notation_dialect(dialect)->only_size == size);
	cube_transform_init(&writing.frame);
	for (size_t i = 0; i < count; i++) {
		if (turns[i].quarters == 0)
			continue;
		writers[dialect](&writing, turns[i]);
		if (is_rotated(&writing.frame) && !rotated)
			*fault = i;
		rotated = is_rotated(&writing.frame);
	}
	*length = print_end(&writing.out);
	return !rotated;
}
