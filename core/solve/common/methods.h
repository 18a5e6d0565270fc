/* core/solve/common/methods.h: the rows of the table of methods, each in a file of its own. */
#ifndef CORE_SOLVE_COMMON_METHODS_H
#define CORE_SOLVE_COMMON_METHODS_H

#include "cube/solve.h"

extern const struct cube_solver solver_optimal2;
extern const struct cube_solver solver_two_phase;
extern const struct cube_solver solver_optimal3;
extern const struct cube_solver solver_beginner;
extern const struct cube_solver solver_beginner2;
extern const struct cube_solver solver_beginner_large;
extern const struct cube_solver solver_fewest;
extern const struct cube_solver solver_four;
extern const struct cube_solver solver_reduction;

#endif
