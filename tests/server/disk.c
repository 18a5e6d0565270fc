/* disk.c: what tests of the sqlite store do besides using it: look into the file, wait for it. */
#include "tests/server/disk.h"

#include "server/store/sqlite/sqlite_internal.h"

#include <check.h>
#include <time.h>

void disk_nap(int ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L}, NULL);
}

int64_t disk_ask(const struct kit *kit, const char *sql)
{
	struct sqlite_connection c;
	int64_t value = -1;
	ck_assert_int_eq(connection_open(&c, kit_path(kit, ""), SQLITE_OPEN_READONLY), SQLITE_OK);
	sqlite3_busy_timeout(c.db, 5000);
	ck_assert_int_eq(connection_value(&c, sql, &value), SQLITE_OK);
	connection_close(&c);
	return value;
}

void disk_wait_until(const struct kit *kit, const char *sql, int64_t value)
{
	for (int i = 0; i < 3000 && disk_ask(kit, sql) != value; i++)
		disk_nap(10);
	ck_assert_int_eq(disk_ask(kit, sql), value);
}

void disk_wait_folded(const struct kit *kit)
{
	disk_wait_until(kit, "SELECT count(*) FROM log", 0);
}

void disk_wait_health(const struct kit *kit, enum store_status status)
{
	for (int i = 0; i < 1000 && kit->store->operations->health(kit->store) != status; i++)
		disk_nap(10);
	ck_assert_int_eq(kit->store->operations->health(kit->store), status);
}

struct ticket *disk_move(const struct kit *kit, uint64_t key, struct player *player)
{
	return ticket_append(kit, key, player->size, player_move(player));
}

void disk_play(struct kit *kit, uint64_t key, struct player *player, int entries, bool mixed)
{
	for (int i = 0; i < entries; i++) {
		const struct entry *entry = mixed ? player_next(player) : player_move(player);
		ck_assert_int_eq(kit_do(kit, ticket_append(kit, key, player->size, entry)),
				 STORE_OK);
	}
}
