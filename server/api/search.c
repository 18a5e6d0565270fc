/* search.c: POST /v1/search: sessions whose cube fits a pattern now, or is a given one however it
 * is held: the public ones, and the one whose token is sent. */
#include "server/api/cube_in.h"
#include "server/api/cursor.h"
#include "server/api/input.h"
#include "server/api/own.h"
#include "server/api/routes.h"
#include "server/api/scan.h"
#include "server/api/session_out.h"
#include "server/api/state.h"

#include <string.h>

#define LIMIT_DEFAULT 20
#define LIMIT_MAX 100
/* Sessions that are looked at for one answer: some tenths of a second, in slices. */
#define LOOK_AT 5000
#define PAGE_BYTES (4u << 20)

struct search {
	struct cube_request cube; /* first: cube_resolve hands it back; of a search by cube */
	struct pattern_request pattern;
	struct own_scope own;
	bool by_cube;
	int size;
	struct cube_view view;
	int64_t limit, count, looked_at;
	uint64_t before;
	struct scan scan;
	struct out out;
	uint8_t *colors, *spare, *canonical; /* by facelet; NULL until the first slice */
};

static bool search_fits(struct search *search, const struct cube *cube)
{
	cube_colors(cube, search->colors);
	if (!search->by_cube)
		return cube_query_match(search->pattern.query, search->colors, CUBE_FITS_ALL) != 0;
	cube_canonical(search->size, search->colors, search->spare);
	return memcmp(search->spare, search->canonical, cube_facelets(search->size)) == 0;
}

static bool search_visit(void *context, struct stored_session *session)
{
	struct search *search = context;
	search->looked_at++;
	if (session->meta.size != search->size || !search_fits(search, session->history->cube))
		return true;
	session_write(&search->out, &session->meta, session->scramble, session->scramble_count,
		      session->history, &search->view, CUBE_KNOWN);
	search->count++;
	return search->count < search->limit && search->out.buffer->length < PAGE_BYTES &&
	       !search->out.buffer->failed;
}

static bool search_prepare(struct work *work, struct store_reader *reader, struct search *search)
{
	size_t facelets = cube_facelets(search->size);
	search->colors = work_take(work, facelets);
	search->spare = work_take(work, facelets);
	search->canonical = work_take(work, facelets);
	if (!search->colors || !search->spare || !search->canonical)
		return false;
	if (!search->by_cube)
		return own_find(work, reader, &search->own, &search->pattern) &&
		       pattern_make(work, &search->pattern, search->size);
	if (!cube_request_turn(work, &search->cube))
		return false;
	cube_colors(search->cube.cube, search->colors);
	cube_canonical(search->size, search->colors, search->canonical);
	return true;
}

static void search_begin(struct work *work, struct search *search)
{
	struct out *out = &search->out;
	search->scan = (struct scan){.work = work,
				     .at = search->before,
				     .left = LOOK_AT,
				     .session = search_visit,
				     .context = search};
	out->buffer = &work->request->reply.body;
	out_open(out, '{');
	out_key(out, "items");
	out_open(out, '[');
}

/* A slice of it. */
static void search_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct search *search = work->data;
	struct out *out = &search->out;
	if (!search->canonical) {
		if (!search_prepare(work, reader, search))
			return;
		search_begin(work, search);
	}
	const uint64_t hash =
		search->by_cube ? cube_colors_hash(search->size, search->canonical) : 0;
	if (!scan_sessions(&search->scan, reader, work->who.key, search->by_cube ? &hash : NULL))
		return;
	if (search->scan.status != STORE_OK) {
		work_store_problem(work, search->scan.status);
		return;
	}
	out_close(out, ']');
	out_key(out, "looked_at");
	out_integer(out, search->looked_at);
	cursor_write(out, search->scan.at);
	out_close(out, '}');
	work_reply_json(work, 200);
}

static void search_done(struct job *job)
{
	work_answer(work_of_job(job));
}

static void search_start(struct work *work)
{
	struct search *search = work->data;
	search->own = own_scope(work);
	if (search->by_cube)
		search->size = search->cube.size;
	if (!cube_view_fits(work, &search->view, search->size)) {
		work_answer(work);
		return;
	}
	work->job.run = search_run;
	work->job.done = search_done;
	/* Few are alike, but a pattern is looked for in all of them. */
	pool_submit(search->by_cube ? work->service->readers : work->service->scans, &work->job);
}

static bool search_read(struct work *work, struct search *search)
{
	struct input_value *pattern = NULL, *cube = NULL;
	int64_t size = -1;
	const struct input_member members[] = {
		{"pattern", INPUT_ANY, &pattern, 0, 0},
		{"size", INPUT_INTEGER, &size, CUBE_SIZE_MIN, cube_size_max(work)},
		{"cube", INPUT_OBJECT, &cube, 0, 0},
	};
	if (!cube_view_read(work, &search->view) ||
	    !query_integer(work, PARAMETER_LIMIT, 1, LIMIT_MAX, &search->limit) ||
	    !cursor_read(work, &search->before) || !input_object(work, work->body, "", members, 3))
		return false;
	search->by_cube = cube != NULL;
	search->size = (int)(size >= 0 ? size : cube_size_default(work));
	if (cube && (pattern || size >= 0))
		return input_problem(work, "/cube", "A search is for one thing.",
				     "either cube, or pattern and size", NULL);
	return cube ? cube_request_read(work, cube, "/cube", &search->cube)
		    : pattern_take(work, pattern, "/pattern", &search->pattern);
}

void search_handle(struct work *work)
{
	struct search *search = work_take(work, sizeof *search);
	if (search)
		*search = (struct search){.cube = {.at = -1}, .limit = LIMIT_DEFAULT};
	work->data = search;
	if (!search || !search_read(work, search))
		work_answer(work);
	else if (search->by_cube)
		cube_resolve(work, &search->cube, search_start);
	else
		search_start(work);
}
