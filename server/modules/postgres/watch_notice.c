/* watch_notice.c: what servers say to one another about a watched session: pairs of a token and its
 * watchers, then the last cue. */
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
	number_add(buffer, (uint64_t)topic->shared_cue.time_ms);
	number_add(buffer, topic->shared_cue.actor);
	if (topic->shared_cue.json)
		buffer_add(buffer, topic->shared_cue.json, strlen(topic->shared_cue.json));
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
	cue_hear(topic, at, end);
}
