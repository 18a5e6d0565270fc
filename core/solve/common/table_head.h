/* core/solve/common/table_head.h: what every table of a solver begins with. */
#ifndef CORE_SOLVE_COMMON_TABLE_HEAD_H
#define CORE_SOLVE_COMMON_TABLE_HEAD_H

#include <stdint.h>

/* Written by cube_solver_make_begin and _end; the rest of the table follows. */
struct table_head {
	_Alignas(64) uint32_t magic; /* of the row */
	uint32_t order;              /* 0x01020304 as this machine writes it */
	uint64_t bytes;              /* of the row */
	uint64_t checksum;           /* of all bytes after the head */
};

#endif
