/* cube.h: the cube of a request: one description, and moves on top. */
#ifndef SERVER_API_INPUT_CUBE_H
#define SERVER_API_INPUT_CUBE_H

#include "server/api/input/moves.h"
#include "server/api/request/context.h"
#include "server/format/cube_out.h"
#include "server/format/format.h"

enum cube_source { CUBE_OF_SIZE, CUBE_OF_FORMAT, CUBE_OF_SESSION };

struct cube_request {
	enum cube_source source;
	/* Of CUBE_OF_FORMAT: */
	const struct format *format;
	struct json_value *value; /* or, of a parameter, */
	struct text text;
	struct format_given given;

	int size;                /* 0 until known: of a session or format when it is made */
	struct json_place where; /* of the description, for problems */
	const char *pointer;     /* of the cube object; NULL for parameters */
	struct session_id session;
	int64_t at;                 /* revision, or -1 for now */
	struct moves_request moves; /* on top */
	bool paint;                 /* an impossible cube is not refused */
	/* After cube_resolve: */
	struct cube *cube;     /* on the arena, before `moves` */
	enum cube_known known; /* CUBE_IMPOSSIBLE only with `paint`: the cube is a mere painting */
	void (*then)(struct context *ctx);
};

/* From the member `cube`, an object. */
bool cube_request_read(struct context *ctx, struct json_value *object, const char *pointer,
		       struct cube_request *request);
/* From query parameters; `moves` is not among them here: it is the call's own. */
bool cube_request_query(struct context *ctx, struct cube_request *request);
/* The largest size this server takes, and the one it takes where none is named. */
int64_t cube_size_max(const struct context *ctx);
int64_t cube_size_default(const struct context *ctx);
/* Solved, of that size. */
bool cube_request_solved(struct context *ctx, int64_t size, const char *pointer,
			 struct cube_request *request);

/* Makes the cube, in time that grows with its description; not for CUBE_OF_SESSION. Any thread. */
bool cube_request_make(struct context *ctx, struct cube_request *request);

/* Answers 422 impossible-cube for a painting. */
bool cube_request_possible(struct context *ctx, const struct cube_request *request);

/* Whether the identity of every sticker is known, as far as that matters: always up to 3x3x3.
 * Answers 422 identity-unknown. */
bool cube_request_identity(struct context *ctx, const struct cube_request *request);

/* Writes the member `problems` of a painting as it is now, after its moves; empty for any other
 * cube. False where memory is out. */
bool cube_problems_write(struct context *ctx, struct out *out, const struct cube_request *request);

/* The size, or before it is known one that it does not pass; and the cost of making it in ns. */
int cube_request_size_bound(const struct context *ctx, const struct cube_request *request);
uint64_t cube_request_cost(const struct context *ctx, const struct cube_request *request);

/* Makes the cube, here or on another thread, or reads the session where it is one; then calls
 * `then` with the service's lock; or answers the context with a problem. */
void cube_resolve(struct context *ctx, struct cube_request *request,
		  void (*then)(struct context *ctx));

/* Turns request->cube by request->moves. Any thread. */
bool cube_request_turn(struct context *ctx, const struct cube_request *request);
/* Turns a cube by an algorithm, scratch on the arena. */
bool cube_turn_by(struct context *ctx, struct cube *cube, const struct cube_alg *alg);

#endif
