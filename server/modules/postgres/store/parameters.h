/* parameters.h: the parameters of a statement in binary form, and the values of its result.
 *
 *     parameters_begin(p);
 *     parameters_int8(p, key);                                  $1::int8
 *     parameters_text(p, name);                                 $2::text
 *     parameters_array(p, PG_INT4, 2);                          $3::int4[]
 *     parameters_int4(p, 7);
 *     parameters_int4(p, 8);
 *
 * What follows parameters_array() are its elements until there are as many as it says. Text and
 * bytes of plain parameters are not copied: they must live until the statement is sent. If out of
 * memory, `bytes.failed` is set and sending the statement answers STORE_NO_MEMORY.
 *
 * Give each parameter a type in the SQL ($1::int8), since its binary form depends on it. */
#ifndef SERVER_STORE_POSTGRES_PARAMETERS_H
#define SERVER_STORE_POSTGRES_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

#include "server/modules/postgres/store/libpq.h"
#include "server/util/buffer.h"

#define PARAMETERS_MAX 32

/* Types of elements: their oids in pg_type. */
enum pg_type {
	PG_BOOL = 16,
	PG_BYTEA = 17,
	PG_INT8 = 20,
	PG_INT2 = 21,
	PG_INT4 = 23,
	PG_TEXT = 25,
	PG_UUID = 2950,
};

struct parameter {
	const void *bytes; /* the caller's; NULL: at `offset` of the buffer */
	size_t offset, length;
	bool null;
};

/* All zero is empty. */
struct parameters {
	unsigned count;
	uint32_t elements; /* elements that the last array still expects */
	struct parameter each[PARAMETERS_MAX];
	struct buffer bytes;
	/* As libpq wants them, see parameters_finish(). */
	const char *values[PARAMETERS_MAX];
	int lengths[PARAMETERS_MAX], formats[PARAMETERS_MAX];
};

/* Removes all parameters; keeps the memory. */
void parameters_begin(struct parameters *parameters);
void parameters_free(struct parameters *parameters);

void parameters_null(struct parameters *parameters);
void parameters_bool(struct parameters *parameters, bool value);
void parameters_int2(struct parameters *parameters, int16_t value);
void parameters_int4(struct parameters *parameters, int32_t value);
void parameters_int8(struct parameters *parameters, int64_t value);
/* `null` is SQL's NULL. */
void parameters_int8_or_null(struct parameters *parameters, int64_t value, int64_t null);
/* For numbers whose upper bit means nothing to the database. */
static inline void parameters_uint4(struct parameters *parameters, uint32_t value)
{
	parameters_int4(parameters, (int32_t)value);
}
static inline void parameters_uint8(struct parameters *parameters, uint64_t value)
{
	parameters_int8(parameters, (int64_t)value);
}
/* bytea or uuid; NULL with any length is SQL's NULL. */
void parameters_bytes(struct parameters *parameters, const void *bytes, size_t length);
/* NULL is SQL's NULL. */
void parameters_text(struct parameters *parameters, const char *text);
/* "" is SQL's NULL. */
void parameters_text_or_null(struct parameters *parameters, const char *text);
/* Begins an array of `count` elements. */
void parameters_array(struct parameters *parameters, enum pg_type type, uint32_t count);

/* Sets values, lengths and formats. False if out of memory, or if parameters are too long for
 * PostgreSQL. */
MUST_USE bool parameters_finish(struct parameters *parameters);

/* ---- results ---- */

/* A NULL, and a value of another length, is 0. */
int16_t result_int2(const PGresult *result, int row, int column);
int32_t result_int4(const PGresult *result, int row, int column);
int64_t result_int8(const PGresult *result, int row, int column);
bool result_bool(const PGresult *result, int row, int column);
bool result_is_null(const PGresult *result, int row, int column);
static inline uint64_t result_uint8(const PGresult *result, int row, int column)
{
	return (uint64_t)result_int8(result, row, column);
}
static inline uint32_t result_uint4(const PGresult *result, int row, int column)
{
	return (uint32_t)result_int4(result, row, column);
}
/* bytea or uuid, the result's; NULL if it is NULL. */
const uint8_t *result_bytes(const PGresult *result, int row, int column, size_t *length);
/* text, NUL-terminated, the result's; NULL if it is NULL. */
const char *result_text(const PGresult *result, int row, int column);

/* The elements of an int8[]; those that are NULL are left out. Nothing if it is NULL. */
struct int8_array {
	const uint8_t *at, *end;
};
struct int8_array result_int8_array(const PGresult *result, int row, int column);
/* False at the end. */
MUST_USE bool int8_array_next(struct int8_array *array, int64_t *value);
bool int8_array_has(struct int8_array array, int64_t value);

/* Big-endian numbers in memory, as PostgreSQL sends them. */
uint32_t get_uint4(const uint8_t *at);
uint64_t get_uint8(const uint8_t *at);
/* Adds the lowest `length` bytes of a number, at most 8, in that order. */
void put_number(struct buffer *buffer, uint64_t value, size_t length);

#endif
