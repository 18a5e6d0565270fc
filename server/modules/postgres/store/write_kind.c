/* write_kind.c: how each kind of write that is alone in its transaction is sent. */
#include "server/modules/postgres/store/postgres_internal.h"

static write_send *const kinds[] = {
	[WRITE_CREATE] = NULL,
	[WRITE_APPEND] = NULL,
	[WRITE_META] = meta_send,
	[WRITE_DELETE] = delete_send,
	[WRITE_TOKEN] = token_send,
	[WRITE_PATTERN] = pattern_send,
	[WRITE_SOLVES] = solves_send,
	[WRITE_SOLVE_CHANGE] = solve_change_send,
	[WRITE_SOLVE_DROP] = solve_drop_send,
	[WRITE_ASSISTANCE] = assistance_send,
	[WRITE_ANSWER] = answer_send,
};

write_send *write_kind_send(enum store_write_kind kind)
{
	return kinds[kind];
}
