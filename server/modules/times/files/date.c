/* date.c: dates as files and clients write them. */
#include "server/modules/times/files/date.h"

#include <time.h>

#define SECOND_MS 1000
#define MINUTE_MS 60000

/* The rest of a text. */
struct date_text {
	const char *at, *end;
};

/* Reads `digits` digits. */
static bool read_number(struct date_text *text, int digits, int *number)
{
	*number = 0;
	if (text->end - text->at < digits)
		return false;
	for (int i = 0; i < digits; i++, text->at++) {
		if (*text->at < '0' || *text->at > '9')
			return false;
		*number = *number * 10 + (*text->at - '0');
	}
	return true;
}

static bool skip(struct date_text *text, char c)
{
	const bool there = text->at < text->end && *text->at == c;
	text->at += there;
	return there;
}

static bool read_day(struct date_text *text, struct tm *date)
{
	if (!read_number(text, 4, &date->tm_year) || !skip(text, '-') ||
	    !read_number(text, 2, &date->tm_mon) || !skip(text, '-') ||
	    !read_number(text, 2, &date->tm_mday))
		return false;
	date->tm_year -= 1900;
	date->tm_mon -= 1;
	return true;
}

/* The digits after a point; those after the third are skipped. */
static bool read_fraction(struct date_text *text, int64_t *ms)
{
	int64_t unit = 100;
	if (!skip(text, '.'))
		return true;
	const char *from = text->at;
	for (; text->at < text->end && *text->at >= '0' && *text->at <= '9'; unit /= 10)
		*ms += unit * (*text->at++ - '0');
	return text->at > from;
}

static bool read_time(struct date_text *text, struct tm *date, int64_t *ms)
{
	if (!read_number(text, 2, &date->tm_hour) || !skip(text, ':') ||
	    !read_number(text, 2, &date->tm_min))
		return false;
	if (!skip(text, ':'))
		return true;
	return read_number(text, 2, &date->tm_sec) && read_fraction(text, ms);
}

/* Nothing, Z, or hours and minutes. */
static bool read_zone(struct date_text *text, int64_t *ms)
{
	int hours, minutes;
	if (text->at == text->end || skip(text, 'Z'))
		return true;
	const bool before = skip(text, '-');
	if (!before && !skip(text, '+'))
		return false;
	if (!read_number(text, 2, &hours) || !skip(text, ':') || !read_number(text, 2, &minutes) ||
	    hours > 23 || minutes > 59)
		return false;
	*ms += (before ? 1 : -1) * (int64_t)(hours * 60 + minutes) * MINUTE_MS;
	return true;
}

bool date_read(const char *bytes, size_t length, int64_t *ms)
{
	struct date_text text = {bytes, bytes + length};
	struct tm date = {0};
	int64_t more = 0;
	if (!read_day(&text, &date))
		return false;
	if (text.at < text.end && ((!skip(&text, 'T') && !skip(&text, ' ')) ||
				   !read_time(&text, &date, &more) || !read_zone(&text, &more)))
		return false;
	/* timegm() makes the 30th of February a day in March. */
	const struct tm asked = date;
	const int64_t seconds = timegm(&date);
	*ms = seconds * SECOND_MS + more;
	return text.at == text.end && date.tm_mday == asked.tm_mday &&
	       date.tm_mon == asked.tm_mon && date.tm_hour == asked.tm_hour &&
	       date.tm_min == asked.tm_min && date.tm_sec == asked.tm_sec;
}
