/* core/sets/sets.c: the table of sets. */
#include "cube/sets.h"

#include "core/name.h"

#define F2L "the first two layers"
#define SLOTS "the cross and three pairs"
#define WIKI "Speedsolving.com Wiki: "

/* The requirements for all corners and edges of the last layer, in the order twists, flips,
 * corners, edges. */
#define PARTS(t, f, c, e) CUBE_SET_##t, CUBE_SET_##f, CUBE_SET_##c, CUBE_SET_##e

const struct cube_set cube_sets[CUBE_SETS] = {
	{"oll", "OLL: orientation of the last layer", 3, PARTS(COUNTS, COUNTS, FREE, FREE),
	 CUBE_BASE_SOLVED, false, CUBE_SLOT_SOLVED, 57, F2L, "the last layer is oriented",
	 WIKI "OLL"},
	{"pll", "PLL: permutation of the last layer", 3, PARTS(SOLVED, SOLVED, COUNTS, COUNTS),
	 CUBE_BASE_SOLVED, false, CUBE_SLOT_SOLVED, 21, F2L ", and the last layer oriented",
	 "solved", WIKI "PLL"},
	{"coll", "COLL: corners of the last layer, edges oriented", 3,
	 PARTS(COUNTS, SOLVED, COUNTS, FREE), CUBE_BASE_SOLVED, false, CUBE_SLOT_SOLVED, 42,
	 F2L ", and the edges of the last layer oriented", "all but the permutation of four edges",
	 WIKI "COLL"},
	{"cmll", "CMLL: corners of the last layer, edges free", 3,
	 PARTS(COUNTS, FREE, COUNTS, FREE), CUBE_BASE_SOLVED, true, CUBE_SLOT_SOLVED, 42,
	 "both blocks of Roux", "all but six edges and the slice M", WIKI "CMLL"},
	{"zbll", "ZBLL: the last layer, edges oriented", 3, PARTS(COUNTS, SOLVED, COUNTS, COUNTS),
	 CUBE_BASE_SOLVED, false, CUBE_SLOT_SOLVED, 493,
	 F2L ", and the edges of the last layer oriented", "solved", WIKI "ZBLL"},
	{"ollcp", "OLLCP: orientation of the last layer and permutation of its corners", 3,
	 PARTS(COUNTS, COUNTS, COUNTS, FREE), CUBE_BASE_SOLVED, false, CUBE_SLOT_SOLVED, 331, F2L,
	 "all but the permutation of four edges", WIKI "OLLCP"},
	{"cll", "CLL: the last layer of a 2x2x2", 2, PARTS(COUNTS, FREE, COUNTS, FREE),
	 CUBE_BASE_SOLVED, false, CUBE_SLOT_SOLVED, 42, "the first layer", "solved", WIKI "CLL"},
	{"eg1", "EG-1: a 2x2x2, two adjacent corners of the first layer swapped", 2,
	 PARTS(COUNTS, FREE, COUNTS, FREE), CUBE_BASE_ADJACENT, false, CUBE_SLOT_SOLVED, 43,
	 "a face at D, two adjacent corners of it swapped", "solved", WIKI "EG"},
	{"eg2", "EG-2: a 2x2x2, two diagonal corners of the first layer swapped", 2,
	 PARTS(COUNTS, FREE, COUNTS, FREE), CUBE_BASE_DIAGONAL, false, CUBE_SLOT_SOLVED, 43,
	 "a face at D, two diagonal corners of it swapped", "solved", WIKI "EG"},
	{"pbl", "PBL: permutation of both layers of a 2x2x2", 2, PARTS(SOLVED, FREE, COUNTS, FREE),
	 CUBE_BASE_ANY, false, CUBE_SLOT_SOLVED, 5, "both layers oriented", "solved", WIKI "PBL"},
	{"f2l", "F2L: the last pair of the first two layers", 3, PARTS(FREE, FREE, FREE, FREE),
	 CUBE_BASE_SOLVED, false, CUBE_SLOT_ANY, 41, SLOTS, F2L, WIKI "F2L"},
	{"zbls", "ZBLS: the last pair, and the edges of the last layer oriented", 3,
	 PARTS(FREE, COUNTS, FREE, FREE), CUBE_BASE_SOLVED, false, CUBE_SLOT_ANY, 305, SLOTS,
	 F2L ", and the edges of the last layer oriented", WIKI "ZBLS"},
	{"wv", "WV: winter variation, a joined pair and the corners of the last layer oriented", 3,
	 PARTS(COUNTS, SOLVED, FREE, FREE), CUBE_BASE_SOLVED, false, CUBE_SLOT_JOINED, 27,
	 SLOTS ", and edges oriented; R U' R' would insert the pair",
	 F2L ", and the last layer oriented", WIKI "Winter Variation"},
};

const struct cube_set *cube_set_find(const char *name, size_t length)
{
	const int at = name_find(&cube_sets[0].name, sizeof(cube_sets[0]), CUBE_SETS, name, length);
	return at >= 0 ? &cube_sets[at] : NULL;
}
