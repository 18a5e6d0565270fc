/* moves.h: the moves of a request: text in a dialect, or an array of turns. */
#ifndef SERVER_API_INPUT_MOVES_H
#define SERVER_API_INPUT_MOVES_H

#include "server/api/request/context.h"
#include "server/json/writer.h"

struct moves_request {
	struct text text;         /* bytes NULL where there is none */
	struct json_value *array; /* NULL where there is none */
	const char *pointer;      /* of the member; NULL for a query parameter */
	enum cube_dialect dialect;
};

/* Whether any moves were given, be it an empty text. */
bool moves_given(const struct moves_request *moves);

/* Takes the value of a member `moves`: a string or an array. */
bool moves_from_json(struct context *ctx, struct json_value *value, const char *pointer,
		     struct moves_request *moves);
/* Finds the dialect that a member or parameter `notation` names; absent text is the default. */
bool moves_read_dialect(struct context *ctx, struct text name, const char *pointer,
			struct moves_request *moves);

/* Reads them for a cube of that size, nodes on the arena; none given is the empty algorithm.
 * Answers 422 bad-notation or 400 bad-member. Any thread. */
bool moves_read(struct context *ctx, const struct moves_request *moves, int size,
		struct cube_alg *alg);

/* The same, with what may have been meant otherwise. */
bool moves_read_noted(struct context *ctx, const struct moves_request *moves, int size,
		      struct cube_alg *alg, struct cube_notes *notes);
/* The member `notes` of an answer; nothing if there are none. */
void moves_notes_write(struct out *out, const struct moves_request *moves,
		       const struct cube_notes *notes);

/* The same of moves that may have the times they were made at (server/solves/timed.h): *times is
 * one for each node, or NULL. `notes` may be NULL. */
bool moves_read_timed(struct context *ctx, const struct moves_request *moves, int size,
		      struct cube_alg *alg, uint32_t **times, struct cube_notes *notes);

/* Answers 422 bad-notation for a fault in the text. Returns false. */
bool moves_fault(struct context *ctx, const struct moves_request *moves,
		 const struct cube_error *error);

/* The same, written out; at most limits.moves turns, else 422 that says how long it would be. */
bool moves_expand(struct context *ctx, const struct moves_request *moves,
		  const struct cube_alg *alg, struct cube_turn **turns, size_t *count);

/* Canonical text on the arena; NULL when memory is out (the reply says so). */
char *moves_print(struct context *ctx, const struct cube_alg *alg);

/* Rough cost in ns of reading and applying them, from the letters alone: what decides where it is
 * done. */
uint64_t moves_cost(const struct moves_request *moves, int size);
uint64_t moves_text_cost(const char *text, size_t length, int size);

#endif
