/* create.c: new sessions: their rows, first tokens and places in the canonical index. */
#include "server/modules/postgres/store/transaction.h"

#include "cube/cube.h"
#include "cube/facts.h"
#include "cube/pack.h"
#include "cube/pattern.h"

#include <stdlib.h>

/* ---- what is made of a write ---- */

static bool is_new(const struct store_write *write)
{
	return write->kind == WRITE_CREATE && write->status == STORE_OK;
}

static struct store_write *first_new(struct store_write *write, const struct transaction *t)
{
	while (write != t->end && !is_new(write))
		write = write->next;
	return write == t->end ? NULL : write;
}

#define FOR_EACH_NEW(t, write)                                                                     \
	for (struct store_write *write = first_new((t)->first, (t)); write != NULL;                \
	     write = first_new(write->next, (t)))

static bool has_more(const struct store_write *write)
{
	const struct session_meta *meta = &write->meta;
	return meta->name[0] != '\0' || write->base != NULL || write->scramble_count > 0 ||
	       meta->updated_ms != meta->created_ms;
}

static int16_t mode_of(const struct store_write *write)
{
	return (int16_t)(session_mode_of(&write->meta) | (has_more(write) ? MODE_MORE : 0));
}

/* Sessions that are not listed are not in the index. */
static bool canonical_of(const struct store_write *write, int32_t *hash)
{
	*hash = 0;
	if (!write->meta.listed)
		return true;
	const int size = write->meta.size;
	const size_t facelets = cube_facelets(size);
	struct cube *solved = write->base != NULL ? NULL : malloc(cube_bytes(size));
	uint8_t *colors = malloc(2 * facelets);
	const bool made = colors != NULL && (write->base != NULL || solved != NULL);
	if (made) {
		if (solved != NULL)
			cube_init(solved, size);
		cube_colors(solved != NULL ? solved : write->base, colors);
		cube_canonical(size, colors, colors + facelets);
		*hash = canonical_hash(cube_colors_hash(size, colors + facelets));
	}
	free(colors);
	free(solved);
	return made;
}

/* An element of an array of bytea; false if out of memory. */
static bool add_base(struct parameters *p, const struct store_write *write)
{
	if (write->base == NULL) {
		parameters_null(p);
		return true;
	}
	const size_t length = cube_packed_bytes(write->meta.size);
	uint8_t *packed = malloc(length);
	if (packed == NULL)
		return false;
	cube_pack(write->base, packed);
	parameters_bytes(p, packed, length);
	free(packed);
	return true;
}

static bool add_scramble(struct parameters *p, const struct store_write *write)
{
	if (write->scramble_count == 0) {
		parameters_null(p);
		return true;
	}
	uint8_t *packed = malloc(write->scramble_count * CUBE_PACKED_TURN_MAX);
	if (packed == NULL)
		return false;
	parameters_bytes(
		p, packed,
		cube_turns_pack(write->scramble, write->scramble_count, write->meta.size, packed));
	free(packed);
	return true;
}

/* ---- the parameters of CREATE ---- */

static void add_ids(const struct transaction *t, struct parameters *p)
{
	parameters_array(p, PG_INT8, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_uint8(p, id_first8(write->meta.id.bytes));
	parameters_array(p, PG_INT2, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_int2(p, id_last2(write->meta.id.bytes));
}

static bool add_rows(const struct transaction *t, struct parameters *p)
{
	bool made = true;
	parameters_array(p, PG_INT8, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_int8(p, write->meta.created_ms);
	parameters_array(p, PG_INT2, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_int2(p, write->meta.size);
	parameters_array(p, PG_INT2, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_int2(p, mode_of(write));
	parameters_array(p, PG_INT4, t->creates);
	FOR_EACH_NEW(t, write)
	{
		int32_t hash;
		made = made && canonical_of(write, &hash);
		parameters_int4(p, made ? hash : 0);
	}
	return made;
}

static bool add_more(const struct transaction *t, struct parameters *p)
{
	bool made = true;
	parameters_array(p, PG_INT8, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_int8_or_null(p, write->meta.updated_ms, write->meta.created_ms);
	parameters_array(p, PG_TEXT, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_text_or_null(p, write->meta.name);
	parameters_array(p, PG_BYTEA, t->creates);
	FOR_EACH_NEW(t, write)
	made = made && add_scramble(p, write);
	parameters_array(p, PG_BYTEA, t->creates);
	FOR_EACH_NEW(t, write)
	made = made && add_base(p, write);
	return made;
}

static void add_tokens(const struct transaction *t, struct parameters *p)
{
	parameters_array(p, PG_INT2, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_int2(p, write->token == NULL ? 0 : write->token->role);
	parameters_array(p, PG_BYTEA, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_bytes(p, write->token == NULL ? NULL : write->token->hash, HASH_BYTES);
	parameters_array(p, PG_INT8, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_int8(p, write->token == NULL ? 0 : write->token->created_ms);
	parameters_array(p, PG_TEXT, t->creates);
	FOR_EACH_NEW(t, write)
	parameters_text_or_null(p, write->token == NULL ? "" : write->token->label);
}

enum failure transaction_create_send(struct transaction *t)
{
	struct parameters *p = &t->parameters;
	parameters_begin(p);
	add_ids(t, p);
	if (!add_rows(t, p) || !add_more(t, p))
		return FAILURE_NO_MEMORY;
	add_tokens(t, p);
	return transaction_send(t, STATEMENT_CREATE, ANSWER_CREATED);
}

/* ---- their keys ---- */

bool transaction_created(struct transaction *t, const PGresult *keys)
{
	int row = 0;
	if (pq.PQntuples(keys) != (int)t->creates)
		return false;
	FOR_EACH_NEW(t, write)
	write->meta.key = result_uint8(keys, row++, 0);
	return true;
}

enum failure transaction_find_created(struct transaction *t, uint64_t until_ns)
{
	PGresult *keys;
	parameters_begin(&t->parameters);
	add_ids(t, &t->parameters);
	enum failure failure =
		pg_run(t->connection, STATEMENT_CREATED, &t->parameters, until_ns, &keys);
	if (failure == FAILURE_NONE && !transaction_created(t, keys))
		failure = FAILURE_OTHER;
	pq.PQclear(keys);
	return failure;
}
