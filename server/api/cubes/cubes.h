/* cubes.h: the handlers of calls about cubes that are sent, not stored, by file. Each answers its context, now or later. */
#ifndef SERVER_API_CUBES_CUBES_H
#define SERVER_API_CUBES_CUBES_H

#include "server/api/request/context.h"

/* apply.c */
void apply_handle(struct context *ctx);

/* convert.c */
void convert_handle(struct context *ctx);
void validate_handle(struct context *ctx);

/* compose.c */
void compose_handle(struct context *ctx);
void invert_handle(struct context *ctx);

/* features.c */
void features_handle(struct context *ctx);

/* algorithm.c */
void algorithm_handle(struct context *ctx);

/* match.c */
void match_handle(struct context *ctx);

/* symmetry.c */
void symmetry_handle(struct context *ctx);

/* patterns.c */
void patterns_handle(struct context *ctx);
void pattern_handle(struct context *ctx);

/* custom_patterns_put.c */
void pattern_put_handle(struct context *ctx);
void pattern_remove_handle(struct context *ctx);

/* scramble.c */
void scramble_handle(struct context *ctx);

/* image.c */
void image_handle(struct context *ctx);

#endif
