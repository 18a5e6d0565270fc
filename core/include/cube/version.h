/* cube/version.h: the version of the library, that of the project. */
#ifndef CUBE_VERSION_H
#define CUBE_VERSION_H
#define CUBE_VERSION "0.6.0"
#endif
