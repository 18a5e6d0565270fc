/* table.c: the table of formats. */
#include <assert.h>

#include "server/format/format.h"

#define JSON "application/json"
#define ANY CUBE_SIZE_MIN, CUBE_SIZE_MAX

const struct format formats[] = {
	{"facelets", JSON, "6*n*n letters in facelet order: faces U R F D L B, each row by row",
	 ANY, FORMAT_COLORS, format_facelets_read, format_facelets_write, format_facelets_parse,
	 "facelets", false, false, 1},
	{"faces", JSON, "an object of six n by n arrays of letters", ANY, FORMAT_COLORS,
	 format_faces_read, format_faces_write, NULL, NULL, false, false, 4},
	{"cubies", JSON,
	 "permutation and orientation of corners and edges, and the centres; 2x2x2: corners only",
	 2, 3, FORMAT_PIECES, format_cubies_read, format_cubies_write, NULL, NULL, false, false, 7},
	{"reid", JSON, "Singmaster and Reid: twenty names of pieces, edges first", 3, 3,
	 FORMAT_PIECES, format_reid_read, format_reid_write, format_reid_parse, "reid", false, true,
	 5},
	{"index", JSON,
	 "one number for every state, as decimal text; size is optional when it is read", 2, 3,
	 FORMAT_REACHED, format_index_read, format_index_write, format_index_parse, "index", false,
	 true, 4},
	{"features", JSON, "364 numbers 0 or 1 for a neural network", 3, 3, FORMAT_PIECES,
	 format_features_read, format_features_write, NULL, NULL, false, false, 40},
	{"flatten", JSON, "Cubie's object of six n by n arrays of colour numbers", ANY,
	 FORMAT_COLORS, format_flatten_read, format_flatten_write, NULL, NULL, false, false, 7},
	{"pieces", JSON, "Cubie's list of 26 positions and colours", 3, 3, FORMAT_PIECES,
	 format_pieces_read, format_pieces_write, NULL, NULL, false, false, 32},
	{"rubyks", JSON, "Rubyks' six arrays of nine colour numbers", 3, 3, FORMAT_COLORS,
	 format_rubyks_read, format_rubyks_write, NULL, NULL, false, false, 9},
	{"poses", JSON, "every cubie for a renderer: home, place, rotation matrix, stickers", ANY,
	 FORMAT_PIECES, format_poses_read, format_poses_write, NULL, NULL, true, false, 185},
	{"compact_poses", JSON,
	 "every cubie as [x, y, z, rotation], in the order of their homes, x slowest", ANY,
	 FORMAT_PIECES, format_compact_poses_read, format_compact_poses_write, NULL, NULL, true,
	 false, 60},
	{"kpattern", JSON,
	 "the data of cubing.js' KPattern: pieces and orientation of EDGES, CORNERS and CENTERS; "
	 "2x2x2: CORNERS only",
	 2, 3, FORMAT_PIECES, format_kpattern_read, format_kpattern_write, NULL, NULL, false, false,
	 9},
	{"ranks", JSON,
	 "permutation, twist and flip as a number each, of all pieces and with ?pieces= of chosen "
	 "ones; 2x2x2: corners only",
	 2, 3, FORMAT_REACHED, format_ranks_read, format_ranks_write, NULL, NULL, false, true, 35},
	{"names", JSON,
	 "for each facelet the name of its sticker: its side, then the other sides of its cubie", 2,
	 3, FORMAT_PIECES, format_names_read, format_names_write, NULL, NULL, false, false, 30},
	{"net", "text/plain", "the unfolding as plain text: U above F; L F R B in a row; D below F",
	 ANY, FORMAT_COLORS, format_net_read, format_net_write, NULL, NULL, false, false, 6},
};

static_assert(sizeof formats / sizeof formats[0] <= FORMATS_MAX, "more rows than FORMATS_MAX");
const size_t format_count = sizeof formats / sizeof formats[0];
