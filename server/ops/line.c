/* line.c: a line of an export, read strictly. */
#include "server/ops/line.h"

#include <stdlib.h>
#include <string.h>

#include "cube/libcube.h"
#include "server/format/session_out.h"
#include "server/times/timed.h"
#include "server/util/utf8.h"

#define MEMBERS(list) (list), sizeof(list) / sizeof((list)[0])

/* ---- problems ---- */

bool line_explain(struct export_line *line)
{
	const struct json_error *error = &line->json.error;
	const char *where = error->place.pointer;
	if (error->fault == JSON_FAULT_MEMORY)
		return line_say(line, "no memory");
	if (!where || !where[0])
		return line_say(line, error->detail);
	return error_set(&line->error, "%s (at %s)", error->detail, where);
}

bool line_say(struct export_line *line, const char *sentence)
{
	return error_set(&line->error, "%s", sentence);
}

/* ---- members ---- */

/* Room for cubes and turns, allocated for each line. */
static void *room_for(struct export_line *line, void *old, size_t count, size_t bytes)
{
	free(old);
	void *memory = calloc(count, bytes);
	if (!memory)
		line_say(line, "no memory");
	return memory;
}

static bool read_numbers(struct export_line *line, struct json_value *array, const char *pointer,
			 size_t count, int64_t most, int64_t *number,
			 void (*put)(struct cube *, size_t, int64_t), struct cube *cube)
{
	const struct json_member as = {"", JSON_INT64, number, 0, most};
	if (!array || json_item_count(array) != count)
		return error_set(&line->error, "%s does not have %zu members", pointer, count);
	for (size_t i = 0; i < count; i++) {
		if (!json_read_value(&line->json, json_item(array, i), pointer, &as))
			return line_explain(line);
		put(cube, i, *number);
	}
	return true;
}

static void put_sticker(struct cube *cube, size_t at, int64_t number)
{
	cube->sticker[at] = (uint16_t)number;
}

static void put_spin(struct cube *cube, size_t at, int64_t number)
{
	cube->spin[at] = (uint8_t)number;
}

/* Reads a cube into *room, which is replaced. */
static bool read_cube(struct export_line *line, struct json_value *object, int size,
		      struct cube **room)
{
	struct json_value *stickers = NULL, *spins = NULL;
	const struct json_member members[] = {
		{"stickers", JSON_ITEMS, &stickers, 0, 0},
		{"spins", JSON_ITEMS, &spins, 0, 0},
	};
	const size_t facelets = cube_facelets(size);
	int64_t number;
	if (!json_read_members(&line->json, object, "/cube", MEMBERS(members)))
		return line_explain(line);
	*room = room_for(line, *room, 1, cube_bytes(size));
	if (!*room)
		return false;
	(*room)->size = (uint8_t)size;
	if (!read_numbers(line, stickers, "/cube/stickers", facelets, (int64_t)facelets - 1,
			  &number, put_sticker, *room) ||
	    !read_numbers(line, spins, "/cube/spins", CUBE_FACES, 3, &number, put_spin, *room))
		return false;
	uint8_t *seen = malloc(facelets);
	if (!seen)
		return line_say(line, "no memory");
	bool sound = cube_well_formed(*room, seen);
	free(seen);
	return sound ||
	       line_say(line, "a sticker of the cube is there twice, or a spin is impossible");
}

/* Reads plain turns into *room, which is replaced, and their times into line->times. */
static bool read_turns(struct export_line *line, struct text text, int size,
		       struct cube_turn **room, size_t *count, bool *timed)
{
	struct cube_alg alg;
	struct cube_error error;
	struct cube_node *nodes = malloc(cube_parse_nodes(text.bytes, text.length) * sizeof *nodes);
	*timed = memchr(text.bytes, '@', text.length) != NULL;
	line->times = room_for(line, line->times, *timed ? text.length : 1, sizeof *line->times);
	*room = room_for(line, *room, text.length + 1, sizeof **room);
	if (!nodes)
		line_say(line, "no memory");
	bool read = nodes && *room && line->times;
	if (read && timed_parse(text.bytes, text.length, size, CUBE_DIALECT_SIGN, nodes, &alg,
				line->times, timed, &error) != CUBE_OK)
		read = line_say(line, "the moves cannot be read");
	if (read && !cube_alg_expand(&alg, text.length + 1, *room, count))
		read = line_say(line, "the moves are not plain turns");
	free(nodes);
	return read;
}

/* ---- kinds of lines ---- */

static bool read_head(struct export_line *line)
{
	struct text format = {0};
	int64_t version = 0;
	const struct json_member members[] = {
		{"format", JSON_TEXT, &format, 0, 0},
		{"version", JSON_INT64, &version, 1, INT32_MAX},
	};
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	if (!text_is(format, LINE_FORMAT))
		return line_say(line, "this is not an export of cubed");
	return version == LINE_VERSION ||
	       line_say(line, "this export is of a newer version of the format");
}

static bool read_last(struct export_line *line)
{
	const struct json_member members[] = {
		{"sessions", JSON_INT64, &line->sessions, 0, INT64_MAX},
		{"entries", JSON_INT64, &line->total, 0, INT64_MAX},
	};
	line->sessions = line->total = -1;
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	return line->total >= 0 || line_say(line, "the number of entries is missing");
}

static bool read_id(struct export_line *line, struct text id)
{
	return session_id_parse(id.bytes, id.length, &line->id) ||
	       line_say(line, "this is not the id of a session");
}

static bool read_more(struct export_line *line)
{
	struct text id = {0};
	const struct json_member members[] = {
		{"continues", JSON_TEXT, &id, 0, 0},
		{"entries", JSON_ITEMS, &line->entries, 0, 0},
	};
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	if (!line->entries)
		return line_say(line, "its entries are missing");
	return read_id(line, id);
}

bool line_read_word(struct export_line *line, struct text word, const char *const *words,
		    uint8_t count, uint8_t *index, const char *wrong)
{
	for (*index = 0; *index < count; ++*index)
		if (text_is(word, words[*index]))
			return true;
	return line_say(line, wrong);
}

bool line_read_name(struct export_line *line, struct text name, char into[SESSION_NAME_BYTES + 1],
		    const char *what)
{
	for (size_t at = 0, bytes; at < name.length; at += bytes) {
		uint32_t point;
		bytes = utf8_decode(name.bytes + at, name.length - at, &point);
		if (bytes == 0 || !utf8_printable(point))
			return error_set(&line->error, "%s has characters that are not allowed",
					 what);
	}
	if (name.length > SESSION_NAME_BYTES)
		return error_set(&line->error, "%s is too long", what);
	if (name.length > 0)
		memcpy(into, name.bytes, name.length);
	return true;
}

static bool read_session(struct export_line *line)
{
	struct session_meta *meta = &line->session.meta;
	struct text id = {0}, access = {0}, name = {0}, scramble = {0}, policy = {0};
	struct json_value *cube = NULL, *tokens = NULL, *patterns = NULL;
	bool timed = false;
	int64_t size = 0, created_ms = INT64_MIN, updated_ms = INT64_MIN, deleted_ms = INT64_MIN;
	int64_t assisted = -1;
	const struct json_member members[] = {
		{"id", JSON_TEXT, &id, 0, 0},
		{"size", JSON_INT64, &size, CUBE_SIZE_MIN, CUBE_SIZE_MAX},
		{"access", JSON_TEXT, &access, 0, 0},
		{"listed", JSON_BOOLEAN, &meta->listed, 0, 0},
		{"created_ms", JSON_INT64, &created_ms, INT64_MIN + 1, INT64_MAX},
		{"updated_ms", JSON_INT64, &updated_ms, INT64_MIN + 1, INT64_MAX},
		{"deleted_ms", JSON_INT64, &deleted_ms, INT64_MIN + 1, INT64_MAX},
		{"name", JSON_TEXT, &name, 0, 0},
		{"cube", JSON_MEMBERS, &cube, 0, 0},
		{"scramble", JSON_TEXT, &scramble, 0, 0},
		{"turn_policy", JSON_TEXT, &policy, 0, 0},
		{"assisted", JSON_INT64, &assisted, 0, HISTORY_NONE - 1},
		{"tokens", JSON_ITEMS, &tokens, 0, 0},
		{"patterns", JSON_ITEMS, &patterns, 0, 0},
		{"entries", JSON_ITEMS, &line->entries, 0, 0},
	};
	line->session = (struct database_session){0};
	if (!json_read_members(&line->json, line->body, "", MEMBERS(members)))
		return line_explain(line);
	if (size == 0 || created_ms == INT64_MIN || !line->entries)
		return line_say(line, "a session needs id, size, access, created_ms and entries");
	meta->size = (uint8_t)size;
	meta->created_ms = created_ms;
	meta->updated_ms = updated_ms == INT64_MIN ? created_ms : updated_ms;
	meta->deleted = deleted_ms != INT64_MIN;
	meta->assisted = (uint32_t)(assisted + 1);
	line->session.deleted_ms = meta->deleted ? deleted_ms : 0;
	if (!read_id(line, id) ||
	    !line_read_word(line, access, access_names, ACCESS_COUNT, &meta->access,
			    "its access is unknown; use edit, view or none") ||
	    !line_read_name(line, name, meta->name, "its name") ||
	    (policy.bytes && !line_read_word(line, policy, policy_names, POLICY_COUNT,
					     &meta->policy, "its turn policy is unknown")) ||
	    !line_read_access(line, tokens, patterns) ||
	    (cube && !read_cube(line, cube, meta->size, &line->base)) ||
	    (scramble.length > 0 && !read_turns(line, scramble, meta->size, &line->scramble,
						&line->session.scramble_count, &timed)))
		return false;
	if (timed)
		return line_say(line, "a scramble has no times");
	if (meta->listed && meta->access == ACCESS_NONE)
		return line_say(line, "a session with access none cannot be listed");
	meta->id = line->id;
	line->session.base = cube ? line->base : NULL;
	line->session.scramble = line->session.scramble_count > 0 ? line->scramble : NULL;
	return true;
}

/* The member that only this kind of line has. */
static const struct {
	const char *member;
	bool (*read)(struct export_line *line);
} kinds[] = {
	[LINE_HEAD] = {"format", read_head},
	[LINE_SESSION] = {"id", read_session},
	[LINE_MORE] = {"continues", read_more},
	[LINE_LAST] = {"sessions", read_last},
	[LINE_RECEIPT] = {"receipt", line_read_receipt},
	[LINE_SOLVE] = {"solve", line_read_solve},
	[LINE_FRAME] = {"frame", line_read_frame},
	[LINE_ANSWER] = {"answer", line_read_answer},
};

bool line_read(struct export_line *line, const char *text, size_t length)
{
	arena_finish(&line->arena);
	line->arena = (struct arena){0};
	line->json = (struct json_reader){.arena = &line->arena};
	line->entries = NULL;
	line->kind = LINE_OTHER;
	if (!json_parse_body(&line->json, text, length, &line->body))
		return line_explain(line);
	for (int kind = 0; kind < LINE_OTHER; kind++)
		if (json_member_of(line->body, kinds[kind].member)) {
			line->kind = (enum line_kind)kind;
			return kinds[kind].read(line);
		}
	return line_say(line, "this line is of no known kind");
}

/* ---- entries ---- */

static bool read_kind(struct export_line *line, struct text name, enum entry_kind *kind)
{
	for (int i = 0; i < ENTRY_KINDS; i++)
		if (text_is(name, entry_kind_name((enum entry_kind)i))) {
			*kind = (enum entry_kind)i;
			return true;
		}
	return line_say(line, "the kind of an entry is unknown");
}

bool line_entry(struct export_line *line, size_t index, int size, struct entry *entry)
{
	struct json_value *object = json_item(line->entries, index), *cube = NULL;
	struct text kind = {0}, moves = {0};
	int64_t revision = 0, time_ms = INT64_MIN, restores = -1, actor = 0;
	const struct json_member as_object = {"", JSON_MEMBERS, &object, 0, 0};
	const struct json_member members[] = {
		{"revision", JSON_INT64, &revision, 1, HISTORY_NONE - 1},
		{"time_ms", JSON_INT64, &time_ms, INT64_MIN + 1, INT64_MAX},
		{"kind", JSON_TEXT, &kind, 0, 0},
		{"restores", JSON_INT64, &restores, 0, HISTORY_NONE - 1},
		{"actor", JSON_INT64, &actor, 1, UINT32_MAX},
		{"moves", JSON_TEXT, &moves, 0, 0},
		{"cube", JSON_MEMBERS, &cube, 0, 0},
	};
	const char *pointer = json_pointer_index(&line->json, "/entries", index);
	if (!json_read_value(&line->json, object, pointer, &as_object) ||
	    !json_read_members(&line->json, object, pointer, MEMBERS(members)))
		return line_explain(line);
	if (revision == 0 || time_ms == INT64_MIN || !moves.bytes == !cube)
		return line_say(line, "an entry needs revision, time_ms, kind, and moves or cube");
	*entry = (struct entry){.time_ms = time_ms,
				.revision = (uint32_t)revision,
				.actor = (uint32_t)actor,
				.restores = restores < 0 ? HISTORY_NONE : (uint32_t)restores,
				.has_turns = !cube};
	if (restores >= revision)
		return line_say(line, "an entry restores one that comes after it");
	if (!read_kind(line, kind, &entry->kind))
		return false;
	if (cube) {
		bool read = read_cube(line, cube, size, &line->cube);
		entry->cube = line->cube;
		return read;
	}
	bool timed = false;
	bool read = read_turns(line, moves, size, &line->turns, &entry->turn_count, &timed);
	entry->turns = line->turns;
	entry->times = timed && entry->turn_count > 0 ? line->times : NULL;
	if (timed && (entry->kind != ENTRY_MOVES || entry->restores != HISTORY_NONE))
		return line_say(line, "only moves have times");
	return read;
}

void line_finish(struct export_line *line)
{
	arena_finish(&line->arena);
	free(line->base);
	free(line->cube);
	free(line->scramble);
	free(line->turns);
	free(line->times);
	free(line->tokens);
	free(line->patterns);
	free(line->receipt.answer);
	free(line->bytes);
	*line = (struct export_line){0};
}
