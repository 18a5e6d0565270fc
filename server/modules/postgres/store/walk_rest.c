/* walk_rest.c: the rest of a walk: receipts, solves, frames of imported files, answers of solvers;
 * and rows that belong to nothing. */
#include "server/modules/postgres/store/database_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- receipts ---- */

static const char receipts_sql[] = "SELECT full_key, body, created_ms, answer FROM receipt"
				   " WHERE (created_ms, full_key) > ($1::int8, $2::bytea)"
				   " ORDER BY created_ms, full_key LIMIT 256";

MUST_USE static enum store_status visit_receipt(struct walk *walk, const PGresult *rows, int row)
{
	struct receipt receipt = {.created_ms = result_int8(rows, row, 2)};
	size_t key_bytes, body_bytes;
	const uint8_t *key = result_bytes(rows, row, 0, &key_bytes);
	const uint8_t *body = result_bytes(rows, row, 1, &body_bytes);
	receipt.answer = (uint8_t *)(uintptr_t)result_bytes(rows, row, 3, &receipt.answer_bytes);
	if (key_bytes != HASH_BYTES || body_bytes != HASH_BYTES || receipt.answer_bytes == 0) {
		database_report(walk->visitor, walk->counts, NULL, "a receipt is damaged");
		return STORE_OK;
	}
	memcpy(receipt.key, key, HASH_BYTES);
	memcpy(receipt.body, body, HASH_BYTES);
	if (walk->visitor->receipt == NULL)
		return STORE_OK;
	return walk->visitor->receipt(walk->visitor->context, &receipt) ? STORE_OK : STORE_STOPPED;
}

MUST_USE static enum store_status walk_receipts(struct walk *walk)
{
	enum store_status status = STORE_OK;
	PGresult *before = NULL; /* its last row is where the page begins */
	for (int count = 1; count > 0 && status == STORE_OK;) {
		PGresult *rows;
		size_t length = 0;
		const int last = before == NULL ? 0 : pq.PQntuples(before) - 1;
		parameters_begin(&walk->parameters);
		parameters_int8(&walk->parameters,
				before == NULL ? INT64_MIN : result_int8(before, last, 2));
		const uint8_t *key = before == NULL ? NULL : result_bytes(before, last, 0, &length);
		parameters_bytes(&walk->parameters, key == NULL ? "" : (const void *)key, length);
		status = walk_run(walk, receipts_sql, &rows);
		pq.PQclear(before);
		before = NULL;
		if (status != STORE_OK)
			return status;
		count = pq.PQntuples(rows);
		for (int i = 0; i < count && status == STORE_OK; i++)
			status = visit_receipt(walk, rows, i);
		before = rows;
	}
	pq.PQclear(before);
	return status;
}

/* ---- solves, frames, answers: pages by the number in the first column ---- */

static const char solves_sql[] =
	"SELECT v.seq, v.session, v.id8, v.id2, s.id8, s.id2, v.created_ms, v.origin, v.size,"
	" v.clock, v.verified, v.assisted, v.revision, v.actor, v.time_ms, v.penalty_ms, v.event,"
	" v.list, v.list_name, v.base, v.scramble, v.solution, v.comment, v.source, "
	"v.splits, " WALK_GOING
	" FROM (SELECT * FROM solve WHERE seq > $1::int8 ORDER BY seq LIMIT 256) v"
	" LEFT JOIN session s ON s.key = v.session ORDER BY v.seq";
#define SOLVE_GOING 25 /* NULL: no such session, which examining reports */

MUST_USE static enum store_status visit_solve(struct walk *walk, const PGresult *rows, int row)
{
	const struct database_visitor *visitor = walk->visitor;
	struct stored_solve solve;
	struct session_id book;
	if (result_is_null(rows, row, SOLVE_GOING))
		return STORE_OK;
	enum store_status status = pg_solve_read(rows, row, &solve);
	if (status == STORE_OK)
		status = solve_validate(&solve);
	memcpy(book.bytes, solve.book, sizeof(book.bytes));
	walk->counts->solves++;
	if (status == STORE_BROKEN) {
		database_report(visitor, walk->counts, &book, "a solve is damaged");
		return STORE_OK;
	}
	if (status != STORE_OK || visitor->solve == NULL || result_bool(rows, row, SOLVE_GOING))
		return status;
	return visitor->solve(visitor->context, &solve) ? STORE_OK : STORE_STOPPED;
}

static const char frames_sql[] =
	"SELECT f.session, s.id8, s.id2, f.frame, " WALK_GOING " FROM solve_frame f"
	" JOIN session s ON s.key = f.session WHERE f.session > $1::int8"
	" ORDER BY f.session LIMIT 16";

MUST_USE static enum store_status visit_frame(struct walk *walk, const PGresult *rows, int row)
{
	const struct database_visitor *visitor = walk->visitor;
	const uint64_t id8 = result_uint8(rows, row, 1);
	const uint16_t id2 = (uint16_t)result_int2(rows, row, 2);
	struct session_id book;
	for (int i = 0; i < 8; i++)
		book.bytes[i] = (uint8_t)(id8 >> (56 - 8 * i));
	book.bytes[8] = (uint8_t)(id2 >> 8);
	book.bytes[9] = (uint8_t)id2;
	if (visitor->frame == NULL || result_bool(rows, row, 4))
		return STORE_OK;
	return visitor->frame(visitor->context, &book, result_text(rows, row, 3)) ? STORE_OK
										  : STORE_STOPPED;
}

static const char answers_sql[] =
	"SELECT canonical, size, method, colors, moves, created_ms, seq FROM answer"
	" WHERE seq > $1::int8 ORDER BY seq LIMIT 256";

MUST_USE static enum store_status visit_answer(struct walk *walk, const PGresult *rows, int row)
{
	const struct database_visitor *visitor = walk->visitor;
	struct stored_answer answer;
	enum store_status status = pg_answer_read(rows, row, &answer);
	if (status == STORE_OK)
		status = answer_validate(&answer);
	if (status == STORE_BROKEN) {
		database_report(visitor, walk->counts, NULL, "an answer of a solver is damaged");
		return STORE_OK;
	}
	if (status != STORE_OK || visitor->answer == NULL)
		return status;
	return visitor->answer(visitor->context, &answer) ? STORE_OK : STORE_STOPPED;
}

MUST_USE static enum store_status
walk_pages(struct walk *walk, const char *sql, int number,
	   enum store_status (*visit)(struct walk *walk, const PGresult *rows, int row))
{
	enum store_status status = STORE_OK;
	uint64_t after = 0;
	for (int count = 1; count > 0 && status == STORE_OK;) {
		PGresult *rows;
		parameters_begin(&walk->parameters);
		parameters_uint8(&walk->parameters, after);
		status = walk_run(walk, sql, &rows);
		if (status != STORE_OK)
			return status;
		count = pq.PQntuples(rows);
		for (int i = 0; i < count && status == STORE_OK; i++)
			status = visit(walk, rows, i);
		after = count > 0 ? result_uint8(rows, count - 1, number) : after;
		pq.PQclear(rows);
	}
	return status;
}

enum store_status walk_rest(struct walk *walk)
{
	enum store_status status = walk_receipts(walk);
	if (status == STORE_OK)
		status = walk_pages(walk, solves_sql, 0, visit_solve);
	if (status == STORE_OK)
		status = walk_pages(walk, frames_sql, 0, visit_frame);
	if (status == STORE_OK)
		status = walk_pages(walk, answers_sql, 6, visit_answer);
	return status;
}

/* ---- rows of sessions that do not exist ---- */

enum store_status walk_examine(struct walk *walk)
{
	static const struct {
		const char *what, *table;
	} parts[] = {
		{"row of more", "session_more"}, {"token", "token"},
		{"pattern", "pattern"},          {"solve", "solve"},
		{"frame", "solve_frame"},        {"chunk", "history"},
		{"snapshot", "snapshot"},
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		PGresult *rows;
		char sql[160];
		snprintf(sql, sizeof(sql),
			 "SELECT DISTINCT p.session FROM %s p WHERE NOT EXISTS"
			 " (SELECT FROM session s WHERE s.key = p.session)",
			 parts[i].table);
		parameters_begin(&walk->parameters);
		const enum store_status status = walk_run(walk, sql, &rows);
		if (status != STORE_OK) {
			database_report(walk->visitor, walk->counts, NULL,
					"the check ended early: %s", walk->connection.message);
			return status;
		}
		for (int row = 0; row < pq.PQntuples(rows); row++)
			database_report(walk->visitor, walk->counts, NULL,
					"there is a %s of session %" PRId64 ", but no such session",
					parts[i].what, result_int8(rows, row, 0));
		pq.PQclear(rows);
	}
	return STORE_OK;
}
