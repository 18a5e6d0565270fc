/* nearest_route.c: edit distance to the paths of all routes. */
#include "server/api/nearest_route.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "server/api/routes.h"
#include "server/util/utf8.h"

#define DISTANCE_MAX 3
#define SHORT_BYTES 8
#define SHORT_DISTANCE_MAX 2
/* One letter in so many may be wrong in a short path: /cubed is not /embed. */
#define SHORT_LETTERS 3

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Levenshtein's distance if it is at most `most`, else more; letters in either case are equal. Only
 * the cells of the table that are at most that far from its diagonal are filled. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length, size_t most)
{
	size_t row[NEAREST_ROUTE_BYTES + 1];
	if (a_length > b_length + most || b_length > a_length + most)
		return most + 1;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = smaller(j, most + 1);
	for (size_t i = 1; i <= a_length; i++) {
		const size_t first = i > most ? i - most : 1, last = smaller(i + most, b_length);
		size_t diagonal = row[first - 1];
		row[first - 1] = first == 1 ? smaller(i, most + 1) : most + 1;
		for (size_t j = first; j <= last; j++) {
			const size_t changed =
				diagonal + (strncasecmp(&a[i - 1], &b[j - 1], 1) != 0);
			diagonal = row[j];
			row[j] = smaller(changed, 1 + smaller(row[j], row[j - 1]));
		}
		if (last < b_length)
			row[last + 1] = most + 1;
	}
	return row[b_length];
}

/* The part of the path that begins with its nth slash, without the slash; empty if there is
 * none. */
static struct text part_at(const struct text *path, size_t n)
{
	const char *at = path->bytes, *end = path->bytes + path->length;
	for (; at < end; at++)
		if (*at == '/' && n-- == 0) {
			const char *slash = memchr(at + 1, '/', (size_t)(end - at - 1));
			return (struct text){at + 1, (size_t)((slash ? slash : end) - at - 1)};
		}
	return (struct text){"", 0};
}

/* The pattern with the path's own parts in its holes; its length, 0 if there is no room. */
static size_t fill(const char *pattern, const struct text *path, char filled[NEAREST_ROUTE_BYTES])
{
	size_t length = 0, slashes = 0;
	while (*pattern) {
		slashes += *pattern == '/';
		struct text part = {pattern, 1};
		if (*pattern == '{') {
			const size_t hole = strcspn(pattern, "}") + 1;
			part = part_at(path, slashes - 1);
			if (part.length == 0)
				part = (struct text){pattern, hole};
			pattern += hole;
		} else {
			pattern++;
		}
		if (length + part.length >= NEAREST_ROUTE_BYTES)
			return 0;
		memcpy(filled + length, part.bytes, part.length);
		length += part.length;
	}
	filled[length] = '\0';
	return length;
}

/* Returns true if the path is one of the API: for such a path no page is suggested. */
static bool is_call(const char *path, size_t length)
{
	return length >= 3 && strncasecmp(path, "/v1", 3) == 0;
}

/* Finds the route nearest to the path, at a distance below `far`. Returns false if there is none. */
static bool find_nearest(const struct text *path, size_t far, char nearest[NEAREST_ROUTE_BYTES])
{
	size_t best = far;
	for (size_t i = 0; i < route_count && best > 0; i++) {
		char filled[NEAREST_ROUTE_BYTES];
		if (is_call(path->bytes, path->length) &&
		    !is_call(routes[i].path, strlen(routes[i].path)))
			continue;
		const size_t length = fill(routes[i].path, path, filled);
		/* A hole fits anything, so what is written out is nearer. */
		const size_t away = distance(path->bytes, path->length, filled, length, best - 1) +
				    (strchr(routes[i].path, '{') != NULL);
		if (length > 0 && away < best) {
			best = away;
			memcpy(nearest, filled, length + 1);
		}
	}
	return best < far;
}

/* Returns how many letters of the path may be wrong. */
static size_t tolerance(const struct text *path)
{
	if (path->length > SHORT_BYTES)
		return DISTANCE_MAX;
	return path->length > 2 * SHORT_LETTERS ? SHORT_DISTANCE_MAX : 1;
}

void nearest_route(const struct text *path, char nearest[NEAREST_ROUTE_BYTES])
{
	char with_version[NEAREST_ROUTE_BYTES];
	snprintf(nearest, NEAREST_ROUTE_BYTES, "/v1");
	if (path->length >= NEAREST_ROUTE_BYTES || !utf8_valid(path->bytes, path->length) ||
	    find_nearest(path, tolerance(path) + 1, nearest) || is_call(path->bytes, path->length))
		return;
	const int length = snprintf(with_version, sizeof with_version, "/v1%.*s", (int)path->length,
				    path->bytes);
	if ((size_t)length < sizeof with_version)
		(void)find_nearest(&(struct text){with_version, (size_t)length},
				   SHORT_DISTANCE_MAX + 1, nearest);
}
