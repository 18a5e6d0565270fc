/* format.h: the representations of a cube: one row each, read and written as JSON.
 *
 * The table is what ?as=, the cube objects of requests and GET /v1/formats follow from. To add a
 * format, write its file and its row. */
#ifndef SERVER_FORMAT_H
#define SERVER_FORMAT_H

#include "server/api/input.h"
#include "server/api/out.h"

struct format {
	const char *name;
	const char *media_type; /* of its value on its own */
	const char *text;       /* a line for people */
	int size_min, size_max;
	/* Reads the member's value as 6*n*n colours on the arena; NULL where the format is only
	 * written. Answers a problem and returns false where it cannot be. */
	bool (*read)(struct work *work, struct json_t *value, const char *pointer, uint8_t **colors,
		     int *size);
	void (*write)(struct out *out, const struct cube *cube);
};

extern const struct format formats[];
extern const size_t format_count;

/* The format that is always answered. */
#define FORMAT_ALWAYS 0

bool format_facelets_read(struct work *work, struct json_t *value, const char *pointer,
			  uint8_t **colors, int *size);
/* The same from a query parameter. */
bool format_facelets_parse(struct work *work, struct text letters, const char *pointer,
			   const char *parameter, uint8_t **colors, int *size);
void format_facelets_write(struct out *out, const struct cube *cube);

bool format_faces_read(struct work *work, struct json_t *value, const char *pointer,
		       uint8_t **colors, int *size);
void format_faces_write(struct out *out, const struct cube *cube);

void format_net_write(struct out *out, const struct cube *cube);

#endif
