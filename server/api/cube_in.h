/* cube_in.h: the cube of a request: one description, and moves on top. */
#ifndef SERVER_CUBE_IN_H
#define SERVER_CUBE_IN_H

#include "server/api/moves_in.h"
#include "server/api/work.h"

enum cube_source { CUBE_OF_SIZE, CUBE_OF_COLORS, CUBE_OF_SESSION };

struct cube_request {
	enum cube_source source;
	int size; /* 0 until known; of a session when it is resolved */
	const uint8_t *colors;
	const char *where; /* pointer of the description, for problems; NULL for a parameter */
	struct session_id session;
	int64_t at;                 /* revision, or -1 for now */
	struct moves_request moves; /* on top */
	/* After cube_resolve: */
	struct cube *cube; /* on the arena, before `moves` */
	bool assumed;      /* the identity of like stickers is assumed */
	void (*then)(struct work *work);
};

/* From the member `cube`, an object. */
bool cube_request_read(struct work *work, struct json_t *object, const char *pointer,
		       struct cube_request *request);
/* From query parameters; `moves` is not among them here: it is the call's own. */
bool cube_request_query(struct work *work, struct cube_request *request);
/* The largest size this server takes, and the one it takes where none is named. */
int64_t cube_size_max(const struct work *work);
int64_t cube_size_default(const struct work *work);
/* Solved, of that size. */
bool cube_request_solved(struct work *work, int64_t size, const char *pointer,
			 struct cube_request *request);

/* Makes the cube, reading the session where it is one, then calls `then` on the loop's thread; or
 * answers the work with a problem. */
void cube_resolve(struct work *work, struct cube_request *request, void (*then)(struct work *work));

/* Turns request->cube by request->moves. Any thread. */
bool cube_request_turn(struct work *work, const struct cube_request *request);
/* Turns a cube by an algorithm, scratch on the arena. */
bool cube_turn_by(struct work *work, struct cube *cube, const struct cube_alg *alg);

#endif
