/* cube/libcube.h: the whole library in one include. */
#ifndef CUBE_LIBCUBE_H
#define CUBE_LIBCUBE_H

#include "cube/algorithm.h"
#include "cube/api.h"
#include "cube/cube.h"
#include "cube/cubie.h"
#include "cube/cubies.h"
#include "cube/error.h"
#include "cube/facelets.h"
#include "cube/facts.h"
#include "cube/features.h"
#include "cube/form.h"
#include "cube/goal.h"
#include "cube/hold.h"
#include "cube/index.h"
#include "cube/named.h"
#include "cube/notation.h"
#include "cube/pack.h"
#include "cube/pattern.h"
#include "cube/picture.h"
#include "cube/poses.h"
#include "cube/query.h"
#include "cube/reid.h"
#include "cube/random.h"
#include "cube/rubyks.h"
#include "cube/scramble.h"
#include "cube/solve.h"
#include "cube/state3.h"
#include "cube/turn.h"
#include "cube/version.h"

#endif
