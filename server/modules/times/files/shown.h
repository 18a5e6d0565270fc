/* shown.h: times as timers show them. Pure; any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_SHOWN_H
#define SERVER_MODULES_TIMES_FILES_SHOWN_H

#include "server/json/slice.h"
#include "server/modules/times/files/cstimer.h"

/* A time as it is shown: with its penalty in it, unless it did not finish. */
struct shown_time {
	int64_t ms;     /* 0 if it is only "DNF" */
	bool plus, dnf; /* there is a penalty in `ms`; it did not finish */
};

/* "1:02:03.456", "62.34", with up to three decimals; at most TIME_MAX. False if it is not that. */
MUST_USE bool shown_duration(struct span text, int64_t *ms);
/* "12.34", "14.34+", "DNF(12.34)", "DNF". */
MUST_USE bool shown_time_read(struct span text, struct shown_time *time);
/* Sets time and penalty of a solve. A time with a plus includes its penalty, which is that of the phases
 * missing in it, or 2 s; phases that do not add up to the time are dropped. False if the time is shorter
 * than the penalty. */
MUST_USE bool shown_time_put(const struct shown_time *time, const int64_t *ends, size_t *count,
			     struct cstimer_solve *solve);
/* A date (date.h) since 1970; none, or "N/A", is 0. */
MUST_USE bool shown_date_read(struct span text, int64_t *ms);

#endif
