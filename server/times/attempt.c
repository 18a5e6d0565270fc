/* attempt.c: the solve that an entry ends, found in the history of its session. */
#include "server/times/attempt.h"

#include <stdlib.h>
#include <string.h>

#include "cube/libcube.h"
#include "server/times/timed.h"
#include "server/util/buffer.h"

/* ---- where it begins ---- */

struct beginning {
	uint32_t upto, revision; /* 0: the session's first cube */
	enum entry_kind kind;    /* of the entry there: a scramble or a reset */
	struct buffer turns;     /* of a scramble */
};

/* A store_visit_entry. */
static bool visit_for_beginning(void *context, const struct entry *entry)
{
	struct beginning *beginning = context;
	if (entry->revision >= beginning->upto)
		return false;
	if (entry->kind != ENTRY_SCRAMBLE && entry->kind != ENTRY_RESET)
		return true;
	beginning->revision = entry->revision;
	beginning->kind = entry->kind;
	beginning->turns.length = 0;
	if (entry->kind == ENTRY_SCRAMBLE && entry->has_turns)
		buffer_add(&beginning->turns, entry->turns,
			   entry->turn_count * sizeof *entry->turns);
	return !beginning->turns.failed;
}

/* ---- the turns since then ---- */

struct turned {
	struct cube *cube;
	size_t moves_max;
	uint32_t upto, entries, actor; /* actor: of the first entry */
	uint32_t turning;              /* entries from the first turn of layers on */
	bool whole;                    /* all turns are known, and not too many */
	bool solved_since;             /* the attempt ended before */
	bool client_times;             /* all turns have times of the client, never decreasing */
	int64_t first_ms, last_ms;
	struct buffer turns,
		times,  /* struct cube_turn and uint32_t: milliseconds since the first */
		clocks; /* and the client's own times */
};

static size_t turn_count(const struct turned *turned)
{
	return turned->turns.length / sizeof(struct cube_turn);
}

/* The time of the turn that comes last; `what` is not empty. */
static uint32_t last_of(const struct buffer *what)
{
	uint32_t time;
	memcpy(&time, what->bytes + what->length - sizeof time, sizeof time);
	return time;
}

static void keep_clocks(struct turned *turned, const struct entry *entry)
{
	/* Clocks of several clients cannot be compared. */
	if (turned->entries == 1)
		turned->actor = entry->actor;
	turned->client_times =
		turned->client_times && entry->times && entry->actor == turned->actor &&
		(turned->clocks.length == 0 || last_of(&turned->clocks) <= entry->times[0]);
	if (turned->client_times)
		buffer_add(&turned->clocks, entry->times, entry->turn_count * sizeof *entry->times);
}

static void keep_turns(struct turned *turned, const struct entry *entry)
{
	const int64_t since = entry->time_ms - turned->first_ms;
	const uint32_t time = (uint32_t)(since > TIMED_MAX_MS ? TIMED_MAX_MS : since);
	if (!entry->has_turns || turn_count(turned) + entry->turn_count > turned->moves_max)
		turned->whole = false;
	if (!turned->whole)
		return;
	buffer_add(&turned->turns, entry->turns, entry->turn_count * sizeof *entry->turns);
	for (size_t i = 0; i < entry->turn_count; i++)
		buffer_add(&turned->times, &time, sizeof time);
	keep_clocks(turned, entry);
}

static bool turns_layers(const struct entry *entry, int size)
{
	bool layers = !entry->has_turns;
	for (size_t i = 0; i < entry->turn_count && !layers; i++)
		layers = !timed_is_rotation(size, entry->turns[i]);
	return layers;
}

static void turn(struct turned *turned, const struct entry *entry)
{
	turned->entries++;
	if (turned->turning == 0)
		turned->first_ms = entry->time_ms;
	turned->turning += turned->turning > 0 || turns_layers(entry, turned->cube->size);
	turned->last_ms = entry->time_ms;
	keep_turns(turned, entry);
	if (entry->has_turns)
		cube_turn_all(turned->cube, entry->turns, entry->turn_count);
	else
		cube_copy(turned->cube, entry->cube);
}

static bool out_of_memory(const struct turned *turned)
{
	return turned->turns.failed || turned->times.failed || turned->clocks.failed;
}

/* A store_visit_entry. */
static bool visit_entry(void *context, const struct entry *entry)
{
	struct turned *turned = context;
	if (entry->revision >= turned->upto)
		return false;
	turn(turned, entry);
	turned->solved_since |= cube_is_solved(turned->cube);
	return !turned->solved_since && !out_of_memory(turned);
}

static enum store_status turn_last(struct turned *turned, const struct attempt *attempt)
{
	struct entry_reader entries;
	struct entry entry;
	entry_reader_init(&entries, attempt->size, attempt->packed, attempt->packed_bytes,
			  attempt->revision, 0);
	enum entry_read read = entry_reader_next(&entries, &entry);
	if (read == ENTRY_READ)
		turn(turned, &entry);
	entry_reader_finish(&entries);
	return read == ENTRY_READ        ? STORE_OK
	       : read == ENTRY_NO_MEMORY ? STORE_NO_MEMORY
					 : STORE_BROKEN;
}

/* ---- the solve ---- */

static const char *print_turns(struct arena *arena, int size, const struct cube_turn *turns,
			       size_t count)
{
	const size_t length = cube_turns_print(size, turns, count, NULL, 0);
	char *text = arena_alloc(arena, length + 1);
	if (text)
		cube_turns_print(size, turns, count, text, length + 1);
	return text;
}

/* Sets *made to whether the turns lead from a solved cube to `cube`; false if out of memory. */
static bool turns_make(const struct cube_turn *turns, size_t count, const struct cube *cube,
		       bool *made)
{
	struct cube *fresh = malloc(cube_bytes(cube->size));
	if (!fresh)
		return false;
	cube_init(fresh, cube->size);
	cube_turn_all(fresh, turns, count);
	*made = true;
	for (size_t i = 0; i < cube_facelets(cube->size) && *made; i++)
		*made = cube_color_at(fresh, i) == cube_color_at(cube, i);
	free(fresh);
	return true;
}

/* If a solved cube was scrambled, held in any way, the scramble is kept as the beginning; else the cube
 * is. */
static enum store_status set_scramble(struct attempt *attempt, const struct beginning *beginning,
				      const struct cube *start, struct store *store,
				      struct store_reader *reader, struct arena *arena)
{
	struct stored_solve *solve = &attempt->solve;
	const struct cube_turn *turns = attempt->scramble;
	size_t count = attempt->scramble_count;
	bool made = false;
	if (beginning->revision > 0 && beginning->kind == ENTRY_SCRAMBLE) {
		struct history *before;
		enum store_status status = store->operations->at(reader, attempt->key,
								 beginning->revision - 1, &before);
		if (status != STORE_OK)
			return status;
		turns = (const struct cube_turn *)(const void *)beginning->turns.bytes;
		count = beginning->turns.length / sizeof *turns;
		made = count > 0 && cube_is_solved(before->cube);
		history_destroy(before);
	} else if (!turns_make(turns, count, start, &made)) {
		return STORE_NO_MEMORY;
	}
	if (made) {
		solve->scramble = print_turns(arena, attempt->size, turns, count);
		return solve->scramble ? STORE_OK : STORE_NO_MEMORY;
	}
	uint8_t *base = arena_alloc(arena, cube_packed_bytes(attempt->size));
	if (!base)
		return STORE_NO_MEMORY;
	cube_pack(start, base);
	solve->base = base;
	solve->base_bytes = cube_packed_bytes(attempt->size);
	return STORE_OK;
}

static enum store_status set_moves(struct attempt *attempt, const struct turned *turned,
				   struct arena *arena)
{
	struct stored_solve *solve = &attempt->solve;
	const struct cube_turn *turns = (const struct cube_turn *)(const void *)turned->turns.bytes;
	const size_t count = turn_count(turned);
	const bool client_times = turned->whole && turned->client_times && count > 1;
	const struct buffer *clock = client_times ? &turned->clocks : &turned->times;
	uint32_t *times = (uint32_t *)(void *)clock->bytes;
	timed_skip_inspection(attempt->size, turns, turned->whole ? count : 0, times);
	const int64_t took_ms = client_times ? (int64_t)times[count - 1] - times[0]
					     : turned->last_ms - turned->first_ms;
	const bool by_hand = !turned->whole || timed_by_hand(attempt->size, turns, count, took_ms);
	solve->created_ms = turned->last_ms;
	solve->time_ms = (client_times || turned->turning > 1) && by_hand && took_ms <= TIMED_MAX_MS
				 ? took_ms
				 : SOLVE_UNTIMED;
	if (!turned->whole)
		return STORE_OK;
	solve->verified = true;
	if (solve->time_ms < 0) {
		solve->solution = print_turns(arena, attempt->size, turns, count);
	} else {
		char *text = arena_alloc(arena, timed_text_max(count));
		if (text)
			timed_print(attempt->size, turns, times, count, text);
		solve->solution = text;
		solve->clock = client_times ? SOLVE_CLIENT_CLOCK : SOLVE_SERVER_CLOCK;
	}
	return solve->solution ? STORE_OK : STORE_NO_MEMORY;
}

/* ---- the whole ---- */

static enum store_status find_turned(struct attempt *attempt, struct turned *turned,
				     const struct beginning *beginning, const struct cube *start,
				     struct store *store, struct store_reader *reader)
{
	cube_copy(turned->cube, start);
	turned->solved_since = cube_is_solved(start);
	if (turned->solved_since)
		return STORE_OK;
	enum store_status status = store->operations->entries(
		reader, attempt->key, beginning->revision, visit_entry, turned);
	if (status == STORE_OK && !turned->solved_since)
		status = turn_last(turned, attempt);
	if (out_of_memory(turned))
		status = STORE_NO_MEMORY;
	return status;
}

static enum store_status find_since(struct attempt *attempt, const struct beginning *beginning,
				    struct store *store, struct store_reader *reader,
				    struct arena *arena)
{
	struct turned turned = {.moves_max = attempt->moves_max,
				.upto = attempt->revision,
				.whole = true,
				.client_times = true};
	struct history *start = NULL;
	enum store_status status =
		store->operations->at(reader, attempt->key, beginning->revision, &start);
	if (status == STORE_OK) {
		turned.cube = malloc(cube_bytes(attempt->size));
		status = turned.cube ? find_turned(attempt, &turned, beginning, start->cube, store,
						   reader)
				     : STORE_NO_MEMORY;
	}
	attempt->found = status == STORE_OK && !turned.solved_since;
	attempt->beginning = beginning->revision;
	if (attempt->found) {
		attempt->solve = (struct stored_solve){.origin = SOLVE_OF_SESSION,
						       .size = (uint8_t)attempt->size,
						       .revision = attempt->revision};
		status = set_scramble(attempt, beginning, start->cube, store, reader, arena);
	}
	if (attempt->found && status == STORE_OK)
		status = set_moves(attempt, &turned, arena);
	history_destroy(start);
	free(turned.cube);
	buffer_free(&turned.turns);
	buffer_free(&turned.times);
	buffer_free(&turned.clocks);
	return status;
}

enum store_status attempt_find(struct attempt *attempt, struct store *store,
			       struct store_reader *reader, struct arena *arena)
{
	struct beginning beginning = {.upto = attempt->revision};
	attempt->found = false;
	enum store_status status = store->operations->entries(reader, attempt->key, 0,
							      visit_for_beginning, &beginning);
	if (beginning.turns.failed)
		status = STORE_NO_MEMORY;
	if (status == STORE_OK)
		status = find_since(attempt, &beginning, store, reader, arena);
	buffer_free(&beginning.turns);
	return status;
}

/* ---- a state within an attempt ---- */

/* The cost of replaying an entry and comparing the state, by facelet, in ns. */
#define COMPARE_NS 30
#define COMPARE_MAX_NS 250000000u

struct comparing {
	struct cube *now;
	uint8_t *wanted, *colors, *canonical; /* `wanted` is canonical; the others are scratch */
	uint32_t upto;
	uint64_t spent_ns;
	bool same;
};

static void compare(struct comparing *comparing)
{
	const int size = comparing->now->size;
	const size_t facelets = cube_facelets(size);
	cube_colors(comparing->now, comparing->colors);
	cube_canonical(size, comparing->colors, comparing->canonical);
	comparing->same = memcmp(comparing->canonical, comparing->wanted, facelets) == 0;
	comparing->spent_ns += facelets * COMPARE_NS;
}

/* A store_visit_entry. */
static bool compare_entry(void *context, const struct entry *entry)
{
	struct comparing *comparing = context;
	if (entry->revision > comparing->upto)
		return false;
	if (entry->has_turns)
		cube_turn_all(comparing->now, entry->turns, entry->turn_count);
	else
		cube_copy(comparing->now, entry->cube);
	compare(comparing);
	return !comparing->same && comparing->spent_ns < COMPARE_MAX_NS;
}

static enum store_status compare_all(struct comparing *comparing, struct store *store,
				     struct store_reader *reader, uint64_t key, uint32_t first)
{
	struct history *start = NULL;
	enum store_status status = store->operations->at(reader, key, first, &start);
	if (status != STORE_OK)
		return status;
	cube_copy(comparing->now, start->cube);
	history_destroy(start);
	compare(comparing);
	return comparing->same
		       ? STORE_OK
		       : store->operations->entries(reader, key, first, compare_entry, comparing);
}

enum store_status attempt_shows(struct store *store, struct store_reader *reader, uint64_t key,
				uint32_t revision, const struct cube *cube, bool *shows)
{
	const size_t facelets = cube_facelets(cube->size);
	struct beginning beginning = {.upto = revision < UINT32_MAX ? revision + 1 : revision};
	struct comparing comparing = {.upto = revision};
	uint8_t *room = malloc(3 * facelets);
	enum store_status status = STORE_NO_MEMORY;
	comparing.now = malloc(cube_bytes(cube->size));
	*shows = false;
	if (room && comparing.now)
		status =
			store->operations->entries(reader, key, 0, visit_for_beginning, &beginning);
	if (beginning.turns.failed)
		status = STORE_NO_MEMORY;
	if (status == STORE_OK) {
		comparing.wanted = room;
		comparing.colors = room + facelets;
		comparing.canonical = room + 2 * facelets;
		cube_colors(cube, comparing.colors);
		cube_canonical(cube->size, comparing.colors, comparing.wanted);
		status = compare_all(&comparing, store, reader, key, beginning.revision);
		*shows = comparing.same;
	}
	buffer_free(&beginning.turns);
	free(comparing.now);
	free(room);
	return status;
}
