/* make.c: values that were not parsed. */
#include "server/json/json_internal.h"

static struct json_value *make(struct json_reader *reader, struct json_value value)
{
	struct json_value *made = json_alloc(reader, sizeof *made);
	if (made)
		*made = value;
	return made;
}

struct json_value *json_make_text(struct json_reader *reader, struct text text)
{
	return make(reader, (struct json_value){.kind = JSON_KIND_TEXT,
						.count = text.length,
						.text = text.bytes});
}

struct json_value *json_make_whole(struct json_reader *reader, int64_t number)
{
	return make(reader, (struct json_value){.kind = JSON_KIND_WHOLE, .whole = number});
}

struct json_value *json_make_bool(struct json_reader *reader, bool truth)
{
	return make(reader, (struct json_value){.kind = JSON_KIND_BOOL, .truth = truth});
}

struct json_value *json_make_object(struct json_reader *reader, const struct json_part *parts,
				    size_t count)
{
	struct json_named *members = json_alloc(reader, (count + 1) * sizeof *members);
	if (!members)
		return NULL;
	for (size_t i = 0; i < count; i++)
		members[i] = (struct json_named){.name = {parts[i].name, strlen(parts[i].name)},
						 .value = *parts[i].value};
	return make(reader, (struct json_value){
				    .kind = JSON_KIND_OBJECT, .count = count, .members = members});
}
