/* core/solve/solve.c: the table of the methods, and tables made, signed and checked. */
#include <assert.h>
#include <string.h>

#include "core/name.h"
#include "core/solve/common/methods.h"
#include "core/solve/common/table_head.h"
#include "cube/solve.h"

/* In the order of cube_solver_at(). */
static const struct cube_solver *const methods[] = {
	&solver_optimal2, &solver_two_phase, &solver_optimal3,
	&solver_fewest,   &solver_beginner2, &solver_beginner,
	&solver_four,     &solver_reduction, &solver_beginner_large,
};
#define METHODS (sizeof(methods) / sizeof(methods[0]))

const struct cube_solver *cube_solver_at(size_t index)
{
	return index < METHODS ? methods[index] : NULL;
}

static bool serves(const struct cube_solver *solver, int size)
{
	return size >= solver->size_min && size <= solver->size_max;
}

const struct cube_solver *cube_solver_find(const char *name, size_t length, int size)
{
	for (size_t i = 0; i < METHODS; i++)
		if (serves(methods[i], size) && name_is(methods[i]->name, name, length))
			return methods[i];
	return NULL;
}

const struct cube_solver *cube_solver_default(int size)
{
	for (size_t i = 0; i < METHODS; i++)
		if (serves(methods[i], size))
			return methods[i];
	return NULL;
}

bool cube_solver_counts(const struct cube_solver *solver, enum cube_solve_metric metric)
{
	return metric == CUBE_SOLVE_HTM || solver->length_max[metric] > 0;
}

/* ---- tables ---- */

#define ORDER_MARK 0x01020304

/* Four sums side by side, each of every fourth word multiplied along: a single word or bit that
 * changed, and words that changed places, make another sum. Finds damage, not forgery. */
static uint64_t checksum_of(const void *bytes, size_t count)
{
	const uint64_t prime = 0x9e3779b97f4a7c15u;
	const uint8_t *at = bytes;
	uint64_t sum[4] = {1, 2, 3, 4}, word[4];
	assert(count % sizeof(word) == 0);
	for (size_t i = 0; i < count; i += sizeof(word)) {
		memcpy(word, at + i, sizeof(word));
		for (int k = 0; k < 4; k++) {
			sum[k] = (sum[k] ^ word[k]) * prime;
			sum[k] ^= sum[k] >> 32;
		}
	}
	for (int k = 1; k < 4; k++)
		sum[0] = (sum[0] ^ sum[k]) * prime;
	return sum[0];
}

static uint64_t checksum_behind(const struct table_head *head, size_t bytes)
{
	return checksum_of(head + 1, bytes - sizeof(*head));
}

void cube_solver_make_begin(const struct cube_solver_tables *tables, void *memory)
{
	struct table_head *head = memory;
	assert((uintptr_t)memory % CUBE_SOLVE_ALIGN == 0);
	memset(head, 0, sizeof(*head));
	/* There may be padding. */
	memset((uint8_t *)memory + tables->bytes - CUBE_SOLVE_ALIGN, 0, CUBE_SOLVE_ALIGN);
	head->magic = tables->magic;
	head->order = ORDER_MARK;
	head->bytes = tables->bytes;
}

void cube_solver_make_end(const struct cube_solver_tables *tables, void *memory)
{
	struct table_head *head = memory;
	head->checksum = checksum_behind(head, tables->bytes);
}

void cube_solver_make(const struct cube_solver_tables *tables, void *memory)
{
	cube_solver_make_begin(tables, memory);
	for (unsigned step = 0; step < tables->steps; step++)
		for (unsigned part = 0; part < tables->parts; part++)
			tables->make(memory, step, part);
	cube_solver_make_end(tables, memory);
}

bool cube_solver_tables_good(const struct cube_solver_tables *tables, const void *memory)
{
	const struct table_head *head = memory;
	return head->magic == tables->magic && head->order == ORDER_MARK &&
	       head->bytes == tables->bytes &&
	       head->checksum == checksum_behind(head, tables->bytes);
}
