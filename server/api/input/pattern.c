/* pattern.c: reading the pattern of a request: combinations, pieces, names. */
#include "server/api/input/pattern.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "server/api/input/custom_patterns.h"
#include "server/api/input/input.h"
#include "server/api/input/pattern_internal.h"
#include "server/api/request/problem.h"
#include "server/util/suggest.h"

bool pattern_problem(struct context *ctx, const char *pointer, const char *expected,
		     const char *detail, ...)
{
	struct out out;
	char text[256];
	va_list arguments;
	va_start(arguments, detail);
	vsnprintf(text, sizeof text, detail, arguments);
	va_end(arguments);
	problem_begin(ctx->request, PROBLEM_BAD_PATTERN, &out, "%s", text);
	input_place_write(ctx, &out, &(struct json_place){.pointer = pointer});
	problem_member(&out, "expected", expected);
	problem_end(ctx->request, &out);
	return false;
}

bool pattern_read(struct context *ctx, struct json_value *value, const char *pointer,
		  struct pattern_request *pattern)
{
	*pattern = (struct pattern_request){.value = value, .pointer = pointer};
	if (!value)
		return input_problem(ctx, pointer,
				     "pattern is required, for example {\"name\": \"cross\"}.",
				     "a pattern: a string or an object", NULL);
	return json_is_kind(value, JSON_KIND_TEXT) || json_is_kind(value, JSON_KIND_OBJECT) ||
	       input_problem(ctx, pointer,
			     "Must be a string or an object, for example {\"name\": \"cross\"}.",
			     "a string, or an object such as {\"name\": \"cross\"}", NULL);
}

/* ---- nodes ---- */

bool pattern_add(struct pattern_reading *in, const struct cube_query_node *nodes, uint32_t count)
{
	if (in->count + count > in->room) {
		uint32_t room = 2 * in->room + count + 8;
		struct cube_query_node *more = ctx_alloc(in->ctx, room * sizeof *more);
		if (!more)
			return false;
		if (in->count > 0)
			memcpy(more, in->nodes, in->count * sizeof *more);
		in->nodes = more;
		in->room = room;
	}
	memcpy(in->nodes + in->count, nodes, count * sizeof *nodes);
	in->count += count;
	return true;
}

bool pattern_part(struct pattern_reading *in, const char *pointer)
{
	char most[64];
	snprintf(most, sizeof most, "at most %d patterns of colours, pieces and names",
		 PATTERN_PARTS_MAX);
	return ++in->parts <= PATTERN_PARTS_MAX ||
	       pattern_problem(in->ctx, pointer, most, "The pattern has more than %d parts.",
			       PATTERN_PARTS_MAX);
}

/* ---- pieces ---- */

static bool read_rule(struct pattern_reading *in, struct text place, struct text condition,
		      const char *pointer, struct cube_piece_rule *rule)
{
	int at = cube_place_find(place.bytes, place.length);
	int what = cube_piece_condition_find(condition.bytes, condition.length);
	if (at < 0)
		return pattern_problem(
			in->ctx, pointer, "a corner such as URF, or an edge such as UF",
			"Unknown piece; use a corner such as URF, or an edge such as UF.");
	if (what < 0)
		return pattern_problem(in->ctx, pointer, "home, placed, oriented or slice",
				       "Unknown condition; use home, placed, oriented or slice.");
	*rule = (struct cube_piece_rule){(uint8_t)at, (uint8_t)what};
	if (cube_piece_rule_valid(in->size, *rule))
		return true;
	return pattern_problem(in->ctx, pointer, NULL,
			       "The condition %s does not apply to %s on a %dx%dx%d.",
			       cube_piece_condition_name((enum cube_piece_condition)what),
			       cube_place_name(at), in->size, in->size, in->size);
}

struct rules {
	struct pattern_reading *in;
	const char *pointer;
	struct cube_piece_rule rule[CUBE_PLACES];
	size_t count;
};

static bool read_named_rule(void *context, const char *name, struct json_value *value)
{
	struct rules *rules = context;
	struct pattern_reading *in = rules->in;
	const char *pointer = input_pointer(in->ctx, rules->pointer, name);
	if (!json_is_kind(value, JSON_KIND_TEXT))
		return pattern_problem(in->ctx, pointer, "home, placed, oriented or slice",
				       "Unknown condition; use home, placed, oriented or slice.");
	/* UF and FU may both be given. */
	if (rules->count == CUBE_PLACES)
		return pattern_problem(in->ctx, pointer, "each place at most once",
				       "Each place may be given only once.");
	return read_rule(in, (struct text){name, strlen(name)}, json_value_text(value), pointer,
			 &rules->rule[rules->count++]);
}

static bool read_pieces(struct pattern_reading *in, struct json_value *object, const char *pointer,
			bool held)
{
	struct rules rules = {.in = in, .pointer = pointer};
	if (!json_is_kind(object, JSON_KIND_OBJECT))
		return pattern_problem(in->ctx, pointer, "an object such as {\"UF\": \"home\"}",
				       "Must be an object, for example {\"UF\": \"home\"}.");
	if (!pattern_part(in, pointer) || !json_each_member(object, read_named_rule, &rules))
		return false;
	struct cube_pieces *pieces = ctx_alloc(in->ctx, cube_pieces_bytes(in->size, rules.count));
	if (!pieces)
		return false;
	cube_pieces_make(pieces, in->size, rules.rule, rules.count);
	const struct cube_query_node node = {
		.kind = CUBE_QUERY_PIECES, .held = held, .span = 1, .pieces = pieces};
	return pattern_add(in, &node, 1);
}

/* ---- names ---- */

const char *pattern_nearest(struct text name)
{
	const char *names[256];
	size_t count = cube_named_count < 256 ? cube_named_count : 256;
	for (size_t i = 0; i < count; i++)
		names[i] = cube_named[i].name;
	return suggest_nearest(name.bytes, name.length, names, count);
}

static bool no_such_name(struct pattern_reading *in, struct text name, const char *pointer)
{
	struct out out;
	problem_begin(in->ctx->request, PROBLEM_BAD_PATTERN, &out, "%s",
		      in->alone ? "Unknown common pattern. An own pattern can refer only to common "
				  "patterns."
				: "Unknown pattern; GET /v1/patterns lists those with a name.");
	input_place_write(in->ctx, &out, &(struct json_place){.pointer = pointer});
	problem_member(&out, "expected", "a name listed by GET /v1/patterns");
	problem_member(&out, "suggestion", pattern_nearest(name));
	problem_end(in->ctx->request, &out);
	return false;
}

static bool read_pattern(struct pattern_reading *in, struct json_value *value, const char *pointer);

const struct custom_pattern *pattern_own(const struct custom_pattern *list, struct text name)
{
	while (list && (list->name.length != name.length ||
			memcmp(list->name.bytes, name.bytes, name.length) != 0))
		list = list->next;
	return list;
}

/* As if it stood in place of its name; but it cannot name own patterns. */
static bool read_own(struct pattern_reading *in, const struct custom_pattern *own,
		     const char *pointer)
{
	const struct custom_pattern *all = in->own;
	if (in->size != own->size)
		return pattern_problem(in->ctx, pointer, NULL,
				       "The pattern %s is for size %d; the cube is a %dx%dx%d.",
				       own->name.bytes, own->size, in->size, in->size, in->size);
	in->own = NULL;
	bool read = read_pattern(in, own->value, pointer);
	in->own = all;
	return read;
}

static bool read_name(struct pattern_reading *in, struct text name, const char *pointer)
{
	const struct cube_named *named = cube_named_find(name.bytes, name.length);
	const struct custom_pattern *own = named ? NULL : pattern_own(in->own, name);
	if (own)
		return read_own(in, own, pointer);
	if (!named)
		return no_such_name(in, name, pointer);
	if (in->size < named->size_min || in->size > named->size_max)
		return pattern_problem(
			in->ctx, pointer, NULL,
			"The pattern %s is for sizes %d to %d; the cube is a %dx%dx%d.",
			named->name, named->size_min, named->size_max, in->size, in->size,
			in->size);
	if (!pattern_part(in, pointer))
		return false;
	void *memory = ctx_alloc(in->ctx, cube_named_bytes(named, in->size));
	if (!memory)
		return false;
	const struct cube_query_node *nodes = cube_named_make(named, in->size, memory);
	return pattern_add(in, nodes, nodes->span);
}

/* ---- combinations ---- */

static bool read_parts(struct pattern_reading *in, enum cube_query_kind kind,
		       struct json_value *parts, const char *pointer)
{
	uint32_t at = in->count;
	const struct cube_query_node node = {.kind = (uint8_t)kind};
	if (!json_is_kind(parts, JSON_KIND_ARRAY) || json_item_count(parts) == 0)
		return pattern_problem(in->ctx, pointer, "an array of patterns",
				       "Must be an array of at least one pattern.");
	if (!pattern_add(in, &node, 1))
		return false;
	for (size_t i = 0; i < json_item_count(parts); i++)
		if (!read_pattern(in, json_item(parts, i),
				  input_pointer_index(in->ctx, pointer, i)))
			return false;
	in->nodes[at].span = in->count - at;
	return true;
}

/* `not` and `anywhere`. */
static bool read_one(struct pattern_reading *in, enum cube_query_kind kind, struct json_value *part,
		     const char *pointer)
{
	uint32_t at = in->count;
	const struct cube_query_node node = {.kind = (uint8_t)kind};
	if (!pattern_add(in, &node, 1) || !read_pattern(in, part, pointer))
		return false;
	in->nodes[at].span = in->count - at;
	return true;
}

/* The members of an object. */
struct members {
	struct json_value *faces, *pieces, *all, *any, *negated, *anywhere;
	struct text name, views, layer;
	int64_t size;
};

static bool read_members(struct pattern_reading *in, struct json_value *object, const char *pointer,
			 struct members *has)
{
	const struct json_member members[] = {
		{"faces", JSON_ANY, &has->faces, 0, 0},
		{"pieces", JSON_ANY, &has->pieces, 0, 0},
		{"name", JSON_TEXT, &has->name, 0, 0},
		{"all", JSON_ANY, &has->all, 0, 0},
		{"any", JSON_ANY, &has->any, 0, 0},
		{"not", JSON_ANY, &has->negated, 0, 0},
		{"anywhere", JSON_ANY, &has->anywhere, 0, 0},
		{"size", JSON_INT64, &has->size, CUBE_SIZE_MIN, CUBE_SIZE_MAX},
		{"views", JSON_TEXT, &has->views, 0, 0},
		{"layer", JSON_TEXT, &has->layer, 0, 0},
	};
	if (!input_object(in->ctx, object, pointer, members, sizeof members / sizeof members[0]))
		return false;
	int kinds = (has->faces != NULL) + (has->pieces != NULL) + (has->name.bytes != NULL) +
		    (has->all != NULL) + (has->any != NULL) + (has->negated != NULL) +
		    (has->anywhere != NULL);
	if (kinds != 1)
		return pattern_problem(
			in->ctx, pointer,
			"exactly one of faces, pieces, name, all, any, not, anywhere",
			"A pattern must have exactly one of faces, pieces, name, all, any, not and "
			"anywhere.");
	if (has->size != 0 && has->size != in->size)
		return pattern_problem(in->ctx, input_pointer(in->ctx, pointer, "size"), NULL,
				       "The pattern is for a %dx%dx%d; the cube is a %dx%dx%d.",
				       (int)has->size, (int)has->size, (int)has->size, in->size,
				       in->size, in->size);
	return true;
}

/* Colours are matched in all views unless the pattern says otherwise, pieces only as the cube is
 * held. */
static bool read_views(struct pattern_reading *in, const struct members *has, const char *pointer,
		       bool *held)
{
	const struct text *views = &has->views;
	*held = has->pieces != NULL;
	if (!views->bytes)
		return true;
	const char *place = input_pointer(in->ctx, pointer, "views");
	if (!has->faces && !has->pieces)
		return pattern_problem(in->ctx, place, "views together with faces or pieces",
				       "views is allowed only with faces or pieces.");
	*held = text_names(*views, "held");
	return *held || text_names(*views, "all") ||
	       pattern_problem(in->ctx, place, "all or held", "Must be all or held.");
}

const char *const layer_names[CUBE_LAYERS] = {NULL, "first", "last"};

static bool layer_of(struct text name, uint8_t *layer)
{
	for (uint8_t i = CUBE_LAYER_FIRST; i < CUBE_LAYERS; i++)
		if (text_names(name, layer_names[i])) {
			*layer = i;
			return true;
		}
	return false;
}

/* The layer given in the pattern, else that of its name. It was read before. */
static uint8_t layer_given(const struct custom_pattern *list, struct json_value *value)
{
	uint8_t layer = CUBE_LAYER_NONE;
	struct json_value *given =
		json_is_kind(value, JSON_KIND_OBJECT) ? json_member_of(value, "layer") : NULL;
	struct json_value *name =
		json_is_kind(value, JSON_KIND_OBJECT) ? json_member_of(value, "name") : NULL;
	if (given && json_is_kind(given, JSON_KIND_TEXT) &&
	    layer_of(json_value_text(given), &layer))
		return layer;
	if (!name)
		return CUBE_LAYER_NONE;
	struct text text = json_value_text(name);
	const struct cube_named *named = cube_named_find(text.bytes, text.length);
	const struct custom_pattern *own = named ? NULL : pattern_own(list, text);
	return named ? named->layer : own ? pattern_layer(own->value) : CUBE_LAYER_NONE;
}

uint8_t pattern_layer(struct json_value *value)
{
	return layer_given(NULL, value);
}

static bool read_layer(struct pattern_reading *in, const struct members *has, const char *pointer)
{
	uint8_t layer;
	return !has->layer.bytes || layer_of(has->layer, &layer) ||
	       pattern_problem(in->ctx, input_pointer(in->ctx, pointer, "layer"), "first or last",
			       "Must be first or last.");
}

static bool read_pattern(struct pattern_reading *in, struct json_value *value, const char *pointer)
{
	struct members has = {0};
	bool held;
	if (json_is_kind(value, JSON_KIND_TEXT))
		return pattern_read_faces(in, value, pointer, false);
	if (!json_is_kind(value, JSON_KIND_OBJECT))
		return pattern_problem(
			in->ctx, pointer, "a string, or an object such as {\"name\": \"cross\"}",
			"Must be a string or an object, for example {\"name\": \"cross\"}.");
	if (!read_members(in, value, pointer, &has) || !read_views(in, &has, pointer, &held) ||
	    !read_layer(in, &has, pointer))
		return false;
	if (has.faces)
		return pattern_read_faces(in, has.faces, input_pointer(in->ctx, pointer, "faces"),
					  held);
	if (has.pieces)
		return read_pieces(in, has.pieces, input_pointer(in->ctx, pointer, "pieces"), held);
	if (has.name.bytes)
		return read_name(in, has.name, input_pointer(in->ctx, pointer, "name"));
	if (has.negated)
		return read_one(in, CUBE_QUERY_NOT, has.negated,
				input_pointer(in->ctx, pointer, "not"));
	if (has.anywhere)
		return read_one(in, CUBE_QUERY_ANYWHERE, has.anywhere,
				input_pointer(in->ctx, pointer, "anywhere"));
	return has.all ? read_parts(in, CUBE_QUERY_ALL, has.all,
				    input_pointer(in->ctx, pointer, "all"))
		       : read_parts(in, CUBE_QUERY_ANY, has.any,
				    input_pointer(in->ctx, pointer, "any"));
}

bool pattern_make(struct context *ctx, struct pattern_request *pattern, int size)
{
	struct pattern_reading in = {
		.ctx = ctx, .size = size, .own = pattern->own, .alone = pattern->alone};
	if (!read_pattern(&in, pattern->value, pattern->pointer))
		return false;
	cube_query_prepare(in.nodes);
	pattern->query = in.nodes;
	pattern->layer = layer_given(pattern->own, pattern->value);
	return true;
}

/* ---- costs ---- */

/* An upper bound of parts; a named pattern consists of some. */
static uint64_t parts_of(const struct pattern_request *pattern)
{
	return json_is_kind(pattern->value, JSON_KIND_TEXT) ? 1 : PATTERN_PARTS_MAX;
}

uint64_t pattern_cost(const struct pattern_request *pattern, const struct context *ctx, int size)
{
	return (uint64_t)ctx->request->body_length * 30 +
	       parts_of(pattern) * cube_facelets(size) * 20;
}

uint64_t pattern_match_cost(const struct pattern_request *pattern, int size)
{
	return parts_of(pattern) * cube_facelets(size) * 24;
}

/* ---- answers ---- */

void pattern_fit_write(struct out *out, const struct pattern_request *pattern,
		       const uint8_t *colors, int fit)
{
	int8_t bound[CUBE_GENERICS];
	cube_query_bindings(pattern->query, colors, fit, bound);
	out_member_bytes(out, "face", &cube_face_letters[cube_fit_face(fit)], 1);
	out_member_integer(out, "rotation", 90 * cube_fit_rotation(fit));
	out_member_open(out, "bindings", '{');
	for (int i = 0; i < CUBE_GENERICS; i++) {
		const char key[] = {(char)('1' + i), '\0'};
		if (bound[i] < 0)
			continue;
		out_member_bytes(out, key, &cube_face_letters[bound[i]], 1);
	}
	out_close(out, '}');
}
