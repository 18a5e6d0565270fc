/* stage_tracker.h: the stages of a solve as they come.
 *
 * A stage is reached where its pattern first holds at or after the place where the one before was;
 * so several may be reached at once. Patterns that are about a layer (cube/named.h) are about the
 * same one in all stages. Which one that is shows at the end: the stages are kept for each colour
 * of the first layer, and told for the one with which the solve comes furthest, soonest. */
#ifndef SERVER_API_SESSIONS_STAGE_TRACKER_H
#define SERVER_API_SESSIONS_STAGE_TRACKER_H

#include "cube/libcube.h"

#define STAGES_MAX 32

/* Where a replay is: after `move` turns of the entry `revision`. */
struct find_place {
	uint32_t revision;
	int64_t move;    /* 0: before its first; -1: the entry's turns are not written out */
	int64_t time_ms; /* of the entry */
};

/* Where one was reached. */
struct stage {
	struct find_place at;
	size_t turns;  /* in all, up to it */
	bool whole;    /* all turns since the stage before are known */
	int fit;       /* the first way */
	uint64_t look; /* the state that it was: the how-manieth */
};

/* Where the first layer is that of one colour. */
struct chain {
	bool whole; /* the turns since the last stage are all known */
	size_t reached;
	struct stage stage[STAGES_MAX];
};

/* A value of the caller's. */
struct chains {
	size_t count; /* of stages, to be set, with the layer of each: enum cube_layer */
	uint8_t layer[STAGES_MAX];
	/* The fits of a stage in the state that is looked at. */
	uint32_t (*fits)(void *context, size_t stage);
	void *context;
	uint64_t looks;
	struct chain chain[CUBE_FACES]; /* by that colour */
};

/* A solve begins. */
void chains_begin(struct chains *chains);
/* Turns were made that are not known. */
void chains_miss(struct chains *chains);
/* Looks at the next state, the colours of a cube of that size, by facelet. False: all is reached.
 */
bool chains_look(struct chains *chains, int size, const uint8_t *colors, struct find_place at,
		 size_t turns);
/* The one to tell. */
const struct chain *chains_told(const struct chains *chains);

#endif
