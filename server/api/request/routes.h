/* routes.h: the table of what the server answers. 404, 405 with Allow, 406, 415, HEAD and OPTIONS
 * follow from it.
 *
 * To add an endpoint: its handler in a file of its own, its row here, its entry in openapi.yaml. */
#ifndef SERVER_API_REQUEST_ROUTES_H
#define SERVER_API_REQUEST_ROUTES_H

#include "server/api/request/context.h"

/* What a route does decides who may call it, which rate counts it, and whether an Idempotency-Key is
 * heeded. */
enum route_does {
	READS,      /* a session it looks at must be one that may be seen */
	CREATES,    /* a session; as READS for one whose cube is taken */
	WRITES,     /* something that all who may read the session see */
	TURNS,      /* the cube of the session, or its patterns */
	OWNS,       /* changes what only the owner may */
	OWNS_READS, /* tells what only the owner may know */
};

enum route_body {
	BODY_NONE, /* or not JSON */
	BODY_JSON, /* parsed before the handler is called */
	BODY_OWN   /* JSON that the handler parses */
};

struct route {
	const char *method; /* HEAD is answered by the GET row */
	const char *path;   /* {id} stands for a session's id; {another} for any other part */
	void (*handle)(struct context *ctx); /* answers the context, now or later */
	uint32_t parameters; /* bits (1 << enum parameter) of the query parameters it knows */
	uint16_t media; /* bits (1 << enum media) of what it can answer; 0: it has no body to answer
			 */
	uint8_t body;   /* enum route_body */
	uint8_t lines;  /* reads NDJSON too, and answers that with one of these bits; 0: it does not
			 */
	uint8_t does;   /* enum route_does */
};

/* Whether it changes something that is stored. */
static inline bool route_changes(const struct route *route)
{
	return route->does != READS && route->does != OWNS_READS;
}

extern const struct route routes[];
extern const size_t route_count;

/* Prepares route_find(). Before other threads serve. */
void routes_setup(void);

/* The row of a method (GET for HEAD) and a decoded path; NULL where there is none. `id` and `part`
 * as in route_match(); `id` is empty where the path has none. */
const struct route *route_find(const char *method, const struct text *path, struct text *id,
			       struct text *part);

/* Matches a decoded path against a pattern. Where it has {id}, `id` is set to that part; `part` to
 * what another hole stands for. Neither is followed by a NUL. */
bool route_match(const char *pattern, const struct text *path, struct text *id, struct text *part);

/* Handlers, by file. */
void apply_handle(struct context *ctx);   /* apply.c */
void convert_handle(struct context *ctx); /* convert.c */
void validate_handle(struct context *ctx);
void compose_handle(struct context *ctx); /* compose.c */
void invert_handle(struct context *ctx);
void features_handle(struct context *ctx);  /* features.c */
void algorithm_handle(struct context *ctx); /* algorithm.c */
void match_handle(struct context *ctx);     /* match.c */
void symmetry_handle(struct context *ctx);  /* symmetry.c */
void patterns_handle(struct context *ctx);  /* patterns.c */
void pattern_handle(struct context *ctx);
void pattern_put_handle(struct context *ctx); /* custom_patterns_put.c */
void pattern_remove_handle(struct context *ctx);
void scramble_handle(struct context *ctx); /* scramble.c */
void solve_handle(struct context *ctx);    /* solve.c */
void job_read_handle(struct context *ctx); /* jobs.c */
void job_cancel_handle(struct context *ctx);
void job_events_handle(struct context *ctx);
void solvers_handle(struct context *ctx); /* solvers.c */
void image_handle(struct context *ctx);   /* image.c */
void formats_handle(struct context *ctx); /* about.c */
void limits_handle(struct context *ctx);
void health_handle(struct context *ctx);
void ready_handle(struct context *ctx);
void metrics_handle(struct context *ctx); /* metrics.c */
void openapi_yaml_handle(struct context *ctx);
void openapi_json_handle(struct context *ctx);
void page_handle(struct context *ctx); /* page.c */
void page_module_handle(struct context *ctx);
void session_create_handle(struct context *ctx); /* sessions.c */
void session_read_handle(struct context *ctx);
void session_change_handle(struct context *ctx);
void session_delete_handle(struct context *ctx);
void session_list_handle(struct context *ctx); /* list.c */
void search_handle(struct context *ctx);       /* search.c */
void session_find_handle(struct context *ctx); /* sessions/history_search.c */
void session_cube_handle(struct context *ctx); /* history.c */
void session_history_handle(struct context *ctx);
void session_events_handle(struct context *ctx); /* events.c */
void session_moves_handle(struct context *ctx);  /* sessions/append.c */
void session_scramble_handle(struct context *ctx);
void session_undo_handle(struct context *ctx); /* undo.c */
void session_redo_handle(struct context *ctx);
void session_reset_handle(struct context *ctx);
void solve_list_handle(struct context *ctx); /* solves/solves.c */
void solve_read_handle(struct context *ctx);
void solve_change_handle(struct context *ctx);
void solve_remove_handle(struct context *ctx);
void solve_post_handle(struct context *ctx);   /* solves/post.c */
void solve_import_handle(struct context *ctx); /* solves/import.c */
void solve_stats_handle(struct context *ctx);  /* solves/stats.c */
void token_create_handle(struct context *ctx); /* tokens.c */
void token_list_handle(struct context *ctx);
void token_revoke_handle(struct context *ctx);
void ticket_handle(struct context *ctx);

#endif
