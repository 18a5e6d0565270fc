/* poses.c: where each cubie is in space and how it is turned; in full, or as four numbers each. */
#include <stdlib.h>
#include <string.h>

#include "cube/cube.h"
#include "cube/facelets.h"
#include "cube/poses.h"
#include "server/format/format.h"

#define COORDINATE_MAX (CUBE_SIZE_MAX - 1)

/* ---- reading ---- */

/* The size of a cube with that many cubies; 0 if there is none. */
static int size_of_count(size_t count)
{
	for (int size = CUBE_SIZE_MIN; size <= CUBE_SIZE_MAX; size++)
		if (cube_poses_count(size) == count)
			return size;
	return 0;
}

static bool count_problem(struct json_reader *reader, const struct json_place *place)
{
	return json_fail(reader, place, "Every visible cubie is required, for a 3x3x3 26 of them.",
			 "every visible cubie, n^3 - (n-2)^3: 8, 26, 56, 98 ...", NULL);
}

/* Allocates a cube to be made from poses. */
static bool poses_room(struct json_reader *reader, int size, struct format_given *given)
{
	given->cube = json_alloc(reader, cube_bytes(size));
	return given->cube && format_room(reader, size, given);
}

static void poses_colors(struct format_given *given)
{
	for (size_t i = 0; i < cube_facelets(given->size); i++)
		given->colors[i] = (uint8_t)cube_color_at(given->cube, i);
}

static bool read_rotation(struct json_reader *reader, struct json_value *value,
			  const struct json_place *place, uint8_t *rotation)
{
	static const struct format_numbers as = {.count = 3, .min = -1, .max = 1};
	struct json_value *rows;
	int8_t matrix[3][3];
	if (!format_array(reader, value, place, 3, &rows))
		return false;
	for (size_t i = 0; i < 3; i++) {
		const struct json_place at = format_at(reader, place, i);
		if (!format_numbers_read(reader, json_item(rows, i), &at, &as, matrix[i]))
			return false;
	}
	int found = cube_rotation_find((const int8_t(*)[3])matrix);
	if (found < 0)
		return json_fail(reader, place,
				 "Must be the matrix of one of the 24 rotations of a cube.",
				 "one of the 24 listed by GET /v1/formats", NULL);
	*rotation = (uint8_t)found;
	return true;
}

static bool read_normal(struct json_reader *reader, struct json_value *value,
			const struct json_place *place, uint8_t *face)
{
	static const struct format_numbers as = {.count = 3, .min = -1, .max = 1};
	int8_t normal[3], other[3];
	if (!format_numbers_read(reader, value, place, &as, normal))
		return false;
	for (uint8_t i = 0; i < CUBE_FACES; i++) {
		cube_face_normal(i, other);
		if (memcmp(normal, other, sizeof normal) == 0) {
			*face = i;
			return true;
		}
	}
	return json_fail(reader, place, "Must be the normal of a face, for example [0, 1, 0].",
			 "two zeros, and 1 or -1", NULL);
}

static bool read_sticker(struct json_reader *reader, struct json_value *value,
			 const struct json_place *place, struct cube_pose *pose)
{
	struct json_value *object, *normal = NULL;
	struct text face = {0};
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	const struct json_member members[] = {{"face", JSON_TEXT, &face, 0, 0},
					      {"normal", JSON_ANY, &normal, 0, 0}};
	if (!json_read_value(reader, value, place->pointer, &as) ||
	    !json_read_members(reader, object, place->pointer, members, 2))
		return false;
	int color = face.length == 1 ? cube_color_of_letter(face.bytes[0]) : -1;
	const struct json_place at_face = format_in(reader, place, "face");
	const struct json_place at_normal = format_in(reader, place, "normal");
	if (color < 0)
		return json_fail(reader, &at_face, "Must be one of U R F D L B, or W R G Y O B.",
				 "one of U R F D L B, or W R G Y O B", NULL);
	if (!normal)
		return json_fail(reader, &at_normal, "normal is required, for example [0, 1, 0].",
				 "a normal such as [0,1,0]", NULL);
	pose->face[pose->stickers] = (uint8_t)color;
	return read_normal(reader, normal, &at_normal, &pose->normal[pose->stickers++]);
}

static bool read_stickers(struct json_reader *reader, struct json_value *array,
			  const struct json_place *place, struct cube_pose *pose)
{
	size_t count = json_item_count(array);
	if (count > 3)
		return json_fail(reader, place, "A cubie has at most three stickers.", "at most 3",
				 NULL);
	for (size_t i = 0; i < count; i++) {
		const struct json_place at = format_at(reader, place, i);
		if (!read_sticker(reader, json_item(array, i), &at, pose))
			return false;
	}
	return true;
}

static bool read_pose(struct json_reader *reader, struct json_value *value,
		      const struct json_place *place, struct cube_pose *pose)
{
	static const struct format_numbers point = {
		.count = 3, .min = -COORDINATE_MAX, .max = COORDINATE_MAX};
	struct json_value *object, *home = NULL, *at = NULL, *rotation = NULL, *stickers = NULL;
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	const struct json_member members[] = {{"home", JSON_ITEMS, &home, 0, 0},
					      {"at", JSON_ITEMS, &at, 0, 0},
					      {"rotation", JSON_ITEMS, &rotation, 0, 0},
					      {"stickers", JSON_ITEMS, &stickers, 0, 0}};
	*pose = (struct cube_pose){0};
	if (!json_read_value(reader, value, place->pointer, &as) ||
	    !json_read_members(reader, object, place->pointer, members, 4))
		return false;
	if (!home || !at || !rotation)
		return json_fail(reader, place, "A cubie must have home, at and rotation.",
				 "home, at and rotation", NULL);
	const struct json_place at_home = format_in(reader, place, "home");
	const struct json_place at_at = format_in(reader, place, "at");
	const struct json_place at_rotation = format_in(reader, place, "rotation");
	const struct json_place at_stickers = format_in(reader, place, "stickers");
	return format_numbers_read(reader, home, &at_home, &point, pose->home) &&
	       format_numbers_read(reader, at, &at_at, &point, pose->at) &&
	       read_rotation(reader, rotation, &at_rotation, &pose->rotation) &&
	       (!stickers || read_stickers(reader, stickers, &at_stickers, pose));
}

bool format_poses_read(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct format_given *given)
{
	struct json_value *object, *cubies = NULL;
	struct cube_form_error error;
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	const struct json_member member = {"cubies", JSON_ITEMS, &cubies, 0, 0};
	const struct json_place list = format_in(reader, place, "cubies");
	if (!json_read_value(reader, value, place->pointer, &as) ||
	    !json_read_members(reader, object, place->pointer, &member, 1))
		return false;
	size_t count = cubies ? json_item_count(cubies) : 0;
	int size = size_of_count(count);
	if (!size)
		return count_problem(reader, &list);
	struct cube_pose *poses = json_alloc(reader, count * sizeof *poses);
	uint8_t *seen = json_alloc(reader, count);
	if (!poses || !seen)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct json_place at = format_at(reader, &list, i);
		if (!read_pose(reader, json_item(cubies, i), &at, &poses[i]))
			return false;
	}
	if (!poses_room(reader, size, given))
		return false;
	if (cube_poses_read(given->cube, size, poses, count, seen, &error) != CUBE_FORM_OK) {
		const struct json_place at = format_at(reader, &list, error.index);
		return format_form_problem(reader, &at, &error);
	}
	poses_colors(given);
	return true;
}

bool format_compact_poses_read(struct json_reader *reader, struct json_value *value,
			       const struct json_place *place, struct format_given *given)
{
	static const struct format_numbers as = {
		.count = 4, .min = -COORDINATE_MAX, .max = COORDINATE_MAX};
	struct json_value *list;
	struct cube_form_error error;
	const struct json_member array = {.type = JSON_ITEMS, .into = &list};
	if (!json_read_value(reader, value, place->pointer, &array))
		return false;
	size_t count = json_item_count(list);
	int size = size_of_count(count);
	if (!size)
		return count_problem(reader, place);
	int8_t(*rows)[4] = json_alloc(reader, count * sizeof *rows);
	if (!rows)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct json_place at = format_at(reader, place, i);
		if (!format_numbers_read(reader, json_item(list, i), &at, &as, rows[i]))
			return false;
	}
	if (!poses_room(reader, size, given))
		return false;
	if (cube_poses_read_compact(given->cube, size, (const int8_t(*)[4])rows, count, &error) !=
	    CUBE_FORM_OK) {
		const struct json_place at = format_at(reader, place, error.index);
		return format_form_problem(reader, &at, &error);
	}
	poses_colors(given);
	return true;
}

/* ---- writing ---- */

static void write_pose(struct out *out, const struct cube_pose *pose)
{
	int8_t matrix[3][3], normal[3];
	out_open(out, '{');
	out_key(out, "home");
	format_signed_write(out, pose->home, 3);
	out_key(out, "at");
	format_signed_write(out, pose->at, 3);
	out_key(out, "rotation");
	cube_rotation_matrix(pose->rotation, matrix);
	out_open(out, '[');
	for (size_t i = 0; i < 3; i++)
		format_signed_write(out, matrix[i], 3);
	out_close(out, ']');
	out_member_open(out, "stickers", '[');
	for (size_t i = 0; i < pose->stickers; i++) {
		out_open(out, '{');
		out_member_bytes(out, "face", &cube_face_letters[pose->face[i]], 1);
		out_key(out, "normal");
		cube_face_normal(pose->normal[i], normal);
		format_signed_write(out, normal, 3);
		out_close(out, '}');
	}
	out_close(out, ']');
	out_close(out, '}');
}

void format_poses_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	size_t count = cube_poses_count(cube->size);
	struct cube_pose *poses = malloc(count * sizeof *poses);
	(void)options;
	if (!poses) {
		out->buffer->failed = true;
		return;
	}
	cube_poses_write(cube, poses);
	out_open(out, '{');
	out_member_open(out, "cubies", '[');
	for (size_t i = 0; i < count; i++)
		write_pose(out, &poses[i]);
	out_close(out, ']');
	out_close(out, '}');
	free(poses);
}

void format_compact_poses_write(struct out *out, const struct cube *cube,
				const struct format_options *options)
{
	size_t count = cube_poses_count(cube->size);
	int8_t(*rows)[4] = malloc(count * sizeof *rows);
	(void)options;
	if (!rows) {
		out->buffer->failed = true;
		return;
	}
	cube_poses_write_compact(cube, rows);
	out_open(out, '[');
	for (size_t i = 0; i < count; i++)
		format_signed_write(out, rows[i], 4);
	out_close(out, ']');
	free(rows);
}
