/* cube/api.h: marks of declarations: what the shared library exports (everything else stays hidden),
 * and what a caller must not ignore. */
#ifndef CUBE_API_H
#define CUBE_API_H
#define CUBE_API __attribute__((visibility("default")))
#define CUBE_MUST_USE __attribute__((warn_unused_result))
#endif
