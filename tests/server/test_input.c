/* test_input.c: the two ways to read JSON against each other and against the library's own tree. */
#include <check.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/api/input/input_internal.h"
#include "server/api/request/request.h"

/* Bodies that clients send most; they must take the short way. */
static const char *const usual[] = {
	"{}",
	" { } ",
	"{\"size\":3,\"moves\":\"R U R' U'\"}",
	"{\"moves\":\"R U R' U'\"}",
	"{\"moves\": \"R U R' U'\", \"revision\": 7}",
	"{\"moves\":\"R@0 U@120\",\"revision\":12,\"rebase\":\"always\"}",
	"{\"size\":3,\"name\":null,\"scramble\":true,\"access\":\"edit\"}",
	"{\"count\":2}",
	"\t{\r\n \"time_ms\" : 999999999999999999 , \"\" : \"\" ,\n \"x\" : false }\r\n",
	"{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,"
	"\"i\":8,\"j\":9,\"k\":10,\"l\":11,\"m\":12,\"n\":13,\"o\":14,\"p\":15}",
};

/* Right or wrong, they are the library's. */
static const char *const others[] = {
	"",
	" ",
	"{",
	"{}}",
	"[]",
	"3",
	"\"text\"",
	"null",
	"{\"a\":\"\\u0041\"}",
	"{\"a\\n\":1}",
	"{\"a\":\"\xc3\xa9\"}",
	"{\"a\":\"\x7f\"}",
	"{\"a\":\"\n\"}",
	"{\"a\":01}",
	"{\"a\":-1}",
	"{\"a\":+1}",
	"{\"a\":-0}",
	"{\"a\":1.0}",
	"{\"a\":1e3}",
	"{\"a\":00}",
	"{\"a\":0true}",
	"{\"a\":1234567890123456789}",
	"{\"a\":99999999999999999999}",
	"{\"a\":True}",
	"{\"a\":tru}",
	"{\"a\":nulll}",
	"{\"a\":}",
	"{\"a\"}",
	"{\"a\" 1}",
	"{\"a\":1,}",
	"{,\"a\":1}",
	"{\"a\":1 \"b\":2}",
	"{\"a\":1,\"a\":1}",
	"{\"a\":1,\"b\":2,\"a\":\"x\"}",
	"{a:1}",
	"{'a':1}",
	"{\"a\":1}x",
	"{\"a\":1}{}",
	"\v{}",
	"\xef\xbb\xbf{}",
	"{\"a\":[]}",
	"{\"a\":{}}",
	"{\"moves\":[{\"face\":\"R\",\"turns\":-1},{\"axis\":\"x\"}]}",
	"{\"pattern\":{\"any\":[{\"name\":\"f2l\"},{\"not\":{\"pieces\":{\"UF\":\"home\"}}}]}}",
	"{\"a\":[1,-2,3.5,1e300,true,false,null,\"\\\"\\\\\\/"
	"\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"]}",
	"{\"a\":9223372036854775807,\"b\":-9223372036854775808,\"\\u007f\xc3\xa9\":[[[[{}]]]]}",
	"{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,\"i\":8,"
	"\"j\":9,\"k\":10,\"l\":11,\"m\":12,\"n\":13,\"o\":14,\"p\":15,\"q\":16}",
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* The library on its own, with memory of its own. */
static json_t *oracle(const char *body, size_t length)
{
	json_error_t error;
	json_set_alloc_funcs(malloc, free);
	return json_loadb(body, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
}

static bool same_text(struct text text, const char *bytes, size_t length)
{
	return text.length == length && memcmp(text.bytes, bytes, length + 1) == 0;
}

/* Whether a tree of ours is the library's, by what its readers may ask. */
static bool same(const struct input_value *ours, json_t *theirs)
{
	const char *name;
	json_t *member;
	size_t at = 0;
	switch (json_typeof(theirs)) {
	case JSON_NULL:
		return input_is_null(ours);
	case JSON_TRUE:
	case JSON_FALSE:
		return ours->kind == KIND_BOOL && ours->truth == json_is_true(theirs);
	case JSON_INTEGER:
		return input_is_number(ours) && ours->kind == KIND_WHOLE &&
		       input_number(ours) == json_integer_value(theirs);
	case JSON_REAL:
		return input_is_number(ours) && input_number(ours) == INT64_MIN &&
		       json_real_value(ours->real) == json_real_value(theirs);
	case JSON_STRING:
		return input_is_text(ours) && same_text(input_text(ours), json_string_value(theirs),
							json_string_length(theirs));
	case JSON_ARRAY:
		if (!input_is_array(ours) || input_array_length(ours) != json_array_size(theirs))
			return false;
		while (at < json_array_size(theirs) &&
		       same(input_array_at(ours, at), json_array_get(theirs, at)))
			at++;
		return at == json_array_size(theirs) && !input_array_at(ours, at);
	case JSON_OBJECT:
		break;
	}
	if (!input_is_object(ours) || ours->count != json_object_size(theirs))
		return false;
	json_object_foreach(theirs, name, member) /* in the order of the text */
	{
		const struct input_named *named = &ours->members[at++];
		if (!same_text(named->name, name, strlen(name)) ||
		    input_member_at(ours, name) != &named->value || !same(&named->value, member))
			return false;
	}
	return true;
}

/* Reads a body the short way; true where it was taken, and then it is what the library reads. */
static bool flat(const char *body, size_t length)
{
	/* A copy of exactly its length: reading past it, and writing to it, is seen. */
	char *copy = malloc(length ? length : 1);
	memcpy(copy, body, length);
	struct arena arena = {0};
	ck_assert_ptr_nonnull(arena_take(&arena, 1));
	const struct arena before = arena;
	struct input_value *value = NULL;
	bool taken = input_flat(&arena, copy, length, &value);
	ck_assert_mem_eq(copy, body, length);
	free(copy);
	if (taken) {
		json_t *tree = oracle(body, length);
		ck_assert_msg(tree && same(value, tree), "%.*s", (int)length, body);
		json_decref(tree);
	} else {
		ck_assert_mem_eq(&arena, &before, sizeof arena);
	}
	arena_finish(&arena);
	return taken;
}

START_TEST(the_usual_is_taken)
{
	for (size_t i = 0; i < COUNT(usual); i++)
		ck_assert_msg(flat(usual[i], strlen(usual[i])), "%s", usual[i]);
}
END_TEST

START_TEST(all_else_is_not)
{
	for (size_t i = 0; i < COUNT(others); i++)
		ck_assert_msg(!flat(others[i], strlen(others[i])), "%s", others[i]);
	ck_assert(!flat("{}\0", 3));
	ck_assert(!flat("{\"a\":\"\0\"}", 9));
}
END_TEST

START_TEST(a_long_text_is_taken)
{
	static char body[100000];
	memset(body, 'R', sizeof body);
	memcpy(body, "{\"moves\":\"", 10);
	memcpy(body + sizeof body - 2, "\"}", 2);
	ck_assert(flat(body, sizeof body));
}
END_TEST

/* Every prefix, and every byte at every place: the same tree, or none. */
START_TEST(near_bodies_agree)
{
	char body[256];
	size_t taken = 0;
	for (size_t i = 0; i < COUNT(usual); i++) {
		const size_t length = strlen(usual[i]);
		memcpy(body, usual[i], length);
		for (size_t end = 0; end < length; end++)
			taken += flat(body, end);
		for (size_t at = 0; at < length; at++) {
			for (int byte = 0; byte < 256; byte++) {
				body[at] = (char)byte;
				taken += flat(body, length);
			}
			body[at] = usual[i][at];
		}
	}
	ck_assert_uint_gt(taken, 10000);
}
END_TEST

static uint32_t chance(uint32_t below)
{
	static uint64_t state = 88172645463325252;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % below;
}

/* Replaces, drops, repeats, or puts in a piece of another one. */
static size_t mutate(char *body, size_t length, size_t room)
{
	static const char bytes[] = "{}[]:,\"\\ \t0123456789-.eEtruefalsn/\x7f\xc3";
	const char *other = usual[chance(COUNT(usual))];
	size_t at = chance((uint32_t)length + 1), piece = chance(4);
	switch (chance(4)) {
	case 0:
		if (at < length)
			body[at] = bytes[chance(sizeof bytes)];
		return length;
	case 1:
		piece = piece < length - at ? piece : length - at;
		memmove(body + at, body + at + piece, length - at - piece);
		return length - piece;
	case 2:
		piece = piece < length - at ? piece : length - at;
		other = body + at;
		break;
	default:
		piece = chance((uint32_t)strlen(other) + 1);
		other += chance((uint32_t)(strlen(other) - piece) + 1);
	}
	if (length + piece > room)
		return length;
	memmove(body + at + piece, body + at, length - at);
	if (other != body + at)
		memcpy(body + at, other, piece);
	return length + piece;
}

START_TEST(mutations_agree)
{
	const bool many = getenv("CUBED_TEST_LONG") != NULL;
	const size_t rounds = many ? 3000000 : 60000;
	size_t taken = 0;
	for (size_t round = 0; round < rounds; round++) {
		const size_t of = chance(COUNT(usual) + COUNT(others));
		const char *from = of < COUNT(usual) ? usual[of] : others[of - COUNT(usual)];
		char body[512];
		size_t length = strlen(from);
		memcpy(body, from, length);
		for (uint32_t changes = 1 + chance(3); changes > 0; changes--)
			length = mutate(body, length, sizeof body);
		taken += flat(body, length);
	}
	ck_assert_uint_gt(taken, rounds / 20);
	ck_assert_uint_lt(taken, rounds / 2);
}
END_TEST

/* ---- by the library ---- */

/* Reads a body with `parse`; its tree, or NULL where it was refused. */
static struct input_value *parse(struct request *request, struct context *ctx, const char *body,
				 bool (*parser)(struct context *ctx))
{
	request_init(request);
	*ctx = (struct context){.request = request};
	request->ctx = ctx;
	request->body = body;
	request->body_length = strlen(body);
	input_setup();
	return parser(ctx) ? ctx->body : NULL;
}

/* The tree is the library's, and prints as what the library reads as the same. */
static void check_tree(const char *body)
{
	struct request request;
	struct context ctx;
	struct input_value *value = parse(&request, &ctx, body, input_parse_any);
	if (!body[0])
		body = "{}";
	json_t *tree = oracle(body, strlen(body)), *printed;
	ck_assert_msg((value != NULL) == json_is_object(tree), "%s", body);
	if (value) {
		struct buffer buffer = {0};
		ck_assert_msg(same(value, tree), "%s", body);
		input_setup();
		input_print(&ctx, value, &buffer);
		printed = oracle(buffer.bytes, buffer.length);
		ck_assert_msg(json_equal(printed, tree), "%s as %.*s", body, (int)buffer.length,
			      buffer.bytes);
		json_decref(printed);
		buffer_free(&buffer);
	}
	json_decref(tree);
	request_finish(&request);
}

START_TEST(the_library_s_tree_becomes_ours)
{
	for (size_t i = 0; i < COUNT(usual); i++)
		check_tree(usual[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		check_tree(others[i]);
}
END_TEST

/* What is answered does not tell which way it was. */
START_TEST(both_refuse_alike)
{
	for (size_t i = 0; i < COUNT(usual) + COUNT(others); i++) {
		const char *body = i < COUNT(usual) ? usual[i] : others[i - COUNT(usual)];
		struct request one, other;
		struct context ctx, any;
		bool read = parse(&one, &ctx, body, input_parse) != NULL;
		ck_assert(read == (parse(&other, &any, body, input_parse_any) != NULL));
		ck_assert_uint_eq(one.reply.status, other.reply.status);
		ck_assert_uint_eq(one.reply.body.length, other.reply.body.length);
		if (!read)
			ck_assert_mem_eq(one.reply.body.bytes, other.reply.body.bytes,
					 one.reply.body.length);
		request_finish(&one);
		request_finish(&other);
	}
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("input");
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, the_usual_is_taken);
	tcase_add_test(tcase, all_else_is_not);
	tcase_add_test(tcase, a_long_text_is_taken);
	tcase_add_test(tcase, near_bodies_agree);
	tcase_add_test(tcase, mutations_agree);
	tcase_add_test(tcase, the_library_s_tree_becomes_ours);
	tcase_add_test(tcase, both_refuse_alike);
	Suite *suite = suite_create("input");
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 7);
}
