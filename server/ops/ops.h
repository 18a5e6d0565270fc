/* ops.h: the subcommands of the program: one row each in ops.c.
 *
 * They examine a database or a server from outside, print what they found, and exit: 0 if all is
 * well, 1 if not, 2 for wrong usage. */
#ifndef SERVER_OPS_OPS_H
#define SERVER_OPS_OPS_H

#include <stdio.h>

#include "server/config.h"

#define OPS_SERVE (-1)
#define OPS_EXIT_USAGE 2

enum ops_file { OPS_NO_FILE, OPS_FILE_OPTIONAL, OPS_FILE, OPS_WORDS, OPS_FROM_TO, OPS_OWN };

/* The arguments of a subcommand. */
struct ops_call {
	const char *command;
	const struct config *config; /* NULL with OPS_OWN */
	const char *store;           /* location of the database; NULL if the command needs none */
	const char *name;            /* of the same, for messages */
	const char *file;            /* NULL if none was given */
	char **words; /* arguments that are not flags; at least one with OPS_WORDS. With OPS_OWN
			    * all arguments: the command has flags of its own */
	int word_count;
};

struct ops_command {
	const char *name;
	int (*run)(const struct ops_call *call);
	const char *help; /* one line */
	enum ops_file file;
	bool needs_store;
};

extern const struct ops_command ops_commands[];
extern const size_t ops_command_count;

/* Runs the subcommand in the arguments and returns the exit code; OPS_SERVE if the server is to be
 * started, with "serve" removed from the arguments. */
int ops_main(int *argc, char **argv);

/* Prints --help: the subcommands and the flags. */
void ops_help(void);

/* Prints what --lan promises: the addresses that other devices can open, and a QR code. */
void ops_invite(FILE *out, const char *scheme, uint16_t port);

/* One line on stderr; returns 1, the exit code. */
int ops_failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Each is in the file of its name. */
int verify_run(const struct ops_call *call);
int export_run(const struct ops_call *call);
int import_run(const struct ops_call *call);
int migrate_run(const struct ops_call *call);
int backup_run(const struct ops_call *call);
int health_run(const struct ops_call *call);
int tables_run(const struct ops_call *call);
int play_run(const struct ops_call *call);
/* In ops.c: each of the commands of server/shell. */
int ask_run(const struct ops_call *call);

#endif
