/* assistance.c: notes of which attempts a solution was given. */
#include "server/api/assistance.h"

#include <stdlib.h>

#include "server/api/cube_in.h"
#include "server/api/right.h"
#include "server/api/state.h"
#include "server/solves/attempt.h"

/* A write that nobody has asked for: a work of its own, beside the one that waits for it. */
struct note {
	struct request request;
	struct work work;
	struct work *asking;
	void (*then)(struct work *work);
};

/* Also where it could not be stored. */
static void note_written(struct request *request)
{
	struct note *note = request->owner;
	struct work *asking = note->asking;
	void (*then)(struct work *work) = note->then;
	request_finish(&note->request);
	free(note);
	then(asking);
}

void assistance_note(struct work *work, uint32_t revision, void (*then)(struct work *work))
{
	struct session *session = work->session;
	struct note *note = NULL;
	if (right_turns(work) && !session->committed->settled && session->meta.assisted <= revision)
		note = calloc(1, sizeof *note);
	if (!note) {
		then(work);
		return;
	}
	request_init(&note->request);
	note->request.owner = note;
	note->request.answered = note_written;
	note->request.work = &note->work;
	note->asking = work;
	note->then = then;
	note->work = (struct work){.service = work->service,
				   .request = &note->request,
				   .internal = true,
				   .session = session};
	note->work.write.kind = WRITE_ASSISTANCE;
	note->work.write.meta.key = session->meta.key;
	note->work.write.revision = revision;
	session->pins++;
	atomic_fetch_add(&work->service->pending, 1);
	hub_write(&note->work);
}

/* ---- a cube that is sent ---- */

struct comparison {
	struct job job; /* first: a struct job * is cast back */
	struct work *work;
	const struct cube_request *cube;
	void (*then)(struct work *work);
	void *data; /* the work's, which it has back then */
	uint64_t key;
	enum store_status status;
	bool same;
};

static void comparison_end(struct work *work)
{
	const struct comparison *comparison = work->data;
	void (*then)(struct work *work) = comparison->then;
	hub_leave(work);
	work->data = comparison->data;
	then(work);
}

/* The cube with the moves on top; NULL with a problem. */
static struct cube *cube_asked(struct work *work, const struct cube_request *request)
{
	struct cube_alg alg;
	struct cube *cube = work_take(work, cube_bytes(request->size));
	if (!cube)
		return NULL;
	cube_copy(cube, request->cube);
	return !moves_given(&request->moves) ||
			       (moves_read(work, &request->moves, request->size, &alg) &&
				cube_turn_by(work, cube, &alg))
		       ? cube
		       : NULL;
}

static void comparison_run(struct job *job, struct store_reader *reader)
{
	struct comparison *comparison = (struct comparison *)job;
	struct work *work = comparison->work;
	const struct cube *cube = cube_asked(work, comparison->cube);
	if (cube)
		comparison->status =
			attempt_shows(work->service->store, reader, comparison->key,
				      work->snapshot->revision, cube, &comparison->same);
}

static void comparison_done(struct job *job)
{
	struct comparison *comparison = (struct comparison *)job;
	struct work *work = comparison->work;
	if (work->request->reply.status != 0)
		work_answer(work);
	else if (comparison->status == STORE_OK && comparison->same)
		assistance_note(work, work->snapshot->revision, comparison_end);
	else
		comparison_end(work);
}

static void comparison_entered(struct work *work)
{
	struct comparison *comparison = work->data;
	const struct session *session = work->session;
	if (!right_turns(work) || session->committed->settled ||
	    session->meta.size != comparison->cube->size) {
		comparison_end(work);
		return;
	}
	hub_look(work, session->committed);
	comparison->key = session->meta.key;
	pool_submit(work->service->readers, &comparison->job);
}

void assistance_note_cube(struct work *work, const struct cube_request *cube,
			  void (*then)(struct work *work))
{
	struct comparison *comparison = work_take(work, sizeof *comparison);
	if (!comparison) {
		work_answer(work);
		return;
	}
	*comparison = (struct comparison){.job = {.run = comparison_run, .done = comparison_done},
					  .work = work,
					  .cube = cube,
					  .then = then,
					  .data = work->data};
	work->data = comparison;
	work->id = work->who.session;
	hub_enter(work, NEED_READ, comparison_entered);
}
