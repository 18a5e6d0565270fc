/* routes.h: the table of what the server answers. 404, 405 with Allow, 406, 415, HEAD and OPTIONS
 * follow from it.
 *
 * To add an endpoint: its handler in a file of its own, its row here, its entry in openapi.yaml. */
#ifndef SERVER_API_ROUTES_H
#define SERVER_API_ROUTES_H

#include "server/api/work.h"

/* What a route does decides who may, by which rate he is counted, and whether an Idempotency-Key is
 * heeded. */
enum route_does {
	READS,      /* a session it looks at must be one that may be seen */
	CREATES,    /* a session; as READS for one whose cube is taken */
	WRITES,     /* something that may be seen by whoever sees the session */
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
	void (*handle)(struct work *work); /* answers the work, now or later */
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
void apply_handle(struct work *work);   /* apply.c */
void convert_handle(struct work *work); /* convert.c */
void validate_handle(struct work *work);
void compose_handle(struct work *work); /* compose.c */
void invert_handle(struct work *work);
void features_handle(struct work *work);  /* features.c */
void algorithm_handle(struct work *work); /* algorithm.c */
void match_handle(struct work *work);     /* match.c */
void facts_handle(struct work *work);     /* facts.c */
void patterns_handle(struct work *work);  /* patterns.c */
void pattern_handle(struct work *work);
void pattern_put_handle(struct work *work); /* own_put.c */
void pattern_remove_handle(struct work *work);
void scramble_handle(struct work *work);  /* scramble.c */
void solve_handle(struct work *work);     /* solve.c */
void job_read_handle(struct work *work);  /* jobs.c */
void job_cancel_handle(struct work *work);
void job_events_handle(struct work *work);
void solvers_handle(struct work *work); /* solvers.c */
void image_handle(struct work *work); /* image.c */
void formats_handle(struct work *work); /* about.c */
void limits_handle(struct work *work);
void health_handle(struct work *work);
void ready_handle(struct work *work);
void metrics_handle(struct work *work); /* metrics.c */
void openapi_yaml_handle(struct work *work);
void openapi_json_handle(struct work *work);
void page_handle(struct work *work); /* page.c */
void page_module_handle(struct work *work);
void session_create_handle(struct work *work); /* sessions.c */
void session_read_handle(struct work *work);
void session_change_handle(struct work *work);
void session_delete_handle(struct work *work);
void session_list_handle(struct work *work); /* list.c */
void search_handle(struct work *work);       /* search.c */
void session_find_handle(struct work *work); /* find.c */
void session_cube_handle(struct work *work); /* history.c */
void session_history_handle(struct work *work);
void session_events_handle(struct work *work); /* events.c */
void session_moves_handle(struct work *work);  /* turning.c */
void session_scramble_handle(struct work *work);
void session_undo_handle(struct work *work); /* undo.c */
void session_redo_handle(struct work *work);
void session_reset_handle(struct work *work);
void solve_list_handle(struct work *work); /* books.c */
void solve_read_handle(struct work *work);
void solve_change_handle(struct work *work);
void solve_remove_handle(struct work *work);
void solve_post_handle(struct work *work);   /* book_post.c */
void solve_import_handle(struct work *work); /* book_import.c */
void solve_stats_handle(struct work *work);  /* book_stats.c */
void token_create_handle(struct work *work); /* tokens.c */
void token_list_handle(struct work *work);
void token_revoke_handle(struct work *work);
void ticket_handle(struct work *work);

#endif
