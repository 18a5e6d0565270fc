/* transaction.c: makes a transaction of writes, sends it in one go and reads what became of it. */
#include "server/modules/postgres/store/transaction.h"

#include "server/modules/postgres/store/lane.h"

/* ---- making ---- */

static bool is_alone(const struct store_write *write)
{
	return write_kind_send(write->kind) != NULL;
}

static size_t bytes_of(const struct store_write *write)
{
	return write->packed_bytes + (write->solve_count > 0 ? store_solves_bytes(write) : 0) +
	       (write->receipt == NULL ? 0 : write->receipt->answer_bytes);
}

/* Returns true if the write is in this transaction; its status may have changed. */
static bool add_write(struct transaction *t, struct store_write *write)
{
	write->status = lane_admit(t->lane, write);
	if (write->status != STORE_OK)
		return true;
	if (write->kind == WRITE_CREATE) {
		t->creates++;
	} else {
		switch (runs_add(t->runs, write, &write->status)) {
		case RUN_ADDED:
			break;
		case RUN_REFUSED:
			write->status = STORE_CONFLICT;
			return true;
		case RUN_FAILED:
			t->lane->raise = write->status;
			return true;
		case RUN_LATER:
			return false;
		}
	}
	t->writes++;
	return true;
}

/* Adds what others must know of a write that is alone. */
static void add_change(struct buffer *body, const struct store_write *write)
{
	switch (write->kind) {
	case WRITE_ANSWER:
		break;
	case WRITE_SOLVES:
		change_body_solves(body, write->meta.key);
		break;
	case WRITE_SOLVE_CHANGE:
	case WRITE_SOLVE_DROP:
		change_body_solves(body, write->meta.key);
		change_body_meta(body, write->meta.key);
		break;
	default:
		change_body_meta(body, write->meta.key);
	}
}

/* Solves that come with entries. */
static void add_solves(struct transaction *t)
{
	for (const struct store_write *write = t->first; write != t->end; write = write->next)
		if (write->status == STORE_OK && write->kind == WRITE_APPEND &&
		    (write->solve_count > 0 || write->frame != NULL))
			change_body_solves(&t->body, write->meta.key);
}

enum failure transaction_make(struct transaction *t, struct store_write *chain, uint32_t most)
{
	size_t bytes = 0;
	struct store_write *write = chain;
	t->first = chain;
	t->writes = t->creates = 0;
	t->alone = is_alone(chain);
	runs_begin(t->runs);
	change_body_begin(&t->body);
	if (t->alone) {
		t->end = chain->next;
		chain->status = lane_admit(t->lane, chain);
		t->writes = chain->status == STORE_OK;
		add_change(&t->body, chain);
	} else {
		for (uint32_t i = 0; i < most && write != NULL && !is_alone(write); i++) {
			if (i > 0 && bytes + bytes_of(write) > TRANSACTION_BYTES_MAX)
				break;
			bytes += bytes_of(write);
			if (!add_write(t, write))
				break;
			write = write->next;
		}
		t->end = write;
		runs_sort(t->runs);
		runs_body(t->runs, &t->body);
		add_solves(t);
	}
	return t->body.failed ? FAILURE_NO_MEMORY : FAILURE_NONE;
}

/* ---- sending ---- */

enum failure transaction_send(struct transaction *t, enum statement statement, enum answer answer)
{
	if (t->sent_count == TRANSACTION_STATEMENTS_MAX)
		return FAILURE_OTHER;
	const unsigned at = t->sent_count;
	t->sent[at].statement = statement;
	t->sent[at].answer = answer;
	t->sent[at].result = NULL;
	const enum failure failure =
		pg_send(t->connection, statement, &t->parameters, &t->sent[at].prepares);
	if (failure == FAILURE_NONE)
		t->sent_count++;
	return failure;
}

static enum failure send_change(struct transaction *t, enum statement statement, enum answer answer)
{
	parameters_int4(&t->parameters, t->lane->number);
	parameters_uint8(&t->parameters, t->batch);
	parameters_bytes(&t->parameters, t->body.bytes, t->body.length);
	return transaction_send(t, statement, answer);
}

enum failure transaction_change(struct transaction *t, enum statement statement)
{
	return send_change(t, statement, ANSWER_CHANGE);
}

/* New sessions and entries, together. */
static enum failure send_together(struct transaction *t)
{
	enum failure failure = FAILURE_NONE;
	if (t->creates > 0)
		failure = transaction_create_send(t);
	if (failure == FAILURE_NONE && t->runs->count > 0) {
		runs_parameters(t->runs, &t->parameters);
		failure = send_change(t, STATEMENT_APPEND, ANSWER_APPENDED);
	} else if (failure == FAILURE_NONE) {
		parameters_begin(&t->parameters);
		failure = send_change(t, STATEMENT_CHANGE, ANSWER_CHANGE);
	}
	if (failure == FAILURE_NONE)
		failure = transaction_solves_send(t);
	return failure;
}

static enum failure send_all(struct transaction *t)
{
	enum failure failure = pg_begin_pipeline(t->connection);
	if (failure != FAILURE_NONE)
		return failure;
	if (t->alone)
		failure = write_kind_send(t->first->kind)(t, t->first);
	else
		failure = send_together(t);
	if (failure == FAILURE_NONE)
		failure = transaction_receipts_send(t);
	if (failure == FAILURE_NONE)
		failure = pg_sync(t->connection);
	/* Statements that were sent are not committed without their end. */
	if (failure != FAILURE_NONE)
		pg_close(t->connection);
	return failure;
}

/* ---- answers ---- */

/* The next result; the end is none. */
static enum failure next_result(struct transaction *t, uint64_t until_ns, PGresult **result)
{
	bool end;
	const enum failure failure = pg_next(t->connection, until_ns, result, &end);
	return end ? pg_lose(t->connection, "the server sent fewer results than statements")
		   : failure;
}

/* The end of the pipeline: until it is there nothing is committed, and the commit may fail. */
static enum failure read_end(struct transaction *t, uint64_t until_ns)
{
	enum failure first = FAILURE_NONE;
	for (bool end = false; !end;) {
		PGresult *result;
		const enum failure failure = pg_next(t->connection, until_ns, &result, &end);
		if (result != NULL) {
			pq.PQclear(result);
			return pg_lose(t->connection,
				       "the server sent more results than statements");
		}
		if (failure == FAILURE_LOST)
			return failure;
		if (first == FAILURE_NONE)
			first = failure;
	}
	return first;
}

/* Reads all results; the first error counts. */
static enum failure collect(struct transaction *t, uint64_t until_ns)
{
	enum failure first = FAILURE_NONE;
	for (unsigned i = 0; i < t->sent_count; i++) {
		for (int part = t->sent[i].prepares ? 0 : 1; part < 2; part++) {
			PGresult *result;
			const enum failure failure = next_result(t, until_ns, &result);
			if (failure == FAILURE_LOST)
				return failure;
			if (first == FAILURE_NONE)
				first = failure;
			if (part == 1) {
				t->sent[i].result = result;
				continue;
			}
			if (result != NULL)
				t->connection->prepared[t->sent[i].statement] = true;
			pq.PQclear(result);
		}
	}
	const enum failure ended = read_end(t, until_ns);
	return ended == FAILURE_LOST || first == FAILURE_NONE ? ended : first;
}

static void judge_runs(struct transaction *t, struct int8_array refused)
{
	runs_refuse(t->runs, refused);
	for (struct store_write *write = t->first; write != t->end; write = write->next) {
		if (write->status != STORE_OK || write->kind != WRITE_APPEND)
			continue;
		const struct run *run = runs_find(t->runs, write->meta.key);
		if (run == NULL || run->refused)
			write->status = STORE_CONFLICT;
	}
}

/* A transaction that a caller has made alone has one write; `gone` is a column, or -1. */
static void judge_change(struct transaction *t, const PGresult *result, int gone)
{
	if (!t->alone)
		judge_runs(t, result_int8_array(result, 0, 0));
	else if (!result_is_null(result, 0, 0))
		t->first->status = gone >= 0 && result_bool(result, 0, gone) ? STORE_NOT_FOUND
									     : STORE_CONFLICT;
}

static void note_due(const struct transaction *t, struct int8_array due)
{
	int64_t key;
	while (int8_array_next(&due, &key))
		pg_maintenance_due(t->lane->store, (uint64_t)key);
}

static bool judge(struct transaction *t)
{
	for (unsigned i = 0; i < t->sent_count; i++) {
		const PGresult *result = t->sent[i].result;
		switch (t->sent[i].answer) {
		case ANSWER_NOTHING:
			break;
		case ANSWER_CREATED:
			if (!transaction_created(t, result))
				return false;
			break;
		case ANSWER_APPENDED:
		case ANSWER_CHANGE:
			if (pq.PQntuples(result) != 1)
				return false;
			judge_change(t, result, 1);
			if (t->sent[i].answer == ANSWER_APPENDED)
				note_due(t, result_int8_array(result, 0, 2));
			break;
		}
	}
	return true;
}

enum failure transaction_run(struct transaction *t, uint64_t until_ns)
{
	t->sent_count = 0;
	enum failure failure = send_all(t);
	if (failure == FAILURE_NONE)
		failure = collect(t, until_ns);
	if (pg_is_open(t->connection)) {
		/* If that fails the connection is closed, but the answer is there. */
		const enum failure ended = pg_end_pipeline(t->connection);
		(void)ended;
	}
	/* It is committed, so its row of `change` can be asked for the rest. */
	if (failure == FAILURE_NONE && !judge(t)) {
		pg_close(t->connection);
		failure = FAILURE_LOST;
	}
	for (unsigned i = 0; i < t->sent_count; i++)
		pq.PQclear(t->sent[i].result);
	t->sent_count = 0;
	return failure;
}

enum failure transaction_committed(struct transaction *t, const PGresult *change, uint64_t until_ns)
{
	judge_change(t, change, -1);
	return t->creates > 0 ? transaction_find_created(t, until_ns) : FAILURE_NONE;
}

void transaction_fail(struct transaction *t, enum store_status status)
{
	for (struct store_write *write = t->first; write != t->end; write = write->next)
		if (write->status == STORE_OK)
			write->status = status;
}
