/* test_cuts.c: the connection to PostgreSQL is cut behind each byte of what a batch sends and is
 * answered, and now and then held: each write is answered once, and stored once.
 *
 *     test_cuts [STEP]     cuts behind each STEP-th byte only
 *
 * Controls: a lane that believes that a batch in doubt was never committed, and one that believes
 * that it was (through --wrap=lane_resolve), must be found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cube/cube.h"
#include "server/modules/postgres/store/lane.h"
#include "tests/proof/cut_proxy.h"
#include "tests/server/postgres_fixture.h"
#include "tests/server/run.h"
#include "tests/server/store_fixture.h"

#define BATCH 3
#define BYTES_MAX 20000
#define HOLDS 2 /* each takes as long as a lane waits for an answer */

static enum { BELIEVE_RIGHT, BELIEVE_NEVER, BELIEVE_COMMITTED } belief;
static const struct store_fixture *purged; /* its lanes are deleted before a batch is resolved */
static uint64_t step = 7;

/* Does what other processes do with the lanes of one that stood still for a day. */
static void purge_lanes(void)
{
	bool committed = false;
	for (int tries = 0; !committed; tries++) {
		char *count = postgres_fixture_sql(
			purged->database, "SELECT count(*) FROM cubed.session WHERE revision = 4");
		committed = strcmp(count, "1") == 0;
		free(count);
		ck_assert_int_lt(tries, 500);
	}
	free(postgres_fixture_sql(purged->database,
				  "DELETE FROM cubed.lane; DELETE FROM cubed.change"));
	purged = NULL;
}

enum resolved __real_lane_resolve(struct lane *lane, struct transaction *transaction,
				  uint64_t until_ns);
enum resolved __wrap_lane_resolve(struct lane *lane, struct transaction *transaction,
				  uint64_t until_ns);
enum resolved __wrap_lane_resolve(struct lane *lane, struct transaction *transaction,
				  uint64_t until_ns)
{
	if (purged != NULL)
		purge_lanes();
	const enum resolved resolved = __real_lane_resolve(lane, transaction, until_ns);
	if (resolved == RESOLVED_UNKNOWN || belief == BELIEVE_RIGHT)
		return resolved;
	return belief == BELIEVE_NEVER ? RESOLVED_NEVER : RESOLVED_COMMITTED;
}

struct game {
	struct store_fixture fixture;
	struct cut_proxy proxy;
	struct random_player player;
	uint64_t key;
	unsigned
		faults; /* writes that are not answered STORE_OK, or not stored as they should be */
};

static void game_init(struct game *game)
{
	*game = (struct game){0};
	fixture_init(&game->fixture, "postgresql");
	fixture_close(&game->fixture);
	cut_proxy_start(&game->proxy, postgres_fixture_host(), statement_names[STATEMENT_APPEND]);
	snprintf(game->fixture.location, sizeof(game->fixture.location),
		 "postgresql:host=%s user=cubed dbname=%s", game->proxy.name,
		 game->fixture.database);
	fixture_open(&game->fixture);
	random_player_init(&game->player, 3, NULL, 1);
	game->key = fixture_session(&game->fixture, 3, "game");
}

static void game_finish(struct game *game)
{
	random_player_finish(&game->player);
	fixture_close(&game->fixture);
	cut_proxy_stop(&game->proxy);
	fixture_finish(&game->fixture);
}

static void check_stored(struct game *game)
{
	struct stored_session session;
	struct session_id id = fixture_id("game");
	const struct store_fixture *fixture = &game->fixture;
	ck_assert_int_eq(fixture->store->operations->find(fixture->reader, &id, &session),
			 STORE_OK);
	if (session.history->revision != game->player.revision ||
	    !cube_equal(session.history->cube, game->player.states[game->player.revision]))
		game->faults++;
	stored_session_free(&session);
}

/* Writes a batch while that happens; false if it did not, since fewer bytes passed. */
static bool play(struct game *game, enum cut_mode mode, enum cut_direction direction,
		 uint64_t bytes)
{
	struct pending_write *writes[BATCH];
	const unsigned before = cut_proxy_done(&game->proxy);
	cut_proxy_plan(&game->proxy, mode, direction, bytes);
	for (int i = 0; i < BATCH; i++) {
		writes[i] = pending_write_append(&game->fixture, game->key, 3,
						 random_player_next(&game->player));
		ck_assert_int_eq(fixture_submit(&game->fixture, writes[i]), STORE_OK);
	}
	fixture_wait(&game->fixture);
	const bool happened = cut_proxy_done(&game->proxy) > before;
	cut_proxy_plan(&game->proxy, CUT_NOTHING, direction, 0);
	cut_proxy_close(&game->proxy, false);
	for (int i = 0; i < BATCH; i++) {
		if (writes[i]->write.status != STORE_OK)
			game->faults++;
		pending_write_free(writes[i]);
	}
	check_stored(game);
	return happened;
}

START_TEST(cut_behind_each_byte)
{
	struct game game;
	game_init(&game);
	uint64_t bytes = 0;
	while (bytes < BYTES_MAX && play(&game, CUT_CLOSE, (enum cut_direction)_i, bytes)) {
		ck_assert_msg(game.faults == 0, "cut behind byte %u: %u faults", (unsigned)bytes,
			      game.faults);
		bytes += step;
	}
	printf("direction %d: cut behind each %u. of %u bytes\n", _i, (unsigned)step,
	       (unsigned)bytes);
	ck_assert_uint_gt(bytes, 100);
	ck_assert_uint_lt(bytes, BYTES_MAX);
	fixture_check_game(&game.fixture, "game", game.key, &game.player, 97);
	game_finish(&game);
}
END_TEST

START_TEST(held)
{
	struct game game;
	game_init(&game);
	for (uint64_t i = 0; i < HOLDS; i++) {
		ck_assert(play(&game, CUT_HOLD, (enum cut_direction)(i % 2), 20 + 10 * i));
		ck_assert_uint_eq(game.faults, 0);
	}
	cut_proxy_delay(&game.proxy, 5);
	play(&game, CUT_NOTHING, CUT_TO_SERVER, 0);
	ck_assert_uint_eq(game.faults, 0);
	fixture_check_game(&game.fixture, "game", game.key, &game.player, 1);
	game_finish(&game);
}
END_TEST

/* A batch was committed without an answer, and then nobody knows of it any more: that it was not is
 * not said, so that nobody sends it again. */
START_TEST(forgotten)
{
	struct game game;
	game_init(&game);
	play(&game, CUT_NOTHING, CUT_TO_CLIENT, 0);
	purged = &game.fixture;
	cut_proxy_plan(&game.proxy, CUT_CLOSE, CUT_TO_CLIENT, 0);
	struct pending_write *write =
		pending_write_append(&game.fixture, game.key, 3, random_player_next(&game.player));
	ck_assert_int_eq(fixture_submit(&game.fixture, write), STORE_OK);
	fixture_wait(&game.fixture);
	ck_assert_int_eq(write->write.status, STORE_UNKNOWN);
	game.fixture.generation = write->write.generation;
	pending_write_free(write);
	check_stored(&game);
	/* It works on, in another lane. */
	fixture_reload(&game.fixture, "game");
	play(&game, CUT_NOTHING, CUT_TO_CLIENT, 0);
	ck_assert_uint_eq(game.faults, 0);
	game_finish(&game);
}
END_TEST

/* The belief is wrong for some of the cuts: what was committed is sent again, or what was not is
 * lost. */
START_TEST(control)
{
	struct game game;
	game_init(&game);
	belief = _i == 0 ? BELIEVE_NEVER : BELIEVE_COMMITTED;
	for (uint64_t bytes = 1; game.faults == 0 && bytes < BYTES_MAX; bytes += 5)
		if (!play(&game, CUT_CLOSE, _i == 0 ? CUT_TO_CLIENT : CUT_TO_SERVER, bytes))
			break;
	belief = BELIEVE_RIGHT;
	ck_assert_uint_gt(game.faults, 0);
	game_finish(&game);
}
END_TEST

int main(int argc, char **argv)
{
	step = argc > 1 ? strtoull(argv[1], NULL, 10) : step;
	step += step == 0;
	Suite *suite = suite_create("cuts");
	TCase *plain = tcase_create("cuts");
	tcase_set_timeout(plain, 600);
	tcase_add_loop_test(plain, cut_behind_each_byte, 0, 2);
	tcase_add_test(plain, held);
	tcase_add_loop_test(plain, control, 0, 2);
	suite_add_tcase(suite, plain);
	TCase *purges = tcase_create("forgotten");
	tcase_set_timeout(purges, 60);
	tcase_add_test(purges, forgotten);
	suite_add_tcase(suite, purges);
	return run_suite(suite, 6);
}
