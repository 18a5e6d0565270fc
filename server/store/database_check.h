/* database_check.h: checks the sessions of a database while it is scanned, entry by entry, and
 * visits what is sound. What all kinds of databases share. */
#ifndef SERVER_STORE_DATABASE_CHECK_H
#define SERVER_STORE_DATABASE_CHECK_H

#include "server/history/check_history.h"
#include "server/store/database_kind.h"

/* All zero but for the first two members; serves for many sessions. */
struct database_check {
	const struct database_visitor *visitor;
	struct database_counts *counts;
	/* The current session: */
	struct session_id id;
	int size;
	size_t token_count;
	struct history_check check;
	bool known;   /* the state of `check` is that of a revision; false: what follows cannot be
		       * checked */
	bool shown;   /* its entries are visited */
	bool stopped; /* by the visitor */
};

void database_check_finish(struct database_check *check);

/* A finding about the current session: the state of `check` is in doubt from here on. */
void database_check_report(struct database_check *check, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Names the session that follows; nothing of it is known or shown. */
void database_check_next(struct database_check *check, const struct session_meta *meta);
/* Begins with revision 0, and visits the session. */
MUST_USE enum store_status database_check_begin(struct database_check *check,
						const struct database_session *session);
/* Reports missing or repeated entries before a row that begins with entry `first`. */
void database_check_follows(struct database_check *check, int64_t first);
/* Checks packed entries after the state of `check`, at most `most`, and visits them as long as all
 * before were sound. */
MUST_USE enum store_status database_check_entries(struct database_check *check,
						  const uint8_t *bytes, size_t length,
						  int64_t before_ms, size_t most);
/* Compares the snapshot before entry `first` with the state of `check`; if that is not known, the
 * check goes on from the snapshot. */
MUST_USE enum store_status database_check_snapshot(struct database_check *check, uint32_t first,
						   const uint8_t *bytes, size_t length);
/* Visits the end of a session that was shown from its beginning. */
MUST_USE enum store_status database_check_end(struct database_check *check);

/* The state of revision 0. NULL if out of memory. */
MUST_USE struct history *session_first_state(const struct database_session *session);

/* Check what readers do not: texts, packed cubes and moves. STORE_BROKEN if something is wrong. */
MUST_USE enum store_status solve_validate(const struct stored_solve *solve);
MUST_USE enum store_status answer_validate(const struct stored_answer *answer);
/* Returns true if these are the bytes of a text: UTF-8 without a zero. NULL, for no text, is
 * one. */
bool text_validate(const char *text, size_t bytes);

#endif
