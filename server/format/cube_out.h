/* cube_out.h: the JSON of cubes, turns and counts in answers. */
#ifndef SERVER_FORMAT_CUBE_OUT_H
#define SERVER_FORMAT_CUBE_OUT_H

#include "cube/picture.h"
#include "server/format/format.h"
#include "server/json/writer.h"
#include "server/util/error.h"

struct cube_metrics;
struct cube_turn;

/* The certainty of a cube: if the identity of same-coloured centres and the spins are known, and if
 * the cube can be reached by turning at all. CUBE_ASSEMBLED has all its pieces (cube_assemble()),
 * CUBE_IMPOSSIBLE only colours. */
enum cube_known { CUBE_KNOWN, CUBE_ASSUMED, CUBE_ASSEMBLED, CUBE_IMPOSSIBLE };

/* The parts of the cubes of the answer that the query asks for. */
struct answer_view {
	uint32_t as; /* bits of the formats, by row */
	bool none;   /* no cube at all */
	bool color;  /* ANSI colours in plain text */
	struct cube_picture picture;
	struct format_options options;
};

/* Returns true if one of the formats describes pieces. */
MUST_USE bool answer_view_pieces(const struct answer_view *view);

/* The member `cube` of an answer: {"size", "facelets", "solved", "home", "identity"?, "possible"?,
 * ...}; nothing if the view has none. A format that does not support the size is null, and so is one that needs
 * more than the cube is (enum format_needs); a cube that turns do not lead to has "possible": false. */
void out_cube_member(struct out *out, const struct cube *cube, const struct answer_view *view,
		     enum cube_known known);

void metrics_write(struct out *out, const struct cube_metrics *metrics);
/* A count; null if it exceeds CUBE_COUNT_MAX. */
void count_write(struct out *out, uint64_t count);

/* Turns as a string value. */
void turns_write(struct out *out, int size, const struct cube_turn *turns, size_t count);

/* The members of a turn as an object: {"face", "from", "to", "turns"}, as a turn is read, and
 * "axis", "layers", "move" for an animation. The caller opens and closes the object. */
void turn_members_write(struct out *out, int size, struct cube_turn turn);
/* An array of such objects. */
void turn_list_write(struct out *out, int size, const struct cube_turn *turns, size_t count);

#endif
