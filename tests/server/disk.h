/* disk.h: for tests of the stores on a disk: queries of what is stored, and waiting for
 * their threads. */
#ifndef TESTS_SERVER_DISK_H
#define TESTS_SERVER_DISK_H

#include "tests/server/store_fixture.h"

void disk_nap(int ms);
/* A number from the database, over a connection of the test's own. */
int64_t disk_ask(const struct store_fixture *fixture, const char *sql);
/* These fail the test if it takes too long. */
void disk_wait_until(const struct store_fixture *fixture, const char *sql, int64_t value);
void disk_wait_compacted(const struct store_fixture *fixture);
void disk_wait_health(const struct store_fixture *fixture, enum store_status status);
/* The player's next move as a write; and many entries, each waited for. */
struct pending_write *disk_move(const struct store_fixture *fixture, uint64_t key,
				struct random_player *player);
void disk_play(struct store_fixture *fixture, uint64_t key, struct random_player *player,
	       int entries, bool mixed);

#endif
