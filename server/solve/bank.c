/* bank.c: the tables that searches read, opened once. */
#include "server/solve/bank.h"

#include <pthread.h>
#include <stdlib.h>

#include "server/util/log.h"
#include "server/util/monotonic.h"

#define ACCOUNTS_MAX 64

/* MISSING is asked again: the file may have been made meanwhile. */
enum account_state { ACCOUNT_CLOSED, ACCOUNT_OPENING, ACCOUNT_OPEN };

struct account {
	const struct cube_solver *solver;
	bool smallest; /* no other than these */
	enum account_state state;
	const struct cube_solver_tables *row;
	struct tables tables;
};

struct bank {
	const char *folder;
	bool large;
	size_t make_bytes_max;
	atomic_bool stop;
	pthread_mutex_t lock;
	pthread_cond_t opened;
	struct account accounts[ACCOUNTS_MAX];
};

struct bank *bank_create(const char *folder, bool large, size_t make_bytes_max)
{
	struct bank *bank = calloc(1, sizeof *bank);
	if (!bank)
		return NULL;
	bank->folder = folder;
	bank->large = large;
	bank->make_bytes_max = make_bytes_max;
	pthread_mutex_init(&bank->lock, NULL);
	pthread_cond_init(&bank->opened, NULL);
	return bank;
}

void bank_destroy(struct bank *bank)
{
	if (!bank)
		return;
	for (size_t i = 0; i < ACCOUNTS_MAX; i++)
		if (bank->accounts[i].state == ACCOUNT_OPEN)
			tables_close(&bank->accounts[i].tables);
	pthread_cond_destroy(&bank->opened);
	pthread_mutex_destroy(&bank->lock);
	free(bank);
}

void bank_stop(struct bank *bank)
{
	atomic_store(&bank->stop, true);
}

/* With the lock. There is room for more methods than the library has. */
static struct account *account_of(struct bank *bank, const struct cube_solver *solver,
				  bool smallest)
{
	/* What can be made is taken anyway, where nobody wants large ones. */
	smallest |= !bank->large && solver->table_count > 0 &&
		    solver->tables[0].bytes <= bank->make_bytes_max;
	for (size_t i = 0; i < ACCOUNTS_MAX; i++) {
		struct account *account = &bank->accounts[i];
		if (!account->solver)
			*account = (struct account){.solver = solver, .smallest = smallest};
		if (account->solver == solver && account->smallest == smallest)
			return account;
	}
	abort();
}

/* ---- opening; without the lock, by the one who set OPENING ---- */

static void log_opened(const struct account *account, enum tables_result result, uint64_t began_ns)
{
	char name[TABLES_NAME_BYTES];
	tables_name(name, (struct tables_id){account->solver, account->row});
	if (account->tables.problem[0])
		log_event(LOG_WARNING, "tables could not be used", LOG_TEXT("tables", name),
			  LOG_TEXT("problem", account->tables.problem));
	if (account->tables.memory)
		log_event(LOG_INFO, result == TABLES_MAPPED ? "tables read" : "tables made",
			  LOG_TEXT("tables", name), LOG_NUMBER("bytes", account->tables.bytes),
			  LOG_NUMBER("ms", (monotonic_ns() - began_ns) / 1000000u));
}

static enum tables_result open_row(const struct bank *bank, struct account *account, size_t row,
				   size_t make_bytes_max)
{
	const uint64_t began_ns = monotonic_ns();
	const struct tables_source source = {
		.folder = bank->folder, .make_bytes_max = make_bytes_max, .stop = &bank->stop};
	account->row = &account->solver->tables[row];
	enum tables_result result = tables_open(
		&account->tables, (struct tables_id){account->solver, account->row}, &source);
	log_opened(account, result, began_ns);
	return result;
}

static enum bank_result open_account(const struct bank *bank, struct account *account)
{
	const size_t count = account->smallest ? 1 : account->solver->table_count;
	enum tables_result result = TABLES_NONE;
	/* Large ones are read, not made; the smallest are made where there is no file. */
	if (bank->large && bank->folder)
		for (size_t row = count; row-- > 0 && result == TABLES_NONE;)
			result = open_row(bank, account, row, row > 0 ? 0 : bank->make_bytes_max);
	else
		for (size_t row = 0; row < count && result == TABLES_NONE; row++)
			result = open_row(bank, account, row, bank->make_bytes_max);
	if (account->tables.memory)
		return BANK_READY;
	return result == TABLES_FAILED ? BANK_NO_MEMORY : BANK_MISSING;
}

static enum bank_result tables_of(struct bank *bank, const struct cube_solver *solver,
				  bool smallest, const void **memory)
{
	enum bank_result result = BANK_READY;
	*memory = NULL;
	if (solver->table_count == 0)
		return BANK_READY;
	pthread_mutex_lock(&bank->lock);
	struct account *account = account_of(bank, solver, smallest);
	while (account->state == ACCOUNT_OPENING)
		pthread_cond_wait(&bank->opened, &bank->lock);
	if (account->state == ACCOUNT_CLOSED) {
		account->state = ACCOUNT_OPENING;
		pthread_mutex_unlock(&bank->lock);
		result = open_account(bank, account);
		pthread_mutex_lock(&bank->lock);
		account->state = result == BANK_READY ? ACCOUNT_OPEN : ACCOUNT_CLOSED;
		pthread_cond_broadcast(&bank->opened);
	}
	*memory = account->tables.memory;
	pthread_mutex_unlock(&bank->lock);
	return result;
}

enum bank_result bank_take(struct bank *bank, const struct cube_solver *solver,
			   struct bank_tables *tables)
{
	*tables = (struct bank_tables){NULL, NULL};
	enum bank_result result =
		solver->base ? tables_of(bank, solver->base, true, &tables->base) : BANK_READY;
	return result == BANK_READY ? tables_of(bank, solver, false, &tables->tables) : result;
}

const struct cube_solver_tables *bank_loaded(struct bank *bank, const struct cube_solver *solver)
{
	pthread_mutex_lock(&bank->lock);
	const struct account *account = account_of(bank, solver, false);
	const struct cube_solver_tables *row = account->state == ACCOUNT_OPEN ? account->row : NULL;
	pthread_mutex_unlock(&bank->lock);
	return row;
}

void bank_warm(struct bank *bank)
{
	for (int size = 3; size >= CUBE_SIZE_MIN; size--) {
		const struct cube_solver *solver = cube_solver_default(size);
		struct bank_tables tables;
		if (solver && bank_take(bank, solver, &tables) != BANK_READY &&
		    !atomic_load(&bank->stop))
			log_event(LOG_WARNING, "a method has no tables",
				  LOG_TEXT("method", solver->name));
	}
}
