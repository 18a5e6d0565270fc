/* post.c: POST /v1/solves: a solve made elsewhere is judged and recorded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/access/secret.h"
#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/sessions/new_session.h"
#include "server/api/solves/solves_internal.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/idempotency.h"
#include "server/api/steps/rate_limit.h"
#include "server/api/steps/receipt.h"
#include "server/api/steps/session_visit.h"
#include "server/solves/judge.h"
#include "server/solves/timed.h"
#include "server/solves/times.h"
#include "server/util/monotonic.h"

/* Of a scramble that is kept as it is, because it is of another puzzle. */
#define SCRAMBLE_BYTES 4000

struct post {
	int64_t size; /* -1: not given */
	struct moves_request scramble, solution;
	int64_t time_ms, inspection_ms; /* -1: not given */
	int64_t penalty_ms;             /* as given; 0: not given */
	int64_t created_ms;             /* 0: not given */
	int64_t split_ms;               /* of the last split; -1: there is none */
	enum solve_event event;
	const char *list, *splits, *comment;
	bool assisted;
	struct solve_moves moves; /* on the arena */
	struct stored_solve solve;
	struct stored_token owner;
	char token[TOKEN_TEXT + 1]; /* of a new book; "": the book exists */
};

struct storing {
	struct job job;
	struct context *ctx;
	enum store_status status;
	uint64_t count;
};

static const struct post new_post = {
	.size = -1, .time_ms = -1, .inspection_ms = -1, .split_ms = -1};

static bool post_read(struct context *ctx, struct post *post, bool *there);
static bool read_moves(struct context *ctx, struct json_value *value, const char *pointer,
		       struct moves_request *moves);
static bool check(struct context *ctx, const struct post *post);
static bool read_book(struct context *ctx, struct text session, bool *there);
static void post_entered(struct context *ctx);
static int size_of(const struct context *ctx, const struct post *post);
static void begin_solve(struct post *post, int size, uint32_t actor);
static void post_compute(struct context *ctx);
static bool judge(struct context *ctx, struct post *post);
static bool judge_other(struct context *ctx, struct post *post);
static bool set_time(struct context *ctx, struct post *post, int64_t judged_ms);
static bool read_scramble(struct context *ctx, struct post *post, struct cube *cube);
static bool read_solution(struct context *ctx, struct post *post, int size);
static bool print_solution(struct context *ctx, struct post *post, int size);
static int64_t larger_penalty(int64_t a, int64_t b);
static void reply(struct context *ctx, const struct post *post);
static void post_computed(struct context *ctx);
static void write_solves(struct context *ctx, uint64_t count);
static void count_run(struct job *job, struct store_reader *reader);
static void count_done(struct job *job);

void solve_post_handle(struct context *ctx)
{
	struct post *post = ctx_alloc(ctx, sizeof *post);
	bool there;
	if (post)
		*post = new_post;
	ctx->data = post;
	if (!post || !etag_allows(ctx, NULL) || !post_read(ctx, post, &there))
		ctx_answer(ctx);
	else if (there)
		ctx_acquire(ctx, NEED_READ, post_entered);
	else
		post_entered(ctx);
}

static bool post_read(struct context *ctx, struct post *post, bool *there)
{
	struct json_value *scramble = NULL, *solution = NULL, *comment = NULL, *list = NULL;
	struct json_value *splits = NULL;
	struct text session = {0}, notation = {0}, penalty = {0}, event = {0}, created = {0};
	const struct json_member members[] = {
		{"session", JSON_TEXT, &session, 0, 0},
		{"size", JSON_INT64, &post->size, CUBE_SIZE_MIN, cube_size_max(ctx)},
		{"scramble", JSON_ANY, &scramble, 0, 0},
		{"solution", JSON_ANY, &solution, 0, 0},
		{"notation", JSON_TEXT, &notation, 0, 0},
		{"time_ms", JSON_INT64, &post->time_ms, 0, TIME_MAX},
		{"inspection_ms", JSON_INT64, &post->inspection_ms, 0, TIME_MAX},
		{"penalty", JSON_TEXT, &penalty, 0, 0},
		{"comment", JSON_ANY, &comment, 0, 0},
		{"assisted", JSON_BOOLEAN, &post->assisted, 0, 0},
		{"event", JSON_TEXT, &event, 0, 0},
		{"list", JSON_ANY, &list, 0, 0},
		{"splits", JSON_ITEMS, &splits, 0, 0},
		{"created_at", JSON_TEXT, &created, 0, 0},
	};
	if (!input_object(ctx, ctx->body, "", members, sizeof members / sizeof members[0]) ||
	    !read_moves(ctx, scramble, "/scramble", &post->scramble) ||
	    !read_moves(ctx, solution, "/solution", &post->solution) ||
	    !moves_read_dialect(ctx, notation, "/notation", &post->solution) ||
	    (penalty.bytes && !penalty_read(ctx, penalty, "/penalty", &post->penalty_ms)) ||
	    (comment && !comment_read(ctx, comment, &post->comment)) ||
	    (event.bytes && !event_read(ctx, event, &post->event)) ||
	    !list_read(ctx, list, &post->list) ||
	    !splits_read(ctx, splits, &post->splits, &post->split_ms) ||
	    !created_read(ctx, created, &post->created_ms))
		return false;
	post->scramble.dialect = post->solution.dialect;
	return check(ctx, post) && read_book(ctx, session, there);
}

static bool read_moves(struct context *ctx, struct json_value *value, const char *pointer,
		       struct moves_request *moves)
{
	return !value || json_is_kind(value, JSON_KIND_NULL) ||
	       moves_from_json(ctx, value, pointer, moves);
}

static bool check(struct context *ctx, const struct post *post)
{
	if (moves_given(&post->solution) && !moves_given(&post->scramble))
		return input_problem(ctx, "/scramble", "A solution requires its scramble.",
				     "scramble together with solution", NULL);
	if (!moves_given(&post->solution) && post->time_ms < 0 && post->split_ms < 0 &&
	    post->penalty_ms != PENALTY_DNF)
		return input_problem(ctx, "", "Send time_ms, or scramble and solution.",
				     "time_ms, or scramble and solution, or the penalty dnf", NULL);
	return post->size < 0 || event_check(ctx, post->event, post->size);
}

/* The book: the member `session`, else that of the token; without both a new one. */
static bool read_book(struct context *ctx, struct text session, bool *there)
{
	*there = session.bytes || ctx->who.token > 0;
	if (session.bytes)
		ctx->named = (struct json_place){.pointer = "/session"};
	if (!session.bytes)
		ctx->visit.id = ctx->who.session;
	else if (!session_id_parse(session.bytes, session.length, &ctx->visit.id))
		return input_problem(
			ctx, "/session",
			"A session id has 16 letters and digits, for example 7n3k9qv2m5x8c4tz.",
			"16 letters and digits", NULL);
	return true;
}

static void post_entered(struct context *ctx)
{
	struct post *post = ctx->data;
	if (!ctx->visit.session && !rate_limit_creation(ctx)) {
		ctx_answer(ctx);
		return;
	}
	const int size = size_of(ctx, post);
	begin_solve(post, size, ctx->visit.session ? authorize_actor(ctx) : 1);
	uint64_t cost = moves_cost(&post->scramble, size) + moves_cost(&post->solution, size);
	if (moves_given(&post->solution))
		cost += judge_cost(size) + solve_stages_cost(size, post->solution.text.length / 2);
	ctx_compute(ctx, cost, post_compute, post_computed);
}

/* Without a size, it is for a cube as its event has it, else for one like the session's. 0: it is of
 * another puzzle. */
static int size_of(const struct context *ctx, const struct post *post)
{
	if (post->size >= 0)
		return (int)post->size;
	if (post->event != EVENT_USUAL && post->event != EVENT_OTHER)
		return solve_events[post->event].size;
	return ctx->visit.session ? ctx->visit.session->meta.size : (int)cube_size_default(ctx);
}

static void begin_solve(struct post *post, int size, uint32_t actor)
{
	post->solve = (struct stored_solve){.origin = SOLVE_POSTED,
					    .size = (uint8_t)size,
					    .actor = actor,
					    .event = (uint8_t)solve_event_pack(post->event, size),
					    .created_ms = post->created_ms,
					    .assisted = post->assisted,
					    .list_name = post->list,
					    .splits = post->splits,
					    .comment = post->comment};
}

static void post_compute(struct context *ctx)
{
	struct post *post = ctx->data;
	struct session_id id;
	if (!judge(ctx, post))
		return;
	if (!ctx->visit.session &&
	    !book_make(ctx, post->solve.size ? post->solve.size : (int)cube_size_default(ctx),
		       &post->owner, post->token))
		return;
	if (!new_id(ctx, &id))
		return;
	memcpy(post->solve.id, id.bytes, sizeof id.bytes);
	memcpy(post->solve.book,
	       ctx->visit.session ? ctx->visit.session->meta.id.bytes
				  : ctx->visit.write.meta.id.bytes,
	       sizeof post->solve.book);
	if (post->solve.created_ms == 0)
		post->solve.created_ms = wall_ms();
	reply(ctx, post);
	if (post->token[0])
		idempotency_token(ctx, post->token);
	secret_forget(post->token, sizeof post->token);
	ctx->visit.write.solves = &post->solve;
	ctx->visit.write.solve_count = 1;
}

static bool judge(struct context *ctx, struct post *post)
{
	struct stored_solve *solve = &post->solve;
	const int size = solve->size;
	int64_t judged_ms = penalty_of_inspection(post->inspection_ms);
	if (size == 0)
		return judge_other(ctx, post) && set_time(ctx, post, judged_ms);
	struct cube *cube = ctx_alloc(ctx, cube_bytes(size));
	if (!cube)
		return false;
	cube_init(cube, size);
	if (!read_scramble(ctx, post, cube))
		return false;
	if (moves_given(&post->solution)) {
		if (!read_solution(ctx, post, size) || !print_solution(ctx, post, size))
			return false;
		cube_turn_all(cube, post->moves.turns, post->moves.count);
		judged_ms = penalty_add(judged_ms, judge_state(cube));
		solve->verified = true;
	}
	return set_time(ctx, post, judged_ms);
}

/* The scramble of another puzzle is kept as it is. */
static bool judge_other(struct context *ctx, struct post *post)
{
	if (moves_given(&post->solution))
		return input_problem(ctx, "/solution",
				     "Only solutions of cubes can be read and judged.", "time_ms",
				     NULL);
	if (post->scramble.array || post->scramble.text.length > SCRAMBLE_BYTES)
		return input_problem(ctx, "/scramble",
				     "The scramble of another puzzle is kept as a text.",
				     "a string of at most 4000 bytes", NULL);
	post->solve.scramble = post->scramble.text.length > 0 ? post->scramble.text.bytes : NULL;
	return true;
}

/* The time: as given, or from the first move to the last, or that of the last split. */
static bool set_time(struct context *ctx, struct post *post, int64_t judged_ms)
{
	struct stored_solve *solve = &post->solve;
	const uint32_t *times = post->moves.times;
	solve->time_ms = post->time_ms >= 0 ? post->time_ms
			 : times && post->moves.count > 1
				 ? (int64_t)times[post->moves.count - 1] - times[0]
			 : post->split_ms >= 0 ? post->split_ms
					       : TIME_NONE;
	solve->penalty_ms = larger_penalty(post->penalty_ms, judged_ms);
	if (post->split_ms >= 0 && post->split_ms > solve->time_ms)
		return input_problem(ctx, "/splits", "The last split is later than the time.",
				     "splits up to time_ms", NULL);
	return true;
}

/* The scramble's text as it is stored, and the cube that it makes. */
static bool read_scramble(struct context *ctx, struct post *post, struct cube *cube)
{
	struct cube_alg alg;
	struct cube_turn *turns;
	size_t count;
	if (!moves_given(&post->scramble))
		return true;
	if (!moves_read(ctx, &post->scramble, cube->size, &alg) ||
	    !moves_expand(ctx, &post->scramble, &alg, &turns, &count))
		return false;
	const size_t room = cube_turns_print(cube->size, turns, count, NULL, 0) + 1;
	char *text = ctx_alloc(ctx, room);
	if (!text)
		return false;
	cube_turns_print(cube->size, turns, count, text, room);
	post->solve.scramble = text;
	cube_turn_all(cube, turns, count);
	return true;
}

static bool read_solution(struct context *ctx, struct post *post, int size)
{
	struct cube_alg alg;
	return moves_read_timed(ctx, &post->solution, size, &alg, &post->moves.times, NULL) &&
	       moves_expand(ctx, &post->solution, &alg, &post->moves.turns, &post->moves.count);
}

/* Its text as it is stored. */
static bool print_solution(struct context *ctx, struct post *post, int size)
{
	const struct solve_moves *moves = &post->moves;
	const size_t room =
		moves->times ? timed_text_max(moves->count)
			     : cube_turns_print(size, moves->turns, moves->count, NULL, 0) + 1;
	char *text = ctx_alloc(ctx, room);
	if (!text)
		return false;
	if (moves->times)
		timed_print(size, moves->turns, moves->times, moves->count, text);
	else
		cube_turns_print(size, moves->turns, moves->count, text, room);
	post->solve.solution = text;
	post->solve.clock = moves->times ? SOLVE_CLIENT_CLOCK : SOLVE_NO_CLOCK;
	return true;
}

/* The given penalty may be larger than the one judged from inspection and final state, not smaller. */
static int64_t larger_penalty(int64_t a, int64_t b)
{
	return a == PENALTY_DNF || b == PENALTY_DNF ? PENALTY_DNF : a > b ? a : b;
}

bool book_make(struct context *ctx, int size, struct stored_token *owner, char *token)
{
	struct cube *cube = ctx_alloc(ctx, cube_bytes(size));
	if (!cube)
		return false;
	cube_init(cube, size);
	const struct session_meta meta = {.size = (uint8_t)size, .access = ACCESS_NONE};
	return new_session(ctx, cube, &meta, owner, token);
}

static void reply(struct context *ctx, const struct post *post)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	struct session_id id;
	char location[64] = "/v1/solves/";
	struct roster *roster =
		post->token[0] ? roster_create(&post->owner, 1) : roster_share(ctx->visit.roster);
	out_open(&out, '{');
	const bool written = (roster || !post->token[0]) &&
			     book_write_solve(&out, &post->solve, &post->moves, roster) &&
			     solve_stages_write(&out, &post->solve, &post->moves);
	roster_release(roster);
	if (!written) {
		ctx_no_memory(ctx);
		return;
	}
	if (post->token[0]) {
		out_key(&out, "token");
		out_string(&out, post->token);
	}
	out_close(&out, '}');
	ctx_reply_json(ctx, 201);
	memcpy(id.bytes, post->solve.id, sizeof id.bytes);
	session_id_print(&id, location + strlen(location));
	ctx->request->reply.location = ctx_reply_text(ctx, location, strlen(location));
}

static void post_computed(struct context *ctx)
{
	if (ctx->request->reply.status == 201)
		solves_store(ctx);
	else
		ctx_answer(ctx);
}

void solves_store(struct context *ctx)
{
	if (!ctx->visit.session) {
		write_solves(ctx, 0);
		return;
	}
	struct storing *storing = ctx_alloc(ctx, sizeof *storing);
	if (!storing) {
		ctx_answer(ctx);
		return;
	}
	*storing = (struct storing){
		.job = {.run = count_run, .done = count_done, .client = ctx->client}, .ctx = ctx};
	pool_submit(ctx->service->readers, &storing->job);
}

static void write_solves(struct context *ctx, uint64_t count)
{
	if (count + ctx->visit.write.solve_count > ctx->service->config.limits.solves)
		problem_answer(ctx->request, PROBLEM_SOLVES_FULL,
			       "The session would have too many solves (solves in /v1/limits).");
	else if (ctx_reply_made(ctx)) {
		ctx_write(ctx);
		return;
	}
	ctx_answer(ctx);
}

static void count_run(struct job *job, struct store_reader *reader)
{
	struct storing *storing = (struct storing *)job;
	struct context *ctx = storing->ctx;
	storing->status = ctx->service->store->operations->solve_count(
		reader, ctx->visit.session->meta.key, &storing->count);
}

static void count_done(struct job *job)
{
	struct storing *storing = (struct storing *)job;
	struct context *ctx = storing->ctx;
	if (storing->status == STORE_OK) {
		ctx->visit.write.kind = WRITE_SOLVES;
		ctx->visit.write.meta = ctx->visit.session->meta;
		write_solves(ctx, storing->count);
	} else {
		ctx_store_problem(ctx, storing->status);
		ctx_answer(ctx);
	}
}

void solve_post_again(struct context *ctx, const struct receipt_answer *answer)
{
	struct post *post = ctx_alloc(ctx, sizeof *post);
	bool there;
	if (!post)
		return;
	*post = new_post;
	if (!post_read(ctx, post, &there))
		return;
	begin_solve(post, (int)answer->size, (uint32_t)answer->actor);
	if (!judge(ctx, post))
		return;
	memcpy(post->solve.id, answer->solve, sizeof post->solve.id);
	memcpy(post->solve.book, answer->session.bytes, sizeof post->solve.book);
	post->solve.created_ms = (int64_t)answer->created_ms;
	post->owner = (struct stored_token){
		.number = 1, .role = ROLE_OWNER, .created_ms = post->solve.created_ms};
	if (answer->token)
		snprintf(post->token, sizeof post->token, "%s", answer->token);
	reply(ctx, post);
	secret_forget(post->token, sizeof post->token);
}
