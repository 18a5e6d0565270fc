/* replay.c: pages of the log, for a subscriber that the ring has moved past: the same events again,
 * for it alone. */
#include <stdlib.h>

#include "cube/cube.h"
#include "server/live/live_internal.h"
#include "server/util/container_of.h"
#include "server/util/meters.h"

/* A page ends with the entry that takes it past one of these. */
#define PAGE_BYTES 32768
#define PAGE_ENTRIES 256

struct replay {
	struct job job;
	struct subscriber *subscriber;
	uint32_t after, upto;
	struct history *history; /* the cube before the next entry */
	struct roster *roster;   /* referenced */
	struct buffer page;
	uint32_t last;
	bool failed;
};

static bool replay_visit(void *context, const struct entry *entry)
{
	struct replay *replay = context;
	const struct subscriber *subscriber = replay->subscriber;
	bool solved = cube_is_solved(replay->history->cube);
	if (!history_apply(replay->history, entry)) {
		replay->failed = true;
		return false;
	}
	const struct cube *cube = replay->history->cube;
	solved = !solved && cube_is_solved(cube);
	event_entry_write(subscriber->topic, &replay->page, subscriber->form, entry, cube,
			  replay->roster, solved);
	replay->last = entry->revision;
	return replay->last < replay->upto && replay->last - replay->after < PAGE_ENTRIES &&
	       replay->page.length < PAGE_BYTES && !replay->page.failed;
}

static void replay_run(struct job *job, struct store_reader *reader)
{
	struct replay *replay = container_of(job, struct replay, job);
	struct subscriber *subscriber = replay->subscriber;
	const struct topic *topic = subscriber->topic;
	const struct store_operations *store = topic->live->options.store->operations;
	replay->roster = topic_roster(subscriber->topic);
	enum store_status status = store->at(reader, topic->key, replay->after, &replay->history);
	if (status == STORE_OK)
		status = store->entries(reader, topic->key, replay->after, replay_visit, replay);
	history_destroy(replay->history);
	meter_add(METER_PAGES, 1);
	meter_add(METER_SENT, replay->last - replay->after);
	if (status == STORE_OK && !replay->failed && replay->last > replay->after)
		subscriber->page = event_of_buffer(&replay->page, subscriber->form, replay->last);
	else
		buffer_free(&replay->page);
}

static void replay_done(struct job *job)
{
	struct replay *replay = container_of(job, struct replay, job);
	shard_woken(replay->subscriber);
	roster_release(replay->roster);
	free(replay);
}

bool replay_begin(struct subscriber *subscriber, uint32_t upto)
{
	struct replay *replay = calloc(1, sizeof *replay);
	if (!replay)
		return false;
	*replay = (struct replay){.subscriber = subscriber,
				  .after = subscriber->cursor,
				  .last = subscriber->cursor,
				  .upto = upto};
	replay->job.run = replay_run;
	replay->job.done = replay_done;
	pool_submit(subscriber->topic->live->options.readers, &replay->job);
	return true;
}
