/* example.c: the library as somebody else links it: installed, found by pkg-config. */
#include <cube/libcube.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	static const char text[] = "[R, U]2 (F R)105";
	struct cube_error error;
	struct cube_alg alg;
	struct cube_node *nodes = malloc(cube_parse_nodes(text, strlen(text)) * sizeof *nodes);
	if (cube_parse(text, strlen(text), 3, CUBE_DIALECT_SIGN, nodes, &alg, &error) != CUBE_OK) {
		fprintf(stderr, "%s at byte %zu\n", cube_error_text(error.code), error.offset);
		return 1;
	}
	struct cube *cube = malloc(cube_bytes(3));
	void *scratch = malloc(cube_alg_scratch_bytes(&alg) + 1);
	char letters[55] = "";
	cube_init(cube, 3);
	cube_alg_apply(cube, &alg, scratch);
	cube_facelets_print(cube, letters);
	printf("%s\n", letters);
	free(scratch);
	free(cube);
	free(nodes);
	return 0;
}
