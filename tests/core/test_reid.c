/* tests/core/test_reid.c: the Singmaster and Reid string against points in space; text that is
 * none. */
#include "cube/cube.h"
#include "cube/reid.h"

#include "cube/facelets.h"
#include "cube/hold.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/guard.h"
#include "tests/core/run.h"

#include <string.h>

static const char solved[] = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";

/* Follows the stickers in space: of a place's name, the sticker whose cubie is there and whose
 * normal is that of the letter; all relative to where the middle centres are now. */
static void model_text(const struct geo *geo, char *text)
{
	const struct geo_sticker *middle[CUBE_FACES];
	for (size_t i = 0; i < CUBE_FACES; i++)
		middle[i] = &geo->stickers[i * 9 + 4];
	strcpy(text, solved);
	for (size_t start = 0; start < strlen(solved);) {
		size_t letters = strcspn(solved + start, " ");
		int at[3] = {0};
		for (size_t i = 0; i < letters; i++)
			for (int j = 0; j < 3; j++)
				at[j] += middle[strchr("URFDLB", solved[start + i]) - "URFDLB"]
						 ->at[j];
		for (size_t i = 0; i < letters; i++) {
			const int8_t *normal =
				middle[strchr("URFDLB", solved[start + i]) - "URFDLB"]->normal;
			for (size_t k = 0; k < 54; k++) {
				const struct geo_sticker *sticker = &geo->stickers[k];
				if (memcmp(sticker->normal, normal, 3) == 0 &&
				    sticker->at[0] == at[0] && sticker->at[1] == at[1] &&
				    sticker->at[2] == at[2])
					text[start + i] = "URFDLB"[k / 9];
			}
		}
		start += letters + 1;
	}
}

START_TEST(text_is_that_of_the_model)
{
	struct gen gen = {.state = 9};
	struct checked_cube both = checked_create(3);
	struct cube *home = new_cube(3), *back = new_cube(3);
	struct guard guard = guard_create(CUBE_REID_BYTES);
	struct cube_error error;
	char text[CUBE_REID_BYTES], expected[CUBE_REID_BYTES];
	uint8_t colors[54];
	for (uint32_t round = 0; round < gen_states(10000); round++) {
		checked_turn(&both, gen_turn(&gen, 3));
		cube_reid_print(both.cube, text);
		model_text(&both.geo, expected);
		ck_assert_str_eq(text, expected);
		const char *at = guard_put(&guard, text, strlen(text));
		ck_assert_int_eq(cube_reid_parse(at, strlen(text), colors, &error), CUBE_OK);
		ck_assert_uint_eq(cube_from_colors(back, 3, colors, NULL, 0), 0);
		cube_hold_home(home, both.cube);
		memset(home->spin, 0, sizeof(home->spin));
		ck_assert(cube_equal(home, back));
	}
	checked_destroy(&both);
	guard_destroy(&guard);
	free(home);
	free(back);
}
END_TEST

START_TEST(known_texts)
{
	static const struct {
		const char *moves, *text;
	} rows[] = {
		{"", "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR"},
		{"x y'", "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR"},
		/* R brings DRF to UFR with its F sticker up, and FR to UR. */
		{"R", "UF FR UB UL DF BR DB DL DR FL UR BL FDR FRU UBL ULF BRD DFL DLB BUR"},
		/* The superflip, as it is mostly written. */
		{"U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2",
		 "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR"},
	};
	char text[CUBE_REID_BYTES];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct checked_cube both = checked_create(3);
		ck_assert(checked_moves(&both, rows[i].moves));
		cube_reid_print(both.cube, text);
		ck_assert_str_eq(text, rows[i].text);
		checked_destroy(&both);
	}
}
END_TEST

/* Any spaces, any of the letters. */
START_TEST(pasted_text)
{
	static const char text[] = " \tWG WR WB WO YG YR YB YO GR GO BR BO\r\n"
				   "ufr  urb ubl ulf drf dfl dlb dbr \n";
	uint8_t colors[54];
	struct cube_error error;
	ck_assert_int_eq(cube_reid_parse(text, strlen(text), colors, &error), CUBE_OK);
	for (int i = 0; i < 54; i++)
		ck_assert_int_eq(colors[i], i / 9);
}
END_TEST

START_TEST(text_refused)
{
	static const struct {
		const char *text;
		enum cube_error_code code;
		size_t offset, length;
		const char *suggestion;
	} rows[] = {
		{"", CUBE_ERROR_REID_COUNT, 0, 0, ""},
		{"  ", CUBE_ERROR_REID_COUNT, 2, 0, ""},
		{"UF UR", CUBE_ERROR_REID_COUNT, 5, 0, ""},
		{"UF UX", CUBE_ERROR_LETTER, 4, 1, ""},
		{"UF U\xc3\xbc", CUBE_ERROR_LETTER, 4, 2, ""},
		{"UF U\xc3", CUBE_ERROR_LETTER, 4, 1, ""},
		{"UF,UR", CUBE_ERROR_LETTER, 2, 1, ""},
		{"UF U", CUBE_ERROR_REID_NAME, 3, 1, ""},
		{"UFUR UB", CUBE_ERROR_REID_NAME, 0, 4, "UF UR"},
		{"UF UFR", CUBE_ERROR_REID_NAME, 3, 3, ""},
		{"UF UR UB UL DF DR DB DL FR FL BR BL UF", CUBE_ERROR_REID_NAME, 36, 2, ""},
		{"UF UR UB UL DF DR DB DL FR FL BR BL UFRURB", CUBE_ERROR_REID_NAME, 36, 6,
		 "UFR URB"},
		{"UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR DBR",
		 CUBE_ERROR_REID_COUNT, 68, 3, ""},
	};
	struct guard guard = guard_create(128);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint8_t colors[54];
		struct cube_error error;
		size_t length = strlen(rows[i].text);
		const char *text = guard_put(&guard, rows[i].text, length);
		ck_assert_int_eq(cube_reid_parse(text, length, colors, &error), rows[i].code);
		ck_assert_int_eq(error.code, rows[i].code);
		ck_assert_uint_eq(error.offset, rows[i].offset);
		ck_assert_uint_eq(error.length, rows[i].length);
		ck_assert_str_eq(error.suggestion, rows[i].suggestion);
		ck_assert(error.expected[0] != '\0');
	}
	/* Cut off anywhere, it is refused. */
	for (size_t length = 0; length < strlen(solved); length++) {
		uint8_t colors[54];
		struct cube_error error;
		const char *text = guard_put(&guard, solved, length);
		ck_assert_int_ne(cube_reid_parse(text, length, colors, &error), CUBE_OK);
	}
	guard_destroy(&guard);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reid");
	TCase *all = tcase_create("all");
	tcase_add_test(all, text_is_that_of_the_model);
	tcase_add_test(all, known_texts);
	tcase_add_test(all, pasted_text);
	tcase_add_test(all, text_refused);
	suite_add_tcase(suite, all);
	return run_suite(suite, 4);
}
