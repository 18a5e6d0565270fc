/* help.c: prints the options of a command, described by the OpenAPI document in the binary. */
#include "server/shell/help.h"

#include <string.h>

#include "server/api/site/embedded.h"
#include "server/json/slice.h"

/* A description is one sentence, in as many lines as it needs. */
#define COLUMN 18
#define WIDTH 96

/* The member with that name, which has no escapes. */
static bool member(struct span object, struct span name, struct span *value)
{
	struct slice_list members;
	struct span key;
	if (!slice_list(object, '{', &members))
		return false;
	while (slice_next(&members, &key, value))
		if (key.length == name.length + 2 &&
		    memcmp(key.bytes + 1, name.bytes, name.length) == 0)
			return true;
	return false;
}

/* The value below `value` at a path of names, separated by spaces. */
static bool at_path(struct span *value, const char *path)
{
	while (*path) {
		const struct span name = {path, strcspn(path, " ")};
		if (!member(*value, name, value))
			return false;
		path += name.length + (path[name.length] == ' ');
	}
	return true;
}

/* The object that {"$ref": "#/components/parameters/NAME"} stands for. */
static struct span resolved(struct span document, struct span value)
{
	static const char prefix[] = "\"#/components/parameters/";
	struct span reference = value, found = document;
	if (!at_path(&reference, "$ref") || reference.length < sizeof prefix ||
	    memcmp(reference.bytes, prefix, sizeof prefix - 1) != 0 ||
	    !at_path(&found, "components parameters"))
		return value;
	const struct span name = {reference.bytes + sizeof prefix - 1,
				  reference.length - sizeof prefix};
	return member(found, name, &found) ? found : value;
}

/* The bytes of the first sentence. */
static size_t sentence(const char *text)
{
	for (const char *at = text; *at; at++)
		if ((*at == '.' || *at == ';') && (at[1] == ' ' || at[1] == '\n' || !at[1]) &&
		    !(at >= text + 4 && strncmp(at - 4, " e.g", 4) == 0))
			return (size_t)(at - text);
	return strlen(text);
}

/* Prints words from `column` on, in lines of at most WIDTH columns, without marks of Markdown. */
static void print_words(FILE *out, const char *text, size_t length, size_t *column)
{
	const char *end = text + length;
	while (text < end) {
		size_t word = 0, shown = 0;
		while (text + word < end && text[word] != ' ' && text[word] != '\n') {
			shown += text[word] != '`';
			word++;
		}
		if (shown > 0 && *column + 1 + shown > WIDTH) {
			fprintf(out, "\n%*s", COLUMN, "");
			*column = COLUMN;
		}
		if (shown > 0)
			putc(' ', out);
		for (size_t i = 0; i < word; i++)
			if (text[i] != '`')
				putc(text[i], out);
		*column += shown > 0 ? shown + 1 : 0;
		text += word;
		text += text < end;
	}
}

/* Adds the values that are allowed, if they are listed: ": svg, png". */
static void add_values(struct buffer *text, struct span schema)
{
	struct slice_list list;
	struct span none, value;
	struct arena arena = {0};
	bool first = true;
	if (at_path(&schema, "enum") && slice_list(schema, '[', &list))
		while (slice_next(&list, &none, &value)) {
			struct span word = value;
			if (slice_is_text(value) && !slice_text(&arena, value, &word))
				word = value;
			buffer_text(text, first ? ": " : ", ");
			buffer_add(text, word.bytes, word.length);
			first = false;
		}
	arena_finish(&arena);
}

static void print_option(FILE *out, const char *name, const char *description, struct span schema)
{
	struct buffer text = {0};
	size_t column = (size_t)fprintf(out, "  --%-*s", COLUMN - 4, name);
	buffer_add(&text, description, sentence(description));
	add_values(&text, schema);
	print_words(out, text.bytes, text.length, &column);
	putc('\n', out);
	buffer_free(&text);
}

static void print_parameter(FILE *out, struct span parameter, parameter_set known)
{
	struct arena arena = {0};
	struct span name, description, schema = parameter, text;
	char option[SHELL_NAME_BYTES];
	name = description = parameter;
	if (at_path(&name, "name") && at_path(&description, "description") &&
	    at_path(&schema, "schema") && slice_text(&arena, name, &name) &&
	    slice_text(&arena, description, &text))
		for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
			if (known >> i & 1 && strcmp(shell_parameter_name(i), name.bytes) == 0) {
				shell_option_name(name.bytes, option);
				print_option(out, option, text.bytes, schema);
			}
	arena_finish(&arena);
}

static void print_parameters(FILE *out, const struct shell_command *command)
{
	static const char path[] = "/openapi.json";
	const struct embedded_file *file = embedded_find(&(struct text){path, sizeof path - 1});
	struct span document = {0}, value, none;
	struct slice_list parameters;
	const char *fault;
	if (!file || !slice_document((struct span){file->bytes, (size_t)(file->end - file->bytes)},
				     &document, &fault))
		return;
	value = document;
	if (!at_path(&value, "paths") ||
	    !member(value, (struct span){command->path, strlen(command->path)}, &value) ||
	    !at_path(&value, "get parameters") || !slice_list(value, '[', &parameters))
		return;
	while (slice_next(&parameters, &none, &value))
		print_parameter(out, resolved(document, value),
				shell_command_parameters(command->path));
}

void shell_help_print(FILE *out, const struct shell_command *command)
{
	static const struct span nothing;
	fprintf(out, "usage: cubed %s [--OPTION VALUE].. %s\n\n%s\n", command->name,
		command->arguments, command->text);
	if (command->prints == PRINTS_PICTURE) {
		print_option(out, "format", "svg or png, without -o (default svg).", nothing);
		print_option(out, "output", "(-o) a file whose name ends in .svg or .png.",
			     nothing);
	} else if (shell_prints_text(command)) {
		print_option(out, "json", "The answer of the API as a line of JSON.", nothing);
	}
	print_parameters(out, command);
	print_option(out, "tables-dir", "The folder with files of solvers' tables.", nothing);
	fputs("\nThe exit status is 0; 1 if something was refused; 2 if an option is wrong.\n",
	      out);
}
