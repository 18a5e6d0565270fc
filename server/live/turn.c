/* turn.c: a bench is sent to by all whose hands are free.
 *
 * Watchers are shared out among outlets evenly, but cores are not even: one has other work, or
 * is slowed by a neighbour. So whoever has sent to his own helps the others, a handful of watchers
 * at a time, and the last of many has an event sooner. A helper only sends; whatever changes the
 * bench or the round is left for the outlet's own thread, which waits until no hand is at it. */
#include "server/live/internal.h"

/* Some 0.4 ms of sending: a lock for that many costs nothing, and nobody waits long for the last. */
#define HANDFUL 32

void turn_open(struct turn *turn)
{
	pthread_mutex_init(&turn->lock, NULL);
	pthread_cond_init(&turn->done, NULL);
}

void turn_close(struct turn *turn)
{
	pthread_cond_destroy(&turn->done);
	pthread_mutex_destroy(&turn->lock);
}

static size_t turn_take(struct turn *turn, struct watcher *taken[HANDFUL])
{
	size_t count = 0;
	pthread_mutex_lock(&turn->lock);
	for (; count < HANDFUL && turn->next; turn->next = turn->next->next)
		taken[count++] = turn->next;
	turn->hands += count > 0;
	pthread_mutex_unlock(&turn->lock);
	return count;
}

static void turn_give_back(struct turn *turn, struct watcher *const left[], size_t count)
{
	pthread_mutex_lock(&turn->lock);
	for (size_t i = 0; i < count; i++) {
		left[i]->next_left = turn->left;
		turn->left = left[i];
	}
	if (--turn->hands == 0)
		pthread_cond_signal(&turn->done);
	pthread_mutex_unlock(&turn->lock);
}

bool turn_help(struct turn *turn, const struct live_calls *calls)
{
	struct watcher *watchers[HANDFUL];
	size_t count = turn_take(turn, watchers), left = 0;
	if (count == 0)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!watcher_is_covered(watchers[i]) || !calls->send(watchers[i]->seat))
			watchers[left++] = watchers[i];
	turn_give_back(turn, watchers, left);
	return true;
}

void turn_run(struct turn *turn, struct watcher *first, const struct live_calls *calls)
{
	pthread_mutex_lock(&turn->lock);
	turn->next = first;
	pthread_mutex_unlock(&turn->lock);
	while (turn_help(turn, calls))
		continue;
	pthread_mutex_lock(&turn->lock);
	while (turn->hands > 0)
		pthread_cond_wait(&turn->done, &turn->lock);
	struct watcher *left = turn->left;
	turn->left = NULL;
	pthread_mutex_unlock(&turn->lock);
	while (left) {
		struct watcher *next = left->next_left;
		if (!calls->send(left->seat))
			calls->end(left->seat);
		left = next;
	}
}
