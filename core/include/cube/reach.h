/* cube/reach.h: whether turns can reach a state, with every sticker and every spin counted.
 *
 * Where only colours are known, cube_from_colors() in cube/facelets.h answers it for the
 * colours. */
#ifndef CUBE_REACH_H
#define CUBE_REACH_H

#include "cube/cube.h"
#include "cube/form.h"

/* CUBE_FORM_OK where turns can. The state is well formed, and each cubie is whole: its stickers
 * are on one cubie of its kind, the right way round (cube_poses_read in cube/poses.h sees to
 * that). Errors: CENTERS, TWIST, FLIP, SPIN, PARITY, `index` being a facelet of the kind.
 * O(n^2). The sums are told in core/reach.c. */
CUBE_API enum cube_form_code cube_reach_check(const struct cube *cube,
                                              struct cube_form_error *error);

#endif
