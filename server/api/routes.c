/* routes.c: the table of routes. */
#include "server/api/routes.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "server/api/cubes/cubes.h"
#include "server/api/metrics.h"
#include "server/api/sessions/sessions.h"
#include "server/api/site/site.h"
#include "server/api/solves/solves.h"
#include "server/api/solving/solving.h"

#define P(name) (1u << PARAMETER_##name)
#define M(name) (1u << MEDIA_##name)

#define CUBE_PARAMETERS (P(AS) | P(ORDER) | P(COLOR) | P(VIEW) | P(COLORS))
#define CUBE_MEDIA (M(JSON) | M(TEXT) | M(SVG))
#define ROW_MEDIA (M(JSON) | M(NDJSON) | M(OCTETS) | M(NPY))

const struct route routes[] = {
	{"GET", "/v1/apply", apply_handle,
	 P(SIZE) | P(FACELETS) | P(INDEX) | P(REID) | P(SESSION) | P(AT) | P(MOVES) | P(NOTATION) |
		 P(TURNS) | CUBE_PARAMETERS,
	 CUBE_MEDIA, BODY_NONE, 0, READS},
	{"POST", "/v1/apply", apply_handle, P(TURNS) | CUBE_PARAMETERS, CUBE_MEDIA, BODY_JSON, 0,
	 READS},
	{"POST", "/v1/algorithm", algorithm_handle, 0, M(JSON), BODY_JSON, 0, READS},
	{"POST", "/v1/convert", convert_handle, CUBE_PARAMETERS, CUBE_MEDIA | M(NDJSON), BODY_JSON,
	 M(NDJSON), READS},
	{"POST", "/v1/validate", validate_handle, P(AS) | P(ORDER), M(JSON), BODY_JSON, 0, READS},
	{"POST", "/v1/compose", compose_handle, CUBE_PARAMETERS, CUBE_MEDIA, BODY_JSON, 0, READS},
	{"POST", "/v1/invert", invert_handle, CUBE_PARAMETERS, CUBE_MEDIA, BODY_JSON, 0, READS},
	{"POST", "/v1/features", features_handle, P(DTYPE), ROW_MEDIA, BODY_OWN, ROW_MEDIA, READS},
	{"POST", "/v1/match", match_handle, 0, M(JSON), BODY_JSON, 0, READS},
	{"GET", "/v1/patterns", patterns_handle, P(SIZE) | P(SESSION), M(JSON), BODY_NONE, 0,
	 READS},
	{"GET", "/v1/patterns/{name}", pattern_handle, P(SIZE) | P(SESSION), M(JSON), BODY_NONE, 0,
	 READS},
	{"PUT", "/v1/patterns/{name}", pattern_put_handle, P(SESSION), M(JSON), BODY_JSON, 0,
	 TURNS},
	{"DELETE", "/v1/patterns/{name}", pattern_remove_handle, P(SESSION), 0, BODY_NONE, 0,
	 TURNS},
	{"GET", "/v1/facts", symmetry_handle,
	 P(SIZE) | P(FACELETS) | P(INDEX) | P(REID) | P(SESSION) | P(AT) | P(MOVES) | P(NOTATION),
	 M(JSON), BODY_NONE, 0, READS},
	{"POST", "/v1/facts", symmetry_handle, 0, M(JSON), BODY_JSON, 0, READS},
	{"GET", "/v1/scramble", scramble_handle,
	 P(SIZE) | P(COUNT_OF) | P(SEED) | P(VARIANT) | P(AS) | P(ORDER),
	 M(JSON) | M(NDJSON) | M(TEXT), BODY_NONE, 0, READS},
	{"POST", "/v1/solve", solve_handle, 0, M(JSON), BODY_JSON, M(NDJSON), READS},
	{"GET", "/v1/jobs/{job_id}", job_read_handle, 0, M(JSON), BODY_NONE, 0, READS},
	{"DELETE", "/v1/jobs/{job_id}", job_cancel_handle, 0, M(JSON), BODY_NONE, 0, READS},
	{"GET", "/v1/jobs/{job_id}/events", job_events_handle, 0, M(EVENTS) | M(NDJSON), BODY_NONE,
	 0, READS},
	{"GET", "/v1/solvers", solvers_handle, 0, M(JSON), BODY_NONE, 0, READS},
	{"GET", "/v1/image.svg", image_handle,
	 P(SIZE) | P(FACELETS) | P(INDEX) | P(REID) | P(SESSION) | P(AT) | P(MOVES) | P(NOTATION) |
		 P(VIEW) | P(COLORS),
	 M(SVG), BODY_NONE, 0, READS},
	{"GET", "/v1/formats", formats_handle, 0, M(JSON), BODY_NONE, 0, READS},
	{"GET", "/v1/limits", limits_handle, 0, M(JSON), BODY_NONE, 0, READS},
	{"GET", "/v1/sessions", session_list_handle, P(LIMIT) | P(CURSOR) | P(AS) | P(ORDER),
	 M(JSON), BODY_NONE, 0, READS},
	{"POST", "/v1/sessions", session_create_handle, CUBE_PARAMETERS, CUBE_MEDIA, BODY_JSON, 0,
	 CREATES},
	{"GET", "/v1/sessions/{id}", session_read_handle, CUBE_PARAMETERS, CUBE_MEDIA, BODY_NONE, 0,
	 READS},
	{"PATCH", "/v1/sessions/{id}", session_change_handle, CUBE_PARAMETERS, CUBE_MEDIA,
	 BODY_JSON, 0, OWNS},
	{"DELETE", "/v1/sessions/{id}", session_delete_handle, 0, 0, BODY_NONE, 0, DELETES},
	{"GET", "/v1/sessions/{id}/cube", session_cube_handle, P(AT) | CUBE_PARAMETERS, CUBE_MEDIA,
	 BODY_NONE, 0, READS},
	{"POST", "/v1/sessions/{id}/moves", session_moves_handle, CUBE_PARAMETERS, CUBE_MEDIA,
	 BODY_JSON, 0, TURNS},
	{"POST", "/v1/sessions/{id}/undo", session_undo_handle, CUBE_PARAMETERS, CUBE_MEDIA,
	 BODY_JSON, 0, TURNS},
	{"POST", "/v1/sessions/{id}/redo", session_redo_handle, CUBE_PARAMETERS, CUBE_MEDIA,
	 BODY_JSON, 0, TURNS},
	{"POST", "/v1/sessions/{id}/reset", session_reset_handle, CUBE_PARAMETERS, CUBE_MEDIA,
	 BODY_JSON, 0, TURNS},
	{"POST", "/v1/sessions/{id}/scramble", session_scramble_handle, CUBE_PARAMETERS, CUBE_MEDIA,
	 BODY_JSON, 0, TURNS},
	{"GET", "/v1/sessions/{id}/history", session_history_handle,
	 P(AFTER) | P(LIMIT) | P(WAIT_MS), M(JSON) | M(NDJSON), BODY_NONE, 0, READS},
	{"GET", "/v1/sessions/{id}/events", session_events_handle, P(AFTER) | P(CUBE) | P(TICKET),
	 M(EVENTS) | M(NDJSON), BODY_NONE, 0, READS},
	{"POST", "/v1/sessions/{id}/tokens", token_create_handle, 0, M(JSON), BODY_JSON, 0, OWNS},
	{"GET", "/v1/sessions/{id}/tokens", token_list_handle, 0, M(JSON), BODY_NONE, 0,
	 OWNS_READS},
	{"DELETE", "/v1/sessions/{id}/tokens/{token_id}", token_revoke_handle, 0, 0, BODY_NONE, 0,
	 OWNS},
	{"POST", "/v1/sessions/{id}/ticket", ticket_handle, 0, M(JSON), BODY_JSON, 0, READS},
	{"POST", "/v1/search", search_handle, P(LIMIT) | P(CURSOR) | P(AS) | P(ORDER), M(JSON),
	 BODY_JSON, 0, READS},
	{"POST", "/v1/sessions/{id}/find", session_find_handle, 0, M(JSON), BODY_JSON, 0, READS},
	{"GET", "/v1/solves", solve_list_handle,
	 P(SESSION) | P(SIZE) | P(FROM) | P(TO) | P(PENALTY) | P(ASSISTED) | P(LIMIT) | P(CURSOR),
	 M(JSON) | M(CSV) | M(CSTIMER), BODY_NONE, 0, READS},
	{"POST", "/v1/solves", solve_post_handle, 0, M(JSON), BODY_JSON, 0, TURNS},
	/* Its body is a file, which it reads itself. */
	{"POST", "/v1/solves/import", solve_import_handle, P(SESSION) | P(SIZE), M(JSON), BODY_NONE,
	 0, TURNS},
	{"GET", "/v1/solves/stats", solve_stats_handle, P(SESSION) | P(SIZE) | P(FROM) | P(TO),
	 M(JSON), BODY_NONE, 0, READS},
	{"GET", "/v1/solves/{solve_id}", solve_read_handle, 0, M(JSON), BODY_NONE, 0, READS},
	{"PATCH", "/v1/solves/{solve_id}", solve_change_handle, 0, M(JSON), BODY_JSON, 0, TURNS},
	{"DELETE", "/v1/solves/{solve_id}", solve_remove_handle, 0, 0, BODY_NONE, 0, TURNS},
	{"GET", "/healthz", health_handle, 0, M(JSON) | M(TEXT), BODY_NONE, 0, READS},
	{"GET", "/metrics", metrics_handle, 0, M(TEXT), BODY_NONE, 0, READS},
	{"GET", "/readyz", ready_handle, 0, M(JSON) | M(TEXT), BODY_NONE, 0, READS},
	{"GET", "/openapi.yaml", openapi_yaml_handle, 0, M(YAML) | M(TEXT), BODY_NONE, 0, READS},
	{"GET", "/openapi.json", openapi_json_handle, 0, M(JSON), BODY_NONE, 0, READS},
	{"GET", "/", page_handle, 0, M(HTML), BODY_NONE, 0, READS},
	{"GET", "/docs", page_handle, 0, M(HTML), BODY_NONE, 0, READS},
	{"GET", "/page.css", page_handle, 0, M(STYLE), BODY_NONE, 0, READS},
	{"GET", "/page.svg", page_handle, 0, M(SVG), BODY_NONE, 0, READS},
	{"GET", "/page.js", page_handle, 0, M(SCRIPT), BODY_NONE, 0, READS},
	{"GET", "/page/{name}", page_module_handle, 0, M(SCRIPT), BODY_NONE, 0, READS},
};

#define ROUTES (sizeof routes / sizeof routes[0])

const size_t route_count = ROUTES;

/* The deepest path; those with more slashes than that are none. */
#define SLASHES_MAX 7

/* By the slashes of a path: the rows that have as many, in their order. */
static struct {
	unsigned char rows[ROUTES];
	unsigned count;
} routes_with[SLASHES_MAX + 1];
static_assert(ROUTES <= UCHAR_MAX, "a row's number does not fit");

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
	for (size_t i = 0; i < ROUTES; i++) {
		const size_t slashes = count_slashes(routes[i].path, strlen(routes[i].path));
		assert(slashes <= SLASHES_MAX);
		routes_with[slashes].rows[routes_with[slashes].count++] = (unsigned char)i;
	}
}

bool route_match(const char *pattern, const struct text *path, struct text *id, struct text *part)
{
	const char *at = path->bytes, *end = path->bytes + path->length;
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
		*(strncmp(pattern, "{id}", 4) == 0 ? id : part) = hole;
		at += hole.length;
		pattern = strchr(pattern, '}') + 1;
	}
	return at == end;
}

const struct route *route_find(const char *method, const struct text *path, struct text *id,
			       struct text *part)
{
	const size_t slashes = count_slashes(path->bytes, path->length);
	for (unsigned k = 0; slashes <= SLASHES_MAX && k < routes_with[slashes].count; k++) {
		const struct route *route = &routes[routes_with[slashes].rows[k]];
		*id = (struct text){0};
		if (strcmp(route->method, method) == 0 && route_match(route->path, path, id, part))
			return route;
	}
	return NULL;
}
