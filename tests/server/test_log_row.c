/* test_log_row.c: rows of the log that hold many entries: there and back, damaged, and as batches make them. */
#include "tests/server/run.h"

#include "server/store/sqlite/sqlite_internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a log in memory ---- */

static struct sqlite_connection memory;

static void make_log(void)
{
	ck_assert_int_eq(connection_open(&memory, ":memory:", SQLITE_OPEN_READWRITE), SQLITE_OK);
	ck_assert_int_eq(schema_make(&memory), SQLITE_OK);
}

static void drop_log(void)
{
	connection_close(&memory);
}

static void add_row(int64_t seq, const void *bytes, size_t length)
{
	sqlite3_stmt *s;
	ck_assert_int_eq(
		sqlite3_prepare_v2(memory.db, "REPLACE INTO log VALUES (?1, ?2)", -1, &s, NULL),
		SQLITE_OK);
	sqlite3_bind_int64(s, 1, seq);
	sqlite3_bind_blob64(s, 2, bytes, length, SQLITE_STATIC);
	ck_assert_int_eq(sqlite3_step(s), SQLITE_DONE);
	sqlite3_finalize(s);
}

/* Returns the result for the first row that cannot be read, or SQLITE_OK. */
static int load(struct sqlite_connection *connection, struct memtable *memtable)
{
	sqlite3_stmt *s;
	int result = SQLITE_OK;
	ck_assert_int_eq(sqlite3_prepare_v2(connection->db, log_rows_sql, -1, &s, NULL), SQLITE_OK);
	while (result == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		result = log_row_load(memtable, s);
	sqlite3_finalize(s);
	return result;
}

static uint64_t random_below(uint64_t below)
{
	return ((uint64_t)rand() << 31 | (uint64_t)rand()) % below;
}

#define ENTRIES 600
#define SESSIONS 7

struct sample {
	uint64_t session;
	uint32_t revision;
	size_t length;
	uint8_t packed[9000];
};

/* Numbers of every length, entries of some bytes and longer ones than a row takes. */
static const uint64_t sessions[SESSIONS] = {
	1, 127, 128, 99999, UINT64_C(1) << 32, INT64_MAX - 1, INT64_MAX};

static struct sample *make_samples(void)
{
	struct sample *samples = calloc(ENTRIES, sizeof *samples);
	ck_assert_ptr_nonnull(samples);
	for (int i = 0; i < ENTRIES; i++) {
		struct sample *sample = &samples[i];
		sample->session = sessions[random_below(SESSIONS)];
		sample->revision = 1 + (uint32_t)random_below(i % 2 ? 200 : HISTORY_NONE - 1);
		sample->length = 1 + random_below(i % 50 ? 30 : sizeof sample->packed);
		for (size_t k = 0; k < sample->length; k++)
			sample->packed[k] = (uint8_t)rand();
	}
	return samples;
}

static const struct memtable_entry *next_of(const struct memtable *memtable, uint64_t session,
					    int at)
{
	const struct memtable_entry *entry = memtable_entries(memtable, session);
	while (at-- > 0)
		entry = entry->next;
	return entry;
}

START_TEST(there_and_back)
{
	struct sample *samples = make_samples();
	struct buffer row = {0};
	struct memtable memtable;
	int at[ENTRIES] = {0};
	int64_t seq = 10, seqs[ENTRIES];
	make_log();
	log_row_begin(&row);
	for (int i = 0; i < ENTRIES; i++) {
		const struct sample *sample = &samples[i];
		if (!log_row_has_room(&row, sample->length)) {
			ck_assert_uint_gt(row.length, 0);
			add_row(seq++, row.bytes, row.length);
			log_row_begin(&row);
		}
		const size_t before = row.length;
		ck_assert(log_row_add(&row, sample->session, sample->revision, sample->packed,
				      sample->length));
		ck_assert(before == 0 || row.length <= LOG_ROW_BYTES);
		seqs[i] = seq;
	}
	add_row(seq, row.bytes, row.length);
	buffer_free(&row);
	ck_assert_int_lt(seq, 10 + ENTRIES / 5);
	ck_assert(memtable_init(&memtable));
	ck_assert_int_eq(load(&memory, &memtable), SQLITE_OK);
	ck_assert_uint_eq(memtable.entries, ENTRIES);
	for (int i = 0; i < ENTRIES; i++) {
		const struct sample *sample = &samples[i];
		int which = 0;
		while (sessions[which] != sample->session)
			which++;
		const struct memtable_entry *entry =
			next_of(&memtable, sample->session, at[which]++);
		ck_assert_uint_eq(entry->revision, sample->revision);
		ck_assert_int_eq(entry->seq, seqs[i]);
		ck_assert_uint_eq(entry->length, sample->length);
		ck_assert_mem_eq(entry->packed, sample->packed, sample->length);
	}
	memtable_finish(&memtable);
	drop_log();
	free(samples);
}
END_TEST

/* A row is believed as a whole or not at all, whatever becomes of its bytes. */
START_TEST(a_damaged_row_gives_nothing)
{
	struct buffer row = {0};
	struct memtable memtable;
	int refused = 0;
	make_log();
	log_row_begin(&row);
	for (uint32_t i = 1; i <= 20; i++)
		ck_assert(log_row_add(&row, i * 40, i, (const uint8_t *)"packed by itself",
				      1 + i % 16));
	const size_t length = row.length;
	for (size_t cut = 0; cut < length; cut++) {
		ck_assert(memtable_init(&memtable));
		add_row(1, row.bytes, cut);
		int result = load(&memory, &memtable);
		ck_assert(result == SQLITE_OK ||
			  (result == SQLITE_CORRUPT && memtable.entries == 0));
		ck_assert(result == SQLITE_CORRUPT ||
			  (memtable.entries > 0 && memtable.entries < 20));
		refused += result != SQLITE_OK;
		memtable_finish(&memtable);
	}
	/* All but the ends of entries. */
	ck_assert_int_eq(refused, (int)length - 19);
	for (size_t i = 0; i < length * 8; i++) {
		row.bytes[i / 8] = (char)(row.bytes[i / 8] ^ 1 << i % 8);
		ck_assert(memtable_init(&memtable));
		add_row(1, row.bytes, length);
		int result = load(&memory, &memtable);
		ck_assert(result == SQLITE_OK ||
			  (result == SQLITE_CORRUPT && memtable.entries == 0));
		ck_assert(result == SQLITE_CORRUPT || memtable.entries > 0);
		memtable_finish(&memtable);
		row.bytes[i / 8] = (char)(row.bytes[i / 8] ^ 1 << i % 8);
	}
	buffer_free(&row);
	drop_log();
}
END_TEST

/* ---- as a store writes it ---- */

#define WRITES 500

struct batch {
	char folder[32], path[64];
	struct sqlite_store *store;
	struct store_write writes[WRITES];
	uint8_t packed[WRITES][40];
};

static void open_batch(struct batch *batch)
{
	const struct store_options options = {.queue_max = 1};
	struct error error = {0};
	batch->store = sqlite_store_open(batch->path, &options, &error);
	ck_assert_msg(batch->store != NULL, "%s", error.text);
}

static void init_batch(struct batch *batch)
{
	*batch = (struct batch){.folder = "/tmp/cubed-test-XXXXXX"};
	ck_assert_ptr_nonnull(mkdtemp(batch->folder));
	snprintf(batch->path, sizeof batch->path, "%s/cubed.db", batch->folder);
	open_batch(batch);
	for (uint32_t i = 0; i < WRITES; i++) {
		memset(batch->packed[i], (int)i, sizeof batch->packed[i]);
		batch->writes[i] = (struct store_write){
			.kind = WRITE_APPEND,
			.next = i + 1 < WRITES ? &batch->writes[i + 1] : NULL,
			.revision = 1 + i / 5,
			.packed = batch->packed[i],
			.packed_bytes = 1 + i % 40,
			.meta = {.key = 1 + i % 5},
		};
	}
}

static void finish_batch(struct batch *batch)
{
	static const char *const suffixes[] = {"", "-wal", "-shm", ".lock"};
	char path[80];
	sqlite_store_close(batch->store);
	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		snprintf(path, sizeof path, "%s%s", batch->path, suffixes[i]);
		unlink(path);
	}
	ck_assert_int_eq(rmdir(batch->folder), 0);
}

static int64_t rows(const struct batch *batch)
{
	int64_t count;
	ck_assert_int_eq(
		connection_value(&batch->store->writer, "SELECT count(*) FROM log", &count),
		SQLITE_OK);
	return count;
}

START_TEST(a_batch_fills_few_rows)
{
	static struct batch batch;
	init_batch(&batch);
	ck_assert_int_eq(batch_commit(batch.store, batch.writes), STORE_OK);
	const int64_t filled = rows(&batch);
	ck_assert_int_ge(filled, 2);
	ck_assert_int_le(filled, WRITES * 30 / LOG_ROW_BYTES);
	ck_assert_int_eq(batch.store->next_seq, 1 + filled);
	/* The next begins a row of its own, also where there is but one. */
	batch.writes[0].next = NULL;
	ck_assert_int_eq(batch_commit(batch.store, batch.writes), STORE_OK);
	ck_assert_int_eq(rows(&batch), filled + 1);
	sqlite_store_close(batch.store);
	open_batch(&batch);
	ck_assert_uint_eq(batch.store->memtable.entries, WRITES + 1);
	ck_assert_int_eq(batch.store->next_seq, 2 + filled);
	for (uint32_t i = 0; i < WRITES; i++) {
		const struct memtable_entry *entry =
			next_of(&batch.store->memtable, 1 + i % 5, (int)(i / 5));
		ck_assert_uint_eq(entry->revision, 1 + i / 5);
		ck_assert_uint_eq(entry->length, batch.writes[i].packed_bytes);
		ck_assert_mem_eq(entry->packed, batch.packed[i], entry->length);
	}
	finish_batch(&batch);
}
END_TEST

/* The rows of a failed batch are not in the next one. */
START_TEST(a_failed_batch_leaves_nothing)
{
	static struct batch batch;
	struct store_write bad = {.kind = WRITE_ANSWER + 1};
	init_batch(&batch);
	batch.writes[2].next = &bad;
	ck_assert_int_eq(batch_commit(batch.store, batch.writes), STORE_BROKEN);
	ck_assert_int_eq(batch.store->next_seq, 1);
	finish_batch(&batch);
	init_batch(&batch);
	ck_assert_int_eq(
		sqlite3_exec(batch.store->writer.db, "PRAGMA max_page_count = 1", NULL, NULL, NULL),
		SQLITE_OK);
	ck_assert_int_eq(batch_commit(batch.store, batch.writes), STORE_FULL);
	ck_assert_int_eq(batch.store->next_seq, 1);
	ck_assert_uint_eq(batch.store->memtable.entries, 0);
	ck_assert_int_eq(sqlite3_exec(batch.store->writer.db, "PRAGMA max_page_count = 10000", NULL,
				      NULL, NULL),
			 SQLITE_OK);
	batch.writes[2].next = NULL;
	ck_assert_int_eq(batch_commit(batch.store, batch.writes), STORE_OK);
	ck_assert_int_eq(rows(&batch), 1);
	sqlite_store_close(batch.store);
	open_batch(&batch);
	ck_assert_uint_eq(batch.store->memtable.entries, 3);
	finish_batch(&batch);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("log_row");
	TCase *rows_case = tcase_create("rows");
	tcase_add_test(rows_case, there_and_back);
	tcase_add_test(rows_case, a_damaged_row_gives_nothing);
	suite_add_tcase(suite, rows_case);
	TCase *batches = tcase_create("batches");
	tcase_add_test(batches, a_batch_fills_few_rows);
	tcase_add_test(batches, a_failed_batch_leaves_nothing);
	suite_add_tcase(suite, batches);
	return run_suite(suite, 4);
}
