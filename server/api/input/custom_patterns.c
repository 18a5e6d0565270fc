/* custom_patterns.c: own patterns of sessions: whose, which, and reading them. */
#include "server/api/input/custom_patterns.h"

#include <string.h>

#include "server/api/input/input.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/session_visit.h"

/* ---- whose ---- */

struct custom_pattern_scope custom_pattern_scope(const struct context *ctx)
{
	struct custom_pattern_scope scope = {{0, ctx->who.key}};
	if (ctx->visit.session && ctx->visit.session->meta.key != ctx->who.key)
		scope.key[0] = ctx->visit.session->meta.key;
	return scope;
}

void custom_pattern_enter(struct context *ctx, enum session_need need,
			  void (*entered)(struct context *ctx))
{
	const struct text *id = &ctx->query.value[PARAMETER_SESSION];
	const struct json_place place = {.parameter = "session"};
	if (!id->bytes) {
		entered(ctx);
	} else if (input_session_id(ctx, &place, *id, &ctx->visit.id)) {
		ctx->named = place;
		ctx_acquire(ctx, need, entered);
	} else {
		ctx_answer(ctx);
	}
}

/* ---- which ---- */

/* Calls `named` for each name in a pattern that is not a common one, until it returns false. Skips
 * what is not a pattern. */
struct pattern_names {
	bool (*named)(void *context, struct text name);
	void *context;
};

static bool each_name(const struct pattern_names *names, struct json_value *value);

static bool each_part(const struct pattern_names *names, struct json_value *parts)
{
	for (size_t i = 0; i < json_item_count(parts); i++)
		if (!each_name(names, json_item(parts, i)))
			return false;
	return true;
}

/* Parsed JSON is at most JSON_DEPTH_MAX deep. */
static bool each_name(const struct pattern_names *names, struct json_value *value)
{
	static const char *const inside[] = {"all", "any", "not", "anywhere"};
	if (!json_is_kind(value, JSON_KIND_OBJECT))
		return true;
	struct json_value *name = json_member_of(value, "name");
	if (name && json_is_kind(name, JSON_KIND_TEXT)) {
		struct text text = json_value_text(name);
		if (!cube_named_find(text.bytes, text.length) &&
		    !names->named(names->context, text))
			return false;
	}
	for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
		struct json_value *parts = json_member_of(value, inside[i]);
		if (parts && !(json_is_kind(parts, JSON_KIND_ARRAY) ? each_part(names, parts)
								    : each_name(names, parts)))
			return false;
	}
	return true;
}

static bool stop(void *context, struct text name)
{
	(void)context;
	(void)name;
	return false;
}

static bool is_named(const struct custom_pattern_scope *scope,
		     const struct pattern_request *pattern)
{
	const struct pattern_names names = {stop, NULL};
	return (scope->key[0] != 0 || scope->key[1] != 0) && !each_name(&names, pattern->value);
}

/* For a pattern in a longer body a reader decides. */
#define LOOK_BYTES 1024

bool custom_pattern_is_named(const struct context *ctx, const struct custom_pattern_scope *scope,
			     const struct pattern_request *pattern)
{
	if (ctx->request->body_length > LOOK_BYTES)
		return scope->key[0] != 0 || scope->key[1] != 0;
	return is_named(scope, pattern);
}

/* ---- reading ---- */

struct custom_pattern_reading {
	struct context *ctx;
	struct custom_pattern **last;
	bool failed;
};

struct etag_state custom_pattern_state(const struct stored_pattern *stored)
{
	uint64_t hash = etag_add_number(0, (uint64_t)stored->updated_ms);
	hash = etag_add_text(hash, stored->name);
	return etag_of_hash(etag_add_text(hash, stored->pattern));
}

/* Reads a pattern if this program has stored it; skips anything else. */
static bool read_stored_pattern(struct custom_pattern_reading *reading,
				const struct stored_pattern *stored)
{
	struct context *ctx = reading->ctx;
	struct custom_pattern *own = ctx_alloc(ctx, sizeof *own);
	const char *name = arena_text(&ctx->request->arena, stored->name, strlen(stored->name));
	const char *text =
		arena_text(&ctx->request->arena, stored->pattern, strlen(stored->pattern));
	if (!own || !name || !text)
		return ctx_no_memory(ctx);
	struct json_value *row;
	if (!json_parse(&ctx->json, text, strlen(text), &row))
		return ctx->json.error.fault != JSON_FAULT_MEMORY || ctx_no_memory(ctx);
	struct json_value *title = json_member_of(row, "title"),
			  *size = json_member_of(row, "size");
	*own = (struct custom_pattern){.name = {name, strlen(name)},
				       .updated_ms = stored->updated_ms,
				       .state = custom_pattern_state(stored),
				       .value = json_member_of(row, "pattern")};
	if (!own->value || !size || !cube_size_valid(json_value_whole(size)))
		return true;
	own->size = (int)json_value_whole(size);
	if (title && json_is_kind(title, JSON_KIND_TEXT))
		own->title = json_value_text(title);
	*reading->last = own;
	reading->last = &own->next;
	return true;
}

/* A store_visit_pattern. */
static bool visit_stored_pattern(void *context, const struct stored_pattern *stored)
{
	struct custom_pattern_reading *reading = context;
	reading->failed = !read_stored_pattern(reading, stored);
	return !reading->failed;
}

bool custom_pattern_read(struct context *ctx, struct store_reader *reader, uint64_t key,
			 const char *name, struct custom_pattern **list)
{
	struct custom_pattern_reading reading = {.ctx = ctx, .last = list};
	enum store_status status = ctx->service->store->operations->patterns(
		reader, key, name, true, visit_stored_pattern, &reading);
	if (status != STORE_OK)
		ctx_store_problem(ctx, status);
	return status == STORE_OK && !reading.failed;
}

struct pattern_finding {
	struct context *ctx;
	struct store_reader *reader;
	const struct custom_pattern_scope *scope;
	struct pattern_request *pattern;
	int count;
	bool failed;
};

static bool find_one(void *context, struct text name)
{
	struct pattern_finding *finding = context;
	struct pattern_request *pattern = finding->pattern;
	struct custom_pattern *found = NULL;
	if (pattern_own(pattern->own, name))
		return true;
	if (++finding->count > PATTERN_PARTS_MAX) /* it will be refused for that */
		return false;
	for (int i = 0; i < 2 && !found; i++) {
		uint64_t key = finding->scope->key[i];
		if (key != 0 &&
		    !custom_pattern_read(finding->ctx, finding->reader, key, name.bytes, &found)) {
			finding->failed = true;
			return false;
		}
	}
	if (found) {
		found->next = pattern->own;
		pattern->own = found;
	}
	return true;
}

bool custom_pattern_find(struct context *ctx, struct store_reader *reader,
			 const struct custom_pattern_scope *scope, struct pattern_request *pattern)
{
	struct pattern_finding finding = {ctx, reader, scope, pattern, 0, false};
	const struct pattern_names names = {find_one, &finding};
	if (is_named(scope, pattern))
		each_name(&names, pattern->value);
	return !finding.failed;
}

/* ---- writing ---- */

void custom_pattern_write(struct out *out, const struct custom_pattern *own)
{
	out_member_bytes(out, "name", own->name.bytes, own->name.length);
	out_key(out, "title");
	if (own->title.bytes)
		out_bytes(out, own->title.bytes, own->title.length);
	else
		out_null(out);
	out_member_open(out, "sizes", '{');
	out_member_integer(out, "min", own->size);
	out_member_integer(out, "max", own->size);
	out_close(out, '}');
	out_member_string(out, "layer", layer_names[pattern_layer(own->value)]);
	out_member_null(out, "source");
	out_member_bool(out, "own", true);
	out_member_time(out, "updated_at", own->updated_ms);
}
