/* moves.h: the moves of a request: text in a dialect, an array of such texts, or of turns. */
#ifndef SERVER_API_INPUT_MOVES_H
#define SERVER_API_INPUT_MOVES_H

#include "cube/notation.h"
#include "server/api/request/context.h"
#include "server/json/writer.h"
#include "server/util/error.h"

struct moves_request {
	struct text text;         /* bytes NULL if there is none */
	struct json_value *array; /* of turns; NULL if there is none */
	struct json_value *lines; /* the array of strings that `text` was joined from; or NULL */
	const char *pointer;      /* of the member; NULL for a query parameter */
	const char *parameter;    /* its name; NULL: "moves" */
	enum cube_dialect dialect;
};

/* Returns true if moves were given, even if the text is empty. */
MUST_USE bool moves_given(const struct moves_request *moves);

/* Takes the value of a member `moves`: a string, an array of strings (read as the lines of one
 * text), or an array of turns. */
MUST_USE bool moves_from_json(struct context *ctx, struct json_value *value, const char *pointer,
			      struct moves_request *moves);
/* Finds the dialect named by a member or parameter `notation`; without a name, the default. */
MUST_USE bool moves_read_dialect(struct context *ctx, struct text name, const char *pointer,
				 struct moves_request *moves);

/* Reads the moves for a cube of that size, also from a link (links.h), nodes on the arena; without
 * moves, the empty algorithm. Answers 422 bad-notation or 400 bad-member. Any thread. */
MUST_USE bool moves_read(struct context *ctx, const struct moves_request *moves, int size,
			 struct cube_alg *alg);

/* The same, with notes on moves that may have been meant differently. */
MUST_USE bool moves_read_noted(struct context *ctx, const struct moves_request *moves, int size,
			       struct cube_alg *alg, struct cube_notes *notes);
/* Writes the member `notes` of an answer, if there are any. */
void moves_notes_write(struct out *out, const struct moves_request *moves,
		       const struct cube_notes *notes);

/* The same for moves that may have times (server/times/timed.h): *times has one for each node, or
 * is NULL. `notes` may be NULL. */
MUST_USE bool moves_read_timed(struct context *ctx, const struct moves_request *moves, int size,
			       struct cube_alg *alg, uint32_t **times, struct cube_notes *notes);

/* Answers 422 bad-notation for a fault in the text. Returns false. */
MUST_USE bool moves_fault(struct context *ctx, const struct moves_request *moves,
			  const struct cube_error *error);

/* The same for something that is wrong with the moves as a whole. Returns false. */
MUST_USE bool moves_problem(struct context *ctx, const struct moves_request *moves,
			    const char *detail, const char *expected);

/* The moves written out; at most limits.moves turns, else 422 with the length they would have. */
MUST_USE bool moves_expand(struct context *ctx, const struct moves_request *moves,
			   const struct cube_alg *alg, struct cube_turn **turns, size_t *count);

/* Canonical text on the arena; NULL if out of memory (the reply says so). */
char *moves_print(struct context *ctx, const struct cube_alg *alg);

/* Rough cost in ns of reading and applying the moves, from the letters alone; decides which thread
 * does it. */
uint64_t moves_cost(const struct moves_request *moves, int size);
uint64_t moves_text_cost(const char *text, size_t length, int size);
/* The same if they are written out and turned one by one, as moves_expand() allows: brackets and
 * links may have any number up to limits.moves. */
uint64_t moves_cost_expanded(const struct context *ctx, const struct moves_request *moves,
			     int size);

#endif
