/* known_solves.c: see known_solves.h. */
#include "server/modules/times/files/known_solves.h"

#include <stdlib.h>
#include <string.h>

#include "server/modules/times/files/cstimer.h"

struct known_row {
	const struct stored_solve *solve;
	int64_t second; /* when it was made; 0: its file does not say it */
	size_t marked;  /* of the rows that are the same, in the first of them */
};

static int64_t second_of(const struct stored_solve *solve)
{
	const char *source = solve->source;
	return (source ? cstimer_solve_created((struct span){source, strlen(source)})
		       : solve->created_ms) /
	       1000;
}

/* Negative values are not times. */
static int64_t hundredths_of(const struct stored_solve *solve)
{
	return solve->time_ms < 0 ? solve->time_ms : solve->time_ms / 10;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static const char *skip_spaces(const char *text)
{
	while (is_space(*text))
		text++;
	return text;
}

/* The next character of a text, where spaces in a row are one; none at its end. */
static unsigned char next_character(const char **text)
{
	if (!is_space(**text))
		return (unsigned char)(**text ? *(*text)++ : '\0');
	*text = skip_spaces(*text);
	return **text ? ' ' : '\0';
}

static int compare_words(const char *a, const char *b)
{
	a = skip_spaces(a ? a : "");
	b = skip_spaces(b ? b : "");
	for (;;) {
		const unsigned char from_a = next_character(&a), from_b = next_character(&b);
		if (from_a != from_b || from_a == '\0')
			return (from_a > from_b) - (from_a < from_b);
	}
}

static int compare(const struct known_row *row, const struct known_row *other)
{
	const struct stored_solve *a = row->solve, *b = other->solve;
	if (row->second != other->second)
		return row->second < other->second ? -1 : 1;
	if (hundredths_of(a) != hundredths_of(b))
		return hundredths_of(a) < hundredths_of(b) ? -1 : 1;
	return compare_words(a->scramble, b->scramble);
}

/* Compares rows; of equal ones, the first in the file comes first. */
static int compare_rows(const void *a, const void *b)
{
	const struct known_row *row = a, *other = b;
	const int order = compare(row, other);
	return order != 0 ? order : (row->solve > other->solve) - (row->solve < other->solve);
}

size_t known_solves_bytes(size_t count)
{
	return (count + 1) * (sizeof(struct known_row) + sizeof(bool));
}

bool known_solves_begin(struct known_solves *known, const struct stored_solve *solves, size_t count,
			int64_t undated_ms)
{
	*known = (struct known_solves){.solves = solves,
				       .count = count,
				       .rows = malloc((count + 1) * sizeof *known->rows),
				       .known = calloc(count + 1, sizeof *known->known)};
	if (!known->rows || !known->known)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct known_row row = {.solve = &solves[i], .second = second_of(&solves[i])};
		if (solves[i].created_ms != undated_ms || row.second == 0)
			known->rows[known->row_count++] = row;
	}
	qsort(known->rows, known->row_count, sizeof *known->rows, compare_rows);
	return true;
}

void known_solves_mark(struct known_solves *known, const struct stored_solve *in_book)
{
	const struct known_row row = {.solve = in_book, .second = second_of(in_book)};
	size_t low = 0, high = known->row_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (compare(&known->rows[middle], &row) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	const size_t at = low < known->row_count ? low + known->rows[low].marked : low;
	if (at >= known->row_count || compare(&known->rows[at], &row) != 0)
		return;
	known->rows[low].marked++;
	known->known[known->rows[at].solve - known->solves] = true;
}

size_t known_solves_leave_out(const struct known_solves *known, struct stored_solve *solves)
{
	size_t left = 0;
	for (size_t i = 0; i < known->count; i++)
		if (!known->known[i])
			solves[left++] = solves[i];
	return left;
}

void known_solves_finish(struct known_solves *known)
{
	free(known->rows);
	free(known->known);
	*known = (struct known_solves){0};
}
