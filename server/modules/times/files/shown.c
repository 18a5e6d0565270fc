/* shown.c: times as timers show them. */
#include "server/modules/times/files/shown.h"

#include <string.h>
#include <strings.h>

#include "server/modules/times/files/date.h"
#include "server/modules/times/files/results.h"

bool shown_duration(struct span text, int64_t *ms)
{
	int64_t whole = 0, part = 0, thousandths = 0;
	int digits = 0, colons = 0;
	size_t i = 0;
	for (; i < text.length && text.bytes[i] != '.'; i++) {
		const char c = text.bytes[i];
		if (c == ':' && digits > 0 && colons < 2) {
			whole = (whole + part) * 60;
			part = digits = 0;
			colons++;
		} else if (c >= '0' && c <= '9' && digits < 9) {
			part = part * 10 + (c - '0');
			digits++;
		} else {
			return false;
		}
	}
	if (digits == 0)
		return false;
	if (i < text.length) {
		int64_t unit = 100;
		if (++i == text.length || text.length - i > 3)
			return false;
		for (; i < text.length; i++, unit /= 10) {
			if (text.bytes[i] < '0' || text.bytes[i] > '9')
				return false;
			thousandths += unit * (text.bytes[i] - '0');
		}
	}
	*ms = (whole + part) * 1000 + thousandths;
	return *ms <= TIME_MAX;
}

bool shown_time_read(struct span text, struct shown_time *time)
{
	*time = (struct shown_time){0};
	if (text.length >= 3 && strncasecmp(text.bytes, "DNF", 3) == 0) {
		time->dnf = true;
		if (text.length == 3)
			return true;
		if (text.length < 5 || text.bytes[3] != '(' || text.bytes[text.length - 1] != ')')
			return false;
		return shown_duration((struct span){text.bytes + 4, text.length - 5}, &time->ms);
	}
	time->plus = text.length > 0 && text.bytes[text.length - 1] == '+';
	text.length -= time->plus;
	return shown_duration(text, &time->ms);
}

bool shown_time_put(const struct shown_time *time, const int64_t *ends, size_t *count,
		    struct cstimer_solve *solve)
{
	const int64_t end = *count > 0 ? ends[*count - 1] : 0;
	solve->penalty_ms = time->dnf ? PENALTY_DNF : time->plus ? PENALTY_TWO : 0;
	if (time->plus && *count > 0 && time->ms >= end)
		solve->penalty_ms = time->ms - end;
	solve->time_ms = time->plus ? time->ms - solve->penalty_ms : time->ms;
	if (*count > 0 && end != solve->time_ms)
		*count = 0; /* the splits contradict the time */
	return solve->time_ms >= 0;
}

bool shown_date_read(struct span text, int64_t *ms)
{
	*ms = 0;
	return !text.bytes || span_is(text, "N/A") ||
	       (date_read(text.bytes, text.length, ms) && *ms > 0);
}
