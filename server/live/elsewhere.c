/* elsewhere.c: who watches the same sessions at the other servers of a database, and the cues that
 * were sent there.
 *
 * While a session is watched here, a notice (store.h) says by which tokens, and what was last shown
 * to them from here (a cue). Twice a second the notices that changed are posted, and those of others
 * about the same sessions are read. So each server knows the whole, and what it posts is only its
 * own part. */
#include <stdlib.h>
#include <string.h>
#include <utlist.h>

#include "server/live/live_internal.h"
#include "server/util/monotonic.h"
#include "server/util/varint.h"

#define ROUND_MS 500
/* Most tokens in a notice. */
#define PEOPLE_MAX 200

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
	/* The round under way: the pool's thread has it. */
	struct topic **topics; /* referenced */
	uint8_t (*subjects)[NOTICE_SUBJECT_BYTES];
	size_t count;                 /* of topics */
	struct store_notice *notices; /* those that changed; until they are complete: */
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

bool elsewhere_open(struct live *live)
{
	if (!live->options.poster)
		return true;
	live->elsewhere = calloc(1, sizeof *live->elsewhere);
	if (!live->elsewhere)
		return false;
	live->elsewhere->live = live;
	live->elsewhere->job.run = round_run;
	live->elsewhere->job.done = round_done;
	return true;
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
					.withdrawals = elsewhere->withdrawals};
}

void elsewhere_close(struct live *live)
{
	struct withdrawal *at, *next;
	if (live->elsewhere) {
		DL_FOREACH_SAFE (live->elsewhere->withdrawals, at, next)
			free(at);
		round_finish(live->elsewhere);
	}
	free(live->elsewhere);
	live->elsewhere = NULL;
}

void elsewhere_subject(const struct session_id *id, uint8_t subject[NOTICE_SUBJECT_BYTES])
{
	static const uint8_t kind[NOTICE_SUBJECT_BYTES - SESSION_ID_BYTES] = "watch";
	memcpy(subject, id->bytes, SESSION_ID_BYTES);
	memcpy(subject + SESSION_ID_BYTES, kind, sizeof kind);
}

/* ---- a notice: pairs of a token and its watchers, then the cue ---- */

static void number_add(struct buffer *buffer, uint64_t number)
{
	uint8_t bytes[VARINT_MAX];
	buffer_add(buffer, bytes, varint_put(bytes, number));
}

static void notice_write(const struct topic *topic, struct buffer *buffer)
{
	size_t count = 0;
	for (const struct person *at = topic->presence.people; at; at = at->next)
		count += person_watchers_here(at) > 0;
	count = count < PEOPLE_MAX ? count : PEOPLE_MAX;
	number_add(buffer, count);
	for (const struct person *at = topic->presence.people; at && count > 0; at = at->next) {
		if (person_watchers_here(at) == 0)
			continue;
		number_add(buffer, at->token);
		number_add(buffer, person_watchers_here(at));
		count--;
	}
	number_add(buffer, (uint64_t)topic->own_cue.time_ms);
	number_add(buffer, topic->own_cue.actor);
	if (topic->own_cue.json)
		buffer_add(buffer, topic->own_cue.json, strlen(topic->own_cue.json));
}

static void cue_hear(struct topic *topic, const uint8_t *at, const uint8_t *end)
{
	uint64_t time_ms, actor;
	if (!varint_get(&at, end, &time_ms) || !varint_get(&at, end, &actor) || at == end ||
	    (int64_t)time_ms <= topic->cue_ms)
		return;
	const struct live_cue cue = {.json = {(const char *)at, (size_t)(end - at)},
				     .actor = roster_at(topic->roster, (uint32_t)actor),
				     .time_ms = (int64_t)time_ms};
	const bool shown = topic_show_cue(topic, &cue);
	(void)shown; /* else the next round shows it */
}

static void notice_hear(struct topic *topic, const uint8_t *at, size_t length)
{
	const uint8_t *end = at + length;
	uint64_t count, token, watchers;
	if (!varint_get(&at, end, &count))
		return;
	for (; count > 0; count--) {
		if (!varint_get(&at, end, &token) || !varint_get(&at, end, &watchers))
			return;
		presence_hear(topic, (uint32_t)token, (uint32_t)watchers);
	}
	cue_hear(topic, at, end);
}

uint32_t elsewhere_watchers(const struct store_notice *notice)
{
	const uint8_t *at = notice->bytes, *end = at + notice->length;
	uint64_t count, token, watchers;
	uint32_t all = 0;
	if (notice->stopped || !varint_get(&at, end, &count))
		return 0;
	for (; count > 0 && varint_get(&at, end, &token) && varint_get(&at, end, &watchers);
	     count--)
		all += (uint32_t)watchers;
	return all;
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
	notice_write(topic, own);
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

static bool round_make(struct elsewhere *elsewhere, size_t count)
{
	elsewhere->topics = calloc(count, sizeof(struct topic *));
	elsewhere->subjects = calloc(count, sizeof *elsewhere->subjects);
	elsewhere->notices = calloc(count, sizeof *elsewhere->notices);
	elsewhere->starts = calloc(count, sizeof *elsewhere->starts);
	if (!elsewhere->topics || !elsewhere->subjects || !elsewhere->notices || !elsewhere->starts)
		return false;
	for (struct topic *topic = elsewhere->live->topics; topic; topic = topic->next) {
		const size_t i = elsewhere->count++;
		elsewhere->topics[i] = topic_share(topic);
		elsewhere_subject(&topic->session->meta.id, elsewhere->subjects[i]);
		notice_add(elsewhere, topic, elsewhere->subjects[i]);
	}
	for (size_t i = 0; i < elsewhere->notice_count; i++)
		elsewhere->notices[i].bytes =
			(const uint8_t *)elsewhere->own.bytes + elsewhere->starts[i];
	return !elsewhere->own.failed;
}

int64_t elsewhere_tick(struct live *live, int64_t now_ms)
{
	struct elsewhere *elsewhere = live->elsewhere;
	size_t count = 0;
	if (!elsewhere || live->stopped || !live->topics)
		return -1;
	if (elsewhere->under_way || now_ms - elsewhere->began_ms < ROUND_MS)
		return ROUND_MS;
	elsewhere->began_ms = now_ms;
	for (const struct topic *topic = live->topics; topic; topic = topic->next)
		count++;
	if (round_make(elsewhere, count)) {
		elsewhere->under_way = true;
		pool_submit(live->options.poster, &elsewhere->job);
	} else {
		for (size_t i = 0; i < elsewhere->count; i++)
			elsewhere->topics[i]->posted = 1;
		round_finish(elsewhere);
	}
	return ROUND_MS;
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
	struct elsewhere *elsewhere =
		(struct elsewhere *)((char *)job - offsetof(struct elsewhere, job));
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
	struct elsewhere *elsewhere =
		(struct elsewhere *)((char *)job - offsetof(struct elsewhere, job));
	const bool known =
		elsewhere->status == STORE_OK && !elsewhere->lost && !elsewhere->others.failed;
	/* What may not have been posted is posted again. */
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
			notice_hear(topic,
				    (const uint8_t *)elsewhere->others.bytes +
					    elsewhere->heard[at].start,
				    elsewhere->heard[at].length);
		presence_hear_end(topic, monotonic_ms());
	}
	round_finish(elsewhere);
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
	struct withdrawal *withdrawal = (struct withdrawal *)job;
	DL_DELETE(withdrawal->live->elsewhere->withdrawals, withdrawal);
	free(withdrawal);
}

void elsewhere_withdraw(struct topic *topic)
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
	elsewhere_subject(&topic->session->meta.id, withdrawal->notice.subject);
	pool_submit(live->options.poster, &withdrawal->job);
}
