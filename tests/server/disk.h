/* disk.h: what tests of the sqlite store do besides using it: look into the file, wait for it. */
#ifndef TESTS_SERVER_DISK_H
#define TESTS_SERVER_DISK_H

#include "tests/server/kit.h"

void disk_nap(int ms);
/* One number out of the file, over a connection of the test's own. */
int64_t disk_ask(const struct kit *kit, const char *sql);
/* These fail the test where it takes too long. */
void disk_wait_until(const struct kit *kit, const char *sql, int64_t value);
void disk_wait_folded(const struct kit *kit);
void disk_wait_health(const struct kit *kit, enum store_status status);
/* The player's next move as a write; and many entries, each waited for. */
struct ticket *disk_move(const struct kit *kit, uint64_t key, struct player *player);
void disk_play(struct kit *kit, uint64_t key, struct player *player, int entries, bool mixed);

#endif
