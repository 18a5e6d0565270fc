/* results.c: times and averages as the WCA Regulations have them. */
#include "server/modules/times/files/results.h"

#include <stdio.h>
#include <string.h>

#define HUNDREDTH_MS 10
#define SECOND_MS 1000
#define LONG_MS 600000 /* from here on results are whole seconds */

int64_t penalty_add(int64_t a, int64_t b)
{
	return a == PENALTY_DNF || b == PENALTY_DNF ? PENALTY_DNF : a + b;
}

int64_t penalty_of_inspection(int64_t inspection_ms)
{
	return inspection_ms >= INSPECTION_DNF_MS   ? PENALTY_DNF
	       : inspection_ms >= INSPECTION_TWO_MS ? PENALTY_TWO
						    : 0;
}

int64_t time_result(int64_t time_ms, int64_t penalty_ms)
{
	if (penalty_ms == PENALTY_DNF)
		return TIME_DNF;
	if (time_ms < 0)
		return TIME_NONE;
	const int64_t cut = time_ms - time_ms % HUNDREDTH_MS + penalty_ms;
	if (cut < LONG_MS)
		return cut - cut % HUNDREDTH_MS;
	return (time_ms + penalty_ms + SECOND_MS / 2) / SECOND_MS * SECOND_MS;
}

/* The quotient as an average counts: to the nearest unit, halves up. */
static int64_t rounded(int64_t sum, int64_t count)
{
	const int64_t unit = sum >= LONG_MS * count ? SECOND_MS : HUNDREDTH_MS;
	return (2 * sum + unit * count) / (2 * unit * count) * unit;
}

unsigned average_trim(unsigned of)
{
	return (of + 19) / 20;
}

/* ---- the results of a window, in order ---- */

#define WORST INT64_MAX /* a DNF among them */

/* The first place whose result is not smaller. */
static unsigned place_of(const struct averaging *window, int64_t value)
{
	unsigned low = 0, high = window->count;
	while (low < high) {
		unsigned middle = (low + high) / 2;
		if (window->sorted[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void window_insert(struct averaging *window, int64_t value)
{
	int64_t *at = window->sorted + place_of(window, value);
	size_t behind = (size_t)(window->sorted + window->count - at);
	memmove(at + 1, at, behind * sizeof *at);
	*at = value;
	window->count++;
	window->total += value == WORST ? 0 : value;
}

static void window_remove(struct averaging *window, int64_t value)
{
	int64_t *at = window->sorted + place_of(window, value);
	window->count--;
	window->total -= value == WORST ? 0 : value;
	memmove(at, at + 1, (size_t)(window->sorted + window->count - at) * sizeof *at);
}

static int64_t average(const struct averaging *window)
{
	const unsigned end = window->of - window->trim;
	int64_t sum = window->total;
	if (window->sorted[end - 1] == WORST)
		return TIME_DNF;
	for (unsigned i = 0; i < window->trim; i++)
		sum -= window->sorted[i];
	for (unsigned i = end; i < window->of && window->sorted[i] != WORST; i++)
		sum -= window->sorted[i];
	return rounded(sum, end - window->trim);
}

void averaging_begin(struct averaging *averaging, unsigned of, unsigned trim, int64_t *sorted)
{
	*averaging = (struct averaging){.averages = {.current = TIME_NONE, .best = TIME_NONE},
					.of = of,
					.trim = trim,
					.sorted = sorted};
}

void averaging_go_on(struct averaging *averaging, const int64_t *results, size_t end)
{
	struct averages *averages = &averaging->averages;
	const unsigned of = averaging->of;
	for (size_t i = averaging->at; i < end; i++) {
		if (averaging->count == of) {
			int64_t oldest = results[i - of];
			window_remove(averaging, oldest == TIME_DNF ? WORST : oldest);
		}
		window_insert(averaging, results[i] == TIME_DNF ? WORST : results[i]);
		if (averaging->count < of)
			continue;
		averages->current = average(averaging);
		if (averages->best < 0 ||
		    (averages->current >= 0 && averages->current < averages->best)) {
			averages->best = averages->current;
			averages->best_from = i + 1 - of;
		}
	}
	averaging->at = end;
}

int64_t mean_of(const int64_t *results, size_t count)
{
	int64_t sum = 0, times = 0;
	for (size_t i = 0; i < count; i++)
		if (results[i] >= 0) {
			sum += results[i];
			times++;
		}
	return times > 0 ? rounded(sum, times) : TIME_NONE;
}

void time_print(int64_t result, char text[TIME_TEXT_MAX])
{
	const long long hundredths = result / HUNDREDTH_MS % 100, seconds = result / SECOND_MS;
	const long long minutes = seconds / 60, hours = minutes / 60;
	if (result < 0)
		snprintf(text, TIME_TEXT_MAX, "%s", result == TIME_DNF ? "DNF" : "");
	else if (minutes == 0)
		snprintf(text, TIME_TEXT_MAX, "%lld.%02lld", seconds, hundredths);
	else if (result < LONG_MS)
		snprintf(text, TIME_TEXT_MAX, "%lld:%02lld.%02lld", minutes, seconds % 60,
			 hundredths);
	else if (hours == 0)
		snprintf(text, TIME_TEXT_MAX, "%lld:%02lld", minutes, seconds % 60);
	else
		snprintf(text, TIME_TEXT_MAX, "%lld:%02lld:%02lld", hours, minutes % 60,
			 seconds % 60);
}
