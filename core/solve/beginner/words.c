/* core/solve/beginner/words.c: sentences from the table of words. */
#include "core/solve/beginner/cases.h"
#include "core/solve/beginner/names.h"
#include "core/solve/beginner/large.h"
#include "core/solve/beginner/stages.h"
#include "cube/algorithm.h"
#include "cube/lesson.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the table: a row for each language ---- */

#define WORD(key, text) [WORD_##key] = text,
static const char *const english[WORDS] = {
#include "core/solve/beginner/words_en.def"
};
#undef WORD

static const struct language {
	const char *name;
	const char *const *words; /* by enum beginner_word; NULL: the English ones */
} languages[] = {{"en", english}};
#define LANGUAGES (sizeof(languages) / sizeof(languages[0]))

const char *cube_lesson_language(size_t index)
{
	return index < LANGUAGES ? languages[index].name : NULL;
}

bool cube_lesson_language_find(const char *name, size_t length, unsigned *language)
{
	for (unsigned i = 0; i < LANGUAGES; i++) {
		if (strlen(languages[i].name) != length ||
		    memcmp(languages[i].name, name, length) != 0)
			continue;
		*language = i;
		return true;
	}
	return false;
}

static const char *word(const struct cube_lesson_words *words, int key)
{
	const char *text = languages[words->language].words[key];
	return text ? text : english[key];
}

static const char *color_word(const struct cube_lesson_words *words, int color)
{
	return words->colors[color] ? words->colors[color] : word(words, WORD_COLOR_U + color);
}

const char *cube_lesson_color(const struct cube_lesson_words *words, int color)
{
	return color_word(words, color);
}

/* ---- writing ---- */

enum kind { KIND_PIECE, KIND_PLACE, KIND_FACING };

static const struct name {
	const char *text;
	enum kind kind;
} names[NAMES] = {
#define NAME(constant, text, kind) {text, kind},
	BEGINNER_NAMES(NAME)
#undef NAME
};
_Static_assert(NAMES == CUBE_LESSON_NAMES, "a note has room for all names");

struct writing {
	const struct cube_lesson_words *words;
	const struct cube_lesson_note *note; /* NULL: about no step */
	int first, last;                     /* colours */
	const char *piece;                   /* the piece being written, by letters */
	char *text;
	size_t length;
};

static void add(struct writing *writing, const char *text, size_t length)
{
	size_t room = CUBE_LESSON_TEXT - 1 - writing->length;
	if (length > room)
		length = room;
	memcpy(writing->text + writing->length, text, length);
	writing->length += length;
	writing->text[writing->length] = '\0';
}

static void add_text(struct writing *writing, const char *text)
{
	add(writing, text, strlen(text));
}

static void add_color(struct writing *writing, int color)
{
	const char *text = color_word(writing->words, color);
	size_t length = strlen(text);
	add(writing, text, length < CUBE_LESSON_COLOR ? length : CUBE_LESSON_COLOR);
}

static int face_of(char letter)
{
	return (int)(strchr(cube_face_letters, letter) - cube_face_letters);
}

static void add_words(struct writing *writing, int key);

/* "white-green edge" */
static void add_piece(struct writing *writing, const char *letters)
{
	writing->piece = letters;
	add_words(writing, strlen(letters) == 2 ? WORD_PIECE_EDGE : WORD_PIECE_CORNER);
}

/* Adds the colours of the piece that is being written. */
static void add_colors(struct writing *writing)
{
	for (const char *letter = writing->piece; *letter != '\0'; letter++) {
		if (letter > writing->piece)
			add_text(writing, word(writing->words, WORD_PIECE_BETWEEN));
		add_color(writing, face_of(*letter));
	}
}

/* "top front right": U or D, then F or B, then R or L. */
static void add_place(struct writing *writing, const char *letters)
{
	static const char order[] = "UDFBRL";
	bool begun = false;
	for (const char *side = order; *side != '\0'; side++) {
		if (!strchr(letters, *side))
			continue;
		if (begun)
			add_text(writing, " ");
		add_text(writing, word(writing->words, WORD_SIDE_U + face_of(*side)));
		begun = true;
	}
}

static void add_move(struct writing *writing, int move)
{
	static const char *const quarters[] = {"", "2", "'"};
	add(writing, &cube_face_letters[move_face(move)], 1);
	add_text(writing, quarters[move % 3]);
}

/* A name of the step; false if it is something else. */
static bool add_name(struct writing *writing, const char *name, size_t length)
{
	for (int i = 0; i < NAMES; i++) {
		if (strlen(names[i].text) != length || memcmp(names[i].text, name, length) != 0)
			continue;
		const char *letters = writing->note->name[i];
		if (names[i].kind == KIND_PIECE)
			add_piece(writing, letters);
		else if (names[i].kind == KIND_PLACE)
			add_place(writing, letters);
		else
			add_text(writing, word(writing->words, WORD_FACING_U + face_of(*letters)));
		return true;
	}
	return false;
}

static bool is(const char *name, size_t length, const char *text)
{
	return strlen(text) == length && memcmp(name, text, length) == 0;
}

/* ---- what only larger cubes have ---- */

static void add_turns(struct writing *writing, int from, int to)
{
	const struct cube_lesson_note *note = writing->note;
	char text[CUBE_LESSON_MOVES];
	assert(from <= to && to <= note->turns);
	cube_turns_print(note->size, note->turn + from, (size_t)(to - from), text, sizeof text);
	add_text(writing, text);
}

static void add_number(struct writing *writing, enum large_number number)
{
	char text[8];
	snprintf(text, sizeof text, "%d", writing->note->number[number]);
	add_text(writing, text);
}

/* One row or several of them. */
static void add_lines(struct writing *writing, enum large_number from, int one, int several)
{
	const uint8_t *number = writing->note->number;
	add_words(writing, number[from] == number[from + 1] ? one : several);
}

/* False if it is something else. */
static bool add_large(struct writing *writing, const char *name, size_t length)
{
	static const struct {
		const char *name;
		enum large_number number;
	} numbers[] = {{"row", LARGE_ROW_A},
		       {"row-to", LARGE_ROW_B},
		       {"column", LARGE_COLUMN_A},
		       {"column-to", LARGE_COLUMN_B},
		       {"count", LARGE_BEFORE},
		       {"after", LARGE_AFTER},
		       {"of", LARGE_OF}};
	const struct cube_lesson_note *note = writing->note;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		if (is(name, length, numbers[i].name)) {
			add_number(writing, numbers[i].number);
			return true;
		}
	if (is(name, length, "rows"))
		add_lines(writing, LARGE_ROW_A, WORD_ROW, WORD_ROWS);
	else if (is(name, length, "columns"))
		add_lines(writing, LARGE_COLUMN_A, WORD_COLUMN, WORD_COLUMNS);
	else if (is(name, length, "setup"))
		add_turns(writing, 0, note->setup);
	else if (is(name, length, "moves"))
		add_turns(writing, note->setup, note->turns);
	else if (is(name, length, "between"))
		add_turns(writing, note->setup + 1, note->turns - 1);
	else if (is(name, length, "back"))
		add_turns(writing, note->turns - 1, note->turns);
	else if (length == 1 && *name >= '1' && *name <= '8')
		add_turns(writing, note->setup + *name - '1', note->setup + *name - '0');
	else
		return false;
	return true;
}

/* Adds the value that a name in braces stands for. */
static void add_value(struct writing *writing, const char *name, size_t length)
{
	const struct cube_lesson_note *note = writing->note;
	if (is(name, length, "first"))
		add_color(writing, writing->first);
	else if (is(name, length, "last"))
		add_color(writing, writing->last);
	else if (is(name, length, "colors"))
		add_colors(writing);
	else if (!note)
		assert(false); /* a name of a step in a text about none */
	else if (note->turns > 0 && add_large(writing, name, length))
		return;
	else if (is(name, length, "up"))
		add_color(writing, note->up);
	else if (is(name, length, "e-color"))
		add_color(writing, face_of(note->name[NAME_E][0]));
	else if (is(name, length, "front"))
		add_color(writing, note->front);
	else if (is(name, length, "ready"))
		add_move(writing, 3 * CUBE_U + note->quarters - 1);
	else if (is(name, length, "moves"))
		add_text(writing, beginner_cases[note->row].moves);
	else if (is(name, length, "times"))
		add_text(writing,
			 word(writing->words, note->times == 2 ? WORD_TIMES_2 : WORD_TIMES_4));
	else if (length == 1 && *name >= '1' && *name <= '8') {
		uint8_t moves[BEGINNER_MOVES];
		int count = beginner_case_moves(&beginner_cases[note->row], moves);
		assert(*name - '1' < count);
		(void)count;
		add_move(writing, moves[*name - '1']);
	} else if (!add_name(writing, name, length))
		assert(false); /* an unknown name */
}

static void add_words(struct writing *writing, int key)
{
	const char *text = word(writing->words, key);
	while (*text != '\0') {
		const char *name = strchr(text, '{');
		if (!name) {
			add_text(writing, text);
			return;
		}
		const char *end = strchr(name, '}');
		add(writing, text, (size_t)(name - text));
		add_value(writing, name + 1, (size_t)(end - name - 1));
		text = end + 1;
	}
}

static int opposite(int face)
{
	return (face + 3) % CUBE_FACES;
}

static struct writing begin(const struct cube_lesson_words *words,
			    const struct cube_lesson_note *note, int first, char *text)
{
	text[0] = '\0';
	return (struct writing){.words = words,
				.note = note,
				.first = first,
				.last = opposite(first),
				.text = text};
}

/* ---- steps ---- */

const char *cube_lesson_say(const struct cube_lesson_words *words, enum cube_lesson_part part,
			    const struct cube_lesson_note *note, char text[CUBE_LESSON_TEXT])
{
	struct writing writing = begin(words, note, note->first, text);
	const uint16_t keys[][3] = {
		{note->hold}, {note->hint}, {note->ready, note->main, note->after}};
	for (int i = 0; i < 3 && note->hold != WORD_NONE; i++) {
		if (keys[part][i] == WORD_NONE)
			continue;
		if (writing.length > 0)
			add_text(&writing, " ");
		add_words(&writing, keys[part][i]);
	}
	return text;
}

/* ---- stages ---- */

static const struct stage_words {
	const char *stage;
	uint16_t title, aim, aim2; /* aim2: of a 2x2x2 */
} stage_words[] = {
	{"cross", WORD_TITLE_CROSS, WORD_AIM_CROSS, WORD_NONE},
	{"first-layer", WORD_TITLE_FIRST_LAYER, WORD_AIM_FIRST_LAYER, WORD_AIM_FIRST_LAYER_2},
	{"f2l", WORD_TITLE_SECOND_LAYER, WORD_AIM_SECOND_LAYER, WORD_NONE},
	{"last-cross", WORD_TITLE_LAST_CROSS, WORD_AIM_LAST_CROSS, WORD_NONE},
	{"last-edges", WORD_TITLE_LAST_EDGES, WORD_AIM_LAST_EDGES, WORD_NONE},
	{"last-corners-placed", WORD_TITLE_LAST_CORNERS_PLACED, WORD_AIM_LAST_CORNERS_PLACED,
	 WORD_AIM_LAST_CORNERS_PLACED_2},
	{"solved", WORD_TITLE_LAST_CORNERS_TURNED, WORD_AIM_LAST_CORNERS_TURNED,
	 WORD_AIM_LAST_CORNERS_TURNED},
	{"centers", WORD_TITLE_CENTERS, WORD_AIM_CENTERS, WORD_NONE},
	{"edges-paired", WORD_TITLE_EDGES, WORD_AIM_EDGES, WORD_NONE},
};
#define STAGE_WORDS (sizeof(stage_words) / sizeof(stage_words[0]))

static const struct stage_words *stage_find(const char *stage)
{
	for (size_t i = 0; i < STAGE_WORDS; i++)
		if (strcmp(stage_words[i].stage, stage) == 0)
			return &stage_words[i];
	return NULL;
}

const char *cube_lesson_title(const struct cube_lesson_words *words, const char *stage,
			      char text[CUBE_LESSON_TEXT])
{
	const struct stage_words *row = stage_find(stage);
	struct writing writing = begin(words, NULL, 0, text);
	if (!row)
		return NULL;
	add_words(&writing, row->title);
	return text;
}

const char *cube_lesson_aim(const struct cube_lesson_words *words, const char *stage, int first,
			    char text[CUBE_LESSON_TEXT])
{
	const struct stage_words *row = stage_find(stage);
	struct writing writing = begin(words, NULL, first, text);
	if (!row)
		return NULL;
	add_words(&writing, words->size == 2 ? row->aim2 : row->aim);
	return text;
}

const char *cube_lesson_introduction(const struct cube_lesson_words *words, size_t index, int first,
				     char text[CUBE_LESSON_TEXT])
{
	static const uint16_t keys[3][4] = {
		{WORD_INTRODUCTION_PIECES, WORD_INTRODUCTION_ORDER, WORD_INTRODUCTION_MOVES,
		 WORD_INTRODUCTION_HOLD},
		{WORD_INTRODUCTION_PIECES_2, WORD_INTRODUCTION_ORDER, WORD_INTRODUCTION_MOVES,
		 WORD_INTRODUCTION_HOLD},
		{WORD_INTRODUCTION_PIECES_LARGE, WORD_INTRODUCTION_ORDER_LARGE,
		 WORD_INTRODUCTION_MOVES_LARGE, WORD_INTRODUCTION_HOLD}};
	struct writing writing = begin(words, NULL, first, text);
	if (index >= sizeof(keys[0]) / sizeof(keys[0][0]))
		return NULL;
	add_words(&writing, keys[words->size >= LARGE_MIN ? 2 : words->size == 2][index]);
	return text;
}

/* ---- algorithms ---- */

static void write_algorithm(const struct cube_lesson_words *words, int first, int name, int text,
			    struct cube_lesson_algorithm *algorithm)
{
	struct writing writing = begin(words, NULL, first, algorithm->name);
	add_words(&writing, name);
	writing = begin(words, NULL, first, algorithm->text);
	add_words(&writing, text);
}

bool cube_lesson_algorithm(const struct cube_lesson_words *words, const char *stage, size_t index,
			   int first, struct cube_lesson_algorithm *algorithm)
{
	const struct stage_words *of = stage_find(stage);
	for (size_t i = 0; i <= index; i++) {
		const struct large_row *row =
			large_algorithm_at(stage, words->size, i, algorithm->moves);
		if (!row) {
			index -= i;
			break;
		}
		if (i < index)
			continue;
		write_algorithm(words, first, row->name, row->text, algorithm);
		return true;
	}
	for (size_t i = 0; i < BEGINNER_CASES && of; i++) {
		const struct beginner_case *row = &beginner_cases[i];
		if (row->stage != of - stage_words || row->name == WORD_NONE || index-- > 0)
			continue;
		memcpy(algorithm->moves, row->moves, strlen(row->moves) + 1);
		write_algorithm(words, first, row->name, row->learn, algorithm);
		return true;
	}
	return false;
}
