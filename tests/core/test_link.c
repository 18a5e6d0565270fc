/* tests/core/test_link.c: moves in links: what the sites write, what is wrong in a link and where, and links
 * that are made and read back. */
#include "cube/link.h"
#include "tests/core/checked_cube.h"
#include "tests/core/generate.h"
#include "tests/core/run.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(table) ((int)(sizeof(table) / sizeof((table)[0])))
#define LINK_MAX (12 * GEN_TEXT_MAX)

/* In memory of the exact size, so that the sanitizers see every byte read beyond it. */
struct reading {
	char *bare;
	struct cube_link link;
	struct cube_node *nodes;
	struct cube_alg alg;
	struct cube_notes notes;
	struct cube_error error;
};

static enum cube_error_code read_link(struct reading *reading, const char *text, int size)
{
	const size_t length = strlen(text);
	memset(reading, 0, sizeof(*reading));
	reading->bare = new_bytes(length);
	memcpy(reading->bare, text, length);
	reading->link.text = new_bytes(length);
	reading->link.origin = new_bytes((length + 1) * sizeof(uint32_t));
	enum cube_error_code code =
		cube_link_read(reading->bare, length, &reading->link, &reading->error);
	reading->nodes = new_bytes(1);
	if (code != CUBE_OK)
		return code;
	free(reading->nodes);
	reading->nodes = new_bytes(cube_link_nodes(&reading->link) * sizeof(*reading->nodes));
	return cube_link_parse(&reading->link, size, reading->nodes, &reading->alg, &reading->notes,
			       &reading->error);
}

static void reading_free(struct reading *reading)
{
	free(reading->bare);
	free(reading->link.text);
	free(reading->link.origin);
	free(reading->nodes);
}

static const struct {
	const char *text;
	int size;
	const char *canonical;
	size_t notes;
} links[] = {
	/* From the tests and pages of cubing.js. */
	{"https://alpha.twizzle.net/edit/?alg=R+U+R%27", 3, "R U R'", 0},
	{"https://alpha.twizzle.net/edit/?alg=R+U+R%27&puzzle=4x4x4", 4, "R U R'", 0},
	{"https://alpha.twizzle.net/edit/?puzzle=3x3x3&alg=R%20U2", 3, "R U2", 0},
	{" http://twizzle.net/edit/?setup-alg=F+R&alg=R%27+F%27#x\n", 3, "F R R' F'", 1},
	{"alpha.twizzle.net/edit/?experimental-setup-alg=F&alg=U", 3, "F U", 1},
	{"https://alpha.twizzle.net/edit/?setup-alg=F&setup-anchor=end&alg=U", 3, "U", 1},
	{"https://alpha.twizzle.net/edit/?setup-alg=F+%2F%2F+c&alg=U%3A+R", 3, "F [U: R]", 1},
	{"https://alpha.twizzle.net/edit/?alg=2-3Rw-2&alg=L", 5, NULL, 0},
	{"https://alpha.twizzle.net/edit/?alg=2-3Rw&title=a%20b&puzzle=5x5x5", 5, "2-3Rw", 0},
	/* From the issues of alg.cubing.net. */
	{"https://alg.cubing.net/?alg=%5B%5BM-:U%5D,_E%5D", 3, "[[M': U], E]", 0},
	{"https://alg.cubing.net/?alg=R_U_R-_U_R_U2_R-&type=alg", 3, "R U R' U R U2 R'", 0},
	{"https://alg.cubing.net/?setup=F_R2%0AU&alg=2%26%2345%3B3Rw-&puzzle=4x4x4", 4,
	 "F R2 U 2-3Rw'", 1},
	{"https://alg.cubing.net/?setup=F&alg=U&type=reconstruction", 3, "F U", 1},
	{"https://alg.cubing.net/?setup=F&alg=U&type=reconstruction-end-with-setup", 3, "U", 1},
	{"https://alg.cubing.net/?alg=R_%2F%2F_a%26%2395%3Bb%0AU+F%2BD", 3, "R U F D", 0},
	{"https://alg.cubing.net/?setup=R_U", 3, "R U", 1},
	{"https://alg.cubing.net/?alg=", 3, "", 0},
	{"https://alg.cubing.net/?alg=R,_U", 3, "[R, U]", 1},
};

START_TEST(reads_links)
{
	struct reading reading;
	enum cube_error_code code = read_link(&reading, links[_i].text, links[_i].size);
	ck_assert(cube_link_is(links[_i].text, strlen(links[_i].text)));
	if (links[_i].canonical) {
		char text[100];
		ck_assert_msg(code == CUBE_OK, "%s: %s", links[_i].text, cube_error_text(code));
		ck_assert_uint_lt(cube_alg_print(&reading.alg, text, sizeof(text)), sizeof(text));
		ck_assert_str_eq(text, links[_i].canonical);
		ck_assert_uint_eq(reading.notes.count, links[_i].notes);
		ck_assert_int_eq(cube_link_size(links[_i].text, strlen(links[_i].text)),
				 links[_i].size);
	} else {
		ck_assert_int_ne(code, CUBE_OK);
	}
	reading_free(&reading);
}
END_TEST

#define TWIZZLE "https://alpha.twizzle.net/edit/?" /* 32 bytes */
static const struct {
	const char *text;
	enum cube_error_code code;
	size_t offset, length;
} wrong[] = {
	{TWIZZLE "alg=R%2", CUBE_ERROR_LINK, 37, 1},
	{TWIZZLE "alg=R%zz", CUBE_ERROR_LINK, 37, 1},
	{TWIZZLE "alg=R+%3F+U", CUBE_ERROR_CHARACTER, 38, 3},
	{TWIZZLE "setup-alg=F%27+9R&alg=U", CUBE_ERROR_LAYER, 47, 2},
	{TWIZZLE "setup-alg=F&alg=U+%28R", CUBE_ERROR_BRACKET_OPEN, 50, 3},
	{TWIZZLE "setup-alg=%28F&alg=U", CUBE_ERROR_BRACKET_OPEN, 42, 3},
	{TWIZZLE "alg=R%FF", CUBE_ERROR_UTF8, 37, 3},
	{TWIZZLE "alg=R&puzzle=megaminx", CUBE_ERROR_LINK, 45, 8},
	{TWIZZLE "alg=R&puzzle=4x4x4", CUBE_ERROR_LINK, 0, 37},
	{TWIZZLE "setup-alg=R&puzzle=4x4x4", CUBE_ERROR_LINK, 0, 43},
	{TWIZZLE "puzzle=3x3x3", CUBE_ERROR_LINK, 0, 44},
	{"https://alg.cubing.net/", CUBE_ERROR_LINK, 0, 23},
	{"https://alg.cubing.net/?alg=R_U_T-", CUBE_ERROR_MOVE, 32, 1},
};

START_TEST(says_where_a_link_is_wrong)
{
	struct reading reading;
	enum cube_error_code code = read_link(&reading, wrong[_i].text, 3);
	const struct cube_error *error = &reading.error;
	ck_assert_msg(code == wrong[_i].code, "%s: %s", wrong[_i].text, cube_error_text(code));
	ck_assert_msg(error->offset == wrong[_i].offset && error->length == wrong[_i].length,
		      "%s: %zu bytes at %zu", wrong[_i].text, error->length, error->offset);
	ck_assert_uint_gt(strlen(error->expected), 0);
	ck_assert_str_eq(error->suggestion, "");
	reading_free(&reading);
}
END_TEST

START_TEST(other_texts_are_no_links)
{
	static const char *const texts[] = {"",
					    "R U",
					    "https://example.org/?alg=R",
					    "https://alg.cubing.net.example.org/?alg=R",
					    "alg.cubing.net",
					    "https://",
					    "R https://alg.cubing.net/?alg=R"};
	for (int i = 0; i < COUNT_OF(texts); i++) {
		ck_assert_msg(!cube_link_is(texts[i], strlen(texts[i])), "%s", texts[i]);
		ck_assert_int_eq(cube_link_size(texts[i], strlen(texts[i])), 0);
	}
}
END_TEST

START_TEST(makes_links)
{
	char text[200];
	ck_assert_uint_eq(cube_link_print(CUBE_LINK_TWIZZLE, 3, "R U R'", text, sizeof(text)), 44);
	ck_assert_str_eq(text, TWIZZLE "alg=R+U+R%27");
	cube_link_print(CUBE_LINK_ALG_CUBING_NET, 4, "[2-3Rw': U2]", text, sizeof(text));
	ck_assert_str_eq(text,
			 "https://alg.cubing.net/?alg=%5B2%26%2345%3B3Rw-%3A_U2%5D&puzzle=4x4x4");
	ck_assert_uint_eq(cube_link_print(CUBE_LINK_TWIZZLE, 3, "R U R'", text, 9), 44);
	ck_assert_str_eq(text, "https://");
	ck_assert(cube_link_serves(CUBE_LINK_TWIZZLE, 40) &&
		  !cube_link_serves(CUBE_LINK_TWIZZLE, 8));
	ck_assert(cube_link_serves(CUBE_LINK_ALG_CUBING_NET, 17) &&
		  !cube_link_serves(CUBE_LINK_ALG_CUBING_NET, 10));
}
END_TEST

/* A link of any moves is read back as the same canonical text. */
START_TEST(links_come_back)
{
	struct gen gen = {.state = 70};
	static char moves[GEN_TEXT_MAX], canonical[GEN_TEXT_MAX], text[LINK_MAX], again[LINK_MAX];
	const uint32_t rounds = gen_rounds(300);
	for (uint32_t round = 0; round < rounds; round++) {
		const int size = 2 + (int)(round % 6);
		const enum cube_link_site site = (enum cube_link_site)(round % CUBE_LINK_SITES);
		struct parsed parsed;
		struct reading reading;
		gen_text(&gen, size, 3, 6, moves);
		ck_assert(parsed_read(&parsed, moves, size, CUBE_DIALECT_SIGN));
		ck_assert_uint_lt(cube_alg_print(&parsed.alg, canonical, sizeof(canonical)),
				  sizeof(canonical));
		ck_assert_uint_lt(cube_link_print(site, size, canonical, text, sizeof(text)),
				  sizeof(text));
		ck_assert_msg(read_link(&reading, text, size) == CUBE_OK, "%s", text);
		cube_alg_print(&reading.alg, again, sizeof(again));
		ck_assert_str_eq(canonical, again);
		parsed_free(&parsed);
		reading_free(&reading);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("links");
	TCase *tests = tcase_create("links");
	tcase_add_loop_test(tests, reads_links, 0, COUNT_OF(links));
	tcase_add_loop_test(tests, says_where_a_link_is_wrong, 0, COUNT_OF(wrong));
	tcase_add_test(tests, other_texts_are_no_links);
	tcase_add_test(tests, makes_links);
	tcase_add_test(tests, links_come_back);
	suite_add_tcase(suite, tests);
	return run_suite(suite, COUNT_OF(links) + COUNT_OF(wrong) + 3);
}
