/* calls.c: the page at /docs: what holds for all calls, and each call. */
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/schema.h"

#define ADDRESS "/docs"

static const char *const methods[] = {"get", "post", "put", "patch", "delete"};
#define METHODS (sizeof methods / sizeof methods[0])

struct call {
	const char *method, *path, *id, *summary;
	json_t *item, *operation;
};

/* Calls `visit` for the calls with this first tag, in the order of the paths. */
static void each_call(const struct site *site, const char *tag, FILE *out,
		      void (*visit)(const struct site *, FILE *, const struct call *))
{
	const char *path;
	json_t *item;
	json_object_foreach(json_object_get(site->api, "paths"), path, item)
	{
		for (size_t i = 0; i < METHODS; i++) {
			json_t *operation = json_object_get(item, methods[i]);
			json_t *tags = json_object_get(operation, "tags");
			if (!operation ||
			    strcmp(json_string_value(json_array_get(tags, 0)), tag) != 0)
				continue;
			const struct call call = {
				.method = methods[i],
				.path = path,
				.id = json_string_value(json_object_get(operation, "operationId")),
				.summary = json_string_value(json_object_get(operation, "summary")),
				.item = item,
				.operation = operation,
			};
			visit(site, out, &call);
		}
	}
}

static void write_method(FILE *out, const char *method)
{
	fprintf(out, "<b class=\"method %s\">", method);
	for (; *method; method++)
		putc(*method - 'a' + 'A', out);
	fputs("</b>", out);
}

/* A path may be broken before its slashes only. */
static void write_path(FILE *out, const char *path)
{
	fputs("<code>", out);
	for (const char *at = path; *at; at++) {
		if (*at == '/' && at > path)
			fputs("<wbr>", out);
		html_bytes(out, at, 1);
	}
	fputs("</code>", out);
}

/* ---- the contents ---- */

static void write_entry(const struct site *site, FILE *out, const struct call *call)
{
	(void)site;
	fprintf(out, "<li><a href=\"#%s\" title=\"", call->id);
	html_text(out, call->summary);
	fputs("\">", out);
	write_method(out, call->method);
	write_path(out, strncmp(call->path, "/v1/", 4) == 0 ? call->path + 3 : call->path);
	fputs("</a></li>\n", out);
}

static void write_contents(const struct site *site, FILE *out)
{
	size_t index;
	json_t *tag;
	json_array_foreach(json_object_get(site->api, "tags"), index, tag)
	{
		const char *name = json_string_value(json_object_get(tag, "name"));
		fprintf(out, "<h2><a href=\"#tag-%s\">%s</a></h2>\n<ul class=\"calls\">\n", name,
			name);
		each_call(site, name, out, write_entry);
		fputs("</ul>\n", out);
	}
}

/* ---- a call ---- */

static void write_parameter(const struct place *place, json_t *parameter)
{
	parameter = resolve(place->site, parameter, NULL);
	const char *in = json_string_value(json_object_get(parameter, "in"));
	char note[60];
	snprintf(note, sizeof note, "%s%s, ", in,
		 json_is_true(json_object_get(parameter, "required")) ? ", required" : "");
	write_member(place, json_string_value(json_object_get(parameter, "name")), note,
		     json_string_value(json_object_get(parameter, "description")),
		     json_object_get(parameter, "schema"));
}

static void write_parameters(struct site *site, FILE *out, const struct call *call,
			     const char *title)
{
	json_t *shared = json_object_get(call->item, "parameters"), *one;
	json_t *own = json_object_get(call->operation, "parameters");
	const struct place place = {.site = site,
				    .out = out,
				    .address = ADDRESS,
				    .id = call->id,
				    .title = title,
				    .kind = "parameter"};
	size_t index;
	if (json_array_size(shared) + json_array_size(own) == 0)
		return;
	fputs("<h4>Parameters</h4>\n<dl class=\"members\">\n", out);
	json_array_foreach(shared, index, one) write_parameter(&place, one);
	json_array_foreach(own, index, one) write_parameter(&place, one);
	fputs("</dl>\n", out);
}

/* The body: its media types, and the members of one as JSON. */
static void write_body(struct site *site, FILE *out, const struct call *call, const char *title)
{
	json_t *body = json_object_get(call->operation, "requestBody");
	json_t *content = json_object_get(resolve(site, body, NULL), "content");
	if (!body)
		return;
	char id[200];
	snprintf(id, sizeof id, "%s.body", call->id);
	fprintf(out, "<h4 id=\"%s\">Body%s</h4>\n", id,
		json_is_true(json_object_get(body, "required")) ? "" : ", optional");
	write_prose(out, json_string_value(json_object_get(body, "description")), 4, id);
	write_content(site, out, content);
	json_t *json = json_object_get(content, "application/json");
	const struct place place = {.site = site,
				    .out = out,
				    .address = ADDRESS,
				    .id = id,
				    .title = title,
				    .kind = "member"};
	if (json)
		write_members(&place, json_object_get(json, "schema"));
}

/* Writes the status of an answer. Those that a call does not list are errors. */
static void write_status(FILE *out, const char *status)
{
	const bool others = strcmp(status, "default") == 0;
	fprintf(out, "<b class=\"status s%c\">%s</b> ", others ? '4' : status[0],
		others ? "4xx, 5xx" : status);
}

static void write_answer(struct site *site, FILE *out, const struct call *call, const char *status,
			 json_t *answer)
{
	const char *name = NULL;
	json_t *value = resolve(site, answer, &name);
	const char *text = json_string_value(json_object_get(value, "description"));
	if (status[0] == '2') /* is open, so it is here, shared or not */
		name = NULL;
	const char *end = name ? strstr(text, "\n\n") : NULL; /* the rest is at the link */
	fprintf(out, "<details class=\"answer\" id=\"%s.%s\" data-status=\"%s\"%s%s><summary>",
		call->id, status, status, status[0] == '2' ? " open" : "",
		name ? " data-shared" : "");
	write_status(out, status);
	struct markdown markdown = {.out = out};
	markdown_inline(&markdown, text, end ? (size_t)(end - text) : strlen(text));
	fputs("</summary>\n", out);
	if (name) {
		fprintf(out,
			"<p><a class=\"schema\" href=\"/docs/schemas#answer-%s\">Headers, schema "
			"and examples</a></p>\n",
			name);
	} else {
		write_content(site, out, json_object_get(value, "content"));
		write_headers(site, out, json_object_get(value, "headers"));
	}
	fputs("</details>\n", out);
}

static void write_call(const struct site *constant, FILE *out, const struct call *call)
{
	struct site *site = (struct site *)constant;
	const char *status,
		*text = json_string_value(json_object_get(call->operation, "description"));
	char title[200], address[200], name[200];
	json_t *answer;
	snprintf(title, sizeof title, "%s %s", call->method, call->path);
	for (char *at = title; *at != ' '; at++)
		*at = (char)(*at - 'a' + 'A');
	snprintf(address, sizeof address, ADDRESS "#%s", call->id);
	snprintf(name, sizeof name, "%s", call->summary);
	search_add(site, "call", title, call->id, address, call->summary);
	fprintf(out,
		"<section class=\"call\" id=\"%s\" data-method=\"%s\" data-path=\"%s\">\n"
		"<div class=\"told\">\n<h3>",
		call->id, call->method, call->path);
	html_text(out, call->summary);
	fprintf(out,
		" <a class=\"anchor\" href=\"#%s\" aria-label=\"Link to %s\">#</a></h3>\n"
		"<p class=\"line\">",
		call->id, call->id);
	write_method(out, call->method);
	write_path(out, call->path);
	fprintf(out, "<a class=\"jump\" href=\"#%s.examples\">Examples</a>", call->id);
	fputs("</p>\n", out);
	write_prose(out, text, 3, call->id);
	write_parameters(site, out, call, title);
	write_body(site, out, call, title);
	fputs("<h4>Answers</h4>\n", out);
	json_object_foreach(json_object_get(call->operation, "responses"), status, answer)
		write_answer(site, out, call, status, answer);
	fputs("</div>\n", out);
	fprintf(out, "<div class=\"samples\" id=\"%s.examples\"></div>\n</section>\n", call->id);
}

/* ---- the page ---- */

static void add_heading(void *context, int level, const char *id, const char *text,
			struct line section)
{
	char address[300];
	(void)level;
	snprintf(address, sizeof address, ADDRESS "#%s", id);
	search_add_section(context, text, "The API", address, section);
}

void calls_write(struct site *site)
{
	json_t *info = json_object_get(site->api, "info"), *tag;
	size_t index;
	const struct page page = {
		.title = "The API",
		.description =
			"Every call of cubed's HTTP interface, with its parameters, answers and "
			"examples for curl, JavaScript and Python.",
		.address = ADDRESS,
		.kind = "reference",
		.contents = write_contents,
	};
	FILE *out = page_begin(site, "docs.html", &page);
	fprintf(out, "<h1>The API <small>%s</small></h1>\n<article>\n",
		json_string_value(json_object_get(info, "version")));
	struct markdown markdown = {.out = out, .heading = add_heading, .context = site};
	markdown_write(&markdown, json_string_value(json_object_get(info, "description")));
	fputs("</article>\n", out);
	json_array_foreach(json_object_get(site->api, "tags"), index, tag)
	{
		const char *name = json_string_value(json_object_get(tag, "name"));
		fprintf(out, "<h2 id=\"tag-%s\">%s</h2>\n", name, name);
		write_prose(out, json_string_value(json_object_get(tag, "description")), 2, name);
		each_call(site, name, out, write_call);
	}
	page_end(out, NEEDS_CALLS);
}
