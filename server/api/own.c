/* own.c: patterns of a session's own: which are meant, and reading them. */
#include "server/api/own.h"

#include <string.h>

#include "server/api/input.h"
#include "server/api/state.h"

/* ---- whose ---- */

struct own_scope own_scope(const struct work *work)
{
	struct own_scope scope = {{0, work->who.key}};
	if (work->session && work->session->meta.key != work->who.key)
		scope.key[0] = work->session->meta.key;
	return scope;
}

void own_enter(struct work *work, enum session_need need, void (*entered)(struct work *work))
{
	const struct text *id = &work->query.value[PARAMETER_SESSION];
	if (!id->bytes) {
		entered(work);
	} else if (session_id_parse(id->bytes, id->length, &work->id)) {
		hub_enter(work, need, entered);
	} else {
		query_problem(work, "session", "This is not a session id.", "16 letters and digits",
			      NULL);
		work_answer(work);
	}
}

/* ---- which ---- */

/* Calls `named` for each name in a pattern that is not a common one, until it returns false. What
 * is no pattern is passed over. */
struct names {
	bool (*named)(void *context, struct text name);
	void *context;
};

static bool each_name(const struct names *names, struct input_value *value);

static bool each_part(const struct names *names, struct input_value *parts)
{
	for (size_t i = 0; i < input_array_length(parts); i++)
		if (!each_name(names, input_array_at(parts, i)))
			return false;
	return true;
}

/* Parsed JSON is at most INPUT_DEPTH_MAX deep. */
static bool each_name(const struct names *names, struct input_value *value)
{
	static const char *const inside[] = {"all", "any", "not", "anywhere"};
	if (!input_is_object(value))
		return true;
	struct input_value *name = input_member_at(value, "name");
	if (name && input_is_text(name)) {
		struct text text = input_text(name);
		if (!cube_named_find(text.bytes, text.length) &&
		    !names->named(names->context, text))
			return false;
	}
	for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) {
		struct input_value *parts = input_member_at(value, inside[i]);
		if (parts &&
		    !(input_is_array(parts) ? each_part(names, parts) : each_name(names, parts)))
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

static bool is_named(const struct own_scope *scope, const struct pattern_request *pattern)
{
	const struct names names = {stop, NULL};
	return (scope->key[0] != 0 || scope->key[1] != 0) && !each_name(&names, pattern->value);
}

/* A pattern in a longer body is looked through by a reader. */
#define LOOK_BYTES 1024

bool own_is_named(const struct work *work, const struct own_scope *scope,
		  const struct pattern_request *pattern)
{
	if (work->request->body_length > LOOK_BYTES)
		return scope->key[0] != 0 || scope->key[1] != 0;
	return is_named(scope, pattern);
}

/* ---- reading ---- */

struct reading {
	struct work *work;
	struct own_pattern **last;
	bool failed;
};

struct etag_state own_state(const struct stored_pattern *stored)
{
	uint64_t hash = etag_add_number(0, (uint64_t)stored->updated_ms);
	hash = etag_add_text(hash, stored->name);
	return etag_of_hash(etag_add_text(hash, stored->pattern));
}

/* What was stored by this program can be read; what was not is passed over. */
static bool take(struct reading *reading, const struct stored_pattern *stored)
{
	struct work *work = reading->work;
	struct own_pattern *own = work_take(work, sizeof *own);
	const char *name = arena_text(&work->request->arena, stored->name, strlen(stored->name));
	const char *text =
		arena_text(&work->request->arena, stored->pattern, strlen(stored->pattern));
	if (!own || !name || !text)
		return work_no_memory(work);
	struct input_value *row = input_stored(work, text, strlen(text));
	if (!row)
		return work->request->reply.status == 0;
	struct input_value *title = input_member_at(row, "title"),
			   *size = input_member_at(row, "size");
	*own = (struct own_pattern){.name = {name, strlen(name)},
				    .updated_ms = stored->updated_ms,
				    .state = own_state(stored),
				    .value = input_member_at(row, "pattern")};
	if (!own->value || !size || !cube_size_valid(input_number(size)))
		return true;
	own->size = (int)input_number(size);
	if (title && input_is_text(title))
		own->title = input_text(title);
	*reading->last = own;
	reading->last = &own->next;
	return true;
}

/* A store_visit_pattern. */
static bool visit(void *context, const struct stored_pattern *stored)
{
	struct reading *reading = context;
	reading->failed = !take(reading, stored);
	return !reading->failed;
}

bool own_read(struct work *work, struct store_reader *reader, uint64_t key, const char *name,
	      struct own_pattern **list)
{
	struct reading reading = {.work = work, .last = list};
	enum store_status status = work->service->store->operations->patterns(
		reader, key, name, true, visit, &reading);
	if (status != STORE_OK)
		work_store_problem(work, status);
	return status == STORE_OK && !reading.failed;
}

struct finding {
	struct work *work;
	struct store_reader *reader;
	const struct own_scope *scope;
	struct pattern_request *pattern;
	int count;
	bool failed;
};

static bool find_one(void *context, struct text name)
{
	struct finding *finding = context;
	struct pattern_request *pattern = finding->pattern;
	struct own_pattern *found = NULL;
	if (pattern_own(pattern->own, name))
		return true;
	if (++finding->count > PATTERN_PARTS_MAX) /* it will be refused for that */
		return false;
	for (int i = 0; i < 2 && !found; i++) {
		uint64_t key = finding->scope->key[i];
		if (key != 0 &&
		    !own_read(finding->work, finding->reader, key, name.bytes, &found)) {
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

bool own_find(struct work *work, struct store_reader *reader, const struct own_scope *scope,
	      struct pattern_request *pattern)
{
	struct finding finding = {work, reader, scope, pattern, 0, false};
	const struct names names = {find_one, &finding};
	if (is_named(scope, pattern))
		each_name(&names, pattern->value);
	return !finding.failed;
}

/* ---- writing ---- */

void own_write(struct out *out, const struct own_pattern *own)
{
	out_key(out, "name");
	out_bytes(out, own->name.bytes, own->name.length);
	out_key(out, "title");
	if (own->title.bytes)
		out_bytes(out, own->title.bytes, own->title.length);
	else
		out_null(out);
	out_key(out, "sizes");
	out_open(out, '{');
	out_key(out, "min");
	out_integer(out, own->size);
	out_key(out, "max");
	out_integer(out, own->size);
	out_close(out, '}');
	out_key(out, "layer");
	out_string(out, layer_names[pattern_layer(own->value)]);
	out_key(out, "source");
	out_null(out);
	out_key(out, "own");
	out_bool(out, true);
	out_key(out, "updated_at");
	out_time(out, own->updated_ms);
}
