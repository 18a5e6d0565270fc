/* npy_head.c: writes the head of a NumPy file, format 1.0: magic, version, length of the rest in two bytes, a Python
 * dictionary, spaces up to a multiple of 64, a line break. Source: numpy.lib.format, "Format Version 1.0". */
#include "server/api/cubes/npy_head.h"

#include <stdio.h>
#include <string.h>

#define BEFORE 10 /* the bytes in front of the dictionary */
#define BLOCK 64
#define LEAST 128

size_t npy_head_write(char head[NPY_HEAD_MAX + 1], const char *descr, const char *shape)
{
	const size_t text = (size_t)snprintf(head + BEFORE, NPY_HEAD_MAX + 1 - BEFORE,
					     "{'descr': %s, 'fortran_order': False, 'shape': %s, }",
					     descr, shape);
	size_t length = (BEFORE + text + 1 + BLOCK - 1) / BLOCK * BLOCK;
	length = length < LEAST ? LEAST : length;
	memset(head + BEFORE + text, ' ', length - BEFORE - text);
	memcpy(head, "\x93NUMPY\x01\x00", 8);
	head[8] = (char)((length - BEFORE) & 0xff);
	head[9] = (char)((length - BEFORE) >> 8);
	head[length - 1] = '\n';
	return length;
}
