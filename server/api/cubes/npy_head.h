/* npy_head.h: the head of a NumPy file, which bare numbers follow. */
#ifndef SERVER_API_CUBES_NPY_HEAD_H
#define SERVER_API_CUBES_NPY_HEAD_H

#include <stddef.h>

/* The longest head, and the longest `descr` and `shape` together that it has room for. */
#define NPY_HEAD_MAX 1024
#define NPY_HEAD_TEXT_MAX (NPY_HEAD_MAX - 72)

/* Writes the head of an array: `descr` is the type of its items and `shape` a tuple, both as Python writes them.
 * Returns its length: 128, or the next multiple of 64 that is enough. */
size_t npy_head_write(char head[NPY_HEAD_MAX + 1], const char *descr, const char *shape);

#endif
