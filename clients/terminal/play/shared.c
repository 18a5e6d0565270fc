/* shared.c: a cube that others turn too: what they do, and what becomes of own turns. */
#include "clients/terminal/play/game.h"
#include "cube/cube.h"

#include <stdlib.h>
#include <string.h>

/* Shows what all see, with the own turns on top. */
static void show(struct play *play)
{
	cube_copy(play->cube, play->shared.base);
	for (size_t i = play->shared.settled; i < play->done; i++)
		cube_turn(play->cube, play->moves[i].turn);
}

/* Forgets the moves that are in `base`; own turns stay. */
static void forget_settled(struct play *play)
{
	struct play_shared *shared = &play->shared;
	const size_t own = play->done - shared->settled;
	memmove(play->moves, play->moves + shared->settled, own * sizeof *play->moves);
	play->done = play->count = own;
	shared->settled = 0;
	play->lesson.shown = false;
}

bool play_share(struct play *play, const struct play_calls *calls, void *context,
		const struct cube *cube)
{
	play->shared = (struct play_shared){.calls = calls, .context = context, .status = ""};
	play->shared.base = malloc(cube_bytes(cube->size));
	if (!play->shared.base || !play_make_room(play))
		return false;
	cube_copy(play->shared.base, cube);
	play->done = play->count = 0;
	show(play);
	return true;
}

void play_shared_restart(struct play *play, const struct cube *cube, size_t made, int64_t now_ms)
{
	cube_copy(play->shared.base, cube);
	play->shared.settled += made;
	play->shared.sent -= made;
	forget_settled(play);
	play_timer_reset(&play->timer);
	show(play);
	play_changed(play, false, now_ms);
}

void play_shared_settle(struct play *play, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cube_turn(play->shared.base, play->moves[play->shared.settled++].turn);
	play->shared.sent -= count;
}

/* Returns whether a turn takes back the newest settled one. */
static bool takes_back(const struct play *play, struct cube_turn turn)
{
	if (play->shared.settled == 0)
		return false;
	const struct cube_turn last = play->moves[play->shared.settled - 1].turn;
	return last.face == turn.face && last.from == turn.from && last.to == turn.to &&
	       ((last.quarters + turn.quarters) & 3) == 0;
}

/* Moves the own turns, with what may be redone, one place up or down. */
static void shift_own(struct play *play, size_t from, size_t to)
{
	memmove(play->moves + to, play->moves + from, (play->count - from) * sizeof *play->moves);
	play->done += to - from;
	play->count += to - from;
	play->shared.settled += to - from;
}

static bool add_turn(struct play *play, bool back, struct cube_turn turn, int64_t now_ms)
{
	const size_t settled = play->shared.settled;
	if (back && takes_back(play, turn)) {
		shift_own(play, settled, settled - 1);
	} else {
		play->count = play->done; /* no redo: there is room behind `done` only */
		if (!play_make_room(play))
			return false;
		shift_own(play, settled, settled + 1);
		play->moves[settled] = (struct play_move){turn, false, now_ms};
	}
	cube_turn(play->shared.base, turn);
	return true;
}

bool play_shared_entry(struct play *play, enum play_entry kind, const struct cube_turn *turns,
		       size_t count, int64_t now_ms)
{
	const int size = play->cube->size;
	bool layers = false;
	for (size_t i = 0; i < count; i++) {
		if (!add_turn(play, kind == PLAY_ENTRY_UNDO, turns[i], now_ms))
			return false;
		layers |= turns[i].from > 1 || turns[i].to < size;
	}
	if (kind == PLAY_ENTRY_SCRAMBLE || kind == PLAY_ENTRY_RESET)
		forget_settled(play);
	show(play);
	if (kind == PLAY_ENTRY_SCRAMBLE)
		play_timer_scrambled(&play->timer, now_ms);
	else if (kind == PLAY_ENTRY_RESET)
		play_timer_reset(&play->timer);
	else
		play_changed(play, layers, now_ms);
	return true;
}

void play_shared_refuse(struct play *play, int64_t now_ms)
{
	play->done = play->count = play->shared.settled;
	play->shared.sent = 0;
	show(play);
	play_changed(play, false, now_ms);
}
