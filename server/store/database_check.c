/* database_check.c: replays a history while it is scanned. */
#include "server/store/database_check.h"

#include "cube/cube.h"
#include "cube/pack.h"
#include "server/json/slice.h"
#include "server/util/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void database_check_finish(struct database_check *check)
{
	history_check_finish(&check->check);
}

void database_check_report(struct database_check *check, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	database_vreport(check->visitor, check->counts, &check->id, format, arguments);
	va_end(arguments);
	check->known = check->shown = false;
}

/* ---- sessions ---- */

struct history *session_first_state(const struct database_session *session)
{
	if (session->base)
		return history_create(session->base);
	struct cube *cube = malloc(cube_bytes(session->meta.size));
	if (!cube)
		return NULL;
	cube_init(cube, session->meta.size);
	struct history *history = history_create(cube);
	free(cube);
	return history;
}

void database_check_next(struct database_check *check, const struct session_meta *meta)
{
	check->id = meta->id;
	check->size = meta->size;
	check->token_count = 0;
	check->known = check->shown = false;
}

enum store_status database_check_begin(struct database_check *check,
				       const struct database_session *session)
{
	const struct database_visitor *visitor = check->visitor;
	struct history *history = session_first_state(session);
	if (!history || !history_check_begin(&check->check, history))
		return STORE_NO_MEMORY;
	check->token_count = session->token_count;
	check->known = check->shown = true;
	if (visitor->session)
		check->stopped = !visitor->session(visitor->context, session);
	return check->stopped ? STORE_STOPPED : STORE_OK;
}

enum store_status database_check_end(struct database_check *check)
{
	if (check->visitor->end)
		check->stopped = !check->visitor->end(check->visitor->context);
	return check->stopped ? STORE_STOPPED : STORE_OK;
}

/* ---- entries ---- */

void database_check_follows(struct database_check *check, int64_t first)
{
	if (!check->known)
		return;
	const int64_t expected = (int64_t)check->check.history->revision + 1;
	if (first == expected + 1)
		database_check_report(check, "entry %" PRId64 " is missing", expected);
	else if (first > expected)
		database_check_report(check, "entries %" PRId64 " to %" PRId64 " are missing",
				      expected, first - 1);
	else if (first < expected)
		database_check_report(check,
				      "the chunk of entry %" PRId64 " is not after entry %" PRId64,
				      first, expected - 1);
}

/* Checks an entry, and visits it if all before were sound. */
MUST_USE static enum store_status check_entry(struct database_check *check,
					      const struct entry *entry)
{
	const struct database_visitor *visitor = check->visitor;
	const char *wrong;
	switch (history_check_entry(&check->check, entry, &wrong)) {
	case HISTORY_CHECK_NO_MEMORY:
		return STORE_NO_MEMORY;
	case HISTORY_CHECK_WRONG:
		database_check_report(check, "entry %" PRIu32 ": %s", entry->revision, wrong);
		return STORE_OK;
	case HISTORY_CHECK_SOUND:
		break;
	}
	if (entry->actor > check->token_count) {
		database_check_report(check, "entry %" PRIu32 ": there is no token of its actor",
				      entry->revision);
		return STORE_OK;
	}
	check->counts->entries++;
	if (check->shown && visitor->entry)
		check->stopped = !visitor->entry(visitor->context, check->size, entry);
	return check->stopped ? STORE_STOPPED : STORE_OK;
}

enum store_status database_check_entries(struct database_check *check, const uint8_t *bytes,
					 size_t length, int64_t before_ms, size_t most)
{
	struct entry_reader reader;
	struct entry entry;
	enum store_status status = STORE_OK;
	if (!check->known)
		return STORE_OK;
	entry_reader_init(&reader, check->size, bytes, length, check->check.history->revision + 1,
			  before_ms);
	while (status == STORE_OK && check->known) {
		enum entry_read read = entry_reader_next(&reader, &entry);
		if (read == ENTRY_END)
			break;
		if (read == ENTRY_NO_MEMORY)
			status = STORE_NO_MEMORY;
		else if (read == ENTRY_DAMAGED || most-- == 0)
			database_check_report(check, "entry %" PRIu32 " cannot be read",
					      reader.revision);
		else
			status = check_entry(check, &entry);
	}
	entry_reader_finish(&reader);
	return status;
}

/* ---- snapshots ---- */

MUST_USE static enum store_status begin_again(struct database_check *check, uint32_t first,
					      const uint8_t *bytes, size_t length)
{
	bool damaged;
	struct history *history = history_unpack(check->size, bytes, length, &damaged);
	if (!history && !damaged)
		return STORE_NO_MEMORY;
	if (!history || history->revision + 1 != first) {
		history_destroy(history);
		database_check_report(check, "the snapshot before entry %" PRIu32 " cannot be read",
				      first);
		return STORE_OK;
	}
	if (!history_check_begin(&check->check, history))
		return STORE_NO_MEMORY;
	check->known = true;
	return STORE_OK;
}

MUST_USE static enum store_status compare_snapshot(struct database_check *check,
						   const uint8_t *bytes, size_t length)
{
	const struct history *history = check->check.history;
	size_t packed_bytes = history_packed_bytes(history);
	uint8_t *packed = malloc(packed_bytes);
	if (!packed)
		return STORE_NO_MEMORY;
	history_pack(history, packed);
	if (packed_bytes != length || memcmp(packed, bytes, length) != 0)
		database_check_report(
			check, "the snapshot before entry %" PRIu32 " is not what the entries make",
			history->revision + 1);
	free(packed);
	return STORE_OK;
}

enum store_status database_check_snapshot(struct database_check *check, uint32_t first,
					  const uint8_t *bytes, size_t length)
{
	enum store_status status = STORE_OK;
	if (check->known)
		status = compare_snapshot(check, bytes, length);
	if (status == STORE_OK && !check->known)
		status = begin_again(check, first, bytes, length);
	return status;
}

/* ---- solves ---- */

bool text_validate(const char *text, size_t bytes)
{
	return text == NULL || (strlen(text) == bytes && utf8_valid(text, bytes));
}

static bool text_sound(const char *text)
{
	return text == NULL || utf8_valid(text, strlen(text));
}

/* They are answered as they are stored. */
static bool splits_sound(const char *splits)
{
	struct slice_list list;
	struct span value;
	const char *fault;
	return splits == NULL ||
	       (text_sound(splits) &&
		slice_document((struct span){splits, strlen(splits)}, &value, &fault) &&
		slice_list(value, '[', &list));
}

enum store_status solve_validate(const struct stored_solve *solve)
{
	if (!text_sound(solve->scramble) || !text_sound(solve->solution) ||
	    !text_sound(solve->comment) || !text_sound(solve->list) || !text_sound(solve->source) ||
	    !text_sound(solve->list_name) || !splits_sound(solve->splits))
		return STORE_BROKEN;
	if (solve->base == NULL)
		return STORE_OK;
	struct cube *cube = malloc(cube_bytes(solve->size));
	if (cube == NULL)
		return STORE_NO_MEMORY;
	bool sound = cube_unpack(cube, solve->size, solve->base, solve->base_bytes);
	free(cube);
	return sound ? STORE_OK : STORE_BROKEN;
}

enum store_status answer_validate(const struct stored_answer *answer)
{
	size_t count;
	struct cube_turn *turns = calloc(answer->move_bytes + 1, sizeof(*turns));
	if (turns == NULL)
		return STORE_NO_MEMORY;
	bool sound = cube_turns_unpack(answer->moves, answer->move_bytes, answer->size, turns,
				       answer->move_bytes, &count) &&
		     text_sound(answer->method);
	free(turns);
	return sound ? STORE_OK : STORE_BROKEN;
}
