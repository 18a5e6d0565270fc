/* cube/draw.h: random states of a 3x3x3 that fit a pattern, each equally likely.
 *
 * A query (cube/query.h) is taken apart into targets, which say for each place which pieces may be
 * there, turned in which ways: one or more for each way to look at it, so that every state that
 * fits the query fits a target. The states of a target are counted exactly: the places are filled
 * in order, and for each set of pieces that are used, sum of twists or flips, and parity, a table
 * has the number of ways to get there. An odd number of used pieces that are greater than the next
 * one changes the parity. Corners and edges meet where the twists and flips sum to 0 and the
 * parities are the same.
 *
 * Drawing: a target by its number of states; a state of it, place by place from the last one back,
 * by these numbers. A state of m targets is kept with the probability 1 / m, so all states of all
 * targets are equally likely. What a query asks that targets cannot express (colours that have to be
 * alike, `not`, half turns) is checked afterwards, and a state that does not fit is drawn again. So every
 * state that fits is equally likely, but if few of the targets' states fit, finding one takes long. */
#ifndef CUBE_DRAW_H
#define CUBE_DRAW_H

#include "cube/query.h"
#include "cube/random.h"

/* Opaque. */
struct cube_draw;

/* Bytes of it, aligned like malloc's: 3.5 MB. */
CUBE_API size_t cube_draw_bytes(void);

/* Prepares drawing; the query must be prepared and outlive it. False if nothing fits, or fewer than 10
 * of 100,000 states that fit the targets do (of more than 24 targets, of as many as take that time):
 * drawing one would then take seconds, or not end. Takes some milliseconds, or up to half a second if
 * few fit. */
CUBE_API CUBE_MUST_USE bool cube_draw_make(struct cube_draw *draw,
					   const struct cube_query_node *query);

/* Draws a state with its centres home; false if none fits among 100,000, which after
 * cube_draw_make() succeeded is rare: try again. Takes some microseconds if the targets say everything,
 * else up to some 50 ms on average. One thread at a time. */
CUBE_API CUBE_MUST_USE bool cube_draw_next(struct cube_draw *draw, const struct cube_random *random,
					   struct cube_cubies *cubies);

#endif
