/* ops.c: the table of subcommands, and which one the arguments name. */
#include "server/ops/ops.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/util/log.h"

#define EXIT_USAGE 2
#define SCHEME "sqlite:"

const struct ops_command ops_commands[] = {
	{"verify", verify_run, "check the database and replay every history", OPS_NO_FILE, true},
	{"export", export_run, "write everything as lines of JSON (- or none: stdout)",
	 OPS_FILE_OPTIONAL, true},
	{"import", import_run, "read an export (- for stdin) into a new store", OPS_FILE, true},
	{"backup", backup_run, "copy the database, also of a running server", OPS_FILE, true},
	{"--health", health_run, "ask the server at --listen whether it is ready", OPS_NO_FILE,
	 false},
};
const size_t ops_command_count = sizeof ops_commands / sizeof ops_commands[0];

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
	static const char *const files[] = {"", " [FILE]", " FILE"};
	ops_failed("usage: cubed %s%s%s", command->name, files[command->file],
		   command->needs_store ? " [--store sqlite:PATH]" : " [--listen HOST:PORT]");
	return EXIT_USAGE;
}

void ops_help(void)
{
	char usage[64];
	printf("  %-30s start the server; the same without a command\n", "serve");
	for (size_t i = 0; i < ops_command_count; i++) {
		const struct ops_command *command = &ops_commands[i];
		snprintf(usage, sizeof usage, "%s%s", command->name,
			 command->file == OPS_NO_FILE ? "" : " FILE");
		printf("  %-30s %s\n", usage, command->help);
	}
}

static const struct ops_command *find(const char *name)
{
	for (size_t i = 0; i < ops_command_count; i++)
		if (strcmp(ops_commands[i].name, name) == 0)
			return &ops_commands[i];
	return NULL;
}

/* Sorts the arguments after the command into flags, for config_read, and at most one file. */
static bool sort_arguments(int argc, char **argv, int *flag_count, char **flags, const char **file)
{
	for (int i = 1; i < argc; i++) {
		const char *argument = argv[i];
		bool flag = argument[0] == '-' && argument[1] != '\0';
		if (!flag && *file)
			return false;
		if (!flag) {
			*file = argument;
			continue;
		}
		flags[(*flag_count)++] = argv[i];
		bool alone = strchr(argument, '=') || strcmp(argument, "-h") == 0 ||
			     strcmp(argument, "--help") == 0 || strcmp(argument, "--version") == 0;
		if (!alone && i + 1 < argc)
			flags[(*flag_count)++] = argv[++i];
	}
	return true;
}

static int run(const struct ops_command *command, int argc, char **argv)
{
	struct config config;
	struct ops_call call = {.config = &config};
	int flag_count = 1;
	char **flags = calloc((size_t)argc + 1, sizeof *flags);
	if (!flags)
		return ops_failed("no memory");
	flags[0] = argv[0];
	bool sorted = sort_arguments(argc, argv, &flag_count, flags, &call.file);
	enum config_result result =
		sorted ? config_read(&config, flag_count, flags) : CONFIG_EXIT_USAGE;
	free(flags);
	if (result == CONFIG_EXIT_OK)
		return 0;
	if (sorted && result == CONFIG_EXIT_USAGE)
		return EXIT_USAGE;
	if (!sorted || (command->file == OPS_FILE && !call.file) ||
	    (command->file == OPS_NO_FILE && call.file))
		return wrong_usage(command);
	if (command->needs_store) {
		if (strncmp(config.store, SCHEME, strlen(SCHEME)) != 0) {
			ops_failed("%s needs a store on disk, --store sqlite:PATH; this is \"%s\"",
				   command->name, config.store);
			return EXIT_USAGE;
		}
		call.path = config.store + strlen(SCHEME);
	}
	log_configure(config.log_level, (int)config.log_format);
	return command->run(&call);
}

static void take_out(int *argc, char **argv, int at)
{
	memmove(&argv[at], &argv[at + 1], (size_t)(*argc - at) * sizeof *argv);
	(*argc)--;
}

int ops_main(int *argc, char **argv)
{
	/* The one that is spelled as a flag may stand among flags. */
	for (int i = 1; i < *argc; i++) {
		const struct ops_command *command = find(argv[i]);
		if (!command || (i > 1 && argv[i][0] != '-'))
			continue;
		take_out(argc, argv, i);
		return run(command, *argc, argv);
	}
	if (*argc < 2 || argv[1][0] == '-')
		return OPS_SERVE;
	if (strcmp(argv[1], "serve") == 0) {
		take_out(argc, argv, 1);
		return OPS_SERVE;
	}
	ops_failed("there is no command \"%s\"; --help lists them", argv[1]);
	return EXIT_USAGE;
}
