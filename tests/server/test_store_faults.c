/* test_store_faults.c: a full queue, a full disk, failing writes and syncs, moved files. */
#include "cube/cube.h"
#include "tests/server/run.h"

#include "server/store/sqlite/connection.h"
#include "server/util/log.h"
#include "tests/server/disk.h"
#include "tests/server/fault_vfs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

START_TEST(a_full_queue)
{
	struct store_fixture fixture;
	struct pending_write *writes[5];
	fixture_init(&fixture, "sqlite");
	fixture_close(&fixture);
	fixture.queue_max = 4;
	fixture_open(&fixture);
	fixture_hold(&fixture);
	for (int i = 0; i < 5; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		writes[i] = pending_write_create(&fixture, 3, name);
		ck_assert_int_eq(fixture_submit(&fixture, writes[i]),
				 i < 4 ? STORE_OK : STORE_BUSY);
	}
	fixture_release(&fixture);
	fixture_wait(&fixture);
	ck_assert(!writes[4]->answered);
	for (int i = 0; i < 5; i++) {
		if (i < 4)
			ck_assert_int_eq(writes[i]->write.status, STORE_OK);
		pending_write_free(writes[i]);
	}
	fixture_finish(&fixture);
}
END_TEST

static const struct {
	enum fault fault;
	enum store_status status;
} failures[] = {
	{FAULT_FULL, STORE_FULL},
	{FAULT_QUOTA, STORE_FULL},
	{FAULT_WRITE, STORE_BROKEN},
	{FAULT_SYNC, STORE_BROKEN},
};

START_TEST(a_failed_commit_takes_all_behind_it)
{
	const enum store_status status = failures[_i].status;
	const bool broken = status == STORE_BROKEN;
	struct store_fixture fixture;
	struct random_player player;
	struct pending_write *writes[6];
	fixture_init(&fixture, "sqlite");
	const struct store_operations *operations = fixture.store->operations;
	random_player_init(&player, 3, NULL, 9);
	uint64_t key = fixture_session(&fixture, 3, "game");
	disk_play(&fixture, key, &player, 3, false);
	struct random_player ahead; /* the cache's state, which will not be stored */
	random_player_init(&ahead, 3, NULL, 9);
	for (int i = 0; i < 3; i++)
		random_player_move(&ahead);

	fixture_hold(&fixture);
	fault_set(failures[_i].fault, FAULT_LOG, 0);
	for (int i = 0; i < 3; i++) {
		writes[i] = disk_move(&fixture, key, &ahead);
		ck_assert_int_eq(fixture_submit(&fixture, writes[i]), STORE_OK);
	}
	fixture_release(&fixture);
	fixture_wait(&fixture);
	ck_assert_int_gt(fault_hits(), 0);
	ck_assert_int_eq(operations->health(fixture.store), status);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	/* These were made before the loop heard of it: not tried, though the disk is well again. */
	for (int i = 3; i < 6; i++) {
		writes[i] = disk_move(&fixture, key, &ahead);
		ck_assert_int_eq(fixture_submit(&fixture, writes[i]), STORE_OK);
	}
	fixture_wait(&fixture);
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(writes[i]->write.status, status);
		ck_assert_uint_eq(writes[i]->write.generation, 1);
		pending_write_free(writes[i]);
	}
	fixture.generation = 1;
	fixture_check_game(&fixture, "game", key, &player, 1);
	if (broken) {
		ck_assert_int_eq(fixture_do(&fixture, pending_write_create(&fixture, 2, "no")),
				 STORE_BROKEN);
		disk_nap(300);
		ck_assert_int_eq(operations->health(fixture.store), STORE_BROKEN);
		fixture_check_game(&fixture, "game", key, &player, 1);
	} else {
		disk_play(&fixture, key, &player, 3, false);
		ck_assert_int_eq(operations->health(fixture.store), STORE_OK);
		fixture_check_game(&fixture, "game", key, &player, 1);
	}
	fixture_close(&fixture);
	fixture_open(&fixture);
	if (failures[_i].fault == FAULT_SYNC) {
		/* The commit that failed may be there or not; what was answered is. */
		struct stored_session session;
		struct session_id id = fixture_id("game");
		ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
				 STORE_OK);
		uint32_t revision = session.history->revision;
		ck_assert(revision == 3 || revision == 6);
		ck_assert(cube_equal(session.history->cube, ahead.states[revision]));
		stored_session_free(&session);
	} else {
		fixture_check_game(&fixture, "game", key, &player, 1);
		disk_play(&fixture, key, &player, 3, true);
		disk_wait_compacted(&fixture);
		fixture_check_game(&fixture, "game", key, &player, 1);
	}
	random_player_finish(&ahead);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(room_is_noticed_without_a_write)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 9);
	uint64_t key = fixture_session(&fixture, 3, "game");
	if (_i == 1) /* something to compact meanwhile, which fails and is tried again */
		disk_play(&fixture, key, &player, 10, false);
	fault_set(FAULT_FULL, FAULT_ANY, 0);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_create(&fixture, 3, "two")),
			 STORE_FULL);
	disk_nap(400);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_FULL);
	ck_assert_int_lt(fault_hits(), 8); /* it does not spin */
	fixture_check_game(&fixture, "game", key, &player, 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	disk_wait_health(&fixture, STORE_OK);
	fixture.generation = 1;
	disk_wait_compacted(&fixture);
	disk_play(&fixture, key, &player, 3, false);
	fixture_check_game(&fixture, "game", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(a_failed_fold_loses_nothing)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 9);
	uint64_t key = fixture_session(&fixture, 3, "game");
	disk_play(&fixture, key, &player, 10, true);
	fault_set(FAULT_FULL, FAULT_ANY, 0);
	for (int i = 0; i < 12000 && fault_hits() == 0; i++)
		disk_nap(10);
	ck_assert_int_gt(fault_hits(), 0);
	fixture_check_game(&fixture, "game", key, &player, 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	/* No write failed, so none of them is refused. */
	disk_play(&fixture, key, &player, 10, true);
	disk_wait_compacted(&fixture);
	fixture_check_game(&fixture, "game", key, &player, 1);
	/* An fsync that fails is for good, for all writes. */
	disk_play(&fixture, key, &player, 2, true);
	fault_set(FAULT_SYNC, FAULT_ANY, 0);
	disk_wait_health(&fixture, STORE_BROKEN);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_create(&fixture, 2, "no")),
			 STORE_BROKEN);
	fixture_check_game(&fixture, "game", key, &player, 1);
	fixture_close(&fixture);
	fixture_open(&fixture);
	fixture_check_game(&fixture, "game", key, &player, 1);
	disk_wait_compacted(&fixture);
	fixture_check_game(&fixture, "game", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(a_failed_checkpoint_is_noticed)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 9);
	uint64_t key = fixture_session(&fixture, 3, "game");
	fault_set(FAULT_SYNC, FAULT_MAIN, 0);
	for (int i = 0; i < 3000 && fixture.store->operations->health(fixture.store) == STORE_OK;
	     i++) {
		struct pending_write *pending =
			pending_write_append(&fixture, key, 3, random_player_next(&player));
		if (fixture_do(&fixture, pending) != STORE_OK)
			break;
		if (i % 10 == 9) {
			char name[16];
			snprintf(name, sizeof(name), "s%d", i);
			fixture_do(&fixture, pending_write_create(&fixture, 3, name));
		}
	}
	ck_assert_int_eq(fault_hits(), 1); /* and is not tried again */
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_BROKEN);
	fixture_close(&fixture);
	ck_assert_int_eq(fault_hits(), 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	fixture_open(&fixture);
	struct stored_session session;
	struct session_id id = fixture_id("game");
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session), STORE_OK);
	ck_assert_uint_ge(session.history->revision, player.revision - 1);
	ck_assert(cube_equal(session.history->cube, player.states[session.history->revision]));
	stored_session_free(&session);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(moved_files_are_noticed)
{
	static const char *const suffixes[] = {"", "-wal"};
	struct store_fixture fixture;
	struct random_player player;
	char away[200];
	fixture_init(&fixture, "sqlite");
	random_player_init(&player, 3, NULL, 9);
	uint64_t key = fixture_session(&fixture, 3, "game");
	disk_play(&fixture, key, &player, 3, false);
	snprintf(away, sizeof(away), "%s.away", fixture_path(&fixture, ""));
	ck_assert_int_eq(rename(fixture_path(&fixture, suffixes[_i]), away), 0);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_create(&fixture, 3, "nowhere")),
			 STORE_BROKEN);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_BROKEN);
	ck_assert_int_eq(rename(away, fixture_path(&fixture, suffixes[_i])), 0);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_create(&fixture, 3, "nowhere")),
			 STORE_BROKEN);
	fixture_check_game(&fixture, "game", key, &player, 1);
	fixture_close(&fixture);
	fixture_open(&fixture);
	fixture_check_game(&fixture, "game", key, &player, 1);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* The newest but one; its database is as it was. */
START_TEST(no_room_for_a_copy_no_upgrade)
{
	static char sql[1 << 20];
	const struct store_options options = {.queue_max = 1};
	const int now = 10, before = 9;
	struct store_fixture fixture;
	struct sqlite_connection c;
	struct error error = {0};
	char kept[200];
	FILE *file = fopen("tests/data/schema/009.sql", "rb");
	ck_assert_ptr_nonnull(file);
	sql[fread(sql, 1, sizeof(sql) - 1, file)] = '\0';
	fclose(file);
	fixture_init(&fixture, "sqlite");
	fixture_close(&fixture);
	unlink(fixture_path(&fixture, ""));
	ck_assert_int_eq(connection_open(&c, fixture_path(&fixture, ""),
					 SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE),
			 SQLITE_OK);
	ck_assert_int_eq(sqlite3_exec(c.db, sql, NULL, NULL, NULL), SQLITE_OK);
	connection_close(&c);
	snprintf(kept, sizeof(kept), "%s.before-%d", fixture_path(&fixture, ""), now);

	fault_set(_i == 0 ? FAULT_FULL : FAULT_QUOTA, FAULT_MAIN, 3);
	ck_assert_ptr_null(store_open(fixture.location, &options, &error));
	ck_assert_msg(strstr(error.text, "there is not enough space") != NULL &&
			      strstr(error.text, kept) != NULL,
		      "%s", error.text);
	ck_assert_int_gt(fault_hits(), 0);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	ck_assert_int_eq(disk_ask(&fixture, "PRAGMA user_version"), before);
	ck_assert_int_ne(access(kept, F_OK), 0);
	snprintf(sql, sizeof(sql), "%s.part", kept);
	ck_assert_int_ne(access(sql, F_OK), 0);

	fixture_open(&fixture); /* and now there is room */
	ck_assert_int_eq(access(kept, F_OK), 0);
	fixture_finish(&fixture);
}
END_TEST

int main(void)
{
	log_configure(LOG_OFF, 0); /* it fails on purpose */
	fault_install();
	Suite *suite = suite_create("store_faults");
	TCase *plain = tcase_create("store_faults");
	tcase_set_timeout(plain, 300);
	tcase_add_test(plain, a_full_queue);
	tcase_add_loop_test(plain, a_failed_commit_takes_all_behind_it, 0, 4);
	tcase_add_loop_test(plain, room_is_noticed_without_a_write, 0, 2);
	tcase_add_test(plain, a_failed_fold_loses_nothing);
	tcase_add_test(plain, a_failed_checkpoint_is_noticed);
	tcase_add_loop_test(plain, moved_files_are_noticed, 0, 2);
	tcase_add_loop_test(plain, no_room_for_a_copy_no_upgrade, 0, 2);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 13);
}
