/* write_solve.c: writing solves. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/format/session_out.h"
#include "server/modules/times/files/cstimer.h"
#include "server/modules/times/files/results.h"
#include "server/modules/times/times_internal.h"
#include "server/times/timed.h"

static_assert(SOLVE_UNTIMED == TIME_NONE && SOLVE_DNF == PENALTY_DNF,
	      "the store and results use the same values");

static const char *const origin_names[SOLVE_ORIGINS] = {"session", "posted", "imported"};
static const char *const clock_names[SOLVE_CLOCKS] = {NULL, "server", "client"};

/* ---- moves ---- */

static bool read_text(const char *text, size_t length, int size, size_t most,
		      struct cube_node *nodes, uint32_t *times, struct solve_moves *moves)
{
	struct cube_alg alg;
	struct cube_error error;
	bool timed;
	if (timed_parse(text, length, size, CUBE_DIALECT_SIGN, nodes, &alg, times, &timed,
			&error) != CUBE_OK ||
	    cube_alg_length(&alg) > most)
		return true;
	const size_t count = (size_t)cube_alg_length(&alg);
	moves->turns = malloc((count + 1) * sizeof *moves->turns);
	if (timed)
		moves->times = malloc((count + 1) * sizeof *moves->times);
	if (!moves->turns || (timed && !moves->times))
		return false;
	if (cube_alg_expand(&alg, count, moves->turns, &moves->count) && timed)
		memcpy(moves->times, times, count * sizeof *times);
	return true;
}

bool solve_moves_read(const struct stored_solve *solve, size_t most, struct solve_moves *moves)
{
	*moves = (struct solve_moves){0};
	if (!solve->solution || solve->size == 0)
		return true;
	const size_t length = strlen(solve->solution);
	const size_t room = cube_parse_nodes(solve->solution, length) + 1;
	struct cube_node *nodes = malloc(room * sizeof *nodes);
	uint32_t *times = malloc(room * sizeof *times);
	bool read = nodes && times &&
		    read_text(solve->solution, length, solve->size, most, nodes, times, moves);
	free(nodes);
	free(times);
	if (!read)
		solve_moves_free(moves);
	return read;
}

void solve_moves_free(struct solve_moves *moves)
{
	free(moves->turns);
	free(moves->times);
	*moves = (struct solve_moves){0};
}

int64_t solve_moves_time(const struct solve_moves *moves, int size)
{
	const int64_t took_ms = (int64_t)moves->times[moves->count - 1] - moves->times[0];
	return timed_by_hand(size, moves->turns, moves->count, took_ms) ? took_ms : TIME_NONE;
}

/* ---- members ---- */

void solve_id_write(struct out *out, const char *key, const uint8_t bytes[SESSION_ID_BYTES])
{
	struct session_id id;
	char text[SESSION_ID_TEXT + 1];
	memcpy(id.bytes, bytes, sizeof id.bytes);
	session_id_print(&id, text);
	text_member(out, key, text);
}

void number_member(struct out *out, const char *key, int64_t number, bool there)
{
	out_key(out, key);
	if (there)
		out_integer(out, number);
	else
		out_null(out);
}

void text_member(struct out *out, const char *key, const char *text)
{
	out_member_string(out, key, text);
}

void result_members(struct out *out, int64_t result)
{
	char text[TIME_TEXT_MAX];
	time_print(result, text);
	text_member(out, "result", result == TIME_NONE ? NULL : text);
	number_member(out, "result_ms", result, result >= 0);
}

void result_write(struct out *out, int64_t result)
{
	if (result == TIME_NONE) {
		out_null(out);
		return;
	}
	out_open(out, '{');
	result_members(out, result);
	out_close(out, '}');
}

const char *penalty_print(int64_t penalty_ms, char text[PENALTY_TEXT_MAX])
{
	const long long seconds = penalty_ms / 1000, rest = penalty_ms % 1000;
	if (penalty_ms == PENALTY_DNF)
		return "dnf";
	if (penalty_ms == 0)
		return "none";
	if (rest == 0)
		snprintf(text, PENALTY_TEXT_MAX, "+%lld", seconds);
	else
		snprintf(text, PENALTY_TEXT_MAX, "+%lld.%03lld", seconds, rest);
	return text;
}

/* Metrics, and turns per second of faces and outer blocks. */
static void write_moves(struct out *out, const struct stored_solve *solve,
			const struct solve_moves *moves)
{
	struct cube_metrics metrics = {0};
	const bool there = moves->turns != NULL;
	if (there && moves->count > 0)
		cube_turns_metrics(solve->size, moves->turns, moves->count, &metrics);
	out_key(out, "metrics");
	if (there)
		metrics_write(out, &metrics);
	else
		out_null(out);
	out_key(out, "tps");
	if (there && solve->time_ms > 0 && metrics.htm < CUBE_COUNT_MAX / 100000)
		out_decimal(out, (int64_t)metrics.htm * 100000 / solve->time_ms);
	else
		out_null(out);
}

static bool write_start(struct out *out, const struct stored_solve *solve)
{
	out_key(out, "start");
	if (!solve->base) {
		out_null(out);
		return true;
	}
	const size_t facelets = cube_facelets(solve->size);
	struct cube *cube = malloc(cube_bytes(solve->size));
	if (!cube)
		return false;
	char *room = NULL;
	if (cube_unpack(cube, solve->size, solve->base, solve->base_bytes))
		room = out_room(out, facelets);
	else
		out_null(out);
	for (size_t i = 0; room && i < facelets; i++)
		room[i] = cube_face_letters[cube_color_at(cube, i)];
	free(cube);
	return true;
}

/* As they were sent, or the phases of an imported solve, which have no names. */
static void write_splits(struct out *out, const struct stored_solve *solve)
{
	int64_t ends[CSTIMER_PHASES_MAX];
	size_t count = 0;
	out_key(out, "splits");
	if (solve->splits) {
		out_raw(out, solve->splits, strlen(solve->splits));
		return;
	}
	if (solve->source)
		count = cstimer_phases((struct span){solve->source, strlen(solve->source)}, ends);
	if (count < 2) {
		out_null(out);
		return;
	}
	out_open(out, '[');
	for (size_t i = 0; i < count; i++)
		split_write(out, NULL, ends[i]);
	out_close(out, ']');
}

bool book_write_solve(struct out *out, const struct stored_solve *solve,
		      const struct solve_moves *moves, const struct roster *roster)
{
	char penalty[PENALTY_TEXT_MAX];
	solve_id_write(out, "id", solve->id);
	solve_id_write(out, "session", solve->book);
	text_member(out, "origin", origin_names[solve->origin]);
	text_member(out, "list", solve_list(solve));
	text_member(out, "event", solve_events[solve_event_of(solve->event, solve->size)].id);
	number_member(out, "size", solve->size, solve->size != 0);
	out_member_time(out, "created_at", solve->created_ms);
	number_member(out, "time_ms", solve->time_ms, solve->time_ms >= 0);
	write_splits(out, solve);
	text_member(out, "penalty", penalty_print(solve->penalty_ms, penalty));
	result_members(out, time_result(solve->time_ms, solve->penalty_ms));
	text_member(out, "scramble", solve->scramble);
	if (!write_start(out, solve))
		return false;
	text_member(out, "solution", solve->solution);
	text_member(out, "clock", clock_names[solve->clock]);
	out_member_bool(out, "verified", solve->verified);
	out_member_bool(out, "assisted", solve->assisted);
	write_moves(out, solve, moves);
	text_member(out, "comment", solve->comment);
	number_member(out, "revision", solve->revision, solve->revision > 0);
	out_key(out, "actor");
	actor_write(out, roster_at(roster, solve->actor));
	return true;
}

/* An empty text is stored as none. */
static uint64_t add_text(uint64_t hash, const char *text)
{
	return etag_add_text(hash, text ? text : "");
}

struct etag_state solve_state(const struct stored_solve *solve)
{
	uint64_t hash = etag_add(0, solve->id, sizeof solve->id);
	hash = etag_add_number(hash, (uint64_t)solve->origin << 24 | (uint64_t)solve->clock << 16 |
					     (uint64_t)solve->size << 8 |
					     (uint64_t)solve->assisted << 1 | solve->verified);
	hash = etag_add_number(hash, (uint64_t)solve->revision << 32 | solve->actor);
	hash = etag_add_number(hash, (uint64_t)solve->created_ms);
	hash = etag_add_number(hash, (uint64_t)solve->time_ms);
	hash = etag_add_number(hash, (uint64_t)solve->penalty_ms);
	hash = etag_add(hash, solve->base ? solve->base : (const uint8_t *)"",
			solve->base ? solve->base_bytes : 0);
	hash = add_text(hash, solve->scramble);
	hash = add_text(hash, solve->solution);
	hash = add_text(hash, solve->comment);
	hash = add_text(hash, solve->list);
	hash = add_text(hash, solve->list_name);
	hash = add_text(hash, solve->splits);
	hash = etag_add_number(hash, solve->event);
	return etag_of_hash(add_text(hash, solve->source));
}

uint64_t solve_form(const struct stored_solve *solve, const struct roster *roster)
{
	const struct stored_token *token = roster_at(roster, solve->actor);
	return token && token->label[0] ? etag_add_text(0, token->label) : 0;
}
