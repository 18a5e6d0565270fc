/* test_store_faults.c: a full queue, a full disk, failing writes and syncs, moved files. */
#include "tests/server/run.h"

#include "server/util/log.h"
#include "tests/server/disk.h"
#include "tests/server/fault_vfs.h"

#include <string.h>

START_TEST(a_full_queue)
{
	struct kit kit;
	struct ticket *tickets[5];
	kit_init(&kit, "sqlite");
	kit_close(&kit);
	kit.queue_max = 4;
	kit_open(&kit);
	kit_hold(&kit);
	for (int i = 0; i < 5; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		tickets[i] = ticket_create(&kit, 3, name);
		ck_assert_int_eq(kit_submit(&kit, tickets[i]), i < 4 ? STORE_OK : STORE_BUSY);
	}
	kit_release(&kit);
	kit_wait(&kit);
	ck_assert(!tickets[4]->answered);
	for (int i = 0; i < 5; i++) {
		if (i < 4)
			ck_assert_int_eq(tickets[i]->write.status, STORE_OK);
		ticket_free(tickets[i]);
	}
	kit_finish(&kit);
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
	struct kit kit;
	struct player player;
	struct ticket *tickets[6];
	kit_init(&kit, "sqlite");
	const struct store_operations *operations = kit.store->operations;
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	disk_play(&kit, key, &player, 3, false);
	struct player ahead; /* what the session cache works on that will not be */
	player_init(&ahead, 3, NULL, 9);
	for (int i = 0; i < 3; i++)
		player_move(&ahead);

	kit_hold(&kit);
	fault_set(failures[_i].fault, FAULT_LOG, 0);
	for (int i = 0; i < 3; i++) {
		tickets[i] = disk_move(&kit, key, &ahead);
		ck_assert_int_eq(kit_submit(&kit, tickets[i]), STORE_OK);
	}
	kit_release(&kit);
	kit_wait(&kit);
	ck_assert_int_gt(fault_hits(), 0);
	ck_assert_int_eq(operations->health(kit.store), status);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	/* These were made before the loop heard of it: not tried, though the disk is well again. */
	for (int i = 3; i < 6; i++) {
		tickets[i] = disk_move(&kit, key, &ahead);
		ck_assert_int_eq(kit_submit(&kit, tickets[i]), STORE_OK);
	}
	kit_wait(&kit);
	for (int i = 0; i < 6; i++) {
		ck_assert_int_eq(tickets[i]->write.status, status);
		ck_assert_uint_eq(tickets[i]->write.generation, 1);
		ticket_free(tickets[i]);
	}
	kit.generation = 1;
	kit_check_game(&kit, "game", key, &player, 1);
	if (broken) {
		ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 2, "no")), STORE_BROKEN);
		disk_nap(300);
		ck_assert_int_eq(operations->health(kit.store), STORE_BROKEN);
		kit_check_game(&kit, "game", key, &player, 1);
	} else {
		disk_play(&kit, key, &player, 3, false);
		ck_assert_int_eq(operations->health(kit.store), STORE_OK);
		kit_check_game(&kit, "game", key, &player, 1);
	}
	kit_close(&kit);
	kit_open(&kit);
	if (failures[_i].fault == FAULT_SYNC) {
		/* The commit that failed may be there or not; what was answered is. */
		struct stored_session session;
		struct session_id id = kit_id("game");
		ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
		uint32_t revision = session.history->revision;
		ck_assert(revision == 3 || revision == 6);
		ck_assert(cube_equal(session.history->cube, ahead.states[revision]));
		stored_session_free(&session);
	} else {
		kit_check_game(&kit, "game", key, &player, 1);
		disk_play(&kit, key, &player, 3, true);
		disk_wait_folded(&kit);
		kit_check_game(&kit, "game", key, &player, 1);
	}
	player_finish(&ahead);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(room_is_noticed_without_a_write)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	if (_i == 1) /* something to compact meanwhile, which fails and is tried again */
		disk_play(&kit, key, &player, 10, false);
	fault_set(FAULT_FULL, FAULT_ANY, 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 3, "two")), STORE_FULL);
	disk_nap(400);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_FULL);
	ck_assert_int_lt(fault_hits(), 8); /* it does not spin */
	kit_check_game(&kit, "game", key, &player, 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	disk_wait_health(&kit, STORE_OK);
	kit.generation = 1;
	disk_wait_folded(&kit);
	disk_play(&kit, key, &player, 3, false);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(a_failed_fold_loses_nothing)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	disk_play(&kit, key, &player, 10, true);
	fault_set(FAULT_FULL, FAULT_ANY, 0);
	for (int i = 0; i < 300 && fault_hits() == 0; i++)
		disk_nap(10);
	ck_assert_int_gt(fault_hits(), 0);
	kit_check_game(&kit, "game", key, &player, 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	/* No write failed, so none of them is refused. */
	disk_play(&kit, key, &player, 10, true);
	disk_wait_folded(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	/* An fsync that fails is for good, whoever asked for it. */
	disk_play(&kit, key, &player, 2, true);
	fault_set(FAULT_SYNC, FAULT_ANY, 0);
	disk_wait_health(&kit, STORE_BROKEN);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 2, "no")), STORE_BROKEN);
	kit_check_game(&kit, "game", key, &player, 1);
	kit_close(&kit);
	kit_open(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	disk_wait_folded(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(a_failed_checkpoint_is_noticed)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	fault_set(FAULT_SYNC, FAULT_MAIN, 0);
	for (int i = 0; i < 3000 && kit.store->operations->health(kit.store) == STORE_OK; i++) {
		struct ticket *ticket = ticket_append(&kit, key, 3, player_next(&player));
		if (kit_do(&kit, ticket) != STORE_OK)
			break;
		if (i % 10 == 9) {
			char name[16];
			snprintf(name, sizeof(name), "s%d", i);
			kit_do(&kit, ticket_create(&kit, 3, name));
		}
	}
	ck_assert_int_eq(fault_hits(), 1); /* and is not tried again */
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_BROKEN);
	kit_close(&kit);
	ck_assert_int_eq(fault_hits(), 1);
	fault_set(FAULT_NONE, FAULT_ANY, 0);
	kit_open(&kit);
	struct stored_session session;
	struct session_id id = kit_id("game");
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
	ck_assert_uint_ge(session.history->revision, player.revision - 1);
	ck_assert(cube_equal(session.history->cube, player.states[session.history->revision]));
	stored_session_free(&session);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(moved_files_are_noticed)
{
	static const char *const suffixes[] = {"", "-wal"};
	struct kit kit;
	struct player player;
	char away[200];
	kit_init(&kit, "sqlite");
	player_init(&player, 3, NULL, 9);
	uint64_t key = kit_session(&kit, 3, "game");
	disk_play(&kit, key, &player, 3, false);
	snprintf(away, sizeof(away), "%s.away", kit_path(&kit, ""));
	ck_assert_int_eq(rename(kit_path(&kit, suffixes[_i]), away), 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 3, "nowhere")), STORE_BROKEN);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_BROKEN);
	ck_assert_int_eq(rename(away, kit_path(&kit, suffixes[_i])), 0);
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 3, "nowhere")), STORE_BROKEN);
	kit_check_game(&kit, "game", key, &player, 1);
	kit_close(&kit);
	kit_open(&kit);
	kit_check_game(&kit, "game", key, &player, 1);
	player_finish(&player);
	kit_finish(&kit);
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
	suite_add_tcase(suite, plain);
	return run_suite(suite, 11);
}
