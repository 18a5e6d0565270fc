/* gate_internal.h: what the files of the gate share. */
#ifndef SERVER_MODULES_POSTGRES_GATE_INTERNAL_H
#define SERVER_MODULES_POSTGRES_GATE_INTERNAL_H

#include "server/session/gate.h"
#include "server/session/session_cache_internal.h"

/* ---- gate.c: see struct gate_calls ---- */

bool nodes_gate_trusts(struct gate *gate, struct visit *visit);
void nodes_gate_trusted_wrongly(struct gate *gate);
void nodes_gate_wait(struct gate *gate, struct visit *visit);
void nodes_gate_follow(struct gate *gate, uint64_t key);
void nodes_gate_unfollow(struct gate *gate, uint64_t key);
MUST_USE bool nodes_gate_hint(struct gate *gate, const uint64_t *keys, size_t count);
void nodes_gate_ask(struct gate *gate);
void nodes_gate_catch_up(struct gate *gate, struct session *session, uint64_t since);

/* ---- apply_change.c: what others changed ---- */

/* The session has to be read again, at once or when its writes are back; or is dropped if nothing
 * points to it. */
void session_cache_outdate(struct session_cache *session_cache, struct session *session);
/* Applies a change that a round of the gate found. */
void session_cache_apply(struct session_cache *session_cache, const struct store_change *change);

#endif
