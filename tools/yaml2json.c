/* yaml2json.c: a build tool: reads YAML on stdin, writes JSON on stdout. For openapi.yaml: plain
 * scalars true, false, null and numbers become such, everything else a string; no aliases, no tags.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

static void fail(const char *what, size_t line)
{
	fprintf(stderr, "yaml2json: line %zu: %s\n", line, what);
	exit(1);
}

static json_t *scalar(const yaml_node_t *node)
{
	const char *text = (const char *)node->data.scalar.value;
	size_t length = node->data.scalar.length;
	if (node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
		json_error_t error;
		if (length == 0 || strcmp(text, "~") == 0)
			return json_null();
		/* YAML's core schema accepts all literals and numbers of JSON. */
		json_t *value = strchr("-0123456789tfn", text[0])
					? json_loadb(text, length, JSON_DECODE_ANY, &error)
					: NULL;
		if (value)
			return value;
	}
	return json_stringn(text, length);
}

static json_t *convert(yaml_document_t *document, int index, int depth)
{
	yaml_node_t *node = yaml_document_get_node(document, index);
	size_t line = node->start_mark.line + 1;
	if (depth > 100)
		fail("nested too deep", line);
	if (node->type == YAML_SCALAR_NODE)
		return scalar(node);
	if (node->type == YAML_SEQUENCE_NODE) {
		json_t *array = json_array();
		for (yaml_node_item_t *item = node->data.sequence.items.start;
		     item < node->data.sequence.items.top; item++)
			json_array_append_new(array, convert(document, *item, depth + 1));
		return array;
	}
	json_t *object = json_object();
	for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	     pair < node->data.mapping.pairs.top; pair++) {
		yaml_node_t *key = yaml_document_get_node(document, pair->key);
		const char *name = (const char *)key->data.scalar.value;
		if (key->type != YAML_SCALAR_NODE || json_object_get(object, name))
			fail("a key is no text, or is there twice", key->start_mark.line + 1);
		json_object_set_new(object, name, convert(document, pair->value, depth + 1));
	}
	return object;
}

int main(void)
{
	yaml_parser_t parser;
	yaml_document_t document;
	if (!yaml_parser_initialize(&parser))
		fail("no memory", 0);
	yaml_parser_set_input_file(&parser, stdin);
	if (!yaml_parser_load(&parser, &document))
		fail(parser.problem ? parser.problem : "not YAML", parser.problem_mark.line + 1);
	if (!yaml_document_get_root_node(&document))
		fail("empty", 1);
	json_t *root = convert(&document, 1, 0);
	int written = json_dumpf(root, stdout, JSON_COMPACT);
	json_decref(root);
	yaml_document_delete(&document);
	yaml_parser_delete(&parser);
	return written == 0 && fflush(stdout) == 0 ? 0 : 1;
}
