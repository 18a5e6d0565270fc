/* cube_in.c: reading the cube of a request. */
#include "server/api/cube_in.h"

#include <stdio.h>

#include "server/api/input.h"
#include "server/api/problem.h"
#include "server/api/routes.h"
#include "server/api/state.h"
#include "server/format/format.h"

#define FORMATS_MAX 16
#define PROBLEMS_MAX 16

int64_t cube_size_max(const struct work *work)
{
	uint64_t limit = work->service->config.limits.size;
	return limit < CUBE_SIZE_MAX ? (int64_t)limit : CUBE_SIZE_MAX;
}

int64_t cube_size_default(const struct work *work)
{
	return cube_size_max(work) < 3 ? cube_size_max(work) : 3;
}

bool cube_request_solved(struct work *work, int64_t size, const char *pointer,
			 struct cube_request *request)
{
	if (size < CUBE_SIZE_MIN || size > cube_size_max(work)) {
		char expected[64];
		snprintf(expected, sizeof expected, "a whole number from %d to %d", CUBE_SIZE_MIN,
			 (int)cube_size_max(work));
		return pointer ? input_problem(work, pointer, "This number is out of range.",
					       expected, NULL)
			       : query_problem(work, "size", "This number is out of range.",
					       expected, NULL);
	}
	request->source = CUBE_OF_SIZE;
	request->size = (int)size;
	return true;
}

/* What one member said of the cube; at most one may be there. */
struct description {
	struct json_t *format[FORMATS_MAX];
	int64_t size, at;
	struct text session, notation;
	struct json_t *moves;
};

static bool take_session(struct work *work, struct text id, const char *pointer, int64_t at,
			 struct cube_request *request)
{
	request->source = CUBE_OF_SESSION;
	request->at = at;
	request->where = pointer;
	if (session_id_parse(id.bytes, id.length, &request->session))
		return true;
	return pointer ? input_problem(work, pointer, "This is no session id.",
				       "16 letters and digits", NULL)
		       : query_problem(work, "session", "This is no session id.",
				       "16 letters and digits", NULL);
}

static bool take_colors(struct work *work, uint8_t *colors, int size, const char *pointer,
			struct cube_request *request)
{
	request->source = CUBE_OF_COLORS;
	request->size = size;
	request->colors = colors;
	request->where = pointer;
	request->assumed = true;
	if (size <= cube_size_max(work))
		return true;
	const char *detail = "A cube of this size is larger than this server takes.";
	return pointer ? input_problem(work, pointer, detail, NULL, NULL)
		       : query_problem(work, "facelets", detail, NULL, NULL);
}

static bool take_format(struct work *work, const struct format *format, struct json_t *value,
			const char *pointer, struct cube_request *request)
{
	uint8_t *colors;
	int size;
	const char *at = input_pointer(work, pointer, format->name);
	return format->read(work, value, at, &colors, &size) &&
	       take_colors(work, colors, size, at, request);
}

static bool take_one(struct work *work, struct description *in, const char *pointer,
		     struct cube_request *request)
{
	int found = (in->size >= 0) + (in->session.bytes != NULL);
	const struct format *format = NULL;
	struct json_t *value = NULL;
	for (size_t i = 0; i < format_count; i++)
		if (in->format[i]) {
			format = &formats[i];
			value = in->format[i];
			found++;
		}
	if (found > 1)
		return input_problem(work, pointer, "A cube has one description.",
				     "exactly one of size, facelets, faces, session", NULL);
	if (in->at >= 0 && !in->session.bytes)
		return input_problem(work, input_pointer(work, pointer, "at"),
				     "A revision needs its session.", "session beside it", NULL);
	if (format)
		return take_format(work, format, value, pointer, request);
	if (in->session.bytes)
		return take_session(work, in->session, input_pointer(work, pointer, "session"),
				    in->at, request);
	return cube_request_solved(work, in->size >= 0 ? in->size : cube_size_default(work),
				   input_pointer(work, pointer, "size"), request);
}

bool cube_request_read(struct work *work, struct json_t *object, const char *pointer,
		       struct cube_request *request)
{
	struct description in = {.size = -1, .at = -1};
	struct input_member members[5 + FORMATS_MAX] = {
		{"size", INPUT_INTEGER, &in.size, CUBE_SIZE_MIN, cube_size_max(work)},
		{"session", INPUT_TEXT, &in.session, 0, 0},
		{"at", INPUT_INTEGER, &in.at, 0, UINT32_MAX - 1},
		{"moves", INPUT_ANY, &in.moves, 0, 0},
		{"notation", INPUT_TEXT, &in.notation, 0, 0},
	};
	size_t count = 5;
	for (size_t i = 0; i < format_count; i++)
		if (formats[i].read)
			members[count++] = (struct input_member){
				.name = formats[i].name, .type = INPUT_ANY, .into = &in.format[i]};
	*request = (struct cube_request){.at = -1};
	return input_object(work, object, pointer, members, count) &&
	       take_one(work, &in, pointer, request) &&
	       moves_take_dialect(work, in.notation, input_pointer(work, pointer, "notation"),
				  &request->moves) &&
	       (!in.moves ||
		moves_take(work, in.moves, input_pointer(work, pointer, "moves"), &request->moves));
}

bool cube_request_query(struct work *work, struct cube_request *request)
{
	const struct text *value = work->query.value;
	int64_t size = cube_size_default(work), at = -1;
	uint8_t *colors;
	int found = 0;
	*request = (struct cube_request){.at = -1};
	for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
		found += (i == PARAMETER_SIZE || i == PARAMETER_FACELETS ||
			  i == PARAMETER_SESSION) &&
			 value[i].bytes;
	if (found > 1)
		return query_problem(work, "size", "A cube has one description.",
				     "exactly one of size, facelets, session", NULL);
	if (!query_integer(work, PARAMETER_SIZE, CUBE_SIZE_MIN, cube_size_max(work), &size) ||
	    !query_integer(work, PARAMETER_AT, 0, UINT32_MAX - 1, &at))
		return false;
	if (at >= 0 && !value[PARAMETER_SESSION].bytes)
		return query_problem(work, "at", "A revision needs its session.",
				     "session beside it", NULL);
	if (value[PARAMETER_SESSION].bytes)
		return take_session(work, value[PARAMETER_SESSION], NULL, at, request);
	if (!value[PARAMETER_FACELETS].bytes)
		return cube_request_solved(work, size, NULL, request);
	int colors_size;
	return format_facelets_parse(work, value[PARAMETER_FACELETS], NULL, "facelets", &colors,
				     &colors_size) &&
	       take_colors(work, colors, colors_size, NULL, request);
}

/* ---- making it ---- */

static bool impossible(struct work *work, const struct cube_request *request,
		       const struct cube_problem *problems, size_t count)
{
	struct out out;
	problem_begin(work->request, PROBLEM_IMPOSSIBLE_CUBE, &out,
		      "These colours cannot be reached by turning a cube: %zu problem%s%s.", count,
		      count == 1 ? "" : "s",
		      count > PROBLEMS_MAX ? ", the first 16 of which are listed" : "");
	problem_member(&out, "pointer", request->where);
	if (!request->where)
		problem_member(&out, "parameter", "facelets");
	out_key(&out, "problems");
	out_open(&out, '[');
	for (size_t i = 0; i < count && i < PROBLEMS_MAX; i++) {
		out_open(&out, '{');
		problem_member(&out, "kind", cube_problem_name(problems[i].kind));
		problem_member(&out, "piece", problems[i].piece);
		problem_member(&out, "place", problems[i].place);
		problem_member(&out, "letters", problems[i].letters);
		if (problems[i].amount || problems[i].kind == CUBE_PROBLEM_WRONG_COUNT) {
			out_key(&out, "amount");
			out_integer(&out, problems[i].amount);
		}
		out_close(&out, '}');
	}
	out_close(&out, ']');
	problem_end(work->request, &out);
	return false;
}

static bool make_of_colors(struct work *work, struct cube_request *request)
{
	struct cube_problem problems[PROBLEMS_MAX];
	size_t count = cube_from_colors(request->cube, request->size, request->colors, problems,
					PROBLEMS_MAX);
	return count == 0 || impossible(work, request, problems, count);
}

static bool make(struct work *work, struct cube_request *request, const struct cube *stored)
{
	if (stored)
		request->size = stored->size;
	request->cube = work_take(work, cube_bytes(request->size));
	if (!request->cube)
		return false;
	if (stored)
		cube_copy(request->cube, stored);
	else if (request->source == CUBE_OF_COLORS)
		return make_of_colors(work, request);
	else
		cube_init(request->cube, request->size);
	return true;
}

/* A session's cube at an earlier revision. */
struct at_job {
	struct cube_request *request;
	struct history *history;
	enum store_status status;
	uint64_t key;
};

static void at_run(struct job *job, struct store_reader *reader)
{
	struct work *work = work_of_job(job);
	struct at_job *at = work->data;
	at->status = work->service->store->operations->at(reader, at->key,
							  (uint32_t)at->request->at, &at->history);
}

static void at_done(struct job *job)
{
	struct work *work = work_of_job(job);
	struct at_job *at = work->data;
	bool made = false;
	work->data = at->request;
	if (at->status != STORE_OK) {
		work_store_problem(work, at->status);
	} else {
		made = make(work, at->request, at->history->cube);
		history_destroy(at->history);
	}
	if (made)
		at->request->then(work);
	else
		work_answer(work);
}

static bool revision_beyond(struct work *work, const struct cube_request *request,
			    uint32_t revision)
{
	char expected[64];
	const char *detail = "The session has not come to this revision.";
	snprintf(expected, sizeof expected, "a revision from 0 to %lu", (unsigned long)revision);
	if (request->where && request->source == CUBE_OF_SESSION && work->route->body)
		return input_problem(work, "/cube/at", detail, expected, NULL);
	return query_problem(work, "at", detail, expected, NULL);
}

static void session_entered(struct work *work)
{
	struct cube_request *request = work->data;
	const struct history *now = work->session->committed->history;
	hub_look(work, work->session->committed);
	if (request->at > (int64_t)now->revision) {
		revision_beyond(work, request, now->revision);
		work_answer(work);
	} else if (request->at < 0 || request->at == (int64_t)now->revision) {
		if (make(work, request, now->cube))
			request->then(work);
		else
			work_answer(work);
	} else {
		struct at_job *at = work_take(work, sizeof *at);
		if (!at) {
			work_answer(work);
			return;
		}
		*at = (struct at_job){.request = request, .key = work->session->meta.key};
		work->data = at;
		work->job.run = at_run;
		work->job.done = at_done;
		pool_submit(work->service->readers, &work->job);
	}
}

void cube_resolve(struct work *work, struct cube_request *request, void (*then)(struct work *work))
{
	request->then = then;
	if (request->source == CUBE_OF_SESSION) {
		work->data = request;
		work->id = request->session;
		hub_enter(work, NEED_READ, session_entered);
	} else if (make(work, request, NULL)) {
		work->data = request;
		then(work);
	} else {
		work_answer(work);
	}
}

bool cube_turn_by(struct work *work, struct cube *cube, const struct cube_alg *alg)
{
	void *scratch = work_take(work, cube_alg_scratch_bytes(alg) + 1);
	if (!scratch)
		return false;
	cube_alg_apply(cube, alg, scratch);
	return true;
}

bool cube_request_turn(struct work *work, const struct cube_request *request)
{
	struct cube_alg alg;
	if (!moves_given(&request->moves))
		return true;
	return moves_read(work, &request->moves, request->size, &alg) &&
	       cube_turn_by(work, request->cube, &alg);
}
