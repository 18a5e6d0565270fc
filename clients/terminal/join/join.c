/* join.c: a session of a server as the cube of `cubed play`: the connection and its state. */
#include "clients/terminal/join/join_internal.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cube/cube.h"
#include "server/util/monotonic.h"

#define FIRST_STATE_MS 10000
#define WAIT_MAX 16
#define FIRST_BACKOFF_MS 250
#define LONGEST_BACKOFF_MS 8000
/* Without an answer for this time the server is slow. */
#define SLOW_MS 800

/* ---- texts ---- */

void join_text(char *to, size_t capacity, struct text from)
{
	size_t length = 0;
	for (size_t i = 0; i < from.length && length + 1 < capacity; i++) {
		const unsigned char byte = (unsigned char)from.bytes[i];
		if (byte >= 0x80 && byte < 0xc0)
			continue; /* the rest of a character */
		to[length++] = byte >= ' ' && byte <= '~' ? (char)byte : '?';
	}
	to[length] = '\0';
}

void join_notify(struct join *join, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(join->notice, sizeof join->notice, format, arguments);
	va_end(arguments);
	if (join->play)
		join->play->message = join->notice;
	join->changed = true;
}

void join_problem(const struct transfer *call, char *text, size_t capacity)
{
	struct arena arena = {0};
	struct json_reader reader = {.arena = &arena};
	struct json_value *problem;
	if (call->status == 0) {
		snprintf(text, capacity, "%s",
			 call->problem[0] ? call->problem : "the connection was closed");
		return;
	}
	if (call->status >= 300 && call->status < 400)
		snprintf(text, capacity,
			 "the server redirects elsewhere (%ld), perhaps to https; use that address",
			 call->status);
	else
		snprintf(text, capacity, "the server answered %ld", call->status);
	if (call->body.length > 0 &&
	    json_parse(&reader, call->body.bytes, call->body.length, &problem)) {
		const struct text detail = json_value_text(json_member_of(problem, "detail"));
		const struct text title = json_value_text(json_member_of(problem, "title"));
		if (detail.bytes || title.bytes)
			join_text(text, capacity, detail.bytes ? detail : title);
	}
	arena_finish(&arena);
}

/* ---- the stream ---- */

int64_t join_backoff(int failures, int64_t now_ms)
{
	const int64_t whole = failures < 5 ? FIRST_BACKOFF_MS << failures : LONGEST_BACKOFF_MS;
	/* Clients that lost their server together do not return together. */
	return now_ms + whole / 2 + (int64_t)(monotonic_ns() % (uint64_t)(whole / 2));
}

bool join_temporary(const struct transfer *call)
{
	const long status = call->status;
	return status == 0 || status == 200 || status >= 500 || status == 408 || status == 425 ||
	       status == 429;
}

void join_end(struct join *join, const char *why)
{
	join->ended = true;
	join->online = false;
	snprintf(join->trouble, sizeof join->trouble, "%s", why);
	join->changed = true;
	/* A turn without an answer is not shown as if it had been made. */
	if (join->play)
		play_shared_refuse(join->play, monotonic_ms());
}

static bool open_stream(struct join *join)
{
	char url[JOIN_BASE_BYTES + 64], last[96];
	snprintf(url, sizeof url, "%s/v1/sessions/%s/events", join->address.base, join->address.id);
	snprintf(last, sizeof last, "Last-Event-ID: %s", join->last_id);
	const struct transfer_ask ask = {.url = url,
					 .token = join->address.token,
					 .header = join->last_id[0] ? last : NULL,
					 .accept = "application/x-ndjson"};
	join->open_ms = -1;
	return transfer_begin(&join->http, &join->http.stream, &ask);
}

/* The stream has ended. */
static void lost(struct join *join, int64_t now_ms)
{
	const struct transfer *stream = &join->http.stream;
	char why[NOTICE_BYTES];
	join_problem(stream, why, sizeof why);
	if (stream->status == 200)
		snprintf(why, sizeof why, "the connection was closed");
	if (!join_temporary(stream))
		join_end(join, why);
	else
		snprintf(join->trouble, sizeof join->trouble, "%s", why);
	transfer_stop(&join->http, &join->http.stream);
	join->online = false;
	join->open_ms = join_backoff(join->failures++, now_ms);
	join->changed = true;
}

static void stream_step(struct join *join, int64_t now_ms)
{
	const struct transfer *stream = &join->http.stream;
	if (!join->online && stream->state == TRANSFER_RUNNING && stream->status == 200) {
		join->online = true;
		join->changed = true;
	}
	join_read_events(join, now_ms);
	if (join->ended) {
		transfer_stop(&join->http, &join->http.stream);
		return;
	}
	if (stream->state == TRANSFER_DONE)
		lost(join, now_ms);
	if (stream->state == TRANSFER_IDLE && !join->ended && now_ms >= join->open_ms &&
	    !open_stream(join))
		join_end(join, "out of memory");
}

/* ---- what is shown ---- */

static bool is_slow(const struct join *join, int64_t now_ms)
{
	return join_in_doubt(join) && now_ms - join->write.sent_ms >= SLOW_MS;
}

static void set_status(struct join *join, int64_t now_ms)
{
	char text[sizeof join->status];
	if (join->ended)
		snprintf(text, sizeof text, "ended: %s", join->trouble);
	else if (!join->online)
		snprintf(text, sizeof text, "offline, trying again: %s", join->trouble);
	else
		snprintf(text, sizeof text, "online%s%s%s   %s",
			 is_slow(join, now_ms) || join->write.failures > 0 ? ", the server is slow"
									   : "",
			 join->open_access || join->role_turns ? "" : ", view only",
			 join->write.active ? ", saving" : "", join->people);
	if (strcmp(text, join->status) != 0)
		join->changed = true;
	memcpy(join->status, text, sizeof text);
	join->play->shared.status = join->status;
}

/* ---- for play_main() ---- */

static bool begin(void *context, struct play *play)
{
	struct join *join = context;
	if (!play_share(play, &join_calls, join, join->cube))
		return false;
	join->play = play;
	join->begin_ms = monotonic_ms();
	return true;
}

static bool step(void *context, int64_t now_ms)
{
	struct join *join = context;
	transfer_progress(&join->http);
	join_write_step(join, now_ms);
	stream_step(join, now_ms);
	join_write_step(join, now_ms);
	transfer_progress(&join->http); /* begun requests are sent */
	set_status(join, now_ms);
	const bool changed = join->changed;
	join->changed = false;
	return changed;
}

static void until(int64_t then_ms, int64_t now_ms, int *timeout_ms)
{
	const int64_t left = then_ms > now_ms ? then_ms - now_ms : 0;
	if (*timeout_ms < 0 || left < *timeout_ms)
		*timeout_ms = (int)left;
}

static size_t wait_for(void *context, struct pollfd *fds, size_t room, int *timeout_ms)
{
	struct join *join = context;
	const int64_t now_ms = monotonic_ms();
	if (join->ended)
		return 0;
	if (join->http.stream.state == TRANSFER_IDLE)
		until(join->open_ms, now_ms, timeout_ms);
	if (join->write.active && join->write.repeat_ms >= 0)
		until(join->write.repeat_ms, now_ms, timeout_ms);
	else if (join_in_doubt(join) && !is_slow(join, now_ms))
		until(join->write.sent_ms + SLOW_MS, now_ms, timeout_ms);
	return transfer_wait(&join->http, fds, room, timeout_ms);
}

struct play_remote join_remote(struct join *join)
{
	return (struct play_remote){
		.context = join, .begin = begin, .step = step, .wait = wait_for};
}

int join_size(const struct join *join)
{
	return join->cube->size;
}

/* ---- opening ---- */

static bool first_state(struct join *join, struct error *error)
{
	const int64_t end_ms = monotonic_ms() + FIRST_STATE_MS;
	struct transfer *stream = &join->http.stream;
	char why[NOTICE_BYTES] = "no answer within 10 s";
	if (!open_stream(join))
		return error_set(error, "out of memory");
	while (!join->cube && !join->ended && monotonic_ms() < end_ms &&
	       stream->state == TRANSFER_RUNNING) {
		struct pollfd fds[WAIT_MAX];
		int timeout_ms = 100;
		const size_t count = transfer_wait(&join->http, fds, WAIT_MAX, &timeout_ms);
		poll(fds, count, timeout_ms);
		transfer_progress(&join->http);
		join_read_events(join, monotonic_ms());
	}
	if (join->cube)
		return true;
	if (join->ended)
		snprintf(why, sizeof why, "%s", join->trouble);
	else if (stream->state == TRANSFER_DONE)
		join_problem(stream, why, sizeof why);
	return error_set(error, "--join %s/c/%s: %s", join->address.base, join->address.id, why);
}

struct join *join_open(const struct join_address *address, struct error *error)
{
	struct join *join = calloc(1, sizeof *join);
	if (!join) {
		error_set(error, "out of memory");
		return NULL;
	}
	signal(SIGPIPE, SIG_IGN);
	json_setup();
	join->address = *address;
	join->revision = -1;
	if (transfer_open(&join->http, error) && first_state(join, error))
		return join;
	join_close(join);
	return NULL;
}

void join_close(struct join *join)
{
	if (!join)
		return;
	transfer_close(&join->http);
	buffer_free(&join->write.body);
	free(join->cube);
	free(join);
}
