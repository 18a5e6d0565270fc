/* notation/dialect.c: the dialects, a row each: a new one is a row here and in cube/notation.h. */
#include "core/name.h"
#include "core/notation/notation_internal.h"

#define FORMS_SIGN                                                                                 \
	(FORM_FACE | FORM_WIDE | FORM_WIDE_NUMBER | FORM_LAYER | FORM_RANGE | FORM_SMALL |         \
	 FORM_SMALL_NUMBER | FORM_MIDDLE | FORM_INNER | FORM_WHOLE | FORM_VIEW | FORM_ROUND |      \
	 FORM_SQUARE | FORM_PAUSE | FORM_COMMENT | FORM_NOTE)

static const struct dialect dialects[CUBE_DIALECT_COUNT] = {
	[CUBE_DIALECT_SIGN] =
		{
			.forms = FORMS_SIGN,
			.has = "moves, groups, commutators and conjugates in SiGN",
		},
	[CUBE_DIALECT_WCA] =
		{
			.forms = FORM_FACE | FORM_WIDE | FORM_WIDE_NUMBER | FORM_WHOLE,
			.amounts = "2'",
			.spelling = {"", "2", "'"},
			.has = "outer blocks (R Rw 3Rw) and rotations (x y z), with ' or 2",
		},
	[CUBE_DIALECT_INNER] =
		{
			.forms = FORMS_SIGN,
			.small_is_layer = true,
			.has = "2R or 3Rw: r is the layer 2R here and takes no number",
		},
	[CUBE_DIALECT_NISSY] =
		{
			.forms = FORM_FACE | FORM_WIDE | FORM_SMALL | FORM_MIDDLE | FORM_WHOLE |
				 FORM_ROUND | FORM_PAUSE | FORM_COMMENT | FORM_NOTE,
			.only_size = 3,
			.round_is_inverse = true,
			.has = "R Rw r M x, and ( ) around moves on the inverse",
		},
	[CUBE_DIALECT_KOCIEMBA] =
		{
			.forms = FORM_FACE | FORM_COMMENT | FORM_NOTE,
			.only_size = 3,
			.amounts = "123",
			.spelling = {"", "2", "3"},
			.has = "U R F D L B, each with 1, 2, 3 or nothing",
		},
	[CUBE_DIALECT_RUBYKS] =
		{
			.only_size = 3,
			.words = true,
			.has = "words: u ur u2 (for all six faces), turn turn_over invert",
		},
};

static const struct {
	const char *name, *text;
} names[CUBE_DIALECT_COUNT] = {
#define CUBE_DIALECT_ROW(constant, name, text) [constant] = {name, text},
	CUBE_DIALECT_TABLE(CUBE_DIALECT_ROW)
#undef CUBE_DIALECT_ROW
};

const struct dialect *notation_dialect(enum cube_dialect dialect)
{
	return &dialects[dialect];
}

const char *cube_dialect_name(enum cube_dialect dialect)
{
	return names[dialect].name;
}

const char *cube_dialect_text(enum cube_dialect dialect)
{
	return names[dialect].text;
}

int cube_dialect_size(enum cube_dialect dialect)
{
	return dialects[dialect].only_size;
}

bool cube_dialect_find(const char *name, size_t length, enum cube_dialect *dialect)
{
	int i = name_find(&names[0].name, sizeof(names[0]), CUBE_DIALECT_COUNT, name, length);
	if (i >= 0)
		*dialect = (enum cube_dialect)i;
	return i >= 0;
}
