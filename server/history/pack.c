/* pack.c: entries as bytes.
 *
 * One head byte says what follows:
 *
 *     0..104    `moves` of the one turn with that code (cube/pack.h), later than the entry before;
 *               a varint follows, the milliseconds between them
 *     105..144  105 + kind * 8 + flags, and then in this order
 *                   varint  milliseconds between this entry and the one before
 *                   varint  revision - restores, if flag RESTORES is set
 *                   varint  bytes of packed turns, and these; or, with flag CUBE, the packed cube
 *                   varints, one a turn, if flag TIMES is set: the time of the first, and of
 *                           the others the difference to the one before
 *     145..184  145 + kind * 8 + flags, the same, but
 *                   varint  number of turns, and these, all of outer layers, as in pack_outer_turns.h
 *     185..254  the actor is 1..70, and one of the above follows
 *     255       varint  the actor - 71, and one of the above follows
 *
 * So a turn within 16 seconds of the last one takes 3 bytes. Numbers are varints: seven bits a
 * byte, low ones first. */
#include "server/history/history.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/history/pack_outer_turns.h"
#include "server/util/varint.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define HEAD_GENERAL 105
#define FLAG_BACK 1 /* the time is before that of the previous entry */
#define FLAG_RESTORES 2
#define FLAG_TIMES 2 /* of moves, which restore nothing */
#define FLAG_CUBE 4
#define HEAD_KIND 8
#define HEAD_OUTER (HEAD_GENERAL + ENTRY_KINDS * HEAD_KIND)
#define HEAD_END (HEAD_OUTER + ENTRY_KINDS * HEAD_KIND)
#define HEAD_ACTOR HEAD_END
#define HEAD_ACTOR_FAR 255
#define ACTORS_NEAR (HEAD_ACTOR_FAR - HEAD_ACTOR)

size_t entry_pack_bound(const struct entry *entry, int size)
{
	size_t body = entry->has_turns ? CUBE_PACKED_TURN_MAX * entry->turn_count
				       : cube_packed_bytes(size);
	const size_t times = entry->times ? VARINT_MAX * entry->turn_count : 0;
	return 2 + 4 * VARINT_MAX + body + times;
}

/* Most entries are one common turn: the turn's code is the whole head. */
static size_t pack_short(const struct entry *entry, int size, uint64_t gap_ms, uint8_t *bytes)
{
	uint8_t turn[CUBE_PACKED_TURN_MAX];
	if (entry->kind != ENTRY_MOVES || entry->restores != HISTORY_NONE || !entry->has_turns ||
	    entry->turn_count != 1 || entry->times)
		return 0;
	if (cube_turns_pack(entry->turns, 1, size, turn) != 1 || turn[0] >= HEAD_GENERAL)
		return 0;
	bytes[0] = turn[0];
	return 1 + varint_put(bytes + 1, gap_ms);
}

static size_t pack_turns(const struct entry *entry, int size, uint8_t *bytes)
{
	/* The length comes first but is known last: guess its width; if wrong, move the turns. */
	size_t guess = varint_put(NULL, entry->turn_count);
	size_t packed = entry->turn_count == 0 ? 0
					       : cube_turns_pack(entry->turns, entry->turn_count,
								 size, bytes + guess);
	size_t width = varint_put(NULL, packed);
	if (width != guess)
		memmove(bytes + width, bytes + guess, packed);
	return varint_put(bytes, packed) + packed;
}

static size_t pack_times(const struct entry *entry, uint8_t *bytes)
{
	size_t length = 0;
	uint32_t before = 0;
	for (size_t i = 0; entry->times && i < entry->turn_count; i++) {
		assert(entry->times[i] >= before);
		length += varint_put(bytes + length, entry->times[i] - before);
		before = entry->times[i];
	}
	return length;
}

/* Nothing for an entry of an unknown actor. */
static size_t pack_actor(uint32_t actor, uint8_t *bytes)
{
	if (actor == 0)
		return 0;
	if (actor <= ACTORS_NEAR) {
		bytes[0] = (uint8_t)(HEAD_ACTOR + actor - 1);
		return 1;
	}
	bytes[0] = HEAD_ACTOR_FAR;
	return 1 + varint_put(bytes + 1, actor - ACTORS_NEAR - 1);
}

static size_t pack_rest(const struct entry *entry, int size, int64_t before_ms, uint8_t *bytes)
{
	bool back = entry->time_ms < before_ms;
	uint64_t gap_ms = back ? (uint64_t)before_ms - (uint64_t)entry->time_ms
			       : (uint64_t)entry->time_ms - (uint64_t)before_ms;
	size_t length = back ? 0 : pack_short(entry, size, gap_ms, bytes);
	if (length > 0)
		return length;
	bool restores = entry->restores != HISTORY_NONE;
	assert(!restores || entry->restores < entry->revision);
	assert(entry->has_turns || entry->cube != NULL);
	assert(!entry->times || (entry->has_turns && entry->kind == ENTRY_MOVES && !restores));
	int flags = (back ? FLAG_BACK : 0) | (restores ? FLAG_RESTORES : 0) |
		    (entry->times ? FLAG_TIMES : 0) | (entry->has_turns ? 0 : FLAG_CUBE);
	bool outer = entry->has_turns && entry->turn_count > 1 &&
		     outer_turns_fits(entry->turns, entry->turn_count);
	bytes[length++] = (uint8_t)((outer ? HEAD_OUTER : HEAD_GENERAL) +
				    (int)entry->kind * HEAD_KIND + flags);
	length += varint_put(bytes + length, gap_ms);
	if (restores)
		length += varint_put(bytes + length, entry->revision - entry->restores);
	if (outer) {
		length += varint_put(bytes + length, entry->turn_count);
		outer_turns_pack(entry->turns, entry->turn_count, bytes + length);
		length += outer_turns_bytes(entry->turn_count);
		return length + pack_times(entry, bytes + length);
	}
	if (entry->has_turns) {
		length += pack_turns(entry, size, bytes + length);
		return length + pack_times(entry, bytes + length);
	}
	cube_pack(entry->cube, bytes + length);
	return length + cube_packed_bytes(size);
}

size_t entry_pack(const struct entry *entry, int size, int64_t before_ms, uint8_t *bytes)
{
	size_t length = pack_actor(entry->actor, bytes);
	return length + pack_rest(entry, size, before_ms, bytes + length);
}

void entry_reader_init(struct entry_reader *reader, int size, const uint8_t *bytes, size_t length,
		       uint32_t first_revision, int64_t before_ms)
{
	*reader = (struct entry_reader){
		.at = bytes,
		.end = length == 0 ? bytes : bytes + length,
		.revision = first_revision,
		.before_ms = before_ms,
		.size = size,
	};
}

void entry_reader_finish(struct entry_reader *reader)
{
	free(reader->turns);
	free(reader->times);
	free(reader->cube);
	reader->turns = NULL;
	reader->times = NULL;
	reader->turn_capacity = reader->time_capacity = 0;
	reader->cube = NULL;
}

static bool read_time(struct entry_reader *reader, const uint8_t **at, bool back, int64_t *time_ms)
{
	uint64_t gap_ms, before = (uint64_t)reader->before_ms;
	if (!varint_get(at, reader->end, &gap_ms))
		return false;
	uint64_t room = back ? before - (uint64_t)INT64_MIN : (uint64_t)INT64_MAX - before;
	if (gap_ms > room)
		return false;
	*time_ms = (int64_t)(back ? before - gap_ms : before + gap_ms);
	return true;
}

static bool reserve_turns(struct entry_reader *reader, size_t count)
{
	if (count <= reader->turn_capacity)
		return true;
	if (count > SIZE_MAX / sizeof(struct cube_turn))
		return false;
	size_t capacity = count < 16 ? 16 : count;
	struct cube_turn *turns = realloc(reader->turns, capacity * sizeof(*turns));
	if (turns == NULL)
		return false;
	reader->turns = turns;
	reader->turn_capacity = capacity;
	return true;
}

MUST_USE static enum entry_read read_outer(struct entry_reader *reader, const uint8_t **at,
					   struct entry *entry)
{
	uint64_t count;
	size_t left;
	if (!varint_get(at, reader->end, &count))
		return ENTRY_DAMAGED;
	left = (size_t)(reader->end - *at);
	/* Two turns take a byte at least, so the bytes bound the turns. */
	if (count < 2 || count / 2 > left || outer_turns_bytes((size_t)count) > left)
		return ENTRY_DAMAGED;
	if (!reserve_turns(reader, (size_t)count))
		return ENTRY_NO_MEMORY;
	if (!outer_turns_unpack(*at, (size_t)count, reader->turns))
		return ENTRY_DAMAGED;
	*at += outer_turns_bytes((size_t)count);
	entry->has_turns = true;
	entry->turns = reader->turns;
	entry->turn_count = (size_t)count;
	return ENTRY_READ;
}

MUST_USE static enum entry_read read_turns(struct entry_reader *reader, const uint8_t *bytes,
					   size_t length, struct entry *entry)
{
	/* A turn takes a byte at least, so the bytes bound the turns. */
	if (!reserve_turns(reader, length))
		return ENTRY_NO_MEMORY;
	entry->has_turns = true;
	entry->turns = reader->turns;
	entry->turn_count = 0;
	if (length > 0 && !cube_turns_unpack(bytes, length, reader->size, reader->turns,
					     reader->turn_capacity, &entry->turn_count))
		return ENTRY_DAMAGED;
	return ENTRY_READ;
}

static bool reserve_times(struct entry_reader *reader, size_t count)
{
	if (count <= reader->time_capacity)
		return true;
	uint32_t *times = realloc(reader->times, count * sizeof(*times));
	if (times == NULL)
		return false;
	reader->times = times;
	reader->time_capacity = count;
	return true;
}

/* Reads the times of an entry whose turns have been read. */
MUST_USE static enum entry_read read_times(struct entry_reader *reader, const uint8_t **at,
					   struct entry *entry)
{
	uint64_t time = 0, more;
	if (entry->turn_count > (size_t)(reader->end - *at))
		return ENTRY_DAMAGED;
	if (entry->turn_count > 0 && !reserve_times(reader, entry->turn_count))
		return ENTRY_NO_MEMORY;
	for (size_t i = 0; i < entry->turn_count; i++) {
		if (!varint_get(at, reader->end, &more) || more > UINT32_MAX - time)
			return ENTRY_DAMAGED;
		time += more;
		reader->times[i] = (uint32_t)time;
	}
	entry->times = entry->turn_count > 0 ? reader->times : NULL;
	return ENTRY_READ;
}

MUST_USE static enum entry_read read_cube(struct entry_reader *reader, const uint8_t **at,
					  struct entry *entry)
{
	size_t length = cube_packed_bytes(reader->size);
	if ((size_t)(reader->end - *at) < length)
		return ENTRY_DAMAGED;
	if (reader->cube == NULL) {
		reader->cube = malloc(cube_bytes(reader->size));
		if (reader->cube == NULL)
			return ENTRY_NO_MEMORY;
	}
	if (!cube_unpack(reader->cube, reader->size, *at, length))
		return ENTRY_DAMAGED;
	*at += length;
	entry->cube = reader->cube;
	return ENTRY_READ;
}

MUST_USE static enum entry_read read_general(struct entry_reader *reader, int head, bool outer,
					     const uint8_t **at, struct entry *entry)
{
	uint64_t number;
	entry->kind = (enum entry_kind)(head / HEAD_KIND);
	const bool times = entry->kind == ENTRY_MOVES && (head & FLAG_TIMES) != 0;
	if (!read_time(reader, at, (head & FLAG_BACK) != 0, &entry->time_ms))
		return ENTRY_DAMAGED;
	if (!times && (head & FLAG_RESTORES) != 0) {
		if (!varint_get(at, reader->end, &number) || number == 0 ||
		    number > entry->revision)
			return ENTRY_DAMAGED;
		entry->restores = entry->revision - (uint32_t)number;
	} else if (entry->kind == ENTRY_UNDO || entry->kind == ENTRY_REDO) {
		return ENTRY_DAMAGED; /* the chain cannot be followed without it */
	}
	if ((head & FLAG_CUBE) != 0)
		return outer || times ? ENTRY_DAMAGED : read_cube(reader, at, entry);
	enum entry_read result;
	if (outer) {
		result = read_outer(reader, at, entry);
	} else {
		if (!varint_get(at, reader->end, &number) || number > (size_t)(reader->end - *at))
			return ENTRY_DAMAGED;
		const uint8_t *turns = *at;
		*at += number;
		result = read_turns(reader, turns, (size_t)number, entry);
	}
	return times && result == ENTRY_READ ? read_times(reader, at, entry) : result;
}

/* Every actor has one encoding. */
static bool read_actor(struct entry_reader *reader, const uint8_t **at, struct entry *entry)
{
	uint64_t number;
	if (*at == reader->end || **at < HEAD_ACTOR)
		return true;
	int head = *(*at)++;
	if (head < HEAD_ACTOR_FAR) {
		entry->actor = (uint32_t)(head - HEAD_ACTOR) + 1;
		return true;
	}
	if (!varint_get(at, reader->end, &number) || number > UINT32_MAX - ACTORS_NEAR - 1)
		return false;
	entry->actor = (uint32_t)number + ACTORS_NEAR + 1;
	return true;
}

enum entry_read entry_reader_next(struct entry_reader *reader, struct entry *entry)
{
	if (reader->at == reader->end)
		return ENTRY_END;
	if (reader->revision == 0 || reader->revision == HISTORY_NONE)
		return ENTRY_DAMAGED;
	*entry = (struct entry){.revision = reader->revision, .restores = HISTORY_NONE};
	const uint8_t *at = reader->at;
	if (!read_actor(reader, &at, entry) || at == reader->end)
		return ENTRY_DAMAGED;
	const uint8_t *turn = at;
	int head = *at++;
	enum entry_read result = ENTRY_DAMAGED;
	if (head < HEAD_GENERAL) {
		if (read_time(reader, &at, false, &entry->time_ms))
			result = read_turns(reader, turn, 1, entry);
	} else if (head < HEAD_END) {
		bool outer = head >= HEAD_OUTER;
		result = read_general(reader, head - (outer ? HEAD_OUTER : HEAD_GENERAL), outer,
				      &at, entry);
	}
	if (result != ENTRY_READ)
		return result;
	reader->at = at;
	reader->before_ms = entry->time_ms;
	reader->revision++;
	return ENTRY_READ;
}
