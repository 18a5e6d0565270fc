/* disk_image.h: a disk in memory that forgets at a power cut what was not synced.
 *
 * Each file has what programs see and what is on the disk for certain; between them lie the changes since
 * the last sync, in order. A cut puts a random part of those on the disk: sectors of 512 bytes or
 * 4 KiB, each kept or not, some of them torn (a beginning of the new bytes, then old ones or garbage).
 * Nothing outside of the written range is touched, as SQLite assumes
 * (https://www.sqlite.org/psow.html). A name that came or went is certain after a sync of the folder.
 *
 * All functions can be called from any thread. */
#ifndef TESTS_PROOF_DISK_IMAGE_H
#define TESTS_PROOF_DISK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct image_file;

/* An empty disk. */
void image_format(void);

/* The power fails with the `changes`-th write, truncation, sync, creation or deletion from now on,
 * which is not finished; 0: never. Every change after it fails. */
void image_arm(uint64_t changes);
/* Returns true if it failed. */
bool image_dead(void);
/* Returns the file that the last, unfinished change was in; NULL before the cut. */
const char *image_dead_file(void);
/* The power is back: what the disk holds, drawn from the seed. All files are closed. */
void image_reboot(uint64_t seed);

/* For controls: syncs are answered and do nothing. */
void image_lie(bool lies);

/* NULL: there is none, or the power is off. */
struct image_file *image_open(const char *name, bool create, bool *created);
bool image_exists(const char *name);
bool image_delete(const char *name, bool sync_folder);

/* Short reads are filled with zeros: false. */
bool image_read(struct image_file *file, void *to, size_t length, int64_t at);
/* False: the power is off. */
bool image_write(struct image_file *file, const void *from, size_t length, int64_t at);
bool image_truncate(struct image_file *file, int64_t size);
bool image_sync(struct image_file *file, bool sync_folder);
int64_t image_size(const struct image_file *file);

/* splitmix64. */
uint64_t image_random(uint64_t *state, uint64_t below);

#endif
