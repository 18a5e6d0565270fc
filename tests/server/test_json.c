/* test_json.c: the two ways to read JSON against each other and against the library's own tree. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/json/json_internal.h"

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
	("{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,"
	 "\"i\":8,\"j\":9,\"k\":10,\"l\":11,\"m\":12,\"n\":13,\"o\":14,\"p\":15}"),
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

/* Returns true if our tree is the library's, by everything that its readers may ask. */
static bool same(const struct json_value *ours, json_t *theirs)
{
	const char *name;
	json_t *member;
	size_t at = 0;
	switch (json_typeof(theirs)) {
	case JSON_NULL:
		return json_is_kind(ours, JSON_KIND_NULL);
	case JSON_TRUE:
	case JSON_FALSE:
		return ours->kind == JSON_KIND_BOOL && ours->truth == json_is_true(theirs);
	case JSON_INTEGER:
		return json_value_is_number(ours) && ours->kind == JSON_KIND_WHOLE &&
		       json_value_whole(ours) == json_integer_value(theirs);
	case JSON_REAL:
		return json_value_is_number(ours) && json_value_whole(ours) == INT64_MIN &&
		       json_real_value(ours->real) == json_real_value(theirs);
	case JSON_STRING:
		return json_is_kind(ours, JSON_KIND_TEXT) &&
		       same_text(json_value_text(ours), json_string_value(theirs),
				 json_string_length(theirs));
	case JSON_ARRAY:
		if (!json_is_kind(ours, JSON_KIND_ARRAY) ||
		    json_item_count(ours) != json_array_size(theirs))
			return false;
		while (at < json_array_size(theirs) &&
		       same(json_item(ours, at), json_array_get(theirs, at)))
			at++;
		return at == json_array_size(theirs) && !json_item(ours, at);
	case JSON_OBJECT:
		break;
	}
	if (!json_is_kind(ours, JSON_KIND_OBJECT) || ours->count != json_object_size(theirs))
		return false;
	json_object_foreach(theirs, name, member) /* in the order of the text */
	{
		const struct json_named *named = &ours->members[at++];
		if (!same_text(named->name, name, strlen(name)) ||
		    json_member_of(ours, name) != &named->value || !same(&named->value, member))
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
	ck_assert_ptr_nonnull(arena_alloc(&arena, 1));
	const struct arena before = arena;
	struct json_value *value = NULL;
	bool taken = json_parse_flat(&arena, copy, length, &value);
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

/* A body that was read, by one of the two ways. */
struct outcome {
	struct arena arena;
	struct json_reader reader;
	struct json_value *value; /* NULL: refused */
};

typedef bool parse_body(struct json_reader *reader, const char *body, size_t length,
			struct json_value **value);

static void read_body(const char *body, parse_body *parse, struct outcome *outcome)
{
	*outcome = (struct outcome){0};
	outcome->reader.arena = &outcome->arena;
	json_setup();
	if (!parse(&outcome->reader, body, strlen(body), &outcome->value))
		outcome->value = NULL;
}

/* The tree is the library's, and prints as what the library reads as the same. */
static void check_tree(const char *body)
{
	struct outcome outcome;
	read_body(body, json_parse_body_any, &outcome);
	if (!body[0])
		body = "{}";
	json_t *tree = oracle(body, strlen(body)), *printed;
	ck_assert_msg((outcome.value != NULL) == json_is_object(tree), "%s", body);
	if (outcome.value) {
		struct buffer buffer = {0};
		ck_assert_msg(same(outcome.value, tree), "%s", body);
		json_setup();
		json_print(&outcome.arena, outcome.value, &buffer);
		printed = oracle(buffer.bytes, buffer.length);
		ck_assert_msg(json_equal(printed, tree), "%s as %.*s", body, (int)buffer.length,
			      buffer.bytes);
		json_decref(printed);
		buffer_free(&buffer);
	}
	json_decref(tree);
	arena_finish(&outcome.arena);
}

START_TEST(the_library_s_tree_becomes_ours)
{
	for (size_t i = 0; i < COUNT(usual); i++)
		check_tree(usual[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		check_tree(others[i]);
}
END_TEST

static void check_same_text(const char *one, const char *other)
{
	ck_assert(!one == !other);
	if (one)
		ck_assert_str_eq(one, other);
}

/* An error does not depend on the way. */
START_TEST(both_refuse_alike)
{
	for (size_t i = 0; i < COUNT(usual) + COUNT(others); i++) {
		const char *body = i < COUNT(usual) ? usual[i] : others[i - COUNT(usual)];
		struct outcome fast, any;
		read_body(body, json_parse_body, &fast);
		read_body(body, json_parse_body_any, &any);
		const struct json_error *one = &fast.reader.error, *other = &any.reader.error;
		ck_assert(!fast.value == !any.value);
		ck_assert((fast.value == NULL) == (one->fault != JSON_FAULT_NONE));
		ck_assert_uint_eq(one->fault, other->fault);
		ck_assert_uint_eq(one->offset, other->offset);
		ck_assert_uint_eq(one->column, other->column);
		check_same_text(one->detail, other->detail);
		check_same_text(one->expected, other->expected);
		arena_finish(&fast.arena);
		arena_finish(&any.arena);
	}
}
END_TEST

static bool wanted(struct json_reader *reader, const char *body, int64_t *size, struct text *name)
{
	const struct json_member members[] = {{"size", JSON_INT64, size, 2, 100},
					      {"name", JSON_TEXT, name, 0, 0}};
	struct json_value *object;
	return json_parse_body(reader, body, strlen(body), &object) &&
	       json_read_members(reader, object, "/cube", members, COUNT(members));
}

/* An error is a value: place, sentence, what was expected, what may have been meant. */
START_TEST(errors_say_where_and_what)
{
	static const struct {
		const char *body, *pointer, *expected, *suggestion;
	} rows[] = {
		{"{\"size\":3,\"name\":\"x\"}", NULL, NULL, NULL},
		{"{\"size\":1}", "/cube/size", "an integer from 2 to 100", NULL},
		{"{\"size\":3.0}", "/cube/size", "an integer from 2 to 100", NULL},
		{"{\"name\":3}", "/cube/name", "a string", NULL},
		{"{\"sice\":3}", "/cube/sice", "size or name", "size"},
		{"{\"a/b~\":3}", "/cube/a~1b~0", "size or name", NULL},
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = {0};
		struct json_reader reader = {.arena = &arena};
		int64_t size = 0;
		struct text name = {0};
		json_setup();
		ck_assert(wanted(&reader, rows[i].body, &size, &name) == !rows[i].pointer);
		check_same_text(reader.error.place.pointer, rows[i].pointer);
		check_same_text(reader.error.expected, rows[i].expected);
		check_same_text(reader.error.suggestion, rows[i].suggestion);
		ck_assert(!rows[i].pointer || reader.error.detail[0]);
		arena_finish(&arena);
	}
}
END_TEST

/* All of an object, in its order; what is right is read nevertheless. */
START_TEST(all_errors_of_an_object_are_listed)
{
	struct arena arena = {0};
	struct json_reader reader = {.arena = &arena};
	int64_t size = 0;
	struct text name = {0};
	json_setup();
	ck_assert(!wanted(&reader, "{\"a\":1,\"name\":3,\"size\":5,\"b\":[]}", &size, &name));
	const struct json_error *error = &reader.error;
	static const char *const pointers[] = {"/cube/a", "/cube/name", "/cube/b"};
	for (size_t i = 0; i < COUNT(pointers); i++, error = error->next) {
		ck_assert_ptr_nonnull(error);
		ck_assert_str_eq(error->place.pointer, pointers[i]);
	}
	ck_assert_ptr_null(error);
	ck_assert_int_eq(size, 5);
	arena_finish(&arena);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("json");
	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, the_usual_is_taken);
	tcase_add_test(tcase, all_else_is_not);
	tcase_add_test(tcase, a_long_text_is_taken);
	tcase_add_test(tcase, near_bodies_agree);
	tcase_add_test(tcase, mutations_agree);
	tcase_add_test(tcase, the_library_s_tree_becomes_ours);
	tcase_add_test(tcase, both_refuse_alike);
	tcase_add_test(tcase, errors_say_where_and_what);
	tcase_add_test(tcase, all_errors_of_an_object_are_listed);
	Suite *suite = suite_create("json");
	suite_add_tcase(suite, tcase);
	return run_suite(suite, 9);
}
