/* reader.h: what the files of readers share. */
#ifndef SERVER_STORE_POSTGRES_READER_H
#define SERVER_STORE_POSTGRES_READER_H

#include "server/modules/postgres/store/postgres_internal.h"

/* The session with this key. */
MUST_USE enum store_status pg_reader_find_key(struct postgres_reader *reader, uint64_t key,
					      struct stored_session *session);
/* Sets the vector to the newest batch of each lane: what is committed from now on is reported by
 * pg_reader_changes(). */
MUST_USE enum store_status pg_reader_vector(struct postgres_reader *reader);

/* The hash of a cube in the index; false if out of memory. */
MUST_USE bool canonical_hash_of(const struct cube *cube, int32_t *hash);

/* A row of SOLVE_READ, and of ANSWERS. */
MUST_USE enum store_status pg_solve_read(const PGresult *result, int row,
					 struct stored_solve *solve);
MUST_USE enum store_status pg_answer_read(const PGresult *result, int row,
					  struct stored_answer *answer);
/* Adds a solve as parameters, in the order of SOLVE_VALUES. */
void pg_solve_add(struct parameters *parameters, const struct stored_solve *solve);

#endif
