/* ranks.c: permutation, twist and flip as a number each. */
#include "server/format/format.h"

static const char *const names[CUBE_RANK_PARTS] = {"corner_permutation", "corner_orientation",
						   "edge_permutation", "edge_orientation"};

/* Both numbers of corners; those of edges too for a 3x3x3. */
bool format_ranks_read(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct format_given *given)
{
	int64_t read[CUBE_RANK_PARTS] = {-1, -1, -1, -1};
	struct json_member members[CUBE_RANK_PARTS];
	uint32_t ranks[CUBE_RANK_PARTS] = {0};
	struct cube_cubies cubies;
	for (int i = 0; i < CUBE_RANK_PARTS; i++)
		members[i] = (struct json_member){names[i], JSON_INT64, &read[i], 0,
						  (int64_t)cube_rank_counts[i] - 1};
	if (!json_is_kind(value, JSON_KIND_OBJECT))
		return json_fail(reader, place, "Must be an object of ranks.",
				 "an object such as that of ?as=ranks", NULL);
	if (!json_read_members(reader, value, place->pointer, members, CUBE_RANK_PARTS))
		return false;
	const bool edges = read[CUBE_RANK_EDGES] >= 0 || read[CUBE_RANK_FLIPS] >= 0;
	for (int i = 0; i < (edges ? CUBE_RANK_PARTS : CUBE_RANK_EDGES); i++) {
		const struct json_place at = format_in(reader, place, names[i]);
		if (read[i] < 0)
			return json_fail(reader, &at,
					 "Both ranks of corners are required, for a 3x3x3 those of "
					 "edges too.",
					 "a rank", NULL);
		ranks[i] = (uint32_t)read[i];
	}
	cube_ranks_cubies(ranks, &cubies);
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		cubies.centers[face] = face;
	const int size = edges ? 3 : 2;
	if (!format_room(reader, size, given))
		return false;
	cube_cubies_paint(&cubies, size, given->colors);
	return true;
}

void format_ranks_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	uint32_t ranks[CUBE_RANK_PARTS];
	(void)options;
	cube_ranks_of_cube(cube, ranks);
	out_open(out, '{');
	for (int i = 0; i < (cube->size == 2 ? CUBE_RANK_EDGES : CUBE_RANK_PARTS); i++) {
		out_key(out, names[i]);
		out_integer(out, ranks[i]);
	}
	out_close(out, '}');
}
