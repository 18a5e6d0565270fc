/* test_formats.c: the table of formats, as it is and with rows that somebody adds. */
#include <stdio.h>
#include <string.h>

#include "run.h"
#include "service_client.h"

/* This program is linked with a table of its own, which has room for more rows. */
#define formats table_formats
#define format_count table_count
#include "server/format/table.c"
#undef formats
#undef format_count

#include "server/api/request/query.h"

struct format formats[FORMATS_MAX];
size_t format_count;

static struct service *service;
static struct client_response response;

static const struct format planted = {.name = "planted",
				      .media_type = JSON,
				      .text = "the letters again",
				      .size_min = CUBE_SIZE_MIN,
				      .size_max = CUBE_SIZE_MAX,
				      .pieces = FORMAT_COLORS,
				      .read = format_facelets_read,
				      .write = format_facelets_write,
				      .read_text = format_facelets_parse,
				      .write_ns = 1};

static void setup(void)
{
	memcpy(formats, table_formats, sizeof table_formats);
	format_count = table_count;
	service = client_start_service("memory:");
}

static void teardown(void)
{
	client_stop_service(service);
}

static unsigned get(const char *target)
{
	client_send(service, &response, "GET", target, NULL, NULL);
	return response.status;
}

/* A row is added for a text that is read from no parameter, or from one that the API does not have. */
START_TEST(added_rows_leave_queries_alone)
{
	static const char *const parameters[] = {NULL, "planted", ""};
	const size_t before = format_count;
	for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
		formats[before] = planted;
		formats[before].parameter = parameters[i];
		format_count = before + 1;
		ck_assert_uint_eq(get("/v1/apply?moves=R"), 200);
		ck_assert_ptr_nonnull(strstr(response.body, "\"facelets\":\"UUF"));
		ck_assert_uint_eq(get("/v1/apply?moves=R&as=planted"), 200);
		ck_assert_ptr_nonnull(strstr(response.body, "\"planted\":\"UUF"));
		ck_assert_uint_eq(get("/v1/apply?planted=UUU"), 400);
	}
}
END_TEST

/* The text of an added row is read from the parameter that the row names. */
START_TEST(added_row_reads_its_parameter)
{
	formats[format_count] = planted;
	formats[format_count++].parameter = "reid";
	for (size_t i = 0; i < table_count; i++)
		if (strcmp(formats[i].name, "reid") == 0)
			formats[i].read_text = NULL;
	ck_assert_uint_eq(get("/v1/apply?size=2&reid=UUUURRRRFFFFDDDDLLLLBBBB&moves=R"), 200);
	ck_assert_ptr_nonnull(strstr(response.body, "\"facelets\":\"UFUF"));
	ck_assert_uint_eq(get("/v1/apply?size=2&reid=nonsense"), 400);
	ck_assert_ptr_nonnull(strstr(response.body, "\"parameter\":\"reid\""));
}
END_TEST

/* Each row that reads a text names a parameter of the API, and no other row does. */
START_TEST(rows_name_their_parameters)
{
	size_t texts = 0;
	for (size_t i = 0; i < table_count; i++) {
		const struct format *row = &table_formats[i];
		ck_assert_int_eq(!row->read_text, !row->parameter);
		if (!row->parameter)
			continue;
		texts++;
		ck_assert_uint_lt(query_parameter(row->parameter), PARAMETER_COUNT);
		char target[64];
		snprintf(target, sizeof target, "/v1/apply?size=3&%s=%%2A", row->parameter);
		ck_assert_uint_eq(get(target), 400);
		ck_assert_ptr_null(strstr(response.body, "Unknown query parameter"));
	}
	ck_assert_uint_ge(texts, 3);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("formats");
	TCase *rows = tcase_create("rows");
	tcase_add_checked_fixture(rows, setup, teardown);
	tcase_add_test(rows, added_rows_leave_queries_alone);
	tcase_add_test(rows, added_row_reads_its_parameter);
	tcase_add_test(rows, rows_name_their_parameters);
	suite_add_tcase(suite, rows);
	return run_suite(suite, 3);
}
