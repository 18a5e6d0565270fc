/* reader_entries.c: the entries of a session, read in pages: a long history is never in memory as a
 * whole. */
#include "cube/size.h"
#include "server/modules/postgres/store/postgres_internal.h"

#include "server/store/chunk.h"

/* The position of a read of entries. */
struct position {
	uint64_t key;
	int size;
	uint32_t next;     /* revision of the next packed entry */
	int64_t before_ms; /* time of the entry before it */
	uint32_t from;     /* revision of the next entry to visit */
	bool stop;
};

static void ask(struct postgres_reader *reader, uint64_t key)
{
	parameters_begin(&reader->parameters);
	parameters_uint8(&reader->parameters, key);
}

/* The size, and the time at which the snapshot was made. */
MUST_USE static enum store_status begin_at_row(const PGresult *result, struct position *position)
{
	size_t bytes;
	bool damaged = false;
	const uint8_t *state = result_bytes(result, 0, 3, &bytes);
	position->size = result_int2(result, 0, 0);
	position->before_ms = result_int8(result, 0, 1);
	position->next = 1;
	if (!cube_size_valid(position->size))
		return STORE_BROKEN;
	if (state == NULL)
		return STORE_OK;
	struct history *history = history_unpack(position->size, state, bytes, &damaged);
	if (history == NULL)
		return damaged ? STORE_BROKEN : STORE_NO_MEMORY;
	position->next = result_uint4(result, 0, 2);
	position->before_ms = history->updated_ms;
	damaged = history->revision + 1 != position->next;
	history_destroy(history);
	return damaged ? STORE_BROKEN : STORE_OK;
}

MUST_USE static enum store_status begin(struct postgres_reader *reader, struct position *position)
{
	PGresult *result;
	ask(reader, position->key);
	parameters_uint4(&reader->parameters,
			 position->from < INT32_MAX ? position->from : INT32_MAX);
	enum store_status status = pg_reader_run(reader, STATEMENT_ENTRIES_BEGIN, &result);
	if (status != STORE_OK)
		return status;
	status = pq.PQntuples(result) == 0 ? STORE_NOT_FOUND : begin_at_row(result, position);
	pq.PQclear(result);
	return status;
}

MUST_USE static enum store_status visit_packed(struct position *position, const uint8_t *bytes,
					       size_t length, store_visit_entry *visit,
					       void *context)
{
	struct entry_reader reader;
	struct entry entry;
	enum entry_read result = ENTRY_END;
	entry_reader_init(&reader, position->size, bytes, length, position->next,
			  position->before_ms);
	while (!position->stop && (result = entry_reader_next(&reader, &entry)) == ENTRY_READ) {
		if (entry.revision < position->from)
			continue;
		position->from = entry.revision + 1;
		position->stop = !visit(context, &entry);
	}
	position->next = reader.revision;
	position->before_ms = reader.before_ms;
	entry_reader_finish(&reader);
	return position->stop ? STORE_OK : chunk_status(result);
}

/* A page of the history. *any: there was one. */
MUST_USE static enum store_status visit_page(struct postgres_reader *reader,
					     struct position *position, store_visit_entry *visit,
					     void *context, bool *any)
{
	PGresult *result;
	ask(reader, position->key);
	parameters_uint4(&reader->parameters, position->next);
	enum store_status status = pg_reader_run(reader, STATEMENT_ENTRIES, &result);
	*any = false;
	if (status != STORE_OK)
		return status;
	const int rows = pq.PQntuples(result);
	*any = rows > 0;
	for (int i = 0; i < rows && status == STORE_OK && !position->stop; i++) {
		size_t bytes;
		const uint8_t *entries = result_bytes(result, i, 1, &bytes);
		status = entries == NULL || result_uint4(result, i, 0) != position->next
				 ? STORE_BROKEN
				 : visit_packed(position, entries, bytes, visit, context);
	}
	pq.PQclear(result);
	return status;
}

/* The newest entries, unless they went into the history meanwhile: then there is another page. */
MUST_USE static enum store_status visit_tail(struct postgres_reader *reader,
					     struct position *position, store_visit_entry *visit,
					     void *context)
{
	PGresult *result;
	ask(reader, position->key);
	enum store_status status = pg_reader_run(reader, STATEMENT_ENTRIES_TAIL, &result);
	if (status != STORE_OK)
		return status;
	if (pq.PQntuples(result) == 0) {
		status = STORE_NOT_FOUND;
	} else if (result_uint4(result, 0, 0) + 1 < position->next) {
		status = STORE_BROKEN;
	} else if (result_uint4(result, 0, 0) + 1 == position->next) {
		size_t bytes;
		const uint8_t *tail = result_bytes(result, 0, 1, &bytes);
		status = visit_packed(position, tail, bytes, visit, context);
		position->stop = true;
	}
	pq.PQclear(result);
	return status;
}

enum store_status pg_reader_entries(struct store_reader *base, uint64_t key, uint32_t after,
				    store_visit_entry *visit, void *context)
{
	struct postgres_reader *reader = (struct postgres_reader *)base;
	struct position position = {.key = key, .from = after + 1};
	position.stop = after == UINT32_MAX;
	if (key > INT64_MAX)
		return STORE_NOT_FOUND;
	enum store_status status = begin(reader, &position);
	bool any, moved = false; /* the tail went into the history: there is a page */
	while (status == STORE_OK && !position.stop) {
		status = visit_page(reader, &position, visit, context, &any);
		if (status != STORE_OK || any || position.stop) {
			moved = false;
			continue;
		}
		if (moved)
			return STORE_BROKEN; /* rows are missing */
		status = visit_tail(reader, &position, visit, context);
		moved = true;
	}
	return status;
}
