/* states.h: the 3x3x3s that solvers are measured with, and memory for their tables. */
#ifndef BENCH_STATES_H
#define BENCH_STATES_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "cube/libcube.h"

#define STATES_MAX 1000

static struct cube *states[STATES_MAX];
static int state_count;

/* From a file of facelet strings, one a line; ends the program where one is wrong. */
static inline void states_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[128];
	while (file && state_count < STATES_MAX && fgets(line, sizeof(line), file)) {
		uint8_t colors[54];
		int size;
		struct cube_error error;
		struct cube *cube = malloc(cube_bytes(3));
		if (!cube || cube_colors_parse(line, 54, colors, &size, &error) != CUBE_OK ||
		    cube_from_colors(cube, 3, colors, NULL, 0) > 0) {
			fprintf(stderr, "%s: line %d\n", path, state_count + 1);
			exit(1);
		}
		states[state_count++] = cube;
	}
	if (file)
		fclose(file);
}

/* In large pages, as the server asks for them. */
static inline void *pages_alloc(size_t bytes)
{
	const size_t page = (size_t)1 << 21, whole = (bytes + page - 1) / page * page;
	void *memory = aligned_alloc(page, whole);
	if (!memory)
		exit(1);
	madvise(memory, whole, MADV_HUGEPAGE);
	return memory;
}

#endif
