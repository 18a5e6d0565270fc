/* elsewhere.c: who watches the same sessions at the other servers of a database, and the cues that
 * were sent there.
 *
 * While a session is watched here, a notice (store.h) says by which tokens, and what was last shown
 * to them (a cue). Twice a second the notices that changed are posted, and those of others about the
 * same sessions are read; of those that a request is about, at once (live_meet). So each server knows
 * the whole, and what it posts is only its own part. */
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "server/modules/postgres/nodes.h"
#include "server/modules/postgres/watch_notice.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"

#define ROUND_MS 500

/* A notice that was read; its bytes are at `start`. */
struct heard {
	uint8_t subject[NOTICE_SUBJECT_BYTES];
	size_t start, length;
};

struct elsewhere {
	struct live *live;
	struct job job;
	bool under_way;
	int64_t began_ms;
	struct topic *unmet;          /* by `next_unmet`, referenced: for the next round */
	struct live_meeting *waiting; /* for it */
	struct live_meeting *served;  /* by the round under way */
	/* The round under way: the pool's thread has it. */
	struct topic **topics; /* referenced */
	uint8_t (*subjects)[NOTICE_SUBJECT_BYTES];
	size_t count;                 /* of topics */
	struct store_notice *notices; /* the changed ones; until they are complete: */
	size_t *starts;
	size_t notice_count;
	struct buffer own, others;
	struct heard *heard;
	size_t heard_count, heard_room;
	bool lost; /* out of memory */
	enum store_status status;
	struct withdrawal *withdrawals; /* under way */
};

/* A notice that is taken away. */
struct withdrawal {
	struct job job; /* first */
	struct live *live;
	struct withdrawal *prev, *next;
	struct store_notice notice;
};

static void round_run(struct job *job, struct store_reader *reader);
static void round_done(struct job *job);

static bool elsewhere_open(struct live *live)
{
	live->elsewhere = calloc(1, sizeof *live->elsewhere);
	if (!live->elsewhere)
		return false;
	live->elsewhere->live = live;
	live->elsewhere->job.run = round_run;
	live->elsewhere->job.done = round_done;
	return true;
}

static void unmet_clear(struct elsewhere *elsewhere)
{
	while (elsewhere->unmet) {
		struct topic *topic = elsewhere->unmet;
		elsewhere->unmet = topic->next_unmet;
		topic->unmet = false;
		topic_release(topic);
	}
}

static void round_finish(struct elsewhere *elsewhere)
{
	for (size_t i = 0; i < elsewhere->count; i++)
		topic_release(elsewhere->topics[i]);
	free(elsewhere->topics);
	free(elsewhere->subjects);
	free(elsewhere->notices);
	free(elsewhere->starts);
	free(elsewhere->heard);
	buffer_free(&elsewhere->own);
	buffer_free(&elsewhere->others);
	*elsewhere = (struct elsewhere){.live = elsewhere->live,
					.job = {.run = round_run, .done = round_done},
					.began_ms = elsewhere->began_ms,
					.unmet = elsewhere->unmet,
					.waiting = elsewhere->waiting,
					.served = elsewhere->served,
					.withdrawals = elsewhere->withdrawals};
}

static void elsewhere_close(struct live *live)
{
	struct withdrawal *at, *next;
	DL_FOREACH_SAFE (live->elsewhere->withdrawals, at, next)
		free(at);
	unmet_clear(live->elsewhere);
	round_finish(live->elsewhere);
	free(live->elsewhere);
	live->elsewhere = NULL;
}

/* ---- a round ---- */

/* Not 0. */
static uint64_t hash_of(const char *bytes, size_t length)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 1099511628211u;
	return hash | 1;
}

/* Unless the same is there already. */
static void notice_add(struct elsewhere *elsewhere, struct topic *topic,
		       const uint8_t subject[NOTICE_SUBJECT_BYTES])
{
	struct buffer *own = &elsewhere->own;
	struct store_notice *notice = &elsewhere->notices[elsewhere->notice_count];
	const size_t start = own->length;
	watch_notice_write(topic, own);
	if (own->failed)
		return;
	notice->length = own->length - start;
	const uint64_t hash = hash_of(own->bytes + start, notice->length);
	if (hash == topic->posted) {
		own->length = start;
		return;
	}
	topic->posted = hash;
	memcpy(notice->subject, subject, NOTICE_SUBJECT_BYTES);
	elsewhere->starts[elsewhere->notice_count++] = start;
}

static void topic_add(struct elsewhere *elsewhere, struct topic *topic)
{
	const size_t i = elsewhere->count++;
	elsewhere->topics[i] = topic_share(topic);
	watch_notice_subject(&topic->session->meta.id, elsewhere->subjects[i]);
	notice_add(elsewhere, topic, elsewhere->subjects[i]);
}

/* Makes a round of all topics, or of those that are unmet. */
static bool round_make(struct elsewhere *elsewhere, bool all)
{
	struct topic *topic;
	size_t count = 1;
	for (topic = all ? elsewhere->live->topics : elsewhere->unmet; topic;
	     topic = all ? topic->next : topic->next_unmet)
		count++;
	elsewhere->topics = calloc(count, sizeof(struct topic *));
	elsewhere->subjects = calloc(count, sizeof *elsewhere->subjects);
	elsewhere->notices = calloc(count, sizeof *elsewhere->notices);
	elsewhere->starts = calloc(count, sizeof *elsewhere->starts);
	if (!elsewhere->topics || !elsewhere->subjects || !elsewhere->notices || !elsewhere->starts)
		return false;
	for (topic = all ? elsewhere->live->topics : elsewhere->unmet; topic;
	     topic = all ? topic->next : topic->next_unmet)
		if (topic->session)
			topic_add(elsewhere, topic);
	for (size_t i = 0; i < elsewhere->notice_count; i++)
		elsewhere->notices[i].bytes =
			(const uint8_t *)elsewhere->own.bytes + elsewhere->starts[i];
	return !elsewhere->own.failed;
}

static void answer_served(struct elsewhere *elsewhere)
{
	struct live_meeting *at, *next, *served = elsewhere->served;
	elsewhere->served = NULL;
	DL_FOREACH_SAFE (served, at, next)
		at->done(at);
}

static void round_begin(struct elsewhere *elsewhere, bool all)
{
	elsewhere->served = elsewhere->waiting;
	elsewhere->waiting = NULL;
	const bool made = !elsewhere->live->stopped && round_make(elsewhere, all);
	unmet_clear(elsewhere);
	if (made && elsewhere->count > 0) {
		elsewhere->under_way = true;
		pool_submit(elsewhere->live->options.poster, &elsewhere->job);
		return;
	}
	for (size_t i = 0; i < elsewhere->count; i++)
		elsewhere->topics[i]->posted = 1;
	round_finish(elsewhere);
	answer_served(elsewhere);
}

static int64_t elsewhere_tick(struct live *live, int64_t now_ms)
{
	struct elsewhere *elsewhere = live->elsewhere;
	if (live->stopped || !live->topics)
		return -1;
	if (elsewhere->under_way || now_ms - elsewhere->began_ms < ROUND_MS)
		return ROUND_MS;
	elsewhere->began_ms = now_ms;
	round_begin(elsewhere, true);
	return ROUND_MS;
}

static void unmet_add(struct topic *topic)
{
	struct elsewhere *elsewhere = topic->live->elsewhere;
	if (topic->live->stopped || topic->unmet)
		return;
	topic->unmet = true;
	topic->next_unmet = elsewhere->unmet;
	elsewhere->unmet = topic_share(topic);
}

static void meet(struct live *live, struct live_meeting *meeting)
{
	struct elsewhere *elsewhere = live->elsewhere;
	DL_APPEND(elsewhere->waiting, meeting);
	if (!elsewhere->under_way)
		round_begin(elsewhere, false);
}

static void hear(void *context, const struct store_notice *notice)
{
	struct elsewhere *elsewhere = context;
	if (notice->stopped)
		return;
	if (elsewhere->heard_count == elsewhere->heard_room) {
		const size_t room = elsewhere->heard_room * 2 + 16;
		struct heard *more = realloc(elsewhere->heard, room * sizeof *more);
		if (!more) {
			elsewhere->lost = true;
			return;
		}
		elsewhere->heard = more;
		elsewhere->heard_room = room;
	}
	struct heard *heard = &elsewhere->heard[elsewhere->heard_count++];
	memcpy(heard->subject, notice->subject, NOTICE_SUBJECT_BYTES);
	heard->start = elsewhere->others.length;
	heard->length = notice->length;
	buffer_add(&elsewhere->others, notice->bytes, notice->length);
}

static int heard_compare(const void *a, const void *b)
{
	return memcmp(((const struct heard *)a)->subject, ((const struct heard *)b)->subject,
		      NOTICE_SUBJECT_BYTES);
}

static void round_run(struct job *job, struct store_reader *reader)
{
	struct elsewhere *elsewhere = container_of(job, struct elsewhere, job);
	const struct store_operations *store = reader->store->operations;
	elsewhere->status = store->post(reader, elsewhere->notices, elsewhere->notice_count);
	if (elsewhere->status == STORE_OK)
		elsewhere->status = store->notices(
			reader, (const uint8_t(*)[NOTICE_SUBJECT_BYTES])elsewhere->subjects,
			elsewhere->count, hear, elsewhere);
	if (elsewhere->heard_count > 0)
		qsort(elsewhere->heard, elsewhere->heard_count, sizeof *elsewhere->heard,
		      heard_compare);
}

/* The first notice about the subject, or where it would be. */
static size_t heard_first(const struct elsewhere *elsewhere,
			  const uint8_t subject[NOTICE_SUBJECT_BYTES])
{
	size_t low = 0, high = elsewhere->heard_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (memcmp(elsewhere->heard[middle].subject, subject, NOTICE_SUBJECT_BYTES) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void round_done(struct job *job)
{
	struct elsewhere *elsewhere = container_of(job, struct elsewhere, job);
	const bool known =
		elsewhere->status == STORE_OK && !elsewhere->lost && !elsewhere->others.failed;
	/* Notices that may not have been posted are posted again. */
	for (size_t i = 0; i < elsewhere->count && elsewhere->status != STORE_OK; i++)
		if (elsewhere->topics[i]->session)
			elsewhere->topics[i]->posted = 1;
	for (size_t i = 0; i < elsewhere->count && known; i++) {
		struct topic *topic = elsewhere->topics[i];
		const uint8_t *subject = elsewhere->subjects[i];
		if (!topic->session)
			continue;
		presence_hear_begin(topic);
		for (size_t at = heard_first(elsewhere, subject);
		     at < elsewhere->heard_count &&
		     memcmp(elsewhere->heard[at].subject, subject, NOTICE_SUBJECT_BYTES) == 0;
		     at++)
			watch_notice_hear(topic,
					  (const uint8_t *)elsewhere->others.bytes +
						  elsewhere->heard[at].start,
					  elsewhere->heard[at].length);
		presence_hear_end(topic, monotonic_ms());
	}
	round_finish(elsewhere);
	answer_served(elsewhere);
	if (elsewhere->waiting && !elsewhere->under_way)
		round_begin(elsewhere, false);
}

/* ---- the end of a topic ---- */

static void withdraw_run(struct job *job, struct store_reader *reader)
{
	const struct withdrawal *withdrawal = (const struct withdrawal *)job;
	const enum store_status status =
		reader->store->operations->post(reader, &withdrawal->notice, 1);
	(void)status; /* it goes with the process */
}

static void withdraw_done(struct job *job)
{
	struct withdrawal *withdrawal = container_of(job, struct withdrawal, job);
	DL_DELETE(withdrawal->live->elsewhere->withdrawals, withdrawal);
	free(withdrawal);
}

static void withdraw(struct topic *topic)
{
	struct live *live = topic->live;
	struct withdrawal *withdrawal =
		topic->posted > 0 && !live->stopped ? calloc(1, sizeof *withdrawal) : NULL;
	topic->posted = 0;
	if (!withdrawal)
		return;
	withdrawal->live = live;
	DL_APPEND(live->elsewhere->withdrawals, withdrawal);
	withdrawal->job.run = withdraw_run;
	withdrawal->job.done = withdraw_done;
	watch_notice_subject(&topic->session->meta.id, withdrawal->notice.subject);
	pool_submit(live->options.poster, &withdrawal->job);
}

const struct elsewhere_calls nodes_elsewhere = {.open = elsewhere_open,
						.close = elsewhere_close,
						.tick = elsewhere_tick,
						.unmet = unmet_add,
						.withdraw = withdraw,
						.meet = meet};
