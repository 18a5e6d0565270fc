/* test_store.c: what every store does, in memory or on a disk. */
#include "tests/server/run.h"

#include "server/store/memory.h"
#include "tests/server/kit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static void play(struct kit *kit, uint64_t key, struct player *player, int entries)
{
	/* All in flight at once, as the session cache works ahead. */
	struct ticket **tickets = calloc((size_t)entries, sizeof(*tickets));
	ck_assert_ptr_nonnull(tickets);
	for (int i = 0; i < entries; i++) {
		tickets[i] = ticket_append(kit, key, player->size, player_next(player));
		ck_assert_int_eq(kit_submit(kit, tickets[i]), STORE_OK);
	}
	kit_wait(kit);
	for (int i = 0; i < entries; i++) {
		ck_assert_int_eq(tickets[i]->write.status, STORE_OK);
		ticket_free(tickets[i]);
	}
	free(tickets);
}

START_TEST(create_and_find)
{
	struct kit kit;
	kit_init(&kit, kit_stores[_i]);
	const struct store_operations *operations = kit.store->operations;
	ck_assert_str_eq(operations->name, kit_stores[_i]);
	ck_assert_int_eq(operations->health(kit.store), STORE_OK);

	struct cube *base = malloc(cube_bytes(5));
	struct cube_turn scramble[3] = {cube_turn_make(5, CUBE_R, 1, 2, 1),
					cube_turn_make(5, CUBE_F, 1, 5, 2),
					cube_turn_make(5, CUBE_L, 2, 3, -1)};
	ck_assert_ptr_nonnull(base);
	cube_init(base, 5);
	cube_turn_all(base, scramble, 3);
	struct ticket *made = ticket_create(&kit, 5, "first");
	made->write.base = base;
	made->write.scramble = scramble;
	made->write.scramble_count = 3;
	made->write.meta.access = ACCESS_NONE;
	made->write.meta.updated_ms = 1700000000123;
	ck_assert_int_eq(kit_submit(&kit, made), STORE_OK);
	kit_wait(&kit);
	ck_assert_int_eq(made->write.status, STORE_OK);
	ck_assert_uint_gt(made->write.meta.key, 0);
	uint64_t second = kit_session(&kit, 2, "");
	ck_assert_uint_gt(second, made->write.meta.key);

	struct stored_session session;
	struct session_id id = kit_id("first");
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(operations->find(kit.reader, &id, &session), STORE_OK);
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
		if (_i == KIT_SQLITE) {
			kit_close(&kit);
			kit_open(&kit);
			operations = kit.store->operations;
		}
	}
	id = kit_id("");
	ck_assert_int_eq(operations->find(kit.reader, &id, &session), STORE_OK);
	ck_assert_str_eq(session.meta.name, "");
	ck_assert_ptr_null(session.scramble);
	ck_assert_int_eq(session.meta.updated_ms, session.meta.created_ms);
	ck_assert(cube_is_home(session.history->cube));
	stored_session_free(&session);
	id = kit_id("nobody");
	ck_assert_int_eq(operations->find(kit.reader, &id, &session), STORE_NOT_FOUND);
	/* An id is given once; the write beside it is not touched. */
	ck_assert_int_eq(kit_do(&kit, ticket_create(&kit, 3, "first")), STORE_CONFLICT);
	kit_session(&kit, 3, "third");
	ticket_free(made);
	free(base);
	kit_finish(&kit);
}
END_TEST

START_TEST(meta_and_delete)
{
	struct kit kit;
	kit_init(&kit, kit_stores[_i]);
	uint64_t key = kit_session(&kit, 3, "one");
	struct session_id id = kit_id("one");
	struct stored_session session;
	struct ticket *change = ticket_of(&kit, WRITE_META, key);
	strcpy(change->write.meta.name, "\xc3\xa9t\xc3\xa9");
	change->write.meta.access = ACCESS_EDIT;
	change->write.meta.updated_ms = 1700000099999;
	ck_assert_int_eq(kit_do(&kit, change), STORE_OK);
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
	ck_assert_str_eq(session.meta.name, "\xc3\xa9t\xc3\xa9");
	ck_assert_int_eq(session.meta.access, ACCESS_EDIT);
	ck_assert_int_eq(session.meta.updated_ms, 1700000099999);
	stored_session_free(&session);

	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, key)), STORE_OK);
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
	ck_assert(session.meta.deleted);
	stored_session_free(&session);
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, key)), STORE_NOT_FOUND);
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_META, key)), STORE_NOT_FOUND);
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_META, 12345)), STORE_NOT_FOUND);
	struct history *history;
	ck_assert_int_eq(kit.store->operations->at(kit.reader, 12345, 0, &history),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(kit.store->operations->at(kit.reader, UINT64_MAX, 0, &history),
			 STORE_NOT_FOUND);
	ck_assert_int_eq(kit.store->operations->entries(kit.reader, 12345, 0, NULL, NULL),
			 STORE_NOT_FOUND);
	kit_finish(&kit);
}
END_TEST

static const struct {
	int size, entries, step;
} games[] = {{2, 1200, 1}, {3, 1200, 1}, {5, 700, 1}, {8, 300, 1}, {21, 120, 1}};
#define GAMES ((int)(sizeof(games) / sizeof(games[0])))

START_TEST(games_replay)
{
	int which = _i % GAMES;
	struct kit kit;
	struct player player;
	kit_init(&kit, kit_stores[_i / GAMES]);
	player_init(&player, games[which].size, NULL, (uint64_t)_i);
	uint64_t key = kit_session(&kit, games[which].size, "game");
	uint64_t other = kit_session(&kit, 2, "other");
	for (int part = 0; part < 3; part++) {
		play(&kit, key, &player, games[which].entries / 3);
		kit_check_game(&kit, "game", key, &player, part == 2 ? 1 : 29);
		if (_i / GAMES == KIT_SQLITE) {
			kit_close(&kit);
			kit_open(&kit);
			kit_check_game(&kit, "game", key, &player, 31);
		}
	}
	struct history *history;
	ck_assert_int_eq(kit.store->operations->at(kit.reader, other, 0, &history), STORE_OK);
	history_destroy(history);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(a_scrambled_base)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, kit_stores[_i]);
	struct cube *base = malloc(cube_bytes(3));
	ck_assert_ptr_nonnull(base);
	cube_init(base, 3);
	cube_turn(base, cube_turn_make(3, CUBE_B, 1, 1, 1));
	player_init(&player, 3, base, 4);
	struct ticket *ticket = ticket_create(&kit, 3, "game");
	ticket->write.base = base;
	ck_assert_int_eq(kit_submit(&kit, ticket), STORE_OK);
	kit_wait(&kit);
	play(&kit, ticket->write.meta.key, &player, 500);
	kit_check_game(&kit, "game", ticket->write.meta.key, &player, 7);
	ticket_free(ticket);
	free(base);
	player_finish(&player);
	kit_finish(&kit);
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
	ck_assert_int_ne(session->meta.access, ACCESS_NONE);
	listed->keys[listed->count++] = session->meta.key;
	if (listed->count % 2 == 0) { /* taken over */
		history_destroy(session->history);
		session->history = NULL;
	}
	return listed->count < listed->limit;
}

START_TEST(list_newest_first)
{
	struct kit kit;
	uint64_t keys[40], next = 99;
	kit_init(&kit, kit_stores[_i]);
	const struct store_operations *operations = kit.store->operations;
	struct listed listed = {.limit = 100};
	ck_assert_int_eq(operations->list(kit.reader, 0, UINT64_MAX, 10, list_one, &listed, &next),
			 STORE_OK);
	ck_assert_uint_eq(listed.count, 0);
	ck_assert_uint_eq(next, 0);
	for (int i = 0; i < 40; i++) {
		char name[16];
		snprintf(name, sizeof(name), "s%d", i);
		struct ticket *ticket = ticket_create(&kit, 2 + i % 3, name);
		ticket->write.meta.access = i % 5 == 0 ? ACCESS_NONE : ACCESS_VIEW;
		ck_assert_int_eq(kit_submit(&kit, ticket), STORE_OK);
		kit_wait(&kit);
		keys[i] = ticket->write.meta.key;
		ticket_free(ticket);
		if (i % 7 == 0) {
			ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, keys[i])),
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
			ck_assert_int_eq(operations->list(kit.reader, 0, before, look_at, list_one,
							  &listed, &next),
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
	listed = (struct listed){.limit = 100};
	ck_assert_int_eq(operations->list(kit.reader, 0, keys[3], 1, list_one, &listed, &next),
			 STORE_OK);
	ck_assert_uint_eq(listed.count, 1);
	ck_assert_uint_eq(listed.keys[0], keys[2]);
	ck_assert_uint_eq(next, keys[2]);
	kit_finish(&kit);
}
END_TEST

/* ---- readers beside the writer ---- */

struct watch {
	struct kit *kit;
	const struct player *player; /* played to the end before */
	uint64_t key;
	_Atomic uint32_t answered;
	_Atomic bool stop;
	_Atomic unsigned reads;
};

static void *watch(void *argument)
{
	struct watch *watch = argument;
	const struct store_operations *operations = watch->kit->store->operations;
	struct store_reader *reader = operations->reader_create(watch->kit->store);
	ck_assert_ptr_nonnull(reader);
	struct session_id id = kit_id("game");
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
	struct kit kit;
	struct player player;
	pthread_t threads[2];
	kit_init(&kit, kit_stores[_i]);
	player_init(&player, 3, NULL, 21);
	for (int i = 0; i < 3000; i++)
		player_next(&player);
	struct watch watched = {.kit = &kit, .player = &player};
	watched.key = kit_session(&kit, 3, "game");
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, watch, &watched), 0);
	for (uint32_t r = 1; r <= player.revision; r++) {
		struct ticket *ticket = ticket_append(&kit, watched.key, 3, &player.made[r].entry);
		ck_assert_int_eq(kit_do(&kit, ticket), STORE_OK);
		watched.answered = r;
		if (r % 1000 == 0) /* compacting begins when it is quiet */
			nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
	}
	while (watched.reads < 20)
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	watched.stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	kit_check_game(&kit, "game", watched.key, &player, 101);
	player_finish(&player);
	kit_finish(&kit);
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

static enum store_status put_token(struct kit *kit, uint64_t key, const struct stored_token *token)
{
	struct ticket *ticket = ticket_of(kit, WRITE_TOKEN, key);
	ticket->write.token = token;
	return kit_do(kit, ticket);
}

START_TEST(tokens)
{
	struct kit kit;
	struct stored_session session;
	struct session_id id = kit_id("shared"), other = kit_id("alone");
	struct stored_token made[] = {token_of(1, ROLE_OWNER, ""), token_of(2, ROLE_EDITOR, "Anna"),
				      token_of(3, ROLE_VIEWER, "\xc3\xbc")};
	kit_init(&kit, kit_stores[_i]);
	struct ticket *create = ticket_create(&kit, 3, "shared");
	create->write.token = &made[0];
	create->write.meta.policy = POLICY_ALTERNATE;
	ck_assert_int_eq(kit_submit(&kit, create), STORE_OK);
	kit_wait(&kit);
	uint64_t key = create->write.meta.key;
	ticket_free(create);
	kit_session(&kit, 2, "alone");
	ck_assert_int_eq(put_token(&kit, key, &made[1]), STORE_OK);
	ck_assert_int_eq(put_token(&kit, key, &made[2]), STORE_OK);
	ck_assert_int_eq(put_token(&kit, key + 100, &made[0]), STORE_NOT_FOUND);
	made[1].revoked_ms = 99;
	ck_assert_int_eq(put_token(&kit, key, &made[1]), STORE_OK);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
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
		ck_assert_int_eq(kit.store->operations->find(kit.reader, &other, &session),
				 STORE_OK);
		ck_assert_uint_eq(session.token_count, 0);
		ck_assert_int_eq(session.meta.policy, POLICY_FREE);
		stored_session_free(&session);
		if (_i == KIT_SQLITE) {
			kit_close(&kit);
			kit_open(&kit);
		}
	}
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, key)), STORE_OK);
	ck_assert_int_eq(put_token(&kit, key, &made[1]), STORE_NOT_FOUND);
	kit_finish(&kit);
}
END_TEST

/* The answer that is kept with that key; 0 for none. */
static char kept(struct kit *kit, uint8_t key)
{
	uint8_t whole[HASH_BYTES];
	struct receipt receipt;
	memset(whole, key, sizeof(whole));
	enum store_status status = kit->store->operations->receipt(kit->reader, whole, &receipt);
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
static enum store_status do_kept(struct kit *kit, struct ticket *ticket, uint8_t key, char answer)
{
	uint8_t bytes[5] = {(uint8_t)answer};
	struct receipt receipt = {.created_ms = kit_now_ms(), .answer = bytes, .answer_bytes = 5};
	memset(receipt.key, key, HASH_BYTES);
	memset(receipt.body, key + 1, HASH_BYTES);
	ticket->write.receipt = &receipt;
	return kit_do(kit, ticket);
}

START_TEST(receipts)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, kit_stores[_i]);
	player_init(&player, 3, NULL, 1);
	uint64_t key = kit_session(&kit, 3, "one");
	ck_assert_int_eq(kept(&kit, 1), 0);
	for (uint8_t i = 1; i <= 3; i++)
		ck_assert_int_eq(do_kept(&kit, ticket_append(&kit, key, 3, player_move(&player)), i,
					 (char)('a' + i)),
				 STORE_OK);
	/* With a write that fails none is kept. */
	ck_assert_int_eq(do_kept(&kit, ticket_of(&kit, WRITE_META, key + 9), 4, 'x'),
			 STORE_NOT_FOUND);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(kept(&kit, 1), 'b');
		ck_assert_int_eq(kept(&kit, 3), 'd');
		ck_assert_int_eq(kept(&kit, 4), 0);
		if (_i == KIT_SQLITE) {
			kit_close(&kit);
			kit_open(&kit);
		}
	}
	kit_clock_ahead_ms = RECEIPT_KEPT_MS - 60000;
	ck_assert_int_eq(kept(&kit, 1), 'b');
	kit_clock_ahead_ms = RECEIPT_KEPT_MS + 1000;
	ck_assert_int_eq(kept(&kit, 1), 0);
	/* The next one takes the place of the old one, also where that is still there. */
	ck_assert_int_eq(do_kept(&kit, ticket_of(&kit, WRITE_DELETE, key), 1, 'z'), STORE_OK);
	ck_assert_int_eq(kept(&kit, 1), 'z');
	kit_clock_ahead_ms = 0;
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(epoch_ids)
{
	struct kit kit, other;
	char first[INCARNATION_TEXT + 1];
	kit_init(&kit, kit_stores[_i]);
	kit_init(&other, kit_stores[_i]);
	strcpy(first, kit.store->operations->incarnation(kit.store));
	ck_assert_uint_eq(strspn(first, "0123456789abcdef"), INCARNATION_TEXT);
	ck_assert_uint_eq(strlen(first), INCARNATION_TEXT);
	ck_assert_str_ne(first, other.store->operations->incarnation(other.store));
	if (_i == KIT_SQLITE) {
		kit_close(&kit);
		kit_open(&kit);
		ck_assert_str_eq(first, kit.store->operations->incarnation(kit.store));
	}
	kit_finish(&kit);
	kit_finish(&other);
}
END_TEST

/* Beyond its size a store is full: reading goes on, and nothing that was answered is lost. */
START_TEST(full_at_its_size)
{
	struct kit kit;
	struct player player;
	char name[32];
	kit_init(&kit, kit_stores[_i]);
	kit_close(&kit);
	kit.bytes_max = 300000;
	kit_open(&kit);
	player_init(&player, 3, NULL, 5);
	uint64_t key = kit_session(&kit, 3, "kept");
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(kit_do(&kit, ticket_append(&kit, key, 3, player_move(&player))),
				 STORE_OK);
	enum store_status status = STORE_OK;
	int made = 0;
	while (status == STORE_OK && made < 20000) {
		struct ticket *ticket = ticket_create(&kit, 3, "");
		struct stored_token token = token_of(1, ROLE_OWNER, "someone whose name is long");
		snprintf(name, sizeof(name), "%d", made);
		ticket->write.meta.id = kit_id(name);
		ticket->write.token = &token;
		status = kit_do(&kit, ticket);
		made += status == STORE_OK;
	}
	ck_assert_int_eq(status, STORE_FULL);
	ck_assert_int_gt(made, 300);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_FULL);
	kit_check_game(&kit, "kept", key, &player, 1);

	/* What only frees room is let through, in the generation of before as well as in the new one, and
	 * with the receipt of a retry; other changes are not. */
	uint8_t answer[600] = {0};
	const struct receipt receipt = {.key = {1},
					.created_ms = kit_now_ms(),
					.answer = answer,
					.answer_bytes = sizeof answer};
	for (int i = 0; i < 40; i++) {
		struct stored_session session;
		snprintf(name, sizeof(name), "%d", i);
		const struct session_id id = kit_id(name);
		ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
		struct ticket *ticket =
			ticket_of(&kit, i % 2 ? WRITE_DELETE : WRITE_TOKEN, session.meta.key);
		struct stored_token token = token_of(1, ROLE_OWNER, "someone whose name is long");
		token.revoked_ms = 5;
		ticket->write.token = &token;
		ticket->write.receipt = &receipt;
		ticket->write.generation = i < 20 ? 0 : 1;
		stored_session_free(&session);
		ck_assert_int_eq(kit_do(&kit, ticket), STORE_OK);
		ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
		ck_assert(session.meta.deleted == (i % 2 == 1));
		ck_assert_int_eq(session.tokens[0].revoked_ms, i % 2 ? 0 : 5);
		stored_session_free(&session);
	}
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(memory_conflicts)
{
	struct kit a, b;
	struct player player;
	kit_init(&a, "memory:shared");
	kit_init(&b, "memory");
	kit_close(&b);
	strcpy(b.location, a.location);
	kit_open(&b); /* another service on the same sessions */
	player_init(&player, 3, NULL, 1);
	uint64_t key = kit_session(&a, 3, "game");
	const struct entry *first = player_move(&player), *second = player_move(&player);
	ck_assert_int_eq(kit_do(&a, ticket_append(&a, key, 3, second)), STORE_CONFLICT);
	ck_assert_int_eq(kit_do(&a, ticket_append(&a, key, 3, first)), STORE_OK);
	ck_assert_int_eq(kit_do(&b, ticket_append(&b, key, 3, first)), STORE_CONFLICT);
	ck_assert_int_eq(kit_do(&b, ticket_append(&b, key, 3, second)), STORE_OK);
	kit_check_game(&a, "game", key, &player, 1);
	kit_finish(&a);
	kit_check_game(&b, "game", key, &player, 1);
	kit_finish(&b);
	player_finish(&player);
}
END_TEST

START_TEST(memory_failures_raise_the_epoch)
{
	struct kit kit;
	struct player player;
	kit_init(&kit, "memory");
	player_init(&player, 3, NULL, 1);
	uint64_t key = kit_session(&kit, 3, "game");
	const struct entry *entry = player_move(&player);
	store_memory_fail_next(kit.store, STORE_FULL);
	struct ticket *ticket = ticket_append(&kit, key, 3, entry);
	ck_assert_int_eq(kit_submit(&kit, ticket), STORE_OK);
	ck_assert_int_eq(ticket->write.status, STORE_FULL);
	ck_assert_uint_eq(ticket->write.generation, 1);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_FULL);
	ticket_free(ticket);
	ck_assert_int_eq(kit_do(&kit, ticket_append(&kit, key, 3, entry)), STORE_FULL);
	kit.generation = 1;
	ck_assert_int_eq(kit_do(&kit, ticket_append(&kit, key, 3, entry)), STORE_OK);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_OK);
	entry = player_move(&player);
	store_memory_fail_next(kit.store, STORE_BROKEN);
	ck_assert_int_eq(kit_do(&kit, ticket_append(&kit, key, 3, entry)), STORE_BROKEN);
	kit.generation = 2;
	ck_assert_int_eq(kit_do(&kit, ticket_append(&kit, key, 3, entry)), STORE_BROKEN);
	ck_assert_int_eq(kit.store->operations->health(kit.store), STORE_BROKEN);
	struct history *history;
	ck_assert_int_eq(kit.store->operations->at(kit.reader, key, 1, &history), STORE_OK);
	history_destroy(history);
	player_finish(&player);
	kit_finish(&kit);
}
END_TEST

START_TEST(memory_forgets_deleted_sessions)
{
	struct kit kit;
	struct stored_session session;
	struct session_id id = kit_id("old");
	kit_init(&kit, "memory");
	uint64_t key = kit_session(&kit, 3, "old");
	ck_assert_int_eq(kit_do(&kit, ticket_of(&kit, WRITE_DELETE, key)), STORE_OK);
	kit_session(&kit, 3, "new");
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_OK);
	stored_session_free(&session);
	kit_clock_ahead_ms = SESSION_DELETED_KEPT_MS + 1000;
	kit_session(&kit, 3, "newer");
	ck_assert_int_eq(kit.store->operations->find(kit.reader, &id, &session), STORE_NOT_FOUND);
	kit_clock_ahead_ms = 0;
	kit_finish(&kit);
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
	tcase_add_loop_test(plain, create_and_find, 0, KIT_STORES);
	tcase_add_loop_test(plain, meta_and_delete, 0, KIT_STORES);
	tcase_add_loop_test(plain, games_replay, 0, KIT_STORES * GAMES);
	tcase_add_loop_test(plain, a_scrambled_base, 0, KIT_STORES);
	tcase_add_loop_test(plain, list_newest_first, 0, KIT_STORES);
	tcase_add_loop_test(plain, readers_see_what_was_answered, 0, KIT_STORES);
	tcase_add_loop_test(plain, tokens, 0, KIT_STORES);
	tcase_add_loop_test(plain, receipts, 0, KIT_STORES);
	tcase_add_loop_test(plain, epoch_ids, 0, KIT_STORES);
	tcase_add_loop_test(plain, full_at_its_size, 0, KIT_STORES);
	tcase_add_test(plain, memory_conflicts);
	tcase_add_test(plain, memory_failures_raise_the_epoch);
	tcase_add_test(plain, memory_forgets_deleted_sessions);
	tcase_add_test(plain, unknown_schemes);
	suite_add_tcase(suite, plain);
	return run_suite(suite, 32);
}
