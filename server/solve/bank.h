/* bank.h: the tables that searches read: opened once (tables.h), when they are asked for first or
 * before by bank_warm(). Whoever asks meanwhile waits, or gives up: they are made all the same. Any
 * thread. */
#ifndef SERVER_SOLVE_BANK_H
#define SERVER_SOLVE_BANK_H

#include <stdatomic.h>
#include <stdint.h>

#include "server/solve/tables.h"

struct bank;

/* `folder`: of files of tables; NULL: none. `large`: of a method the largest that are in the folder
 * are taken, else the smallest that can be had. Both live as long as the bank. NULL when memory is
 * out. Tables of more than
 * `make_bytes_max` are not made where there is no file. */
struct bank *bank_create(const char *folder, bool large, size_t make_bytes_max);
/* NULL is fine; with no search under way. Waits for what is being opened: see bank_stop. */
void bank_destroy(struct bank *bank);

/* Ends the making of tables soon; what is not open then stays closed. */
void bank_stop(struct bank *bank);

/* Opens what the usual methods of small cubes need, so that nobody waits for it later. */
void bank_warm(struct bank *bank);

enum bank_result { BANK_READY, BANK_MISSING, BANK_NO_MEMORY, BANK_NOT_YET };

/* How long is waited for tables that are not open: until a time of the monotonic clock, or until
 * `stop` becomes true, which is looked at every 20 ms. */
struct bank_patience {
	uint64_t due_ns;
	const atomic_bool *stop;
};

/* How many tables are being opened now, by whatever thread. Does not wait. */
unsigned bank_openings(struct bank *bank);

/* What a search by this method takes: its tables and the smallest ones of its base, NULL where it
 * has none. */
struct bank_tables {
	const void *tables, *base;
};
/* MISSING: they are too large to be made now, and there is no good file. NOT_YET: they are being
 * opened, by a thread of their own, or the bank was stopped before. Without patience (NULL) this one opens them, or waits. */
enum bank_result bank_take(struct bank *bank, const struct cube_solver *solver,
			   const struct bank_patience *patience, struct bank_tables *tables);
/* Has what the method needs and is not open be opened by threads of their own. Does not wait. */
void bank_begin(struct bank *bank, const struct cube_solver *solver);
/* Whether that is being done now. Does not wait. */
bool bank_opening(struct bank *bank, const struct cube_solver *solver);

/* The tables of the method that are open now; NULL: none. Does not wait. */
const struct cube_solver_tables *bank_loaded(struct bank *bank, const struct cube_solver *solver);

#endif
