/* core/solve/reduction/slices.h: the edges of smaller cubes paired in few turns; internal. */
#ifndef CORE_SOLVE_REDUCTION_SLICES_H
#define CORE_SOLVE_REDUCTION_SLICES_H

#include "core/solve/reduction/wings.h"

#define SLICES_SIZE_MAX 7

/* Pairs all edges as pair_wings() does but in fewer turns; if it finds no way, nothing is turned. `work` has slices_bytes().
 */
bool slices_pair(struct reduction *reduction, const struct words *words,
		 const struct pairing *pairing, void *work);
size_t slices_bytes(void);

#endif
