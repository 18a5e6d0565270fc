/* tests/core/test_notation_refused.c: text that is not moves, where it goes wrong, what to write. */
#include "cube/cube.h"
#include "cube/notation.h"
#include "tests/core/checked_cube.h"
#include "tests/core/run.h"

#include <string.h>

#define COUNT_OF(table) ((int)(sizeof(table) / sizeof((table)[0])))
#define SIGN CUBE_DIALECT_SIGN
#define WCA CUBE_DIALECT_WCA
#define INNER CUBE_DIALECT_INNER
#define NISSY CUBE_DIALECT_NISSY
#define KOCIEMBA CUBE_DIALECT_KOCIEMBA
#define RUBYKS CUBE_DIALECT_RUBYKS
#define ERROR(name) CUBE_ERROR_##name

/* Text, size and dialect; the code, where, and what is suggested for these bytes. */
static const struct {
	const char *text;
	int size;
	enum cube_dialect dialect;
	enum cube_error_code code;
	size_t offset, length;
	const char *suggestion;
} refused[] = {
	/* layers that are not there */
	{"U 9R", 3, SIGN, ERROR(LAYER), 2, 2, "3R"},
	{"9R2'", 3, SIGN, ERROR(LAYER), 0, 4, "3R2'"},
	{"9Rw", 3, SIGN, ERROR(LAYER), 0, 3, "Rw"},
	{"5r'", 4, SIGN, ERROR(LAYER), 0, 3, "3Rw'"},
	{"3R", 2, SIGN, ERROR(LAYER), 0, 2, "2R"},
	{"3Rw", 2, SIGN, ERROR(LAYER), 0, 3, "R"},
	{"2-9R", 3, SIGN, ERROR(LAYER), 0, 4, "2-3Rw"},
	{"7-9R", 4, SIGN, ERROR(LAYER), 0, 4, "4R"},
	{"1-9R", 4, SIGN, ERROR(LAYER), 0, 4, "3Rw"},
	{"101R", 100, SIGN, ERROR(LAYER), 0, 4, "100R"},
	{"99999999999999999999R", 3, SIGN, ERROR(LAYER), 0, 21, "3R"},
	{"0R", 3, SIGN, ERROR(LAYER), 0, 2, "R"},
	{"02R'", 3, SIGN, ERROR(LAYER), 0, 4, "2R'"},
	{"0-2R", 3, SIGN, ERROR(LAYER), 0, 4, "Rw"},
	{"m", 2, SIGN, ERROR(LAYER), 0, 1, ""},
	{"9R2L", 4, SIGN, ERROR(LAYER), 0, 2, "4R"},
	{"R'5L", 4, SIGN, ERROR(LAYER), 2, 2, ""},
	{"R' 5L", 4, SIGN, ERROR(LAYER), 3, 2, "4L"},
	{"R (18f) U", 3, SIGN, ERROR(LAYER), 3, 3, ""},
	{"R (18f U)", 3, SIGN, ERROR(LAYER), 3, 3, "Fw"},
	/* ranges */
	{"3-2R'", 4, SIGN, ERROR(RANGE), 0, 5, "2-3Rw'"},
	{"3-1R", 3, SIGN, ERROR(RANGE), 0, 4, "x"},
	{"2-R", 3, SIGN, ERROR(RANGE), 0, 2, ""},
	{"-2R", 3, SIGN, ERROR(RANGE), 0, 1, ""},
	/* the whole cube */
	{"3Rw2", 3, SIGN, ERROR(WHOLE_CUBE), 0, 4, "x2"},
	{"4Dw'", 4, SIGN, ERROR(WHOLE_CUBE), 0, 4, "y"},
	{"1-3L", 3, SIGN, ERROR(WHOLE_CUBE), 0, 4, "x'"},
	{"1-4f", 4, SIGN, ERROR(WHOLE_CUBE), 0, 4, "z"},
	{"Rw", 2, SIGN, ERROR(WHOLE_CUBE), 0, 2, "x"},
	{"r2'", 2, SIGN, ERROR(WHOLE_CUBE), 0, 3, "x2'"},
	{"2Rw", 2, SIGN, ERROR(WHOLE_CUBE), 0, 3, "x"},
	{"R2Lw", 2, SIGN, ERROR(WHOLE_CUBE), 2, 2, ""},
	{"R2 Lw", 2, SIGN, ERROR(WHOLE_CUBE), 3, 2, "x'"},
	{"RLw", 2, SIGN, ERROR(WHOLE_CUBE), 1, 2, "x'"},
	/* no middle layer, no numbers */
	{"M", 4, SIGN, ERROR(NO_MIDDLE), 0, 1, "m"},
	{"R E2'", 6, SIGN, ERROR(NO_MIDDLE), 2, 3, "e2'"},
	{"S", 2, SIGN, ERROR(LAYER), 0, 1, ""},
	{"2M2", 3, SIGN, ERROR(PREFIX), 0, 3, "M2"},
	{"2m", 4, SIGN, ERROR(PREFIX), 0, 2, "m"},
	{"3x'", 3, SIGN, ERROR(PREFIX), 0, 3, "x'"},
	{"1-2Lv", 3, SIGN, ERROR(PREFIX), 0, 5, "x'"},
	{"2M", 4, SIGN, ERROR(PREFIX), 0, 2, ""},
	{"3x (R U)", 3, SIGN, ERROR(PREFIX), 0, 2, ""},
	{"F 3x[R, U]", 3, SIGN, ERROR(PREFIX), 2, 2, ""},
	/* amounts */
	{"R'2", 3, SIGN, ERROR(AMOUNT), 0, 3, "R2'"},
	{"F R'3 U", 3, SIGN, ERROR(AMOUNT), 2, 3, "R"},
	{"3Rw'2", 4, SIGN, ERROR(AMOUNT), 0, 5, "3Rw2'"},
	{"R02", 3, SIGN, ERROR(AMOUNT), 0, 3, "R2"},
	{"R002'", 3, SIGN, ERROR(AMOUNT), 0, 5, "R2'"},
	{"R00L", 3, SIGN, ERROR(AMOUNT), 0, 3, "R0"},
	{"R''", 3, SIGN, ERROR(AMOUNT), 0, 3, "R2'"},
	{"R\xe2\x80\xb3", 3, SIGN, ERROR(AMOUNT), 0, 4, "R2'"},
	{"R\"", 3, SIGN, ERROR(AMOUNT), 0, 2, "R2'"},
	{"Ui", 3, SIGN, ERROR(AMOUNT), 0, 2, "U'"},
	{"U2i", 3, SIGN, ERROR(AMOUNT), 0, 3, "U2'"},
	{"F U- D", 3, SIGN, ERROR(AMOUNT), 2, 2, "U'"},
	{"U\xe2\x80\x93", 3, SIGN, ERROR(AMOUNT), 0, 4, "U'"},
	{"R-2L", 3, SIGN, ERROR(AMOUNT), 0, 2, ""},
	{"R--", 3, SIGN, ERROR(AMOUNT), 0, 3, "R2'"},
	{"R---", 3, SIGN, ERROR(AMOUNT), 0, 3, ""},
	{"Ui2L", 3, SIGN, ERROR(AMOUNT), 0, 2, ""},
	{"R++2", 3, SIGN, ERROR(AMOUNT), 0, 3, ""},
	{"R''' U", 3, SIGN, ERROR(AMOUNT), 0, 4, "R"},
	{"(R U)'''", 3, SIGN, ERROR(AMOUNT), 5, 3, "3'"},
	{"R\"\"", 3, SIGN, ERROR(AMOUNT), 0, 2, ""},
	{"R+", 3, SIGN, ERROR(AMOUNT), 0, 2, "R"},
	{"R++", 3, SIGN, ERROR(AMOUNT), 0, 3, "R2"},
	{"R '", 3, SIGN, ERROR(AMOUNT), 2, 1, ""},
	{"'R", 3, SIGN, ERROR(AMOUNT), 0, 1, ""},
	{"(R U)'2", 3, SIGN, ERROR(AMOUNT), 5, 2, "2'"},
	{"(R U)02", 3, SIGN, ERROR(AMOUNT), 5, 2, "2"},
	{"(R U)i", 3, SIGN, ERROR(AMOUNT), 5, 1, "'"},
	{"[R, U]++", 3, SIGN, ERROR(AMOUNT), 6, 2, "2"},
	{"(R)1000000000000001", 3, SIGN, ERROR(AMOUNT_LARGE), 3, 16, ""},
	{"(R)99999999999999999999999'", 3, SIGN, ERROR(AMOUNT_LARGE), 3, 24, ""},
	{"R 2", 3, SIGN, ERROR(MOVE), 2, 1, ""},
	/* letters and signs */
	{"T", 3, SIGN, ERROR(MOVE), 0, 1, ""},
	{"R Y2", 3, SIGN, ERROR(MOVE), 2, 1, "y"},
	{"X", 3, SIGN, ERROR(MOVE), 0, 1, "x"},
	{"L'w", 3, SIGN, ERROR(MOVE), 0, 3, "Lw'"},
	{"L2w", 3, SIGN, ERROR(MOVE), 0, 3, "Lw2"},
	{"3L'w", 5, SIGN, ERROR(MOVE), 0, 4, "3Lw'"},
	{"R'v", 3, SIGN, ERROR(MOVE), 0, 3, "x'"},
	{"rw2", 3, SIGN, ERROR(MOVE), 0, 2, "Rw"},
	{"Mw", 3, SIGN, ERROR(MOVE), 0, 2, ""},
	{"w", 3, SIGN, ERROR(MOVE), 0, 1, ""},
	{"R ?", 3, SIGN, ERROR(CHARACTER), 2, 1, ""},
	{"R <f>", 3, SIGN, ERROR(CHARACTER), 2, 1, ""},
	{"R \xf0\x9f\x98\x80", 3, SIGN, ERROR(CHARACTER), 2, 4, ""},
	{"R/ U", 3, NISSY, ERROR(CHARACTER), 1, 1, ""},
	{"R/ U", 3, WCA, ERROR(DIALECT), 1, 1, ""},
	{"R /* U", 3, SIGN, ERROR(COMMENT), 2, 2, ""},
	{"R /*/", 3, SIGN, ERROR(COMMENT), 2, 2, ""},
	/* bytes */
	{"R \xff", 3, SIGN, ERROR(UTF8), 2, 1, ""},
	{"R // \xe2\x80", 3, SIGN, ERROR(UTF8), 5, 1, ""},
	{"R2\xc0\x80", 3, SIGN, ERROR(UTF8), 2, 1, ""},
	{"\xed\xa0\x80", 3, SIGN, ERROR(UTF8), 0, 1, ""},
	{"3\x80", 3, SIGN, ERROR(UTF8), 1, 1, ""},
	{"u \xff", 3, RUBYKS, ERROR(UTF8), 2, 1, ""},
	/* brackets */
	{"R,", 3, SIGN, ERROR(BRACKET_PARTS), 0, 2, "R "},
	{"R: ", 3, SIGN, ERROR(BRACKET_PARTS), 1, 1, ""},
	{"// c\n : R", 3, SIGN, ERROR(BRACKET_PARTS), 6, 1, ""},
	{"R/", 3, SIGN, ERROR(BRACKET_PARTS), 1, 1, ""},
	{"/R", 3, SIGN, ERROR(BRACKET_PARTS), 0, 1, ""},
	{"F: R/ .", 3, SIGN, ERROR(BRACKET_PARTS), 4, 1, ""},
	{"R/U/F", 3, SIGN, ERROR(BRACKET_PARTS), 3, 1, ""},
	{"R/U: F", 3, SIGN, ERROR(BRACKET_PARTS), 3, 1, ""},
	{"R/U, F", 3, SIGN, ERROR(BRACKET_PARTS), 3, 1, ""},
	{"(R U)2/F", 3, SIGN, ERROR(BRACKET_PARTS), 6, 1, ""},
	{"[[R, U]/F]", 3, SIGN, ERROR(BRACKET_PARTS), 7, 1, ""},
	{"[R/U/F]", 3, SIGN, ERROR(BRACKET_PARTS), 4, 1, ""},
	{"[R: U/F]", 3, SIGN, ERROR(BRACKET_PARTS), 5, 1, ""},
	{"(R/U)", 3, SIGN, ERROR(BRACKET_PARTS), 2, 1, ""},
	{"F: (R: U)", 3, SIGN, ERROR(BRACKET_PARTS), 5, 1, ""},
	{"[R/U)", 3, SIGN, ERROR(BRACKET_CLOSE), 4, 1, "]"},
	{"F [R/U", 3, SIGN, ERROR(BRACKET_OPEN), 2, 1, ""},
	{"R: U)", 3, SIGN, ERROR(BRACKET_CLOSE), 4, 1, ""},
	{"(R U)^", 3, SIGN, ERROR(CHARACTER), 5, 1, ""},
	{"(R U)^ 3", 3, SIGN, ERROR(CHARACTER), 5, 1, ""},
	{"(R U)*03", 3, SIGN, ERROR(AMOUNT), 6, 2, "3"},
	{"(R U)x3 2", 3, SIGN, ERROR(MOVE), 8, 1, ""},
	{"R^2", 3, SIGN, ERROR(CHARACTER), 1, 1, ""},
	{"R,U,R',U'", 3, SIGN, ERROR(BRACKET_PARTS), 0, 9, "R U R' U'"},
	{"R, U, (R'), U', R, U, R', U', R, U, R', U', R, U, R', U', R, U, R', U', R, U, R', U', "
	 "R, U, R', U'",
	 3, SIGN, ERROR(BRACKET_PARTS), 1, 1, " "},
	{"R: U: F", 3, SIGN, ERROR(BRACKET_PARTS), 4, 1, ""},
	{"R, U: F", 3, SIGN, ERROR(BRACKET_PARTS), 4, 1, ""},
	{"R: U, F, L", 3, SIGN, ERROR(BRACKET_PARTS), 7, 1, ""},
	{"R: 9U", 3, SIGN, ERROR(LAYER), 3, 2, "3U"},
	{"R, U", 3, WCA, ERROR(BRACKET_PARTS), 0, 4, "R U"},
	{"R: U", 3, WCA, ERROR(BRACKET_PARTS), 1, 1, ""},
	{"(R, U)", 3, SIGN, ERROR(BRACKET_PARTS), 2, 1, ""},
	{"[R]", 3, SIGN, ERROR(BRACKET_PARTS), 2, 1, ""},
	{"[r u]", 3, SIGN, ERROR(BRACKET_PARTS), 4, 1, ""},
	{"[R, U, F]", 3, SIGN, ERROR(BRACKET_PARTS), 5, 1, ""},
	{"[R: U, F]", 3, SIGN, ERROR(BRACKET_PARTS), 5, 1, ""},
	{"(R]", 3, SIGN, ERROR(BRACKET_CLOSE), 2, 1, ")"},
	{"[R, U)", 3, SIGN, ERROR(BRACKET_CLOSE), 5, 1, "]"},
	{"[R U)", 3, SIGN, ERROR(BRACKET_CLOSE), 4, 1, ""},
	{"R)", 3, SIGN, ERROR(BRACKET_CLOSE), 1, 1, ""},
	{"((R)", 3, SIGN, ERROR(BRACKET_OPEN), 0, 1, ""},
	{"R \xef\xbc\x88"
	 "U",
	 3, SIGN, ERROR(BRACKET_OPEN), 2, 3, ""},
	{"[R, U", 3, SIGN, ERROR(BRACKET_OPEN), 0, 1, ""},
	/* two readings */
	{"U y3Rw", 4, SIGN, ERROR(AMBIGUOUS), 2, 4, ""},
	{"R2L", 4, SIGN, ERROR(AMBIGUOUS), 0, 3, ""},
	/* wide turns with the w elsewhere, or large */
	{"FW2", 3, WCA, ERROR(MOVE), 0, 3, "Fw2"},
	{"R FW' U", 3, SIGN, ERROR(MOVE), 2, 3, "Fw'"},
	{"3FW2", 5, SIGN, ERROR(MOVE), 0, 4, "3Fw2"},
	{"FW", 2, WCA, ERROR(MOVE), 0, 2, ""},
	{"FW2R", 4, SIGN, ERROR(MOVE), 0, 2, "Fw"},
	{"L3w", 3, SIGN, ERROR(MOVE), 0, 3, "Lw'"},
	{"L3w", 4, WCA, ERROR(DIALECT), 0, 2, ""},
	/* the caret of moves on the inverse */
	{"R ^(F R)", 3, SIGN, ERROR(CHARACTER), 2, 1, ""},
	{"^(F R)", 3, NISSY, ERROR(CHARACTER), 0, 1, ""},
	/* the WCA's notation */
	{"M", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"e", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"r", 3, WCA, ERROR(DIALECT), 0, 1, "Rw"},
	{"Y", 3, WCA, ERROR(MOVE), 0, 1, "y"},
	{"T", 3, WCA, ERROR(MOVE), 0, 1, ""},
	{"U1", 3, WCA, ERROR(DIALECT), 0, 2, "U"},
	{"Ui", 3, WCA, ERROR(AMOUNT), 0, 2, "U'"},
	{"U3", 3, WCA, ERROR(DIALECT), 0, 2, "U'"},
	{"U-", 3, WCA, ERROR(AMOUNT), 0, 2, "U'"},
	{"R++", 3, WCA, ERROR(AMOUNT), 0, 3, "R2"},
	{"R2'", 3, WCA, ERROR(DIALECT), 0, 3, "R2"},
	{"R'2", 3, WCA, ERROR(AMOUNT), 0, 3, "R2"},
	{"R0", 3, WCA, ERROR(DIALECT), 0, 2, ""},
	{"L'w", 3, WCA, ERROR(MOVE), 0, 3, "Lw'"},
	{"1R", 3, WCA, ERROR(DIALECT), 0, 2, "R"},
	{"2U", 3, WCA, ERROR(DIALECT), 0, 2, ""},
	{"2f", 3, WCA, ERROR(DIALECT), 0, 2, "Fw"},
	{"2-3r", 3, WCA, ERROR(DIALECT), 0, 4, ""},
	{"1Rw", 3, WCA, ERROR(DIALECT), 0, 3, "R"},
	{"3Rw", 3, WCA, ERROR(WHOLE_CUBE), 0, 3, "x"},
	{"2-3Rw", 3, WCA, ERROR(DIALECT), 0, 5, ""},
	{"rw", 3, WCA, ERROR(DIALECT), 0, 2, "Rw"},
	{"Rr", 3, WCA, ERROR(DIALECT), 1, 1, "Rw"},
	{"*", 3, WCA, ERROR(CHARACTER), 0, 1, ""},
	{"/", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"// R", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{".", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"?", 3, WCA, ERROR(CHARACTER), 0, 1, ""},
	{"[r]", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"[r u]", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"<f>", 3, WCA, ERROR(CHARACTER), 0, 1, ""},
	{"(x)", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"(L)", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"2(Rw)", 3, WCA, ERROR(MOVE), 0, 1, ""},
	{"(U)2", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"(R U)'", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"[R, U]", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"[R: U]", 3, WCA, ERROR(DIALECT), 0, 1, ""},
	{"R (18f)", 3, WCA, ERROR(DIALECT), 2, 1, ""},
	{"Rw", 2, WCA, ERROR(WHOLE_CUBE), 0, 2, "x"},
	{"Rv", 3, WCA, ERROR(DIALECT), 0, 2, "x"},
	{"x2'", 3, WCA, ERROR(DIALECT), 0, 3, "x2"},
	{"5Rw", 5, WCA, ERROR(WHOLE_CUBE), 0, 3, "x"},
	{"R2Rw", 4, WCA, ERROR(AMBIGUOUS), 0, 4, ""},
	/* the other dialects */
	{"3r", 4, INNER, ERROR(AMBIGUOUS), 0, 2, ""},
	{"1r'", 4, INNER, ERROR(DIALECT), 0, 3, "R'"},
	{"4r", 4, INNER, ERROR(DIALECT), 0, 2, ""},
	{"M", 4, INNER, ERROR(NO_MIDDLE), 0, 1, "m"},
	{"R", 4, NISSY, ERROR(SIZE), 0, 1, ""},
	{"(R (U))", 3, NISSY, ERROR(DIALECT), 3, 1, ""},
	{"(R)2", 3, NISSY, ERROR(DIALECT), 3, 1, ""},
	{"(R)'", 3, NISSY, ERROR(DIALECT), 3, 1, ""},
	{"[R, U]", 3, NISSY, ERROR(DIALECT), 0, 1, ""},
	{"(R", 3, NISSY, ERROR(BRACKET_OPEN), 0, 1, ""},
	{"R)", 3, NISSY, ERROR(BRACKET_CLOSE), 1, 1, ""},
	{"2Rw", 3, NISSY, ERROR(DIALECT), 0, 3, "Rw"},
	{"2R", 3, NISSY, ERROR(DIALECT), 0, 2, ""},
	{"R", 2, KOCIEMBA, ERROR(SIZE), 0, 1, ""},
	{"R'", 3, KOCIEMBA, ERROR(DIALECT), 0, 2, "R3"},
	{"R2'", 3, KOCIEMBA, ERROR(DIALECT), 0, 3, "R2"},
	{"R4", 3, KOCIEMBA, ERROR(DIALECT), 0, 2, ""},
	{"Rw", 3, KOCIEMBA, ERROR(DIALECT), 0, 2, ""},
	{"x", 3, KOCIEMBA, ERROR(DIALECT), 0, 1, ""},
	{"(R)", 3, KOCIEMBA, ERROR(DIALECT), 0, 1, ""},
	{"u", 5, RUBYKS, ERROR(SIZE), 0, 1, ""},
	{"u U'", 3, RUBYKS, ERROR(DIALECT), 2, 2, "ur"},
	{"R2", 3, RUBYKS, ERROR(DIALECT), 0, 2, "r2"},
	{"z2", 3, RUBYKS, ERROR(DIALECT), 0, 2, "invert"},
	{"uru", 3, RUBYKS, ERROR(DIALECT), 0, 3, ""},
	{"turns", 3, RUBYKS, ERROR(DIALECT), 0, 5, ""},
};

static struct cube_error error_of(const char *text, int size, enum cube_dialect dialect)
{
	struct cube_node nodes[1000];
	struct cube_alg alg;
	struct cube_error error = {0};
	ck_assert_uint_le(cube_parse_nodes(text, strlen(text)), 1000);
	int code = (int)cube_parse(text, strlen(text), size, dialect, nodes, &alg, &error);
	ck_assert_int_eq(code, (int)error.code);
	return error;
}

START_TEST(refuses)
{
	const char *text = refused[_i].text;
	struct cube_error error = error_of(text, refused[_i].size, refused[_i].dialect);
	ck_assert_msg(error.code == refused[_i].code, "%s: %s", text, cube_error_text(error.code));
	ck_assert_msg(error.offset == refused[_i].offset && error.length == refused[_i].length,
		      "%s: %zu bytes at %zu", text, error.length, error.offset);
	ck_assert_msg(strcmp(error.suggestion, refused[_i].suggestion) == 0, "%s: suggests %s",
		      text, error.suggestion);
	ck_assert_uint_gt(strlen(error.expected), 0);
}
END_TEST

/* A suggestion put in the place of what was wrong is right. */
START_TEST(suggestions_help)
{
	const char *text = refused[_i].text;
	struct cube_error error = error_of(text, refused[_i].size, refused[_i].dialect), again;
	if (!error.suggestion[0])
		return;
	char better[200];
	snprintf(better, sizeof(better), "%.*s%s%s", (int)error.offset, text, error.suggestion,
		 text + error.offset + error.length);
	again = error_of(better, refused[_i].size, refused[_i].dialect);
	/* Or the next thing that is wrong is reported: 9R2L, then 4R2L. */
	ck_assert_msg(again.code == CUBE_OK || again.offset > error.offset ||
			      again.code == CUBE_ERROR_AMBIGUOUS,
		      "%s, then %s: %s", text, better, cube_error_text(again.code));
}
END_TEST

/* The meaning, in plain SiGN, of text that is refused with a suggestion. */
static const struct {
	const char *text;
	int size;
	enum cube_dialect dialect;
	const char *meaning;
} meant[] = {
	{"02R'", 3, SIGN, "2R'"},
	{"3-2R'", 4, SIGN, "2R' 3R'"},
	{"3-1R", 3, SIGN, "x"},
	{"3Rw2", 3, SIGN, "x2"},
	{"4Dw'", 4, SIGN, "y"},
	{"1-3L", 3, SIGN, "x'"},
	{"1-4f", 4, SIGN, "z"},
	{"Rw", 2, SIGN, "x"},
	{"r2'", 2, SIGN, "x2"},
	{"2Rw", 2, SIGN, "x"},
	{"R2 Lw", 2, SIGN, "R2 x'"},
	{"RLw", 2, SIGN, "R x'"},
	{"M", 4, SIGN, "2-3L"},
	{"R E2'", 6, SIGN, "R 2-5D2"},
	{"2M2", 3, SIGN, "M2"},
	{"2m", 4, SIGN, "2-3L"},
	{"3x'", 3, SIGN, "x'"},
	{"1-2Lv", 3, SIGN, "x'"},
	{"R'2", 3, SIGN, "R2"},
	{"F R'3 U", 3, SIGN, "F R U"},
	{"3Rw'2", 4, SIGN, "3Rw2"},
	{"R02", 3, SIGN, "R2"},
	{"R002'", 3, SIGN, "R2"},
	{"R00L", 3, SIGN, "L"},
	{"R''", 3, SIGN, "R2"},
	{"R\xe2\x80\xb3", 3, SIGN, "R2"},
	{"R\"", 3, SIGN, "R2"},
	{"R''' U", 3, SIGN, "R U"},
	{"(R U)'''", 3, SIGN, "U' R' U' R' U' R'"},
	{"Ui", 3, SIGN, "U'"},
	{"U2i", 3, SIGN, "U2"},
	{"F U- D", 3, SIGN, "F U' D"},
	{"U\xe2\x80\x93", 3, SIGN, "U'"},
	{"R--", 3, SIGN, "R2"},
	{"R+", 3, SIGN, "R"},
	{"R++", 3, SIGN, "R2"},
	{"(R U)'2", 3, SIGN, "U' R' U' R'"},
	{"(R U)02", 3, SIGN, "R U R U"},
	{"(R U)i", 3, SIGN, "U' R'"},
	{"[R, U]++", 3, SIGN, "R U R' U' R U R' U'"},
	{"R Y2", 3, SIGN, "R y2"},
	{"X", 3, SIGN, "x"},
	{"L'w", 3, SIGN, "Lw'"},
	{"L2w", 3, SIGN, "Lw2"},
	{"3L'w", 5, SIGN, "3Lw'"},
	{"R'v", 3, SIGN, "x'"},
	{"rw2", 3, SIGN, "Rw2"},
	{"R,U,R',U'", 3, SIGN, "R U R' U'"},
	{"R,", 3, SIGN, "R"},
	{"[R/U)", 3, SIGN, "R U R2 U' R"},
	{"(R U)*03", 3, SIGN, "R U R U R U"},
	{"(R]", 3, SIGN, "R"},
	{"[R, U)", 3, SIGN, "R U R' U'"},
	{"R, U", 3, WCA, "R U"},
	{"r", 3, WCA, "Rw"},
	{"Y", 3, WCA, "y"},
	{"U1", 3, WCA, "U"},
	{"Ui", 3, WCA, "U'"},
	{"U3", 3, WCA, "U'"},
	{"U-", 3, WCA, "U'"},
	{"R++", 3, WCA, "R2"},
	{"R2'", 3, WCA, "R2"},
	{"R'2", 3, WCA, "R2"},
	{"L'w", 3, WCA, "Lw'"},
	{"1R", 3, WCA, "R"},
	{"2f", 3, WCA, "Fw"},
	{"1Rw", 3, WCA, "R"},
	{"3Rw", 3, WCA, "x"},
	{"rw", 3, WCA, "Rw"},
	{"Rr", 3, WCA, "R Rw"},
	{"Rw", 2, WCA, "x"},
	{"Rv", 3, WCA, "x"},
	{"x2'", 3, WCA, "x2"},
	{"5Rw", 5, WCA, "x"},
	{"1r'", 4, INNER, "R'"},
	{"M", 4, INNER, "2-3L"},
	{"2Rw", 3, NISSY, "Rw"},
	{"FW2", 3, WCA, "Fw2"},
	{"R FW' U", 3, SIGN, "R Fw' U"},
	{"3FW2", 5, SIGN, "3Fw2"},
	{"L3w", 3, SIGN, "Lw'"},
	{"R'", 3, KOCIEMBA, "R'"},
	{"R2'", 3, KOCIEMBA, "R2"},
	{"u U'", 3, RUBYKS, "U U'"},
	{"R2", 3, RUBYKS, "R2"},
	{"z2", 3, RUBYKS, "z2"},
};

static const char *meaning_of(const char *text, int size, enum cube_dialect dialect)
{
	for (int i = 0; i < COUNT_OF(meant); i++)
		if (strcmp(meant[i].text, text) == 0 && meant[i].size == size &&
		    meant[i].dialect == dialect)
			return meant[i].meaning;
	return NULL;
}

/* Turns a solved cube by the text; NULL if it cannot be read. */
static struct cube *cube_after(const char *text, int size, enum cube_dialect dialect)
{
	struct cube_node nodes[1000];
	struct cube_alg alg;
	struct cube_error error;
	if (cube_parse(text, strlen(text), size, dialect, nodes, &alg, &error) != CUBE_OK)
		return NULL;
	struct cube *cube = new_cube(size);
	parsed_apply(cube, &alg);
	return cube;
}

/* A suggestion in the place of what was wrong makes what was meant. Only of layers that the cube
 * does not have nobody knows: the nearest is suggested. */
START_TEST(suggestions_mean_the_same)
{
	const char *text = refused[_i].text;
	const int size = refused[_i].size;
	struct cube_error error = error_of(text, size, refused[_i].dialect);
	const char *meaning = meaning_of(text, size, refused[_i].dialect);
	if (!error.suggestion[0]) {
		ck_assert_msg(!meaning, "%s: no suggestion", text);
		return;
	}
	char better[200];
	snprintf(better, sizeof(better), "%.*s%s%s", (int)error.offset, text, error.suggestion,
		 text + error.offset + error.length);
	struct cube *suggested = cube_after(better, size, refused[_i].dialect);
	if (suggested && (meaning || error.code != CUBE_ERROR_LAYER)) {
		ck_assert_msg(meaning, "%s: nothing is known of what it means", text);
		struct cube *right = cube_after(meaning, size, SIGN);
		ck_assert_msg(right && cube_equal(suggested, right), "%s, then %s", text, better);
		free(right);
	}
	free(suggested);
}
END_TEST

static const struct {
	const char *text;
	int size;
	enum cube_dialect dialect;
	size_t offset, length;
	const char *readings[2];
} ambiguous[] = {
	{"y3Rw", 4, SIGN, 0, 4, {"y3 Rw", "y 3Rw"}},
	{"R2L", 4, SIGN, 0, 3, {"R2 L", "R 2L"}},
	{"F R2L'", 4, SIGN, 2, 3, {"R2 L", "R 2L"}},
	{"R2U2R2", 5, SIGN, 0, 3, {"R2 U", "R 2U"}},
	{"R2l", 4, SIGN, 0, 3, {"R2 l", "R 2l"}},
	{"R3L", 4, SIGN, 0, 3, {"R3 L", "R 3L"}},
	{"M2Rw", 5, SIGN, 0, 4, {"M2 Rw", "M 2Rw"}},
	{"2-3Rw2L", 4, SIGN, 0, 7, {"2-3Rw2 L", "2-3Rw 2L"}},
	{"(R U)2L", 3, SIGN, 4, 3, {")2 L", ") 2L"}},
	{"[R, U]2Lw", 3, SIGN, 5, 4, {"]2 Lw", "] 2Lw"}},
	{"R12U", 20, SIGN, 0, 4, {"R12 U", "R 12U"}},
	{"R12U", 3, SIGN, 0, 4, {"R12 U", "R1 2U"}},
	{"R12-13L", 20, SIGN, 0, 7, {"R 12-13L", "R1 2-13L"}},
	{"R111111111111111111111111111111L", 3, SIGN, 0, 32, {"R3 L", "R3 1L"}},
	{"R2Rw", 4, WCA, 0, 4, {"R2 Rw", "R 2Rw"}},
	{"F 3r'", 4, INNER, 2, 3, {"3R'", "3Rw'"}},
	{"L3w", 4, SIGN, 0, 3, {"Lw'", "3Lw"}},
	{"U L3w", 7, SIGN, 2, 3, {"Lw'", "3Lw"}},
};

/* Both readings are given, are right, and are different. */
START_TEST(gives_both_readings)
{
	const char *text = ambiguous[_i].text;
	int size = ambiguous[_i].size;
	struct cube_error error = error_of(text, size, ambiguous[_i].dialect);
	ck_assert_int_eq((int)error.code, CUBE_ERROR_AMBIGUOUS);
	ck_assert_uint_eq(error.offset, ambiguous[_i].offset);
	ck_assert_uint_eq(error.length, ambiguous[_i].length);
	for (int i = 0; i < 2; i++) {
		char better[200];
		ck_assert_str_eq(error.readings[i], ambiguous[_i].readings[i]);
		snprintf(better, sizeof(better), "%.*s%s", (int)error.offset, text,
			 error.readings[i]);
		struct cube_error right = error_of(better, size, ambiguous[_i].dialect);
		ck_assert_msg(right.code == CUBE_OK, "%s", better);
	}
	ck_assert_str_ne(error.readings[0], error.readings[1]);
}
END_TEST

START_TEST(nests_to_the_limit)
{
	char text[2 * CUBE_DEPTH_MAX + 4] = "";
	memset(text, '(', CUBE_DEPTH_MAX);
	memset(text + CUBE_DEPTH_MAX, ')', CUBE_DEPTH_MAX);
	ck_assert_int_eq((int)error_of(text, 3, SIGN).code, CUBE_OK);
	memset(text, '(', CUBE_DEPTH_MAX + 1);
	memset(text + CUBE_DEPTH_MAX + 1, ')', CUBE_DEPTH_MAX + 1);
	struct cube_error error = error_of(text, 3, SIGN);
	ck_assert_int_eq((int)error.code, CUBE_ERROR_DEPTH);
	ck_assert_uint_eq(error.offset, CUBE_DEPTH_MAX);
	ck_assert_uint_eq(error.length, 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("refused notation");
	TCase *tests = tcase_create("refusing");
	tcase_add_loop_test(tests, refuses, 0, COUNT_OF(refused));
	tcase_add_loop_test(tests, suggestions_help, 0, COUNT_OF(refused));
	tcase_add_loop_test(tests, suggestions_mean_the_same, 0, COUNT_OF(refused));
	tcase_add_loop_test(tests, gives_both_readings, 0, COUNT_OF(ambiguous));
	tcase_add_test(tests, nests_to_the_limit);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 3 * COUNT_OF(refused) + COUNT_OF(ambiguous) + 1);
}
