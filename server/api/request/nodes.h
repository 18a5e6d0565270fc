/* nodes.h: what several servers need that share a database: a module has it. */
#ifndef SERVER_API_REQUEST_NODES_H
#define SERVER_API_REQUEST_NODES_H

struct elsewhere_calls;
struct gate_calls;
struct shared_jobs_calls;

struct nodes {
	const struct gate_calls *gate; /* server/session/gate.h: changes */
	const struct elsewhere_calls
		*elsewhere;                   /* server/live/live_internal.h: watchers and cues */
	const struct shared_jobs_calls *jobs; /* server/api/search/shared_jobs.h */
};

#endif
