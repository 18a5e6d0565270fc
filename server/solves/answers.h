/* answers.h: what a solver has answered for a cube, found again for the same cube however it is
 * held.
 *
 * A kept answer has the colours of the cube as it was held when it was solved. Another way to hold
 * it has the same canonical form (cube/facts.h); the rotation between the two tells which face each
 * turn is of then. Colours alone are compared: where stickers of one colour have changed places,
 * the same turns solve it too. What is found is tried by turning before it is given out. */
#ifndef SERVER_SOLVES_ANSWERS_H
#define SERVER_SOLVES_ANSWERS_H

#include "server/store/store.h"
#include "server/util/arena.h"
#include "server/util/error.h"

/* Makes an answer to be stored: the turns that solve the cube, by that method (with what was asked
 * of it, at most ANSWER_METHOD_BYTES; it is not copied). Its bytes are on the arena. False when
 * memory is out. Any thread. */
MUST_USE bool answers_make(struct stored_answer *answer, const struct cube *cube,
			   const char *method, const struct cube_turn *turns, size_t count,
			   int64_t now_ms, struct arena *arena);

/* Finds the answer of a method for the cube, as it is held: the turns are on the arena.
 * STORE_NOT_FOUND: there is none. For a reader's thread; O(n^2). */
MUST_USE enum store_status answers_find(struct store *store, struct store_reader *reader,
					const struct cube *cube, const char *method,
					struct arena *arena, struct cube_turn **turns,
					size_t *count);

#endif
