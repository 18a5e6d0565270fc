/* net.c: the unfolding as a JSON string. */
#include "server/format/format.h"

#include <stdlib.h>

void format_net_write(struct out *out, const struct cube *cube)
{
	size_t bytes = cube_net_bytes(cube->size, false);
	char *net = malloc(bytes);
	if (!net) {
		out->buffer->failed = true;
		return;
	}
	size_t length = cube_net_print(cube, false, net);
	out_bytes(out, net, length);
	free(net);
}
