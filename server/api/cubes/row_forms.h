/* row_forms.h: the forms that a row of a random cube may have (row_columns.h): their numbers, and how they are written. */
#ifndef SERVER_API_CUBES_ROW_FORMS_H
#define SERVER_API_CUBES_ROW_FORMS_H

#include "cube/batch.h"

#define ROW_FORMS 6

/* The forms in lines of JSON. */
enum row_text {
	ROW_ARRAY,
	ROW_CUBIES, /* an object with the arrays of struct cube_cubies */
	ROW_INDEX,  /* decimal text */
	ROW_NUMBER, /* of a label */
	ROW_MOVES,  /* text: actions of cube/batch.h */
};

/* A form of cubes of one size. */
struct row_shape {
	uint16_t numbers; /* of a row; 0: the size has no such form */
	void (*write)(const struct cube_state3 *states, size_t count, uint8_t *rows);
};

struct row_form {
	const char *name;
	uint8_t number_bytes; /* 1 or 8, the lowest first */
	enum row_text text;
	struct row_shape shape[2]; /* of size 2 and 3 */
};

extern const struct row_form row_forms[ROW_FORMS];

#endif
