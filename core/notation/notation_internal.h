/* notation/notation_internal.h: what the parts of the notation reader share.
 *
 *     marks.c    bytes -> marks: what a character is, however it was pasted
 *     dialect.c  the table of dialects: which forms and amounts each one has
 *     move.c     one move: its layers, face and form, judged for a size and a dialect
 *     amount.c   repeats and primes; where digits could belong to two moves
 *     bracket.c  brackets, and separators that stand for them
 *     refuse.c   error values: where, what was expected, what to write instead
 *     separator.c  the same of commas, colons and slashes outside of [ ]
 *     note.c     what may have been meant otherwise
 *     rubyks.c   the one dialect that is made of words
 *     parse.c    the loop over the text
 *     write.c    the other way: moves in the words of a dialect
 *
 * Functions that can meet bad text return false after they filled the reader's error. */
#ifndef CORE_NOTATION_NOTATION_INTERNAL_H
#define CORE_NOTATION_NOTATION_INTERNAL_H

#include "cube/notation.h"

/* The meaning of a character to the reader. ASCII comes from a table of bytes; pasted signs (a curly
 * prime, a full-width bracket) become the same marks as what they stand for. */
enum mark_kind {
	MARK_OTHER, /* no meaning anywhere; first, so that it is the table's default */
	MARK_END,   /* past the last byte */
	MARK_BAD,   /* no valid UTF-8 */
	MARK_MULTI, /* first byte of a longer sequence; only in the byte table */
	MARK_BLANK,
	MARK_DIGIT,
	MARK_FACE,   /* U R F D L B */
	MARK_SMALL,  /* u r f d l b */
	MARK_MIDDLE, /* M E S */
	MARK_INNER,  /* m e s */
	MARK_WHOLE,  /* x y z */
	MARK_LETTER, /* any other letter */
	MARK_PRIME,
	MARK_DASH,
	MARK_ROUND_OPEN,
	MARK_ROUND_CLOSE,
	MARK_SQUARE_OPEN,
	MARK_SQUARE_CLOSE,
	MARK_COMMA,
	MARK_COLON,
	MARK_PAUSE,
	MARK_SLASH,
	MARK_COUNT
};

struct mark {
	uint8_t kind;   /* enum mark_kind */
	uint8_t length; /* in bytes; 0 only for MARK_END */
};

/* The forms of notation a dialect may have; a bit each. */
enum form {
	FORM_FACE = 1 << 0,         /* R */
	FORM_WIDE = 1 << 1,         /* Rw */
	FORM_WIDE_NUMBER = 1 << 2,  /* 3Rw */
	FORM_LAYER = 1 << 3,        /* 2R */
	FORM_RANGE = 1 << 4,        /* 2-3R 2-3Rw 2-3r */
	FORM_SMALL = 1 << 5,        /* r */
	FORM_SMALL_NUMBER = 1 << 6, /* 3r */
	FORM_MIDDLE = 1 << 7,       /* M E S */
	FORM_INNER = 1 << 8,        /* m e s */
	FORM_WHOLE = 1 << 9,        /* x y z */
	FORM_VIEW = 1 << 10,        /* Rv */
	FORM_ROUND = 1 << 11,       /* ( ) */
	FORM_SQUARE = 1 << 12,      /* [A, B] [A: B] */
	FORM_PAUSE = 1 << 13,
	FORM_COMMENT = 1 << 14,
	FORM_NOTE = 1 << 15, /* a trailing (18f) */
};

struct dialect {
	unsigned forms;
	int only_size;           /* the one size it serves, or 0 */
	const char *amounts;     /* its amounts, each one character; NULL: every amount */
	const char *spelling[3]; /* its 1, 2 and 3 quarter turns; for suggestions */
	const char *has;         /* one line for people: what it has */
	bool small_is_layer;     /* r is 2R on sizes above 3 */
	bool round_is_inverse;   /* ( ) holds moves on the inverse */
	bool words;              /* made of words: rubyks.c */
};

const struct dialect *notation_dialect(enum cube_dialect dialect);

/* A move as it is written, before anything is asked about its meaning. */
struct move {
	size_t start, family, end; /* the first byte; the letter; after the letter and its w or v */
	uint32_t a, b;             /* numbers before the letter, at most MOVE_NUMBER_MAX */
	uint8_t numbers;           /* number of numbers: 0, 1 (b), 2 (a-b) */
	bool leading_zero;         /* one of them starts with 0 */
	uint8_t kind;              /* enum mark_kind of the letter */
	uint8_t face;              /* of the letter: M turns like L, x like R */
	char suffix;               /* 'w', 'v' or 0 */
};
#define MOVE_NUMBER_MAX 1000000u

/* Digits and a prime after a unit. */
struct amount {
	size_t start, digits_end, end;
	int64_t value; /* of the digits, 1 without; past CUBE_AMOUNT_MAX only known to be so */
	uint8_t rest;  /* of the digits divided by 4: right however many there are */
	bool prime;
	bool leading_zero;
};

struct frame {
	uint32_t node;
	uint32_t offset; /* of the bracket */
	uint8_t kind; /* MARK_ROUND_OPEN, MARK_SQUARE_OPEN, or that of a separator that stands for it */
	bool separated; /* a comma, colon or slash was there */
};

struct reader {
	const unsigned char *text;
	size_t length, at;
	int size;
	const struct dialect *dialect;
	struct cube_node *nodes;
	uint32_t count;
	uint32_t zeros; /* turns that were read and dropped */
	/* nissy: moves on the inverse, kept from the end of the nodes backwards. */
	uint32_t inverse_count, capacity;
	uint8_t depth, deepest;
	uint8_t bare; /* frames at the bottom of the stack that are of bare separators */
	size_t part_at, part_before; /* after the last bare separator, and the one before it */
	bool on_inverse;
	bool amount_noted; /* there is a note about a number between two moves */
	bool trial;        /* only whether it can be read is asked */
	struct frame stack[CUBE_DEPTH_MAX];
	/* The unit read last, for errors about it and what follows: where it starts (of a
	 * bracket: where what closes it stands) and ends, and whether it is `move`. */
	size_t unit_start, unit_end;
	bool unit_is_move;
	struct move move;
	struct amount amount;
	struct cube_error *error;
	struct cube_notes *notes; /* NULL: not wanted */
};

/* ---- marks.c ---- */

extern const uint8_t notation_kinds[256]; /* enum mark_kind of every byte */
extern const uint8_t notation_faces[256]; /* enum cube_face of the letters of moves */

struct mark notation_mark_long(const struct reader *r, size_t at);

static inline struct mark notation_mark(const struct reader *r, size_t at)
{
	if (at >= r->length)
		return (struct mark){MARK_END, 0};
	uint8_t kind = notation_kinds[r->text[at]];
	return kind == MARK_MULTI ? notation_mark_long(r, at) : (struct mark){kind, 1};
}

/* Steps over the comment that starts at r->at; false if it never ends or is no UTF-8. */
bool notation_skip_comment(struct reader *r);
/* Returns true if only white space, pauses and comments follow from `at` to the end. */
bool notation_only_space(struct reader *r, size_t at);

/* ---- move.c ---- */

/* Returns true if a letter of this kind is a move. */
static inline bool notation_is_move(uint8_t kind)
{
	return kind >= MARK_FACE && kind <= MARK_WHOLE;
}

/* Reads numbers, letter and suffix from `at`. If that is not a move, returns false and
 * move->end is where it stopped. Fills no error. */
bool notation_lex_move(const struct reader *r, size_t at, struct move *move);
/* Returns CUBE_OK, with the meaning of the move in `turn` (quarters 1 or -1: the way it turns
 * without an amount), or the code of its mistake. */
enum cube_error_code notation_judge_move(int size, const struct dialect *dialect,
					 const struct move *move, struct cube_turn *turn);
/* Quarter turns that an amount makes of a turn of one. */
int8_t notation_quarters(const struct amount *amount);
/* Reads the move at r->at with its amount and appends its node. */
bool notation_read_move(struct reader *r);

/* ---- amount.c ---- */

/* Reads digits and prime from `at`; the digits end at `limit` at the latest, and where they do no
 * prime is looked for. */
void notation_lex_amount(const struct reader *r, size_t at, size_t limit, struct amount *amount);
/* Returns true if a move or range may follow a number directly: then digits before it may be its
 * own. */
bool notation_takes_number(const struct reader *r, size_t at);
/* Reads r->amount from `at`, the end of a unit that starts at r->unit_start, leaving to the next
 * move the digits that can only be its own; refuses ambiguous and malformed amounts. */
bool notation_read_amount(struct reader *r, size_t at);

/* Bytes of the sign ^ * x at `at`, the end of a bracket, if what follows says how often it is
 * repeated; else 0. */
size_t notation_repeat_sign(const struct reader *r, size_t at);
/* Reads r->amount from `at`, after such a sign: all digits are its own. */
bool notation_read_repeat(struct reader *r, size_t at);

/* ---- bracket.c ---- */

bool notation_read_open(struct reader *r, struct mark mark);
bool notation_read_close(struct reader *r, struct mark mark);
bool notation_read_separator(struct reader *r, struct mark mark);
/* Ends what the text leaves open: bare separators. Refuses brackets that are not closed. */
bool notation_end_brackets(struct reader *r);

/* ---- refuse.c ---- */

/* Fills the error and returns false. */
bool notation_refuse(struct reader *r, enum cube_error_code code, size_t offset, size_t length,
		     const char *expected);
/* Adds what to write instead; nothing if it would not fit. */
void notation_suggest(struct reader *r, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Refuses a move for what notation_judge_move said of it. */
bool notation_refuse_move(struct reader *r, const struct move *move, enum cube_error_code code);
/* Refuses r->amount of the unit read last. */
bool notation_refuse_amount(struct reader *r, enum cube_error_code code);
/* Refuses what stands at r->at and begins nothing. */
bool notation_refuse_mark(struct reader *r, struct mark mark);

/* ---- separator.c ---- */

/* Refuses a comma, colon or slash that stands in no brackets and makes no bracket of the text. */
bool notation_refuse_bare_separator(struct reader *r, struct mark mark);

/* The text from..to without the white space around it. */
struct trimmed {
	size_t start, end;
};
struct trimmed notation_trim(const struct reader *r, size_t from, size_t to);
/* Writes the text without its commas outside of brackets; false if it does not fit, or cannot be read
 * then. */
bool notation_without_commas(const struct reader *r, struct trimmed part, char *text, size_t room);

/* ---- parse.c ---- */

/* Returns true if a short text can be read for the size and in the dialect of another reader. */
bool notation_reads(const struct reader *like, const char *text, size_t length);
#define TRIAL_MAX 64
#define TRIAL_NODES (4 * TRIAL_MAX + 4)

/* ---- note.c ---- */

/* A rotation x that may be a repetition, and the bracket before it. */
struct note_place {
	size_t start, bracket_end;
	bool is_rotation, after_bracket;
};

/* Called before the amount of a move is read, and after it. */
void notation_look_for_repeat(struct reader *r, const struct move *move, struct note_place *place);
void notation_note_repeat(struct reader *r, const struct note_place *place);
/* Notes that the number between the two moves of r->unit_start..end was read as an amount: of
 * such numbers, the first one. */
#define NOTE_READING_MAX sizeof(((struct cube_note *)0)->readings[0])
void notation_note_amount(struct reader *r, size_t end, char readings[2][NOTE_READING_MAX]);
/* Notes that the x of r->amount, `sign` bytes, is read as "times". */
void notation_note_times(struct reader *r, size_t sign);
/* Notes how the A/B in start..end was read: its conjugate is `node`. */
void notation_note_slash(struct reader *r, uint32_t node, size_t start, size_t slash, size_t end);
/* Notes that the text with a bare comma was read as a commutator. */
void notation_note_comma(struct reader *r, size_t comma);

/* ---- rubyks.c ---- */

bool notation_read_words(struct reader *r);

#endif
