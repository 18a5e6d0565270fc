/* cube.h: the cube of a request: a description, and moves applied to it.
 *
 * An answered cube is a description: several forms may stand in it, and what is derived from them. It
 * is read from the form that identifies most, and all else is checked against that. */
#ifndef SERVER_API_INPUT_CUBE_H
#define SERVER_API_INPUT_CUBE_H

#include "server/api/input/moves.h"
#include "server/api/request/context.h"
#include "server/format/cube_out.h"
#include "server/format/format.h"
#include "server/util/error.h"

enum cube_source { CUBE_OF_SIZE, CUBE_OF_FORMAT, CUBE_OF_SESSION };

/* One form of the cube, in the body or in the query. */
struct input_form {
	const struct format *format;
	struct json_value *value; /* or, from a parameter: */
	struct text text;
	struct json_place place;
};

/* The further claims of a description about its cube, checked once the cube is made. Zero: none. */
enum cube_claim { CLAIM_NONE, CLAIM_FALSE, CLAIM_TRUE };
struct cube_claims {
	int64_t size;
	enum cube_claim solved, home; /* before the moves */
	enum cube_claim possible;     /* false: the cube is a painting */
	bool assumed;                 /* "identity": "assumed" */
	struct json_place size_from;  /* the member or parameter `size` */
};

/* Cubes that turns do not lead to although every piece is there: they are refused, with the suggestion
 * to send `assembled`, or accepted. */
enum cube_assembly { ASSEMBLY_REFUSED, ASSEMBLY_SUGGESTED, ASSEMBLY_ACCEPTED };

struct input_cube {
	enum cube_source source;
	/* For CUBE_OF_FORMAT: */
	struct input_form form;
	struct input_form *others; /* further forms of the same cube */
	size_t other_count;
	struct format_given given;

	int size;                /* 0 until known: for a session or format, once it is made */
	struct json_place where; /* of the description, for problems */
	const char *pointer;     /* of the cube object; NULL for parameters */
	struct session_id session;
	int64_t at;                 /* revision, or -1 for now */
	struct moves_request moves; /* applied to it */
	bool paint;                 /* an impossible cube is accepted */
	enum cube_assembly assembly;
	struct cube_claims claims;
	/* After input_cube_resolve: */
	struct cube *cube; /* on the arena, before `moves` */
	/* CUBE_IMPOSSIBLE only with `paint`: the cube is only a painting. CUBE_ASSEMBLED only with
	 * `assembly`. */
	enum cube_known known;
	void (*then)(struct context *ctx);
};

/* Reads the member `cube`: an object, or a string of facelets. */
MUST_USE bool input_cube_read(struct context *ctx, struct json_value *value, const char *pointer,
			      struct input_cube *request);
/* The same; without the member (NULL) the solved cube of the default size. */
MUST_USE bool input_cube_member(struct context *ctx, struct json_value *value, const char *pointer,
				struct input_cube *request);
/* Takes a `size` that stands beside the member `cube`, -1 for none: it must be that of the cube. */
void input_cube_beside(struct input_cube *request, int64_t size);
/* Reads the query parameters, except `moves`, which belongs to the call. */
MUST_USE bool input_cube_query(struct context *ctx, struct input_cube *request);
/* The largest size that this server accepts, and the default size. */
int64_t input_size_max(const struct context *ctx);
int64_t input_size_default(const struct context *ctx);
/* A solved cube of that size. */
MUST_USE bool input_cube_solved(struct context *ctx, int64_t size, const char *pointer,
				struct input_cube *request);

/* Makes the cube, in time proportional to its description; not for CUBE_OF_SESSION. Any thread. */
bool input_cube_make(struct context *ctx, struct input_cube *request);

/* Reads a form into `given`, whose size is that of the cube if it is known, else 0. */
MUST_USE bool input_form_read(struct context *ctx, const struct input_form *form,
			      struct format_given *given);
/* Checks the other forms and the claims against the cube that was made. Answers 400 bad-member or
 * bad-parameter. */
MUST_USE bool input_cube_check(struct context *ctx, struct input_cube *request);

/* Answers 422 impossible-cube for a painting. */
MUST_USE bool input_cube_possible(struct context *ctx, const struct input_cube *request);

/* Returns true if the identity of every sticker is known, as far as it matters: always up to 3x3x3.
 * Otherwise answers 422 identity-unknown. */
MUST_USE bool input_cube_identity(struct context *ctx, const struct input_cube *request);

/* Writes the members `problems`, `problem_count` and, where several repairs are as likely, `candidates` of a
 * painting as it is now, after its moves; no problems for any other cube. False if out of memory. */
MUST_USE bool cube_problems_write(struct context *ctx, struct out *out,
				  const struct input_cube *request);

/* Writes the members `possible`, `problems` and `problem_count` of a cube in any assembly. Sets whether it
 * is possible. False if out of memory. */
MUST_USE bool cube_assembly_write(struct context *ctx, struct out *out, const struct cube *cube,
				  bool *possible);

/* The size or, before it is known, an upper bound; and the cost of making it in ns. */
int input_cube_size_bound(const struct context *ctx, const struct input_cube *request);
uint64_t input_cube_cost(const struct context *ctx, const struct input_cube *request);

/* Makes the cube, here or on another thread, or reads the session; then calls `then` with the lock.
 * Otherwise answers the context with a problem. */
void input_cube_resolve(struct context *ctx, struct input_cube *request,
			void (*then)(struct context *ctx));

/* Turns request->cube by request->moves. Any thread. */
MUST_USE bool input_cube_turn(struct context *ctx, const struct input_cube *request);
/* Turns a cube by an algorithm; scratch memory on the arena. */
MUST_USE bool cube_turn_by(struct context *ctx, struct cube *cube, const struct cube_alg *alg);

#endif
