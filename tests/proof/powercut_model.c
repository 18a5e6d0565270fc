/* powercut_model.c: writes games to a store, and compares the store with what was answered. */
#include "cube/cube.h"
#include "cube/turn.h"
#include "tests/proof/powercut_model.h"

#include "tests/proof/disk_image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void powercut_model_init(struct powercut_model *model, uint64_t seed)
{
	*model = (struct powercut_model){.random = seed};
}

static void forget_game(struct game *game)
{
	random_player_finish(&game->player);
	free(game->base);
	*game = (struct game){0};
}

static void forget_batch(struct powercut_model *model)
{
	for (size_t i = 0; i < model->batch_count; i++)
		free(model->batch[i].packed);
	model->batch_count = 0;
}

void powercut_model_finish(struct powercut_model *model)
{
	forget_batch(model);
	for (int i = 0; i < POWERCUT_GAMES; i++)
		if (model->games[i].used)
			forget_game(&model->games[i]);
}

static uint64_t draw(struct powercut_model *model, uint64_t below)
{
	return image_random(&model->random, below);
}

/* ---- writing ---- */

void powercut_model_committed(void *context, struct store_write *batch)
{
	struct powercut_model *model = context;
	while (batch != NULL) {
		struct sent *sent = (struct sent *)batch;
		batch = batch->next;
		sent->answered = true;
		model->answered += sent->write.status == STORE_OK;
	}
}

static struct session_id id_of(const struct game *game)
{
	struct session_id id = {{0}};
	memcpy(id.bytes, &game->number, sizeof(game->number));
	return id;
}

static void send_create(struct powercut_model *model, struct game *game, struct sent *sent)
{
	struct session_meta *meta = &sent->write.meta;
	*game = (struct game){.used = true, .number = ++model->games_made};
	int size = 2 + (int)draw(model, 4);
	if (draw(model, 2) == 0) {
		struct cube_turn turn = cube_turn_make(size, (int)draw(model, CUBE_FACES), 1, 1, 1);
		game->base = malloc(cube_bytes(size));
		if (game->base == NULL)
			abort();
		cube_init(game->base, size);
		cube_turn_all(game->base, &turn, 1);
	}
	random_player_init(&game->player, size, game->base, draw(model, UINT64_MAX));
	snprintf(game->name[0], sizeof(game->name[0]), "game %u", game->number);
	strcpy(game->name[1], game->name[0]);
	sent->write.kind = WRITE_CREATE;
	sent->write.base = game->base;
	*meta = (struct session_meta){.id = id_of(game), .size = (uint8_t)size, .listed = true};
	meta->created_ms = meta->updated_ms = 1700000000000;
	strcpy(meta->name, game->name[0]);
}

static void send_name(struct powercut_model *model, struct game *game, struct sent *sent)
{
	sent->write.kind = WRITE_META;
	sent->write.meta.key = game->key;
	sent->write.meta.updated_ms = 1700000000001;
	sent->write.meta.listed = true;
	snprintf(game->name[1], sizeof(game->name[1]), "name %u", (unsigned)draw(model, 1000000));
	strcpy(sent->write.meta.name, game->name[1]);
}

/* Every third entry ends a solve, which is stored with the entry or not at all. */
#define SOLVE_EVERY 3

static void send_solve(struct game *game, struct sent *sent, uint32_t revision)
{
	sent->solve = (struct stored_solve){.size = 3,
					    .revision = revision,
					    .created_ms = (int64_t)revision,
					    .time_ms = SOLVE_UNTIMED,
					    .solution = "R@0 U@120"};
	memcpy(sent->solve.id, &revision, sizeof(revision));
	memcpy(sent->solve.id + sizeof(revision), &game->number, sizeof(game->number));
	sent->write.solves = &sent->solve;
	sent->write.solve_count = 1;
}

static void send_entry(struct game *game, struct sent *sent)
{
	struct random_player *player = &game->player;
	if (game->sent == player->revision)
		random_player_next(player);
	const struct entry *entry = &player->played[++game->sent].entry;
	sent->packed = malloc(entry_pack_bound(entry, player->size));
	if (sent->packed == NULL)
		abort();
	sent->write.kind = WRITE_APPEND;
	sent->write.meta.key = game->key;
	sent->write.meta.size = (uint8_t)player->size;
	sent->write.packed_bytes = entry_pack(entry, player->size, 0, sent->packed);
	sent->write.packed = sent->packed;
	sent->write.revision = entry->revision;
	sent->write.time_ms = entry->time_ms;
	if (entry->revision % SOLVE_EVERY == 0)
		send_solve(game, sent, entry->revision);
}

void powercut_model_submit(struct powercut_model *model, struct store *store)
{
	size_t most = draw(model, 3) == 0 ? POWERCUT_BATCH : 4;
	size_t count = 1 + draw(model, most);
	forget_batch(model);
	for (int tries = 0; tries < 100 && model->batch_count < count; tries++) {
		struct game *game = &model->games[draw(model, POWERCUT_GAMES)];
		struct sent *sent = &model->batch[model->batch_count];
		if (game->used && !game->answered)
			continue; /* its key is not known yet */
		*sent = (struct sent){.game = game};
		if (!game->used)
			send_create(model, game, sent);
		else if (draw(model, 12) == 0 && strcmp(game->name[0], game->name[1]) == 0)
			send_name(model, game, sent);
		else
			send_entry(game, sent);
		if (store->operations->submit(store, &sent->write) != STORE_OK)
			abort();
		model->batch_count++;
	}
	store->operations->flush(store);
}

bool powercut_model_settle(struct powercut_model *model)
{
	bool well = true;
	for (size_t i = 0; i < model->batch_count; i++) {
		struct sent *sent = &model->batch[i];
		struct game *game = sent->game;
		if (!sent->answered || sent->write.status != STORE_OK) {
			well = false;
			continue;
		}
		if (sent->write.kind == WRITE_CREATE) {
			game->answered = true;
			game->key = sent->write.meta.key;
		} else if (sent->write.kind == WRITE_META) {
			strcpy(game->name[0], game->name[1]);
		} else {
			game->stored = sent->write.revision;
		}
	}
	if (well)
		forget_batch(model);
	return well;
}

/* ---- comparing ---- */

/* The result of a comparison so far. */
struct finding {
	enum verdict verdict;
	char *why;
	size_t capacity;
	bool kept, gone; /* some of the batch in flight */
	uint32_t next;   /* entries: the revision that must come */
	const struct random_player *player;
};

static void found(struct finding *finding, enum verdict verdict, const struct game *game,
		  const char *what)
{
	if (finding->verdict >= verdict)
		return;
	finding->verdict = verdict;
	snprintf(finding->why, finding->capacity, "game %u (answered %u, sent %u): %s",
		 game->number, game->stored, game->sent, what);
}

/* Not random_player_check_entry(): the control run must be able to report a difference. */
static bool same_entry(const struct entry *a, const struct played_entry *played)
{
	const struct entry *b = &played->entry;
	if (a->revision != b->revision || a->time_ms != b->time_ms || a->kind != b->kind ||
	    a->restores != b->restores || a->has_turns != b->has_turns)
		return false;
	if (!a->has_turns)
		return cube_equal(a->cube, b->cube);
	if (a->turn_count != b->turn_count)
		return false;
	for (size_t i = 0; i < a->turn_count; i++) {
		const struct cube_turn *x = &a->turns[i], *y = &b->turns[i];
		if (x->face != y->face || x->from != y->from || x->to != y->to ||
		    x->quarters != y->quarters || x->style != y->style)
			return false;
	}
	return true;
}

static bool visit(void *context, const struct entry *entry)
{
	struct finding *finding = context;
	if (entry->revision != finding->next || entry->revision > finding->player->revision ||
	    !same_entry(entry, &finding->player->played[entry->revision]))
		return false;
	finding->next++;
	return true;
}

/* A replay by the test itself: the base, and all turns from it. */
static bool replays(const struct random_player *player, uint32_t upto, const struct cube *end)
{
	struct cube *cube = malloc(cube_bytes(player->size));
	if (cube == NULL)
		abort();
	cube_copy(cube, player->states[0]);
	for (uint32_t i = 1; i <= upto; i++) {
		const struct played_entry *played = &player->played[i];
		if (played->has_turns)
			cube_turn_all(cube, played->turns, played->count);
		else
			cube_copy(cube, played->entry.cube);
	}
	bool same = cube_equal(cube, end);
	free(cube);
	return same;
}

/* A store_visit_solve. */
static bool visit_solve(void *context, const struct stored_solve *solve)
{
	struct finding *finding = context;
	if (solve->revision != finding->next || solve->solution == NULL ||
	    strcmp(solve->solution, "R@0 U@120") != 0)
		return false;
	finding->next += SOLVE_EVERY;
	return true;
}

/* The solves of the stored entries are there, each once. */
static void check_solves(struct store_reader *reader, const struct store_operations *operations,
			 struct game *game, uint32_t last, struct finding *finding)
{
	const struct solve_query query = {.session = game->key,
					  .oldest_first = true,
					  .texts = true,
					  .look_at = UINT32_MAX,
					  .size = -1,
					  .since_ms = INT64_MIN,
					  .until_ms = INT64_MAX};
	uint64_t next;
	finding->next = SOLVE_EVERY;
	if (operations->solves(reader, &query, visit_solve, finding, &next) != STORE_OK ||
	    finding->next != last - last % SOLVE_EVERY + SOLVE_EVERY)
		found(finding, VERDICT_WRONG, game, "the solves are not those of the entries");
}

static void check_history(struct powercut_model *model, struct store_reader *reader,
			  const struct store_operations *operations, struct game *game,
			  const struct history *history, struct finding *finding)
{
	struct history *past = NULL;
	uint32_t last = history->revision;
	if (last < game->stored)
		found(finding, VERDICT_LOST, game, "an answered entry is lost");
	if (last > game->sent) {
		found(finding, VERDICT_WRONG, game, "entries that nobody sent");
		return;
	}
	finding->player = &game->player;
	finding->next = 1;
	if (operations->entries(reader, game->key, 0, visit, finding) != STORE_OK ||
	    finding->next != last + 1)
		found(finding, VERDICT_WRONG, game, "the entries are not those that were sent");
	check_solves(reader, operations, game, last, finding);
	if (!cube_equal(history->cube, game->player.states[last]) ||
	    (draw(model, 4) == 0 && !replays(&game->player, last, history->cube)))
		found(finding, VERDICT_WRONG, game, "the cube is not the replay");
	uint32_t between = (uint32_t)draw(model, last + 1);
	if (operations->at(reader, game->key, between, &past) != STORE_OK ||
	    !cube_equal(past->cube, game->player.states[between]))
		found(finding, VERDICT_WRONG, game, "an earlier cube is not the replay");
	history_destroy(past);
	game->stored = game->sent = last;
}

/* Notes which writes of the batch in flight are stored. */
static void check_flight(struct powercut_model *model, const struct game *game,
			 const struct stored_session *session, struct finding *finding)
{
	for (size_t i = 0; i < model->batch_count; i++) {
		const struct sent *sent = &model->batch[i];
		if (sent->game != game)
			continue;
		bool kept = session != NULL;
		if (kept && sent->write.kind == WRITE_APPEND)
			kept = session->history->revision >= sent->write.revision;
		if (kept && sent->write.kind == WRITE_META)
			kept = strcmp(session->meta.name, sent->write.meta.name) == 0;
		finding->kept |= kept;
		finding->gone |= !kept;
	}
}

static void check_game(struct powercut_model *model, const struct store_operations *operations,
		       struct store_reader *reader, struct game *game, struct finding *finding)
{
	struct stored_session session;
	struct session_id id = id_of(game);
	enum store_status status = operations->find(reader, &id, &session);
	check_flight(model, game, status == STORE_OK ? &session : NULL, finding);
	if (status == STORE_NOT_FOUND) {
		if (game->answered)
			found(finding, VERDICT_LOST, game, "an answered session is lost");
		forget_game(game);
		return;
	}
	if (status != STORE_OK) {
		found(finding, VERDICT_WRONG, game, "it cannot be read");
		return;
	}
	if (session.meta.size != game->player.size ||
	    (game->answered && session.meta.key != game->key))
		found(finding, VERDICT_WRONG, game, "another session has its name");
	bool sent_name = strcmp(session.meta.name, game->name[1]) == 0;
	if (!sent_name && strcmp(session.meta.name, game->name[0]) != 0)
		found(finding, VERDICT_LOST, game, "an answered name is lost");
	game->key = session.meta.key;
	game->answered = true;
	check_history(model, reader, operations, game, session.history, finding);
	strcpy(game->name[0], session.meta.name);
	strcpy(game->name[1], session.meta.name);
	stored_session_free(&session);
}

static bool count_one(void *context, struct stored_session *session)
{
	(void)session;
	++*(unsigned *)context;
	return true;
}

enum verdict powercut_model_check(struct powercut_model *model, struct store *store,
				  struct store_reader *reader, char *why, size_t capacity)
{
	struct finding finding = {.why = why, .capacity = capacity};
	unsigned there = 0, known = 0;
	uint64_t next = 0;
	for (int i = 0; i < POWERCUT_GAMES; i++) {
		if (!model->games[i].used)
			continue;
		check_game(model, store->operations, reader, &model->games[i], &finding);
		known += model->games[i].used;
	}
	const struct game nobody = {0};
	if (finding.kept && finding.gone)
		found(&finding, VERDICT_WRONG, &nobody, "half a transaction is there");
	if (store->operations->list(reader, 0, UINT64_MAX, 1000, count_one, &there, &next) !=
		    STORE_OK ||
	    there != known)
		found(&finding, VERDICT_WRONG, &nobody, "sessions that nobody made, or twice");
	forget_batch(model);
	return finding.verdict;
}
