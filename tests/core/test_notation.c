/* tests/core/test_notation.c: what the reader of move text takes, and how it prints it. */
#include "tests/core/checked_cube.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

#define COUNT_OF(table) ((int)(sizeof(table) / sizeof((table)[0])))
#define SIGN CUBE_DIALECT_SIGN
#define WCA CUBE_DIALECT_WCA
#define INNER CUBE_DIALECT_INNER
#define NISSY CUBE_DIALECT_NISSY
#define KOCIEMBA CUBE_DIALECT_KOCIEMBA
#define RUBYKS CUBE_DIALECT_RUBYKS

/* Text that is read, and the canonical text of what was read. */
static const struct {
	const char *text;
	int size;
	enum cube_dialect dialect;
	const char *canonical;
} accepted[] = {
	/* layers */
	{"U R F D L B", 3, SIGN, "U R F D L B"},
	{"1R 1Rw 1r 1-1R", 3, SIGN, "R R R R"},
	{"1Rw 1r 2R 2-2Rw", 2, SIGN, "R R 2R 2R"},
	{"Rw r 2Rw 2r 1-2R", 3, SIGN, "Rw Rw Rw Rw Rw"},
	{"3Rw 3r 1-3r 1-3Rw 1-3R", 4, SIGN, "3Rw 3Rw 3Rw 3Rw 3Rw"},
	{"2R 3R 4R", 4, SIGN, "2R 3R 4R"},
	{"2-3R 2-3Rw 2-3r 2-4R", 4, SIGN, "2-3Rw 2-3Rw 2-3Rw 2-4Rw"},
	{"2-2R 3-3r", 4, SIGN, "2R 3R"},
	{"99Rw 100R 2-99R 98-100Bw2'", 100, SIGN, "99Rw 100R 2-99Rw 98-100Bw2'"},
	{"M E S m e s", 3, SIGN, "M E S m e s"},
	{"M m' E2 e2 S' s", 5, SIGN, "M m' E2 e2 S' s"},
	{"m e s x y z", 4, SIGN, "m e s x y z"},
	{"x y' z2", 2, SIGN, "x y' z2"},
	{"Rv Uv Fv Lv Dv Bv", 3, SIGN, "x y z x' y' z'"},
	{"Rv2 Lv2 Lv2' Lv'", 3, SIGN, "x2 x2' x2 x"},
	{"", 3, SIGN, ""},
	{" \t\r\n\v\f", 3, SIGN, ""},
	/* amounts */
	{"R R' R2 R2' R3 R3' R1 R1'", 3, SIGN, "R R' R2 R2' R' R R R'"},
	{"R0 R4 R4' R0' R5 R6 R6' R7 R8'", 3, SIGN, "R R2 R2' R'"},
	{"y0 R0", 3, SIGN, ""},
	{"R4 U x8 M0' 2R4 Lv0", 3, SIGN, "U"},
	{"R100000000000000000000000000000000000000001", 3, SIGN, "R"},
	{"R99999999999999999999999999999999999999999'", 3, SIGN, "R"},
	/* brackets */
	{"(R U)3' (R)1 (R)' (R)0 (R)0' ()", 3, SIGN, "(R U)3' (R) (R)' ()"},
	{"[R,U] [R : U]2 [R:U]' [R, U]2'", 3, SIGN, "[R, U] [R: U]2 [R: U]' [R, U]2'"},
	{"[(R U)2, [F: D]]", 3, SIGN, "[(R U)2, [F: D]]"},
	{"[,] [R,] [:R] [[,],]", 3, SIGN, "[, ] [R, ] [: R] [[, ], ]"},
	{"(R0 U)2 [R0: F] [R, y4]2 (L (R U)0 D0)", 3, SIGN, "(U)2 [: F] [R, ]2 (L)"},
	{"(((R)0)0)2 [[R, U]0: F] [R: [F: U]0']", 3, SIGN, "()2 [: F] [R: ]"},
	{"(R)1000000000000000'", 3, SIGN, "(R)1000000000000000'"},
	/* pauses and comments */
	{"R . U..F", 3, SIGN, "R U F"},
	{"R // U F\nD // L", 3, SIGN, "R D"},
	{"R // U\rF", 3, SIGN, "R F"},
	{"R /* U // [ ( */ F/**/D /***/", 3, SIGN, "R F D"},
	{"R2/**/L (R/* ) */)2//", 3, SIGN, "R2 L (R)2"},
	{"// caf\xc3\xa9 \xe2\x9c\x93", 3, SIGN, ""},
	/* pasted */
	{"RUR'U'", 3, SIGN, "R U R' U'"},
	{"R\tU\r\nF", 3, SIGN, "R U F"},
	{"\xef\xbb\xbfR\xc2\xa0U\xe2\x80\xafU", 3, SIGN, "R U U"},
	{"R\xe2\x80\x89U\xe2\x80\x8bU2\xe2\x80\x8b"
	 "2R",
	 3, SIGN, "R U U2 2R"},
	{"R\xe2\x80\x99 U\xe2\x80\x98 R\xca\xbc U\xca\xb9", 3, SIGN, "R' U' R' U'"},
	{"R\xe2\x80\xb2 U\xc2\xb4 R` R2\xe2\x80\x99", 3, SIGN, "R' U' R' R2'"},
	{"2\xe2\x80\x93"
	 "3R 2\xe2\x80\x94"
	 "3R 2\xe2\x88\x92"
	 "3r",
	 4, SIGN, "2-3Rw 2-3Rw 2-3Rw"},
	{"\xef\xbc\x88R U\xef\xbc\x89"
	 "2",
	 3, SIGN, "(R U)2"},
	{"\xef\xbc\xbbR\xef\xbc\x8cU\xef\xbc\xbd [R\xef\xbc\x9aU]", 3, SIGN, "[R, U] [R: U]"},
	{"R U (18f)", 3, SIGN, "R U"},
	{"R U (18f*) // done\n", 3, SIGN, "R U"},
	{"R (20q) ", 3, SIGN, "R"},
	{"R (14s*)", 3, SIGN, "R"},
	{"R (21 HTM)", 3, SIGN, "R"},
	{"R (18f)", 18, SIGN, "R"},
	{"R (18f)", 19, SIGN, "R (18Fw)"},
	{"R (2f)2", 3, SIGN, "R (Fw)2"},
	{"R (2f*)", 3, SIGN, "R"},
	/* one reading only */
	{"y3Rw", 3, SIGN, "y' Rw"},
	/* 2 and 3 between two moves of a 2x2x2 or 3x3x3 */
	{"R3L", 2, SIGN, "R' L"},
	{"R2L", 2, SIGN, "R2 L"},
	{"R3L", 3, SIGN, "R' L"},
	{"R2U2R2", 3, SIGN, "R2 U2 R2"},
	{"M2UM2U2M2UM2", 3, SIGN, "M2 U M2 U2 M2 U M2"},
	{"R2URUR'U'R'U'R'UR'", 3, SIGN, "R2 U R U R' U' R' U' R' U R'"},
	{"U2r", 3, SIGN, "U2 Rw"},
	{"M2Rw", 3, SIGN, "M2 Rw"},
	{"2R2L 2L2R", 3, SIGN, "2R2 L 2L2 R"},
	{"R2r", 3, INNER, "R2 Rw"},
	{"R2Rw", 3, WCA, "R2 Rw"},
	{"R2'L R2 L R 2L R2.L", 3, SIGN, "R2' L R2 L R 2L R2 L"},
	{"R'2L", 3, SIGN, "R' 2L"},
	{"R2M2E2x2m", 3, SIGN, "R2 M2 E2 x2 m"},
	{"R2Lv", 3, SIGN, "R2 x'"},
	{"R2-3L", 4, SIGN, "R 2-3Lw"},
	{"R12-3L", 4, SIGN, "R 2-3Lw"},
	{"R22-3L", 4, SIGN, "R2 2-3Lw"},
	{"R02L", 3, SIGN, "2L"},
	{"R5L (R)9L", 4, SIGN, "R L (R)9 L"},
	{"(R U)2(F)", 3, SIGN, "(R U)2 (F)"},
	/* dialects */
	{"R2L", 3, WCA, "R2 L"},
	{"Rw 2Rw Fw2 Dw' x y2 z'", 3, WCA, "Rw Rw Fw2 Dw' x y2 z'"},
	{"3Rw 4Uw' 2Bw2", 5, WCA, "3Rw 4Uw' Bw2"},
	{"RUR\xe2\x80\x99U'", 2, WCA, "R U R' U'"},
	{"r u' f2 r2'", 4, INNER, "2R 2U' 2F2 2R2'"},
	{"r 2r", 3, INNER, "Rw Rw"},
	{"3Rw Rw 2-3r 3R (r)2", 4, INNER, "3Rw Rw 2-3Rw 3R (2R)2"},
	{"R2r", 4, INNER, "R2 2R"},
	{"R (U F) D", 3, NISSY, "R D (U F)'"},
	{"(R U)(F)L(B2)", 3, NISSY, "L (R U F B2)'"},
	{"() R ()", 3, NISSY, "R"},
	{"R2L Rw r M E2 x (R2')", 3, NISSY, "R2 L Rw Rw M E2 x (R2')'"},
	{"(R U) F (18f)", 3, NISSY, "F (R U)'"},
	{"R1 U2 F3 D L1B2", 3, KOCIEMBA, "R U2 F' D L B2"},
	{"R1 U2 (2f)", 3, KOCIEMBA, "R U2"},
	{"R2L3", 3, KOCIEMBA, "R2 L'"},
	{"u ur u2 r rr r2 f fr f2", 3, RUBYKS, "U U' U2 R R' R2 F F' F2"},
	{"d dr d2 l lr l2 b br b2", 3, RUBYKS, "D D' D2 L L' L2 B B' B2"},
	{" turn\tturn_over\xc2\xa0invert\n", 3, RUBYKS, "y z' z2"},
};

/* Prints the nodes into memory of the caller. */
static char *print(const struct cube_alg *alg)
{
	size_t length = cube_alg_print(alg, NULL, 0);
	char *text = new_bytes(length + 1);
	ck_assert_uint_eq(cube_alg_print(alg, text, length + 1), length);
	ck_assert_uint_eq(strlen(text), length);
	return text;
}

START_TEST(accepts)
{
	struct parsed parsed, again;
	int size = accepted[_i].size;
	ck_assert(parsed_read(&parsed, accepted[_i].text, size, accepted[_i].dialect));
	ck_assert_int_eq(parsed.alg.size, size);
	char *text = print(&parsed.alg);
	ck_assert_str_eq(text, accepted[_i].canonical);
	/* The printed text is read as the same again. */
	ck_assert(parsed_read(&again, text, size, SIGN));
	char *second = print(&again.alg);
	ck_assert_str_eq(second, text);
	parsed_free(&parsed);
	parsed_free(&again);
	free(text);
	free(second);
}
END_TEST

START_TEST(nodes_are_nested)
{
	struct parsed parsed;
	ck_assert(parsed_read(&parsed, "[R U: F]2 ([,] L)3' x", 3, SIGN));
	const struct cube_node *nodes = parsed.alg.nodes;
	static const struct cube_node expected[] = {
		{2, 4, 3, {0}, CUBE_NODE_CONJUGATE}, {1, 2, 0, {0}, CUBE_NODE_TURN},
		{1, 3, 0, {0}, CUBE_NODE_TURN},      {1, 4, 0, {0}, CUBE_NODE_TURN},
		{-3, 7, 0, {0}, CUBE_NODE_GROUP},    {1, 6, 6, {0}, CUBE_NODE_COMMUTATOR},
		{1, 7, 0, {0}, CUBE_NODE_TURN},      {1, 8, 0, {0}, CUBE_NODE_TURN},
	};
	ck_assert_uint_eq(parsed.alg.count, COUNT_OF(expected));
	ck_assert_uint_eq(parsed.alg.depth, 2);
	for (int i = 0; i < COUNT_OF(expected); i++) {
		ck_assert_int_eq(nodes[i].amount, expected[i].amount);
		ck_assert_uint_eq(nodes[i].end, expected[i].end);
		ck_assert_uint_eq(nodes[i].middle, expected[i].middle);
		ck_assert_uint_eq(nodes[i].kind, expected[i].kind);
	}
	parsed_free(&parsed);
}
END_TEST

START_TEST(dialects_have_names)
{
	for (int i = 0; i < CUBE_DIALECT_COUNT; i++) {
		enum cube_dialect found = CUBE_DIALECT_COUNT;
		const char *name = cube_dialect_name((enum cube_dialect)i);
		ck_assert_uint_gt(strlen(cube_dialect_text((enum cube_dialect)i)), 0);
		ck_assert(cube_dialect_find(name, strlen(name), &found));
		ck_assert_int_eq((int)found, i);
		ck_assert(!cube_dialect_find(name, strlen(name) - 1, &found));
	}
	enum cube_dialect found;
	ck_assert(!cube_dialect_find("SIGN", 4, &found) && !cube_dialect_find("", 0, &found));
}
END_TEST

/* Read as they stand, with a note that something else may have been meant. */
static const struct {
	const char *text;
	enum cube_dialect dialect;
	const char *canonical;
	size_t offset, length;
	const char *readings[2];
} noted[] = {
	{"(R U) x6", SIGN, "(R U) x2", 4, 4, {") x6", ")6"}},
	{"F (R U)x3", SIGN, "F (R U)3", 6, 3, {")3", ") x3"}},
	{"[R, U]x2F", SIGN, "[R, U]2 F", 5, 3, {"]2 ", "] x2 "}},
	{"((R)x12)2", INNER, "((R)12)2", 3, 4, {")12", ") x12"}},
	{"(R U)^3", SIGN, "(R U)3", 0, 0, {"", ""}},
	{"(R U)*3'", SIGN, "(R U)3'", 0, 0, {"", ""}},
	{"(R U)\xc3\x97"
	 "3",
	 SIGN,
	 "(R U)3",
	 0,
	 0,
	 {"", ""}},
	{"(R U)x", SIGN, "(R U) x", 0, 0, {"", ""}},
	{"(R U)x3'", SIGN, "(R U) x", 4, 4, {") x3'", ")3'"}},
	{"R: U", SIGN, "[R: U]", 0, 0, {"", ""}},
	{" U: [R D R', U2]\n", SIGN, "[U: [R D R', U2]]", 0, 0, {"", ""}},
	{"R U R': [S, R2] // UF", SIGN, "[R U R': [S, R2]]", 0, 0, {"", ""}},
	{"[R, U]: (F D)2 L", INNER, "[[R, U]: (F D)2 L]", 0, 0, {"", ""}},
	{"R, U", SIGN, "[R, U]", 0, 4, {"[R, U]", "R U"}},
	{"\tR U,F'\n", SIGN, "[R U, F']", 1, 6, {"[R U,F']", "R U F'"}},
	{"(R U)2, F", SIGN, "[(R U)2, F]", 0, 9, {"[(R U)2, F]", "(R U)2 F"}},
	{"R, U // c", SIGN, "[R, U]", 0, 9, {"", ""}},
	{" D: R U R', D2",
	 SIGN,
	 "[D: [R U R', D2]]",
	 1,
	 13,
	 {"[D: [R U R', D2]]", "[[D: R U R'], D2]"}},
	{"U/R' D' R", SIGN, "[U: [R' D' R, U2]]", 0, 9, {"[U: [R' D' R, U2]]", "[U, R' D' R]"}},
	{"F [U'/ R]2 D", SIGN, "F [U': [R, U2]]2 D", 2, 7, {"[U': [R, U2]]", "[U', R]"}},
	{"S: M' / U2", SIGN, "[S: [M': [U2, M2]]]", 3, 7, {"[M': [U2, M2]]", "[M', U2]"}},
	{"D: [U/R]", SIGN, "[D: [U: [R, U2]]]", 3, 5, {"[U: [R, U2]]", "[U, R]"}},
	{"[U F / R]", SIGN, "[U F: [R, (U F)2']]", 0, 9, {"[U F: [R, (U F)2']]", "[U F, R]"}},
	{"U2/R", SIGN, "[U2: [R, ]]", 0, 4, {"[U2: [R, U0]]", "[U2, R]"}},
	{"[/R]", SIGN, "[: [R, ]]", 0, 0, {"", ""}},
	{"U R2U2R2", SIGN, "U R2 U2 R2", 2, 3, {"R2 U", "R 2U"}},
	{"R3Lw F2r", SIGN, "R' Lw F2 Rw", 5, 3, {"F2 r", "F 2r"}},
	{"M2Rw", SIGN, "M2 Rw", 0, 4, {"M2 Rw", "M 2Rw"}},
	{"R2'L R2M R2.L", SIGN, "R2' L R2 M R2 L", 0, 0, {"", ""}},
	{"[R, U]\t x2 F", SIGN, "[R, U] x2 F", 5, 5, {"] x2", "]2"}},
	{"\xef\xbc\x88R U\xef\xbc\x89 x2",
	 SIGN,
	 "(R U) x2",
	 6,
	 6,
	 {"\xef\xbc\x89 x2", "\xef\xbc\x89"
			     "2"}},
	{"(R U) x4", SIGN, "(R U)", 4, 4, {") x4", ")4"}},
	{"((R) x2)", INNER, "((R) x2)", 3, 4, {") x2", ")2"}},
	{"R U x6", SIGN, "R U x2", 4, 2, {"", ""}},
	{"(R U)2 x5", SIGN, "(R U)2 x", 7, 2, {"", ""}},
	{"x12", SIGN, "", 0, 3, {"", ""}},
	{"(R U) x'", SIGN, "(R U) x'", 0, 0, {"", ""}},
	{"(R U) x1", SIGN, "(R U) x", 0, 0, {"", ""}},
	{"(R U) x", SIGN, "(R U) x", 0, 0, {"", ""}},
	{"(R U) x2'", SIGN, "(R U) x2'", 0, 0, {"", ""}},
	{"(R U)2 x2", SIGN, "(R U)2 x2", 0, 0, {"", ""}},
	{"(R U) F x2", SIGN, "(R U) F x2", 0, 0, {"", ""}},
	{"(R U) // a case\nx2", SIGN, "(R U) x2", 0, 0, {"", ""}},
	{"(R U) y6", SIGN, "(R U) y2", 0, 0, {"", ""}},
	{"(R U) Rv2", SIGN, "(R U) x2", 0, 0, {"", ""}},
	{"R (U) x2", NISSY, "R x2 (U)'", 0, 0, {"", ""}},
	{"x2", WCA, "x2", 0, 0, {"", ""}},
};

START_TEST(notes_what_is_doubtful)
{
	const char *text = noted[_i].text;
	struct cube_node nodes[64];
	struct cube_alg alg;
	struct cube_error error;
	struct cube_notes notes;
	int code = (int)cube_parse_noted(text, strlen(text), 3, noted[_i].dialect, nodes, &alg,
					 &notes, &error);
	ck_assert_int_eq(code, CUBE_OK);
	char *canonical = print(&alg);
	ck_assert_str_eq(canonical, noted[_i].canonical);
	free(canonical);
	ck_assert_uint_eq(notes.count, noted[_i].length > 0);
	if (notes.count == 0)
		return;
	const struct cube_note *note = &notes.note[0];
	ck_assert_uint_eq(note->offset, noted[_i].offset);
	ck_assert_uint_eq(note->length, noted[_i].length);
	ck_assert(strstr(note->detail, " is read as "));
	ck_assert_str_eq(note->readings[0], noted[_i].readings[0]);
	/* The first reading in its place is what was read, the second is something else. */
	for (int i = 0; i < 2 && note->readings[0][0]; i++) {
		char other[100];
		ck_assert_str_eq(note->readings[i], noted[_i].readings[i]);
		snprintf(other, sizeof(other), "%.*s%s%s", (int)note->offset, text,
			 note->readings[i], text + note->offset + note->length);
		struct parsed parsed;
		ck_assert(parsed_read(&parsed, other, 3, noted[_i].dialect));
		char *read = print(&parsed.alg);
		ck_assert_int_eq(strcmp(read, noted[_i].canonical) == 0, i == 0);
		free(read);
		parsed_free(&parsed);
	}
}
END_TEST

START_TEST(notes_are_not_without_end)
{
	char text[4 * 2 * CUBE_NOTES_MAX + 1] = "";
	struct cube_node nodes[6 * CUBE_NOTES_MAX];
	struct cube_alg alg;
	struct cube_error error;
	struct cube_notes notes;
	for (int i = 0; i < 2 * CUBE_NOTES_MAX; i++)
		strcat(text, " x9");
	ck_assert_int_eq(
		(int)cube_parse_noted(text, strlen(text), 3, SIGN, nodes, &alg, &notes, &error),
		CUBE_OK);
	ck_assert_uint_eq(notes.count, CUBE_NOTES_MAX);
	ck_assert_uint_eq(alg.count, 2 * CUBE_NOTES_MAX);
}
END_TEST

#define NODES_MOST 512
#define NODES_BYTES (NODES_MOST * sizeof(struct cube_node))

/* Reads text that ends where memory does, as its nodes do; whether the result makes sense. Without
 * assertions, which are too slow to be made a million times. */
static bool read_at_end(const struct guard guards[2], const char *text, size_t length, int size,
			enum cube_dialect dialect)
{
	static const struct cube_node none[NODES_MOST];
	char *start = guard_put(&guards[0], text, length);
	struct cube_alg alg;
	struct cube_error error;
	size_t room = cube_parse_nodes(start, length);
	const size_t most = (length + 1) * (memchr(start, '/', length) ? 4 : 1);
	if (room > most || room > NODES_MOST)
		return false;
	struct cube_node *nodes = guard_put(&guards[1], none, room * sizeof(*nodes));
	memset(&error, 0xa5, sizeof(error));
	enum cube_error_code code = cube_parse(start, length, size, dialect, nodes, &alg, &error);
	if (code == CUBE_OK)
		return alg.count <= room;
	return error.code == code && error.offset <= length &&
	       error.length <= length - error.offset && (error.length > 0 || length == 0) &&
	       memchr(error.expected, 0, sizeof(error.expected)) &&
	       memchr(error.suggestion, 0, sizeof(error.suggestion)) &&
	       (error.expected[0] || error.suggestion[0]) &&
	       (code == CUBE_ERROR_AMBIGUOUS) == (error.readings[0][0] && error.readings[1][0]);
}

static const char *const samples[] = {
	"R U2' 3Rw 2-3r' [R: (U F)3, M'] // x\n /* y */ (18f*)",
	"3\xe2\x80\x93"
	"4R\xe2\x80\x99 \xef\xbc\x88R\xef\xbc\x89"
	"12\xe2\x80\xb2 R12-13L",
	"R\xff\xfe\xed\xa0\x80\xc0\x80\xf4\x90\x80\x80",
	"[[[(((R2L)))]]] R'2 U++ Li Dw'w rw",
	"turn_over invert ur u2 u",
	"R1 U2 F3 (R U) (F) D' (18 htm)",
};

START_TEST(reads_no_byte_too_many)
{
	struct guard guards[2] = {guard_create(1000), guard_create(NODES_BYTES)};
	enum cube_dialect dialect = (enum cube_dialect)_i;
	for (int i = 0; i < COUNT_OF(samples); i++) {
		bool sound = true;
		for (const char *text = samples[i]; *text; text++)
			for (size_t length = 0; length <= strlen(text); length++)
				sound &= read_at_end(guards, text, length, 3 + i, dialect);
		ck_assert_msg(sound, "%s", samples[i]);
	}
	guard_destroy(&guards[0]);
	guard_destroy(&guards[1]);
}
END_TEST

START_TEST(takes_every_short_text)
{
	struct guard guards[2] = {guard_create(1000), guard_create(NODES_BYTES)};
	enum cube_dialect dialect = (enum cube_dialect)_i;
	for (unsigned first = 0; first < 256; first++) {
		bool sound = true;
		for (unsigned second = 0; second < 256; second++) {
			char text[3] = {'R', (char)first, (char)second};
			sound &= read_at_end(guards, text + 1, 1, 3, dialect);
			sound &= read_at_end(guards, text + 1, 2, 3, dialect);
			sound &= read_at_end(guards, text, 3, 3, dialect);
		}
		ck_assert_msg(sound, "byte %u", first);
	}
	guard_destroy(&guards[0]);
	guard_destroy(&guards[1]);
}
END_TEST

/* A megabyte of what could be looked at again and again: time is linear. */
static const struct {
	const char *unit;
	enum cube_dialect dialect;
	int size;
	enum cube_error_code code;
} long_texts[] = {
	{"R2L", WCA, 3, CUBE_OK},
	{"R2L", SIGN, 3, CUBE_OK},
	{"R3L", SIGN, 2, CUBE_OK},
	{"R2-3L", SIGN, 4, CUBE_OK},
	{"R'", SIGN, 3, CUBE_OK},
	{"(R)2", SIGN, 3, CUBE_OK},
	{"()", SIGN, 3, CUBE_OK},
	{"(1f)", SIGN, 3, CUBE_OK},
	{"//", SIGN, 3, CUBE_OK},
	{"R (U) ", NISSY, 3, CUBE_OK},
	{"ur ", RUBYKS, 3, CUBE_OK},
	{"1", SIGN, 3, CUBE_ERROR_MOVE},
	{"(1", SIGN, 3, CUBE_ERROR_MOVE},
	{"(", SIGN, 3, CUBE_ERROR_DEPTH},
	{"[", SIGN, 3, CUBE_ERROR_DEPTH},
	{"/* ", SIGN, 3, CUBE_ERROR_COMMENT},
	{"'", SIGN, 3, CUBE_ERROR_AMOUNT},
	{"u", RUBYKS, 3, CUBE_ERROR_DIALECT},
	{"(18f*)", SIGN, 3, CUBE_ERROR_LAYER},
	{"(18f) ", KOCIEMBA, 3, CUBE_ERROR_DIALECT},
};

START_TEST(reads_long_texts)
{
	size_t unit = strlen(long_texts[_i].unit), length = (1 << 20) / unit * unit;
	char *text = new_bytes(length);
	for (size_t i = 0; i < length; i += unit)
		memcpy(text + i, long_texts[_i].unit, unit);
	struct cube_node *nodes = new_bytes(cube_parse_nodes(text, length) * sizeof(*nodes));
	struct cube_alg alg;
	struct cube_error error;
	int code = (int)cube_parse(text, length, long_texts[_i].size, long_texts[_i].dialect, nodes,
				   &alg, &error);
	ck_assert_int_eq(code, (int)long_texts[_i].code);
	free(text);
	free(nodes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("notation");
	TCase *tests = tcase_create("reading");
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, accepts, 0, COUNT_OF(accepted));
	tcase_add_test(tests, nodes_are_nested);
	tcase_add_loop_test(tests, notes_what_is_doubtful, 0, COUNT_OF(noted));
	tcase_add_test(tests, notes_are_not_without_end);
	tcase_add_test(tests, dialects_have_names);
	tcase_add_loop_test(tests, reads_no_byte_too_many, 0, CUBE_DIALECT_COUNT);
	tcase_add_loop_test(tests, takes_every_short_text, 0, CUBE_DIALECT_COUNT);
	tcase_add_loop_test(tests, reads_long_texts, 0, COUNT_OF(long_texts));
	suite_add_tcase(suite, tests);
	return run_suite(suite, COUNT_OF(accepted) + COUNT_OF(noted) + COUNT_OF(long_texts) + 15);
}
