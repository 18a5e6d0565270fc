/* events.c: lines of the stream of events, and what they do to the cube. */
#include "clients/terminal/join/join_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "cube/cube.h"
#include "cube/facelets.h"
#include "cube/notation.h"
#include "server/util/monotonic.h"

static struct text member_text(const struct json_value *object, const char *name)
{
	return json_value_text(json_member_of(object, name));
}

/* ---- state ---- */

static bool may_turn(struct text access_or_role)
{
	return text_is(access_or_role, "edit") || text_is(access_or_role, "editor") ||
	       text_is(access_or_role, "owner");
}

/* The cube of a session, malloc'd; NULL if it cannot be read, or is not of the size that the cube here
 * has. */
static struct cube *cube_of(const struct json_value *session, const struct play *play)
{
	const struct text facelets = member_text(json_member_of(session, "cube"), "facelets");
	struct cube_error error;
	int size = cube_size_of_facelets(facelets.length);
	if (size == 0 || (play && play->cube->size != size))
		return NULL;
	uint8_t *colors = malloc(facelets.length);
	struct cube *cube = colors ? malloc(cube_bytes(size)) : NULL;
	const bool good = cube &&
			  cube_colors_parse(facelets.bytes, facelets.length, colors, &size,
					    &error) == CUBE_OK &&
			  cube_from_colors(cube, size, colors, NULL, 0) == 0;
	free(colors);
	if (good)
		return cube;
	free(cube);
	return NULL;
}

/* The state of the session, at the beginning or in place of entries. The own turns of a request that
 * was answered leave: either the state has them, or their entry follows, or, if a backup was restored
 * meanwhile, they are lost. */
static void take_state(struct join *join, const struct json_value *session, int64_t now_ms)
{
	const int64_t revision = json_value_whole(json_member_of(session, "revision"));
	struct cube *cube = revision >= 0 ? cube_of(session, join->play) : NULL;
	if (!cube) {
		join_end(join, "the server's answer cannot be read");
		return;
	}
	join->revision = revision;
	join->open_access = may_turn(member_text(session, "access"));
	join->role_turns = may_turn(member_text(json_member_of(session, "you"), "role"));
	if (!join->play) {
		join->cube = cube;
		return;
	}
	const bool answered = join->write.active && join->write.revision >= 0;
	const bool turns = answered && join->write.turns;
	play_shared_restart(join->play, cube, turns ? join->play->shared.sent : 0, now_ms);
	free(cube);
	if (answered)
		join_write_done(join);
}

/* ---- entries ---- */

static enum play_entry kind_of(struct text kind)
{
	return text_is(kind, "scramble") ? PLAY_ENTRY_SCRAMBLE
	       : text_is(kind, "reset")  ? PLAY_ENTRY_RESET
	       : text_is(kind, "undo")   ? PLAY_ENTRY_UNDO
					 : PLAY_ENTRY_MOVES;
}

/* The turns of canonical moves, malloc'd; NULL if they cannot be read. */
static struct cube_turn *turns_of(int size, struct text moves, size_t *count)
{
	const size_t room = cube_parse_nodes(moves.bytes, moves.length);
	struct cube_node *nodes = malloc((room + 1) * sizeof *nodes);
	struct cube_turn *turns = malloc((room + 1) * sizeof *turns);
	struct cube_alg alg;
	struct cube_error error;
	const bool good = nodes && turns &&
			  cube_parse(moves.bytes, moves.length, size, CUBE_DIALECT_SIGN, nodes,
				     &alg, &error) == CUBE_OK &&
			  cube_alg_expand(&alg, room + 1, turns, count);
	free(nodes);
	if (good)
		return turns;
	free(turns);
	return NULL;
}

static void say_who(struct join *join, const struct json_value *entry)
{
	const struct json_value *actor = json_member_of(entry, "actor");
	char name[NAME_BYTES], kind[NAME_BYTES], moves[NAME_BYTES + 12];
	const struct text label = member_text(actor, "label"), role = member_text(actor, "role");
	join_text(name, sizeof name, label.bytes ? label : role);
	join_text(kind, sizeof kind, member_text(entry, "kind"));
	join_text(moves, sizeof moves, member_text(entry, "moves"));
	join_notify(join, "%s: %s%s%s", name[0] ? name : "somebody", kind, moves[0] ? " " : "",
		    moves);
}

/* Begins again with the state of the session. */
static void ask_for_state(struct join *join, int64_t now_ms)
{
	join->last_id[0] = '\0';
	transfer_stop(&join->http, &join->http.stream);
	join->open_ms = now_ms;
}

static void take_entry(struct join *join, const struct json_value *entry, int64_t now_ms)
{
	const int64_t revision = json_value_whole(json_member_of(entry, "revision"));
	const struct text moves = member_text(entry, "moves");
	const bool own = join->write.active && join->write.revision == revision;
	struct cube_turn *turns = NULL;
	size_t count;
	if (!join->play || revision <= join->revision)
		return;
	if (revision > join->revision + 1 || !moves.bytes) {
		ask_for_state(join, now_ms);
		return;
	}
	if (own && join->write.turns) {
		play_shared_settle(join->play, join->play->shared.sent);
	} else {
		turns = turns_of(join->play->cube->size, moves, &count);
		if (!turns || !play_shared_entry(join->play, kind_of(member_text(entry, "kind")),
						 turns, count, now_ms)) {
			free(turns);
			join_end(join, "out of memory, or the server's answer cannot be read");
			return;
		}
		say_who(join, entry);
	}
	free(turns);
	join->revision = revision;
	if (own)
		join_write_done(join);
}

/* ---- people ---- */

static void append(char *text, size_t capacity, const char *more)
{
	const size_t length = strlen(text);
	snprintf(text + length, capacity - length, "%s", more);
}

/* "3 here: Anna, Bo, viewer". */
static void take_presence(struct join *join, const struct json_value *presence)
{
	const struct json_value *people = json_member_of(presence, "people");
	const int64_t watchers = json_value_whole(json_member_of(presence, "watchers"));
	const size_t count = json_item_count(people);
	snprintf(join->people, sizeof join->people, "%d here", (int)(watchers > 0 ? watchers : 0));
	for (size_t i = 0; i < count; i++) {
		const struct json_value *person = json_item(people, i);
		const struct text label = member_text(person, "label");
		char name[NAME_BYTES];
		if (strlen(join->people) > NOTICE_BYTES / 2) {
			append(join->people, sizeof join->people, ", ...");
			return;
		}
		join_text(name, sizeof name, label.bytes ? label : member_text(person, "role"));
		append(join->people, sizeof join->people, i == 0 ? ": " : ", ");
		append(join->people, sizeof join->people, name[0] ? name : "guest");
	}
}

/* ---- lines ---- */

static void take_event(struct join *join, const struct json_value *line, int64_t now_ms)
{
	const struct text event = member_text(line, "event"), id = member_text(line, "id");
	struct json_value *data = json_member_of(line, "data");
	if (text_is(event, "state") || text_is(event, "resync"))
		take_state(join, data, now_ms);
	else if (text_is(event, "entry"))
		take_entry(join, data, now_ms);
	else if (text_is(event, "session"))
		join->open_access = may_turn(member_text(data, "access"));
	else if (text_is(event, "presence"))
		take_presence(join, data);
	else if (text_is(event, "end"))
		join_end(join, text_is(member_text(data, "reason"), "deleted")
				       ? "the session was deleted"
				       : "the right to watch this session was taken");
	/* After ask_for_state() the stream is closed, and begins without an id. */
	if (id.bytes && join->http.stream.state != TRANSFER_IDLE &&
	    id.length < sizeof join->last_id)
		memcpy(join->last_id, id.bytes, id.length + 1);
}

/* Returns whether an event may be read: not while one may be the entry of an unanswered request, nor
 * between the first state and the beginning of the game, which takes that state. */
static bool may_read(const struct join *join)
{
	return !join->ended && !join_in_doubt(join) && (join->play || !join->cube) &&
	       join->http.stream.state != TRANSFER_IDLE;
}

void join_read_events(struct join *join, int64_t now_ms)
{
	struct transfer *stream = &join->http.stream;
	size_t at = 0;
	if (stream->status != 200)
		return;
	while (may_read(join) && at < stream->body.length) {
		const char *begin = stream->body.bytes + at;
		const char *end = memchr(begin, '\n', stream->body.length - at);
		if (!end)
			break;
		struct arena arena = {0};
		struct json_reader reader = {.arena = &arena};
		struct json_value *line;
		if (!json_parse(&reader, begin, (size_t)(end - begin), &line))
			join_end(join, "the server's answer cannot be read");
		else
			take_event(join, line, now_ms);
		arena_finish(&arena);
		at += (size_t)(end - begin) + 1;
		join->changed = true;
		join->failures = 0;
	}
	if (at > 0) {
		stream->body.length -= at;
		memmove(stream->body.bytes, stream->body.bytes + at, stream->body.length);
	}
}
