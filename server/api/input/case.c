/* case.c: the name of a set of cases, or of a case of it. */
#include "server/api/input/case.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cube/named.h"
#include "server/api/input/input.h"
#include "server/api/request/problem.h"
#include "server/util/suggest.h"

static const char any[] = "-any";

/* The text of {"name": text}; bytes NULL: something else. */
static struct text name_of(struct json_value *until)
{
	struct json_value *name =
		json_is_kind(until, JSON_KIND_OBJECT) ? json_member_of(until, "name") : NULL;
	return name && json_is_kind(name, JSON_KIND_TEXT) ? json_value_text(name)
							  : (struct text){0};
}

bool case_read(struct json_value *until, struct case_request *request)
{
	const struct text name = name_of(until);
	*request = (struct case_request){.name = name};
	if (!name.bytes || cube_named_find(name.bytes, name.length))
		return false;
	const char *hyphen = memchr(name.bytes, '-', name.length);
	const size_t length = hyphen ? (size_t)(hyphen - name.bytes) : name.length;
	request->set = cube_set_find(name.bytes, length);
	request->any = !hyphen || text_is((struct text){hyphen, name.length - length}, any);
	return request->set != NULL;
}

void case_set_names(const char *names[CUBE_SETS])
{
	for (size_t i = 0; i < CUBE_SETS; i++)
		names[i] = cube_sets[i].name;
}

bool case_known(struct context *ctx, struct json_value *until, const char *pointer)
{
	const struct text name = name_of(until);
	const char *names[256 + CUBE_SETS];
	const size_t patterns = cube_named_count < 256 ? cube_named_count : 256;
	struct out out;
	if (!name.bytes || cube_named_find(name.bytes, name.length))
		return true;
	case_set_names(names);
	for (size_t i = 0; i < patterns; i++)
		names[CUBE_SETS + i] = cube_named[i].name;
	const char *hyphen = memchr(name.bytes, '-', name.length);
	const char *nearest = suggest_nearest(name.bytes, name.length, names, CUBE_SETS + patterns);
	if (!nearest && hyphen) /* of a case: its set */
		nearest = suggest_nearest(name.bytes, (size_t)(hyphen - name.bytes), names,
					  CUBE_SETS);
	problem_begin(ctx->request, PROBLEM_BAD_PATTERN, &out,
		      "Unknown pattern or set; GET /v1/patterns and GET /v1/sets list them.");
	input_place_write(ctx, &out, &(struct json_place){.pointer = pointer});
	problem_member(&out, "expected", "the name of a pattern, a set or a case");
	problem_member(&out, "suggestion", nearest);
	problem_end(ctx->request, &out);
	return false;
}

/* Shorter ones, such as X, are near to any letter. */
#define ALIAS_SHORTEST 3

/* Writes what people call a case as a part of a path: "seein-headlights". */
static const char *alias_print(struct context *ctx, const char *alias)
{
	char *text = ctx_alloc(ctx, strlen(alias) + 1);
	size_t length = 0;
	if (!text)
		return NULL;
	for (const char *at = alias; *at; at++)
		if (*at != '\'')
			text[length++] = *at == ' ' ? '-' : (char)tolower((unsigned char)*at);
	text[length] = '\0';
	return text;
}

/* Finds the nearest of the names that people have for cases. The first `prefix` bytes are kept. NULL if
 * none is near. */
static const char *alias_nearest(struct context *ctx, const struct cube_set *set,
				 const struct cube_case *cases, struct text name, size_t prefix)
{
	const char *names[CUBE_SET_CASES_MAX], *found[CUBE_CASE_ALIASES_MAX];
	size_t count = 0;
	for (size_t i = 0; i < set->cases; i++)
		for (size_t j = cube_case_aliases(cases[i].name, found); j > 0; j--)
			if (strlen(found[j - 1]) >= ALIAS_SHORTEST && count < CUBE_SET_CASES_MAX &&
			    (names[count] = alias_print(ctx, found[j - 1])) != NULL)
				count++;
	const char *nearest =
		suggest_nearest(name.bytes + prefix, name.length - prefix, names, count);
	const size_t room = nearest ? prefix + strlen(nearest) + 1 : 0;
	char *text = nearest ? ctx_alloc(ctx, room) : NULL;
	if (text)
		snprintf(text, room, "%.*s%s", (int)prefix, name.bytes, nearest);
	return text;
}

const char *case_nearest(struct context *ctx, const struct cube_set *set,
			 const struct cube_case *cases, struct text name, size_t prefix)
{
	const char *names[CUBE_SET_CASES_MAX];
	for (size_t i = 0; i < set->cases; i++)
		names[i] = cases[i].name;
	const char *nearest = suggest_nearest(name.bytes, name.length, names, set->cases);
	return nearest ? nearest : alias_nearest(ctx, set, cases, name, prefix);
}

static bool no_such_case(struct context *ctx, const struct case_request *request,
			 const struct cube_case *cases, const char *pointer)
{
	const struct cube_set *set = request->set;
	const char *nearest = case_nearest(ctx, set, cases, request->name, strlen(set->name) + 1);
	struct out out;
	problem_begin(ctx->request, PROBLEM_BAD_PATTERN, &out, CASE_UNKNOWN, set->name, set->name);
	input_place_write(ctx, &out, &(struct json_place){.pointer = pointer});
	problem_member(&out, "expected", "the name of a case, a set or a pattern");
	problem_member(&out, "suggestion", nearest);
	problem_end(ctx->request, &out);
	return false;
}

bool case_find(struct context *ctx, struct case_request *request, const char *pointer)
{
	const struct cube_set *set = request->set;
	if (request->any)
		return true;
	struct cube_case *cases = ctx_alloc(ctx, set->cases * sizeof *cases);
	if (!cases)
		return false;
	cube_set_cases(set, cases);
	const size_t prefix = strlen(set->name) + 1; /* and a hyphen */
	const char *called =
		cube_case_called(set, request->name.bytes + prefix, request->name.length - prefix);
	for (size_t i = 0; i < set->cases; i++)
		if (text_names(request->name, cases[i].name) ||
		    (called && strcmp(called, cases[i].name) == 0))
			request->one = &cases[i];
	return request->one || no_such_case(ctx, request, cases, pointer);
}
