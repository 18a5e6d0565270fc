/* test_session_id.c: ids of sessions and solves: text, buckets, randomness. */
#include "tests/core/uniform.h"
#include "tests/server/run.h"

#include "server/store/session_id.h"

#include <ctype.h>
#include <string.h>
#include <sys/random.h>

#define SEED UINT64_C(0x5eed0fbce75)

/* The system's randomness in this program: the same in each run, so that chance fails no test. */
static uint64_t state = SEED;
static bool broken;

ssize_t getrandom(void *bytes, size_t length, unsigned flags)
{
	(void)flags;
	if (broken)
		return -1;
	for (size_t i = 0; i < length; i++) {
		/* SplitMix64 */
		state += UINT64_C(0x9e3779b97f4a7c15);
		uint64_t z = state;
		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		((uint8_t *)bytes)[i] = (uint8_t)(z >> 56);
	}
	return (ssize_t)length;
}

/* Ids that older versions made, and the extremes. */
static const struct {
	const char *text;
	uint8_t bytes[SESSION_ID_BYTES];
	unsigned bucket;
} known[] = {
	{"0000000000000000", {0}, 0},
	{"zzzzzzzzzzzzzzzz", "\377\377\377\377\377\377\377\377\377\377", 4095},
	{"7n3k9qv2m5x8c4tz", "\x3d\x47\x34\xdf\x62\xa1\x7a\x86\x13\x5f", 0x35f},
	{"4pzcwpcsqvbn9gh8", "\x25\xbe\xce\x59\x99\xbe\xd7\x54\xc2\x28", 0x228},
	{"0123456789abcdef", "\x00\x44\x32\x14\xc7\x42\x54\xb6\x35\xcf", 0x5cf},
	{"ghjkmnpqrstvwxyz", "\x84\x65\x3a\x56\xd7\xc6\x75\xbe\x77\xdf", 0x7df},
	{"zzzzzzzzzzzzzw00", "\377\377\377\377\377\377\377\377\360\000", 0},
	{"000000000000000z", "\0\0\0\0\0\0\0\0\0\x1f", 31},
	{"00000000000003zz", "\0\0\0\0\0\0\0\0\x0f\xff", 4095},
};

START_TEST(an_id_that_an_older_version_made_is_valid_and_has_a_bucket)
{
	struct session_id id;
	char text[SESSION_ID_TEXT + 1];
	ck_assert(session_id_parse(known[_i].text, SESSION_ID_TEXT, &id));
	ck_assert_mem_eq(id.bytes, known[_i].bytes, sizeof id.bytes);
	ck_assert_uint_eq(session_id_bucket(&id), known[_i].bucket);
	session_id_print(&id, text);
	ck_assert_str_eq(text, known[_i].text);
	for (int i = 0; i < SESSION_ID_TEXT; i++)
		text[i] = (char)toupper((unsigned char)text[i]);
	ck_assert(session_id_parse(text, SESSION_ID_TEXT, &id));
	ck_assert_uint_eq(session_id_bucket(&id), known[_i].bucket);
}
END_TEST

START_TEST(an_id_that_is_made_for_a_bucket_is_in_it)
{
	struct session_id id, again;
	uint8_t solve[SESSION_ID_BYTES];
	char text[SESSION_ID_TEXT + 1];
	for (unsigned bucket = 0; bucket < SESSION_BUCKETS; bucket++) {
		ck_assert(session_id_make_in(bucket, &id));
		ck_assert_uint_eq(session_id_bucket(&id), bucket);
		session_id_print(&id, text);
		ck_assert(session_id_parse(text, SESSION_ID_TEXT, &again));
		ck_assert_mem_eq(&id, &again, sizeof id);
		ck_assert(solve_id_make(&id, solve));
		ck_assert_mem_ne(solve, id.bytes, sizeof solve);
		memcpy(again.bytes, solve, sizeof solve);
		ck_assert_uint_eq(session_id_bucket(&again), bucket);
	}
}
END_TEST

START_TEST(random_ids_are_in_all_buckets_evenly)
{
	static uint32_t seen[SESSION_BUCKETS];
	struct session_id id;
	for (int i = 0; i < 64 * SESSION_BUCKETS; i++) {
		ck_assert(session_id_make(&id));
		seen[session_id_bucket(&id)]++;
	}
	check_uniform(seen, SESSION_BUCKETS);
}
END_TEST

/* The 68 bits of ids of one bucket, by bytes; the last cells are the four bits beside the bucket. */
START_TEST(all_other_bits_of_an_id_in_a_bucket_are_random)
{
	static uint32_t seen[SESSION_ID_BYTES][256];
	struct session_id id;
	for (int i = 0; i < 1 << 16; i++) {
		ck_assert(session_id_make_in(0xabc, &id));
		for (int byte = 0; byte < 8; byte++)
			seen[byte][id.bytes[byte]]++;
		seen[8][id.bytes[8] >> 4]++;
	}
	for (int byte = 0; byte < 8; byte++)
		check_uniform(seen[byte], 256);
	check_uniform(seen[8], 16);
}
END_TEST

START_TEST(without_randomness_there_is_no_id)
{
	struct session_id id = {{0}};
	uint8_t solve[SESSION_ID_BYTES];
	broken = true;
	ck_assert(!session_id_make(&id));
	ck_assert(!session_id_make_in(1, &id));
	ck_assert(!solve_id_make(&id, solve));
	broken = false;
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("session_id");
	TCase *plain = tcase_create("session_id");
	const int count = (int)(sizeof known / sizeof known[0]);
	tcase_add_loop_test(plain, an_id_that_an_older_version_made_is_valid_and_has_a_bucket, 0,
			    count);
	tcase_add_test(plain, an_id_that_is_made_for_a_bucket_is_in_it);
	tcase_add_test(plain, random_ids_are_in_all_buckets_evenly);
	tcase_add_test(plain, all_other_bits_of_an_id_in_a_bucket_are_random);
	tcase_add_test(plain, without_randomness_there_is_no_id);
	suite_add_tcase(suite, plain);
	return run_suite(suite, count + 4);
}
