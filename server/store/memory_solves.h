/* memory_solves.h: solves and the answers of solvers in the memory store. Private to it; called with its
 * lock held. */
#ifndef SERVER_STORE_MEMORY_SOLVES_H
#define SERVER_STORE_MEMORY_SOLVES_H

#include "server/store/memory_space.h"
#include "server/util/error.h"

struct memory_answer {
	struct memory_answer *newer;
	struct stored_answer answer; /* what it refers to is behind it */
};

/* Copies of a write's solves, so that adding them cannot fail. */
struct memory_added {
	struct stored_solve **solves;
	size_t count;
	char *frame;
};

/* Bytes that the write adds. */
uint64_t memory_solves_bytes(const struct store_write *write);
/* False when memory is out. To be added or discarded. */
MUST_USE bool memory_solves_prepare(struct memory_space *space, const struct store_write *write,
				    struct memory_added *added);
void memory_solves_add(struct memory_space *space, struct memory_session *session,
		       struct memory_added *added);
void memory_solves_discard(struct memory_added *added);
/* SOLVE_CHANGE and SOLVE_DROP. */
MUST_USE enum store_status memory_solve_changed(struct memory_space *space,
						const struct store_write *write);
/* All of a session's, which goes. */
void memory_solves_forget(struct memory_space *space, uint64_t key);
MUST_USE enum store_status memory_put_answer(struct memory_space *space,
					     const struct stored_answer *answer);
void memory_solves_free(struct memory_space *space);

/* What to go on behind; 0 at the end. */
uint64_t memory_solves_visit(struct memory_space *space, const struct solve_query *query,
			     store_visit_solve *visit, void *context);
MUST_USE enum store_status memory_solve_find(struct memory_space *space, const uint8_t id[10],
					     store_visit_solve *visit, void *context);
uint64_t memory_solves_count(const struct memory_space *space, uint64_t key);
void memory_answers_visit(const struct memory_space *space, uint64_t canonical,
			  store_visit_answer *visit, void *context);

#endif
