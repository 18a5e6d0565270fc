/* memory_notices.c: notices in the memory store: what stores of one space say about themselves. */
#include "server/store/memory_internal.h"

#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "server/store/memory.h"
#include "server/util/monotonic.h"

static bool is_about(const struct memory_notice *at, uint64_t process,
		     const uint8_t subject[NOTICE_SUBJECT_BYTES])
{
	return at->notice.process == process &&
	       memcmp(at->notice.subject, subject, NOTICE_SUBJECT_BYTES) == 0;
}

static void take_away(struct memory_space *space, struct memory_notice *notice)
{
	DL_DELETE(space->notices, notice);
	free(notice);
}

MUST_USE static enum store_status post(struct memory_space *space, uint64_t process,
				       const struct store_notice *notice)
{
	struct memory_notice *made = NULL, *at, *next;
	if (notice->bytes != NULL) {
		made = malloc(sizeof(*made) + notice->length);
		if (made == NULL)
			return STORE_NO_MEMORY;
		made->notice = *notice;
		made->notice.process = process;
		made->notice.bytes = (const uint8_t *)(made + 1);
		memcpy(made + 1, notice->bytes, notice->length);
	}
	DL_FOREACH_SAFE (space->notices, at, next) {
		if (is_about(at, process, notice->subject))
			take_away(space, at);
	}
	if (made != NULL)
		DL_APPEND(space->notices, made);
	return STORE_OK;
}

static struct memory_process *find_process(const struct memory_space *space, uint64_t process)
{
	struct memory_process *at = space->processes;
	while (at != NULL && at->process != process)
		at = at->next;
	return at;
}

MUST_USE static enum store_status process_lives(struct memory_space *space, uint64_t process,
						int64_t now_ms)
{
	struct memory_process *at = find_process(space, process);
	if (at == NULL) {
		at = calloc(1, sizeof(*at));
		if (at == NULL)
			return STORE_NO_MEMORY;
		at->process = process;
		LL_PREPEND(space->processes, at);
	}
	at->posted_ms = now_ms;
	return STORE_OK;
}

static void drop_process(struct memory_space *space, struct memory_process *process)
{
	struct memory_notice *at, *next;
	DL_FOREACH_SAFE (space->notices, at, next) {
		if (at->notice.process == process->process)
			take_away(space, at);
	}
	LL_DELETE(space->processes, process);
	free(process);
}

/* Drops processes that stopped long ago. */
static void purge(struct memory_space *space, int64_t now_ms)
{
	struct memory_process *at, *next;
	LL_FOREACH_SAFE(space->processes, at, next)
	{
		if (at->posted_ms < now_ms - NOTICE_KEPT_MS)
			drop_process(space, at);
	}
}

void memory_notices_free(struct memory_space *space)
{
	while (space->processes != NULL)
		drop_process(space, space->processes);
}

/* ---- operations ---- */

static uint64_t process_of(const struct store *store)
{
	return (uint64_t)(uintptr_t)store;
}

enum store_status memory_reader_secret(struct store_reader *reader, uint8_t secret[HASH_BYTES])
{
	memcpy(secret, memory_space_of(reader)->secret, HASH_BYTES);
	return STORE_OK;
}

enum store_status memory_reader_post(struct store_reader *reader,
				     const struct store_notice *notices, size_t count)
{
	struct memory_space *space = memory_space_of(reader);
	const uint64_t process = process_of(reader->store);
	const int64_t now_ms = monotonic_ms();
	lock_acquire(&space->lock);
	purge(space, now_ms);
	enum store_status status = process_lives(space, process, now_ms);
	for (size_t i = 0; i < count && status == STORE_OK; i++)
		status = post(space, process, &notices[i]);
	lock_release(&space->lock);
	return status;
}

enum store_status memory_reader_notices(struct store_reader *reader,
					const uint8_t (*subjects)[NOTICE_SUBJECT_BYTES],
					size_t count, store_visit_notice *visit, void *context)
{
	struct memory_space *space = memory_space_of(reader);
	const uint64_t own = process_of(reader->store);
	const int64_t alive_ms = monotonic_ms() - NOTICE_ALIVE_MS;
	lock_acquire(&space->lock);
	for (const struct memory_notice *at = space->notices; at != NULL; at = at->next) {
		struct store_notice shown = at->notice;
		shown.stopped = find_process(space, shown.process)->posted_ms <= alive_ms;
		for (size_t i = 0; i < count && shown.process != own; i++)
			if (memcmp(shown.subject, subjects[i], NOTICE_SUBJECT_BYTES) == 0)
				visit(context, &shown);
	}
	lock_release(&space->lock);
	return STORE_OK;
}

void store_memory_silent(struct store_reader *reader, int64_t ms)
{
	struct memory_space *space = memory_space_of(reader);
	lock_acquire(&space->lock);
	struct memory_process *process = find_process(space, process_of(reader->store));
	if (process != NULL)
		process->posted_ms -= ms;
	lock_release(&space->lock);
}
