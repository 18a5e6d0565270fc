/* core/cubies/state3.h: the ways of composing compact states; for state3.c, which chooses. */
#ifndef CORE_CUBIES_STATE3_H
#define CORE_CUBIES_STATE3_H

#include "cube/state3.h"

extern const struct cube_state3_code state3_portable;
#if defined(__x86_64__)
/* Only where the processor has what the name says. */
extern const struct cube_state3_code state3_avx2, state3_avx512;
#endif

#endif
