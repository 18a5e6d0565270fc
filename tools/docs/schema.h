/* schema.h: JSON schemas of openapi.yaml as HTML. */
#ifndef TOOLS_DOCS_SCHEMA_H
#define TOOLS_DOCS_SCHEMA_H

#include "tools/docs/site.h"

/* The place of members, for their ids and for the rows of the search. */
struct place {
	struct site *site;
	FILE *out;
	const char *address; /* of the page */
	const char *id;      /* before the names of members; NULL: they get no ids */
	const char *title;   /* for the rows */
	const char *kind;    /* "member", "parameter" */
	bool flat;           /* schemas with a name are links, their members are not repeated */
};

/* Follows `$ref`; `name` is the last part of it, if there is one, else it stays as it is. */
json_t *resolve(const struct site *site, json_t *value, const char **name);

/* Text in Markdown as blocks; nothing for NULL. */
void write_prose(FILE *out, const char *text, int shift, const char *prefix);

/* The kind of a value in some words, "array of Cube"; with its bounds. */
void write_kind(const struct site *site, FILE *out, json_t *schema);

/* <dt> and <dd> of one member or parameter; its `text` or else its schema's description. */
void write_member(const struct place *place, const char *name, const char *note, const char *text,
		  json_t *schema);

/* A list of the members of a schema, with those of its parts; nothing if there are none. */
void write_members(const struct place *place, json_t *schema);

/* Its values, if there is a list of them. */
void write_values(const struct site *site, FILE *out, json_t *schema);

/* The headers of an answer; its media types with their kinds. */
void write_headers(struct site *site, FILE *out, json_t *headers);
void write_content(struct site *site, FILE *out, json_t *content);

#endif
