/* cube/api.h: marks what the shared library exports; everything else stays hidden. */
#ifndef CUBE_API_H
#define CUBE_API_H
#define CUBE_API __attribute__((visibility("default")))
#endif
