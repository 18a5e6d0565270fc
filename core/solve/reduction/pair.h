/* core/solve/reduction/pair.h: the edges paired layer by layer, for all sizes; internal. */
#ifndef CORE_SOLVE_REDUCTION_PAIR_H
#define CORE_SOLVE_REDUCTION_PAIR_H

#include "core/solve/reduction/wings.h"

/* Any outer turn brings other wings within reach. `random` is begun with any number. */
void pair_stir(struct reduction *reduction, const struct words *words, struct pairing *pairing,
	       uint32_t *random);

/* Pairs all edges, the centres being solved: whatever pairs most for its turns comes first. */
void pair_wings(struct reduction *reduction, const struct words *words, struct pairing *pairing);

#endif
