/* main.c: the program cubed-play: a cube in the terminal, alone or with others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clients/terminal/join/join.h"
#include "server/util/standard_files.h"

#define EXIT_USAGE 2
#define TOKEN_VARIABLE "CUBED_TOKEN"

static const char usage[] =
	"usage: cubed play [--size N] [--keys letters|speed]\n"
	"       cubed play --join URL [--token-file FILE] [--keys letters|speed]\n\n"
	"A cube in this terminal, of 2 to 100 layers (3 unless --size says otherwise); or that of\n"
	"a session, which others turn too. URL is a link as the page shows it. The token may also\n"
	"be in a file, or in the variable " TOKEN_VARIABLE ".\n"
	"Once it is shown, ? lists the keys.\n";

/* Prints the sentence, and returns the exit code. */
static int failed(int code, const struct error *error)
{
	fprintf(stderr, "cubed: %s\n", error->text);
	return code;
}

/* Reads the link, and the token of the file, of the environment, or of the link, in this order. */
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
	if (!good)
		return failed(EXIT_USAGE, &error);
	struct join *join = join_open(&address, &error);
	if (!join)
		return failed(EXIT_FAILURE, &error);
	const struct play_remote remote = join_remote(join);
	options->size = join_size(join);
	const int code = play_main(options, &remote);
	join_close(join);
	return code;
}

int main(int argc, char **argv)
{
	char **words = argv + (argc > 0);
	const int count = argc > 0 ? argc - 1 : 0;
	struct play_options options;
	struct error error;
	standard_files_open();
	if (!play_options_read(&options, words, count, &error))
		return failed(EXIT_USAGE, &error);
	if (options.help)
		return fputs(usage, stdout) >= 0 && fflush(stdout) == 0 ? 0 : EXIT_FAILURE;
	return options.join ? join_and_play(&options, words, count) : play_main(&options, NULL);
}
