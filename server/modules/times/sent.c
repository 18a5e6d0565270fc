/* sent.c: a solve as a client sends it: read, and judged. */
#include "cube/cube.h"
#include "server/modules/times/sent.h"

#include <string.h>

#include "server/api/input/cube.h"
#include "server/api/input/input.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/judge.h"
#include "server/modules/times/times_internal.h"
#include "server/times/timed.h"

/* The length of a scramble that is kept as it is, because it is of another puzzle. */
#define SCRAMBLE_BYTES 4000

const struct sent_solve sent_solve_new = {
	.size = -1, .time_ms = -1, .inspection_ms = -1, .split_ms = -1};

static bool read_moves(struct context *ctx, struct json_value *value, const char *pointer,
		       struct moves_request *moves);
static bool check(struct context *ctx, const struct sent_solve *sent);
static bool judge_other(struct context *ctx, struct sent_solve *sent);
static bool set_time(struct context *ctx, struct sent_solve *sent, int64_t judged_ms);
static bool read_scramble(struct context *ctx, struct sent_solve *sent, struct cube *cube);
static bool read_solution(struct context *ctx, struct sent_solve *sent, int size);
static bool print_solution(struct context *ctx, struct sent_solve *sent, int size);
static int64_t larger_penalty(int64_t a, int64_t b);

bool sent_read(struct context *ctx, struct sent_solve *sent)
{
	struct json_value *scramble = NULL, *solution = NULL, *comment = NULL, *list = NULL;
	struct json_value *splits = NULL;
	struct text notation = {0}, penalty = {0}, event = {0}, created = {0};
	const struct json_member members[] = {
		{"session", JSON_TEXT, &sent->session, 0, 0},
		{"size", JSON_INT64, &sent->size, CUBE_SIZE_MIN, input_size_max(ctx)},
		{"scramble", JSON_ANY, &scramble, 0, 0},
		{"solution", JSON_ANY, &solution, 0, 0},
		{"notation", JSON_TEXT, &notation, 0, 0},
		{"time_ms", JSON_INT64, &sent->time_ms, 0, TIME_MAX},
		{"inspection_ms", JSON_INT64, &sent->inspection_ms, 0, TIME_MAX},
		{"penalty", JSON_TEXT, &penalty, 0, 0},
		{"comment", JSON_ANY, &comment, 0, 0},
		{"assisted", JSON_BOOLEAN, &sent->assisted, 0, 0},
		{"event", JSON_TEXT, &event, 0, 0},
		{"list", JSON_ANY, &list, 0, 0},
		{"splits", JSON_ITEMS, &splits, 0, 0},
		{"created_at", JSON_TEXT, &created, 0, 0},
	};
	bool read = input_object(ctx, ctx->body, "", members, sizeof members / sizeof members[0]);
	read = read_moves(ctx, scramble, "/scramble", &sent->scramble) && read;
	read = read_moves(ctx, solution, "/solution", &sent->solution) && read;
	read = moves_read_dialect(ctx, notation, "/notation", &sent->solution) && read;
	read = (!penalty.bytes || penalty_read(ctx, penalty, "/penalty", &sent->penalty_ms)) &&
	       read;
	read = (!comment || comment_read(ctx, comment, &sent->comment)) && read;
	read = (!event.bytes || event_read(ctx, event, &sent->event)) && read;
	read = list_read(ctx, list, &sent->list) && read;
	read = splits_read(ctx, splits, &sent->splits, &sent->split_ms) && read;
	read = created_read(ctx, created, &sent->created_ms) && read;
	if (!read)
		return false;
	sent->scramble.dialect = sent->solution.dialect;
	return check(ctx, sent);
}

static bool read_moves(struct context *ctx, struct json_value *value, const char *pointer,
		       struct moves_request *moves)
{
	return !value || json_is_kind(value, JSON_KIND_NULL) ||
	       moves_from_json(ctx, value, pointer, moves);
}

static bool check(struct context *ctx, const struct sent_solve *sent)
{
	if (moves_given(&sent->solution) && !moves_given(&sent->scramble))
		return input_problem(ctx, "/scramble", "A solution requires its scramble.",
				     "scramble together with solution", NULL);
	if (!moves_given(&sent->solution) && sent->time_ms < 0 && sent->split_ms < 0 &&
	    sent->penalty_ms != PENALTY_DNF)
		return input_problem(ctx, "", "Send time_ms, or scramble and solution.",
				     "time_ms, or scramble and solution, or the penalty dnf", NULL);
	return sent->size < 0 || event_check(ctx, sent->event, sent->size);
}

int sent_size(const struct sent_solve *sent, int usual)
{
	if (sent->size >= 0)
		return (int)sent->size;
	if (sent->event != EVENT_USUAL && sent->event != EVENT_OTHER)
		return solve_events[sent->event].size;
	return usual;
}

uint64_t sent_cost(const struct context *ctx, const struct sent_solve *sent, int size)
{
	const uint64_t moves = moves_cost_expanded(ctx, &sent->scramble, size) +
			       moves_cost_expanded(ctx, &sent->solution, size);
	return moves_given(&sent->solution) ? moves + judge_cost(size) : moves;
}

void sent_begin(struct sent_solve *sent, int size, uint32_t actor)
{
	sent->solve = (struct stored_solve){.origin = SOLVE_POSTED,
					    .size = (uint8_t)size,
					    .actor = actor,
					    .event = (uint8_t)solve_event_pack(sent->event, size),
					    .created_ms = sent->created_ms,
					    .assisted = sent->assisted,
					    .list_name = sent->list,
					    .splits = sent->splits,
					    .comment = sent->comment};
}

bool sent_judge(struct context *ctx, struct sent_solve *sent)
{
	struct stored_solve *solve = &sent->solve;
	const int size = solve->size;
	int64_t judged_ms = penalty_of_inspection(sent->inspection_ms);
	if (size == 0)
		return judge_other(ctx, sent) && set_time(ctx, sent, judged_ms);
	struct cube *cube = ctx_alloc(ctx, cube_bytes(size));
	if (!cube)
		return false;
	cube_init(cube, size);
	if (!read_scramble(ctx, sent, cube))
		return false;
	if (moves_given(&sent->solution)) {
		if (!read_solution(ctx, sent, size) || !print_solution(ctx, sent, size))
			return false;
		cube_turn_all(cube, sent->moves.turns, sent->moves.count);
		judged_ms = penalty_add(judged_ms, judge_state(cube));
		solve->verified = true;
	}
	return set_time(ctx, sent, judged_ms);
}

/* The scramble of another puzzle is kept as it is. */
static bool judge_other(struct context *ctx, struct sent_solve *sent)
{
	if (moves_given(&sent->solution))
		return input_problem(ctx, "/solution",
				     "Only solutions of cubes can be read and judged.", "time_ms",
				     NULL);
	if (sent->scramble.array || sent->scramble.text.length > SCRAMBLE_BYTES)
		return input_problem(ctx, "/scramble",
				     "The scramble of another puzzle is kept as a text.",
				     "a string of at most 4000 bytes", NULL);
	sent->solve.scramble = sent->scramble.text.length > 0 ? sent->scramble.text.bytes : NULL;
	return true;
}

/* The time: as given, or from the first move to the last, or that of the last split. */
static bool set_time(struct context *ctx, struct sent_solve *sent, int64_t judged_ms)
{
	struct stored_solve *solve = &sent->solve;
	solve->time_ms = sent->time_ms >= 0 ? sent->time_ms
			 : sent->moves.times && sent->moves.count > 1
				 ? solve_moves_time(&sent->moves, solve->size)
			 : sent->split_ms >= 0 ? sent->split_ms
					       : TIME_NONE;
	solve->penalty_ms = larger_penalty(sent->penalty_ms, judged_ms);
	if (solve->time_ms >= 0 && sent->split_ms > solve->time_ms)
		return input_problem(ctx, "/splits", "The last split is later than the time.",
				     "splits up to time_ms", NULL);
	return true;
}

/* The scramble's text as it is stored, and the cube that it makes. */
static bool read_scramble(struct context *ctx, struct sent_solve *sent, struct cube *cube)
{
	struct cube_alg alg;
	struct cube_turn *turns;
	size_t count;
	if (!moves_given(&sent->scramble))
		return true;
	if (!moves_read(ctx, &sent->scramble, cube->size, &alg) ||
	    !moves_expand(ctx, &sent->scramble, &alg, &turns, &count))
		return false;
	const size_t room = cube_turns_print(cube->size, turns, count, NULL, 0) + 1;
	char *text = ctx_alloc(ctx, room);
	if (!text)
		return false;
	cube_turns_print(cube->size, turns, count, text, room);
	sent->solve.scramble = text;
	cube_turn_all(cube, turns, count);
	return true;
}

static bool read_solution(struct context *ctx, struct sent_solve *sent, int size)
{
	struct cube_alg alg;
	struct solve_moves *moves = &sent->moves;
	if (!moves_read_timed(ctx, &sent->solution, size, &alg, &moves->times, NULL) ||
	    !moves_expand(ctx, &sent->solution, &alg, &moves->turns, &moves->count))
		return false;
	if (moves->times)
		timed_skip_inspection(size, moves->turns, moves->count, moves->times);
	return true;
}

/* Its text as it is stored. */
static bool print_solution(struct context *ctx, struct sent_solve *sent, int size)
{
	const struct solve_moves *moves = &sent->moves;
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
	sent->solve.solution = text;
	sent->solve.clock = moves->times ? SOLVE_CLIENT_CLOCK : SOLVE_NO_CLOCK;
	return true;
}

/* The given penalty may be larger than the one judged from inspection and final state, not smaller. */
static int64_t larger_penalty(int64_t a, int64_t b)
{
	return a == PENALTY_DNF || b == PENALTY_DNF ? PENALTY_DNF : a > b ? a : b;
}
