/* events.c: GET .../events: the entries of a session as they are made. */
#include <string.h>

#include "server/api/limit.h"
#include "server/api/negotiate.h"
#include "server/api/problem.h"
#include "server/api/right.h"
#include "server/api/routes.h"
#include "server/api/session_out.h"
#include "server/api/state.h"
#include "server/live/event_id.h"

/* Whoever may read the session may watch it: who asks for its events passes the same checks on the
 * way here as who GETs it, and is asked again when its access changes (live_end). */
static void events_entered(struct work *work)
{
	struct subscribe_options *options = work->data;
	const struct stored_token *token = right_token(work);
	if (token && token->label[0])
		options->name = token->label;
	struct reply *reply = &work->request->reply;
	struct subscriber *subscriber = NULL;
	enum live_joined joined = LIVE_JOINED;
	if (strcmp(work->request->method, "HEAD") != 0)
		joined = live_join(work, options, &subscriber);
	if (joined == LIVE_JOINED) {
		reply->status = 200;
		reply->content_type = media_type(work->media);
		reply->subscriber = subscriber;
	} else if (joined == LIVE_FULL) {
		limit_full(work->request, "This session is watched by as many as it may be (see "
					  "max-watchers-per-session in /v1/limits).");
	} else if (joined == LIVE_CROWDED) {
		problem_answer(work->request, PROBLEM_BUSY,
			       "Sessions in use take all the memory that they may (see cache-bytes "
			       "in /v1/limits).");
	} else {
		work_no_memory(work);
	}
	work_answer(work);
}

/* `after`, or what an EventSource tells by itself when it comes back, which is newer. */
static bool read_after(struct work *work, struct subscribe_options *options)
{
	const char *header = work->request->header[HEADER_LAST_EVENT_ID];
	struct text after = work->query.value[PARAMETER_AFTER];
	bool told = header && header[0];
	if (told)
		after = (struct text){header, strlen(header)};
	options->resume = after.bytes != NULL;
	if (!options->resume ||
	    live_id_parse(work->service, after.bytes, after.length, &options->foreign, &options->after))
		return true;
	return query_problem(work, told ? "Last-Event-ID" : "after",
			     "This is no revision and no id of an event.",
			     "a revision, or the id of an event: EPOCH-REVISION", NULL);
}

void session_events_handle(struct work *work)
{
	struct subscribe_options *options = work_take(work, sizeof *options);
	bool cube = false;
	if (options)
		*options = (struct subscribe_options){0};
	if (!options || !query_bool(work, PARAMETER_CUBE, &cube) || !read_after(work, options)) {
		work_answer(work);
		return;
	}
	if (work->media == MEDIA_NDJSON)
		options->form = cube ? LIVE_LINES_CUBE : LIVE_LINES;
	else
		options->form = cube ? LIVE_EVENTS_CUBE : LIVE_EVENTS;
	work->data = options;
	hub_enter(work, NEED_READ, events_entered);
}
