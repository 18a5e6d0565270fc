/* disk_image.c: a disk in memory that forgets at a power cut what was not synced. */
#include "tests/proof/disk_image.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define FILES 16

struct bytes {
	uint8_t *at;
	size_t length, room;
};

struct change {
	struct change *next;
	bool truncates; /* to `at` */
	int64_t at;
	size_t length;
	uint8_t bytes[];
};

struct image_file {
	char name[160];
	bool used;
	bool seen; /* programs see it; else it was deleted, and is back if the deletion is lost */
	bool certain; /* its name is on the disk */
	struct bytes now, durable;
	struct change *first, **last;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct image_file files[FILES];
static uint64_t left;
static bool dead, lying;
static const char *dead_file;

uint64_t image_random(uint64_t *state, uint64_t below)
{
	*state += 0x9E3779B97F4A7C15u;
	uint64_t z = *state;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return (z ^ (z >> 31)) % below;
}

/* ---- bytes that grow ---- */

/* Not malloc, which a test may be failing: the disk is not a part of the program. */
static void *take(size_t bytes)
{
	void *memory = aligned_alloc(16, (bytes + 15) / 16 * 16);
	if (memory == NULL)
		abort();
	return memory;
}

static void resize(struct bytes *bytes, size_t length)
{
	if (length > bytes->room) {
		uint8_t *larger = take(length + length / 2 + 4096);
		if (bytes->length > 0)
			memcpy(larger, bytes->at, bytes->length);
		free(bytes->at);
		bytes->at = larger;
		bytes->room = length + length / 2 + 4096;
	}
	if (length > bytes->length)
		memset(bytes->at + bytes->length, 0, length - bytes->length);
	bytes->length = length;
}

static void put(struct bytes *bytes, const void *from, size_t length, size_t at)
{
	if (length == 0)
		return;
	if (at + length > bytes->length)
		resize(bytes, at + length);
	memcpy(bytes->at + at, from, length);
}

static void apply(struct bytes *bytes, const struct change *change)
{
	if (change->truncates)
		resize(bytes, (size_t)change->at);
	else
		put(bytes, change->bytes, change->length, (size_t)change->at);
}

/* ---- files ---- */

static void forget_changes(struct image_file *file)
{
	for (struct change *change = file->first; change != NULL;) {
		struct change *next = change->next;
		free(change);
		change = next;
	}
	file->first = NULL;
	file->last = &file->first;
}

static void wipe(struct image_file *file)
{
	forget_changes(file);
	free(file->now.at);
	free(file->durable.at);
	*file = (struct image_file){0};
}

static struct image_file *find(const char *name)
{
	for (int i = 0; i < FILES; i++)
		if (files[i].used && files[i].seen && strcmp(files[i].name, name) == 0)
			return &files[i];
	return NULL;
}

void image_format(void)
{
	for (int i = 0; i < FILES; i++)
		wipe(&files[i]);
	left = 0;
	dead = lying = false;
	dead_file = NULL;
}

void image_arm(uint64_t changes)
{
	pthread_mutex_lock(&mutex);
	left = changes;
	pthread_mutex_unlock(&mutex);
}

bool image_dead(void)
{
	pthread_mutex_lock(&mutex);
	bool is = dead;
	pthread_mutex_unlock(&mutex);
	return is;
}

const char *image_dead_file(void)
{
	return dead_file;
}

void image_lie(bool lies)
{
	lying = lies;
}

/* Counts a change; false where it is not to be finished. */
static bool goes_on(const struct image_file *file)
{
	if (!dead && left > 0 && --left == 0) {
		dead = true;
		dead_file = file->name;
	}
	return !dead;
}

/* All names in the folder are certain, those that went too. */
static void sync_names(void)
{
	for (int i = 0; i < FILES; i++) {
		if (files[i].used && !files[i].seen)
			wipe(&files[i]);
		files[i].certain = files[i].used;
	}
}

struct image_file *image_open(const char *name, bool create, bool *created)
{
	pthread_mutex_lock(&mutex);
	struct image_file *file = find(name);
	*created = false;
	for (int i = 0; file == NULL && create && !dead && i < FILES; i++) {
		if (files[i].used)
			continue;
		file = &files[i];
		*file = (struct image_file){.used = true, .seen = true};
		file->last = &file->first;
		strncpy(file->name, name, sizeof(file->name) - 1);
		*created = true;
		goes_on(file);
	}
	pthread_mutex_unlock(&mutex);
	return file;
}

bool image_exists(const char *name)
{
	pthread_mutex_lock(&mutex);
	bool is = find(name) != NULL;
	pthread_mutex_unlock(&mutex);
	return is;
}

bool image_delete(const char *name, bool sync_folder)
{
	pthread_mutex_lock(&mutex);
	struct image_file *file = find(name);
	bool well = file == NULL ? !dead : goes_on(file);
	/* If power fails during the deletion, it may have happened. */
	if (file != NULL && (well || dead_file == file->name)) {
		file->seen = false;
		if (well && !file->certain)
			wipe(file);
	}
	if (well && sync_folder && !lying)
		sync_names();
	pthread_mutex_unlock(&mutex);
	return well;
}

bool image_read(struct image_file *file, void *to, size_t length, int64_t at)
{
	pthread_mutex_lock(&mutex);
	size_t from = (size_t)at, there = file->now.length;
	size_t got = from >= there ? 0 : there - from < length ? there - from : length;
	if (got > 0)
		memcpy(to, file->now.at + from, got);
	memset((uint8_t *)to + got, 0, length - got);
	pthread_mutex_unlock(&mutex);
	return got == length;
}

static bool change_file(struct image_file *file, bool truncates, const void *from, size_t length,
			int64_t at)
{
	pthread_mutex_lock(&mutex);
	bool was_dead = dead, well = goes_on(file);
	if (!was_dead) { /* the change during which power fails may happen in part */
		struct change *change = take(sizeof(*change) + length);
		*change = (struct change){.truncates = truncates, .at = at, .length = length};
		if (length > 0)
			memcpy(change->bytes, from, length);
		*file->last = change;
		file->last = &change->next;
		apply(&file->now, change);
	}
	pthread_mutex_unlock(&mutex);
	return well;
}

bool image_write(struct image_file *file, const void *from, size_t length, int64_t at)
{
	return change_file(file, false, from, length, at);
}

bool image_truncate(struct image_file *file, int64_t size)
{
	return change_file(file, true, NULL, 0, size);
}

bool image_sync(struct image_file *file, bool sync_folder)
{
	pthread_mutex_lock(&mutex);
	bool well = goes_on(file);
	if (well && !lying) {
		for (const struct change *change = file->first; change != NULL;
		     change = change->next)
			apply(&file->durable, change);
		forget_changes(file);
		if (sync_folder)
			sync_names();
	}
	pthread_mutex_unlock(&mutex);
	return well;
}

int64_t image_size(const struct image_file *file)
{
	pthread_mutex_lock(&mutex);
	int64_t size = (int64_t)file->now.length;
	pthread_mutex_unlock(&mutex);
	return size;
}

/* ---- the cut ---- */

/* The draws that decide what a disk forgets in one cut. */
struct fate {
	uint64_t random;
	size_t sector;
	uint64_t keep_of_16; /* of 16 sectors so many are kept */
};

/* A kept sector of a write: whole, or torn. */
static void land(struct bytes *disk, const struct change *change, size_t from, size_t length,
		 struct fate *fate)
{
	size_t whole = length;
	size_t at = (size_t)change->at + from;
	if (image_random(&fate->random, 8) == 0)
		whole = image_random(&fate->random, length);
	put(disk, change->bytes + from, whole, at);
	if (whole < length && image_random(&fate->random, 2) == 0) {
		uint8_t garbage = (uint8_t)image_random(&fate->random, 256);
		for (size_t i = whole; i < length; i++)
			put(disk, &garbage, 1, at + i);
	}
}

static void survive(struct image_file *file, struct fate *fate)
{
	for (const struct change *change = file->first; change != NULL; change = change->next) {
		if (change->truncates && image_random(&fate->random, 2) == 0)
			apply(&file->durable, change);
		for (size_t from = 0; from < change->length;) {
			size_t room = fate->sector - ((size_t)change->at + from) % fate->sector;
			size_t length = change->length - from < room ? change->length - from : room;
			if (image_random(&fate->random, 16) < fate->keep_of_16)
				land(&file->durable, change, from, length, fate);
			from += length;
		}
	}
	/* The new size may be on the disk though the bytes are not. */
	if (file->durable.length < file->now.length && image_random(&fate->random, 4) == 0)
		resize(&file->durable, file->now.length);
	forget_changes(file);
	resize(&file->now, 0);
	if (file->durable.length > 0)
		put(&file->now, file->durable.at, file->durable.length, 0);
}

/* Chooses which of the files of one name is there. */
static void choose_name(struct image_file *file, struct fate *fate)
{
	bool there = file->certain;
	if (file->certain != file->seen)
		there = image_random(&fate->random, 2) == 0;
	struct image_file *other = find(file->name);
	if (there && !file->seen && other != NULL && other != file) {
		wipe(other); /* the old file is back: the new one has no name */
	}
	if (there)
		file->seen = file->certain = true;
	else
		wipe(file);
}

void image_reboot(uint64_t seed)
{
	static const uint64_t keeps[] = {0, 4, 8, 12, 15, 16};
	struct fate fate = {.random = seed};
	fate.sector = image_random(&fate.random, 2) == 0 ? 512 : 4096;
	fate.keep_of_16 = keeps[image_random(&fate.random, sizeof(keeps) / sizeof(keeps[0]))];
	pthread_mutex_lock(&mutex);
	for (int i = 0; i < FILES; i++)
		if (files[i].used && !files[i].seen)
			choose_name(&files[i], &fate);
	for (int i = 0; i < FILES; i++)
		if (files[i].used)
			choose_name(&files[i], &fate);
	for (int i = 0; i < FILES; i++)
		if (files[i].used)
			survive(&files[i], &fate);
	left = 0;
	dead = false;
	dead_file = NULL;
	pthread_mutex_unlock(&mutex);
}
