/* memory_solves.c: solves and the answers of solvers in the memory store. */
#include "cube/size.h"
#include "server/store/memory_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- copies: a struct and its texts in one block ---- */

static size_t text_bytes(const char *text)
{
	return text == NULL ? 0 : strlen(text) + 1;
}

static size_t solve_bytes(const struct stored_solve *solve)
{
	return sizeof(*solve) + solve->base_bytes + text_bytes(solve->scramble) +
	       text_bytes(solve->solution) + text_bytes(solve->comment) + text_bytes(solve->list) +
	       text_bytes(solve->source) + text_bytes(solve->list_name) + text_bytes(solve->splits);
}

static const char *put_text(char **room, const char *text)
{
	char *at = *room;
	if (text == NULL)
		return NULL;
	memcpy(at, text, text_bytes(text));
	*room += text_bytes(text);
	return at;
}

static struct stored_solve *solve_copy(const struct stored_solve *solve)
{
	struct stored_solve *copy = malloc(solve_bytes(solve));
	if (copy == NULL)
		return NULL;
	char *room = (char *)(copy + 1);
	*copy = *solve;
	if (solve->base != NULL) {
		memcpy(room, solve->base, solve->base_bytes);
		copy->base = (const uint8_t *)room;
		room += solve->base_bytes;
	}
	copy->scramble = put_text(&room, solve->scramble);
	copy->solution = put_text(&room, solve->solution);
	copy->comment = put_text(&room, solve->comment);
	copy->list = put_text(&room, solve->list);
	copy->source = put_text(&room, solve->source);
	copy->list_name = put_text(&room, solve->list_name);
	copy->splits = put_text(&room, solve->splits);
	return copy;
}

/* ---- writing ---- */

uint64_t memory_solves_bytes(const struct store_write *write)
{
	uint64_t bytes = text_bytes(write->frame);
	for (size_t i = 0; i < write->solve_count; i++)
		bytes += solve_bytes(&write->solves[i]);
	if (write->answer != NULL)
		bytes += sizeof(*write->answer) + cube_facelets(write->answer->size) +
			 write->answer->move_bytes + strlen(write->answer->method) + 1;
	return bytes;
}

void memory_solves_discard(struct memory_added *added)
{
	for (size_t i = 0; i < added->count; i++)
		free(added->solves[i]);
	free(added->solves);
	free(added->frame);
	*added = (struct memory_added){0};
}

static bool room_for(struct memory_space *space, size_t more)
{
	size_t capacity = space->solve_capacity == 0 ? 64 : space->solve_capacity;
	while (capacity < space->solve_count + more)
		capacity *= 2;
	if (capacity == space->solve_capacity)
		return true;
	struct stored_solve **solves = realloc(space->solves, capacity * sizeof(*solves));
	if (solves == NULL)
		return false;
	space->solves = solves;
	space->solve_capacity = capacity;
	return true;
}

bool memory_solves_prepare(struct memory_space *space, const struct store_write *write,
			   struct memory_added *added)
{
	lock_assert_held(&space->lock);
	const size_t count = write->kind == WRITE_SOLVE_CHANGE || write->kind == WRITE_SOLVE_DROP
				     ? 0
				     : write->solve_count;
	*added = (struct memory_added){0};
	if (count == 0 && write->frame == NULL)
		return true;
	added->solves = calloc(count + 1, sizeof(*added->solves));
	bool made = added->solves != NULL && room_for(space, count);
	for (size_t i = 0; i < count && made; i++) {
		added->solves[i] = solve_copy(&write->solves[i]);
		made = added->solves[i] != NULL;
		added->count += made;
	}
	if (made && write->frame != NULL) {
		added->frame = strdup(write->frame);
		made = added->frame != NULL;
	}
	if (!made)
		memory_solves_discard(added);
	return made;
}

void memory_solves_add(struct memory_space *space, struct memory_session *session,
		       struct memory_added *added)
{
	lock_assert_held(&space->lock);
	for (size_t i = 0; i < added->count; i++) {
		struct stored_solve *solve = added->solves[i];
		solve->seq = ++space->solve_seq;
		solve->session = session->meta.key;
		memcpy(solve->book, session->meta.id.bytes, sizeof(solve->book));
		space->solves[space->solve_count++] = solve;
	}
	added->count = 0;
	if (added->frame != NULL) {
		free(session->frame);
		session->frame = added->frame;
		added->frame = NULL;
	}
	memory_solves_discard(added);
}

/* The index of the first solve with a seq of at least `seq`. */
static size_t place_of(const struct memory_space *space, uint64_t seq)
{
	size_t low = 0, high = space->solve_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (space->solves[middle]->seq < seq)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

enum store_status memory_solve_changed(struct memory_space *space, const struct store_write *write)
{
	lock_assert_held(&space->lock);
	const struct stored_solve *with = write->solves;
	const size_t at = place_of(space, with->seq);
	if (at == space->solve_count || space->solves[at]->seq != with->seq)
		return STORE_NOT_FOUND;
	if (write->kind == WRITE_SOLVE_CHANGE) {
		struct stored_solve changed = *space->solves[at];
		changed.penalty_ms = with->penalty_ms;
		changed.comment = with->comment;
		changed.source = with->source;
		changed.solution = with->solution;
		changed.clock = with->clock;
		changed.time_ms = with->time_ms;
		changed.assisted = with->assisted;
		changed.event = with->event;
		changed.list = with->list;
		changed.list_name = with->list_name;
		struct stored_solve *copy = solve_copy(&changed);
		if (copy == NULL)
			return STORE_NO_MEMORY;
		free(space->solves[at]);
		space->solves[at] = copy;
		return STORE_OK;
	}
	free(space->solves[at]);
	space->solve_count--;
	memmove(&space->solves[at], &space->solves[at + 1],
		(space->solve_count - at) * sizeof(*space->solves));
	return STORE_OK;
}

void memory_solves_forget(struct memory_space *space, uint64_t key)
{
	lock_assert_held(&space->lock);
	size_t kept = 0;
	for (size_t i = 0; i < space->solve_count; i++) {
		if (space->solves[i]->session == key)
			free(space->solves[i]);
		else
			space->solves[kept++] = space->solves[i];
	}
	space->solve_count = kept;
}

/* ---- answers ---- */

static bool is_same(const struct stored_answer *a, const struct stored_answer *b)
{
	return a->canonical == b->canonical && a->size == b->size &&
	       strcmp(a->method, b->method) == 0;
}

static struct memory_answer *answer_copy(const struct stored_answer *answer)
{
	const size_t colors = cube_facelets(answer->size), method = strlen(answer->method) + 1;
	struct memory_answer *copy = malloc(sizeof(*copy) + colors + answer->move_bytes + method);
	if (copy == NULL)
		return NULL;
	char *room = (char *)(copy + 1);
	copy->newer = NULL;
	copy->answer = *answer;
	copy->answer.colors = memcpy(room, answer->colors, colors);
	room += colors;
	if (answer->move_bytes > 0)
		memcpy(room, answer->moves, answer->move_bytes);
	copy->answer.moves = (const uint8_t *)room;
	room += answer->move_bytes;
	copy->answer.method = memcpy(room, answer->method, method);
	return copy;
}

static void drop_answer(struct memory_space *space, struct memory_answer **at)
{
	struct memory_answer *gone = *at;
	*at = gone->newer;
	free(gone);
	space->answer_count--;
}

enum store_status memory_put_answer(struct memory_space *space, const struct stored_answer *answer)
{
	lock_assert_held(&space->lock);
	struct memory_answer *copy = answer_copy(answer), **at = &space->answers;
	if (copy == NULL)
		return STORE_NO_MEMORY;
	while (*at != NULL) {
		if (is_same(&(*at)->answer, answer))
			drop_answer(space, at);
		else
			at = &(*at)->newer;
	}
	*at = copy;
	if (++space->answer_count > ANSWERS_MAX)
		drop_answer(space, &space->answers);
	return STORE_OK;
}

void memory_solves_free(struct memory_space *space)
{
	for (size_t i = 0; i < space->solve_count; i++)
		free(space->solves[i]);
	free(space->solves);
	while (space->answers != NULL)
		drop_answer(space, &space->answers);
}

/* ---- reading ---- */

/* Visits a solve, without the texts if they are not wanted. */
static bool show_solve(const struct solve_query *query, const struct stored_solve *solve,
		       store_visit_solve *visit, void *context)
{
	struct stored_solve shown = *solve;
	if (!query->texts) {
		shown.base = NULL;
		shown.base_bytes = 0;
		shown.scramble = shown.solution = shown.comment = shown.source = NULL;
		shown.splits = NULL;
	}
	return visit(context, &shown);
}

uint64_t memory_solves_visit(struct memory_space *space, const struct solve_query *query,
			     store_visit_solve *visit, void *context)
{
	lock_assert_held(&space->lock);
	const bool up = query->oldest_first;
	const size_t from = up                 ? place_of(space, query->from + 1)
			    : query->from == 0 ? space->solve_count
					       : place_of(space, query->from);
	const size_t count = up ? space->solve_count - from : from;
	uint64_t last = query->from;
	uint32_t left = query->look_at;
	bool more = true;
	for (size_t i = 0; i < count; i++) {
		const struct stored_solve *solve = space->solves[up ? from + i : from - 1 - i];
		if (solve->session != query->session)
			continue;
		if (!more || left == 0)
			return last;
		left--;
		last = solve->seq;
		if (solve_query_fits(query, solve))
			more = show_solve(query, solve, visit, context);
	}
	return 0;
}

enum store_status memory_solve_find(struct memory_space *space, const uint8_t id[10],
				    store_visit_solve *visit, void *context)
{
	lock_assert_held(&space->lock);
	for (size_t i = 0; i < space->solve_count; i++)
		if (memcmp(space->solves[i]->id, id, sizeof(space->solves[i]->id)) == 0) {
			visit(context, space->solves[i]);
			return STORE_OK;
		}
	return STORE_NOT_FOUND;
}

uint64_t memory_solves_count(const struct memory_space *space, uint64_t key)
{
	lock_assert_held(&space->lock);
	uint64_t count = 0;
	for (size_t i = 0; i < space->solve_count; i++)
		count += space->solves[i]->session == key;
	return count;
}

void memory_answers_visit(const struct memory_space *space, uint64_t canonical,
			  store_visit_answer *visit, void *context)
{
	lock_assert_held(&space->lock);
	bool more = true;
	for (const struct memory_answer *at = space->answers; at != NULL && more; at = at->newer)
		if (at->answer.canonical == canonical)
			more = visit(context, &at->answer);
}
