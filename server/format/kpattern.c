/* kpattern.c: the data of cubing.js' KPattern for the 2x2x2 and the 3x3x3.
 *
 * Orbits of pieces in the order "reid" of cube/cubies.h, replaced-by, with the same twists and flips.
 * The centres are in the order U L F R B D, and their orientation is the spin of cube/cube.h. As in the
 * patterns that cubing.js begins with, it is written as 0 of 1 (`orientationMod`): not known. */
#include <string.h>

#include "cube/cube.h"
#include "cube/facelets.h"
#include "server/format/format.h"

/* An orbit as it is read. */
struct orbit {
	struct json_value *value; /* NULL: absent */
	int8_t pieces[CUBE_EDGES], orientation[CUBE_EDGES], mod[CUBE_EDGES];
};

static const struct orbit_row {
	const char *name;
	uint8_t count, turns;
	bool mod; /* may have orientationMod */
} rows[] = {
	{"EDGES", CUBE_EDGES, 2, false},
	{"CORNERS", CUBE_CORNERS, 3, false},
	{"CENTERS", CUBE_FACES, 4, true},
};
enum { EDGES, CORNERS, CENTERS, ORBITS };

static const uint8_t center_faces[CUBE_FACES] = {CUBE_U, CUBE_L, CUBE_F, CUBE_R, CUBE_B, CUBE_D};

/* ---- reading ---- */

static bool read_numbers(struct json_reader *reader, struct json_value *value,
			 const struct json_place *orbit, const char *name, size_t count, int max,
			 int8_t *numbers)
{
	const struct json_place place = format_in(reader, orbit, name);
	const struct format_numbers as = {.count = count, .max = (int8_t)max};
	if (!value)
		return json_fail(reader, &place, "This part of a pattern is required.",
				 "pieces and orientation, an array each", NULL);
	return format_numbers_read(reader, value, &place, &as, numbers);
}

/* Checks that each orientation that is counted modulo 1 or 2 is below that. */
static bool check_mod(struct json_reader *reader, const struct json_place *place,
		      const struct orbit *orbit, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (orbit->mod[i] == 0 || orbit->orientation[i] < orbit->mod[i])
			continue;
		const struct json_place list = format_in(reader, place, "orientation");
		const struct json_place at = format_at(reader, &list, i);
		return json_fail(reader, &at, "Must be less than its orientationMod.",
				 "0 where orientationMod is 1", NULL);
	}
	return true;
}

static bool read_orbit(struct json_reader *reader, const struct json_place *pattern,
		       const struct orbit_row *row, struct orbit *orbit)
{
	struct json_value *pieces = NULL, *orientation = NULL, *mod = NULL, *object;
	const struct json_place place = format_in(reader, pattern, row->name);
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	const struct json_member members[] = {{"pieces", JSON_ANY, &pieces, 0, 0},
					      {"orientation", JSON_ANY, &orientation, 0, 0},
					      {"orientationMod", JSON_ANY, &mod, 0, 0}};
	if (!json_read_value(reader, orbit->value, place.pointer, &as) ||
	    !json_read_members(reader, object, place.pointer, members, row->mod ? 3 : 2) ||
	    !read_numbers(reader, pieces, &place, "pieces", row->count, row->count - 1,
			  orbit->pieces) ||
	    !read_numbers(reader, orientation, &place, "orientation", row->count, row->turns - 1,
			  orbit->orientation))
		return false;
	return !mod || (read_numbers(reader, mod, &place, "orientationMod", row->count, row->turns,
				     orbit->mod) &&
			check_mod(reader, &place, orbit, row->count));
}

static void copy_numbers(uint8_t *to, const int8_t *from, size_t count)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (uint8_t)from[i];
}

/* Returns true if the orientation of every centre is counted in quarter turns: 0 is the default,
 * 4. */
static bool spins_known(const struct orbit *centers)
{
	for (size_t i = 0; i < CUBE_FACES; i++)
		if (centers->mod[i] != 0 && centers->mod[i] != 4)
			return false;
	return centers->value != NULL;
}

/* The cube with its spins, if the colours are those of a cube. */
static bool keep_spins(struct json_reader *reader, const struct orbit *centers,
		       struct format_given *given)
{
	struct cube *cube = json_alloc(reader, cube_bytes(3));
	if (!cube)
		return false;
	if (cube_from_colors(cube, 3, given->colors, NULL, 0) > 0)
		return true;
	for (size_t i = 0; i < CUBE_FACES; i++)
		cube->spin[center_faces[i]] = (uint8_t)centers->orientation[i];
	given->cube = cube;
	return true;
}

/* Corners alone are a 2x2x2. Centres that are not given are home. */
bool format_kpattern_read(struct json_reader *reader, struct json_value *value,
			  const struct json_place *place, struct format_given *given)
{
	struct json_value *object;
	struct orbit orbits[ORBITS] = {0};
	struct cube_cubies cubies = {.centers = {0, 1, 2, 3, 4, 5}};
	struct json_member members[ORBITS];
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	for (int i = 0; i < ORBITS; i++)
		members[i] = (struct json_member){
			.name = rows[i].name, .type = JSON_ANY, .into = &orbits[i].value};
	if (!json_read_value(reader, value, place->pointer, &as) ||
	    !json_read_members(reader, object, place->pointer, members, ORBITS))
		return false;
	const int size = orbits[EDGES].value || orbits[CENTERS].value ? 3 : 2;
	for (int i = 0; i < ORBITS; i++) {
		const struct json_place at = format_in(reader, place, rows[i].name);
		const bool required = i == CORNERS || (i == EDGES && size == 3);
		if (!orbits[i].value && required)
			return json_fail(reader, &at, "This part of a pattern is required.",
					 "CORNERS; for a 3x3x3, EDGES and CENTERS too", NULL);
		if (orbits[i].value && !read_orbit(reader, place, &rows[i], &orbits[i]))
			return false;
	}
	copy_numbers(cubies.corner_permutation, orbits[CORNERS].pieces, CUBE_CORNERS);
	copy_numbers(cubies.corner_orientation, orbits[CORNERS].orientation, CUBE_CORNERS);
	copy_numbers(cubies.edge_permutation, orbits[EDGES].pieces, CUBE_EDGES);
	copy_numbers(cubies.edge_orientation, orbits[EDGES].orientation, CUBE_EDGES);
	for (size_t i = 0; i < CUBE_FACES && orbits[CENTERS].value; i++)
		cubies.centers[center_faces[i]] = center_faces[orbits[CENTERS].pieces[i]];
	if (!format_room(reader, size, given))
		return false;
	cube_cubies_from_order(&cubies, &cubies, CUBE_ORDER_REID);
	cube_cubies_paint(&cubies, size, given->colors);
	return !spins_known(&orbits[CENTERS]) || keep_spins(reader, &orbits[CENTERS], given);
}

/* ---- writing ---- */

static void write_orbit(struct out *out, const struct orbit_row *row, const uint8_t *pieces,
			const uint8_t *orientation)
{
	static const uint8_t ones[CUBE_FACES] = {1, 1, 1, 1, 1, 1};
	out_member_open(out, row->name, '{');
	out_key(out, "pieces");
	format_numbers_write(out, pieces, row->count);
	out_key(out, "orientation");
	format_numbers_write(out, orientation, row->count);
	if (row->mod) {
		out_key(out, "orientationMod");
		format_numbers_write(out, ones, row->count);
	}
	out_close(out, '}');
}

void format_kpattern_write(struct out *out, const struct cube *cube,
			   const struct format_options *options)
{
	static const uint8_t zeros[CUBE_FACES] = {0};
	struct cube_cubies cubies;
	uint8_t centers[CUBE_FACES], place_of[CUBE_FACES];
	(void)options;
	cube_cubies_of(&cubies, cube);
	cube_cubies_to_order(&cubies, &cubies, CUBE_ORDER_REID);
	for (uint8_t i = 0; i < CUBE_FACES; i++)
		place_of[center_faces[i]] = i;
	for (size_t i = 0; i < CUBE_FACES; i++)
		centers[i] = place_of[cubies.centers[center_faces[i]]];
	out_open(out, '{');
	if (cube->size == 3)
		write_orbit(out, &rows[EDGES], cubies.edge_permutation, cubies.edge_orientation);
	write_orbit(out, &rows[CORNERS], cubies.corner_permutation, cubies.corner_orientation);
	if (cube->size == 3)
		write_orbit(out, &rows[CENTERS], centers, zeros);
	out_close(out, '}');
}
