/* stored_answers.h: stored answers of solvers, found again for the same cube held in any way.
 *
 * A stored answer has the colours of the cube as it was held when it was solved. The same cube held
 * otherwise has the same canonical form (cube/facts.h); the rotation between the two maps the faces
 * of the turns. Only colours are compared: if stickers of one colour have changed places, the same
 * turns solve the cube too. Each answer found is checked by turning. */
#ifndef SERVER_SEARCH_STORED_ANSWERS_H
#define SERVER_SEARCH_STORED_ANSWERS_H

#include "server/store/store.h"
#include "server/util/arena.h"
#include "server/util/error.h"

/* Makes an answer to store: the turns that solve the cube, by that method (with its options, at most
 * ANSWER_METHOD_BYTES; not copied). Its bytes are on the arena. False if out of memory. Any thread. */
MUST_USE bool stored_answer_make(struct stored_answer *answer, const struct cube *cube,
				 const char *method, const struct cube_turn *turns, size_t count,
				 int64_t now_ms, struct arena *arena);

/* Finds a method's answer for the cube as it is held; the turns are on the arena. STORE_NOT_FOUND:
 * there is none. For a reader's thread; O(n^2). */
MUST_USE enum store_status stored_answer_find(struct store *store, struct store_reader *reader,
					      const struct cube *cube, const char *method,
					      struct arena *arena, struct cube_turn **turns,
					      size_t *count);

#endif
