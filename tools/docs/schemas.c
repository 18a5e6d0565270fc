/* schemas.c: the page at /docs/schemas: every schema with a name, every shared answer and header. */
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/schema.h"

#define ADDRESS "/docs/schemas"

static void write_title(FILE *out, const char *id, const char *name)
{
	fprintf(out,
		"<h3><code>%s</code> <a class=\"anchor\" href=\"#%s\" aria-label=\"Link to "
		"%s\">#</a>"
		"</h3>\n",
		name, id, name);
}

static void write_schema(struct site *site, FILE *out, const char *name, json_t *schema)
{
	char address[200];
	const char *description = json_string_value(json_object_get(schema, "description"));
	snprintf(address, sizeof address, ADDRESS "#%s", name);
	search_add(site, "schema", name, "Schemas", address, description);
	fprintf(out, "<section id=\"%s\">\n", name);
	write_title(out, name, name);
	fputs("<p class=\"kind\">", out);
	write_kind(site, out, schema);
	fputs("</p>\n", out);
	write_prose(out, description, 3, name);
	write_values(site, out, schema);
	const struct place place = {.site = site,
				    .out = out,
				    .address = ADDRESS,
				    .id = name,
				    .title = name,
				    .kind = "member"};
	json_t *items = json_object_get(schema, "items");
	if (!items)
		write_members(&place, schema);
	else if (!json_object_get(items, "$ref"))
		write_members(&place, items);
	fputs("</section>\n", out);
}

void write_headers(struct site *site, FILE *out, json_t *headers)
{
	const char *name;
	json_t *header;
	if (json_object_size(headers) == 0)
		return;
	fputs("<p class=\"label\">Headers</p>\n<dl class=\"members\">\n", out);
	const struct place place = {.site = site, .out = out};
	json_object_foreach(headers, name, header)
	{
		header = resolve(site, header, NULL);
		write_member(&place, name,
			     json_is_true(json_object_get(header, "required")) ? "always, " : "",
			     json_string_value(json_object_get(header, "description")),
			     json_object_get(header, "schema"));
	}
	fputs("</dl>\n", out);
}

void write_content(struct site *site, FILE *out, json_t *content)
{
	const char *type;
	json_t *media;
	json_object_foreach(content, type, media)
	{
		fprintf(out, "<p class=\"media\"><code>%s</code> <span class=\"kind\">", type);
		write_kind(site, out, json_object_get(media, "schema"));
		fputs("</span></p>\n", out);
	}
}

/* The examples of all media types, closed. */
static void write_examples(const struct site *site, FILE *out, json_t *content)
{
	const char *type, *name;
	json_t *media, *example;
	json_object_foreach(content, type, media)
		json_object_foreach(json_object_get(media, "examples"), name, example)
	{
		example = resolve(site, example, NULL);
		const char *summary = json_string_value(json_object_get(example, "summary"));
		char *text = json_dumps(json_object_get(example, "value"),
					JSON_INDENT(2) | JSON_ENCODE_ANY);
		fputs("<details class=\"example\"><summary>Example: ", out);
		html_text(out, summary ? summary : name);
		fputs("</summary>", out);
		html_pre(out, "json", 4, text, strlen(text));
		fputs("</details>\n", out);
		free(text);
	}
}

static void write_answer(struct site *site, FILE *out, const char *name, json_t *answer)
{
	char id[200];
	const char *description = json_string_value(json_object_get(answer, "description"));
	snprintf(id, sizeof id, "answer-%s", name);
	fprintf(out, "<section id=\"%s\">\n", id);
	write_title(out, id, name);
	write_prose(out, description, 3, id);
	write_headers(site, out, json_object_get(answer, "headers"));
	write_content(site, out, json_object_get(answer, "content"));
	write_examples(site, out, json_object_get(answer, "content"));
	fputs("</section>\n", out);
}

void schemas_write(struct site *site)
{
	const char *name;
	json_t *one, *components = json_object_get(site->api, "components");
	const struct page page = {
		.title = "Schemas and answers",
		.description = "Every JSON schema of cubed's HTTP interface, with its members, and "
			       "every answer that calls share.",
		.address = ADDRESS,
		.kind = "reference",
	};
	FILE *out = page_begin(site, "docs/schemas.html", &page);
	fputs("<h1>Schemas and answers</h1>\n<p><a href=\"#answers\">Answers</a> that many calls "
	      "share are below the schemas.</p>\n<h2 id=\"schemas\">Schemas</h2>\n",
	      out);
	json_object_foreach(json_object_get(components, "schemas"), name, one)
		write_schema(site, out, name, one);
	fputs("<h2 id=\"answers\">Answers</h2>\n", out);
	json_object_foreach(json_object_get(components, "responses"), name, one)
		write_answer(site, out, name, one);
	page_end(out, NEEDS_NOTHING);
}
