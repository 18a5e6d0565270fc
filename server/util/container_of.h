/* container_of.h: the way from an embedded member to the struct that embeds it. */
#ifndef SERVER_UTIL_CONTAINER_OF_H
#define SERVER_UTIL_CONTAINER_OF_H

#include <stddef.h>

/* The struct of type `type` whose member `member` is at `pointer`. The compiler warns if `pointer`
 * does not have the type of that member; the branch that is never taken compares them. */
#define container_of(pointer, type, member)                                                        \
	((type *)(void *)((char *)(1 ? (pointer) : &((type *)0)->member) - offsetof(type, member)))

#endif
