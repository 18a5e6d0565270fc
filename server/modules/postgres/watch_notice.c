/* watch_notice.c: what servers say to one another about a watched session: pairs of a token and its
 * watchers, then the last cue: its time, its token, its text. If there was a reaction, a NUL follows
 * and the same of that one: without it, servers before 0.6.0 can read the notice. */
#include <string.h>

#include "server/modules/postgres/watch_notice.h"
#include "server/util/varint.h"

/* Most tokens in a notice. */
#define PEOPLE_MAX 200

void watch_notice_subject(const struct session_id *id, uint8_t subject[NOTICE_SUBJECT_BYTES])
{
	static const uint8_t kind[NOTICE_SUBJECT_BYTES - SESSION_ID_BYTES] = "watch";
	memcpy(subject, id->bytes, SESSION_ID_BYTES);
	memcpy(subject + SESSION_ID_BYTES, kind, sizeof kind);
}

static void number_add(struct buffer *buffer, uint64_t number)
{
	uint8_t bytes[VARINT_MAX];
	buffer_add(buffer, bytes, varint_put(bytes, number));
}

static void cue_add(struct buffer *buffer, const struct shared_cue *cue)
{
	number_add(buffer, (uint64_t)cue->time_ms);
	number_add(buffer, cue->actor);
	if (cue->json)
		buffer_add(buffer, cue->json, strlen(cue->json));
}

void watch_notice_write(const struct topic *topic, struct buffer *buffer)
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
	cue_add(buffer, &topic->shared_cues[LIVE_CUE]);
	if (topic->shared_cues[LIVE_REACTION].json) {
		buffer_add(buffer, "", 1);
		cue_add(buffer, &topic->shared_cues[LIVE_REACTION]);
	}
}

static void cue_hear(struct topic *topic, enum live_cue_kind kind, const uint8_t **at,
		     const uint8_t *end)
{
	uint64_t time_ms, actor;
	if (!varint_get(at, end, &time_ms) || !varint_get(at, end, &actor))
		return;
	const size_t left = (size_t)(end - *at);
	const struct text json = {(const char *)*at, strnlen((const char *)*at, left)};
	*at += json.length < left ? json.length + 1 : left;
	if (json.length == 0 || (int64_t)time_ms <= topic->cue_ms[kind])
		return;
	const struct live_cue cue = {.kind = kind,
				     .json = json,
				     .actor = roster_at(topic->roster, (uint32_t)actor),
				     .time_ms = (int64_t)time_ms};
	/* Posted here as well: the server where it was sent forgets it when nobody watches there. */
	const bool shown = topic_keep_cue(topic, &cue) && topic_show_cue(topic, &cue);
	(void)shown; /* else the next round shows it */
}

void watch_notice_hear(struct topic *topic, const uint8_t *at, size_t length)
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
	for (enum live_cue_kind kind = 0; kind < LIVE_CUE_KINDS; kind++)
		cue_hear(topic, kind, &at, end);
}
