/* bank.c: the tables that searches read, opened once. */
#include "server/solve/bank.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "server/util/log.h"
#include "server/util/monotonic.h"

#define ACCOUNTS_MAX 64
/* As of nice(1): whoever turns a cube goes first. */
#define PRIORITY 10
/* How often is looked whether to go on waiting. */
#define LOOK_NS 20000000

/* MISSING is asked again: the file may have been made meanwhile. */
enum account_state { ACCOUNT_CLOSED, ACCOUNT_OPENING, ACCOUNT_OPEN };

struct account {
	const struct cube_solver *solver;
	struct bank *bank;
	bool smallest; /* no other than these */
	enum account_state state;
	enum bank_result result; /* of the last opening */
	pthread_t opener;        /* of the last one that had a thread of its own */
	bool has_opener;         /* it is to be joined */
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
	pthread_condattr_t monotonic;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&bank->opened, &monotonic);
	pthread_condattr_destroy(&monotonic);
	return bank;
}

void bank_destroy(struct bank *bank)
{
	if (!bank)
		return;
	for (size_t i = 0; i < ACCOUNTS_MAX; i++) {
		if (bank->accounts[i].has_opener)
			pthread_join(bank->accounts[i].opener, NULL);
		if (bank->accounts[i].state == ACCOUNT_OPEN)
			tables_close(&bank->accounts[i].tables);
	}
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
			*account = (struct account){
				.solver = solver, .bank = bank, .smallest = smallest};
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
	if (atomic_load(&bank->stop))
		return BANK_NOT_YET;
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

/* Without the lock. */
static void open_now(struct account *account)
{
	struct bank *bank = account->bank;
	enum bank_result result = open_account(bank, account);
	pthread_mutex_lock(&bank->lock);
	account->result = result;
	account->state = result == BANK_READY ? ACCOUNT_OPEN : ACCOUNT_CLOSED;
	pthread_cond_broadcast(&bank->opened);
	pthread_mutex_unlock(&bank->lock);
}

static void *opener_main(void *argument)
{
	setpriority(PRIO_PROCESS, (id_t)gettid(), PRIORITY);
	open_now(argument);
	return NULL;
}

/* With the lock. False where there is no thread to be had. */
static bool begin_aside(struct account *account)
{
	if (account->has_opener)
		pthread_join(account->opener, NULL); /* it is at its end */
	account->has_opener = pthread_create(&account->opener, NULL, opener_main, account) == 0;
	account->state = account->has_opener ? ACCOUNT_OPENING : ACCOUNT_CLOSED;
	return account->has_opener;
}

/* With the lock, which is given away meanwhile. */
static void begin_here(struct bank *bank, struct account *account)
{
	account->state = ACCOUNT_OPENING;
	pthread_mutex_unlock(&bank->lock);
	open_now(account);
	pthread_mutex_lock(&bank->lock);
}

/* With the lock. False: for no longer. */
static bool go_on_waiting(struct bank *bank, const struct bank_patience *patience)
{
	if (!patience) {
		pthread_cond_wait(&bank->opened, &bank->lock);
		return true;
	}
	const uint64_t now_ns = monotonic_ns();
	if (now_ns >= patience->due_ns || atomic_load(patience->stop))
		return false;
	const uint64_t until_ns =
		patience->due_ns - now_ns < LOOK_NS ? patience->due_ns : now_ns + LOOK_NS;
	const struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000u),
				       .tv_nsec = (long)(until_ns % 1000000000u)};
	pthread_cond_timedwait(&bank->opened, &bank->lock, &until);
	return true;
}

static enum bank_result tables_of(struct bank *bank, const struct cube_solver *solver,
				  bool smallest, const struct bank_patience *patience,
				  const void **memory)
{
	enum bank_result result;
	*memory = NULL;
	if (solver->table_count == 0)
		return BANK_READY;
	pthread_mutex_lock(&bank->lock);
	struct account *account = account_of(bank, solver, smallest);
	if (account->state == ACCOUNT_CLOSED && (!patience || !begin_aside(account)))
		begin_here(bank, account);
	while (account->state == ACCOUNT_OPENING && go_on_waiting(bank, patience))
		;
	result = account->state == ACCOUNT_OPENING ? BANK_NOT_YET : account->result;
	if (result == BANK_READY)
		*memory = account->tables.memory;
	pthread_mutex_unlock(&bank->lock);
	return result;
}

enum bank_result bank_take(struct bank *bank, const struct cube_solver *solver,
			   const struct bank_patience *patience, struct bank_tables *tables)
{
	*tables = (struct bank_tables){NULL, NULL};
	enum bank_result result =
		solver->base ? tables_of(bank, solver->base, true, patience, &tables->base)
			     : BANK_READY;
	return result == BANK_READY ? tables_of(bank, solver, false, patience, &tables->tables)
				    : result;
}

/* The accounts of a method and of its base, NULL where there are none. With the lock. */
struct needed {
	struct account *account[2];
};
static struct needed needed_by(struct bank *bank, const struct cube_solver *solver)
{
	const struct cube_solver *base = solver->base;
	return (struct needed){{base && base->table_count > 0 ? account_of(bank, base, true) : NULL,
				solver->table_count > 0 ? account_of(bank, solver, false) : NULL}};
}

void bank_begin(struct bank *bank, const struct cube_solver *solver)
{
	pthread_mutex_lock(&bank->lock);
	const struct needed needed = needed_by(bank, solver);
	for (size_t i = 0; i < 2; i++)
		if (needed.account[i] && needed.account[i]->state == ACCOUNT_CLOSED)
			begin_aside(needed.account[i]);
	pthread_mutex_unlock(&bank->lock);
}

bool bank_opening(struct bank *bank, const struct cube_solver *solver)
{
	bool opening = false;
	pthread_mutex_lock(&bank->lock);
	const struct needed needed = needed_by(bank, solver);
	for (size_t i = 0; i < 2; i++)
		opening |= needed.account[i] && needed.account[i]->state == ACCOUNT_OPENING;
	pthread_mutex_unlock(&bank->lock);
	return opening;
}

const struct cube_solver_tables *bank_loaded(struct bank *bank, const struct cube_solver *solver)
{
	pthread_mutex_lock(&bank->lock);
	const struct account *account = account_of(bank, solver, false);
	const struct cube_solver_tables *row = account->state == ACCOUNT_OPEN ? account->row : NULL;
	pthread_mutex_unlock(&bank->lock);
	return row;
}

unsigned bank_openings(struct bank *bank)
{
	unsigned count = 0;
	pthread_mutex_lock(&bank->lock);
	for (size_t i = 0; i < ACCOUNTS_MAX; i++)
		count += bank->accounts[i].state == ACCOUNT_OPENING;
	pthread_mutex_unlock(&bank->lock);
	return count;
}

void bank_warm(struct bank *bank)
{
	for (int size = 3; size >= CUBE_SIZE_MIN; size--) {
		const struct cube_solver *solver = cube_solver_default(size);
		struct bank_tables tables;
		if (solver && bank_take(bank, solver, NULL, &tables) != BANK_READY &&
		    !atomic_load(&bank->stop))
			log_event(LOG_WARNING, "a method has no tables",
				  LOG_TEXT("method", solver->name));
	}
}
