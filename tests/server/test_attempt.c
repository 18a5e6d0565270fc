/* test_attempt.c: which entries end a solve, and what is recorded of it; on both stores. */
#include "tests/server/run.h"

#include "cube/libcube.h"
#include "server/times/attempt.h"
#include "server/times/timed.h"
#include "tests/server/store_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define START_MS INT64_C(1700000000000)

/* A game written as entries: a letter for the kind, the time, the moves. */
struct game {
	struct store_fixture fixture;
	uint64_t key;
	int size;
	struct history *now; /* with all that was played */
	struct history *states[64];
	struct cube_turn scramble[64];
	size_t scramble_count;
	struct arena arena;
	struct attempt attempt;
	uint32_t actor; /* of the entries that are played */
};

static size_t read_turns(const char *text, int size, struct cube_turn *turns, size_t room)
{
	struct cube_node nodes[256];
	struct cube_alg alg;
	struct cube_error error;
	size_t count;
	ck_assert_int_eq(
		cube_parse(text, strlen(text), size, CUBE_DIALECT_SIGN, nodes, &alg, &error),
		CUBE_OK);
	ck_assert(cube_alg_expand(&alg, room, turns, &count));
	return count;
}

/* Reads at most 64 turns, which may have times. */
static size_t read_timed(const char *text, int size, struct cube_turn *turns, uint32_t *times,
			 const uint32_t **told)
{
	struct cube_node nodes[256];
	struct cube_alg alg;
	struct cube_error error;
	size_t count;
	bool timed;
	ck_assert_int_eq(timed_parse(text, strlen(text), size, CUBE_DIALECT_SIGN, nodes, &alg,
				     times, &timed, &error),
			 CUBE_OK);
	ck_assert(cube_alg_expand(&alg, 64, turns, &count));
	*told = timed ? times : NULL;
	return count;
}

static void begin(struct game *game, int store, int size, const char *base, const char *scramble)
{
	*game = (struct game){.size = size};
	struct cube *cube = malloc(cube_bytes(size));
	struct cube_turn turns[64];
	ck_assert_ptr_nonnull(cube);
	cube_init(cube, size);
	cube_turn_all(cube, turns, read_turns(base, size, turns, 64));
	game->scramble_count = read_turns(scramble, size, game->scramble, 64);
	cube_turn_all(cube, game->scramble, game->scramble_count);
	fixture_init(&game->fixture, fixture_stores[store]);
	struct pending_write *made = pending_write_create(&game->fixture, size, "game");
	made->write.base = cube;
	made->write.scramble = game->scramble;
	made->write.scramble_count = game->scramble_count;
	ck_assert_int_eq(fixture_submit(&game->fixture, made), STORE_OK);
	fixture_wait(&game->fixture);
	game->key = made->write.meta.key;
	pending_write_free(made);
	game->now = history_create(cube);
	game->states[0] = history_create(cube);
	free(cube);
}

static void end(struct game *game)
{
	for (uint32_t i = 0; i <= game->now->revision; i++)
		history_destroy(game->states[i]);
	history_destroy(game->now);
	arena_finish(&game->arena);
	fixture_finish(&game->fixture);
}

/* Plays an entry; looks before whether it ends a solve, which it must where it solves the cube. */
static bool play(struct game *game, enum entry_kind kind, int64_t ms, const char *moves)
{
	struct cube_turn turns[64];
	uint32_t times[64];
	struct entry entry = {.time_ms = START_MS + ms,
			      .revision = game->now->revision + 1,
			      .restores = kind == ENTRY_UNDO    ? game->now->revision - 1
					  : kind == ENTRY_RESET ? 0
								: HISTORY_NONE,
			      .kind = kind,
			      .actor = game->actor,
			      .has_turns = moves != NULL};
	if (moves) {
		entry.turn_count = read_timed(moves, game->size, turns, times, &entry.times);
		entry.turns = turns;
	} else {
		entry.cube = game->states[entry.restores]->cube;
	}
	struct pending_write *pending =
		pending_write_append(&game->fixture, game->key, game->size, &entry);
	game->attempt = (struct attempt){.key = game->key,
					 .size = game->size,
					 .scramble = game->scramble,
					 .scramble_count = game->scramble_count,
					 .packed = pending->packed,
					 .packed_bytes = pending->write.packed_bytes,
					 .revision = entry.revision,
					 .moves_max = 50};
	const bool before = cube_is_solved(game->now->cube);
	ck_assert(history_apply(game->now, &entry));
	const bool solves = !before && cube_is_solved(game->now->cube);
	if (kind == ENTRY_MOVES && solves)
		ck_assert_int_eq(attempt_find(&game->attempt, game->fixture.store,
					      game->fixture.reader, &game->arena),
				 STORE_OK);
	ck_assert_int_eq(fixture_do(&game->fixture, pending), STORE_OK);
	game->states[entry.revision] = history_copy(game->now);
	return game->attempt.found;
}

static void text_is(const char *text, const char *expected)
{
	ck_assert_msg(text && strcmp(text, expected) == 0, "\"%s\" is not \"%s\"",
		      text ? text : "(none)", expected);
}

#define M ENTRY_MOVES

START_TEST(a_session_that_begins_scrambled)
{
	struct game game;
	begin(&game, _i, 3, "", "R U2 F'");
	ck_assert(!play(&game, M, 5000, "F"));
	ck_assert(!play(&game, M, 5700, "U U"));
	ck_assert(play(&game, M, 17345, "x R'"));
	const struct stored_solve *solve = &game.attempt.solve;
	text_is(solve->scramble, "R U2 F'");
	text_is(solve->solution, "F@0 U@700 U@700 x@12345 R'@12345");
	ck_assert_int_eq(solve->time_ms, 12345);
	ck_assert_int_eq(solve->created_ms, START_MS + 17345);
	ck_assert_int_eq(solve->penalty_ms, 0);
	ck_assert_int_eq(solve->size, 3);
	ck_assert_int_eq(solve->clock, SOLVE_SERVER_CLOCK);
	ck_assert_int_eq(solve->origin, SOLVE_OF_SESSION);
	ck_assert(solve->verified);
	ck_assert_uint_eq(solve->revision, 3);
	ck_assert_ptr_null(solve->base);
	/* Turns that are made afterwards are not a solve, until there is another scramble. */
	ck_assert(!play(&game, M, 18000, "R"));
	ck_assert(!play(&game, M, 19000, "R'"));
	ck_assert(!play(&game, ENTRY_SCRAMBLE, 20000, "D2 L"));
	ck_assert(!play(&game, M, 21000, "L'"));
	ck_assert(play(&game, M, 22000, "D2"));
	text_is(game.attempt.solve.scramble, "D2 L"); /* the cube was solved, held otherwise */
	text_is(game.attempt.solve.solution, "L'@0 D2@1000");
	end(&game);
}
END_TEST

START_TEST(a_cube_that_nobody_scrambled)
{
	struct game game;
	begin(&game, _i, 3, "", "");
	ck_assert(!play(&game, M, 0, "R"));
	ck_assert(!play(&game, M, 1000, "R'"));
	/* Taken back, a scramble is none. */
	ck_assert(!play(&game, ENTRY_SCRAMBLE, 2000, "U"));
	ck_assert(!play(&game, ENTRY_UNDO, 3000, "U'"));
	ck_assert(!play(&game, M, 4000, "R"));
	ck_assert(!play(&game, M, 5000, "R'"));
	end(&game);
}
END_TEST

START_TEST(scrambled_on_top_of_something)
{
	struct game game;
	begin(&game, _i, 3, "", "");
	play(&game, M, 0, "R");
	play(&game, ENTRY_SCRAMBLE, 1000, "U");
	ck_assert(!play(&game, M, 2000, "U'"));
	ck_assert(play(&game, M, 3000, "R'"));
	/* The scramble alone does not determine the cube, so that is kept. */
	const struct stored_solve *solve = &game.attempt.solve;
	ck_assert_ptr_null(solve->scramble);
	struct cube *cube = malloc(cube_bytes(3));
	ck_assert_ptr_nonnull(cube);
	ck_assert(cube_unpack(cube, 3, solve->base, solve->base_bytes));
	ck_assert(cube_equal(cube, game.states[2]->cube));
	free(cube);
	text_is(solve->solution, "U'@0 R'@1000");
	end(&game);
	/* So is a first cube that has no scramble, or more than that. */
	for (int more = 0; more < 2; more++) {
		begin(&game, _i, 2, "F", more ? "R" : "");
		play(&game, M, 0, more ? "R'" : "U0");
		ck_assert(play(&game, M, 10, "F'"));
		ck_assert_ptr_null(game.attempt.solve.scramble);
		ck_assert_ptr_nonnull(game.attempt.solve.base);
		end(&game);
	}
}
END_TEST

START_TEST(what_is_taken_back_was_turned)
{
	struct game game;
	begin(&game, _i, 3, "", "R");
	play(&game, M, 1000, "U");
	play(&game, ENTRY_UNDO, 3000, "U'");
	ck_assert(play(&game, M, 4000, "R'"));
	text_is(game.attempt.solve.solution, "U@0 U'@2000 R'@3000");
	/* A reset begins again, with the first scramble. */
	play(&game, ENTRY_RESET, 5000, NULL);
	play(&game, M, 6000, "U");
	play(&game, ENTRY_RESET, 7000, NULL);
	play(&game, M, 8000, "D");
	ck_assert(play(&game, M, 9000, "D' R'"));
	text_is(game.attempt.solve.scramble, "R");
	text_is(game.attempt.solve.solution, "D@0 D'@1000 R'@1000");
	ck_assert_int_eq(game.attempt.solve.time_ms, 1000);
	end(&game);
}
END_TEST

START_TEST(one_entry_is_not_timed)
{
	struct game game;
	begin(&game, _i, 3, "", "R U");
	ck_assert(play(&game, M, 1000, "U' R'"));
	text_is(game.attempt.solve.solution, "U' R'");
	ck_assert_int_eq(game.attempt.solve.time_ms, SOLVE_UNTIMED);
	ck_assert_int_eq(game.attempt.solve.clock, SOLVE_NO_CLOCK);
	end(&game);
}
END_TEST

/* A text of moves that was pasted is not a solve by hand, whichever clock measured it. */
START_TEST(faster_than_a_hand_is_not_timed)
{
	static const struct {
		const char *first, *rest;
		int64_t first_ms, rest_ms, time_ms;
	} cases[] = {
		{"D", "D' F' R' U2 L' B'", 0, 80, SOLVE_UNTIMED},
		{"D", "D' F' R' U2 L' B'", 0, 299, SOLVE_UNTIMED},
		{"D", "D' F' R' U2 L' B'", 0, 300, 300},
		{"D x y z", "z' y' x' D' F' R' U2 L' B'", 0, 300, 300},
		{"D@0 D'@10 y@12 y'@12", "F'@20 R'@30 U2@40 L'@50 B'@60", 0, 9000, SOLVE_UNTIMED},
		{"D@0 D'@10 y@12 y'@12", "F'@20 R'@30 U2@40 L'@50 B'@300", 0, 9000, 300},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct game game;
		begin(&game, _i, 3, "", "B L U2 R F");
		ck_assert(!play(&game, M, cases[i].first_ms, cases[i].first));
		ck_assert(play(&game, M, cases[i].rest_ms, cases[i].rest));
		ck_assert_int_eq(game.attempt.solve.time_ms, cases[i].time_ms);
		ck_assert_ptr_nonnull(game.attempt.solve.solution);
		end(&game);
	}
}
END_TEST

static void clock_is(const struct game *game, enum solve_clock clock, int64_t time_ms,
		     const char *solution)
{
	text_is(game->attempt.solve.solution, solution);
	ck_assert_int_eq(game->attempt.solve.time_ms, time_ms);
	ck_assert_int_eq(game->attempt.solve.clock, clock);
}

/* Rotations before the first turn belong to the inspection. */
START_TEST(rotations_do_not_start)
{
	struct game game;
	begin(&game, _i, 3, "", "R U");
	play(&game, M, 1000, "x");
	play(&game, M, 3000, "x' y2 y2 U'");
	ck_assert(play(&game, M, 4500, "R'"));
	clock_is(&game, SOLVE_SERVER_CLOCK, 1500, "x@0 x'@0 y2@0 y2@0 U'@0 R'@1500");
	end(&game);
	begin(&game, _i, 3, "", "R U");
	play(&game, M, 1000, "x@100");
	play(&game, M, 3000, "x'@2000 U'@2100 y@2200");
	ck_assert(play(&game, M, 4500, "y'@2300 R'@3600"));
	clock_is(&game, SOLVE_CLIENT_CLOCK, 1500, "x@2100 x'@2100 U'@2100 y@2200 y'@2300 R'@3600");
	end(&game);
	/* After them, one entry is one entry. */
	begin(&game, _i, 3, "", "R U");
	play(&game, M, 1000, "x");
	ck_assert(play(&game, M, 3000, "x' U' R'"));
	clock_is(&game, SOLVE_NO_CLOCK, SOLVE_UNTIMED, "x x' U' R'");
	end(&game);
}
END_TEST

START_TEST(times_that_were_told_count)
{
	struct game game;
	begin(&game, _i, 3, "", "R U");
	ck_assert(play(&game, M, 1000, "U'@40 R'@1290"));
	clock_is(&game, SOLVE_CLIENT_CLOCK, 1250, "U'@40 R'@1290");
	end(&game);
	/* Times count over several entries if none is missing. */
	begin(&game, _i, 3, "", "R U");
	play(&game, ENTRY_SCRAMBLE, 500, "R2 F");
	play(&game, M, 1000, "F'@100 D@100 D'@300");
	play(&game, M, 1010, "R2@300");
	play(&game, M, 1020, "U'@400");
	ck_assert(play(&game, M, 3000, "R'@2000"));
	clock_is(&game, SOLVE_CLIENT_CLOCK, 1900, "F'@100 D@100 D'@300 R2@300 U'@400 R'@2000");
	ck_assert_ptr_null(game.attempt.solve.scramble);
	end(&game);
	/* One without, or one that is before the last: the server's. */
	static const char *const others[] = {"x", "x@299", "x2 x'"};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		begin(&game, _i, 3, "", "R U");
		play(&game, M, 1000, "U'@300");
		play(&game, M, 1500, others[i]);
		ck_assert(play(&game, M, 2000, "F@700 F'@701 x'@900 R'@1000"));
		ck_assert_int_eq(game.attempt.solve.clock, SOLVE_SERVER_CLOCK);
		ck_assert_int_eq(game.attempt.solve.time_ms, 1000);
		end(&game);
	}
	begin(&game, _i, 3, "", "R U");
	play(&game, M, 1000, "U'@0");
	play(&game, M, 1100, "D@100");
	play(&game, ENTRY_UNDO, 1300, "D'");
	ck_assert(play(&game, M, 1700, "R'@200"));
	clock_is(&game, SOLVE_SERVER_CLOCK, 700, "U'@0 D@100 D'@300 R'@700");
	end(&game);
	/* Two who turn have two clocks. */
	for (uint32_t other = 1; other <= 2; other++) {
		begin(&game, _i, 3, "", "R U");
		game.actor = 1;
		play(&game, M, 1000, "U'@0");
		game.actor = other;
		ck_assert(play(&game, M, 1700, "R'@200"));
		ck_assert_int_eq(game.attempt.solve.clock,
				 other == 1 ? SOLVE_CLIENT_CLOCK : SOLVE_SERVER_CLOCK);
		ck_assert_int_eq(game.attempt.solve.time_ms, other == 1 ? 200 : 700);
		end(&game);
	}
	/* A single turn took no time that could be measured. */
	begin(&game, _i, 3, "", "R");
	ck_assert(play(&game, M, 1000, "R'@5"));
	clock_is(&game, SOLVE_NO_CLOCK, SOLVE_UNTIMED, "R'");
	end(&game);
}
END_TEST

START_TEST(of_too_many_turns_the_time_is_kept)
{
	struct game game;
	begin(&game, _i, 3, "", "R");
	for (int i = 0; i < 13; i++)
		ck_assert(!play(&game, M, i, "U U U U"));
	ck_assert(play(&game, M, 2000, "R'"));
	ck_assert_ptr_null(game.attempt.solve.solution);
	ck_assert(!game.attempt.solve.verified);
	ck_assert_int_eq(game.attempt.solve.time_ms, 2000);
	text_is(game.attempt.solve.scramble, "R");
	end(&game);
	/* So it is where turns are not known. */
	begin(&game, _i, 3, "", "R");
	play(&game, M, 0, "U");
	play(&game, M, 1, "D");
	play(&game, ENTRY_UNDO, 5, NULL);
	play(&game, M, 7, "U'");
	ck_assert(play(&game, M, 9, "R'"));
	ck_assert_ptr_null(game.attempt.solve.solution);
	ck_assert_int_eq(game.attempt.solve.time_ms, 9);
	end(&game);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("solve attempts");
	TCase *plain = tcase_create("solve attempts");
	tcase_set_timeout(plain, 60);
	tcase_add_loop_test(plain, a_session_that_begins_scrambled, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, a_cube_that_nobody_scrambled, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, scrambled_on_top_of_something, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, what_is_taken_back_was_turned, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, one_entry_is_not_timed, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, faster_than_a_hand_is_not_timed, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, rotations_do_not_start, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, times_that_were_told_count, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, of_too_many_turns_the_time_is_kept, 0, FIXTURE_STORES);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 9 * FIXTURE_STORES);
}
