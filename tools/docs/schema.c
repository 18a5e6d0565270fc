/* schema.c: JSON schemas of openapi.yaml as HTML. */
#include "tools/docs/schema.h"

#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"

/* References in references: more are a circle. */
#define REFERENCES_MAX 20

#define REFERENCE "#/components/"

static json_t *find_path(json_t *at, const char *path)
{
	while (at && *path) {
		path += *path == '/';
		char *part = strndup(path, strcspn(path, "/"));
		path += strlen(part);
		at = json_object_get(at, part);
		free(part);
	}
	return at;
}

json_t *resolve(const struct site *site, json_t *value, const char **name)
{
	for (int i = 0; i < REFERENCES_MAX; i++) {
		const char *reference = json_string_value(json_object_get(value, "$ref"));
		if (!reference)
			return value;
		if (name && !*name)
			*name = strrchr(reference, '/') + 1;
		value = find_path(site->api, reference + 1);
		if (!value)
			fail("a reference to nothing", reference);
	}
	fail("a reference to itself", "$ref");
}

void write_prose(FILE *out, const char *text, int shift, const char *prefix)
{
	if (!text)
		return;
	struct markdown markdown = {.out = out, .shift = shift, .prefix = prefix};
	markdown_write(&markdown, text);
	for (size_t i = 0; i < markdown.id_count; i++)
		free(markdown.ids[i]);
}

/* ---- the kind of a value ---- */

static void write_literal(FILE *out, json_t *value)
{
	char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	html_code(out, text, strlen(text));
	free(text);
}

static void write_type(const struct site *site, FILE *out, json_t *schema);

/* Kinds with a word between them, each once. */
static void write_types(const struct site *site, FILE *out, json_t *list, const char *between)
{
	char *written[50];
	size_t count = 0, index;
	json_t *one;
	json_array_foreach(list, index, one)
	{
		size_t size, i = 0;
		FILE *part = open_memstream(&written[count], &size);
		write_type(site, part, one);
		fclose(part);
		while (strcmp(written[i], written[count]) != 0)
			i++;
		if (i < count) {
			free(written[count]);
			continue;
		}
		fprintf(out, "%s%s", count > 0 ? between : "", written[count]);
		if (++count == 50)
			fail("too many kinds", between);
	}
	for (size_t i = 0; i < count; i++)
		free(written[i]);
}

static void write_type_names(FILE *out, json_t *type)
{
	size_t index;
	json_t *one;
	if (json_is_string(type))
		fputs(json_string_value(type), out);
	json_array_foreach(type, index, one)
		fprintf(out, "%s%s", index > 0 ? " or " : "", json_string_value(one));
}

/* Returns true if a schema is worth a link: it is more than a plain value. */
static bool has_parts(const struct site *site, json_t *schema)
{
	static const char *const parts[] = {"properties", "items", "anyOf",
					    "oneOf",      "allOf", "enum"};
	json_t *value = resolve(site, schema, NULL);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (json_object_get(value, parts[i]))
			return true;
	return false;
}

static void write_type(const struct site *site, FILE *out, json_t *schema)
{
	const char *name = NULL;
	json_t *value = resolve(site, schema, &name);
	if (name && has_parts(site, schema)) {
		fprintf(out, "<a class=\"schema\" href=\"/docs/schemas#%s\">%s</a>", name, name);
		return;
	}
	json_t *any = json_object_get(value, "anyOf");
	any = any ? any : json_object_get(value, "oneOf");
	json_t *items = json_object_get(value, "items");
	if (any) {
		write_types(site, out, any, " or ");
	} else if (json_object_get(value, "const")) {
		write_literal(out, json_object_get(value, "const"));
	} else if (items) {
		fputs("array of ", out);
		write_type(site, out, items);
	} else if (json_object_get(value, "allOf")) {
		write_types(site, out, json_object_get(value, "allOf"), " and ");
	} else if (json_object_get(value, "type")) {
		write_type_names(out, json_object_get(value, "type"));
	} else {
		fputs(json_object_get(value, "properties") ? "object" : "any value", out);
	}
}

/* ---- bounds ---- */

static void write_range(FILE *out, json_t *value, const char *least, const char *most,
			const char *unit)
{
	json_t *from = json_object_get(value, least), *to = json_object_get(value, most);
	char *first = from ? json_dumps(from, JSON_ENCODE_ANY) : NULL;
	char *last = to ? json_dumps(to, JSON_ENCODE_ANY) : NULL;
	const char *end = last ? last : first; /* "1 item", "2 items" */
	const int shown = (int)strlen(unit) - (end && unit[0] && strcmp(end, "1") == 0);
	if (first && last && strcmp(first, last) == 0)
		fprintf(out, ", %s%.*s", first, shown, unit);
	else if (first && last)
		fprintf(out, ", %s to %s%.*s", first, last, shown, unit);
	else if (first && !(strcmp(first, "0") == 0 && unit[0]))
		fprintf(out, ", at least %s%.*s", first, shown, unit);
	else if (last)
		fprintf(out, ", at most %s%.*s", last, shown, unit);
	free(first);
	free(last);
}

static void write_bounds(FILE *out, json_t *value)
{
	write_range(out, value, "minimum", "maximum", "");
	write_range(out, value, "minLength", "maxLength", " characters");
	write_range(out, value, "minItems", "maxItems", " items");
	write_range(out, value, "minProperties", "maxProperties", " members");
	const char *pattern = json_string_value(json_object_get(value, "pattern"));
	if (pattern) {
		fputs(", matches ", out);
		html_code(out, pattern, strlen(pattern));
	}
	const char *format = json_string_value(json_object_get(value, "format"));
	if (format)
		fprintf(out, ", %s", format);
	json_t *initial = json_object_get(value, "default");
	if (initial) {
		fputs(", default ", out);
		write_literal(out, initial);
	}
}

void write_kind(const struct site *site, FILE *out, json_t *schema)
{
	write_type(site, out, schema);
	write_bounds(out, resolve(site, schema, NULL));
}

void write_values(const struct site *site, FILE *out, json_t *schema)
{
	json_t *value = resolve(site, schema, NULL), *one;
	json_t *items = json_object_get(value, "items");
	json_t *values = json_object_get(items ? resolve(site, items, NULL) : value, "enum");
	size_t index;
	if (!values)
		return;
	fputs("<ul class=\"values\" aria-label=\"Values\">", out);
	json_array_foreach(values, index, one)
	{
		fputs("<li>", out);
		if (json_is_string(one))
			html_code(out, json_string_value(one), json_string_length(one));
		else
			write_literal(out, one);
		fputs("</li>", out);
	}
	fputs("</ul>\n", out);
}

/* ---- members ---- */

static const char *description_of(const struct site *site, json_t *schema)
{
	const char *own = json_string_value(json_object_get(schema, "description"));
	json_t *value = resolve(site, schema, NULL);
	return own ? own : json_string_value(json_object_get(value, "description"));
}

/* The members of an object, array or combination that has no name of its own and so no place. */
static void write_nested(const struct place *place, const char *name, json_t *schema)
{
	char id[300], title[300];
	if (json_object_get(schema, "$ref"))
		return;
	json_t *items = json_object_get(schema, "items");
	if (items) {
		write_nested(place, name, items);
		return;
	}
	snprintf(id, sizeof id, "%s.%s", place->id ? place->id : "", name);
	snprintf(title, sizeof title, "%s.%s", place->title, name);
	struct place inside = *place;
	inside.id = place->id ? id : NULL;
	inside.title = title;
	inside.flat = true;
	write_members(&inside, schema);
}

void write_member(const struct place *place, const char *name, const char *note, const char *text,
		  json_t *schema)
{
	const struct site *site = place->site;
	char id[300] = "", address[400];
	if (place->id)
		snprintf(id, sizeof id, "%s.%s", place->id, name);
	const char *description = text ? text : description_of(site, schema);
	fputs("<dt", place->out);
	if (place->id)
		fprintf(place->out, " id=\"%s\"><a class=\"name\" href=\"#%s\"", id, id);
	fputs(place->id ? ">" : "><span class=\"name\">", place->out);
	html_code(place->out, name, strlen(name));
	fputs(place->id ? "</a> <span class=\"kind\">" : "</span> <span class=\"kind\">",
	      place->out);
	fputs(note, place->out);
	write_kind(site, place->out, schema);
	fputs("</span></dt>\n<dd>", place->out);
	write_prose(place->out, description, 4, id);
	if (!json_object_get(schema, "$ref"))
		write_values(site, place->out, schema);
	else if (json_object_get(resolve(site, schema, NULL), "enum"))
		write_values(site, place->out, schema);
	if (place->id && place->kind) {
		snprintf(address, sizeof address, "%s#%s", place->address, id);
		search_add(place->site, place->kind, name, place->title, address, description);
	}
	write_nested(place, name, schema);
	fputs("</dd>\n", place->out);
}

static bool is_required(json_t *object, const char *name)
{
	size_t index;
	json_t *one;
	json_array_foreach(json_object_get(object, "required"), index,
			   one) if (strcmp(json_string_value(one), name) == 0) return true;
	return false;
}

/* Members of a schema and of what it is combined of, each once; `done` has the names. */
static void write_parts(const struct place *place, json_t *schema, json_t *done, int depth)
{
	static const char *const combined[] = {"allOf", "oneOf", "anyOf"};
	const char *name;
	json_t *member, *part;
	size_t index;
	if (depth > REFERENCES_MAX || (place->flat && json_object_get(schema, "$ref")))
		return;
	schema = resolve(place->site, schema, NULL);
	json_object_foreach(json_object_get(schema, "properties"), name, member)
	{
		if (json_object_get(done, name))
			continue;
		if (json_object_size(done) == 0)
			fputs("<dl class=\"members\">\n", place->out);
		json_object_set_new(done, name, json_true());
		write_member(place, name, is_required(schema, name) ? "required, " : "", NULL,
			     member);
	}
	for (size_t i = 0; i < sizeof combined / sizeof combined[0]; i++)
		json_array_foreach(json_object_get(schema, combined[i]), index, part)
			write_parts(place, part, done, depth + 1);
}

void write_members(const struct place *place, json_t *schema)
{
	json_t *done = json_object();
	write_parts(place, schema, done, 0);
	if (json_object_size(done) > 0)
		fputs("</dl>\n", place->out);
	json_decref(done);
}
