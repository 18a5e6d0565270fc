/* asked_averages.c: reading the averages that a request names. */
#include "server/modules/times/asked_averages.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "server/api/request/context.h"
#include "server/modules/times/files/results.h"

/* Reads "ao" or "mo" with a number; false if it is neither, or too few or too many solves. */
static bool read_kind(const char *text, size_t length, struct average_kind *kind)
{
	unsigned of = 0;
	if (length < 3 || length >= AVERAGE_NAME_BYTES || (text[0] != 'a' && text[0] != 'm') ||
	    text[1] != 'o')
		return false;
	for (size_t i = 2; i < length; i++) {
		if (text[i] < '0' || text[i] > '9' || (i == 2 && text[i] == '0'))
			return false;
		of = 10 * of + (unsigned)(text[i] - '0');
	}
	*kind = (struct average_kind){.of = of, .mean = text[0] == 'm'};
	return of >= (kind->mean ? MEAN_MIN : AVERAGE_MIN) && of <= AVERAGE_MAX;
}

/* The most bytes of a wrong name that an error shows. */
#define NAME_SHOWN 24

/* Answers 400: a name is wrong. One that differs by its case alone is suggested. */
static bool refuse_name(struct context *ctx, const char *name, size_t length)
{
	char detail[96], lower[AVERAGE_NAME_BYTES] = "";
	struct average_kind kind;
	for (size_t i = 0; i < length && i < sizeof lower - 1; i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	snprintf(detail, sizeof detail,
		 "%.*s is not ao5 to ao%d, an average, or mo2 to mo%d, a mean.",
		 (int)(length < NAME_SHOWN ? length : NAME_SHOWN), name, AVERAGE_MAX, AVERAGE_MAX);
	return query_problem(ctx, "averages", length > 0 ? detail : "A name is empty.",
			     "names such as ao25,mo10",
			     read_kind(lower, strlen(lower), &kind)
				     ? arena_text(&ctx->request->arena, lower, strlen(lower))
				     : NULL);
}

bool asked_averages_read(struct context *ctx, struct average_kind asked[ASKED_AVERAGES])
{
	const char *at = ctx->query.value[PARAMETER_AVERAGES].bytes;
	memset(asked, 0, ASKED_AVERAGES * sizeof *asked);
	for (size_t count = 0; at; count++) {
		const size_t length = strcspn(at, ",");
		if (count == ASKED_AVERAGES)
			return query_problem(ctx, "averages",
					     "At most 4 averages can be asked for.",
					     "1 to 4 names such as ao25,mo10", NULL);
		if (!read_kind(at, length, &asked[count]))
			return refuse_name(ctx, at, length);
		for (size_t i = 0; i < count; i++)
			if (asked[i].of == asked[count].of && asked[i].mean == asked[count].mean)
				return query_problem(ctx, "averages",
						     "A name is in the list twice.",
						     "different names such as ao25,mo10", NULL);
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

bool asked_averages_equal(const struct average_kind *a, const struct average_kind *b)
{
	for (size_t i = 0; i < ASKED_AVERAGES; i++)
		if (a[i].of != b[i].of || a[i].mean != b[i].mean)
			return false;
	return true;
}

void average_kind_name(struct average_kind kind, char name[AVERAGE_NAME_BYTES])
{
	snprintf(name, AVERAGE_NAME_BYTES, "%s%u", kind.mean ? "mo" : "ao",
		 kind.of % (AVERAGE_MAX + 1));
}

unsigned average_kind_trim(struct average_kind kind)
{
	return kind.mean ? 0 : average_trim(kind.of);
}
