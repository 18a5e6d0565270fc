/* disk.c: what tests of the stores on a disk do besides using them: look into them, wait for them. */
#include "tests/core/check.h"
#include "tests/server/disk.h"

#include "server/store/sqlite/sqlite_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "tests/server/postgres_fixture.h"

void disk_nap(int ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

int64_t disk_ask(const struct store_fixture *fixture, const char *sql)
{
	struct sqlite_connection c;
	int64_t value = -1;
	if (fixture->database[0] != '\0') {
		char cubed[1024];
		snprintf(cubed, sizeof(cubed), "SET search_path = cubed; %s", sql);
		char *result = postgres_fixture_sql(fixture->database, cubed);
		value = strtoll(result, NULL, 10);
		free(result);
		return value;
	}
	ck_assert_int_eq(connection_open(&c, fixture_path(fixture, ""), SQLITE_OPEN_READONLY),
			 SQLITE_OK);
	sqlite3_busy_timeout(c.db, 120000);
	ck_assert_int_eq(connection_value(&c, sql, &value), SQLITE_OK);
	connection_close(&c);
	return value;
}

void disk_wait_until(const struct store_fixture *fixture, const char *sql, int64_t value)
{
	for (int i = 0; i < 12000 && disk_ask(fixture, sql) != value; i++)
		disk_nap(10);
	ck_assert_int_eq(disk_ask(fixture, sql), value);
}

void disk_wait_compacted(const struct store_fixture *fixture)
{
	disk_wait_until(fixture, "SELECT count(*) FROM log", 0);
}

void disk_wait_health(const struct store_fixture *fixture, enum store_status status)
{
	for (int i = 0; i < 12000 && fixture->store->operations->health(fixture->store) != status;
	     i++)
		disk_nap(10);
	ck_assert_int_eq(fixture->store->operations->health(fixture->store), status);
}

struct pending_write *disk_move(const struct store_fixture *fixture, uint64_t key,
				struct random_player *player)
{
	return pending_write_append(fixture, key, player->size, random_player_move(player));
}

void disk_play(struct store_fixture *fixture, uint64_t key, struct random_player *player,
	       int entries, bool mixed)
{
	for (int i = 0; i < entries; i++) {
		const struct entry *entry =
			mixed ? random_player_next(player) : random_player_move(player);
		ck_assert_int_eq(fixture_do(fixture, pending_write_append(fixture, key,
									  player->size, entry)),
				 STORE_OK);
	}
}
