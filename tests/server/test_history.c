/* test_history.c: replay against a plain model; packing, and bytes that are damaged. */
#include "tests/server/run.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "tests/server/random_player.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const int sizes[] = {2, 3, 5, 8, 21};
#define SIZES ((int)(sizeof(sizes) / sizeof(sizes[0])))

/* Bytes right before a page that may not be touched. */
struct guarded {
	uint8_t *pages, *bytes;
	size_t mapped, length;
};

static struct guarded guard(const uint8_t *bytes, size_t length)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (length / page + 1) * page;
	struct guarded g = {.mapped = room + page, .length = length};
	g.pages = mmap(NULL, g.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(g.pages, MAP_FAILED);
	ck_assert_int_eq(mprotect(g.pages + room, page, PROT_NONE), 0);
	g.bytes = g.pages + room - length;
	if (length > 0)
		memcpy(g.bytes, bytes, length);
	return g;
}

static void unguard(struct guarded g)
{
	munmap(g.pages, g.mapped);
}

static struct history *solved(int size)
{
	struct cube *cube = malloc(cube_bytes(size));
	ck_assert_ptr_nonnull(cube);
	cube_init(cube, size);
	struct history *history = history_create(cube);
	free(cube);
	ck_assert_ptr_nonnull(history);
	return history;
}

/* Packs the player's entries first..last in one block; NULL is fine for neither. */
static uint8_t *pack(const struct random_player *player, uint32_t first, uint32_t last,
		     int64_t before_ms, size_t *length)
{
	size_t room = 1;
	for (uint32_t r = first; r <= last; r++)
		room += entry_pack_bound(&player->played[r].entry, player->size);
	uint8_t *bytes = malloc(room);
	ck_assert_ptr_nonnull(bytes);
	*length = 0;
	for (uint32_t r = first; r <= last; r++) {
		const struct entry *entry = &player->played[r].entry;
		size_t took = entry_pack(entry, player->size, before_ms, bytes + *length);
		ck_assert_uint_le(took, entry_pack_bound(entry, player->size));
		*length += took;
		before_ms = entry->time_ms;
	}
	return bytes;
}

START_TEST(chain_example)
{
	/* The one in history.h. */
	struct history *history = solved(3);
	struct cube_turn turn = cube_turn_make(3, CUBE_R, 1, 1, 1);
	struct cube_turn back = cube_turn_inverse(turn);
	struct entry entries[] = {
		{.revision = 1,
		 .restores = HISTORY_NONE,
		 .has_turns = true,
		 .turn_count = 1,
		 .turns = &turn},
		{.revision = 2,
		 .restores = HISTORY_NONE,
		 .has_turns = true,
		 .turn_count = 1,
		 .turns = &turn},
		{.revision = 3,
		 .restores = 1,
		 .kind = ENTRY_UNDO,
		 .has_turns = true,
		 .turn_count = 1,
		 .turns = &back},
		{.revision = 4,
		 .restores = 2,
		 .kind = ENTRY_REDO,
		 .has_turns = true,
		 .turn_count = 1,
		 .turns = &turn},
	};
	for (int i = 0; i < 3; i++)
		ck_assert(history_apply(history, &entries[i]));
	ck_assert_uint_eq(history_undoable(history), 1);
	ck_assert_uint_eq(history_redoable(history), 1);
	ck_assert_uint_eq(history_undo_target(history, 1), 0);
	ck_assert_uint_eq(history_redo_target(history, 1), 2);
	ck_assert(history_apply(history, &entries[3]));
	ck_assert_uint_eq(history_undoable(history), 2);
	ck_assert_uint_eq(history_redoable(history), 0);
	ck_assert_uint_eq(history->done.count, 1);
	history_destroy(history);
	history_destroy(NULL);
}
END_TEST

START_TEST(kinds_have_names)
{
	for (int kind = 0; kind < ENTRY_KINDS; kind++)
		ck_assert_ptr_nonnull(entry_kind_name((enum entry_kind)kind));
	ck_assert_str_eq(entry_kind_name(ENTRY_MOVES), "moves");
	ck_assert_str_eq(entry_kind_name(ENTRY_SCRAMBLE), "scramble");
}
END_TEST

START_TEST(replay_equals_model)
{
	int size = sizes[_i];
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct random_player player;
		random_player_init(&player, size, NULL, seed);
		player.actors = 3;
		struct history *history = solved(size);
		for (int i = 0; i < (size > 10 ? 150 : 600); i++) {
			ck_assert(history_apply(history, random_player_next(&player)));
			random_player_check(&player, history);
		}
		struct history *copy = history_copy(history);
		ck_assert_ptr_nonnull(copy);
		random_player_check(&player, copy);
		ck_assert_uint_ge(history_bytes(copy), cube_bytes(size));
		history_destroy(copy);
		history_destroy(history);
		random_player_finish(&player);
	}
}
END_TEST

/* Undo and turn, undo and turn: each leaves a gap, so that there are more and more runs. */
START_TEST(many_runs_are_kept)
{
	struct history *history = solved(2);
	const struct cube_turn turn = cube_turn_make(2, CUBE_R, 1, 1, 1);
	const size_t before = history_bytes(history);
	for (uint32_t i = 0; i < 40; i++) {
		struct entry made = {.revision = history->revision + 1,
				     .restores = HISTORY_NONE,
				     .has_turns = true,
				     .turn_count = 1,
				     .turns = &turn};
		if (i % 4 == 3) {
			made.kind = ENTRY_UNDO;
			made.restores = history_undo_target(history, 1);
		}
		ck_assert(history_apply(history, &made));
		struct history *copy = history_copy(history);
		ck_assert_ptr_nonnull(copy);
		ck_assert_uint_eq(copy->done.count, history->done.count);
		ck_assert_mem_eq(copy->done.runs, history->done.runs,
				 history->done.count * sizeof(struct revision_run));
		ck_assert_ptr_ne(copy->done.runs, history->done.runs);
		ck_assert_int_eq(history_bytes(copy) > before,
				 copy->done.count > REVISION_RUNS_NEAR);
		history_destroy(history);
		history = copy;
	}
	ck_assert_uint_eq(history->done.count, 10);
	ck_assert_uint_eq(history_undoable(history), 20);
	/* All of them move to the other stack, where one is already, and back. */
	const struct entry back = {
		.kind = ENTRY_UNDO, .revision = 41, .restores = 0, .has_turns = true};
	ck_assert(history_apply(history, &back));
	ck_assert_uint_eq(history_redoable(history), 21);
	const struct entry again = {.kind = ENTRY_REDO,
				    .revision = 42,
				    .restores = history_redo_target(history, 20),
				    .has_turns = true};
	ck_assert(history_apply(history, &again));
	ck_assert_uint_eq(history_undoable(history), 20);
	history_destroy(history);
}
END_TEST

START_TEST(the_last_who_holds_it_frees_it)
{
	struct history *history = solved(3);
	ck_assert_ptr_eq(history_share(history), history);
	history_release(history);
	ck_assert_uint_eq(history->references, 1);
	struct history *copy = history_copy(history_share(history));
	ck_assert_ptr_nonnull(copy);
	ck_assert_uint_eq(copy->references, 1);
	history_release(copy);
	history_release(history);
	history_release(history);
	history_release(NULL);
}
END_TEST

/* Applies moves, or another kind with these turns, and says whether no solve is under way. */
static bool settled_after(struct history *history, enum entry_kind kind, int face, int quarters)
{
	const struct cube_turn turn = cube_turn_make(history->cube->size, face, 1, 1, quarters);
	const struct entry entry = {.kind = kind,
				    .revision = history->revision + 1,
				    .restores = kind == ENTRY_RESET ? 0 : HISTORY_NONE,
				    .has_turns = true,
				    .turn_count = 1,
				    .turns = &turn};
	ck_assert(history_apply(history, &entry));
	struct history *copy = history_copy(history);
	ck_assert_ptr_nonnull(copy);
	ck_assert_int_eq(copy->settled, history->settled);
	history_destroy(copy);
	return history->settled;
}

START_TEST(a_solve_is_under_way_from_a_scramble_until_it_is_solved)
{
	struct history *history = solved(3);
	ck_assert(history->settled);
	ck_assert(settled_after(history, ENTRY_MOVES, CUBE_R, 1));
	ck_assert(settled_after(history, ENTRY_MOVES, CUBE_R, -1));
	ck_assert(!settled_after(history, ENTRY_SCRAMBLE, CUBE_U, 1));
	ck_assert(!settled_after(history, ENTRY_MOVES, CUBE_U, 1));
	ck_assert(settled_after(history, ENTRY_MOVES, CUBE_U, 2));
	ck_assert(settled_after(history, ENTRY_MOVES, CUBE_F, 1));
	ck_assert(!settled_after(history, ENTRY_RESET, CUBE_F, 1)); /* a first cube not solved */
	ck_assert(settled_after(history, ENTRY_MOVES, CUBE_F, 2));
	ck_assert(settled_after(history, ENTRY_SCRAMBLE, CUBE_F, 4)); /* it turned nothing */

	/* Entries before the state that a history is made of are not known. */
	ck_assert(settled_after(history, ENTRY_MOVES, CUBE_F, 1));
	struct history *loaded = history_create(history->cube);
	ck_assert_ptr_nonnull(loaded);
	ck_assert(!loaded->settled);
	history_destroy(loaded);
	history_destroy(history);
}
END_TEST

START_TEST(entries_pack)
{
	struct random_player player;
	random_player_init(&player, sizes[_i], NULL, 77);
	player.actors = 300;
	for (int i = 0; i < 300; i++)
		random_player_next(&player);
	size_t length;
	uint8_t *bytes = pack(&player, 1, player.revision, 1234, &length);
	struct guarded g = guard(bytes, length);
	struct entry_reader reader;
	struct entry entry;
	entry_reader_init(&reader, player.size, g.bytes, length, 1, 1234);
	for (uint32_t r = 1; r <= player.revision; r++) {
		ck_assert_int_eq(entry_reader_next(&reader, &entry), ENTRY_READ);
		ck_assert_uint_eq(entry.revision, r);
		random_player_check_entry(&player, &entry);
	}
	ck_assert_int_eq(entry_reader_next(&reader, &entry), ENTRY_END);
	entry_reader_finish(&reader);

	struct history *history = solved(player.size);
	ck_assert_int_eq(history_replay(history, g.bytes, length, 1234, 100), ENTRY_END);
	ck_assert_uint_eq(history->revision, 100);
	ck_assert(cube_equal(history->cube, player.states[100]));
	history_destroy(history);
	unguard(g);
	free(bytes);
	random_player_finish(&player);
}
END_TEST

/* Anonymous entries take what they took before there were actors; others one byte, or a few. */
START_TEST(actors_pack)
{
	static const uint32_t actors[] = {0, 1, 2, 70, 71, 72, 198, 199, 5000, UINT32_MAX};
	struct cube_turn turns[2] = {cube_turn_make(3, CUBE_R, 1, 1, 1),
				     cube_turn_make(3, CUBE_U, 1, 1, -1)};
	for (size_t count = 1; count <= 2; count++) {
		size_t plain = 0;
		for (size_t i = 0; i < sizeof(actors) / sizeof(actors[0]); i++) {
			struct entry entry = {.revision = 1,
					      .restores = HISTORY_NONE,
					      .time_ms = 5,
					      .actor = actors[i],
					      .has_turns = true,
					      .turn_count = count,
					      .turns = turns};
			struct entry_reader reader;
			struct entry read;
			uint8_t bytes[128];
			ck_assert_uint_le(entry_pack_bound(&entry, 3), sizeof(bytes));
			size_t length = entry_pack(&entry, 3, 0, bytes);
			if (i == 0)
				plain = length;
			ck_assert_uint_eq(length - plain, actors[i] == 0      ? 0
							  : actors[i] <= 70   ? 1
							  : actors[i] <= 198  ? 2
							  : actors[i] <= 5000 ? 3
									      : 6);
			for (size_t cut = 1; cut <= length; cut++) {
				struct guarded g = guard(bytes, cut);
				entry_reader_init(&reader, 3, g.bytes, cut, 1, 0);
				enum entry_read result = entry_reader_next(&reader, &read);
				ck_assert_int_eq(result,
						 cut == length ? ENTRY_READ : ENTRY_DAMAGED);
				if (cut == length) {
					ck_assert_uint_eq(read.actor, actors[i]);
					ck_assert_uint_eq(read.turn_count, count);
				}
				entry_reader_finish(&reader);
				unguard(g);
			}
		}
	}
	/* Two actors; and one that is past all numbers. */
	static const uint8_t wrong[][8] = {
		{185, 186, 0, 5}, {185, 255, 0, 0, 5}, {255, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 5}};
	for (size_t i = 0; i < 3; i++) {
		struct entry_reader reader;
		struct entry read;
		entry_reader_init(&reader, 3, wrong[i], sizeof(wrong[i]), 1, 0);
		ck_assert_int_eq(entry_reader_next(&reader, &read), ENTRY_DAMAGED);
		entry_reader_finish(&reader);
	}
}
END_TEST

START_TEST(times_at_the_edges)
{
	static const int64_t times[] = {
		0, -1, 1, INT64_MAX, INT64_MIN, INT64_MIN + 1, INT64_MAX - 1};
	const size_t count = sizeof(times) / sizeof(times[0]);
	struct cube_turn turn = cube_turn_make(3, CUBE_F, 1, 1, -1);
	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < count; j++) {
			struct entry entry = {.time_ms = times[i],
					      .revision = 1,
					      .restores = HISTORY_NONE,
					      .has_turns = true,
					      .turn_count = 1,
					      .turns = &turn};
			uint8_t bytes[64];
			size_t length = entry_pack(&entry, 3, times[j], bytes);
			struct entry_reader reader;
			entry_reader_init(&reader, 3, bytes, length, 1, times[j]);
			ck_assert_int_eq(entry_reader_next(&reader, &entry), ENTRY_READ);
			ck_assert_int_eq(entry.time_ms, times[i]);
			entry_reader_finish(&reader);
		}
	}
}
END_TEST

START_TEST(one_turn_takes_three_bytes)
{
	for (int face = 0; face < CUBE_FACES; face++) {
		struct cube_turn turn = cube_turn_make(3, face, 1, 1, 1);
		struct entry entry = {.time_ms = 11000,
				      .revision = 9,
				      .restores = HISTORY_NONE,
				      .has_turns = true,
				      .turn_count = 1,
				      .turns = &turn};
		uint8_t bytes[64];
		ck_assert_uint_eq(entry_pack(&entry, 3, 1000, bytes), 3);
	}
}
END_TEST

/* Reads everything; only the answer counts, and that nothing outside is read. */
static enum entry_read read_all(int size, const uint8_t *bytes, size_t length)
{
	struct history *history = solved(size);
	enum entry_read result = history_replay(history, bytes, length, 0, HISTORY_NONE);
	history_destroy(history);
	return result;
}

START_TEST(damaged_entries)
{
	int size = sizes[_i];
	struct random_player player;
	random_player_init(&player, size, NULL, 5);
	for (int i = 0; i < 40; i++)
		random_player_next(&player);
	size_t length;
	uint8_t *bytes = pack(&player, 1, player.revision, 0, &length);
	ck_assert_int_eq(read_all(size, bytes, length), ENTRY_END);
	size_t ends = 0, step = 1 + length / 3000;
	for (size_t cut = 0; cut < length; cut += step) {
		struct guarded g = guard(bytes, cut);
		enum entry_read result = read_all(size, g.bytes, cut);
		ck_assert(result == ENTRY_END || result == ENTRY_DAMAGED);
		ends += result == ENTRY_END;
		unguard(g);
	}
	ck_assert_uint_le(ends, player.revision); /* only at the entries' borders */
	struct guarded g = guard(bytes, length);
	for (int i = 0; i < 3000; i++) {
		size_t at = random_player_draw(&player, length);
		g.bytes[at] ^= (uint8_t)(1 + random_player_draw(&player, 255));
		enum entry_read result = read_all(size, g.bytes, length);
		ck_assert(result == ENTRY_END || result == ENTRY_DAMAGED);
		if (i % 4 == 3)
			memcpy(g.bytes, bytes, length);
	}
	unguard(g);
	free(bytes);
	random_player_finish(&player);
}
END_TEST

START_TEST(random_bytes_are_no_crash)
{
	struct random_player player;
	random_player_init(&player, 3, NULL, 99);
	for (int i = 0; i < 20000; i++) {
		uint8_t bytes[40];
		size_t length = random_player_draw(&player, sizeof(bytes) + 1);
		for (size_t k = 0; k < length; k++)
			bytes[k] = (uint8_t)random_player_draw(&player, 160);
		struct guarded g = guard(bytes, length);
		enum entry_read result = read_all(3, g.bytes, length);
		ck_assert(result == ENTRY_END || result == ENTRY_DAMAGED);
		unguard(g);
	}
	random_player_finish(&player);
}
END_TEST

START_TEST(damaged_numbers)
{
	static const struct {
		const char *bytes;
		size_t length;
	} cases[] = {
		{"\x00", 1},                                          /* no time */
		{"\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11}, /* more than 64 bits */
		{"\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
		 11},                                        /* a time past the end of time */
		{"\x69\x00\xff\xff\xff\xff\x7f", 7},         /* more turns than bytes */
		{"\x71\x00\x00", 3},                         /* undo of nothing */
		{"\x73\x00\x00\x00", 4},                     /* restores itself */
		{"\x73\x00\x02\x00", 4},                     /* restores before 0 */
		{"\x91\x00\x00", 3},                         /* no such kind */
		{"\x69\x00\x01\xff", 4},                     /* no such turn */
		{"\x6d\x00\x01", 3},                         /* a cube cut short */
		{"\x6b\x00\x01\x00", 4},                     /* no time of the turn */
		{"\x6b\x00\x02\x00\x00\x05", 6},             /* of one turn only */
		{"\x6b\x00\x01\x00\xff\xff\xff\xff\x10", 9}, /* later than there is a time for */
		{"\x6f\x00\x01", 3},                         /* times of a cube */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_msg(read_all(3, (const uint8_t *)cases[i].bytes, cases[i].length) ==
				      ENTRY_DAMAGED,
			      "case %zu", i);
	/* There is no revision after the last. */
	struct entry_reader reader;
	struct entry entry;
	entry_reader_init(&reader, 3, (const uint8_t *)"\x00\x00", 2, HISTORY_NONE, 0);
	ck_assert_int_eq(entry_reader_next(&reader, &entry), ENTRY_DAMAGED);
	entry_reader_finish(&reader);
	entry_reader_init(&reader, 3, NULL, 0, 1, 0);
	ck_assert_int_eq(entry_reader_next(&reader, &entry), ENTRY_END);
}
END_TEST

START_TEST(snapshots)
{
	int size = sizes[_i];
	struct random_player player;
	random_player_init(&player, size, NULL, 3);
	struct history *history = solved(size);
	for (int i = 0; i <= 120; i++) {
		size_t length = history_packed_bytes(history);
		uint8_t *bytes = malloc(length);
		ck_assert_ptr_nonnull(bytes);
		ck_assert_uint_eq(history_pack(history, bytes), length);
		struct guarded g = guard(bytes, length);
		bool damaged;
		struct history *again = history_unpack(size, g.bytes, length, &damaged);
		ck_assert_ptr_nonnull(again);
		random_player_check(&player, again);
		history_destroy(again);
		unguard(g);
		free(bytes);
		ck_assert(history_apply(history, random_player_next(&player)));
	}
	history_destroy(history);
	random_player_finish(&player);
}
END_TEST

START_TEST(damaged_snapshots)
{
	int size = sizes[_i];
	struct random_player player;
	random_player_init(&player, size, NULL, 8);
	struct history *history = solved(size);
	for (int i = 0; i < 200; i++)
		ck_assert(history_apply(history, random_player_next(&player)));
	size_t length = history_packed_bytes(history), step = 1 + length / 1000;
	uint8_t *bytes = malloc(length + 1);
	ck_assert_ptr_nonnull(bytes);
	history_pack(history, bytes);
	bytes[length] = 0;
	bool damaged;
	ck_assert_ptr_null(history_unpack(size, bytes, length + 1, &damaged));
	ck_assert(damaged);
	for (size_t cut = 0; cut < length; cut += step) {
		struct guarded g = guard(bytes, cut);
		ck_assert_ptr_null(history_unpack(size, g.bytes, cut, &damaged));
		ck_assert(damaged);
		unguard(g);
	}
	struct guarded g = guard(bytes, length);
	for (int i = 0; i < 3000; i++) {
		/* The chain stands first: damage mostly that. */
		size_t at = random_player_draw(&player, i % 2 == 0 && length > 300 ? 300 : length);
		g.bytes[at] ^= (uint8_t)(1 + random_player_draw(&player, 255));
		struct history *read = history_unpack(size, g.bytes, length, &damaged);
		ck_assert(read != NULL || damaged);
		if (read != NULL) {
			ck_assert_uint_le(history_undoable(read) + history_redoable(read),
					  read->revision);
		}
		history_destroy(read);
		if (i % 3 == 2)
			memcpy(g.bytes, bytes, length);
	}
	unguard(g);
	free(bytes);
	history_destroy(history);
	random_player_finish(&player);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("history");
	TCase *plain = tcase_create("history");
	tcase_set_timeout(plain, 120);
	tcase_add_test(plain, chain_example);
	tcase_add_test(plain, a_solve_is_under_way_from_a_scramble_until_it_is_solved);
	tcase_add_test(plain, kinds_have_names);
	tcase_add_test(plain, many_runs_are_kept);
	tcase_add_test(plain, the_last_who_holds_it_frees_it);
	tcase_add_loop_test(plain, replay_equals_model, 0, SIZES);
	tcase_add_loop_test(plain, entries_pack, 0, SIZES);
	tcase_add_test(plain, actors_pack);
	tcase_add_test(plain, times_at_the_edges);
	tcase_add_test(plain, one_turn_takes_three_bytes);
	tcase_add_loop_test(plain, damaged_entries, 0, SIZES);
	tcase_add_test(plain, random_bytes_are_no_crash);
	tcase_add_test(plain, damaged_numbers);
	tcase_add_loop_test(plain, snapshots, 0, SIZES);
	tcase_add_loop_test(plain, damaged_snapshots, 0, SIZES);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 34);
}
