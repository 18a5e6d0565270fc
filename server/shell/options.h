/* options.h: the arguments of a command: the options of its call, and what it is called with. */
#ifndef SERVER_SHELL_OPTIONS_H
#define SERVER_SHELL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "server/api/request/query.h"
#include "server/util/error.h"

/* The form in which a command prints unless --json is given. */
enum shell_prints {
	PRINTS_FORMS,   /* the unfolded cube, or the forms that --as names */
	PRINTS_TEXT,    /* the answer as text/plain */
	PRINTS_PICTURE, /* the answer as it is, also into a file */
	PRINTS_ROWS,    /* the answer as it is: bytes, or lines of JSON */
};

struct shell_command {
	const char *name;
	const char *path;      /* of its call */
	const char *arguments; /* for the usage line */
	const char *text;      /* for --help: what it does, and examples */
	enum shell_prints prints;
	bool reads;    /* takes cubes or moves, as arguments or lines */
	bool searches; /* needs the threads that search for solutions */
};

/* Returns true if it prints what a person reads unless --json is given; else there is no --json. */
bool shell_prints_text(const struct shell_command *command);

/* The command of that name, which exists. */
const struct shell_command *shell_command_find(const char *name);

struct shell_parameter {
	enum parameter parameter;
	const char *name;
	const char *value;
};

#define SHELL_PARAMETERS_MAX 64
#define SHELL_FLAGS_MAX 9

struct shell_options {
	const struct shell_command *command;
	const char *path; /* of the call: that of the command, or of the other kind of picture */
	struct shell_parameter parameter[SHELL_PARAMETERS_MAX];
	size_t parameter_count;
	char *text; /* the arguments that are not options, malloc'd; NULL: none */
	bool json;
	bool png;
	const char *output;           /* a file; NULL: the standard output */
	char *flags[SHELL_FLAGS_MAX]; /* for config_read(), the first one unused */
	int flag_count;
};

enum shell_options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG };

/* Reads the arguments after the command. OPTIONS_WRONG: one line was printed on stderr. */
MUST_USE enum shell_options_result shell_options_read(struct shell_options *options,
						      const struct shell_command *command,
						      char **words, int count);
void shell_options_free(struct shell_options *options);

/* The value of the parameter; NULL: it was not given. */
const char *shell_options_value(const struct shell_options *options, enum parameter parameter);

/* The query parameters of the call that are options: all but those that need a server which runs for
 * longer. */
parameter_set shell_command_parameters(const char *path);

/* The parameter's name as an option: max-length for max_length. */
#define SHELL_NAME_BYTES 32
void shell_option_name(const char *parameter, char name[SHELL_NAME_BYTES]);

/* The name of a parameter. */
const char *shell_parameter_name(enum parameter parameter);

/* Options of every command that are flags of the server too. */
extern const char *const shell_server_flags[];
extern const size_t shell_server_flag_count;

#endif
