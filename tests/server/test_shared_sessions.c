/* test_shared_sessions.c: three services over one store, as three processes over one database: each
 * session has one history, and no answer is older than one that ended before its request began.
 *
 * Every run is seeded: which request begins where, when its write is committed, and when its answer
 * comes back. The controls take one protection away and demand that faults are found. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "server/store/memory.h"
#include "shared_services.h"

#define SESSIONS 20
#define REVISIONS 1024
#define CUBE_TEXT 80

enum call_kind { MOVE, MOVE_AT, UNDO, REDO, READ, RENAME, HISTORY, LIST, KINDS };

/* The contents of the answers about a session. */
struct witness {
	char path[64], authorization[96];
	long long seen;                   /* the newest revision in an answer */
	char cubes[REVISIONS][CUBE_TEXT]; /* cubes that were shown, by revision */
	bool made[REVISIONS];             /* an answer said that it made this entry */
	unsigned renames;                 /* begun, */
	unsigned renaming;                /* of them under way */
	char name[16];                    /* "": not settled */
};

struct trial {
	struct shared_services shared;
	struct witness witness[SESSIONS];
	unsigned faults, done, moved, refused, busy;
	char first[1024]; /* fault */
};

static struct trial trial;

static void fault(const char *what, const struct shared_call *call)
{
	if (trial.faults++ == 0)
		snprintf(trial.first, sizeof trial.first, "%s, floor %llu: %s %s %s: %u %.700s",
			 what, (unsigned long long)call->floor, call->method, call->target,
			 call->body, call->status, call->text);
}

/* ---- the requests ---- */

static void set_target(struct shared_call *call, const char *method, const char *action)
{
	snprintf(call->method, sizeof call->method, "%s", method);
	snprintf(call->target, sizeof call->target, "%s%s", trial.witness[call->session].path,
		 action);
}

static void set_moves(struct shared_call *call)
{
	static const char *const moves[] = {"R", "U'", "F2", "L", "D'", "B"};
	set_target(call, "POST", "/moves");
	snprintf(call->body, sizeof call->body, "{\"moves\":\"%s %s\"}",
		 moves[shared_draw(&trial.shared, 6)], moves[shared_draw(&trial.shared, 6)]);
}

static void set_rename(struct shared_call *call, struct witness *witness)
{
	call->number = ++witness->renames;
	call->sent = witness->renaming++; /* the number under way */
	witness->name[0] = '\0';
	set_target(call, "PATCH", "");
	snprintf(call->body, sizeof call->body, "{\"name\":\"n%u\"}", witness->renames);
}

static void begin_call(unsigned sessions)
{
	/* Moves of the same session pile up: work ahead of the disk. */
	static const unsigned char kinds[] = {MOVE, MOVE, MOVE, MOVE,   MOVE_AT, UNDO,
					      REDO, READ, READ, RENAME, HISTORY, LIST};
	struct shared_call *call = shared_free_call(&trial.shared);
	if (!call)
		return;
	call->kind = kinds[shared_draw(&trial.shared, sizeof kinds)];
	call->session = (unsigned)shared_draw(&trial.shared, sessions);
	struct witness *witness = &trial.witness[call->session];
	if (witness->seen > REVISIONS - SHARED_CALLS - 2)
		call->kind = READ;
	memcpy(call->authorization, witness->authorization, sizeof call->authorization);
	call->floor = (uint64_t)witness->seen;
	call->sent = witness->renames;
	switch ((enum call_kind)call->kind) {
	case MOVE_AT:
		set_moves(call);
		snprintf(call->body + strlen(call->body) - 1, 32, ",\"revision\":%lld}",
			 witness->seen);
		break;
	case MOVE:
		set_moves(call);
		break;
	case UNDO:
	case REDO:
		set_target(call, "POST", call->kind == UNDO ? "/undo" : "/redo");
		strcpy(call->body, "{}");
		break;
	case RENAME:
		set_rename(call, witness);
		break;
	case HISTORY:
		set_target(call, "GET", "/history?limit=1000");
		break;
	case LIST:
		snprintf(call->method, sizeof call->method, "GET");
		snprintf(call->target, sizeof call->target, "/v1/sessions?limit=2");
		break;
	case READ:
	case KINDS:
		call->number = witness->name[0] != '\0';
		set_target(call, "GET", "");
		break;
	}
	shared_begin(&trial.shared, call);
}

/* ---- the answers ---- */

/* A revision has one cube, at all servers. */
static void check_cube(struct witness *witness, const struct shared_call *call, long long revision)
{
	const char *at = strstr(call->text, "\"facelets\":\"");
	if (!at || revision < 0 || revision >= REVISIONS)
		return;
	at += strlen("\"facelets\":\"");
	char cube[CUBE_TEXT];
	snprintf(cube, sizeof cube, "%.*s", (int)strcspn(at, "\""), at);
	if (witness->cubes[revision][0] == '\0')
		memcpy(witness->cubes[revision], cube, sizeof cube);
	else if (strcmp(witness->cubes[revision], cube) != 0)
		fault("two cubes of one revision", call);
}

static void check_name(struct witness *witness, const struct shared_call *call)
{
	char wanted[40];
	/* Only if no rename was under way, nor has begun since. */
	if (witness->name[0] == '\0' || call->sent != witness->renames || call->number != 1)
		return;
	snprintf(wanted, sizeof wanted, "\"name\":\"%s\"", witness->name);
	if (!strstr(call->text, wanted))
		fault("an old name", call);
}

static void check_renamed(struct witness *witness, const struct shared_call *call)
{
	witness->renaming--;
	/* None was under way when it began, nor has begun since: it is the name now. */
	if (call->status == 200 && call->number == witness->renames && call->sent == 0)
		snprintf(witness->name, sizeof witness->name, "n%u", witness->renames);
}

static bool makes_entry(const struct shared_call *call)
{
	return call->kind <= REDO;
}

static void check_made(struct witness *witness, const struct shared_call *call, long long revision)
{
	trial.moved++;
	if (revision <= (long long)call->floor || revision >= REVISIONS)
		fault("an entry in the place of an older one", call);
	else if (witness->made[revision])
		fault("two entries of one revision", call);
	else
		witness->made[revision] = true;
	if (call->kind == MOVE_AT && revision != (long long)call->floor + 1)
		fault("made on another revision than asked", call);
}

static void check_answer(const struct shared_call *call)
{
	struct witness *witness = &trial.witness[call->session];
	trial.done++;
	if (call->kind == RENAME)
		check_renamed(witness, call);
	if (call->status == 503) {
		trial.busy++;
		return;
	}
	if (call->kind == LIST)
		return;
	if (call->kind == HISTORY) {
		for (const char *at = call->text; (at = strstr(at, "\"revision\":")) != NULL; at++)
			if (atoll(at + 11) > witness->seen)
				witness->seen = atoll(at + 11);
		return;
	}
	const long long revision = shared_number(call->text, "revision");
	if (call->status != 200) {
		trial.refused++;
		if (call->status != 409)
			fault("an answer that there is no reason for", call);
		/* Only because of a newer revision. */
		if (call->kind == MOVE_AT && revision <= (long long)call->floor)
			fault("refused without reason", call);
	}
	if (revision >= 0 && revision < (long long)call->floor)
		fault("an old revision", call);
	if (call->status == 200 && makes_entry(call))
		check_made(witness, call, revision);
	if (call->status == 200)
		check_cube(witness, call, revision);
	if (call->kind == READ && call->status == 200)
		check_name(witness, call);
	if (revision > witness->seen)
		witness->seen = revision;
}

/* ---- the end: what is stored is what was answered ---- */

static struct client_response answer;

static void check_stored(struct service *judge, struct witness *witness)
{
	struct shared_call call = {.method = "GET"};
	client_send(judge, &answer, "GET", witness->path, NULL, NULL);
	ck_assert_uint_eq(answer.status, 200);
	const long long last = client_number(&answer, "revision");
	if (last < witness->seen)
		fault("an entry is lost", &call);
	for (long long at = 1; at <= last && at < REVISIONS; at++) {
		if (witness->cubes[at][0] == '\0')
			continue;
		snprintf(call.target, sizeof call.target, "%s/cube?at=%lld", witness->path, at);
		client_send(judge, &answer, "GET", call.target, NULL, NULL);
		ck_assert_uint_eq(answer.status, 200);
		call.status = answer.status;
		snprintf(call.text, sizeof call.text, "%.1000s", answer.body);
		check_cube(witness, &call, at);
	}
}

static void create_sessions(unsigned sessions)
{
	for (unsigned i = 0; i < sessions; i++) {
		struct service *service = trial.shared.service[i % SHARED_SERVICES];
		struct witness *witness = &trial.witness[i];
		client_send(service, &answer, "POST", "/v1/sessions",
			    "{\"size\":3,\"access\":\"edit\",\"listed\":true}", NULL);
		ck_assert_uint_eq(answer.status, 201);
		snprintf(witness->path, sizeof witness->path, "%s", answer.location);
		snprintf(witness->authorization, sizeof witness->authorization, "%s",
			 client_token(witness->path, NULL));
	}
}

/* Returns how many faults were found. */
static unsigned run_trial(uint64_t seed, unsigned sessions, unsigned calls, unsigned faults)
{
	memset(&trial, 0, sizeof trial);
	shared_start(&trial.shared, seed, faults);
	create_sessions(sessions);
	shared_hold(&trial.shared, true);
	for (unsigned step = 0; trial.done < calls; step++) {
		ck_assert_msg(step < 400 * calls, "seed %llu: calls hang",
			      (unsigned long long)seed);
		struct shared_call *call;
		if (shared_draw(&trial.shared, 3) == 0)
			begin_call(sessions);
		shared_step(&trial.shared);
		while ((call = shared_answered(&trial.shared)))
			check_answer(call);
	}
	shared_hold(&trial.shared, false);
	store_memory_break(trial.shared.service[0]->store, 0);
	for (unsigned i = 0; i < sessions; i++)
		check_stored(trial.shared.service[i % SHARED_SERVICES], &trial.witness[i]);
	shared_stop(&trial.shared);
	return trial.faults;
}

START_TEST(one_history_and_no_old_answers)
{
	static const unsigned sessions[] = {1, 4, SESSIONS};
	const uint64_t seed = (uint64_t)_i + 1;
	const unsigned found = run_trial(seed, sessions[_i % 3], 1500, 0);
	ck_assert_msg(found == 0, "seed %d: %u faults, first %s", _i + 1, found, trial.first);
	ck_assert_uint_gt(trial.moved, 300);
	ck_assert_uint_gt(trial.refused, 10);
	ck_assert_uint_lt(trial.busy, 75);
}
END_TEST

/* The faults that some trials find without one of the protections. */
static unsigned find_faults(unsigned without)
{
	unsigned found = 0;
	for (uint64_t seed = 1; seed <= 8 && found == 0; seed++)
		found += run_trial(seed, 1 + (unsigned)seed % 3, 1500, without);
	return found;
}

START_TEST(comparing_revisions_is_not_enough)
{
	ck_assert_uint_gt(find_faults(MEMORY_COMPARES_REVISIONS), 0);
}
END_TEST

START_TEST(caches_that_do_not_ask_are_outdated)
{
	ck_assert_uint_gt(find_faults(MEMORY_REPORTS_NOTHING), 0);
}
END_TEST

START_TEST(own_commits_without_answer_count)
{
	ck_assert_uint_gt(find_faults(MEMORY_OMITS_OWN), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shared_sessions");
	TCase *tests = tcase_create("shared_sessions");
	tcase_set_timeout(tests, 300);
	tcase_add_loop_test(tests, one_history_and_no_old_answers, 0, 6);
	tcase_add_test(tests, comparing_revisions_is_not_enough);
	tcase_add_test(tests, caches_that_do_not_ask_are_outdated);
	tcase_add_test(tests, own_commits_without_answer_count);
	suite_add_tcase(suite, tests);
	return run_suite(suite, 9);
}
