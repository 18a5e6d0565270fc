/* core/pattern/pieces.c: what a pattern asks of pieces. */
#include <assert.h>
#include <string.h>

#include "core/format/orbit.h"
#include "core/hold.h"
#include "core/name.h"
#include "core/pattern/pattern_internal.h"
#include "cube/cubies.h"
#include "cube/query.h"

static const char places[CUBE_PLACES][4] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL",
					    "DRB", "UR",  "UF",  "UL",  "UB",  "DR",  "DF",
					    "DL",  "DB",  "FR",  "FL",  "BL",  "BR"};

static const char *const conditions[CUBE_PIECE_CONDITIONS] = {
	[CUBE_PIECE_HOME] = "home",
	[CUBE_PIECE_PLACED] = "placed",
	[CUBE_PIECE_ORIENTED] = "oriented",
	[CUBE_PIECE_SLICE] = "slice",
	[CUBE_PIECE_HALF_TURNS] = "half_turns",
};

int cube_place_find(const char *name, size_t length)
{
	for (int place = 0; place < CUBE_PLACES; place++) {
		size_t found = 0;
		if (strlen(places[place]) != length)
			continue;
		while (found < length && memchr(name, places[place][found], length))
			found++;
		if (found == length)
			return place;
	}
	return -1;
}

const char *cube_place_name(int place)
{
	assert(place >= 0 && place < CUBE_PLACES);
	return places[place];
}

const char *cube_piece_condition_name(enum cube_piece_condition condition)
{
	return conditions[condition];
}

int cube_piece_condition_find(const char *name, size_t length)
{
	return name_find(conditions, sizeof(conditions[0]), CUBE_PIECE_CONDITIONS, name, length);
}

bool cube_piece_rule_valid(int size, struct cube_piece_rule rule)
{
	bool edge = rule.place >= CUBE_CORNERS;
	if (rule.place >= CUBE_PLACES || rule.condition >= CUBE_PIECE_CONDITIONS)
		return false;
	if (edge && size == 2)
		return false;
	if (rule.condition == CUBE_PIECE_SLICE)
		return edge;
	return (rule.condition != CUBE_PIECE_ORIENTED && rule.condition != CUBE_PIECE_HALF_TURNS) ||
	       !edge || size == 3;
}

/* ---- made ready ---- */

struct piece_at {
	uint8_t condition, stickers;
	uint8_t face[3], row[3], column[3]; /* home facelets, in the order of the place's name */
};

/* Followed by `count` of them. */
struct cube_pieces {
	uint32_t count;
	int size;
	uint8_t half_turns; /* bit by place: such a rule of a corner */
};

size_t cube_pieces_bytes(int size, size_t rules)
{
	size_t most = size > 3 ? (size_t)size - 2 : 1;
	return sizeof(struct cube_pieces) + rules * most * sizeof(struct piece_at);
}

static void add_piece(struct cube_pieces *pieces, const struct orbit *orbit, int place,
		      uint8_t condition)
{
	struct piece_at *piece = (struct piece_at *)(pieces + 1) + pieces->count++;
	int n = pieces->size;
	piece->condition = condition;
	piece->stickers = orbit->stickers;
	for (int i = 0; i < orbit->stickers; i++) {
		int facelet = orbit->facelet[place][i];
		piece->face[i] = (uint8_t)(facelet / (n * n));
		piece->row[i] = (uint8_t)(facelet / n % n);
		piece->column[i] = (uint8_t)(facelet % n);
	}
}

/* The two wings in a column are places 2 * edge and, named backwards, 2 * edge + 1. */
static void add_edge(struct cube_pieces *pieces, int edge, uint8_t condition)
{
	struct orbit orbit;
	int n = pieces->size;
	for (int column = 1; column < n / 2; column++) {
		cube_orbit_wings(&orbit, n, column);
		add_piece(pieces, &orbit, 2 * edge, condition);
		add_piece(pieces, &orbit, 2 * edge + 1, condition);
	}
	if (n % 2 != 0) {
		cube_orbit_edges(&orbit, n);
		add_piece(pieces, &orbit, edge, condition);
	}
}

void cube_pieces_make(struct cube_pieces *pieces, int size, const struct cube_piece_rule *rules,
		      size_t count)
{
	struct orbit corners;
	*pieces = (struct cube_pieces){.size = size};
	cube_orbit_corners(&corners, size);
	for (size_t i = 0; i < count; i++) {
		assert(cube_piece_rule_valid(size, rules[i]));
		if (rules[i].place < CUBE_CORNERS && rules[i].condition == CUBE_PIECE_HALF_TURNS)
			pieces->half_turns |= (uint8_t)(1u << rules[i].place);
		if (rules[i].place < CUBE_CORNERS)
			add_piece(pieces, &corners, rules[i].place, rules[i].condition);
		else
			add_edge(pieces, rules[i].place - CUBE_CORNERS, rules[i].condition);
	}
}

/* ---- matching ---- */

/* The colours that belong to the faces as the cube is held. */
static void own_colors(int n, const uint8_t *colors, uint8_t own[CUBE_FACES])
{
	enum { DBL = 6 };
	for (uint8_t face = 0; face < CUBE_FACES; face++)
		own[face] = n % 2 != 0 ? colors[face * n * n + n * n / 2] : face;
	if (n % 2 != 0)
		return;
	struct orbit corners;
	cube_orbit_corners(&corners, n);
	for (int place = 0; place < CUBE_CORNERS; place++) {
		uint8_t seen[3];
		for (int i = 0; i < 3; i++)
			seen[i] = colors[corners.facelet[place][i]];
		if (cube_orbit_find(&corners, seen) >> 2 != DBL)
			continue;
		for (int i = 0; i < 3; i++) {
			uint8_t face = corners.face[place][i];
			own[face] = seen[i];
			own[(face + 3) % CUBE_FACES] = (uint8_t)((seen[i] + 3) % CUBE_FACES);
		}
	}
}

struct place_colors {
	uint8_t own[3]; /* colours of the faces that the place is between, in the order of its name
			 */
	uint8_t color[3]; /* the colours there */
	unsigned top;     /* bits of the colours of U and D */
	unsigned front;   /* of F and B */
};

static bool is_home(const struct place_colors *seen, int stickers)
{
	return memcmp(seen->own, seen->color, (size_t)stickers) == 0;
}

static bool is_placed(const struct place_colors *seen, int stickers)
{
	unsigned own = 0, there = 0;
	for (int i = 0; i < stickers; i++) {
		own |= 1u << seen->own[i];
		there |= 1u << seen->color[i];
	}
	return own == there;
}

/* The first facelet of a place's name is on U or D, else on F or B. */
static bool is_oriented(const struct place_colors *seen, int stickers)
{
	unsigned first = 1u << seen->color[0], second = 1u << seen->color[1];
	if (stickers == 3)
		return (first & seen->top) != 0;
	return (first & seen->top) != 0 ||
	       ((first & seen->front) != 0 && (second & seen->top) == 0);
}

static bool is_of_slice(const struct place_colors *seen, int stickers)
{
	unsigned between = 0;
	for (int i = 0; i < stickers; i++)
		between |= 1u << seen->own[i] | 1u << (seen->own[i] + 3) % CUBE_FACES;
	return (between >> seen->color[0] & 1) && (between >> seen->color[1] & 1);
}

static bool is_of_half_turns(const struct place_colors *seen, int stickers)
{
	for (int i = 0; i < stickers; i++)
		if (seen->color[i] != seen->own[i] &&
		    seen->color[i] != (seen->own[i] + 3) % CUBE_FACES)
			return false;
	return true;
}

static bool (*const holds[CUBE_PIECE_CONDITIONS])(const struct place_colors *seen, int stickers) = {
	[CUBE_PIECE_HOME] = is_home,
	[CUBE_PIECE_PLACED] = is_placed,
	[CUBE_PIECE_ORIENTED] = is_oriented,
	[CUBE_PIECE_SLICE] = is_of_slice,
	[CUBE_PIECE_HALF_TURNS] = is_of_half_turns,
};

/* A cube looked at in one way. */
struct pieces_look {
	const uint8_t *colors, *own;
	const uint8_t *to; /* the places to which the fit takes faces */
	struct fit_face faces[CUBE_FACES];
	struct place_colors seen;
};

static void look_make(struct pieces_look *look, int size, const uint8_t *colors,
		      const uint8_t own[CUBE_FACES], int fit)
{
	const uint8_t *to = cube_hold_table.hold[cube_fit_hold(fit)].to;
	look->colors = colors;
	look->own = own;
	look->to = to;
	look->seen.top = 1u << own[to[CUBE_U]] | 1u << own[to[CUBE_D]];
	look->seen.front = 1u << own[to[CUBE_F]] | 1u << own[to[CUBE_B]];
	fit_faces(look->faces, size, fit);
}

static inline int facelet_of(const struct pieces_look *look, const struct piece_at *piece,
			     int sticker)
{
	const struct fit_face *face = &look->faces[piece->face[sticker]];
	return face->origin + piece->row[sticker] * face->down +
	       piece->column[sticker] * face->right;
}

static inline bool one_fits(struct pieces_look *look, const struct piece_at *piece)
{
	for (int k = 0; k < piece->stickers; k++) {
		look->seen.own[k] = look->own[look->to[piece->face[k]]];
		look->seen.color[k] = look->colors[facelet_of(look, piece, k)];
	}
	return holds[piece->condition](&look->seen, piece->stickers);
}

/* Returns true if the two tetrads of corners are permuted in the same way (cube/query.h), where
 * each corner already meets its rule. A corner is a number of three bits, one per axis: set if it
 * shows the second face of that axis. */
static bool tetrads_alike(struct pieces_look *look, const struct cube_pieces *pieces)
{
	const struct piece_at *piece = (const struct piece_at *)(pieces + 1);
	uint8_t there[CUBE_CORNERS] = {0};
	for (uint32_t i = 0; i < pieces->count; i++, piece++) {
		int place = 0, corner = 0;
		if (piece->condition != CUBE_PIECE_HALF_TURNS || piece->stickers != 3)
			continue;
		(void)one_fits(look, piece);
		for (int k = 0; k < 3; k++) {
			const int second = piece->face[k] >= 3;
			const int opposite = look->seen.color[k] != look->seen.own[k];
			place |= second << piece->face[k] % 3;
			corner |= (second ^ opposite) << piece->face[k] % 3;
		}
		there[place] = (uint8_t)corner;
	}
	return (there[0] ^ there[3]) == (there[7] ^ there[4]) &&
	       (there[0] ^ there[5]) == (there[7] ^ there[2]);
}

static bool pieces_fit(const struct cube_pieces *pieces, const uint8_t *colors,
		       const uint8_t own[CUBE_FACES], int fit)
{
	const struct piece_at *piece = (const struct piece_at *)(pieces + 1);
	struct pieces_look look;
	look_make(&look, pieces->size, colors, own, fit);
	for (uint32_t i = 0; i < pieces->count; i++, piece++)
		if (!one_fits(&look, piece))
			return false;
	return pieces->half_turns != 0xff || tetrads_alike(&look, pieces);
}

uint32_t pieces_count(const struct cube_pieces *pieces)
{
	return pieces->count;
}

bool pieces_one_fits(const struct cube_pieces *pieces, uint32_t which, int fit,
		     const uint8_t *colors, int *facelet)
{
	const struct piece_at *piece = (const struct piece_at *)(pieces + 1) + which;
	uint8_t own[CUBE_FACES];
	struct pieces_look look;
	own_colors(pieces->size, colors, own);
	look_make(&look, pieces->size, colors, own, fit);
	*facelet = facelet_of(&look, piece, 0);
	return one_fits(&look, piece);
}

uint32_t cube_pieces_match(const struct cube_pieces *pieces, const uint8_t *colors, uint32_t among)
{
	uint8_t own[CUBE_FACES];
	uint32_t found = 0;
	own_colors(pieces->size, colors, own);
	for (uint32_t rest = among & CUBE_FITS_ALL; rest; rest &= rest - 1) {
		int fit = __builtin_ctz(rest);
		if (pieces_fit(pieces, colors, own, fit))
			found |= 1u << fit;
	}
	return found;
}
