/* cube_check.c: a cube that is described more than once: whether all of it agrees. */
#include <stdio.h>

#include "cube/cube.h"
#include "cube/hold.h"
#include "server/api/input/cube.h"
#include "server/api/input/input.h"

bool input_form_read(struct context *ctx, const struct input_form *form, struct format_given *given)
{
	const struct format *format = form->format;
	return (form->value ? format->read(&ctx->json, form->value, &form->place, given)
			    : format->read_text(&ctx->json, form->text, &form->place, given)) ||
	       input_refuse(ctx);
}

static bool same_colors(const struct cube *cube, const uint8_t *colors)
{
	for (size_t i = 0; i < cube_facelets(cube->size); i++)
		if (cube_color_at(cube, i) != colors[i])
			return false;
	return true;
}

static bool form_agrees(struct context *ctx, const struct input_cube *request,
			const struct format *format, const struct format_given *given, bool *agrees)
{
	*agrees = false;
	if (given->size != request->size || (format->homed && request->known == CUBE_IMPOSSIBLE))
		return true;
	if (!format->homed) {
		*agrees = same_colors(request->cube, given->colors) &&
			  (!given->cube || request->known != CUBE_KNOWN ||
			   cube_equal(request->cube, given->cube));
		return true;
	}
	if (given->only) {
		uint32_t ranks[CUBE_PIECE_RANKS];
		cube_piece_ranks_of_cube(&given->only->list, request->cube, ranks);
		*agrees = format_pieces_differ(given->only, ranks) < 0;
		return true;
	}
	struct cube *home = ctx_alloc(ctx, cube_bytes(request->size));
	if (!home)
		return false;
	cube_hold_home(home, request->cube);
	*agrees = same_colors(home, given->colors);
	return true;
}

static bool check_form(struct context *ctx, const struct input_cube *request,
		       const struct input_form *form)
{
	struct format_given given = {.size = request->size};
	bool agrees = false;
	char detail[96];
	if (format_serves(form->format, request->size) &&
	    (!input_form_read(ctx, form, &given) ||
	     !form_agrees(ctx, request, form->format, &given, &agrees)))
		return false;
	if (agrees)
		return true;
	snprintf(detail, sizeof detail, "This %s describes another cube than %s does.",
		 form->format->name, request->form.format->name);
	return input_place_problem(ctx, &form->place, detail, "forms of the same cube, or one form",
				   NULL);
}

/* Returns true if a claim agrees with `is`. */
static bool check_claim(struct context *ctx, const struct input_cube *request,
			enum cube_claim claim, const char *name, bool is)
{
	char detail[96], expected[32];
	if (claim == CLAIM_NONE || claim == (is ? CLAIM_TRUE : CLAIM_FALSE))
		return true;
	snprintf(detail, sizeof detail, "%s contradicts the cube, which is %s%s.", name,
		 is ? "" : "not ", name);
	snprintf(expected, sizeof expected, "%s, or no %s", is ? "true" : "false", name);
	return input_problem(ctx, input_pointer(ctx, request->pointer, name), detail, expected,
			     NULL);
}

/* Read from colours, a cube of size 4 and more may be home although it was not: centres of one
 * colour look alike. */
static bool check_home(struct context *ctx, const struct input_cube *request)
{
	const bool is = cube_is_home(request->cube);
	const bool sure = request->known == CUBE_KNOWN || request->size <= 3;
	return (is && !sure) || check_claim(ctx, request, request->claims.home, "home", is);
}

bool input_cube_check(struct context *ctx, struct input_cube *request)
{
	const struct cube_claims *claims = &request->claims;
	if (claims->size > 0 && claims->size != request->size) {
		char detail[64], expected[32];
		snprintf(detail, sizeof detail, "size contradicts the cube, which is a %dx%dx%d.",
			 request->size, request->size, request->size);
		snprintf(expected, sizeof expected, "%d, or no size", request->size);
		return input_place_problem(ctx, &claims->size_from, detail, expected, NULL);
	}
	for (size_t i = 0; i < request->other_count; i++)
		if (!check_form(ctx, request, &request->others[i]))
			return false;
	if (!check_claim(ctx, request, claims->possible, "possible",
			 request->known < CUBE_ASSEMBLED) ||
	    (claims->solved != CLAIM_NONE &&
	     !check_claim(ctx, request, claims->solved, "solved", cube_is_solved(request->cube))) ||
	    (claims->home != CLAIM_NONE && !check_home(ctx, request)))
		return false;
	if (claims->assumed && request->known == CUBE_KNOWN)
		request->known = CUBE_ASSUMED;
	return true;
}
