/* table.c: the table of formats. */
#include "server/format/format.h"

const struct format formats[] = {
	{"facelets", "application/json",
	 "6*n*n letters in facelet order: faces U R F D L B, each row by row", CUBE_SIZE_MIN,
	 CUBE_SIZE_MAX, format_facelets_read, format_facelets_write},
	{"faces", "application/json", "an object of six n by n arrays of letters", CUBE_SIZE_MIN,
	 CUBE_SIZE_MAX, format_faces_read, format_faces_write},
	{"net", "text/plain", "the unfolding as plain text: U above F; L F R B in a row; D below F",
	 CUBE_SIZE_MIN, CUBE_SIZE_MAX, NULL, format_net_write},
};

const size_t format_count = sizeof formats / sizeof formats[0];
