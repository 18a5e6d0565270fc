/* suggest.c: edit distance to a few short names. */
#include "server/util/suggest.h"

#include <stdbool.h>
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

static bool letters_exchanged(const char *a, const char *b)
{
	return lower_case(a[0]) == lower_case(b[1]) && lower_case(a[1]) == lower_case(b[0]);
}

/* Returns the number of letters to insert, drop or change, or of neighbours to exchange. Both texts are
 * at most SUGGEST_LENGTH_MAX long. */
static size_t suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t away[SUGGEST_LENGTH_MAX + 1][SUGGEST_LENGTH_MAX + 1];
	for (size_t i = 0; i <= a_length; i++)
		away[i][0] = i;
	for (size_t j = 0; j <= b_length; j++)
		away[0][j] = j;
	for (size_t i = 1; i <= a_length; i++)
		for (size_t j = 1; j <= b_length; j++) {
			const bool changed = lower_case(a[i - 1]) != lower_case(b[j - 1]);
			const size_t one = 1 + smaller(away[i - 1][j], away[i][j - 1]);
			away[i][j] = smaller(away[i - 1][j - 1] + changed, one);
			if (i > 1 && j > 1 && letters_exchanged(a + i - 2, b + j - 2))
				away[i][j] = smaller(away[i][j], 1 + away[i - 2][j - 2]);
		}
	return away[a_length][b_length];
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
