/* parameters.c: values to PostgreSQL's binary form, and back. */
#include "server/modules/postgres/store/parameters.h"

#include <limits.h>
#include <string.h>

/* ---- parameters ---- */

void parameters_begin(struct parameters *parameters)
{
	parameters->count = 0;
	parameters->elements = 0;
	parameters->bytes.length = 0;
	parameters->bytes.failed = false;
}

void parameters_free(struct parameters *parameters)
{
	buffer_free(&parameters->bytes);
	parameters->count = 0;
}

void put_number(struct buffer *buffer, uint64_t value, size_t length)
{
	uint8_t bytes[8];
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)(value >> (8 * (length - 1 - i)));
	buffer_add(buffer, bytes, length);
}

/* A new plain parameter, whose bytes follow in the buffer if `bytes` is NULL. */
static void add_plain(struct parameters *p, const void *bytes, size_t length, bool null)
{
	if (p->count == PARAMETERS_MAX) {
		p->bytes.failed = true;
		return;
	}
	p->each[p->count++] = (struct parameter){
		.bytes = bytes,
		.offset = p->bytes.length,
		.length = length,
		.null = null,
	};
}

/* An element of the present array; false if there is no array to add to. */
static bool add_element(struct parameters *p, const void *bytes, size_t length, bool null)
{
	if (p->elements == 0)
		return false;
	const size_t before = p->bytes.length;
	p->elements--;
	put_number(&p->bytes, null ? UINT32_MAX : length, 4);
	if (!null)
		buffer_add(&p->bytes, bytes, length);
	p->each[p->count - 1].length += p->bytes.length - before;
	return true;
}

static void add_number(struct parameters *p, uint64_t value, size_t length)
{
	uint8_t bytes[8];
	for (size_t i = 0; i < length; i++)
		bytes[i] = (uint8_t)(value >> (8 * (length - 1 - i)));
	if (add_element(p, bytes, length, false))
		return;
	add_plain(p, NULL, length, false);
	buffer_add(&p->bytes, bytes, length);
}

void parameters_null(struct parameters *p)
{
	if (!add_element(p, NULL, 0, true))
		add_plain(p, NULL, 0, true);
}

void parameters_bool(struct parameters *p, bool value)
{
	add_number(p, value, 1);
}

void parameters_int2(struct parameters *p, int16_t value)
{
	add_number(p, (uint16_t)value, 2);
}

void parameters_int4(struct parameters *p, int32_t value)
{
	add_number(p, (uint32_t)value, 4);
}

void parameters_int8(struct parameters *p, int64_t value)
{
	add_number(p, (uint64_t)value, 8);
}

void parameters_int8_or_null(struct parameters *p, int64_t value, int64_t null)
{
	if (value == null)
		parameters_null(p);
	else
		parameters_int8(p, value);
}

void parameters_bytes(struct parameters *p, const void *bytes, size_t length)
{
	if (bytes == NULL)
		parameters_null(p);
	else if (!add_element(p, bytes, length, false))
		add_plain(p, bytes, length, false);
}

void parameters_text(struct parameters *p, const char *text)
{
	parameters_bytes(p, text, text == NULL ? 0 : strlen(text));
}

void parameters_text_or_null(struct parameters *p, const char *text)
{
	parameters_text(p, text[0] == '\0' ? NULL : text);
}

void parameters_array(struct parameters *p, enum pg_type type, uint32_t count)
{
	const size_t before = p->bytes.length;
	p->elements = 0;
	add_plain(p, NULL, 0, false);
	put_number(&p->bytes, 1, 4); /* dimension */
	put_number(&p->bytes, 1, 4); /* elements may be NULL */
	put_number(&p->bytes, type, 4);
	put_number(&p->bytes, count, 4);
	put_number(&p->bytes, 1, 4); /* index of the first */
	if (p->count > 0)
		p->each[p->count - 1].length = p->bytes.length - before;
	p->elements = count;
}

bool parameters_finish(struct parameters *p)
{
	if (p->bytes.failed)
		return false;
	for (unsigned i = 0; i < p->count; i++) {
		const struct parameter *each = &p->each[i];
		if (each->length > INT_MAX)
			return false;
		p->values[i] = each->null            ? NULL
			       : each->bytes != NULL ? each->bytes
			       : each->length > 0    ? p->bytes.bytes + each->offset
						     : "";
		p->lengths[i] = (int)each->length;
		p->formats[i] = 1;
	}
	return true;
}

/* ---- results ---- */

uint32_t get_uint4(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

uint64_t get_uint8(const uint8_t *at)
{
	return (uint64_t)get_uint4(at) << 32 | get_uint4(at + 4);
}

/* The value if it is not NULL and has this length. */
static const uint8_t *value_of(const PGresult *result, int row, int column, int length)
{
	if (pq.PQgetisnull(result, row, column) || pq.PQgetlength(result, row, column) != length)
		return NULL;
	return (const uint8_t *)pq.PQgetvalue(result, row, column);
}

bool result_is_null(const PGresult *result, int row, int column)
{
	return pq.PQgetisnull(result, row, column);
}

bool result_bool(const PGresult *result, int row, int column)
{
	const uint8_t *value = value_of(result, row, column, 1);
	return value != NULL && value[0] != 0;
}

int16_t result_int2(const PGresult *result, int row, int column)
{
	const uint8_t *value = value_of(result, row, column, 2);
	return (int16_t)(value == NULL ? 0 : value[0] << 8 | value[1]);
}

int32_t result_int4(const PGresult *result, int row, int column)
{
	const uint8_t *value = value_of(result, row, column, 4);
	return value == NULL ? 0 : (int32_t)get_uint4(value);
}

int64_t result_int8(const PGresult *result, int row, int column)
{
	const uint8_t *value = value_of(result, row, column, 8);
	return value == NULL ? 0 : (int64_t)get_uint8(value);
}

const uint8_t *result_bytes(const PGresult *result, int row, int column, size_t *length)
{
	*length = 0;
	if (pq.PQgetisnull(result, row, column))
		return NULL;
	*length = (size_t)pq.PQgetlength(result, row, column);
	return (const uint8_t *)pq.PQgetvalue(result, row, column);
}

const char *result_text(const PGresult *result, int row, int column)
{
	return pq.PQgetisnull(result, row, column) ? NULL : pq.PQgetvalue(result, row, column);
}

/* dimensions, flags, type, then of the dimension its size and first index, then the elements. */
#define ARRAY_HEAD_BYTES 20

struct int8_array result_int8_array(const PGresult *result, int row, int column)
{
	size_t length;
	const uint8_t *bytes = result_bytes(result, row, column, &length);
	if (bytes == NULL || length < ARRAY_HEAD_BYTES || get_uint4(bytes) != 1 ||
	    get_uint4(bytes + 8) != PG_INT8)
		return (struct int8_array){NULL, NULL};
	return (struct int8_array){.at = bytes + ARRAY_HEAD_BYTES, .end = bytes + length};
}

bool int8_array_next(struct int8_array *array, int64_t *value)
{
	while (array->end - array->at >= 4) {
		const uint32_t length = get_uint4(array->at);
		array->at += 4;
		if (length != 8 || array->end - array->at < 8)
			continue; /* a NULL */
		*value = (int64_t)get_uint8(array->at);
		array->at += 8;
		return true;
	}
	return false;
}

bool int8_array_has(struct int8_array array, int64_t value)
{
	int64_t each;
	while (int8_array_next(&array, &each))
		if (each == value)
			return true;
	return false;
}
