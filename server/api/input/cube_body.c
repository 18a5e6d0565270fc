/* cube_body.c: the body of a call that takes a cube. */
#include "server/api/input/cube_body.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "server/format/format.h"

/* The members of a cube other than formats. */
static const char *const plain_names[] = {"size",   "session", "at",       "moves",   "notation",
					  "solved", "home",    "possible", "identity"};

#define PLAIN_NAMES (sizeof plain_names / sizeof plain_names[0])
#define CUBE_NAMES_MAX (PLAIN_NAMES + FORMATS_MAX)

/* The members of a cube that are not the call's own, and their values. */
struct described {
	const char *name[CUBE_NAMES_MAX];
	struct json_value *value[CUBE_NAMES_MAX]; /* NULL: not sent */
	size_t count;
};

static bool is_own(const struct json_member *members, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(members[i].name, name) == 0)
			return true;
	return false;
}

static void add_name(struct described *in, const struct json_member *own, size_t count,
		     const char *name)
{
	if (!is_own(own, count, name))
		in->name[in->count++] = name;
}

/* Refuses what stands beside `cube`. */
static bool refuse_beside(struct context *ctx, const struct described *in)
{
	bool right = true;
	for (size_t i = 0; i < in->count; i++) {
		char detail[128];
		if (!json_member_of(ctx->body, in->name[i]))
			continue;
		snprintf(detail, sizeof detail,
			 "%s is not allowed beside cube; send it inside cube, or leave cube out.",
			 in->name[i]);
		right = input_problem(ctx, input_pointer(ctx, "", in->name[i]), detail,
				      "members of a cube, or cube", NULL);
	}
	return right;
}

/* Makes the cube of what was sent; of the call's own members `size` and `notation` too. */
static bool make_cube(struct context *ctx, const struct described *in, struct json_value **cube)
{
	static const char *const shared[] = {"size", "notation"};
	struct json_part parts[CUBE_NAMES_MAX + 2];
	size_t count = 0;
	for (size_t i = 0; i < in->count; i++)
		if (in->value[i])
			parts[count++] = (struct json_part){in->name[i], in->value[i]};
	if (count == 0)
		return true;
	for (size_t i = 0; i < 2; i++) {
		struct json_value *value = json_member_of(ctx->body, shared[i]);
		bool known = !value;
		for (size_t k = 0; k < count; k++)
			known |= strcmp(parts[k].name, shared[i]) == 0;
		if (!known)
			parts[count++] = (struct json_part){shared[i], value};
	}
	*cube = json_make_object(&ctx->json, parts, count);
	ctx->cube_on_top = true;
	return *cube || ctx_no_memory(ctx);
}

bool cube_body_read(struct context *ctx, const struct json_member *members, size_t count,
		    struct json_value **cube)
{
	struct json_member all[CUBE_BODY_OWN_MAX + CUBE_NAMES_MAX];
	struct described in = {.count = 0};
	assert(count <= CUBE_BODY_OWN_MAX);
	for (size_t i = 0; i < PLAIN_NAMES; i++)
		add_name(&in, members, count, plain_names[i]);
	for (size_t i = 0; i < format_count; i++)
		if (formats[i].read)
			add_name(&in, members, count, formats[i].name);
	if (json_member_of(ctx->body, "cube")) {
		const bool right = refuse_beside(ctx, &in);
		return input_object(ctx, ctx->body, "", members, count) && right;
	}
	memcpy(all, members, count * sizeof *all);
	for (size_t i = 0; i < in.count; i++)
		all[count + i] = (struct json_member){
			.name = in.name[i], .type = JSON_ANY, .into = &in.value[i]};
	const bool read = input_object(ctx, ctx->body, "", all, count + in.count);
	return make_cube(ctx, &in, cube) && read;
}
