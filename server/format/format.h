/* format.h: the representations of a cube: one row each, read and written as JSON.
 *
 * ?as=, the cube objects of requests, query parameters and GET /v1/formats follow from the table.
 * To add a format, write its file and its row. */
#ifndef SERVER_FORMAT_FORMAT_H
#define SERVER_FORMAT_FORMAT_H

#include "cube/form.h"
#include "cube/ranks.h"
#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/util/error.h"

/* The maximum number of rows. */
#define FORMATS_MAX 24

/* The cube that a description gives. Most give colours, from which the identity of same-coloured
 * centres and the spins are assumed; poses know every sticker and give the cube itself. */
struct format_given {
	int size;          /* before: what is known of the size, or 0; after: of the cube */
	uint8_t *colors;   /* 6*n*n in facelet order, on the arena; always set */
	struct cube *cube; /* on the arena: these colours with every sticker known; or NULL */
	/* On the arena: only these pieces were given, the others are filled in; or NULL. */
	const struct format_pieces *only;
};

/* Chosen pieces of a cube of their size, turned as a whole until it is home, and their ranks. */
struct format_pieces {
	struct cube_piece_list list;
	uint32_t ranks[CUBE_PIECE_RANKS];
	bool given[CUBE_PIECE_RANKS]; /* the others follow from these */
};

/* The client's options for writing a format. */
struct format_options {
	enum cube_piece_order order;   /* of cubies */
	struct cube_piece_list pieces; /* of ranks; whatever its size; of no pieces: none */
};

typedef bool format_reader(struct json_reader *reader, struct json_value *value,
			   const struct json_place *place, struct format_given *given);
typedef bool format_text_reader(struct json_reader *reader, struct text text,
				const struct json_place *place, struct format_given *given);
typedef void format_writer(struct out *out, const struct cube *cube,
			   const struct format_options *options);

/* Any colours; pieces, each of them once; or a state that turns lead to. */
enum format_needs { FORMAT_COLORS, FORMAT_PIECES, FORMAT_REACHED };

struct format {
	const char *name;
	const char *media_type; /* of its value on its own */
	const char *text;       /* one line for people */
	int size_min, size_max;
	enum format_needs pieces; /* the requirements for a cube in this format */
	/* Reads the member's value; false, with the error set, if it gives no colours. Does not
	 * check whether the cube can be reached by turning. NULL if it is only written. */
	format_reader *read;
	/* Writes the value for a size it supports. Without `pieces` the cube may be a painting: see
	 * format_paint. */
	format_writer *write;
	/* Reads the value from the text of a query parameter; `parameter` is its name in
	 * PARAMETER_TABLE (server/api/request/query.h). Both are NULL if there is none. */
	format_text_reader *read_text;
	const char *parameter;
	bool stickers; /* identifies every sticker: it gives format_given.cube */
	bool homed;    /* of the cube turned as a whole until its centres (2x2x2: DBL) are home */
	/* Cost of writing it, in ns per facelet, at the most expensive size; measured by
	 * tests/bench/views.c. Decides which thread writes it. */
	uint16_t write_ns;
};

extern const struct format formats[];
extern const size_t format_count;

/* The format that every answer has. */
#define FORMAT_ALWAYS 0

MUST_USE bool format_serves(const struct format *format, int size);

/* Bytes of a text of sizes with its NUL. */
#define FORMAT_SIZES_BYTES 24
/* "size 3", "sizes 2 to 100". */
void format_sizes(const struct format *format, char text[FORMAT_SIZES_BYTES]);

/* Makes a struct cube that shows these colours and is not a valid state: each place has any sticker
 * of its colour. Turns, colours, facelets and the net work on it; anything about pieces does
 * not. */
void format_paint(struct cube *cube, int size, const uint8_t *colors);

/* ---- for the formats ---- */

/* json_fail() for a place in the document. */
bool format_fail_at(struct json_reader *reader, const char *pointer, const char *detail,
		    const char *expected, const char *suggestion);

/* Reads a string. */
MUST_USE bool format_text(struct json_reader *reader, struct json_value *value,
			  const struct json_place *place, struct text *text);

/* Reads an array of `count` items. */
MUST_USE bool format_array(struct json_reader *reader, struct json_value *value,
			   const struct json_place *place, size_t count, struct json_value **array);

/* An array of `count` integers from `min` to `max`. If `null` is not 0, JSON null is read as that
 * value. */
struct format_numbers {
	size_t count;
	int8_t min, max, null;
};
MUST_USE bool format_numbers_read(struct json_reader *reader, struct json_value *value,
				  const struct json_place *place, const struct format_numbers *as,
				  int8_t *numbers);
void format_numbers_write(struct out *out, const uint8_t *numbers, size_t count);
void format_signed_write(struct out *out, const int8_t *numbers, size_t count);

/* The place of an item, and of a member, below a place. */
struct json_place format_at(struct json_reader *reader, const struct json_place *place,
			    size_t index);
struct json_place format_in(struct json_reader *reader, const struct json_place *place,
			    const char *name);

/* Fails because `count` letters of the text are not those of any cube, naming the sizes next to it. */
bool format_letters_problem(struct json_reader *reader, const struct json_place *place,
			    struct text text, size_t count);

/* Adds the piece with that name, which must be one that cubes of the list's size have, and not be there. */
MUST_USE bool format_piece_add(struct json_reader *reader, const struct json_place *place,
			       struct text name, struct cube_piece_list *list);

/* The first rank that was given and is another one in a cube with these; -1: none. */
MUST_USE int format_pieces_differ(const struct format_pieces *pieces,
				  const uint32_t ranks[CUBE_PIECE_RANKS]);

/* Fails with the text of a form's error. */
bool format_form_problem(struct json_reader *reader, const struct json_place *place,
			 const struct cube_form_error *error);

/* Sets the size of `given` and allocates its colours. */
MUST_USE bool format_room(struct json_reader *reader, int size, struct format_given *given);

/* ---- the formats, by file ---- */

format_reader format_facelets_read, format_faces_read, format_net_read, format_cubies_read,
	format_reid_read, format_index_read, format_features_read, format_flatten_read,
	format_pieces_read, format_rubyks_read, format_poses_read, format_compact_poses_read,
	format_kpattern_read, format_ranks_read, format_names_read;
format_text_reader format_facelets_parse, format_reid_parse, format_index_parse;
format_writer format_facelets_write, format_faces_write, format_net_write, format_cubies_write,
	format_reid_write, format_index_write, format_features_write, format_flatten_write,
	format_pieces_write, format_rubyks_write, format_poses_write, format_compact_poses_write,
	format_kpattern_write, format_ranks_write, format_names_write;

#endif
