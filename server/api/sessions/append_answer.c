/* append_answer.c: the answer of a call that appended an entry. */
#include "cube/cube.h"
#include "server/api/input/input.h"
#include "server/api/sessions/append.h"

bool append_write_answer(struct context *ctx, const struct entry *entry,
			 const struct history *after)
{
	const struct append *append = ctx->data;
	struct out out = {.buffer = &ctx->request->reply.body};
	const struct etag_state state = etag_of_session(append->about, after);
	etag_reply_session(ctx, &state, ETAG_WRITE, &append->view, append->turns);
	if (reply_cube_text(ctx, after->cube, &append->view, 200))
		return ctx_reply_made(ctx);
	append_write_entry(&out, entry, after->cube->size, append->turns, ctx->visit.roster,
			   append->rebased ? &append->seen : NULL);
	moves_notes_write(&out, &append->moves, &append->notes);
	append_write_cube(&out, after->cube, &append->view);
	ctx_reply_json(ctx, 200);
	return ctx_reply_made(ctx);
}

void append_write_entry(struct out *out, const struct entry *entry, int size, bool turns,
			const struct roster *roster, const uint32_t *rebased_from)
{
	out_open(out, '{');
	out_member_integer(out, "revision", entry->revision);
	out_key(out, "entry");
	entry_write(out, entry, size, roster, turns);
	if (rebased_from)
		out_member_integer(out, "rebased_from", *rebased_from);
}

void append_write_cube(struct out *out, const struct cube *cube, const struct answer_view *view)
{
	out_cube_member(out, cube, view, CUBE_KNOWN);
	out_close(out, '}');
}
