/* test_store.c: what every store does, in memory or on a disk. */
#include "cube/cube.h"
#include "cube/turn.h"
#include "tests/server/run.h"

#include "server/store/memory.h"
#include "tests/server/store_fixture.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void play(struct store_fixture *fixture, uint64_t key, struct random_player *player,
		 int entries)
{
	/* All in flight at once, as the session cache works ahead. */
	struct pending_write **writes = calloc((size_t)entries, sizeof(*writes));
	ck_assert_ptr_nonnull(writes);
	for (int i = 0; i < entries; i++) {
		writes[i] = pending_write_append(fixture, key, player->size,
						 random_player_next(player));
		ck_assert_int_eq(fixture_submit(fixture, writes[i]), STORE_OK);
	}
	fixture_wait(fixture);
	for (int i = 0; i < entries; i++) {
		ck_assert_int_eq(writes[i]->write.status, STORE_OK);
		pending_write_free(writes[i]);
	}
	free(writes);
}

START_TEST(create_and_find)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	const struct store_operations *operations = fixture.store->operations;
	ck_assert_str_eq(operations->name, fixture_stores[_i]);
	ck_assert_int_eq(operations->health(fixture.store), STORE_OK);

	struct cube *base = malloc(cube_bytes(5));
	struct cube_turn scramble[3] = {cube_turn_make(5, CUBE_R, 1, 2, 1),
					cube_turn_make(5, CUBE_F, 1, 5, 2),
					cube_turn_make(5, CUBE_L, 2, 3, -1)};
	ck_assert_ptr_nonnull(base);
	cube_init(base, 5);
	cube_turn_all(base, scramble, 3);
	struct pending_write *made = pending_write_create(&fixture, 5, "first");
	made->write.base = base;
	made->write.scramble = scramble;
	made->write.scramble_count = 3;
	made->write.meta.access = ACCESS_NONE;
	made->write.meta.listed = false;
	made->write.meta.updated_ms = 1700000000123;
	ck_assert_int_eq(fixture_submit(&fixture, made), STORE_OK);
	fixture_wait(&fixture);
	ck_assert_int_eq(made->write.status, STORE_OK);
	ck_assert_uint_gt(made->write.meta.key, 0);
	uint64_t second = fixture_session(&fixture, 2, "");
	ck_assert_uint_gt(second, made->write.meta.key);

	struct stored_session session;
	struct session_id id = fixture_id("first");
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(operations->find(fixture.reader, &id, &session), STORE_OK);
		ck_assert_uint_eq(session.meta.key, made->write.meta.key);
		ck_assert_mem_eq(&session.meta.id, &id, sizeof(id));
		ck_assert_int_eq(session.meta.size, 5);
		ck_assert_int_eq(session.meta.access, ACCESS_NONE);
		ck_assert(!session.meta.deleted);
		ck_assert_int_eq(session.meta.created_ms, 1700000000000);
		ck_assert_int_eq(session.meta.updated_ms, 1700000000123);
		ck_assert_str_eq(session.meta.name, "first");
		ck_assert_uint_eq(session.history->revision, 0);
		ck_assert(cube_equal(session.history->cube, base));
		ck_assert_uint_eq(session.scramble_count, 3);
		for (int i = 0; i < 3; i++) {
			ck_assert_int_eq(session.scramble[i].face, scramble[i].face);
			ck_assert_int_eq(session.scramble[i].quarters, scramble[i].quarters);
		}
		stored_session_free(&session);
		if (fixture.persistent) {
			fixture_close(&fixture);
			fixture_open(&fixture);
			operations = fixture.store->operations;
		}
	}
	id = fixture_id("");
	ck_assert_int_eq(operations->find(fixture.reader, &id, &session), STORE_OK);
	ck_assert_str_eq(session.meta.name, "");
	ck_assert_ptr_null(session.scramble);
	ck_assert_int_eq(session.meta.updated_ms, session.meta.created_ms);
	ck_assert(cube_is_home(session.history->cube));
	stored_session_free(&session);
	id = fixture_id("nobody");
	ck_assert_int_eq(operations->find(fixture.reader, &id, &session), STORE_NOT_FOUND);
	/* An id is given once; the write beside it is not touched. */
	ck_assert_int_eq(fixture_do(&fixture, pending_write_create(&fixture, 3, "first")),
			 STORE_CONFLICT);
	fixture_session(&fixture, 3, "third");
	pending_write_free(made);
	free(base);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(meta_and_delete)
{
	struct store_fixture fixture;
	fixture_init(&fixture, fixture_stores[_i]);
	uint64_t key = fixture_session(&fixture, 3, "one");
	struct session_id id = fixture_id("one");
	struct stored_session session;
	struct pending_write *change = pending_write_of(&fixture, WRITE_META, key);
	strcpy(change->write.meta.name, "\xc3\xa9t\xc3\xa9");
	change->write.meta.access = ACCESS_EDIT;
	change->write.meta.updated_ms = 1700000099999;
	ck_assert_int_eq(fixture_do(&fixture, change), STORE_OK);
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session), STORE_OK);
	ck_assert_str_eq(session.meta.name, "\xc3\xa9t\xc3\xa9");
	ck_assert_int_eq(session.meta.access, ACCESS_EDIT);
	ck_assert_int_eq(session.meta.updated_ms, 1700000099999);
	stored_session_free(&session);

	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, key)),
			 STORE_OK);
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session), STORE_OK);
	ck_assert(session.meta.deleted);
	stored_session_free(&session);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, key)),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_META, key)),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_META, 12345)),
			 STORE_NOT_FOUND);
	struct history *history;
	ck_assert_int_eq(fixture.store->operations->at(fixture.reader, 12345, 0, &history),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(fixture.store->operations->at(fixture.reader, UINT64_MAX, 0, &history),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(fixture.store->operations->entries(fixture.reader, 12345, 0, NULL, NULL),
			 STORE_NOT_FOUND);
	fixture_finish(&fixture);
}
END_TEST

/* ThreadSanitizer looks for races alone, and turning takes ten times as long under it. */
#ifdef __SANITIZE_THREAD__
#define ENTRIES(count) ((count) / 6)
#else
#define ENTRIES(count) (count)
#endif

static const struct {
	int size, entries;
} games[] = {{2, ENTRIES(1200)},
	     {3, ENTRIES(1200)},
	     {5, ENTRIES(700)},
	     {8, ENTRIES(300)},
	     {21, ENTRIES(120)}};
#define GAMES ((int)(sizeof(games) / sizeof(games[0])))

START_TEST(games_replay)
{
	int which = _i % GAMES;
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, fixture_stores[_i / GAMES]);
	random_player_init(&player, games[which].size, NULL, (uint64_t)_i);
	uint64_t key = fixture_session(&fixture, games[which].size, "game");
	uint64_t other = fixture_session(&fixture, 2, "other");
	for (int part = 0; part < 3; part++) {
		play(&fixture, key, &player, games[which].entries / 3);
		fixture_check_game(&fixture, "game", key, &player, part == 2 ? 1 : 29);
		if (fixture.persistent) {
			fixture_close(&fixture);
			fixture_open(&fixture);
			fixture_check_game(&fixture, "game", key, &player, 31);
		}
	}
	struct history *history;
	ck_assert_int_eq(fixture.store->operations->at(fixture.reader, other, 0, &history),
			 STORE_OK);
	history_destroy(history);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(a_scrambled_base)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, fixture_stores[_i]);
	struct cube *base = malloc(cube_bytes(3));
	ck_assert_ptr_nonnull(base);
	cube_init(base, 3);
	cube_turn(base, cube_turn_make(3, CUBE_B, 1, 1, 1));
	random_player_init(&player, 3, base, 4);
	struct pending_write *pending = pending_write_create(&fixture, 3, "game");
	pending->write.base = base;
	ck_assert_int_eq(fixture_submit(&fixture, pending), STORE_OK);
	fixture_wait(&fixture);
	play(&fixture, pending->write.meta.key, &player, 500);
	fixture_check_game(&fixture, "game", pending->write.meta.key, &player, 7);
	pending_write_free(pending);
	free(base);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* ---- listing ---- */

struct listed {
	uint64_t keys[100];
	uint32_t count, limit;
};

static bool list_one(void *context, struct stored_session *session)
{
	struct listed *listed = context;
	ck_assert(!session->meta.deleted);
	ck_assert(session->meta.listed);
	listed->keys[listed->count++] = session->meta.key;
	if (listed->count % 2 == 0) { /* taken over */
		history_destroy(session->history);
		session->history = NULL;
	}
	return listed->count < listed->limit;
}

START_TEST(list_newest_first)
{
	struct store_fixture fixture;
	uint64_t keys[40], next = 99;
	fixture_init(&fixture, fixture_stores[_i]);
	const struct store_operations *operations = fixture.store->operations;
	struct listed listed = {.limit = 100};
	ck_assert_int_eq(
		operations->list(fixture.reader, 0, UINT64_MAX, 10, list_one, &listed, &next),
		STORE_OK);
	ck_assert_uint_eq(listed.count, 0);
	ck_assert_uint_eq(next, 0);
	for (int i = 0; i < 40; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		struct pending_write *pending = pending_write_create(&fixture, 2 + i % 3, name);
		/* Listed, and neither by access. */
		pending->write.meta.listed = i % 5 != 0;
		pending->write.meta.access = i % 2 == 0 ? ACCESS_EDIT : ACCESS_VIEW;
		ck_assert_int_eq(fixture_submit(&fixture, pending), STORE_OK);
		fixture_wait(&fixture);
		keys[i] = pending->write.meta.key;
		pending_write_free(pending);
		if (i % 7 == 0) {
			ck_assert_int_eq(
				fixture_do(&fixture,
					   pending_write_of(&fixture, WRITE_DELETE, keys[i])),
				STORE_OK);
		}
	}
	/* Pages of 3 sessions, and pages of 4 rows looked at, are the same list. */
	for (int way = 0; way < 2; way++) {
		listed = (struct listed){0};
		uint64_t before = UINT64_MAX;
		do {
			listed.limit = way == 0 ? listed.count + 3 : 100;
			uint32_t look_at = way == 0 ? 1000 : 4;
			ck_assert_int_eq(operations->list(fixture.reader, 0, before, look_at,
							  list_one, &listed, &next),
					 STORE_OK);
			ck_assert_uint_lt(next, before);
			before = next;
		} while (next != 0);
		uint32_t at = 0;
		for (int i = 39; i >= 0; i--) {
			if (i % 5 != 0 && i % 7 != 0)
				ck_assert_uint_eq(listed.keys[at++], keys[i]);
		}
		ck_assert_uint_eq(at, listed.count);
	}
	/* The same ones oldest first. */
	for (int way = 0; way < 2; way++) {
		struct listed oldest = {0};
		uint64_t after = 0;
		do {
			oldest.limit = way == 0 ? oldest.count + 3 : 100;
			ck_assert_int_eq(operations->list_oldest(fixture.reader, after,
								 way == 0 ? 1000 : 4, list_one,
								 &oldest, &next),
					 STORE_OK);
			ck_assert(next == 0 || next > after);
			after = next;
		} while (next != 0);
		ck_assert_uint_eq(oldest.count, listed.count);
		for (uint32_t at = 0; at < oldest.count; at++)
			ck_assert_uint_eq(oldest.keys[at], listed.keys[listed.count - 1 - at]);
	}
	listed = (struct listed){.limit = 100};
	ck_assert_int_eq(operations->list(fixture.reader, 0, keys[3], 1, list_one, &listed, &next),
			 STORE_OK);
	ck_assert_uint_eq(listed.count, 1);
	ck_assert_uint_eq(listed.keys[0], keys[2]);
	ck_assert_uint_eq(next, keys[2]);
	fixture_finish(&fixture);
}
END_TEST

/* ---- readers beside the writer ---- */

struct watch {
	struct store_fixture *fixture;
	const struct random_player *player; /* played to the end before */
	uint64_t key;
	_Atomic uint32_t answered;
	_Atomic bool stop;
	_Atomic unsigned reads;
};

static void *watch(void *argument)
{
	struct watch *watch = argument;
	const struct store_operations *operations = watch->fixture->store->operations;
	struct store_reader *reader = operations->reader_create(watch->fixture->store);
	ck_assert_ptr_nonnull(reader);
	struct session_id id = fixture_id("game");
	while (!watch->stop) {
		struct stored_session session;
		struct history *history;
		uint32_t least = watch->answered;
		ck_assert_int_eq(operations->find(reader, &id, &session), STORE_OK);
		ck_assert_uint_ge(session.history->revision, least);
		ck_assert(cube_equal(session.history->cube,
				     watch->player->states[session.history->revision]));
		ck_assert_int_eq(operations->at(reader, watch->key, least / 2, &history), STORE_OK);
		ck_assert(cube_equal(history->cube, watch->player->states[least / 2]));
		history_destroy(history);
		stored_session_free(&session);
		watch->reads++;
	}
	operations->reader_destroy(reader);
	return NULL;
}

START_TEST(readers_see_what_was_answered)
{
	struct store_fixture fixture;
	struct random_player player;
	pthread_t threads[2];
	fixture_init(&fixture, fixture_stores[_i]);
	random_player_init(&player, 3, NULL, 21);
	for (int i = 0; i < 3000; i++)
		random_player_next(&player);
	struct watch watched = {.fixture = &fixture, .player = &player};
	watched.key = fixture_session(&fixture, 3, "game");
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, watch, &watched), 0);
	for (uint32_t r = 1; r <= player.revision; r++) {
		struct pending_write *pending =
			pending_write_append(&fixture, watched.key, 3, &player.played[r].entry);
		ck_assert_int_eq(fixture_do(&fixture, pending), STORE_OK);
		watched.answered = r;
		if (r % 1000 == 0) /* compacting begins when it is quiet */
			nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
	}
	while (watched.reads < 20)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	watched.stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	fixture_check_game(&fixture, "game", watched.key, &player, 101);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

/* ---- what is the memory store's alone ---- */

static struct stored_token token_of(uint32_t number, enum token_role role, const char *label)
{
	struct stored_token token = {.number = number, .role = (uint8_t)role, .created_ms = 7};
	memset(token.hash, (int)number, HASH_BYTES);
	snprintf(token.label, sizeof(token.label), "%s", label);
	return token;
}

static enum store_status put_token(struct store_fixture *fixture, uint64_t key,
				   const struct stored_token *token)
{
	struct pending_write *pending = pending_write_of(fixture, WRITE_TOKEN, key);
	pending->write.token = token;
	return fixture_do(fixture, pending);
}

START_TEST(tokens)
{
	struct store_fixture fixture;
	struct stored_session session;
	struct session_id id = fixture_id("shared"), other = fixture_id("alone");
	struct stored_token made[] = {token_of(1, ROLE_OWNER, ""), token_of(2, ROLE_EDITOR, "Anna"),
				      token_of(3, ROLE_VIEWER, "\xc3\xbc")};
	fixture_init(&fixture, fixture_stores[_i]);
	struct pending_write *create = pending_write_create(&fixture, 3, "shared");
	create->write.token = &made[0];
	create->write.meta.policy = POLICY_ALTERNATE;
	ck_assert_int_eq(fixture_submit(&fixture, create), STORE_OK);
	fixture_wait(&fixture);
	uint64_t key = create->write.meta.key;
	pending_write_free(create);
	fixture_session(&fixture, 2, "alone");
	ck_assert_int_eq(put_token(&fixture, key, &made[1]), STORE_OK);
	ck_assert_int_eq(put_token(&fixture, key, &made[2]), STORE_OK);
	ck_assert_int_eq(put_token(&fixture, key + 100, &made[0]), STORE_NOT_FOUND);
	made[1].revoked_ms = 99;
	ck_assert_int_eq(put_token(&fixture, key, &made[1]), STORE_OK);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
				 STORE_OK);
		ck_assert_int_eq(session.meta.policy, POLICY_ALTERNATE);
		ck_assert_uint_eq(session.token_count, 3);
		for (size_t i = 0; i < 3; i++) {
			const struct stored_token *token = &session.tokens[i];
			ck_assert_uint_eq(token->number, made[i].number);
			ck_assert_int_eq(token->role, made[i].role);
			ck_assert_mem_eq(token->hash, made[i].hash, HASH_BYTES);
			ck_assert_int_eq(token->created_ms, 7);
			ck_assert_int_eq(token->revoked_ms, made[i].revoked_ms);
			ck_assert_str_eq(token->label, made[i].label);
		}
		stored_session_free(&session);
		ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &other, &session),
				 STORE_OK);
		ck_assert_uint_eq(session.token_count, 0);
		ck_assert_int_eq(session.meta.policy, POLICY_FREE);
		stored_session_free(&session);
		if (fixture.persistent) {
			fixture_close(&fixture);
			fixture_open(&fixture);
		}
	}
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, key)),
			 STORE_OK);
	ck_assert_int_eq(put_token(&fixture, key, &made[1]), STORE_NOT_FOUND);
	fixture_finish(&fixture);
}
END_TEST

/* The answer that is kept with that key; 0 for none. */
static char kept(struct store_fixture *fixture, uint8_t key)
{
	uint8_t whole[HASH_BYTES];
	struct receipt receipt;
	memset(whole, key, sizeof(whole));
	enum store_status status =
		fixture->store->operations->receipt(fixture->reader, whole, &receipt);
	if (status == STORE_NOT_FOUND)
		return 0;
	ck_assert_int_eq(status, STORE_OK);
	ck_assert_mem_eq(receipt.key, whole, HASH_BYTES);
	ck_assert_int_eq(receipt.body[0], key + 1);
	ck_assert_uint_eq(receipt.answer_bytes, 5);
	char answer = (char)receipt.answer[0];
	free(receipt.answer);
	return answer;
}

/* Writes something with a receipt. */
static enum store_status do_kept(struct store_fixture *fixture, struct pending_write *pending,
				 uint8_t key, char answer)
{
	uint8_t bytes[5] = {(uint8_t)answer};
	struct receipt receipt = {
		.created_ms = fixture_now_ms(), .answer = bytes, .answer_bytes = 5};
	memset(receipt.key, key, HASH_BYTES);
	memset(receipt.body, key + 1, HASH_BYTES);
	pending->write.receipt = &receipt;
	return fixture_do(fixture, pending);
}

START_TEST(receipts)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, fixture_stores[_i]);
	random_player_init(&player, 3, NULL, 1);
	uint64_t key = fixture_session(&fixture, 3, "one");
	ck_assert_int_eq(kept(&fixture, 1), 0);
	for (uint8_t i = 1; i <= 3; i++)
		ck_assert_int_eq(
			do_kept(&fixture,
				pending_write_append(&fixture, key, 3, random_player_move(&player)),
				i, (char)('a' + i)),
			STORE_OK);
	/* With a write that fails none is kept. */
	ck_assert_int_eq(do_kept(&fixture, pending_write_of(&fixture, WRITE_META, key + 9), 4, 'x'),
			 STORE_NOT_FOUND);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(kept(&fixture, 1), 'b');
		ck_assert_int_eq(kept(&fixture, 3), 'd');
		ck_assert_int_eq(kept(&fixture, 4), 0);
		if (fixture.persistent) {
			fixture_close(&fixture);
			fixture_open(&fixture);
		}
	}
	fixture_clock_ahead_ms = RECEIPT_KEPT_MS - 60000;
	ck_assert_int_eq(kept(&fixture, 1), 'b');
	fixture_clock_ahead_ms = RECEIPT_KEPT_MS + 1000;
	ck_assert_int_eq(kept(&fixture, 1), 0);
	/* The next one takes the place of the old one, also where that is still there. */
	ck_assert_int_eq(do_kept(&fixture, pending_write_of(&fixture, WRITE_DELETE, key), 1, 'z'),
			 STORE_OK);
	ck_assert_int_eq(kept(&fixture, 1), 'z');
	fixture_clock_ahead_ms = 0;
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(epoch_ids)
{
	struct store_fixture fixture, other;
	char first[INCARNATION_TEXT + 1], second[INCARNATION_TEXT + 1];
	fixture_init(&fixture, fixture_stores[_i]);
	fixture_init(&other, fixture_stores[_i]);
	fixture.store->operations->incarnation(fixture.store, first);
	ck_assert_uint_eq(strspn(first, "0123456789abcdef"), INCARNATION_TEXT);
	ck_assert_uint_eq(strlen(first), INCARNATION_TEXT);
	other.store->operations->incarnation(other.store, second);
	ck_assert_str_ne(first, second);
	if (fixture.persistent) {
		fixture_close(&fixture);
		fixture_open(&fixture);
		fixture.store->operations->incarnation(fixture.store, second);
		ck_assert_str_eq(first, second);
	}
	fixture_finish(&fixture);
	fixture_finish(&other);
}
END_TEST

/* Beyond its size a store is full: reading goes on, and nothing that was answered is lost. */
START_TEST(full_at_its_size)
{
	struct store_fixture fixture;
	struct random_player player;
	char name[32];
	fixture_init(&fixture, fixture_stores[_i]);
	fixture_close(&fixture);
	fixture.bytes_max = 300000;
	fixture_open(&fixture);
	random_player_init(&player, 3, NULL, 5);
	uint64_t key = fixture_session(&fixture, 3, "kept");
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(
			fixture_do(&fixture, pending_write_append(&fixture, key, 3,
								  random_player_move(&player))),
			STORE_OK);
	enum store_status status = STORE_OK;
	int made = 0;
	while (status == STORE_OK && made < 20000) {
		struct pending_write *pending = pending_write_create(&fixture, 3, "");
		struct stored_token token = token_of(1, ROLE_OWNER, "someone whose name is long");
		snprintf(name, sizeof(name), "%d", made);
		pending->write.meta.id = fixture_id(name);
		pending->write.token = &token;
		status = fixture_do(&fixture, pending);
		made += status == STORE_OK;
	}
	ck_assert_int_eq(status, STORE_FULL);
	ck_assert_int_gt(made, 300);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_FULL);
	fixture_check_game(&fixture, "kept", key, &player, 1);

	/* Writes that only free room are let through, in the old generation as well as in the new
	 * one, and with the receipt of a retry; other changes are not. */
	uint8_t answer[600] = {0};
	struct receipt receipt = {
		.created_ms = fixture_now_ms(), .answer = answer, .answer_bytes = sizeof answer};
	for (int i = 0; i < 40; i++) {
		struct stored_session session;
		snprintf(name, sizeof(name), "%d", i);
		const struct session_id id = fixture_id(name);
		ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
				 STORE_OK);
		struct pending_write *pending = pending_write_of(
			&fixture, i % 2 ? WRITE_DELETE : WRITE_TOKEN, session.meta.key);
		struct stored_token token = token_of(1, ROLE_OWNER, "someone whose name is long");
		token.revoked_ms = 5;
		pending->write.token = &token;
		receipt.key[0] = (uint8_t)i;
		pending->write.receipt = &receipt;
		pending->write.generation = i < 20 ? 0 : 1;
		stored_session_free(&session);
		ck_assert_int_eq(fixture_do(&fixture, pending), STORE_OK);
		ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
				 STORE_OK);
		ck_assert(session.meta.deleted == (i % 2 == 1));
		ck_assert_int_eq(session.tokens[0].revoked_ms, i % 2 ? 0 : 5);
		stored_session_free(&session);
	}
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(memory_conflicts)
{
	struct store_fixture a, b;
	struct random_player player;
	fixture_init(&a, "memory:shared");
	fixture_init(&b, "memory");
	fixture_close(&b);
	strcpy(b.location, a.location);
	fixture_open(&b); /* another service on the same sessions */
	random_player_init(&player, 3, NULL, 1);
	uint64_t key = fixture_session(&a, 3, "game");
	const struct entry *first = random_player_move(&player),
			   *second = random_player_move(&player);
	ck_assert_int_eq(fixture_do(&a, pending_write_append(&a, key, 3, second)), STORE_CONFLICT);
	ck_assert_int_eq(fixture_do(&a, pending_write_append(&a, key, 3, first)), STORE_OK);
	ck_assert_int_eq(fixture_do(&b, pending_write_append(&b, key, 3, first)), STORE_CONFLICT);
	fixture_reload(&b, "game");
	ck_assert_int_eq(fixture_do(&b, pending_write_append(&b, key, 3, second)), STORE_OK);
	fixture_check_game(&a, "game", key, &player, 1);
	fixture_finish(&a);
	fixture_check_game(&b, "game", key, &player, 1);
	fixture_finish(&b);
	random_player_finish(&player);
}
END_TEST

START_TEST(memory_failures_raise_the_epoch)
{
	struct store_fixture fixture;
	struct random_player player;
	fixture_init(&fixture, "memory");
	random_player_init(&player, 3, NULL, 1);
	uint64_t key = fixture_session(&fixture, 3, "game");
	const struct entry *entry = random_player_move(&player);
	store_memory_fail_next(fixture.store, STORE_FULL);
	struct pending_write *pending = pending_write_append(&fixture, key, 3, entry);
	ck_assert_int_eq(fixture_submit(&fixture, pending), STORE_OK);
	ck_assert_int_eq(pending->write.status, STORE_FULL);
	ck_assert_uint_eq(pending->write.generation, 1);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_FULL);
	pending_write_free(pending);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_append(&fixture, key, 3, entry)),
			 STORE_FULL);
	fixture.generation = 1;
	ck_assert_int_eq(fixture_do(&fixture, pending_write_append(&fixture, key, 3, entry)),
			 STORE_OK);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_OK);
	entry = random_player_move(&player);
	store_memory_fail_next(fixture.store, STORE_BROKEN);
	ck_assert_int_eq(fixture_do(&fixture, pending_write_append(&fixture, key, 3, entry)),
			 STORE_BROKEN);
	fixture.generation = 2;
	ck_assert_int_eq(fixture_do(&fixture, pending_write_append(&fixture, key, 3, entry)),
			 STORE_BROKEN);
	ck_assert_int_eq(fixture.store->operations->health(fixture.store), STORE_BROKEN);
	struct history *history;
	ck_assert_int_eq(fixture.store->operations->at(fixture.reader, key, 1, &history), STORE_OK);
	history_destroy(history);
	random_player_finish(&player);
	fixture_finish(&fixture);
}
END_TEST

START_TEST(memory_forgets_deleted_sessions)
{
	struct store_fixture fixture;
	struct stored_session session;
	struct session_id id = fixture_id("old");
	fixture_init(&fixture, "memory");
	uint64_t key = fixture_session(&fixture, 3, "old");
	ck_assert_int_eq(fixture_do(&fixture, pending_write_of(&fixture, WRITE_DELETE, key)),
			 STORE_OK);
	fixture_session(&fixture, 3, "new");
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session), STORE_OK);
	stored_session_free(&session);
	fixture_clock_ahead_ms = SESSION_DELETED_KEPT_MS + 1000;
	fixture_session(&fixture, 3, "newer");
	ck_assert_int_eq(fixture.store->operations->find(fixture.reader, &id, &session),
			 STORE_NOT_FOUND);
	fixture_clock_ahead_ms = 0;
	fixture_finish(&fixture);
}
END_TEST

START_TEST(unknown_schemes)
{
	struct error error = {0};
	struct store_options options = {0};
	ck_assert_ptr_null(store_open("tape:/dev/st0", &options, &error));
	ck_assert_ptr_nonnull(strstr(error.text, "sqlite:"));
	ck_assert_ptr_null(store_open("cubed.db", &options, &error));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("store");
	TCase *plain = tcase_create("store");
	tcase_set_timeout(plain, 300);
	tcase_add_loop_test(plain, create_and_find, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, meta_and_delete, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, games_replay, 0, FIXTURE_STORES * GAMES);
	tcase_add_loop_test(plain, a_scrambled_base, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, list_newest_first, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, readers_see_what_was_answered, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, tokens, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, receipts, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, epoch_ids, 0, FIXTURE_STORES);
	tcase_add_loop_test(plain, full_at_its_size, 0, FIXTURE_STORES);
	tcase_add_test(plain, memory_conflicts);
	tcase_add_test(plain, memory_failures_raise_the_epoch);
	tcase_add_test(plain, memory_forgets_deleted_sessions);
	tcase_add_test(plain, unknown_schemes);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 10 * FIXTURE_STORES + 2);
}
