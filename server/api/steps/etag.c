/* etag.c: writing ETags, and comparing them with those of a request. */
#include "server/api/steps/etag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/request/problem.h"
#include "server/api/request/route.h"
#include "server/api/steps/encoding.h"

/* ---- hashes ---- */

/* Any odd number with well mixed bits will do. */
#define MIX UINT64_C(0x9e3779b97f4a7c15)
#define STATE_DIGITS 12
#define VIEW_DIGITS 8

uint64_t etag_add_number(uint64_t hash, uint64_t number)
{
	hash = ((hash ^ number) + MIX) * MIX; /* a zero counts too */
	return hash ^ hash >> 32;
}

/* Spreads every bit of the hash over all of the result. */
static uint64_t finish(uint64_t hash)
{
	hash = (hash ^ hash >> 32) * MIX;
	hash = (hash ^ hash >> 29) * MIX;
	return hash ^ hash >> 32;
}

uint64_t etag_add(uint64_t hash, const void *bytes, size_t length)
{
	const char *at = bytes;
	hash = etag_add_number(hash, length);
	uint64_t word = 0;
	for (; length >= sizeof word; at += sizeof word, length -= sizeof word) {
		memcpy(&word, at, sizeof word);
		hash = etag_add_number(hash, word);
	}
	if (length == 0)
		return hash;
	word = 0;
	memcpy(&word, at, length);
	return etag_add_number(hash, word);
}

uint64_t etag_add_text(uint64_t hash, const char *text)
{
	return text ? etag_add(hash, text, strlen(text)) : etag_add_number(hash, UINT64_MAX);
}

uint64_t etag_of_names(const struct roster *roster)
{
	uint64_t hash = 0;
	for (size_t i = 0; roster && i < roster->count; i++) {
		if (roster->tokens[i].label[0] == '\0')
			continue;
		hash = etag_add_number(hash, roster->tokens[i].number);
		hash = etag_add_text(hash, roster->tokens[i].label);
	}
	return hash;
}

/* Its first digits. */
static char *print_hash(char *at, uint64_t hash, int digits)
{
	static const char letters[] = "0123456789abcdef";
	hash = finish(hash);
	for (int i = 0; i < digits; i++, hash <<= 4)
		at[i] = letters[hash >> 60];
	return at + digits;
}

struct etag_state etag_of_hash(uint64_t hash)
{
	struct etag_state state = {.length = STATE_DIGITS};
	*print_hash(state.text, hash, STATE_DIGITS) = '\0';
	return state;
}

uint64_t etag_about(const struct session_meta *meta)
{
	uint64_t hash, id[2]; /* these overlap */
	memcpy(&id[0], meta->id.bytes, sizeof id[0]);
	memcpy(&id[1], meta->id.bytes + sizeof meta->id.bytes - sizeof id[1], sizeof id[1]);
	hash = etag_add_number(etag_add_number(0, id[0]), id[1]);
	hash = etag_add_number(hash, (uint64_t)meta->updated_ms);
	hash = etag_add_number(hash, (uint64_t)meta->access << 16 | (uint64_t)meta->policy << 8 |
					     (uint64_t)meta->listed << 1 | (uint64_t)meta->deleted);
	return etag_add_text(hash, meta->name);
}

/* The time of the newest entry tells apart two histories of the same length, after the database was
 * restored from a backup. */
struct etag_state etag_of_session(uint64_t about, const struct history *history)
{
	struct etag_state state;
	char digits[12], *first = digits + sizeof digits, *at = state.text;
	uint32_t revision = history->revision;
	const uint64_t hash = etag_add_number(about, (uint64_t)history->updated_ms);
	do {
		*--first = (char)('0' + revision % 10);
		revision /= 10;
	} while (revision > 0);
	while (first < digits + sizeof digits)
		*at++ = *first++;
	*at++ = '-';
	at = print_hash(at, hash, STATE_DIGITS);
	*at = '\0';
	state.length = (size_t)(at - state.text);
	return state;
}

/* ---- replies ---- */

static uint64_t hash_view(const struct context *ctx, enum etag_kind kind,
			  const struct answer_view *view, uint64_t more)
{
	uint64_t hash = etag_add_number(0, (uint64_t)kind << 8 | (uint64_t)ctx->media);
	hash = etag_add_number(hash, more);
	if (view && ctx->media == MEDIA_SVG) {
		hash = etag_add_number(hash, (uint64_t)view->picture.view);
		hash = etag_add(hash, view->picture.colors, sizeof view->picture.colors);
	} else if (view) {
		hash = etag_add_number(hash, (uint64_t)view->as << 32 | (uint64_t)view->none << 31 |
						     (uint64_t)view->options.order << 1 |
						     (uint64_t)view->color);
	}
	return hash;
}

void etag_reply_session(struct context *ctx, const struct etag_state *state, enum etag_kind kind,
			const struct answer_view *view, uint64_t more)
{
	char text[sizeof state->text + VIEW_DIGITS + 3], *at = text;
	*at++ = '"';
	memcpy(at, state->text, state->length);
	at += state->length;
	*at++ = '.';
	at = print_hash(at, hash_view(ctx, kind, view, more), VIEW_DIGITS);
	*at++ = '"';
	ctx->request->reply.etag = ctx_reply_text(ctx, text, (size_t)(at - text));
}

void etag_reply(struct context *ctx, const struct etag_state *state)
{
	etag_reply_form(ctx, state, 0);
}

void etag_reply_form(struct context *ctx, const struct etag_state *state, uint64_t form)
{
	char text[sizeof state->text + VIEW_DIGITS + 3], *at = text;
	*at++ = '"';
	memcpy(at, state->text, state->length);
	at += state->length;
	if (form != 0) {
		*at++ = '.';
		at = print_hash(at, form, VIEW_DIGITS);
	}
	*at++ = '"';
	ctx->request->reply.etag = ctx_reply_text(ctx, text, (size_t)(at - text));
}

/* ---- lists of ETags ---- */

/* The next ETag of a list, without its quotes; bytes NULL if it is not one. */
static const char *next_tag(const char *at, struct text *tag, bool *weak)
{
	*tag = (struct text){0};
	at += strspn(at, " \t,");
	*weak = at[0] == 'W' && at[1] == '/';
	at += *weak ? 2 : 0;
	if (*at != '"')
		return at + strcspn(at, ",");
	const char *first = at + 1;
	const size_t length = strcspn(first, "\"");
	at = first + length;
	if (*at == '\0')
		return at;
	at++;
	/* A tag must be followed by a comma or the end. */
	const size_t blanks = strspn(at, " \t");
	if (at[blanks] == ',' || at[blanks] == '\0')
		*tag = (struct text){first, length};
	return at + strcspn(at, ",");
}

static bool is_any(const char *list)
{
	list += strspn(list, " \t");
	return list[0] == '*' && list[1 + strspn(list + 1, " \t")] == '\0';
}

/* The part of an ETag that says the state. */
static size_t state_length(const struct text *tag)
{
	const char *point = memchr(tag->bytes, '.', tag->length);
	const size_t mark = strlen(ETAG_GZIP);
	if (point)
		return (size_t)(point - tag->bytes);
	return tag->length > mark && memcmp(tag->bytes + tag->length - mark, ETAG_GZIP, mark) == 0
		       ? tag->length - mark
		       : tag->length;
}

/* Returns true if the list has this ETag; with `state`, an ETag of this state. */
static bool list_has(const char *list, const char *wanted, bool state, bool weak_too)
{
	const size_t length = strlen(wanted);
	while (*list) {
		struct text tag;
		bool weak;
		list = next_tag(list, &tag, &weak);
		const size_t compared = tag.bytes && state ? state_length(&tag) : tag.length;
		if (tag.bytes && (weak_too || !weak) && compared == length &&
		    memcmp(tag.bytes, wanted, length) == 0)
			return true;
	}
	return false;
}

bool etag_unchanged(struct context *ctx)
{
	struct reply *reply = &ctx->request->reply;
	const char *list = ctx->request->header[HEADER_IF_NONE_MATCH];
	char whole[64];
	if (!list || !reply->etag || strcmp(ctx->route->method, "GET") != 0)
		return false;
	const size_t length = strlen(reply->etag) - 2;
	if (length + sizeof ETAG_GZIP > sizeof whole)
		return false;
	memcpy(whole, reply->etag + 1, length);
	whole[length] = '\0';
	if (!is_any(list) && !list_has(list, whole, false, true)) {
		memcpy(whole + length, ETAG_GZIP, sizeof ETAG_GZIP);
		if (!encoding_accepted(ctx) || !list_has(list, whole, false, true) ||
		    !etag_mark_gzip(ctx))
			return false;
	}
	reply->status = 304;
	return true;
}

bool etag_mark_gzip(struct context *ctx)
{
	struct reply *reply = &ctx->request->reply;
	char marked[64];
	if (!reply->etag)
		return true;
	const int length = snprintf(marked, sizeof marked, "%.*s" ETAG_GZIP "\"",
				    (int)strlen(reply->etag) - 1, reply->etag);
	const char *etag = arena_text(&ctx->request->arena, marked, (size_t)length);
	reply->etag = etag ? etag : reply->etag;
	return etag != NULL;
}

/* ---- preconditions of changes ---- */

bool etag_asked(const struct context *ctx)
{
	return ctx->request->header[HEADER_IF_MATCH] || ctx->request->header[HEADER_IF_NONE_MATCH];
}

enum etag_verdict etag_judge(const struct context *ctx, const struct etag_state *state)
{
	const char *match = ctx->request->header[HEADER_IF_MATCH];
	const char *none = ctx->request->header[HEADER_IF_NONE_MATCH];
	if (match && !(state && (is_any(match) || list_has(match, state->text, true, false))))
		return ETAG_IF_MATCH_FAILS;
	if (none && state && (is_any(none) || list_has(none, state->text, true, true)))
		return ETAG_IF_NONE_MATCH_FAILS;
	return ETAG_FITS;
}

int64_t etag_revision_seen(const struct context *ctx)
{
	const char *list = ctx->request->header[HEADER_IF_MATCH];
	int64_t newest = -1;
	while (list && *list) {
		struct text tag;
		bool weak;
		list = next_tag(list, &tag, &weak);
		const size_t digits = tag.bytes ? strspn(tag.bytes, "0123456789") : 0;
		/* In older releases a session's ETag was its revision alone. */
		if (weak || digits == 0 || digits > 10 ||
		    (tag.bytes[digits] != '-' && tag.bytes[digits] != '"'))
			continue;
		const int64_t revision = strtoll(tag.bytes, NULL, 10);
		newest = revision > newest ? revision : newest;
	}
	return newest;
}

bool etag_allows(struct context *ctx, const struct etag_state *state)
{
	const enum etag_verdict verdict = etag_judge(ctx, state);
	if (verdict == ETAG_FITS)
		return true;
	problem_answer(
		ctx->request, PROBLEM_PRECONDITION,
		verdict == ETAG_IF_NONE_MATCH_FAILS
			? "If-None-Match matches the stored state; nothing was changed."
		: state ? "If-Match does not match the stored state; nothing was changed."
			: "Nothing is stored here that If-Match could match; nothing was changed.");
	if (state)
		etag_reply(ctx, state);
	return false;
}
