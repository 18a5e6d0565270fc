/* cube_in.h: the cube of a request: one description, and moves on top. */
#ifndef SERVER_API_CUBE_IN_H
#define SERVER_API_CUBE_IN_H

#include "server/api/cube_out.h"
#include "server/api/moves_in.h"
#include "server/api/work.h"
#include "server/format/format.h"

enum cube_source { CUBE_OF_SIZE, CUBE_OF_FORMAT, CUBE_OF_SESSION };

struct cube_request {
	enum cube_source source;
	/* Of CUBE_OF_FORMAT: */
	const struct format *format;
	struct input_value *value; /* or, of a parameter, */
	struct text text;
	struct format_given given;

	int size;                 /* 0 until known: of a session or format when it is made */
	struct input_place where; /* of the description, for problems */
	const char *pointer;      /* of the cube object; NULL for parameters */
	struct session_id session;
	int64_t at;                 /* revision, or -1 for now */
	struct moves_request moves; /* on top */
	bool paint;                 /* an impossible cube is not refused */
	/* After cube_resolve: */
	struct cube *cube;     /* on the arena, before `moves` */
	enum cube_known known; /* CUBE_IMPOSSIBLE only with `paint`: the cube is a mere painting */
	void (*then)(struct work *work);
};

/* From the member `cube`, an object. */
bool cube_request_read(struct work *work, struct input_value *object, const char *pointer,
		       struct cube_request *request);
/* From query parameters; `moves` is not among them here: it is the call's own. */
bool cube_request_query(struct work *work, struct cube_request *request);
/* The largest size this server takes, and the one it takes where none is named. */
int64_t cube_size_max(const struct work *work);
int64_t cube_size_default(const struct work *work);
/* Solved, of that size. */
bool cube_request_solved(struct work *work, int64_t size, const char *pointer,
			 struct cube_request *request);

/* Makes the cube, in time that grows with its description; not for CUBE_OF_SESSION. Any thread. */
bool cube_request_make(struct work *work, struct cube_request *request);

/* Answers 422 impossible-cube for a painting. */
bool cube_request_possible(struct work *work, const struct cube_request *request);

/* Whether the identity of every sticker is known, as far as that matters: always up to 3x3x3.
 * Answers 422 identity-unknown. */
bool cube_request_identity(struct work *work, const struct cube_request *request);

/* Writes the member `problems` of a painting as it is now, after its moves; empty for any other
 * cube. False where memory is out. */
bool cube_problems_write(struct work *work, struct out *out, const struct cube_request *request);

/* The size, or before it is known one that it does not pass; and the cost of making it in ns. */
int cube_request_size_bound(const struct work *work, const struct cube_request *request);
uint64_t cube_request_cost(const struct work *work, const struct cube_request *request);

/* Makes the cube, here or on another thread, or reads the session where it is one; then calls
 * `then` with the service's lock; or answers the work with a problem. */
void cube_resolve(struct work *work, struct cube_request *request, void (*then)(struct work *work));

/* Turns request->cube by request->moves. Any thread. */
bool cube_request_turn(struct work *work, const struct cube_request *request);
/* Turns a cube by an algorithm, scratch on the arena. */
bool cube_turn_by(struct work *work, struct cube *cube, const struct cube_alg *alg);

#endif
