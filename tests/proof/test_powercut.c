/* test_powercut.c: the sqlite store, its writer thread and all, over a disk that loses power at random.
 *
 *     test_powercut [CUTS [SEED]]
 *
 * A database lives for some cuts. Between two of them it is opened, compared with the model, written to,
 * compacted, checkpointed, sometimes closed, until the power fails at a change that the seed chose. In
 * the controls the store runs with synchronous=NORMAL, and on a disk whose syncs do nothing:
 * the same comparison must find losses there. */
#include "server/store/sqlite/sqlite_internal.h"
#include "server/util/monotonic.h"
#include "server/util/log.h"
#include "tests/proof/disk_image.h"
#include "tests/proof/powercut_vfs.h"
#include "tests/proof/stepped_writer.h"
#include "tests/proof/powercut_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define CUTS_PER_DATABASE 12
#define STEPS 60 /* of work at most before the database is closed */
#define SHOWN 5

enum mode { MODE_FULL, MODE_NORMAL, MODE_LYING };

enum phase { PHASE_OPEN, PHASE_WRITE, PHASE_FOLD, PHASE_CHECKPOINT, PHASE_CLOSE, PHASES };
static const char *const phase_names[PHASES] = {"opening", "committing", "folding", "checkpointing",
						"closing"};

struct run {
	enum mode mode;
	uint64_t random;
	struct powercut_model model;
	enum phase phase;
	int factor; /* the log looks so many times longer to the store: see look_longer */
	uint64_t cuts, lost, wrong, answered, refused, chunks;
	uint64_t by_phase[PHASES];
};

static char folder[64], location[128], database[128];

static uint64_t draw(struct run *run, uint64_t below)
{
	return image_random(&run->random, below);
}

/* Checkpoints come after 1,000 pages; a cut comes sooner. */
static int longer;
static int look_longer(void *store, sqlite3 *db, const char *name, int frames)
{
	return checkpoint_committed_hook(store, db, name, frames * longer);
}

static struct sqlite_store *open_store(struct run *run)
{
	struct error error = {0};
	struct store_options options = {
		.committed = powercut_model_committed,
		.context = &run->model,
		.queue_max = 1000,
		.now_ms = monotonic_ms,
	};
	stepped_writer_hold();
	struct sqlite_store *store = (struct sqlite_store *)store_open(location, &options, &error);
	if (store == NULL) {
		if (!image_dead() && run->refused++ < SHOWN && run->mode == MODE_FULL)
			printf("cannot open after a cut: %s\n", error.text);
		return NULL;
	}
	stepped_writer_wait();
	static const int factors[] = {1, 20, 60, 2000};
	longer = factors[draw(run, 4)];
	sqlite3_wal_hook(store->writer.db, look_longer, store);
	if (run->mode == MODE_NORMAL &&
	    connection_value(&store->writer, "PRAGMA synchronous=NORMAL", NULL) != SQLITE_OK) {
		printf("the mode cannot be set\n");
		return NULL;
	}
	image_lie(run->mode == MODE_LYING);
	return store;
}

static void compare(struct run *run, struct sqlite_store *store, struct store_reader *reader)
{
	char why[256];
	enum verdict verdict =
		powercut_model_check(&run->model, &store->store, reader, why, sizeof(why));
	run->lost += verdict == VERDICT_LOST;
	run->wrong += verdict == VERDICT_WRONG;
	bool odd = run->mode == MODE_FULL ? verdict != VERDICT_WELL
					  : run->mode == MODE_NORMAL && verdict == VERDICT_WRONG;
	if (odd && run->wrong + (run->mode == MODE_FULL ? run->lost : 0) <= SHOWN)
		printf("after cut %llu: %s\n", (unsigned long long)run->cuts, why);
}

/* One step of work. False where a write was refused while the power was on. */
static bool ctx(struct run *run, struct sqlite_store *store)
{
	uint64_t choice = draw(run, 10);
	if (choice < 7) {
		run->phase = PHASE_WRITE;
		powercut_model_submit(&run->model, &store->store);
		stepped_writer_step();
		return powercut_model_settle(&run->model) || image_dead();
	}
	run->phase = PHASE_FOLD;
	stepped_writer_advance_ms(choice == 9 ? 2000 : 150);
	for (uint64_t turns = 1 + draw(run, 3); turns > 0 && !image_dead(); turns--)
		stepped_writer_step();
	return atomic_load(&store->health) == STORE_OK || image_dead();
}

/* From one start to the next. */
static void live(struct run *run)
{
	static const uint64_t spans[] = {8, 25, 60, 400};
	image_arm(1 + draw(run, spans[draw(run, 4)]));
	run->phase = PHASE_OPEN;
	struct sqlite_store *store = open_store(run);
	if (store == NULL)
		return;
	struct store_reader *reader = store->store.operations->reader_create(&store->store);
	if (reader != NULL)
		compare(run, store, reader);
	else if (!image_dead())
		run->refused++;
	if (reader != NULL && draw(run, 2) == 0) {
		store->store.operations->reader_destroy(reader);
		reader = NULL;
	}
	for (uint64_t steps = draw(run, draw(run, 4) == 0 ? 3 : STEPS); steps > 0 && !image_dead();
	     steps--) {
		if (!ctx(run, store)) {
			run->refused++;
			break;
		}
	}
	if (!image_dead()) {
		run->phase = PHASE_CLOSE;
		if (draw(run, 2) == 0)
			image_arm(1 + draw(run, 12));
	}
	if (reader != NULL)
		store->store.operations->reader_destroy(reader);
	stepped_writer_release();
	store->store.operations->close(&store->store);
}

static void count_cut(struct run *run)
{
	const char *file = image_dead_file();
	size_t length = file == NULL ? 0 : strlen(file);
	bool main_file = length > 3 && strcmp(file + length - 3, ".db") == 0;
	if (main_file && (run->phase == PHASE_WRITE || run->phase == PHASE_FOLD))
		run->phase = PHASE_CHECKPOINT;
	run->by_phase[run->phase]++;
	run->cuts++;
}

static void run_cuts(struct run *run, uint64_t cuts, uint64_t seed)
{
	run->random = seed;
	while (run->cuts < cuts) {
		powercut_model_init(&run->model, draw(run, UINT64_MAX));
		image_format();
		uint64_t last = run->cuts + CUTS_PER_DATABASE;
		uint64_t trouble = run->wrong + run->refused;
		while (run->cuts < last && run->wrong + run->refused == trouble) {
			live(run);
			if (image_dead()) {
				count_cut(run);
				image_reboot(draw(run, UINT64_MAX));
			}
		}
		run->answered += run->model.answered;
		powercut_model_finish(&run->model);
	}
	image_format();
}

static double seconds(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int passed, failed;

static void check(bool well, const char *what)
{
	passed += well;
	failed += !well;
	if (!well)
		printf("FAILED %s\n", what);
}

static void full(uint64_t cuts, uint64_t seed)
{
	static struct run run;
	double begin = seconds();
	run = (struct run){.mode = MODE_FULL};
	run_cuts(&run, cuts, seed);
	printf("synchronous=FULL: %llu cuts, %llu writes answered, %llu cuts lost something, "
	       "%llu left something wrong; %.0f cuts a second\n",
	       (unsigned long long)run.cuts, (unsigned long long)run.answered,
	       (unsigned long long)run.lost, (unsigned long long)run.wrong,
	       (double)run.cuts / (seconds() - begin));
	for (int i = 0; i < PHASES; i++) {
		printf("  while %s: %llu\n", phase_names[i], (unsigned long long)run.by_phase[i]);
		check(run.by_phase[i] >= cuts / 200, "cuts in every kind of work");
	}
	check(run.lost == 0, "nothing that was answered is lost");
	check(run.wrong == 0, "nothing is twice, half or in another order");
	check(run.refused == 0, "the store opens and writes after every cut");
}

static void controls(uint64_t cuts, uint64_t seed)
{
	static struct run run;
	run = (struct run){.mode = MODE_NORMAL};
	run_cuts(&run, cuts > 100 ? cuts : 100, seed);
	printf("control, synchronous=NORMAL: of %llu cuts %llu lost something, %llu left something "
	       "wrong\n",
	       (unsigned long long)run.cuts, (unsigned long long)run.lost,
	       (unsigned long long)run.wrong);
	/* About one cut in four; few hundred cuts scatter, and a start, which syncs, is among them. */
	check(run.lost >= (cuts >= 400 ? cuts / 10 : 1),
	      "without a sync at commit, losses are seen");
	check(run.wrong == 0 && run.refused == 0, "and nothing else");
	run = (struct run){.mode = MODE_LYING};
	run_cuts(&run, cuts / 4 > 100 ? cuts / 4 : 100, seed);
	printf("control, syncs that do nothing: of %llu cuts %llu lost something, %llu left "
	       "something "
	       "wrong or closed\n",
	       (unsigned long long)run.cuts, (unsigned long long)run.lost,
	       (unsigned long long)(run.wrong + run.refused));
	/* About one in five. */
	check(run.lost + run.wrong + run.refused > run.cuts / 50, "losses are seen there too");
	if (cuts >= 400) /* it takes luck */
		check(run.wrong + run.refused > 0, "damage is seen");
}

/* ---- when the log is copied into the database ---- */

#define TICK_MS 250

/* One tick of the clock, with a write or without, and all background work that is due then. */
static void tick(struct run *run, struct sqlite_store *store, bool writes)
{
	stepped_writer_advance_ms(TICK_MS);
	if (writes)
		powercut_model_submit(&run->model, &store->store);
	for (int turns = 0; turns < 6; turns++)
		stepped_writer_step();
	if (writes)
		check(powercut_model_settle(&run->model), "a write is kept");
}

/* Returns the number of ticks until the log is copied; `most` if it is not. */
static int ticks_until_copied(struct run *run, struct sqlite_store *store, bool writes, int most)
{
	const int64_t tried = store->checkpoint_ms;
	for (int ticks = 1; ticks <= most; ticks++) {
		tick(run, store, writes);
		if (store->checkpoint_ms != tried)
			return ticks;
	}
	return most;
}

/* A second after the last write, and after 30 seconds if the writes never pause for as long. */
static void ages(void)
{
	static struct run run;
	run = (struct run){.mode = MODE_FULL};
	powercut_model_init(&run.model, 1);
	image_format();
	struct sqlite_store *store = open_store(&run);
	check(store != NULL, "a store on an empty disk");
	if (store == NULL)
		return;
	longer = 0; /* the log never looks long */
	tick(&run, store, true);
	const int busy = ticks_until_copied(&run, store, true, 400);
	printf("the log is copied %d ms after the first write of many", busy * TICK_MS);
	check(busy * TICK_MS >= 29000 && busy * TICK_MS <= 31000,
	      "a busy log is copied after 30 seconds");
	tick(&run, store, true);
	check(store->wal_only, "the log has something to copy");
	const int idle = ticks_until_copied(&run, store, false, 400);
	printf(", %d ms after the last\n", idle * TICK_MS);
	check(idle * TICK_MS >= 1000 && idle * TICK_MS <= 2000,
	      "an idle log is copied after a second");
	check(!store->wal_only, "and wholly");
	check(ticks_until_copied(&run, store, false, 400) == 400, "and then left alone");
	stepped_writer_release();
	store->store.operations->close(&store->store);
	powercut_model_finish(&run.model);
}

int main(int argc, char **argv)
{
	uint64_t cuts = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
	log_configure(LOG_OFF, 0);
	powercut_install();
	/* The files themselves stay empty; the store looks whether they were moved. */
	strcpy(folder, "/tmp/cubed-proof-XXXXXX");
	if (mkdtemp(folder) == NULL)
		return EXIT_FAILURE;
	snprintf(location, sizeof(location), "sqlite:%s/cubed.db", folder);
	static const char *const suffixes[] = {"", "-wal", ".lock", ".reserve"};
	snprintf(database, sizeof(database), "%s/cubed.db-wal", folder);
	FILE *wal = fopen(database, "w");
	if (wal != NULL)
		fclose(wal);
	printf("seed %llu\n", (unsigned long long)seed);
	ages();
	full(cuts, seed);
	controls(cuts / 4, seed);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		snprintf(database, sizeof(database), "%s/cubed.db%s", folder, suffixes[i]);
		unlink(database);
	}
	rmdir(folder);
	printf("%d passed, %d failed\n", passed, failed);
	return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
