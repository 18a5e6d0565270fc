/* pattern_internal.h: what the files that read patterns share: pattern.c (combinations),
 * pattern_colors.c (arrays of items). */
#ifndef SERVER_API_INPUT_PATTERN_INTERNAL_H
#define SERVER_API_INPUT_PATTERN_INTERNAL_H

#include "server/api/input/pattern.h"
#include "server/util/error.h"

/* A pattern being read, for cubes of `size`. */
struct pattern_reading {
	struct context *ctx;
	struct cube_query_node *nodes; /* on the arena */
	uint32_t count, room;
	const struct custom_pattern *own; /* own patterns that may be named */
	int size, parts;
	bool alone; /* as in struct pattern_request */
};

/* Adds nodes; false if out of memory. */
MUST_USE bool pattern_add(struct pattern_reading *in, const struct cube_query_node *nodes,
			  uint32_t count);
/* Counts a part. Answers 422 if there are too many. */
MUST_USE bool pattern_part(struct pattern_reading *in, const char *pointer);

/* The member `faces`: a string, or six arrays. */
MUST_USE bool pattern_read_faces(struct pattern_reading *in, struct json_value *faces,
				 const char *pointer, bool held);

#endif
