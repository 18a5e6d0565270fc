/* write.c: own turns and changes on their way to the server, each made once. */
#include "clients/terminal/join/join_internal.h"

#include <stdio.h>
#include <sys/random.h>

#include "cube/cube.h"
#include "server/json/writer.h"

/* The wait for an answer before the request is sent again. */
#define ANSWER_MS 10000L

static const char *refusal(void *context)
{
	const struct join *join = context;
	if (join->ended)
		return "This session has ended here; Ctrl-C quits.";
	if (!join->open_access && !join->role_turns)
		return "You may only watch: turning this cube needs the token of an editor.";
	return NULL;
}

static void turned(void *context)
{
	struct join *join = context;
	join->changed = true; /* the next step sends them */
}

static void forget_unsent(struct play *play)
{
	while (play->done > play->shared.settled + play->shared.sent)
		cube_turn(play->cube, cube_turn_inverse(play->moves[--play->done].turn));
	play->count = play->done;
}

static bool is_counted(enum play_change change)
{
	return change == PLAY_UNDO || change == PLAY_REDO;
}

/* Returns how many of the changes that wait are left after another one: undo takes back one of another
 * kind, and redo one that is undo. After a scramble or a reset there is nothing to redo. -1: it
 * replaces them. */
static int left_after(const struct join *join, enum play_change change)
{
	if (join->asked == 0)
		return -1;
	if (change == join->change && is_counted(change))
		return join->asked + 1;
	if (change == PLAY_UNDO || (change == PLAY_REDO && join->change == PLAY_UNDO))
		return join->asked - 1;
	return change == PLAY_REDO ? join->asked : -1;
}

static void change(void *context, enum play_change change)
{
	struct join *join = context;
	const int left = left_after(join, change);
	/* A scramble or a reset would take the unsent turns with it. */
	if (!is_counted(change))
		forget_unsent(join->play);
	if (left < 0)
		join->change = change;
	join->asked = left < 0 ? 1 : left;
	join->changed = true;
}

const struct play_calls join_calls = {.refusal = refusal, .turned = turned, .change = change};

bool join_in_doubt(const struct join *join)
{
	return join->write.active && join->write.revision < 0;
}

void join_write_done(struct join *join)
{
	join->write.active = false;
	join->write.failures = 0;
	join->changed = true;
}

/* ---- sending ---- */

/* {"moves": "R@5120 U'@5300"}: the own turns that were not sent, with their times. */
static void write_turns(struct join *join, struct out *out)
{
	struct play *play = join->play;
	const size_t unsent = play->done - play->shared.settled;
	const size_t count = unsent < WRITE_TURNS_MAX ? unsent : WRITE_TURNS_MAX;
	out_key(out, "moves");
	buffer_text(out->buffer, "\"");
	for (size_t i = 0; i < count; i++) {
		const struct play_move *move = &play->moves[play->shared.settled + i];
		char turn[CUBE_TURN_TEXT_MAX], text[CUBE_TURN_TEXT_MAX + 32];
		cube_turn_print(play->cube->size, move->turn, turn);
		snprintf(text, sizeof text, "%s%s@%lld", i > 0 ? " " : "", turn,
			 (long long)(move->at_ms - join->begin_ms));
		buffer_text(out->buffer, text);
	}
	buffer_text(out->buffer, "\"");
	play->shared.sent = count;
	play->count = play->done; /* earlier undone turns are not redone after it */
}

/* Undo and redo are for the cube that is seen. */
static void write_change(struct join *join, struct out *out)
{
	if (is_counted(join->change)) {
		out_member_integer(out, "count", join->asked);
		out_member_integer(out, "revision", join->revision);
	}
	join->asked = 0;
}

static void prepare(struct join *join)
{
	struct join_write *write = &join->write;
	struct out out = {.buffer = &write->body};
	unsigned char key[16];
	write->active = true;
	write->revision = -1;
	write->failures = 0;
	write->turns = join->asked == 0;
	write->change = join->change;
	write->body.length = 0;
	out_open(&out, '{');
	if (write->turns)
		write_turns(join, &out);
	else
		write_change(join, &out);
	out_close(&out, '}');
	buffer_add(&write->body, "", 1);
	while (getrandom(key, sizeof key, 0) != (ssize_t)sizeof key)
		;
	int at = snprintf(write->header, sizeof write->header, "Idempotency-Key: ");
	for (size_t i = 0; i < sizeof key; i++)
		at += snprintf(write->header + at, sizeof write->header - (size_t)at, "%02x",
			       key[i]);
}

static void send_write(struct join *join, int64_t now_ms)
{
	static const char *const paths[] = {"undo", "redo", "scramble", "reset"};
	struct join_write *write = &join->write;
	char url[JOIN_BASE_BYTES + 64];
	snprintf(url, sizeof url, "%s/v1/sessions/%s/%s?as=none", join->address.base,
		 join->address.id, write->turns ? "moves" : paths[write->change]);
	const struct transfer_ask ask = {.url = url,
					 .token = join->address.token,
					 .header = write->header,
					 .body = write->body.bytes,
					 .accept = "application/json",
					 .timeout_ms = ANSWER_MS};
	write->sent_ms = now_ms;
	write->repeat_ms = -1;
	if (write->body.failed || !transfer_begin(&join->http, &join->http.call, &ask))
		join_end(join, "out of memory");
}

/* ---- answers ---- */

static int64_t answered_revision(const struct transfer *call)
{
	struct arena arena = {0};
	struct json_reader reader = {.arena = &arena};
	struct json_value *answer;
	int64_t revision = -1;
	if (call->body.length > 0 &&
	    json_parse(&reader, call->body.bytes, call->body.length, &answer))
		revision = json_value_whole(json_member_of(answer, "revision"));
	arena_finish(&arena);
	return revision;
}

static void refused(struct join *join, const struct transfer *call, int64_t now_ms)
{
	char why[NOTICE_BYTES];
	join_problem(call, why, sizeof why);
	join_notify(join, "Refused: %s", why);
	/* The turns after these were made on a cube that never was. */
	if (join->write.turns)
		play_shared_refuse(join->play, now_ms);
	join_write_done(join);
}

static void take_answer(struct join *join, int64_t now_ms)
{
	struct transfer *call = &join->http.call;
	struct join_write *write = &join->write;
	const long status = call->status;
	const int64_t revision = status == 200 ? answered_revision(call) : -1;
	join->changed = true;
	if (status == 200 && revision < 0) {
		join_end(join, "the server's answer cannot be read");
	} else if (status == 200) {
		write->revision = revision;
		if (write->turns && revision == join->revision + 1) {
			play_shared_settle(join->play, join->play->shared.sent);
			join->revision = revision;
			join_write_done(join);
		}
	} else if (join_temporary(call)) {
		write->repeat_ms = join_backoff(write->failures++, now_ms);
	} else {
		refused(join, call, now_ms);
	}
	transfer_stop(&join->http, call);
}

void join_write_step(struct join *join, int64_t now_ms)
{
	const struct play *play = join->play;
	struct join_write *write = &join->write;
	if (join->http.call.state == TRANSFER_DONE)
		take_answer(join, now_ms);
	if (join->ended || join->http.call.state != TRANSFER_IDLE)
		return;
	if (write->active) {
		if (write->revision < 0 && write->repeat_ms >= 0 && now_ms >= write->repeat_ms)
			send_write(join, now_ms);
		return;
	}
	if (join->online && (join->asked > 0 || play->done > play->shared.settled)) {
		prepare(join);
		send_write(join, now_ms);
	}
}
