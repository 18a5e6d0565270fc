/* cube/libcube.h: the whole library in one include. */
#ifndef CUBE_LIBCUBE_H
#define CUBE_LIBCUBE_H

#include "cube/algorithm.h"
#include "cube/api.h"
#include "cube/cube.h"
#include "cube/error.h"
#include "cube/facelets.h"
#include "cube/notation.h"
#include "cube/pack.h"
#include "cube/turn.h"
#include "cube/version.h"

#endif
