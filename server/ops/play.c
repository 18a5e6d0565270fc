/* play.c: cubed play: a cube in the terminal. */
#include "server/ops/ops.h"

#include <stdio.h>

#include "server/play/play.h"

static const char usage[] = "usage: cubed play [--size N] [--keys letters|speed]\n\n"
			    "A cube in this terminal, of 2 to 100 layers (3 unless --size says "
			    "otherwise).\nOnce it is shown, ? lists the keys.\n";

int play_run(const struct ops_call *call)
{
	struct play_options options;
	struct error error;
	if (!play_options_read(&options, call->words, call->word_count, &error)) {
		ops_failed("%s", error.text);
		return OPS_EXIT_USAGE;
	}
	if (!options.help)
		return play_main(&options);
	return fputs(usage, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 1;
}
