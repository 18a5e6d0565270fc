/* cube/facelets.h: cubes as colours: the facelet string, the unfolding, and back.
 *
 * A facelet string is 6*n*n letters in facelet order (see cube/cube.h). Read, letters
 * are faces (U R F D L B) or WCA colours (W R G Y O B: U white, R red, F green, D yellow, L orange,
 * B blue), in either case, also mixed: the two agree on R and B. On odd sizes six other symbols of any kind
 * will do, such as digits or coloured squares: the middle of each face says which face its symbol is. A text
 * whose letters are all faces or colours is never read so.
 *
 * From colours alone, centre stickers of one colour cannot be distinguished (n >= 4), nor spins. They
 * take their homes in facelet order, spin 0: the identity is then assumed. Corners and edges
 * are always known: their colours and where they lie leave one piece. */
#ifndef CUBE_FACELETS_H
#define CUBE_FACELETS_H

#include "cube/error.h"
#include "cube/size.h"

/* Writes cube_facelets(size) letters and no NUL. */
CUBE_API void cube_facelets_print(const struct cube *cube, char *letters);

/* Finds the size of a cube with that many facelets; 0 if there is none. */
CUBE_API CUBE_MUST_USE int cube_size_of_facelets(size_t count);

/* Reads letters or symbols, in UTF-8, into colours 0..5 (room for as many as there are bytes, or
 * CUBE_FACELETS_MAX); spaces, tabs and line ends are skipped. On CUBE_OK `size` is set. The offset of an
 * error is that of the letter. */
CUBE_API CUBE_MUST_USE enum cube_error_code cube_colors_parse(const char *letters, size_t length,
							      uint8_t *colors, int *size,
							      struct cube_error *error);
/* Returns the number of letters or symbols in such a text, without what is skipped. */
CUBE_API CUBE_MUST_USE size_t cube_symbols_count(const char *text, size_t length);
/* One letter, face or colour, either case; -1 if it is neither. */
CUBE_API CUBE_MUST_USE int cube_color_of_letter(char letter);

enum cube_problem_kind {
	CUBE_PROBLEM_WRONG_COUNT,      /* a colour (letters) is not there n*n times but amount */
	CUBE_PROBLEM_IMPOSSIBLE_PIECE, /* colours that no piece has, for example opposite ones */
	CUBE_PROBLEM_MIRRORED_CORNER,  /* three right colours, the wrong way round */
	CUBE_PROBLEM_DUPLICATE_PIECE,  /* a piece is there twice or more: its second place */
	CUBE_PROBLEM_MISSING_PIECE,    /* a piece is nowhere */
	CUBE_PROBLEM_CORNER_TWISTED, /* the twists do not add up: amount 1 or 2 clockwise too many */
	CUBE_PROBLEM_EDGE_FLIPPED,   /* the flips do not add up */
	CUBE_PROBLEM_PARITY,         /* two pieces swapped: the place of one of them */
	CUBE_PROBLEM_CENTERS,        /* the middle centres of an odd cube (letters, by face) fit no
	                                * way to hold it; or a centre orbit has not four stickers of
	                                * each colour: at place there is letters, lacking is piece */
	CUBE_PROBLEM_FACE_TURNED,    /* a face (place) was read turned, amount quarters clockwise
	                                * too far */
	CUBE_PROBLEM_FACES_EXCHANGED, /* two faces (letters) were read in each other's place */
	CUBE_PROBLEM_KINDS
};

/* Room for the longest repair with its NUL. */
#define CUBE_REPAIR_BYTES 176

/* One finding. The repairs make a cube of the colours if all of them are done in
 * the order of the list; if that cannot be guaranteed, all are "". A single repair is given with the
 * first problem. docs/reference/diagnosis.md has their forms and how they are chosen. */
struct cube_problem {
	enum cube_problem_kind kind;
	int amount;      /* as described above, else 0 */
	char place[8];   /* by its face letters, e.g. "URF", "UF"; for wings and centres followed
	                  * by the number of the first letter's facelet, e.g. "UF13"; or "" */
	char piece[8];   /* the piece by its colours as face letters, or "" */
	char letters[8]; /* the colours seen there, in the order of the place's name, or "" */
	char repair[CUBE_REPAIR_BYTES]; /* the repair, in English, or "" */
};

/* The API's name of a kind: "wrong_count". */
CUBE_API const char *cube_problem_name(enum cube_problem_kind kind);

/* Makes a state of 6*size*size colours. Returns 0 and fills `cube` if turns can reach
 * the colours (held in any of the 24 ways); else returns how many problems there are, of which
 * the first `capacity` are stored, and `cube` is undefined. `problems` may be NULL with capacity
 * 0. Every orbit of every size is checked, and problems come in this order: faces that were read turned
 * or exchanged, if that explains everything in one way; counts; the middle centres (odd n); corners;
 * middle edges (odd n); twists, flips and the parity of all these; wings; the other centres. O(n^2):
 * 0.2 us for a 3x3x3, some 20 us if it is unreachable. */
CUBE_API CUBE_MUST_USE size_t cube_from_colors(struct cube *cube, int size, const uint8_t *colors,
					       struct cube_problem *problems, size_t capacity);

/* Lists single repairs that are as likely as the one that is reported with the first problem, that one
 * first: faces that may have been read turned or exchanged, or, on a 2x2x2 or 3x3x3, all stickers that may
 * have another colour, or all exchanges of two stickers; of larger odd cubes, those that swap two middle
 * edges. Each of them alone makes the colours a cube; nobody can know which one is right. Returns how many
 * there are, of which the first `capacity` are written; 0 if the colours are a cube, or if no single repair is
 * known. Of twists, flips and swaps of pieces only the reported one is listed. Up to 0.2 ms. */
CUBE_API CUBE_MUST_USE size_t cube_repair_candidates(int size, const uint8_t *colors,
						     char (*repairs)[CUBE_REPAIR_BYTES],
						     size_t capacity);

/* The same as cube_from_colors for a 2x2x2 or 3x3x3 in any assembly, as it may come out when a cube is taken apart and put
 * together: every piece is there once, but a corner may be twisted, an edge flipped, two pieces exchanged.
 * Such states compose and invert like others. False, with `cube` undefined, if a piece is not there, or if
 * the middle centres fit no way to hold the cube: they cannot be taken off. O(1). */
CUBE_API CUBE_MUST_USE bool cube_assemble(struct cube *cube, int size, const uint8_t *colors);

/* Bytes of the unfolding of that size without NUL; with colour also its ANSI sequences (an upper bound then). */
CUBE_API size_t cube_net_bytes(int size, bool ansi);

/* Writes the unfolding as text: 3n rows, U above F, L F R B in a row, D below F; a space between
 * the letters of a face and one more between faces, no spaces at a line's end, each row ended by
 * '\n'. With `ansi` each letter stands on its colour, 24-bit free (256-colour codes).
 * Returns the bytes written. */
CUBE_API size_t cube_net_print(const struct cube *cube, bool ansi, char *text);

#endif
