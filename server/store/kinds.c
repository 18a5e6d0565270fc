/* kinds.c: the kinds of stores by their scheme, and those that modules add. */
#include "server/store/kinds.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "server/store/database_kind.h"
#include "server/store/memory.h"
#include "server/store/sqlite/open.h"

static const struct store_kind sqlite = {"sqlite", store_sqlite_open, &database_sqlite};
static const struct store_kind memory = {"memory", store_memory_open, NULL};

static struct {
	const char *scheme;
	const char *module; /* the one that has it; NULL: the server itself */
	const struct store_kind *kind;
} rows[] = {
	{"sqlite", NULL, &sqlite},
	{"memory", NULL, &memory},
	{"postgresql", "postgres", NULL},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

void store_kind_add(const struct store_kind *kind)
{
	size_t i = 0;
	while (i < ROWS && strcmp(rows[i].scheme, kind->scheme) != 0)
		i++;
	assert(i < ROWS);
	rows[i].kind = kind;
}

/* Returns the row of a location, ROWS if its scheme is unknown. */
static size_t find_row(const char *location)
{
	size_t i = 0;
	for (; i < ROWS; i++) {
		const size_t length = strlen(rows[i].scheme);
		if (strncmp(location, rows[i].scheme, length) == 0 && location[length] == ':')
			break;
	}
	return i;
}

const struct store_kind *store_kind_find(const char *location, const char **rest)
{
	const size_t i = find_row(location);
	if (i == ROWS)
		return NULL;
	*rest = location + strlen(rows[i].scheme) + 1;
	return rows[i].kind;
}

const char *store_kind_missing(const char *location)
{
	const size_t i = find_row(location);
	return i < ROWS && rows[i].kind == NULL ? rows[i].module : NULL;
}

void store_kind_explain_missing(const char *location, struct error *error)
{
	const char *module = store_kind_missing(location);
	/* The part after a scheme may have a password in it. */
	error_set(error,
		  "%.*s: needs the module %s, which this cubed was built without; use "
		  "sqlite:PATH, or build with it, as in: make MODULES=%s",
		  (int)strcspn(location, ":"), location, module, module);
}

void store_kind_schemes(char text[STORE_SCHEMES_BYTES])
{
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < ROWS; i++)
		if (rows[i].kind != NULL)
			used += (size_t)snprintf(text + used, STORE_SCHEMES_BYTES - used,
						 "%s%s:", used == 0 ? "" : ", ", rows[i].scheme);
}
