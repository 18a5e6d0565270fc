/* routes.c: the table of routes. */
#include "server/api/routes.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "cube/version.h"
#include "server/api/request/handlers.h"

#define P(name) ((parameter_set)1 << PARAMETER_##name)
#define M(name) (1u << MEDIA_##name)

/* A cube that the query describes, with moves. */
#define CUBE_GIVEN_PARAMETERS                                                                      \
	(P(SIZE) | P(FACELETS) | P(INDEX) | P(REID) | P(SESSION) | P(AT) | P(MOVES) | P(NOTATION))
#define CUBE_PARAMETERS (P(AS) | P(ORDER) | P(COLOR) | P(VIEW) | P(COLORS))
#define PICTURE_PARAMETERS                                                                         \
	(P(VIEW) | P(COLORS) | P(PIXELS) | P(ROTATE) | P(BACKGROUND) | P(PLASTIC) | P(MASK) |      \
	 P(ARROWS))
#define CUBE_MEDIA (M(JSON) | M(TEXT) | M(SVG))
#define ROW_MEDIA (M(JSON) | M(NDJSON) | M(OCTETS) | M(NPY))

static struct route table[ROUTES_MAX] = {
#define ROUTE(...) {__VA_ARGS__, false},
#define PAGE(path, handle, media) {"GET", path, handle, 0, media, BODY_NONE, 0, READS, true},
#include "server/api/request/routes.def"
#undef ROUTE
#undef PAGE
};

enum {
#define ROUTE(...) +1
#define PAGE ROUTE
	ROUTES_OF_SERVER =
#include "server/api/request/routes.def"
#undef ROUTE
#undef PAGE
};

const struct route *const routes = table;
size_t route_count = ROUTES_OF_SERVER;

/* The calls of modules: what their paths begin with. */
static const struct route_module modules[] = {
	{"/v1/solves", "times", "recorded solves"},
};

/* The deepest path; a path with more slashes has no route. */
#define SLASHES_MAX 7

/* For each number of slashes: the rows with that many, in table order. */
static struct {
	unsigned char rows[ROUTES_MAX];
	unsigned count;
} routes_with[SLASHES_MAX + 1];
static_assert(ROUTES_MAX <= UCHAR_MAX, "a row's number does not fit");

void routes_add(const struct route *rows, size_t count)
{
	for (size_t i = 0; i < route_count; i++)
		if (strcmp(table[i].path, rows[0].path) == 0)
			return;
	assert(route_count + count <= ROUTES_MAX);
	memcpy(table + route_count, rows, count * sizeof *rows);
	route_count += count;
}

/* Returns true if the path is this one or one below it. */
static bool is_below(const struct text *path, const char *above)
{
	const size_t length = strlen(above);
	return path->length >= length && memcmp(path->bytes, above, length) == 0 &&
	       (path->length == length || path->bytes[length] == '/');
}

const struct route_module *route_missing(const struct text *path)
{
	size_t i = 0;
	while (i < sizeof modules / sizeof modules[0] && !is_below(path, modules[i].path))
		i++;
	if (i == sizeof modules / sizeof modules[0])
		return NULL;
	const struct text above = {modules[i].path, strlen(modules[i].path)};
	return route_path_is_fixed(&above) ? NULL : &modules[i];
}

static size_t count_slashes(const char *path, size_t length)
{
	size_t slashes = 0;
	for (size_t i = 0; i < length; i++)
		slashes += path[i] == '/';
	return slashes;
}

void routes_setup(void)
{
	for (size_t i = 0; i <= SLASHES_MAX; i++)
		routes_with[i].count = 0;
	for (size_t i = 0; i < route_count; i++) {
		const size_t slashes = count_slashes(routes[i].path, strlen(routes[i].path));
		assert(slashes <= SLASHES_MAX);
		routes_with[slashes].rows[routes_with[slashes].count++] = (unsigned char)i;
	}
}

bool route_match(const char *pattern, const struct text *path, struct path_parts *parts)
{
	const char *at = path->bytes, *end = path->bytes + path->length;
	*parts = (struct path_parts){0};
	while (*pattern) {
		if (*pattern != '{') {
			if (at == end || *at++ != *pattern++)
				return false;
			continue;
		}
		const char *slash = memchr(at, '/', (size_t)(end - at));
		struct text hole = {at, (size_t)((slash ? slash : end) - at)};
		if (hole.length == 0)
			return false;
		if (strncmp(pattern, "{id}", 4) == 0) {
			parts->id = hole;
		} else {
			parts->outer = parts->name;
			parts->name = hole;
		}
		at += hole.length;
		pattern = strchr(pattern, '}') + 1;
	}
	return at == end;
}

bool route_path_is_fixed(const struct text *path)
{
	const size_t slashes = count_slashes(path->bytes, path->length);
	for (unsigned k = 0; slashes <= SLASHES_MAX && k < routes_with[slashes].count; k++) {
		const char *row = routes[routes_with[slashes].rows[k]].path;
		if (text_is(*path, row))
			return !strchr(row, '{');
	}
	return false;
}

const struct route *route_find(const char *method, const struct text *path,
			       struct path_parts *parts)
{
	const size_t slashes = count_slashes(path->bytes, path->length);
	for (unsigned k = 0; slashes <= SLASHES_MAX && k < routes_with[slashes].count; k++) {
		const struct route *route = &routes[routes_with[slashes].rows[k]];
		if (strcmp(route->method, method) == 0 && route_match(route->path, path, parts) &&
		    (!strchr(route->path, '{') || !route_path_is_fixed(path)))
			return route;
	}
	return NULL;
}
