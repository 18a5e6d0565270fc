/* test_receipt.c: the layout of receipts: what is written is read, and what was cut is refused. */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/api/steps/receipt.h"

static struct receipt_answer example(enum receipt_kind kind)
{
	struct receipt_answer answer = {
		.status = 201,
		.content_type = "application/json",
		.location = "/v1/sessions/0123456789abcdef",
		.etag = "\"7\"",
		.token = "0123456789abcdef_secret",
		.kind = (uint8_t)kind,
		.created = true,
		.revision = UINT32_MAX - 1,
		.rebased_from = RECEIPT_NO_REBASE,
		.noted = 1,
		.known = 1,
		.access = 2,
		.policy = 1,
		.size = 100,
		.actor = 3,
		.clock = 2,
		.updated_ms = 1795422909495,
		.created_ms = 1795422909496,
		.time_ms = (uint64_t)-2,
		.penalty_ms = (uint64_t)-1,
		.name = "N\303\244me",
		.rest = {"as=faces", 8},
	};
	memset(answer.session.bytes, 0xa5, sizeof answer.session.bytes);
	memset(answer.solve, 0x5a, sizeof answer.solve);
	return answer;
}

static void same_text(const char *a, const char *b)
{
	ck_assert_int_eq(a == NULL, b == NULL);
	if (a)
		ck_assert_str_eq(a, b);
}

/* A copy of exactly that size, so that a read beyond it is found. */
static bool read_copy(const char *bytes, size_t length, struct receipt_answer *answer, char **copy)
{
	*copy = malloc(length > 0 ? length : 1);
	ck_assert_ptr_nonnull(*copy);
	memcpy(*copy, bytes, length);
	return receipt_read(*copy, length, answer);
}

static void same_kind(const struct receipt_answer *a, const struct receipt_answer *b)
{
	switch ((enum receipt_kind)a->kind) {
	case RECEIPT_BODY:
		break;
	case RECEIPT_SESSION:
		ck_assert_uint_eq(a->known, b->known);
		ck_assert_uint_eq(a->access, b->access);
		ck_assert_uint_eq(a->policy, b->policy);
		ck_assert_uint_eq(a->updated_ms, b->updated_ms);
		same_text(a->name, b->name);
		ck_assert_uint_eq(a->revision, b->revision);
		break;
	case RECEIPT_ENTRY:
		ck_assert_uint_eq(a->revision, b->revision);
		ck_assert_uint_eq(a->rebased_from, b->rebased_from);
		ck_assert_uint_eq(a->noted, b->noted);
		break;
	case RECEIPT_PATTERN:
		ck_assert_uint_eq(a->size, b->size);
		ck_assert_uint_eq(a->updated_ms, b->updated_ms);
		break;
	case RECEIPT_SOLVE:
		ck_assert_uint_eq(a->actor, b->actor);
		ck_assert_uint_eq(a->created_ms, b->created_ms);
		ck_assert_mem_eq(a->solve, b->solve, sizeof a->solve);
		break;
	case RECEIPT_SOLVE_CHANGE:
		ck_assert_uint_eq(a->clock, b->clock);
		ck_assert_uint_eq(a->time_ms, b->time_ms);
		ck_assert_uint_eq(a->penalty_ms, b->penalty_ms);
		break;
	case RECEIPT_KINDS:
		ck_abort();
	}
}

START_TEST(what_is_written_is_read)
{
	for (int variant = 0; variant < 3; variant++) {
		struct receipt_answer written = example((enum receipt_kind)_i), read;
		struct buffer bytes = {0};
		char *copy;
		if (variant == 1)
			written.token = written.location = written.name = NULL;
		if (variant == 2)
			written.rebased_from = written.revision = 0;
		receipt_write(&written, &bytes);
		ck_assert(!bytes.failed);
		ck_assert_uint_lt(bytes.length, RECEIPT_BYTES / 4);
		ck_assert(read_copy(bytes.bytes, bytes.length, &read, &copy));
		ck_assert(!read.bare && read.created && read.kind == _i && read.status == 201);
		same_text(read.content_type, written.content_type);
		same_text(read.location, written.location);
		same_text(read.etag, written.etag);
		same_text(read.link, NULL);
		same_text(read.token, written.token);
		ck_assert_mem_eq(read.session.bytes, written.session.bytes, SESSION_ID_BYTES);
		same_kind(&written, &read);
		free(copy);
		buffer_free(&bytes);
	}
}
END_TEST

START_TEST(what_was_cut_is_refused)
{
	struct receipt_answer written = example((enum receipt_kind)_i), read;
	struct buffer bytes = {0};
	const bool rests = _i == RECEIPT_BODY || _i == RECEIPT_ENTRY || _i == RECEIPT_SESSION;
	receipt_write(&written, &bytes);
	const size_t least = bytes.length - (rests ? written.rest.length : 0);
	for (size_t length = 0; length < least; length++) {
		char *copy;
		ck_assert_msg(!read_copy(bytes.bytes, length, &read, &copy), "%zu bytes", length);
		free(copy);
	}
	buffer_free(&bytes);
}
END_TEST

START_TEST(older_receipts_have_the_body)
{
	static const char bytes[] = "\x80\xc9text/plain\0/v1/x\0\0\0token\0body";
	struct receipt_answer read;
	char *copy;
	ck_assert(read_copy(bytes, sizeof bytes - 1, &read, &copy));
	ck_assert(read.bare && read.status == 201 && read.kind == RECEIPT_BODY);
	same_text(read.content_type, "text/plain");
	same_text(read.token, "token");
	ck_assert_uint_eq(read.rest.length, 4);
	ck_assert_mem_eq(read.rest.bytes, "body", 4);
	free(copy);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("receipt");
	TCase *tests = tcase_create("receipt");
	tcase_add_loop_test(tests, what_is_written_is_read, 0, RECEIPT_KINDS);
	tcase_add_loop_test(tests, what_was_cut_is_refused, 0, RECEIPT_KINDS);
	tcase_add_test(tests, older_receipts_have_the_body);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 2 * RECEIPT_KINDS + 1);
}
