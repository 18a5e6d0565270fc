/* record.c: a solve is recorded with the entry that ends it. */
#include "server/api/record.h"

#include <string.h>

#include "server/api/right.h"
#include "server/api/state.h"
#include "server/solves/attempt.h"
#include "server/util/log.h"

struct recording {
	struct job job;
	struct work *work;
	struct attempt attempt;
	enum store_status status;
	uint64_t count; /* of the book's solves */
};

bool record_due(const struct work *work)
{
	return !work->snapshot->settled && cube_is_solved(work->after->cube);
}

static void record_run(struct job *job, struct store_reader *reader)
{
	struct recording *recording = (struct recording *)job;
	struct work *work = recording->work;
	struct store *store = work->service->store;
	recording->status = attempt_find(&recording->attempt, store, reader, &work->request->arena);
	if (recording->status == STORE_OK && recording->attempt.found)
		recording->status = store->operations->solve_count(reader, recording->attempt.key,
								   &recording->count);
}

/* Where the history cannot be read, or the book is full, the entry is stored all the same. */
static void record_done(struct job *job)
{
	struct recording *recording = (struct recording *)job;
	struct work *work = recording->work;
	struct attempt *attempt = &recording->attempt;
	struct session_id id;
	if (recording->status == STORE_NO_MEMORY) {
		work_no_memory(work);
		work_answer(work);
		return;
	}
	if (recording->status != STORE_OK)
		log_event(LOG_ERROR, "a solve was not recorded: the history cannot be read",
			  LOG_NUMBER("session", attempt->key));
	if (recording->status == STORE_OK && attempt->found &&
	    recording->count < work->service->config.limits.solves && session_id_make(&id)) {
		memcpy(attempt->solve.id, id.bytes, sizeof attempt->solve.id);
		attempt->solve.actor = right_actor(work);
		attempt->solve.assisted = work->session->meta.assisted > attempt->beginning;
		work->write.solves = &attempt->solve;
		work->write.solve_count = 1;
	}
	hub_write(work);
}

void record_start(struct work *work)
{
	const struct session *session = work->session;
	struct recording *recording = work_take(work, sizeof *recording);
	if (!recording) {
		work_answer(work);
		return;
	}
	*recording = (struct recording){
		.job = {.run = record_run, .done = record_done, .client = work->client},
		.work = work,
		.attempt = {.key = session->meta.key,
			    .size = session->meta.size,
			    .scramble = session->scramble,
			    .scramble_count = session->scramble_count,
			    .packed = work->write.packed,
			    .packed_bytes = work->write.packed_bytes,
			    .revision = work->write.revision,
			    .moves_max = (size_t)work->service->config.limits.moves}};
	pool_submit(work->service->readers, &recording->job);
}
