/* query.h: the query parameters, decoded and checked against those of the route. */
#ifndef SERVER_API_REQUEST_QUERY_H
#define SERVER_API_REQUEST_QUERY_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/util/error.h"
#include "server/util/text.h"

/* Every parameter of the API: constant and name. */
#define PARAMETER_TABLE(X)                                                                         \
	X(PARAMETER_SIZE, "size")                                                                  \
	X(PARAMETER_FACELETS, "facelets")                                                          \
	X(PARAMETER_MOVES, "moves")                                                                \
	X(PARAMETER_NOTATION, "notation")                                                          \
	X(PARAMETER_SESSION, "session")                                                            \
	X(PARAMETER_AT, "at")                                                                      \
	X(PARAMETER_AS, "as")                                                                      \
	X(PARAMETER_TURNS, "turns")                                                                \
	X(PARAMETER_COLOR, "color")                                                                \
	X(PARAMETER_AFTER, "after")                                                                \
	X(PARAMETER_LIMIT, "limit")                                                                \
	X(PARAMETER_CURSOR, "cursor")                                                              \
	X(PARAMETER_INDEX, "index")                                                                \
	X(PARAMETER_REID, "reid")                                                                  \
	X(PARAMETER_ORDER, "order")                                                                \
	X(PARAMETER_PIECES, "pieces")                                                              \
	X(PARAMETER_DTYPE, "dtype")                                                                \
	X(PARAMETER_CUBE, "cube")                                                                  \
	X(PARAMETER_WAIT_MS, "wait_ms")                                                            \
	X(PARAMETER_TICKET, "ticket")                                                              \
	X(PARAMETER_COUNT_OF, "count")                                                             \
	X(PARAMETER_EXTRAS, "extras")                                                              \
	X(PARAMETER_TITLE, "title")                                                                \
	X(PARAMETER_SEED, "seed")                                                                  \
	X(PARAMETER_VARIANT, "variant")                                                            \
	X(PARAMETER_VIEW, "view")                                                                  \
	X(PARAMETER_METHOD, "method")                                                              \
	X(PARAMETER_METRIC, "metric")                                                              \
	X(PARAMETER_UNTIL, "until")                                                                \
	X(PARAMETER_GOAL, "goal")                                                                  \
	X(PARAMETER_PLACE, "place")                                                                \
	X(PARAMETER_DISTANCE, "distance")                                                          \
	X(PARAMETER_GENERATORS, "generators")                                                      \
	X(PARAMETER_NISS, "niss")                                                                  \
	X(PARAMETER_MAX_LENGTH, "max_length")                                                      \
	X(PARAMETER_IMPROVE, "improve")                                                            \
	X(PARAMETER_SOLUTIONS, "solutions")                                                        \
	X(PARAMETER_TIMEOUT_MS, "timeout_ms")                                                      \
	X(PARAMETER_FIRST, "first")                                                                \
	X(PARAMETER_LANGUAGE, "language")                                                          \
	X(PARAMETER_STEPS, "steps")                                                                \
	X(PARAMETER_PATTERN, "pattern")                                                            \
	X(PARAMETER_ANY, "any")                                                                    \
	X(PARAMETER_SPIN, "spin")                                                                  \
	X(PARAMETER_ROTATION, "rotation")                                                          \
	X(PARAMETER_MIRROR, "mirror")                                                              \
	X(PARAMETER_WRITE, "write")                                                                \
	X(PARAMETER_COLORS, "colors")                                                              \
	X(PARAMETER_FROM, "from")                                                                  \
	X(PARAMETER_TO, "to")                                                                      \
	X(PARAMETER_PENALTY, "penalty")                                                            \
	X(PARAMETER_ASSISTED, "assisted")                                                          \
	X(PARAMETER_NAME, "name")                                                                  \
	X(PARAMETER_LIST, "list")                                                                  \
	X(PARAMETER_SKIP_KNOWN, "skip_known")                                                      \
	X(PARAMETER_EVENT, "event")                                                                \
	X(PARAMETER_GROUP_BY, "group_by")                                                          \
	X(PARAMETER_AVERAGES, "averages")                                                          \
	X(PARAMETER_SORT, "sort")                                                                  \
	X(PARAMETER_PIXELS, "pixels")                                                              \
	X(PARAMETER_ROTATE, "rotate")                                                              \
	X(PARAMETER_BACKGROUND, "background")                                                      \
	X(PARAMETER_PLASTIC, "plastic")                                                            \
	X(PARAMETER_MASK, "mask")                                                                  \
	X(PARAMETER_ARROWS, "arrows")                                                              \
	X(PARAMETER_CASE, "case")                                                                  \
	X(PARAMETER_FMT, "fmt")                                                                    \
	X(PARAMETER_PZL, "pzl")                                                                    \
	X(PARAMETER_STAGE, "stage")                                                                \
	X(PARAMETER_R, "r")                                                                        \
	X(PARAMETER_ALG, "alg")                                                                    \
	X(PARAMETER_FD, "fd")                                                                      \
	X(PARAMETER_FC, "fc")                                                                      \
	X(PARAMETER_SCH, "sch")                                                                    \
	X(PARAMETER_BG, "bg")                                                                      \
	X(PARAMETER_CC, "cc")                                                                      \
	X(PARAMETER_CO, "co")                                                                      \
	X(PARAMETER_FO, "fo")                                                                      \
	X(PARAMETER_DIST, "dist")                                                                  \
	X(PARAMETER_ARW, "arw")                                                                    \
	X(PARAMETER_AC, "ac")                                                                      \
	X(PARAMETER_WALK, "walk")                                                                  \
	X(PARAMETER_LABEL, "label")                                                                \
	X(PARAMETER_FORMAT, "format")                                                              \
	X(PARAMETER_SYMMETRY, "symmetry")                                                          \
	X(PARAMETER_CHILDREN, "children")

enum parameter {
#define PARAMETER_ROW(constant, name) constant,
	PARAMETER_TABLE(PARAMETER_ROW)
#undef PARAMETER_ROW
		PARAMETER_COUNT
};

/* Parameters of a route, a bit (1 << parameter) each. */
typedef unsigned __int128 parameter_set;
static_assert(PARAMETER_COUNT <= 128, "a set has no room for all parameters");

struct query {
	struct text value[PARAMETER_COUNT];
};

struct context;

/* Reads `length` bytes after the '?' into ctx->query. Accepts only parameters whose bit (1 <<
 * parameter) is in `known`, each once; a list may also be repeated, or be named with [], and is
 * then joined with commas. Otherwise answers 400 bad-parameter and returns false. */
MUST_USE bool query_read(struct context *ctx, const char *text, size_t length, parameter_set known);

/* The parameter with that name; PARAMETER_COUNT if there is none. */
enum parameter query_parameter(const char *name);

/* Percent-decodes into `out`, at most `room` bytes; `plus` makes '+' a space. Returns how many there are, or
 * SIZE_MAX if the text is malformed or there is no room for it. */
MUST_USE size_t query_unescape(const char *text, size_t length, bool plus, char *out, size_t room);

/* Percent-decodes onto the arena; `plus` makes '+' a space. False if it is malformed or out of
 * memory: then `decoded->bytes` is NULL. */
MUST_USE bool query_decode(struct context *ctx, const char *text, size_t length, bool plus,
			   struct text *decoded);

/* The parameter as an integer in min..max; `*number` is unchanged if it is absent. */
MUST_USE bool query_integer(struct context *ctx, enum parameter parameter, int64_t min, int64_t max,
			    int64_t *number);
/* The parameter as true, false, 1 or 0, in upper or lower case. */
MUST_USE bool query_bool(struct context *ctx, enum parameter parameter, bool *value);

/* Answers 400 bad-parameter. `parameter` (if unknown), `expected` and `suggestion` may be NULL.
 * Returns false. */
bool query_problem(struct context *ctx, const char *parameter, const char *detail,
		   const char *expected, const char *suggestion);

#endif
