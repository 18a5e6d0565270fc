/* help.h: --help of a command: its options as openapi.yaml describes them. */
#ifndef SERVER_SHELL_HELP_H
#define SERVER_SHELL_HELP_H

#include <stdio.h>

#include "server/shell/options.h"

void shell_help_print(FILE *out, const struct shell_command *command);

#endif
