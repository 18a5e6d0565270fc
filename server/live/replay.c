/* replay.c: pages of the log, for a watcher that the ring has moved past: the same events again,
 * for it alone. */
#include <stdlib.h>

#include "server/live/internal.h"
#include "server/util/meters.h"

/* A page ends with the entry that brings it past one of these. */
#define PAGE_BYTES 32768
#define PAGE_ENTRIES 256

struct replay {
	struct job job;
	struct watcher *watcher;
	uint32_t after, upto;
	struct history *history; /* the cube as it was before the next entry */
	struct roster *roster;   /* referenced */
	struct buffer page;
	uint32_t last;
	bool failed;
};

static bool replay_visit(void *context, const struct entry *entry)
{
	struct replay *replay = context;
	const struct watcher *watcher = replay->watcher;
	bool solved = cube_is_solved(replay->history->cube);
	if (!history_apply(replay->history, entry)) {
		replay->failed = true;
		return false;
	}
	const struct cube *cube = replay->history->cube;
	solved = !solved && cube_is_solved(cube);
	event_entry_write(watcher->topic->live, &replay->page, watcher->form, entry, cube,
			  watcher->topic->size, replay->roster, solved);
	replay->last = entry->revision;
	return replay->last < replay->upto && replay->last - replay->after < PAGE_ENTRIES &&
	       replay->page.length < PAGE_BYTES && !replay->page.failed;
}

static void replay_run(struct job *job, struct store_reader *reader)
{
	struct replay *replay = (struct replay *)job;
	struct watcher *watcher = replay->watcher;
	const struct topic *topic = watcher->topic;
	const struct store_operations *store = topic->live->service->store->operations;
	replay->roster = topic_roster(watcher->topic);
	enum store_status status = store->at(reader, topic->key, replay->after, &replay->history);
	if (status == STORE_OK)
		status = store->entries(reader, topic->key, replay->after, replay_visit, replay);
	history_destroy(replay->history);
	meter_add(METER_PAGES, 1);
	meter_add(METER_SENT, replay->last - replay->after);
	if (status == STORE_OK && !replay->failed && replay->last > replay->after)
		watcher->page = event_of_buffer(&replay->page, watcher->form, replay->last);
	else
		buffer_free(&replay->page);
}

static void replay_done(struct job *job)
{
	struct replay *replay = (struct replay *)job;
	outlet_woken(replay->watcher);
	roster_release(replay->roster);
	free(replay);
}

bool replay_begin(struct watcher *watcher, uint32_t upto)
{
	struct replay *replay = calloc(1, sizeof *replay);
	if (!replay)
		return false;
	*replay = (struct replay){.watcher = watcher,
				  .after = watcher->cursor,
				  .last = watcher->cursor,
				  .upto = upto};
	replay->job.run = replay_run;
	replay->job.done = replay_done;
	pool_submit(watcher->topic->live->service->readers, &replay->job);
	return true;
}
