/* test_store_canonical.c: sessions are found by their cube, however it is held, in the memtable, when compacted, and where they are older
 * than the index. */
#include "tests/server/run.h"

#include "cube/cube.h"
#include "cube/facts.h"
#include "cube/hold.h"
#include "cube/pattern.h"
#include "server/store/sqlite/sqlite_internal.h"
#include "tests/server/disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SESSIONS 60

static struct random_player players[SESSIONS];
static uint64_t keys[SESSIONS];

/* Few different cubes: some sessions are alike. */
static void make_sessions(struct store_fixture *fixture)
{
	for (int i = 0; i < SESSIONS; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		random_player_init(&players[i], 2 + i % 3, NULL, (uint64_t)(i % 20));
		keys[i] = fixture_session(fixture, players[i].size, name);
	}
}

static void play(struct store_fixture *fixture, int entries)
{
	for (int i = 0; i < SESSIONS; i++)
		disk_play(fixture, keys[i], &players[i], i % 4 == 3 ? 0 : entries, true);
}

static void finish_sessions(void)
{
	for (int i = 0; i < SESSIONS; i++)
		random_player_finish(&players[i]);
}

static const struct cube *cube_now(int i)
{
	return players[i].states[players[i].revision];
}

static void canonical_of(const struct cube *cube, uint8_t *canonical)
{
	uint8_t colors[96];
	cube_colors(cube, colors);
	cube_canonical(cube->size, colors, canonical);
}

static bool same(const struct cube *a, const struct cube *b)
{
	uint8_t one[96], other[96];
	if (a->size != b->size)
		return false;
	canonical_of(a, one);
	canonical_of(b, other);
	return memcmp(one, other, cube_facelets(a->size)) == 0;
}

struct found {
	const struct cube *cube;
	uint64_t keys[SESSIONS];
	int count, limit, others;
};

static bool take(void *context, struct stored_session *session)
{
	struct found *found = context;
	if (!same(session->history->cube, found->cube)) {
		found->others++;
		return true;
	}
	found->keys[found->count++] = session->meta.key;
	return found->count % found->limit != 0;
}

/* All that are alike are found, newest first, by pages of so many and by looks at so many. */
static int check_one(struct store_fixture *fixture, int wanted, int limit, uint32_t look_at)
{
	uint8_t canonical[96];
	struct found found = {.limit = limit};
	uint64_t before = UINT64_MAX, next;
	struct cube *turned = malloc(cube_bytes(players[wanted].size));
	cube_hold_turn(turned, cube_now(wanted), wanted % CUBE_HOLDS);
	found.cube = turned;
	canonical_of(turned, canonical);
	uint64_t hash = cube_colors_hash(turned->size, canonical);
	do {
		ck_assert_int_eq(fixture->store->operations->canonical_index(fixture->reader, hash,
									     0, before, look_at,
									     take, &found, &next),
				 STORE_OK);
		ck_assert_uint_lt(next, before);
		before = next;
	} while (next != 0);
	int at = 0;
	for (int i = SESSIONS - 1; i >= 0; i--)
		if (same(cube_now(i), turned))
			ck_assert_uint_eq(found.keys[at++], keys[i]);
	ck_assert_int_eq(at, found.count);
	ck_assert_int_ge(at, 1);
	free(turned);
	return found.others;
}

static int check_all(struct store_fixture *fixture)
{
	int others = 0;
	for (int i = 0; i < SESSIONS; i++) {
		others += check_one(fixture, i, 1000, 1000);
		check_one(fixture, i, 2, 1000);
		check_one(fixture, i, 1000, 3);
	}
	return others;
}

START_TEST(found_however_held)
{
	struct store_fixture fixture;
	bool disk = _i == FIXTURE_SQLITE;
	fixture_init(&fixture, fixture_stores[_i]);
	make_sessions(&fixture);
	int others = check_all(&fixture);
	ck_assert(!disk || others == 0); /* the index has new sessions */
	for (int round = 0; round < 3; round++) {
		play(&fixture, 3);
		check_all(&fixture);
		if (!disk)
			continue;
		disk_wait_compacted(&fixture);
		ck_assert_int_eq(check_all(&fixture), 0);
	}
	if (disk) {
		fixture_close(&fixture);
		fixture_open(&fixture);
		ck_assert_int_eq(check_all(&fixture), 0);
	}
	finish_sessions();
	fixture_finish(&fixture);
}
END_TEST

START_TEST(hidden_and_deleted_are_not_found)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	struct found found = {.limit = 1000};
	uint8_t canonical[96];
	uint64_t next;
	struct pending_write *hidden = pending_write_create(&fixture, 3, "hidden");
	hidden->write.meta.listed = false;
	ck_assert_int_eq(fixture_do(&fixture, hidden), STORE_OK);
	uint64_t deleted = fixture_session(&fixture, 3, "deleted");
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, deleted)),
			 STORE_OK);
	uint64_t there = fixture_session(&fixture, 3, "there");
	struct cube *solved = malloc(cube_bytes(3));
	cube_init(solved, 3);
	canonical_of(solved, canonical);
	found.cube = solved;
	const uint64_t hash = cube_colors_hash(3, canonical);
	ck_assert_int_eq(fixture.store->operations->canonical_index(
				 fixture.reader, hash, 0, UINT64_MAX, 1000, take, &found, &next),
			 STORE_OK);
	ck_assert_int_eq(found.count, 1);
	ck_assert_uint_eq(found.keys[0], there);
	/* But by those whose it is, unless it was deleted. */
	for (uint64_t own = deleted - 1; own <= deleted; own++) {
		found.count = 0;
		ck_assert_int_eq(fixture.store->operations->canonical_index(fixture.reader, hash,
									    own, UINT64_MAX, 1000,
									    take, &found, &next),
				 STORE_OK);
		ck_assert_int_eq(found.count, own == deleted ? 1 : 2);
		ck_assert_uint_eq(found.keys[found.count - 1], own == deleted ? there : own);
	}
	free(solved);
	fixture_finish(&fixture);
}
END_TEST

#define UNKNOWN "SELECT count(*) FROM session WHERE alike IS NULL"

/* As a database is that an older version has made. */
START_TEST(older_sessions_are_found_too)
{
	struct store_fixture fixture;
	struct sqlite_connection c;
	fixture_init(&fixture, "sqlite");
	make_sessions(&fixture);
	play(&fixture, 5);
	disk_wait_compacted(&fixture);
	ck_assert_int_eq(disk_ask(&fixture, UNKNOWN), 0);
	fixture_close(&fixture);
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""), SQLITE_OPEN_READWRITE),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(c.db, "UPDATE session SET alike = NULL", NULL, NULL, NULL),
			 SQLITE_OK);
	connection_close(&c);
	fixture_open(&fixture);
	play(&fixture, 1);
	disk_wait_until(&fixture, UNKNOWN, 0);
	disk_wait_compacted(&fixture);
	ck_assert_int_eq(check_all(&fixture), 0);
	finish_sessions();
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store_alike");
	TCase *canonical_index = tcase_create("store_alike");
	tcase_set_timeout(canonical_index, 120);
	tcase_add_loop_test(canonical_index, found_however_held, 0, FIXTURE_STORES);
	tcase_add_loop_test(canonical_index, hidden_and_deleted_are_not_found, 0, FIXTURE_STORES);
	tcase_add_test(canonical_index, older_sessions_are_found_too);
	suite_add_tcase(suite, canonical_index);
	return run_suite(suite, 5);
}
