/* pattern.h: the pattern of a request: colours, pieces, a name, and combinations of these. */
#ifndef SERVER_API_INPUT_PATTERN_H
#define SERVER_API_INPUT_PATTERN_H

#include "cube/named.h"
#include "server/api/request/context.h"
#include "server/json/writer.h"
#include "server/util/error.h"

/* The maximum number of parts (colours, pieces, names) that a pattern may combine. */
#define PATTERN_PARTS_MAX 64

struct pattern_request {
	struct json_value *value; /* a string or an object */
	const char *pointer;
	bool alone; /* it is to be stored, and may refer only to common patterns */
	/* Set by custom_pattern_find (custom_patterns.h): the own patterns that it names. */
	struct custom_pattern *own;
	/* After pattern_make: */
	uint8_t layer;                 /* enum cube_layer: what A is, by itself or by its name */
	struct cube_query_node *query; /* on the arena, prepared */
};

/* Takes the value of a member; NULL: missing. Answers 400 bad-member. */
MUST_USE bool pattern_read(struct context *ctx, struct json_value *value, const char *pointer,
			   struct pattern_request *pattern);
/* Reads it for cubes of that size. Answers 422 bad-pattern or 400 bad-member. Any thread. */
MUST_USE bool pattern_make(struct context *ctx, struct pattern_request *pattern, int size);
/* The API's names of layers, by enum cube_layer; NULL for none. */
extern const char *const layer_names[CUBE_LAYERS];

/* enum cube_layer: what A is in a pattern that was read before and names no own patterns. */
uint8_t pattern_layer(struct json_value *value);

/* The common pattern whose name is nearest to that; NULL if none is near. */
const char *pattern_nearest(struct text name);
/* The own pattern with that name; NULL: none. */
const struct custom_pattern *pattern_own(const struct custom_pattern *list, struct text name);
/* Rough cost in ns of reading the pattern, and of matching it once. */
uint64_t pattern_cost(const struct pattern_request *pattern, const struct context *ctx, int size);
uint64_t pattern_match_cost(const struct pattern_request *pattern, int size);

/* Answers 422 bad-pattern; `expected` may be NULL. Returns false. */
bool pattern_problem(struct context *ctx, const char *pointer, const char *expected,
		     const char *detail, ...) __attribute__((format(printf, 4, 5)));

/* Writes the members `face`, `rotation` and `bindings` of a fit. */
void pattern_fit_write(struct out *out, const struct pattern_request *pattern,
		       const uint8_t *colors, int fit);

#endif
