/* cube_out.h: the cube of an answer. */
#ifndef SERVER_CUBE_OUT_H
#define SERVER_CUBE_OUT_H

#include "server/api/out.h"
#include "server/api/work.h"

/* What the query asks of the cubes in the answer. */
struct cube_view {
	uint32_t as; /* bits of the formats, by row */
	bool color;  /* ANSI colours in plain text */
};

/* Reads ?as= and ?color=. Answers 400 bad-parameter. */
bool cube_view_read(struct work *work, struct cube_view *view);

/* {"size", "facelets", "solved", "home", "identity"?, ...}: the value of a member `cube`. */
void cube_write(struct out *out, const struct cube *cube, const struct cube_view *view,
		bool assumed);

/* Where plain text was asked for: makes the net the reply's body and returns true. */
bool cube_reply_text(struct work *work, const struct cube *cube, const struct cube_view *view,
		     unsigned status);

void metrics_write(struct out *out, const struct cube_metrics *metrics);
/* A count, null where it passed CUBE_COUNT_MAX. */
void count_write(struct out *out, uint64_t count);

#endif
