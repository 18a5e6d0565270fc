/* memory_list.c: lists of sessions in the memory store. */
#include "server/store/memory_internal.h"

/* A list of sessions: where it goes on, and the session that is in it though not listed. */
struct list {
	uint64_t own, at;
	bool oldest;   /* first; `at` is the last key, else the next is below it */
	uint32_t left; /* rows */
};

static bool list_ended(const struct memory_space *space, const struct list *list)
{
	return list->oldest ? list->at >= space->keys : list->at <= 1;
}

/* The next key; 0: none, or no row left. */
static uint64_t next_key(struct memory_space *space, struct list *list)
{
	if (!list->oldest && list->at > space->keys)
		list->at = space->keys + 1;
	while (!list_ended(space, list) && list->left > 0) {
		list->at += list->oldest ? 1 : (uint64_t)-1;
		const struct memory_session *session = space->by_key[list->at - 1];
		if (session == NULL)
			continue;
		--list->left;
		if (!session->meta.deleted &&
		    (session->meta.listed || session->meta.key == list->own))
			return list->at;
	}
	return 0;
}

MUST_USE static enum store_status list_visit(struct store_reader *reader, struct list *list,
					     store_visit_session *visit, void *context,
					     uint64_t *next)
{
	bool more = true;
	*next = 0;
	while (more) {
		struct stored_session session = {0};
		lock_acquire(&memory_space_of(reader)->lock);
		uint64_t key = next_key(memory_space_of(reader), list);
		*next = list_ended(memory_space_of(reader), list) ? 0 : list->at;
		if (key == 0) {
			lock_release(&memory_space_of(reader)->lock);
			break;
		}
		enum store_status status =
			memory_read_unlock(reader, memory_find_key(memory_space_of(reader), key),
					   UINT32_MAX, &session.history, &session);
		if (status != STORE_OK)
			return status;
		more = visit(context, &session);
		stored_session_free(&session);
	}
	return STORE_OK;
}

enum store_status memory_reader_list(struct store_reader *reader, uint64_t own, uint64_t before,
				     uint32_t look_at, store_visit_session *visit, void *context,
				     uint64_t *next)
{
	struct list list = {.own = own, .at = before, .left = look_at};
	return list_visit(reader, &list, visit, context, next);
}

enum store_status memory_reader_list_oldest(struct store_reader *reader, uint64_t after,
					    uint32_t look_at, store_visit_session *visit,
					    void *context, uint64_t *next)
{
	struct list list = {.oldest = true, .at = after, .left = look_at};
	return list_visit(reader, &list, visit, context, next);
}

/* Visits all: in memory that is fast enough. */
enum store_status memory_reader_canonical_index(struct store_reader *reader, uint64_t canonical,
						uint64_t own, uint64_t before, uint32_t look_at,
						store_visit_session *visit, void *context,
						uint64_t *next)
{
	(void)canonical;
	return memory_reader_list(reader, own, before, look_at, visit, context, next);
}
