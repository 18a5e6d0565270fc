/* case.h: the cases of a set (cube/sets.h) that a scramble is to lead to. */
#ifndef SERVER_API_INPUT_CASE_H
#define SERVER_API_INPUT_CASE_H

#include "cube/sets.h"
#include "server/api/request/context.h"
#include "server/util/error.h"

struct case_request {
	const struct cube_set *set; /* NULL: no set was named */
	struct text name;           /* as it was sent */
	bool any;                   /* any case of the set */
	/* After case_find: NULL if any. */
	const struct cube_case *one;
};

/* Returns true if the value of `until` names a set or a case: the name of a set, alone, with
 * "-any", or with a hyphen and more after it. Names of patterns come first. */
MUST_USE bool case_read(struct json_value *until, struct case_request *request);

/* For a value of `until` that case_read() did not take: if it is a name, checks that a pattern has it. If
 * none has, answers 422 bad-pattern, suggests the nearest pattern or set, and returns false. */
MUST_USE bool case_known(struct context *ctx, struct json_value *until, const char *pointer);

/* The names of all sets, into `names` of CUBE_SETS. */
void case_set_names(const char *names[CUBE_SETS]);

/* The detail of a problem with a case, of the set's name, twice. */
#define CASE_UNKNOWN "The set %s has no case with this name; GET /v1/sets/%s lists them."
/* Finds the name of the case that was probably meant, or what people call it, which stands behind
 * `prefix` bytes of the name, as in "oll-sune"; NULL if none is near. */
const char *case_nearest(struct context *ctx, const struct cube_set *set,
			 const struct cube_case *cases, struct text name, size_t prefix);

/* Finds the case. Answers 422 bad-pattern if there is none. Takes some ms; any thread. */
MUST_USE bool case_find(struct context *ctx, struct case_request *request, const char *pointer);

#endif
