/* cube_out.c: writing the cube of an answer. */
#include "server/api/cube_out.h"

#include <stdio.h>
#include <string.h>

#include "server/api/negotiate.h"
#include "server/api/spell.h"
#include "server/format/format.h"

#define FORMATS_MAX 16

static bool unknown_format(struct work *work, const char *name, size_t length)
{
	const char *names[FORMATS_MAX];
	char expected[160] = "";
	for (size_t i = 0; i < format_count; i++) {
		size_t used = strlen(expected);
		names[i] = formats[i].name;
		snprintf(expected + used, sizeof expected - used, "%s%s",
			 i ? ", " : "a comma list of ", names[i]);
	}
	return query_problem(work, "as", "No format has this name.", expected,
			     spell_nearest(name, length, names, format_count));
}

static bool read_as(struct work *work, struct cube_view *view)
{
	const char *at = work->query.value[PARAMETER_AS].bytes;
	while (at) {
		size_t length = strcspn(at, ","), i = 0;
		while (i < format_count && (strlen(formats[i].name) != length ||
					    memcmp(formats[i].name, at, length) != 0))
			i++;
		if (i == format_count)
			return unknown_format(work, at, length);
		view->as |= 1u << i;
		at = at[length] ? at + length + 1 : NULL;
	}
	return true;
}

bool cube_view_read(struct work *work, struct cube_view *view)
{
	*view = (struct cube_view){0};
	const struct text *color = &work->query.value[PARAMETER_COLOR];
	if (color->bytes) {
		view->color = strcmp(color->bytes, "always") == 0;
		if (!view->color && strcmp(color->bytes, "never") != 0)
			return query_problem(work, "color", "This is neither always nor never.",
					     "always or never", NULL);
	}
	return read_as(work, view);
}

void cube_write(struct out *out, const struct cube *cube, const struct cube_view *view,
		bool assumed)
{
	out_open(out, '{');
	out_key(out, "size");
	out_integer(out, cube->size);
	for (size_t i = 0; i < format_count; i++)
		if (i == FORMAT_ALWAYS || view->as >> i & 1) {
			out_key(out, formats[i].name);
			formats[i].write(out, cube);
		}
	out_key(out, "solved");
	out_bool(out, cube_is_solved(cube));
	out_key(out, "home");
	out_bool(out, cube_is_home(cube));
	if (assumed) {
		out_key(out, "identity");
		out_string(out, "assumed");
	}
	out_close(out, '}');
}

bool cube_reply_text(struct work *work, const struct cube *cube, const struct cube_view *view,
		     unsigned status)
{
	struct reply *reply = &work->request->reply;
	if (work->media != MEDIA_TEXT)
		return false;
	char *room = buffer_room(&reply->body, cube_net_bytes(cube->size, view->color));
	if (room)
		reply->body.length += cube_net_print(cube, view->color, room);
	reply->status = status;
	reply->content_type = media_type(MEDIA_TEXT);
	return true;
}

void count_write(struct out *out, uint64_t count)
{
	if (count == CUBE_COUNT_OVER)
		out_null(out);
	else
		out_integer(out, (int64_t)count);
}

void metrics_write(struct out *out, const struct cube_metrics *metrics)
{
	const struct {
		const char *name;
		uint64_t count;
	} rows[] = {{"htm", metrics->htm},
		    {"qtm", metrics->qtm},
		    {"stm", metrics->stm},
		    {"qstm", metrics->qstm},
		    {"etm", metrics->etm}};
	out_open(out, '{');
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		out_key(out, rows[i].name);
		count_write(out, rows[i].count);
	}
	out_close(out, '}');
}
