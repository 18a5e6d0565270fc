/* stage_tracker.h: the stages of a solve, as they are reached.
 *
 * A stage is reached where its pattern first holds, at or after the place of the previous stage; so
 * several may be reached at once. Patterns about a layer (cube/named.h) refer to the same layer in
 * all stages. Which one shows only at the end: stages are tracked for each colour of the first
 * layer, and reported for the colour with which the solve gets furthest, soonest. */
#ifndef SERVER_API_SESSIONS_STAGE_TRACKER_H
#define SERVER_API_SESSIONS_STAGE_TRACKER_H

#include "cube/size.h"
#include "server/util/error.h"

#define STAGES_MAX 32

/* The position of a replay: after `move` turns of the entry `revision`. */
struct find_place {
	uint32_t revision;
	int64_t move;    /* 0: before its first; -1: the entry's turns are not known */
	int64_t time_ms; /* of the entry */
};

/* The place where a stage was reached. */
struct stage {
	struct find_place at;
	size_t turns;  /* total turns up to it */
	bool whole;    /* all turns since the previous stage are known */
	int fit;       /* the first fit */
	uint64_t look; /* number of the state, from the beginning */
};

/* The stages for one colour of the first layer. */
struct chain {
	bool whole; /* the turns since the last stage are all known */
	size_t reached;
	struct stage stage[STAGES_MAX];
};

/* A value in the caller's memory. */
struct chains {
	size_t count; /* of stages; set by the caller, with the layer of each: enum cube_layer */
	uint8_t layer[STAGES_MAX];
	/* The fits of a stage in the current state. */
	uint32_t (*fits)(void *context, size_t stage);
	void *context;
	uint64_t looks;
	struct chain chain[CUBE_FACES]; /* by that colour */
};

/* A solve begins. */
void chains_begin(struct chains *chains);
/* Unknown turns were made. */
void chains_miss(struct chains *chains);
/* Examines the next state: the colours of a cube of that size, by facelet. False: all stages are
 * reached. */
bool chains_look(struct chains *chains, int size, const uint8_t *colors, struct find_place at,
		 size_t turns);
/* The chain to report: the one that gets furthest, then the one that does so first. */
const struct chain *chains_best(const struct chains *chains);

#endif
