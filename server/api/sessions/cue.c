/* cue.c: POST .../cue: shows something to all who watch a session: the step of a lesson, a place on
 * the cube, a word, or a reaction. It is sent as an event and not stored. */
#include <string.h>

#include "server/api/input/input.h"
#include "server/api/request/handlers.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/authorize.h"
#include "server/api/steps/session_visit.h"
#include "server/live/live.h"
#include "server/util/container_of.h"
#include "server/util/monotonic.h"
#include "server/util/utf8.h"

/* Bytes of JSON, characters of texts. openapi.yaml has them too. The longest lessons of a 7x7x7 have
 * some 2300 characters of moves. */
#define CUE_BYTES 12288
#define TITLE_POINTS 100
#define TEXT_POINTS 500
#define MOVES_POINTS 8000
#define POSITION_MAX 10000
#define MARKS 16
#define PLACES 100

/* The phases of a cue, in order. The other servers are met twice: to know who watches there, and to
 * have them know the cue. */
enum cue_phase {
	CUE_MEET,   /* in the session: meets the other servers */
	CUE_SEND,   /* sends the cue, and meets them again */
	CUE_ANSWER, /* the reply is complete, or a problem */
	CUE_WAIT,   /* continues later, or has been answered */
};

struct cue_request {
	enum cue_phase resume_at;
	struct live_cue cue;
	struct text title, text, moves;
	int64_t revision, position;
	struct json_value *look, *marks;
	struct live_meeting meeting;
	struct context *ctx;
};

static bool cue_read(struct context *ctx, struct cue_request *asked);
static bool read_reaction(struct context *ctx, struct text name, struct live_cue *cue);
static bool read_text(struct context *ctx, struct text text, const char *pointer, size_t most);
static bool read_look(struct context *ctx, struct json_value *look);
static bool read_marks(struct context *ctx, struct json_value *marks);
static bool read_mark(struct context *ctx, struct json_value *mark, const char *pointer);
static bool read_places(struct context *ctx, struct json_value *places, const char *pointer);
static bool cue_print(struct context *ctx, struct cue_request *asked);
static void cue_entered(struct context *ctx);
static void cue_met(struct live_meeting *meeting);
static void cue_go_on(struct context *ctx, struct cue_request *asked);
static enum cue_phase cue_meet(struct context *ctx, struct cue_request *asked);
static enum cue_phase cue_send(struct context *ctx, struct cue_request *asked);

void session_cue_handle(struct context *ctx)
{
	struct cue_request *asked = ctx_alloc(ctx, sizeof *asked);
	if (!asked || !cue_read(ctx, asked) || !cue_print(ctx, asked)) {
		ctx_answer(ctx);
		return;
	}
	ctx->data = asked;
	ctx_acquire(ctx, NEED_READ, cue_entered);
}

static bool cue_read(struct context *ctx, struct cue_request *asked)
{
	struct text reaction = {0};
	*asked = (struct cue_request){.revision = 0};
	const struct json_member members[] = {
		{"title", JSON_TEXT, &asked->title, 0, 0},
		{"text", JSON_TEXT, &asked->text, 0, 0},
		{"revision", JSON_INT64, &asked->revision, 0, UINT32_MAX},
		{"moves", JSON_TEXT, &asked->moves, 0, 0},
		{"position", JSON_INT64, &asked->position, 0, POSITION_MAX},
		{"look", JSON_MEMBERS, &asked->look, 0, 0},
		{"marks", JSON_ITEMS, &asked->marks, 0, 0},
		{"reaction", JSON_TEXT, &reaction, 0, 0},
	};
	bool read = input_object(ctx, ctx->body, "", members, sizeof members / sizeof members[0]);
	read = read_text(ctx, asked->title, "/title", TITLE_POINTS) && read;
	read = read_text(ctx, asked->text, "/text", TEXT_POINTS) && read;
	read = read_text(ctx, asked->moves, "/moves", MOVES_POINTS) && read;
	read = (!reaction.bytes || read_reaction(ctx, reaction, &asked->cue)) && read;
	read = (!asked->look || read_look(ctx, asked->look)) && read;
	return (!asked->marks || read_marks(ctx, asked->marks)) && read;
}

static bool is_reaction(void *context, const char *name, struct json_value *value)
{
	(void)context, (void)value;
	return strcmp(name, "reaction") == 0;
}

/* Watchers get the text as it was sent, so a name counts only as it is written here. */
static bool read_reaction(struct context *ctx, struct text name, struct live_cue *cue)
{
	static const char *const names[] = {"clap", "heart", "wow"};
	const struct json_place place = {.pointer = "/reaction"};
	cue->kind = LIVE_REACTION;
	if (!json_each_member(ctx->body, is_reaction, NULL))
		return input_problem(ctx, "/reaction",
				     "A reaction is sent alone, without other members.",
				     "{\"reaction\": \"clap\"}", NULL);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (text_is(name, names[i]))
			return true;
	return input_unknown(ctx, &place, name, "reaction", names, sizeof names / sizeof names[0]);
}

static bool read_text(struct context *ctx, struct text text, const char *pointer, size_t most)
{
	size_t points = 0;
	for (size_t at = 0, bytes; at < text.length && points <= most; at += bytes, points++) {
		uint32_t point;
		bytes = utf8_decode(text.bytes + at, text.length - at, &point);
		if (bytes == 0 || !utf8_printable(point))
			return input_problem(ctx, pointer,
					     "A text must not have control characters, or "
					     "characters that hide text or change its direction.",
					     NULL, NULL);
	}
	return points <= most || input_problem(ctx, pointer, "The text is too long.",
					       most == TITLE_POINTS  ? "at most 100 characters"
					       : most == TEXT_POINTS ? "at most 500 characters"
								     : "at most 8000 characters",
					       NULL);
}

static bool read_look(struct context *ctx, struct json_value *look)
{
	struct json_value *yaw = NULL, *pitch = NULL;
	const struct json_member members[] = {
		{"yaw", JSON_ANY, &yaw, 0, 0},
		{"pitch", JSON_ANY, &pitch, 0, 0},
	};
	if (!input_object(ctx, look, "/look", members, 2))
		return false;
	return (json_value_is_number(yaw) && json_value_is_number(pitch)) ||
	       input_problem(ctx, "/look", "yaw and pitch are required, as numbers.",
			     "{\"yaw\": 0.5, \"pitch\": 0.4}", NULL);
}

static bool read_marks(struct context *ctx, struct json_value *marks)
{
	const size_t count = json_item_count(marks);
	if (count > MARKS)
		return input_problem(ctx, "/marks", "Too many marks.", "at most 16 marks", NULL);
	for (size_t i = 0; i < count; i++)
		if (!read_mark(ctx, json_item(marks, i), input_pointer_index(ctx, "/marks", i)))
			return false;
	return true;
}

static bool read_mark(struct context *ctx, struct json_value *mark, const char *pointer)
{
	static const char *const kinds[] = {"piece", "goal", "wrong"};
	struct json_value *places = NULL;
	struct text kind = {0};
	const struct json_member members[] = {
		{"places", JSON_ITEMS, &places, 0, 0},
		{"kind", JSON_TEXT, &kind, 0, 0},
	};
	const struct json_member as_object = {"", JSON_MEMBERS, &mark, 0, 0};
	if (!input_value(ctx, mark, pointer, &as_object) ||
	    !input_object(ctx, mark, pointer, members, 2) ||
	    !read_places(ctx, places, input_pointer(ctx, pointer, "places")))
		return false;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kind.bytes && strcmp(kind.bytes, kinds[i]) == 0)
			return true;
	return input_problem(ctx, input_pointer(ctx, pointer, "kind"), "Unknown kind of mark.",
			     "piece, goal or wrong", NULL);
}

static bool read_places(struct context *ctx, struct json_value *places, const char *pointer)
{
	const int64_t most = 6 * INT64_C(100) * 100;
	const size_t count = json_item_count(places);
	bool good = count > 0 && count <= PLACES;
	for (size_t i = 0; good && i < count; i++) {
		const int64_t place = json_value_whole(json_item(places, i));
		good = place >= 0 && place < most;
	}
	return good ||
	       input_problem(ctx, pointer, "Must be a list of facelets.",
			     "1 to 100 indices of facelets, counted from 0 as in `facelets`", NULL);
}

/* The JSON that watchers get: what was sent, checked, without white space. */
static bool cue_print(struct context *ctx, struct cue_request *asked)
{
	struct buffer buffer = {0};
	struct text *json = &asked->cue.json;
	json_print(&ctx->request->arena, ctx->body, &buffer);
	const bool fits = buffer.length <= CUE_BYTES;
	if (!buffer.failed && fits)
		*json = (struct text){arena_text(&ctx->request->arena, buffer.bytes, buffer.length),
				      buffer.length};
	const bool failed = buffer.failed || (fits && !json->bytes);
	buffer_free(&buffer);
	if (failed)
		return ctx_no_memory(ctx);
	return fits ||
	       input_problem(ctx, "", "The cue is too long.", "at most 12288 bytes of JSON", NULL);
}

static void cue_entered(struct context *ctx)
{
	struct cue_request *asked = ctx->data;
	asked->ctx = ctx;
	asked->meeting.done = cue_met;
	asked->resume_at = CUE_MEET;
	cue_go_on(ctx, asked);
}

static void cue_met(struct live_meeting *meeting)
{
	struct cue_request *asked = container_of(meeting, struct cue_request, meeting);
	cue_go_on(asked->ctx, asked);
}

/* Do not touch the context after a phase that waits: it may have been answered. */
static void cue_go_on(struct context *ctx, struct cue_request *asked)
{
	enum cue_phase phase = asked->resume_at;
	while (phase != CUE_WAIT)
		switch (phase) {
		case CUE_MEET:
			phase = cue_meet(ctx, asked);
			break;
		case CUE_SEND:
			phase = cue_send(ctx, asked);
			break;
		case CUE_ANSWER:
			ctx_answer(ctx);
			return;
		case CUE_WAIT:
			return;
		}
}

static enum cue_phase cue_meet(struct context *ctx, struct cue_request *asked)
{
	asked->resume_at = CUE_SEND;
	if (live_meet_for_cue(ctx->service->live, ctx->visit.session, &asked->meeting))
		return CUE_WAIT;
	ctx_no_memory(ctx);
	return CUE_ANSWER;
}

static enum cue_phase cue_send(struct context *ctx, struct cue_request *asked)
{
	struct out out = {.buffer = &ctx->request->reply.body};
	uint32_t watchers;
	asked->cue.actor = authorize_token(ctx);
	asked->cue.time_ms = wall_ms();
	if (!live_send_cue(ctx->service->live, ctx->visit.session, &asked->cue, &watchers)) {
		ctx_no_memory(ctx);
		return CUE_ANSWER;
	}
	out_open(&out, '{');
	out_member_integer(&out, "watchers", watchers);
	out_close(&out, '}');
	ctx_reply_json(ctx, 200);
	asked->resume_at = CUE_ANSWER;
	live_meet(ctx->service->live, &asked->meeting);
	return CUE_WAIT;
}
