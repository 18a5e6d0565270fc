/* write_solves.c: solves and the answers of solvers, written. */
#include "cube/size.h"
#include "server/modules/postgres/store/lane.h"
#include "server/modules/postgres/store/reader.h"

/* Solves of one write, or of all those of a transaction that bring some with CREATE and APPEND. */
struct solves {
	const struct store_write *first, *end; /* `end` is not included */
	uint32_t count;
};

/* The next write that is sent, from this one on; some of a transaction may have failed before. */
static const struct store_write *next_sent(const struct store_write *write,
					   const struct store_write *end)
{
	while (write != end && write->status != STORE_OK)
		write = write->next;
	return write;
}

#define EACH_SENT(w, solves)                                                                       \
	const struct store_write *w = next_sent((solves)->first, (solves)->end);                   \
	w != (solves)->end;                                                                        \
	w = next_sent(w->next, (solves)->end)

typedef void add_column(struct parameters *parameters, const struct stored_solve *solve);

/* NULL for the most common value. */
static void add_uint4(struct parameters *p, uint32_t value)
{
	if (value == 0)
		parameters_null(p);
	else
		parameters_uint4(p, value);
}

static void add_int2(struct parameters *p, int16_t value)
{
	if (value == 0)
		parameters_null(p);
	else
		parameters_int2(p, value);
}

static const char *event_text(const struct stored_solve *solve)
{
	return solve->event == EVENT_USUAL ? NULL : solve_events[solve->event].id;
}

static void add_id8(struct parameters *p, const struct stored_solve *solve)
{
	parameters_uint8(p, id_first8(solve->id));
}

static void add_id2(struct parameters *p, const struct stored_solve *solve)
{
	parameters_int2(p, id_last2(solve->id));
}

static void add_created(struct parameters *p, const struct stored_solve *solve)
{
	parameters_int8(p, solve->created_ms);
}

static void add_time(struct parameters *p, const struct stored_solve *solve)
{
	parameters_int8_or_null(p, solve->time_ms, SOLVE_UNTIMED);
}

static void add_penalty(struct parameters *p, const struct stored_solve *solve)
{
	parameters_int8_or_null(p, solve->penalty_ms, 0);
}

static void add_revision(struct parameters *p, const struct stored_solve *solve)
{
	add_uint4(p, solve->revision);
}

static void add_actor(struct parameters *p, const struct stored_solve *solve)
{
	add_uint4(p, solve->actor);
}

static void add_origin(struct parameters *p, const struct stored_solve *solve)
{
	parameters_int2(p, solve->origin);
}

static void add_size(struct parameters *p, const struct stored_solve *solve)
{
	add_int2(p, solve->size);
}

static void add_clock(struct parameters *p, const struct stored_solve *solve)
{
	add_int2(p, solve->clock);
}

static void add_verified(struct parameters *p, const struct stored_solve *solve)
{
	parameters_bool(p, solve->verified);
}

static void add_assisted(struct parameters *p, const struct stored_solve *solve)
{
	parameters_bool(p, solve->assisted);
}

static void add_event(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, event_text(solve));
}

static void add_base(struct parameters *p, const struct stored_solve *solve)
{
	parameters_bytes(p, solve->base, solve->base_bytes);
}

static void add_scramble(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, solve->scramble);
}

static void add_solution(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, solve->solution);
}

static void add_comment(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, solve->comment);
}

static void add_list(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, solve->list);
}

static void add_list_name(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, solve->list_name);
}

static void add_source(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, solve->source);
}

static void add_splits(struct parameters *p, const struct stored_solve *solve)
{
	parameters_text(p, solve->splits);
}

/* As in SOLVE_VALUES. */
static const struct {
	add_column *add;
	enum pg_type type;
} columns[] = {
	{add_id8, PG_INT8},       {add_id2, PG_INT2},      {add_created, PG_INT8},
	{add_time, PG_INT8},      {add_penalty, PG_INT8},  {add_revision, PG_INT4},
	{add_actor, PG_INT4},     {add_origin, PG_INT2},   {add_size, PG_INT2},
	{add_clock, PG_INT2},     {add_verified, PG_BOOL}, {add_assisted, PG_BOOL},
	{add_event, PG_TEXT},     {add_base, PG_BYTEA},    {add_scramble, PG_TEXT},
	{add_solution, PG_TEXT},  {add_comment, PG_TEXT},  {add_list, PG_TEXT},
	{add_list_name, PG_TEXT}, {add_source, PG_TEXT},   {add_splits, PG_TEXT},
};

void pg_solve_add(struct parameters *p, const struct stored_solve *solve)
{
	for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++)
		columns[c].add(p, solve);
}

static void solve_arrays(struct parameters *p, const struct solves *solves)
{
	for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++) {
		parameters_array(p, columns[c].type, solves->count);
		for (EACH_SENT(w, solves))
			for (size_t i = 0; i < w->solve_count; i++)
				columns[c].add(p, &w->solves[i]);
	}
}

/* ---- kinds of writes ---- */

enum failure solves_send(struct transaction *transaction, const struct store_write *write)
{
	struct parameters *p = &transaction->parameters;
	const struct solves solves = {write, write->next, (uint32_t)write->solve_count};
	parameters_begin(p);
	parameters_uint8(p, write->meta.key);
	parameters_uint4(p, write->meta.version);
	parameters_text(p, write->frame);
	solve_arrays(p, &solves);
	return transaction_change(transaction, STATEMENT_SOLVES);
}

/* Begins with the session, as the writer knew it, and the solve. */
static struct parameters *begin_changed(struct transaction *transaction,
					const struct store_write *write)
{
	struct parameters *p = &transaction->parameters;
	parameters_begin(p);
	parameters_uint8(p, write->meta.key);
	parameters_uint4(p, write->meta.version);
	parameters_uint8(p, write->solves[0].seq);
	return p;
}

enum failure solve_change_send(struct transaction *transaction, const struct store_write *write)
{
	const struct stored_solve *solve = &write->solves[0];
	struct parameters *p = begin_changed(transaction, write);
	add_penalty(p, solve);
	add_comment(p, solve);
	add_source(p, solve);
	add_solution(p, solve);
	add_clock(p, solve);
	add_time(p, solve);
	add_assisted(p, solve);
	add_event(p, solve);
	add_list(p, solve);
	add_list_name(p, solve);
	return transaction_change(transaction, STATEMENT_SOLVE_CHANGE);
}

enum failure solve_drop_send(struct transaction *transaction, const struct store_write *write)
{
	begin_changed(transaction, write);
	return transaction_change(transaction, STATEMENT_SOLVE_DROP);
}

enum failure answer_send(struct transaction *transaction, const struct store_write *write)
{
	const struct stored_answer *answer = write->answer;
	struct parameters *p = &transaction->parameters;
	parameters_begin(p);
	parameters_uint8(p, answer->canonical);
	parameters_int2(p, answer->size);
	parameters_text(p, answer->method);
	parameters_bytes(p, answer->colors, cube_facelets(answer->size));
	/* No moves: no bytes, but not NULL. */
	parameters_bytes(p, answer->move_bytes > 0 ? (const void *)answer->moves : "",
			 answer->move_bytes);
	parameters_int8(p, answer->created_ms);
	return transaction_change(transaction, STATEMENT_ANSWER_PUT);
}

/* ---- with CREATE and APPEND ---- */

/* The key of the session, if it has one yet. */
static uint64_t key_of(const struct store_write *write)
{
	return write->kind == WRITE_CREATE ? 0 : write->meta.key;
}

static void begin_added(struct transaction *transaction)
{
	parameters_begin(&transaction->parameters);
	parameters_int4(&transaction->parameters, transaction->lane->number);
	parameters_uint8(&transaction->parameters, transaction->batch);
}

MUST_USE static enum failure send_added(struct transaction *transaction,
					const struct solves *solves)
{
	struct parameters *p = &transaction->parameters;
	begin_added(transaction);
	parameters_array(p, PG_INT8, solves->count);
	for (EACH_SENT(w, solves))
		for (size_t i = 0; i < w->solve_count; i++)
			parameters_uint8(p, key_of(w));
	solve_arrays(p, solves);
	parameters_array(p, PG_INT8, solves->count);
	for (EACH_SENT(w, solves))
		for (size_t i = 0; i < w->solve_count; i++)
			parameters_uint8(p, id_first8(w->meta.id.bytes));
	parameters_array(p, PG_INT2, solves->count);
	for (EACH_SENT(w, solves))
		for (size_t i = 0; i < w->solve_count; i++)
			parameters_int2(p, id_last2(w->meta.id.bytes));
	return transaction_send(transaction, STATEMENT_SOLVES_ADDED, ANSWER_NOTHING);
}

MUST_USE static enum failure send_frames(struct transaction *transaction,
					 const struct solves *solves, uint32_t count)
{
	struct parameters *p = &transaction->parameters;
	begin_added(transaction);
	parameters_array(p, PG_INT8, count);
	for (EACH_SENT(w, solves))
		if (w->frame != NULL)
			parameters_uint8(p, key_of(w));
	parameters_array(p, PG_INT8, count);
	for (EACH_SENT(w, solves))
		if (w->frame != NULL)
			parameters_uint8(p, id_first8(w->meta.id.bytes));
	parameters_array(p, PG_INT2, count);
	for (EACH_SENT(w, solves))
		if (w->frame != NULL)
			parameters_int2(p, id_last2(w->meta.id.bytes));
	parameters_array(p, PG_TEXT, count);
	for (EACH_SENT(w, solves))
		if (w->frame != NULL)
			parameters_text(p, w->frame);
	return transaction_send(transaction, STATEMENT_FRAMES_ADDED, ANSWER_NOTHING);
}

enum failure transaction_solves_send(struct transaction *transaction)
{
	struct solves solves = {transaction->first, transaction->end, 0};
	uint32_t frames = 0;
	for (EACH_SENT(w, &solves)) {
		solves.count += (uint32_t)w->solve_count;
		frames += w->frame != NULL;
	}
	enum failure failure = FAILURE_NONE;
	if (solves.count > 0)
		failure = send_added(transaction, &solves);
	if (failure == FAILURE_NONE && frames > 0)
		failure = send_frames(transaction, &solves, frames);
	return failure;
}
