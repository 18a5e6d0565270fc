/* ops.c: the table of subcommands, and how one is run. */
#include "cube/version.h"
#include "server/ops/ops.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/shell/shell.h"
#include "server/store/database.h"
#include "server/util/log.h"
#include "server/util/suggest.h"

const struct ops_command ops_commands[] = {
	{"apply", ask_run, "turn a cube: cubed apply --size 4 \"Rw U2\"; cubed apply --help",
	 OPS_OWN, false},
	{"solve", ask_run, "solve a cube: cubed solve \"R U F'\", or a cube or moves per line",
	 OPS_OWN, false},
	{"scramble", ask_run, "make scrambles: cubed scramble --count 5 --event 333bf", OPS_OWN,
	 false},
	{"convert", ask_run, "show cubes in other forms: cubed convert --as reid,index < FILE",
	 OPS_OWN, false},
	{"rows", ask_run,
	 "make rows for training: cubed rows --count 1000 --walk 1..26 --format npy > rows.npy",
	 OPS_OWN, false},
	{"draw", ask_run, "draw a cube as SVG or PNG: cubed draw \"R U\" > cube.svg", OPS_OWN,
	 false},
	{"verify", verify_run, "check the database and replay every history", OPS_NO_FILE, true},
	{"export", export_run, "write everything as lines of JSON (- or none: stdout)",
	 OPS_FILE_OPTIONAL, true},
	{"import", import_run, "read an export (- for stdin) into a new store", OPS_FILE, true},
	{"migrate", migrate_run,
	 "copy a database into an empty one of any kind, for a change of store", OPS_FROM_TO,
	 false},
	{"backup", backup_run, "copy the database, also of a running server", OPS_FILE, true},
	{"tables", tables_run, "build NAME.. or list: the files of solvers' tables", OPS_WORDS,
	 false},
	{"play", play_run,
	 "a cube here: --size N, or --join URL --token-file FILE; --keys letters or speed", OPS_OWN,
	 false},
	{"--health", health_run, "ask the server at --listen whether it is ready", OPS_NO_FILE,
	 false},
};
const size_t ops_command_count = sizeof ops_commands / sizeof ops_commands[0];

int ask_run(const struct ops_call *call)
{
	return shell_run(call->command, call->words, call->word_count);
}

int ops_failed(const char *format, ...)
{
	va_list arguments;
	fputs("cubed: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	return 1;
}

static int wrong_usage(const struct ops_command *command)
{
	static const char *const files[] = {"", " [FILE]", " FILE", " build NAME.. | list",
					    " FROM TO"};
	ops_failed("usage: cubed %s%s%s", command->name, files[command->file],
		   command->needs_store           ? " [--store sqlite:PATH]"
		   : command->file == OPS_WORDS   ? " [--tables-dir FOLDER]"
		   : command->file == OPS_FROM_TO ? ", each sqlite:PATH or postgresql:CONNINFO"
						  : " [--listen HOST:PORT]");
	return OPS_EXIT_USAGE;
}

void ops_help(void)
{
	char usage[64];
	printf("cubed %s: a server for Rubik's cubes of every size\n\nusage: cubed "
	       "[COMMAND] [--FLAG VALUE]...\n\n",
	       CUBE_VERSION);
	printf("  %-30s start the server; the same without a command\n", "serve");
	for (size_t i = 0; i < ops_command_count; i++) {
		const struct ops_command *command = &ops_commands[i];
		snprintf(usage, sizeof usage, "%s%s", command->name,
			 command->file == OPS_NO_FILE || command->file == OPS_OWN ? ""
			 : command->file == OPS_WORDS                             ? " COMMAND"
			 : command->file == OPS_FROM_TO                           ? " FROM TO"
										  : " FILE");
		printf("  %-30s %s\n", usage, command->help);
	}
	printf("\n");
	config_print_flags();
}

static const struct ops_command *find_command(const char *name)
{
	for (size_t i = 0; i < ops_command_count; i++)
		if (strcmp(ops_commands[i].name, name) == 0)
			return &ops_commands[i];
	return NULL;
}

/* Sorts the arguments after the command into flags, for config_read, and words. */
static void sort_arguments(int argc, char **argv, int *flag_count, char **flags,
			   struct ops_call *call)
{
	for (int i = 1; i < argc; i++) {
		const char *argument = argv[i];
		bool flag = argument[0] == '-' && argument[1] != '\0';
		if (!flag) {
			call->words[call->word_count++] = argv[i];
			continue;
		}
		flags[(*flag_count)++] = argv[i];
		bool alone = strchr(argument, '=') || strcmp(argument, "-h") == 0 ||
			     strcmp(argument, "--help") == 0 ||
			     strcmp(argument, "--version") == 0 ||
			     config_flag_is_bare(argument + strspn(argument, "-"));
		if (!alone && i + 1 < argc)
			flags[(*flag_count)++] = argv[++i];
	}
	call->file = call->word_count > 0 ? call->words[0] : NULL;
}

static bool words_fit(const struct ops_command *command, const struct ops_call *call)
{
	static const int least[] = {0, 0, 1, 1, 2}, most[] = {0, 1, 1, INT_MAX, 2};
	return call->word_count >= least[command->file] && call->word_count <= most[command->file];
}

static int run_sorted(const struct ops_command *command, struct ops_call *call,
		      const struct config *config)
{
	if (!words_fit(command, call))
		return wrong_usage(command);
	if (command->needs_store) {
		if (!database_location(config->store)) {
			ops_failed("%s needs a database, --store sqlite:PATH or "
				   "postgresql:CONNINFO; this is \"%s\"",
				   command->name, config->store);
			return OPS_EXIT_USAGE;
		}
		call->store = config->store;
		call->name = database_name(config->store);
	}
	log_configure(config->log_level, config->log_format);
	return command->run(call);
}

static int run_command(const struct ops_command *command, int argc, char **argv)
{
	if (command->file == OPS_OWN)
		return command->run(&(struct ops_call){
			.command = command->name, .words = argv + 1, .word_count = argc - 1});
	struct config config;
	struct ops_call call = {.command = command->name, .config = &config};
	int flag_count = 1, code = 0;
	char **flags = calloc((size_t)argc + 1, sizeof *flags);
	call.words = calloc((size_t)argc + 1, sizeof *call.words);
	if (!flags || !call.words) {
		code = ops_failed("no memory");
	} else {
		flags[0] = argv[0];
		sort_arguments(argc, argv, &flag_count, flags, &call);
		enum config_result result = config_read(&config, flag_count, flags);
		if (result == CONFIG_HELP)
			ops_help();
		else if (result == CONFIG_EXIT_USAGE)
			code = OPS_EXIT_USAGE;
		else if (result == CONFIG_RUN)
			code = run_sorted(command, &call, &config);
	}
	free(flags);
	free(call.words);
	return code;
}

static void take_out(int *argc, char **argv, int at)
{
	memmove(&argv[at], &argv[at + 1], (size_t)(*argc - at) * sizeof *argv);
	(*argc)--;
}

static int no_such_command(const char *name)
{
	const char *names[32];
	size_t count = 0;
	for (; count < ops_command_count && count < sizeof names / sizeof names[0]; count++)
		names[count] = ops_commands[count].name;
	const char *nearest = suggest_nearest(name, strlen(name), names, count);
	ops_failed("there is no command \"%s\"%s%s; --help lists them", name,
		   nearest ? "; did you mean " : "", nearest ? nearest : "");
	return OPS_EXIT_USAGE;
}

int ops_main(int *argc, char **argv)
{
	/* The command that is spelled like a flag may be among flags. */
	for (int i = 1; i < *argc; i++) {
		const struct ops_command *command = find_command(argv[i]);
		if (!command || (i > 1 && argv[i][0] != '-'))
			continue;
		take_out(argc, argv, i);
		return run_command(command, *argc, argv);
	}
	if (*argc < 2 || argv[1][0] == '-')
		return OPS_SERVE;
	if (strcmp(argv[1], "serve") == 0) {
		take_out(argc, argv, 1);
		return OPS_SERVE;
	}
	return no_such_command(argv[1]);
}
