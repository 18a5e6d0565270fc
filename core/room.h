/* core/room.h: a small cube on the stack. Internal to the library. */
#ifndef CORE_ROOM_H
#define CORE_ROOM_H

#include "cube/cube.h"

/* Room for a struct cube of size 3 or less. */
union cube3 {
	struct cube cube;
	uint16_t room[sizeof(struct cube) / sizeof(uint16_t) + 54];
};

/* Room for a struct cube of size 4 or less. */
union cube4 {
	struct cube cube;
	uint16_t room[sizeof(struct cube) / sizeof(uint16_t) + 96];
};

#endif
