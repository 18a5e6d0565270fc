/* suggest.c: edit distance to a few short names. */
#include "server/util/suggest.h"

#include <stdio.h>
#include <string.h>

#define SUGGEST_LENGTH_MAX 32

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static char lower_case(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Levenshtein's distance, by rows. Both texts are at most SUGGEST_LENGTH_MAX long. */
static size_t suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[SUGGEST_LENGTH_MAX + 1];
	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t changed = diagonal + (lower_case(a[i - 1]) != lower_case(b[j - 1]));
			diagonal = row[j];
			row[j] = smaller(changed, 1 + smaller(row[j], row[j - 1]));
		}
	}
	return row[b_length];
}

const char *suggest_nearest(const char *text, size_t length, const char *const *names, size_t count)
{
	if (length == 0 || length > SUGGEST_LENGTH_MAX)
		return NULL;
	size_t best = length <= 4 ? 1 : 2;
	const char *nearest = NULL;
	for (size_t i = 0; i < count; i++) {
		size_t name_length = strlen(names[i]);
		if (name_length > SUGGEST_LENGTH_MAX)
			continue;
		size_t distance = suggest_distance(text, length, names[i], name_length);
		if (distance < best || (distance == best && !nearest)) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

void suggest_list(const char *const *names, size_t count, char *list, size_t capacity)
{
	size_t length = 0;
	list[0] = '\0';
	for (size_t i = 0; i < count && length < capacity; i++)
		length += (size_t)snprintf(list + length, capacity - length, "%s%s",
					   i == 0           ? ""
					   : i + 1 == count ? " or "
							    : ", ",
					   names[i]);
}
