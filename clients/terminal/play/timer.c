/* timer.c: the timer: inspection, the solve, its result. */
#include "clients/terminal/play/timer.h"

#include <stdio.h>

#define DNF (-1)
#define TIME_BYTES 32

void play_timer_init(struct play_timer *timer)
{
	*timer = (struct play_timer){.best_ms = DNF};
}

void play_timer_scrambled(struct play_timer *timer, int64_t now_ms)
{
	timer->state = PLAY_TIMER_INSPECTION;
	timer->since_ms = now_ms;
	timer->assisted = false;
}

void play_timer_turned(struct play_timer *timer, int64_t now_ms)
{
	if (timer->state != PLAY_TIMER_INSPECTION)
		return;
	timer->inspected_ms = now_ms - timer->since_ms;
	timer->state = PLAY_TIMER_RUNNING;
	timer->since_ms = now_ms;
}

/* With its penalty. */
static int64_t result_of(const struct play_timer *timer)
{
	if (timer->inspected_ms >= PLAY_INSPECTION_LAST_MS)
		return DNF;
	return timer->time_ms + (timer->inspected_ms >= PLAY_INSPECTION_MS ? PLAY_PLUS_MS : 0);
}

void play_timer_solved(struct play_timer *timer, int64_t now_ms)
{
	if (timer->state != PLAY_TIMER_RUNNING)
		return;
	timer->time_ms = (now_ms - timer->since_ms) / 10 * 10;
	timer->state = PLAY_TIMER_DONE;
	timer->since_ms = now_ms;
	if (timer->assisted)
		return;
	const int64_t result = result_of(timer);
	timer->last[timer->count++ % PLAY_AVERAGE] = result;
	if (result != DNF && (timer->best_ms == DNF || result < timer->best_ms))
		timer->best_ms = result;
}

void play_timer_reset(struct play_timer *timer)
{
	timer->state = PLAY_TIMER_OFF;
}

void play_timer_assist(struct play_timer *timer)
{
	timer->assisted = true;
}

bool play_timer_ticks(const struct play_timer *timer)
{
	return timer->state == PLAY_TIMER_INSPECTION || timer->state == PLAY_TIMER_RUNNING;
}

/* "9.87", "1:02.50"; with one digit while it runs. */
static void time_text(int64_t time_ms, bool runs, char text[TIME_BYTES])
{
	const long long minutes = time_ms / 60000, seconds = time_ms / 1000 % 60;
	const int part = (int)(time_ms % 1000 / (runs ? 100 : 10));
	if (minutes > 0)
		snprintf(text, TIME_BYTES, "%lld:%02lld.%0*d", minutes, seconds, runs ? 1 : 2,
			 part);
	else
		snprintf(text, TIME_BYTES, "%lld.%0*d", seconds, runs ? 1 : 2, part);
}

static void done_text(const struct play_timer *timer, char text[PLAY_TIMER_BYTES])
{
	char time[TIME_BYTES], sum[TIME_BYTES];
	const char *note = timer->assisted ? " (assisted: not counted)" : "";
	const int64_t result = result_of(timer);
	time_text(timer->time_ms, false, time);
	time_text(result, false, sum);
	if (result == DNF)
		snprintf(text, PLAY_TIMER_BYTES, "DNF (%s): inspected for 17 s or more%s", time,
			 note);
	else if (result != timer->time_ms)
		snprintf(text, PLAY_TIMER_BYTES, "solved in %s + 2 = %s%s", time, sum, note);
	else
		snprintf(text, PLAY_TIMER_BYTES, "solved in %s%s", time, note);
}

void play_timer_text(const struct play_timer *timer, int64_t now_ms, char text[PLAY_TIMER_BYTES])
{
	const int64_t spent = now_ms - timer->since_ms;
	char time[TIME_BYTES];
	text[0] = '\0';
	if (timer->state == PLAY_TIMER_DONE) {
		done_text(timer, text);
	} else if (timer->state == PLAY_TIMER_RUNNING) {
		time_text(spent, true, time);
		snprintf(text, PLAY_TIMER_BYTES, "%s%s", time, timer->assisted ? " assisted" : "");
	} else if (timer->state == PLAY_TIMER_INSPECTION) {
		if (spent >= PLAY_INSPECTION_LAST_MS)
			snprintf(text, PLAY_TIMER_BYTES, "inspection: DNF");
		else if (spent >= PLAY_INSPECTION_MS)
			snprintf(text, PLAY_TIMER_BYTES, "inspection: +2");
		else
			snprintf(text, PLAY_TIMER_BYTES, "inspection: %d",
				 (int)((PLAY_INSPECTION_MS - spent + 999) / 1000));
	}
}

/* Averages the newest five; DNF if two or more of them are. */
static int64_t average_of(const struct play_timer *timer)
{
	int64_t sum = 0, best = INT64_MAX, worst = 0;
	int failed = 0;
	for (size_t i = 0; i < PLAY_AVERAGE; i++) {
		const int64_t time = timer->last[i];
		failed += time == DNF;
		if (time == DNF)
			continue;
		sum += time;
		best = time < best ? time : best;
		worst = time > worst ? time : worst;
	}
	if (failed > 1)
		return DNF;
	sum -= best + (failed == 1 ? 0 : worst);
	const int64_t hundredths = sum / 10;
	return (2 * hundredths + PLAY_AVERAGE - 2) / (2 * (PLAY_AVERAGE - 2)) * 10;
}

void play_timer_summary(const struct play_timer *timer, char text[PLAY_TIMER_BYTES])
{
	char best[TIME_BYTES] = "DNF", average[TIME_BYTES] = "DNF";
	text[0] = '\0';
	if (timer->count == 0)
		return;
	if (timer->best_ms != DNF)
		time_text(timer->best_ms, false, best);
	if (timer->count < PLAY_AVERAGE) {
		snprintf(text, PLAY_TIMER_BYTES, "solves %zu, best %s", timer->count, best);
		return;
	}
	const int64_t of_five = average_of(timer);
	if (of_five != DNF)
		time_text(of_five, false, average);
	snprintf(text, PLAY_TIMER_BYTES, "solves %zu, best %s, average of 5 %s", timer->count, best,
		 average);
}
