/* play.c: cubed play: a cube in the terminal. */
#include "server/ops/ops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/join/join.h"

#define TOKEN_VARIABLE "CUBED_TOKEN"

static const char usage[] =
	"usage: cubed play [--size N] [--keys letters|speed]\n"
	"       cubed play --join URL [--token-file FILE] [--keys letters|speed]\n\n"
	"A cube in this terminal, of 2 to 100 layers (3 unless --size says otherwise); or that of\n"
	"a session, which others turn too. URL is a link as the page shows it. The token may also\n"
	"be in a file, or in the variable " TOKEN_VARIABLE ".\n"
	"Once it is shown, ? lists the keys.\n";

/* The token of the file, of the environment, or of the link, in this order. */
static bool read_address(struct join_address *address, const struct play_options *options,
			 struct error *error)
{
	const char *token = getenv(TOKEN_VARIABLE);
	if (!join_address_read(address, options->join, error))
		return false;
	if (options->token_file)
		return join_token_read(address, options->token_file, error);
	return !token || !token[0] || join_token_set(address, token, TOKEN_VARIABLE, error);
}

static int join_and_play(struct play_options *options, char **words, int count)
{
	struct join_address address;
	struct error error;
	const bool good = read_address(&address, options, &error);
	for (int i = 0; i < count; i++)
		if (strstr(words[i], "://"))
			join_link_hide(words[i]);
	if (!good) {
		ops_failed("%s", error.text);
		return OPS_EXIT_USAGE;
	}
	struct join *join = join_open(&address, &error);
	if (!join)
		return ops_failed("%s", error.text);
	const struct play_remote remote = join_remote(join);
	options->size = join_size(join);
	const int code = play_main(options, &remote);
	join_close(join);
	return code;
}

int play_run(const struct ops_call *call)
{
	struct play_options options;
	struct error error;
	if (!play_options_read(&options, call->words, call->word_count, &error)) {
		ops_failed("%s", error.text);
		return OPS_EXIT_USAGE;
	}
	if (options.help)
		return fputs(usage, stdout) >= 0 && fflush(stdout) == 0 ? 0 : 1;
	return options.join ? join_and_play(&options, call->words, call->word_count)
			    : play_main(&options, NULL);
}
