/* ranks.c: permutation, twist and flip as a number each, of all pieces and of chosen ones. */
#include <stdio.h>

#include "cube/cube.h"
#include "cube/query.h"
#include "server/format/format.h"
#include "server/util/suggest.h"

static const char *const part_names[CUBE_RANK_PARTS] = {"corner_permutation", "corner_orientation",
							"edge_permutation", "edge_orientation"};

/* The names of the ranks of chosen pieces: of corners, then of edges. */
static const char *const piece_names[CUBE_PIECE_RANKS] = {
	"corner_places", "corner_permutation", "corner_orientation",
	"edge_places",   "edge_permutation",   "edge_orientation"};

/* ---- lists of pieces ---- */

static bool unknown_piece(struct json_reader *reader, const struct json_place *place, int size,
			  struct text name)
{
	const char *each[CUBE_PLACES];
	size_t count = 0;
	for (int i = 0; i < CUBE_PLACES; i++)
		if (cube_piece_can_be_listed(size, i))
			each[count++] = cube_place_name(i);
	return json_fail(reader, place,
			 size == 2
				 ? "Unknown piece; of a 2x2x2 name corners but DBL, which is "
				   "always home, such as URF."
				 : "Unknown piece; name corners and edges by their faces, such as "
				   "URF and UF.",
			 size == 2 ? "a corner but DBL" : "a corner or an edge",
			 suggest_nearest(name.bytes, name.length, each, count));
}

bool format_piece_add(struct json_reader *reader, const struct json_place *place, struct text name,
		      struct cube_piece_list *list)
{
	const int piece = cube_place_find(name.bytes, name.length);
	if (piece < 0 || !cube_piece_can_be_listed(list->size, piece))
		return unknown_piece(reader, place, list->size, name);
	const bool corner = piece < CUBE_CORNERS;
	uint8_t *pieces = corner ? list->corner : list->edge;
	uint8_t *count = corner ? &list->corners : &list->edges;
	const uint8_t number = (uint8_t)(corner ? piece : piece - CUBE_CORNERS);
	for (int i = 0; i < *count; i++) {
		char detail[64];
		if (pieces[i] != number)
			continue;
		snprintf(detail, sizeof detail, "%s is in the list twice.", cube_place_name(piece));
		return json_fail(reader, place, detail, "each piece once", NULL);
	}
	pieces[(*count)++] = number;
	return true;
}

static bool read_list(struct json_reader *reader, struct json_value *array,
		      const struct json_place *place, bool corners, struct cube_piece_list *list)
{
	for (size_t i = 0; i < json_item_count(array); i++) {
		struct text name;
		const struct json_place at = format_at(reader, place, i);
		if (!format_text(reader, json_item(array, i), &at, &name))
			return false;
		const int piece = cube_place_find(name.bytes, name.length);
		if (piece >= 0 && (piece < CUBE_CORNERS) != corners)
			return json_fail(reader, &at,
					 corners ? "This is an edge; list it in edges."
						 : "This is a corner; list it in corners.",
					 corners ? "a corner" : "an edge", NULL);
		if (!format_piece_add(reader, &at, name, list))
			return false;
	}
	return true;
}

/* ---- reading ---- */

/* Both numbers of corners; those of edges too for a 3x3x3. */
static bool read_parts(struct json_reader *reader, const int64_t read[CUBE_RANK_PARTS],
		       const struct json_place *place, int *size, struct cube_cubies *cubies)
{
	const bool edges = read[CUBE_RANK_EDGES] >= 0 || read[CUBE_RANK_FLIPS] >= 0;
	uint32_t ranks[CUBE_RANK_PARTS] = {0};
	for (int i = 0; i < (edges ? CUBE_RANK_PARTS : CUBE_RANK_EDGES); i++) {
		const struct json_place at = format_in(reader, place, part_names[i]);
		if (read[i] < 0)
			return json_fail(reader, &at,
					 "Both ranks of corners are required, for a 3x3x3 those of "
					 "edges too.",
					 "a rank", NULL);
		ranks[i] = (uint32_t)read[i];
	}
	*size = edges ? 3 : 2;
	cube_ranks_cubies(ranks, cubies);
	return true;
}

static bool read_piece_rank(struct json_reader *reader, struct json_value *value,
			    const struct json_place *place, enum cube_piece_rank rank,
			    struct format_pieces *pieces)
{
	const struct json_place at = format_in(reader, place, piece_names[rank]);
	uint32_t counts[CUBE_PIECE_RANKS];
	int64_t read = 0;
	cube_piece_rank_counts(&pieces->list, counts);
	const struct json_member as = {
		.type = JSON_INT64, .into = &read, .min = 0, .max = (int64_t)counts[rank] - 1};
	if (!json_read_value(reader, value, at.pointer, &as))
		return false;
	pieces->ranks[rank] = (uint32_t)read;
	pieces->given[rank] = true;
	return true;
}

/* Returns true if the rank is required: every rank except the two place ranks, which can be
 * computed from the others. */
static bool is_required(const struct cube_piece_list *list, enum cube_piece_rank rank)
{
	return rank < CUBE_PIECE_EDGE_PLACES ? list->corners > 0 && rank != CUBE_PIECE_CORNER_PLACES
					     : list->edges > 0 && rank != CUBE_PIECE_EDGE_PLACES;
}

static bool read_pieces(struct json_reader *reader, struct json_value *value,
			const struct json_place *place, struct format_pieces *pieces)
{
	struct json_value *object, *corners = NULL, *edges = NULL, *ranks[CUBE_PIECE_RANKS] = {0};
	struct json_member members[2 + CUBE_PIECE_RANKS] = {{"corners", JSON_ITEMS, &corners, 0, 0},
							    {"edges", JSON_ITEMS, &edges, 0, 0}};
	const struct json_member as = {.type = JSON_MEMBERS, .into = &object};
	const struct json_place in_corners = format_in(reader, place, "corners"),
				in_edges = format_in(reader, place, "edges");
	for (int i = 0; i < CUBE_PIECE_RANKS; i++)
		members[2 + i] = (struct json_member){
			.name = piece_names[i], .type = JSON_ANY, .into = &ranks[i]};
	if (!json_read_value(reader, value, place->pointer, &as) ||
	    !json_read_members(reader, object, place->pointer, members, 2 + CUBE_PIECE_RANKS) ||
	    !read_list(reader, corners, &in_corners, true, &pieces->list) ||
	    !read_list(reader, edges, &in_edges, false, &pieces->list))
		return false;
	for (enum cube_piece_rank rank = 0; rank < CUBE_PIECE_RANKS; rank++) {
		const struct json_place at = format_in(reader, place, piece_names[rank]);
		if (!ranks[rank] && is_required(&pieces->list, rank))
			return json_fail(reader, &at,
					 "Permutation and orientation of the listed pieces are "
					 "required.",
					 "a rank", NULL);
		if (ranks[rank] && !read_piece_rank(reader, ranks[rank], place, rank, pieces))
			return false;
	}
	return true;
}

int format_pieces_differ(const struct format_pieces *pieces, const uint32_t ranks[CUBE_PIECE_RANKS])
{
	for (int i = 0; i < CUBE_PIECE_RANKS; i++)
		if (pieces->given[i] && ranks[i] != pieces->ranks[i])
			return i;
	return -1;
}

/* Returns true if the cubies have the pieces as their ranks say. */
static bool agree(struct json_reader *reader, const struct json_place *place,
		  const struct format_pieces *pieces, const struct cube_cubies *cubies)
{
	uint32_t ranks[CUBE_PIECE_RANKS];
	char detail[96], expected[16];
	cube_piece_ranks_of(&pieces->list, cubies, ranks);
	const int rank = format_pieces_differ(pieces, ranks);
	if (rank < 0)
		return true;
	const struct json_place at = format_in(reader, place, piece_names[rank]);
	snprintf(detail, sizeof detail, "%u contradicts the other ranks, from which %u follows.",
		 (unsigned)pieces->ranks[rank], (unsigned)ranks[rank]);
	snprintf(expected, sizeof expected, "%u", (unsigned)ranks[rank]);
	return json_fail(reader, &at, detail, expected, NULL);
}

bool format_ranks_read(struct json_reader *reader, struct json_value *value,
		       const struct json_place *place, struct format_given *given)
{
	int64_t read[CUBE_RANK_PARTS] = {-1, -1, -1, -1};
	struct json_value *chosen = NULL;
	struct json_member members[CUBE_RANK_PARTS + 1];
	struct cube_cubies cubies = {.centers = {0, 1, 2, 3, 4, 5}};
	const struct json_place in_pieces = format_in(reader, place, "pieces");
	bool whole = false;
	for (int i = 0; i < CUBE_RANK_PARTS; i++)
		members[i] = (struct json_member){part_names[i], JSON_INT64, &read[i], 0,
						  (int64_t)cube_rank_counts[i] - 1};
	members[CUBE_RANK_PARTS] = (struct json_member){"pieces", JSON_ANY, &chosen, 0, 0};
	if (!json_is_kind(value, JSON_KIND_OBJECT))
		return json_fail(reader, place, "Must be an object of ranks.",
				 "an object such as that of ?as=ranks", NULL);
	if (!json_read_members(reader, value, place->pointer, members, CUBE_RANK_PARTS + 1))
		return false;
	for (int i = 0; i < CUBE_RANK_PARTS; i++)
		whole |= read[i] >= 0;
	int size = given->size == 2 ? 2 : 3;
	if ((whole || !chosen) && !read_parts(reader, read, place, &size, &cubies))
		return false;
	if (chosen) {
		struct format_pieces *pieces = json_alloc(reader, sizeof *pieces);
		if (!pieces)
			return false;
		*pieces = (struct format_pieces){.list = {.size = (uint8_t)size}};
		if (!read_pieces(reader, chosen, &in_pieces, pieces))
			return false;
		if (!whole)
			cube_piece_ranks_cubies(&pieces->list, pieces->ranks, &cubies);
		if (!agree(reader, &in_pieces, pieces, &cubies))
			return false;
		given->only = whole ? NULL : pieces;
	}
	if (!format_room(reader, size, given))
		return false;
	cube_cubies_paint(&cubies, size, given->colors);
	return true;
}

/* ---- writing ---- */

static void write_list(struct out *out, const char *key, const uint8_t *pieces, int count,
		       int first)
{
	out_member_open(out, key, '[');
	for (int i = 0; i < count; i++)
		out_string(out, cube_place_name(first + pieces[i]));
	out_close(out, ']');
}

static void write_pieces(struct out *out, const struct cube *cube, struct cube_piece_list list)
{
	uint32_t ranks[CUBE_PIECE_RANKS];
	list.size = (uint8_t)cube->size;
	cube_piece_ranks_of_cube(&list, cube, ranks);
	out_member_open(out, "pieces", '{');
	for (int i = 0; i < CUBE_PIECE_RANKS; i++) {
		const bool corners = i < CUBE_PIECE_EDGE_PLACES;
		if (!(corners ? list.corners : list.edges))
			continue;
		if (i == CUBE_PIECE_CORNER_PLACES)
			write_list(out, "corners", list.corner, list.corners, 0);
		if (i == CUBE_PIECE_EDGE_PLACES)
			write_list(out, "edges", list.edge, list.edges, CUBE_CORNERS);
		out_member_integer(out, piece_names[i], ranks[i]);
	}
	out_close(out, '}');
}

void format_ranks_write(struct out *out, const struct cube *cube,
			const struct format_options *options)
{
	uint32_t ranks[CUBE_RANK_PARTS];
	cube_ranks_of_cube(cube, ranks);
	out_open(out, '{');
	for (int i = 0; i < (cube->size == 2 ? CUBE_RANK_EDGES : CUBE_RANK_PARTS); i++)
		out_member_integer(out, part_names[i], ranks[i]);
	if (options->pieces.corners + options->pieces.edges > 0)
		write_pieces(out, cube, options->pieces);
	out_close(out, '}');
}
