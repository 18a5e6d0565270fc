/* live.c: the whole of it; long polls; what time brings. */
#include "server/live/live.h"

#include <stdlib.h>

#include "server/live/internal.h"
#include "server/util/monotonic.h"

struct live *live_create(struct service *service)
{
	struct live *live = calloc(1, sizeof *live);
	bool opened = live != NULL;
	if (!opened)
		return NULL;
	live->service = service;
	for (size_t i = 0; i < LIVE_OUTLETS; i++)
		opened = outlet_open(&live->outlets[i], live) && opened;
	if (opened)
		return live;
	live_destroy(live);
	return NULL;
}

void live_destroy(struct live *live)
{
	if (!live)
		return;
	for (size_t i = 0; i < LIVE_OUTLETS; i++)
		outlet_close(&live->outlets[i]);
	free(live);
}

/* ---- long polls ---- */

static void poll_remove(struct live *live, struct live_poll *poll)
{
	struct session *session = poll->work->session;
	*(poll->previous ? &poll->previous->next : &session->polls) = poll->next;
	if (poll->next)
		poll->next->previous = poll->previous;
	*(poll->before ? &poll->before->after : &live->polls) = poll->after;
	if (poll->after)
		poll->after->before = poll->before;
}

static void poll_end(struct live *live, struct live_poll *poll)
{
	poll_remove(live, poll);
	hub_enter(poll->work, NEED_READ, poll->enter);
}

void live_wait(struct live_poll *poll, struct work *work, int64_t wait_ms,
	       void (*enter)(struct work *work))
{
	struct live *live = work->service->live;
	struct session *session = work->session;
	*poll = (struct live_poll){.work = work,
				   .enter = enter,
				   .due_ms = monotonic_ms() + wait_ms,
				   .next = session->polls,
				   .after = live->polls};
	if (poll->next)
		poll->next->previous = poll;
	if (poll->after)
		poll->after->before = poll;
	session->polls = live->polls = poll;
	live_wake(live, 0);
}

void live_go_on(struct session *session)
{
	struct live_poll *next;
	for (struct live_poll *poll = session->polls; poll; poll = next) {
		next = poll->next;
		poll_end(poll->work->service->live, poll);
	}
}

bool live_waits(const struct live *live)
{
	return !live->stopped && !live->service->inline_jobs;
}

void live_stop(struct live *live)
{
	live->stopped = true;
	while (live->polls)
		poll_end(live, live->polls);
}

static int64_t polls_tick(struct live *live, int64_t now_ms)
{
	int64_t due_ms = INT64_MAX;
	struct live_poll *after;
	for (struct live_poll *poll = live->polls; poll; poll = after) {
		after = poll->after;
		if (poll->due_ms <= now_ms)
			poll_end(live, poll);
		else if (poll->due_ms < due_ms)
			due_ms = poll->due_ms;
	}
	return due_ms == INT64_MAX ? -1 : due_ms - now_ms;
}

struct live_counts live_count(const struct live *live)
{
	struct live_counts counts = {0};
	for (const struct topic *topic = live->topics; topic; topic = topic->next) {
		counts.sessions += topic->watchers > 0;
		counts.watchers += topic->watchers;
	}
	for (const struct live_poll *poll = live->polls; poll; poll = poll->after)
		counts.polls++;
	return counts;
}

/* ---- the clock ---- */

int64_t live_tick(struct live *live, int64_t now_ms)
{
	struct topic *next;
	pthread_mutex_lock(&live->service->lock);
	int64_t wait_ms = polls_tick(live, now_ms);
	for (struct topic *topic = live->topics; topic; topic = next) {
		next = topic->next;
		int64_t topic_ms = presence_tick(topic, now_ms);
		if (topic_ms >= 0 && (wait_ms < 0 || topic_ms < wait_ms))
			wait_ms = topic_ms;
		topic_settle(topic);
	}
	pthread_mutex_unlock(&live->service->lock);
	live_flush(live);
	return wait_ms;
}
