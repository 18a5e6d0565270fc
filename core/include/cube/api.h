/* cube/api.h: marks of declarations: what the shared library exports (everything else stays hidden),
 * what a caller must not ignore, and what C and C++ write differently.
 *
 * The headers are C17 and C++17. In C++ every function and array has the linkage of C, and every
 * type has the same layout as in C. */
#ifndef CUBE_API_H
#define CUBE_API_H

#define CUBE_MUST_USE __attribute__((warn_unused_result))

/* CUBE_API stands before a function, CUBE_DATA before an array or a number. */
#ifdef __cplusplus
#define CUBE_API extern "C" __attribute__((visibility("default")))
#define CUBE_DATA CUBE_API
#define CUBE_RESTRICT __restrict__
#else
#define CUBE_API __attribute__((visibility("default")))
#define CUBE_DATA extern CUBE_API
#define CUBE_RESTRICT restrict
#endif

/* The array at the end of a struct, whose length is not part of the type. gcc and clang know it in C++
 * too, as an extension. */
#if defined(__cplusplus) && defined(__clang__)
#define CUBE_FLEXIBLE(member)                                                                      \
	_Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc99-extensions\"")  \
		member[] _Pragma("clang diagnostic pop")
#elif defined(__cplusplus)
#define CUBE_FLEXIBLE(member) __extension__ member[]
#else
#define CUBE_FLEXIBLE(member) member[]
#endif

#endif
