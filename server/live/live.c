/* live.c: the module as a whole; long polls; timed work. */
#include "server/live/live.h"

#include <stdlib.h>

#include "server/live/live_internal.h"
#include "server/util/monotonic.h"

#define TICK_MS 50
/* The time between two requests for changes of other processes, for those that watch. */
#define ASK_MS 100
/* The rings of watched sessions may take this share of the memory for sessions, in addition to
 * it. */
#define RINGS_PART 4

struct live *live_create(const struct live_options *options)
{
	struct live *live = calloc(1, sizeof *live);
	bool opened = live != NULL;
	if (!opened)
		return NULL;
	live->options = *options;
	const uint64_t cache = options->limits->cache_bytes;
	live->rings =
		budget_create(cache == LIMIT_OFF ? UINT64_MAX : cache / RINGS_PART, UINT64_MAX);
	opened = live->rings != NULL;
	if (options->poster)
		opened = options->elsewhere->open(live) && opened;
	for (size_t i = 0; i < LIVE_SHARDS; i++)
		opened = shard_open(&live->shards[i], live) && opened;
	if (opened)
		return live;
	live_destroy(live);
	return NULL;
}

void live_destroy(struct live *live)
{
	if (!live)
		return;
	while (live->timed) {
		struct topic *next = live->timed->next_timed;
		topic_release(live->timed);
		live->timed = next;
	}
	for (size_t i = 0; i < LIVE_SHARDS; i++)
		shard_close(&live->shards[i]);
	if (live->elsewhere)
		live->options.elsewhere->close(live);
	budget_destroy(live->rings);
	free(live);
}

/* ---- long polls ---- */

static void poll_remove(struct live *live, struct live_poll *poll)
{
	struct session *session = poll->visit->session;
	*(poll->previous ? &poll->previous->next : &session->polls) = poll->next;
	if (poll->next)
		poll->next->previous = poll->previous;
	*(poll->before ? &poll->before->after : &live->polls) = poll->after;
	if (poll->after)
		poll->after->before = poll->before;
	if (!session->polls)
		gate_unfollow(&live->options.sessions->gate, session->meta.key);
}

static void poll_end(struct live *live, struct live_poll *poll)
{
	poll_remove(live, poll);
	session_acquire(poll->visit, NEED_READ);
}

void live_wait(struct live *live, struct live_poll *poll, struct visit *visit, int64_t wait_ms)
{
	struct session *session = visit->session;
	lock_assert_held(&live->options.sessions->lock);
	*poll = (struct live_poll){.live = live,
				   .visit = visit,
				   .due_ms = monotonic_ms() + wait_ms,
				   .next = session->polls,
				   .after = live->polls};
	if (poll->next)
		poll->next->previous = poll;
	if (poll->after)
		poll->after->before = poll;
	if (!live->polls || poll->due_ms < live->polls_due_ms)
		live->polls_due_ms = poll->due_ms;
	if (!session->polls)
		gate_follow(&live->options.sessions->gate, session->meta.key);
	session->polls = live->polls = poll;
	live_wake(live, 0);
}

/* Ends all long polls of the session. */
static void polls_go_on(struct session *session)
{
	struct live_poll *next;
	for (struct live_poll *poll = session->polls; poll; poll = next) {
		next = poll->next;
		poll_end(poll->live, poll);
	}
}

bool live_waits(const struct live *live)
{
	return !live->stopped && live->options.waits;
}

void live_stop(struct live *live)
{
	for (struct topic *topic = live->topics; topic; topic = topic->next)
		elsewhere_withdraw(topic);
	live->stopped = true;
	while (live->polls)
		poll_end(live, live->polls);
}

static int64_t polls_tick(struct live *live, int64_t now_ms)
{
	struct live_poll *after;
	if (!live->polls)
		return -1;
	if (live->polls_due_ms <= now_ms) {
		live->polls_due_ms = INT64_MAX;
		for (struct live_poll *poll = live->polls; poll; poll = after) {
			after = poll->after;
			if (poll->due_ms <= now_ms)
				poll_end(live, poll);
			else if (poll->due_ms < live->polls_due_ms)
				live->polls_due_ms = poll->due_ms;
		}
	}
	return live->polls ? live->polls_due_ms - now_ms : -1;
}

struct live_counts live_count(const struct live *live)
{
	struct live_counts counts = {0};
	for (const struct topic *topic = live->topics; topic; topic = topic->next) {
		counts.sessions += topic->subscribers > 0;
		counts.subscribers += topic->subscribers;
	}
	for (const struct live_poll *poll = live->polls; poll; poll = poll->after)
		counts.polls++;
	return counts;
}

void live_meet(struct live *live, struct live_meeting *meeting)
{
	lock_assert_held(&live->options.sessions->lock);
	if (live->elsewhere && !live->stopped)
		live->options.elsewhere->meet(live, meeting);
	else
		meeting->done(meeting);
}

/* ---- the observer of the session cache ---- */

static void session_appended(struct session *session, const struct history *before,
			     const struct appended *appended)
{
	if (session->topic)
		topic_publish(session->topic, before, appended);
	polls_go_on(session);
}

/* The session was read again: others changed it, or there was no memory for its tokens before. */
static void session_reloaded(struct session *session)
{
	if (session->topic) {
		topic_update_rights(session->topic);
		topic_skip(session->topic);
	}
	polls_go_on(session);
}

static void session_changed(struct session *session, bool access)
{
	if (session->topic && access)
		topic_update_rights(session->topic);
	if (session->topic)
		topic_describe(session->topic);
	polls_go_on(session);
}

/* Names may have changed, and so whose turn it is. Long polls enter again: a revoked token is refused. */
static void session_tokens_changed(struct session *session)
{
	if (session->topic) {
		topic_update_rights(session->topic);
		topic_describe(session->topic);
		presence_changed(session->topic, monotonic_ms());
	}
	polls_go_on(session);
}

static void session_ended(struct session *session)
{
	topic_end(session->topic);
}

const struct session_observer live_observer = {.appended = session_appended,
					       .reloaded = session_reloaded,
					       .changed = session_changed,
					       .tokens = session_tokens_changed,
					       .ended = session_ended};

/* ---- the clock ---- */

void topic_time(struct topic *topic)
{
	struct live *live = topic->live;
	if (topic->timed)
		return;
	topic->timed = true;
	topic_share(topic);
	topic->next_timed = live->timed;
	live->timed = topic;
	if (!topic->next_timed)
		live_wake(live, 0);
}

static int64_t sooner(int64_t a_ms, int64_t b_ms)
{
	return a_ms >= 0 && (b_ms < 0 || a_ms < b_ms) ? a_ms : b_ms;
}

/* Topics with nothing more to do leave the list. */
static int64_t topics_tick(struct live *live, int64_t now_ms)
{
	int64_t wait_ms = -1;
	struct topic *topic = live->timed, *next;
	live->timed = NULL;
	for (; topic; topic = next) {
		int64_t topic_ms = topic->session ? presence_tick(topic, now_ms) : -1;
		if (topic->session && topic->held_ms > monotonic_ms())
			topic_ms = sooner(topic_ms, topic->held_ms - monotonic_ms());
		next = topic->next_timed;
		if (topic_ms >= 0) {
			topic->next_timed = live->timed;
			live->timed = topic;
			wait_ms = wait_ms < 0 || topic_ms < wait_ms ? topic_ms : wait_ms;
		} else {
			topic->timed = false;
			topic_settle(topic);
			topic_release(topic);
		}
	}
	return wait_ms;
}

void live_ask(struct live *live)
{
	if (live->topics || live->polls)
		gate_ask(&live->options.sessions->gate);
}

/* In case a hint of the store was lost. */
static int64_t changes_tick(struct live *live, int64_t now_ms)
{
	if (!live->options.sessions->gate.pool || (!live->topics && !live->polls))
		return -1;
	if (now_ms >= live->ask_ms) {
		live->ask_ms = now_ms + ASK_MS;
		live_ask(live);
	}
	return live->ask_ms - now_ms;
}

int64_t live_tick(struct live *live, int64_t now_ms)
{
	/* Things due at nearby times are done together. */
	if (now_ms - live->ticked_ms < TICK_MS)
		return TICK_MS - (now_ms - live->ticked_ms);
	live->ticked_ms = now_ms;
	lock_acquire(&live->options.sessions->lock);
	const int64_t polls_ms = polls_tick(live, now_ms), topics_ms = topics_tick(live, now_ms);
	const int64_t elsewhere_ms =
		live->elsewhere ? live->options.elsewhere->tick(live, now_ms) : -1;
	const int64_t changes_ms = sooner(changes_tick(live, now_ms), elsewhere_ms);
	lock_release(&live->options.sessions->lock);
	live_flush(live);
	return sooner(changes_ms, sooner(topics_ms, polls_ms));
}
