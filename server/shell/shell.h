/* shell.h: calls of the API in a shell, without a server: cubed apply, solve, scramble, convert, rows, draw.
 *
 * Each command is a row of the table in options.c: it stands for one GET call, its options for the
 * query parameters of that call. The service runs in this process, on a store in memory, and answers
 * requests as it answers those that come through a socket. Cubes and moves come from the arguments
 * or, one a line, from the standard input; each line is answered as soon as it was read. */
#ifndef SERVER_SHELL_SHELL_H
#define SERVER_SHELL_SHELL_H

#define SHELL_EXIT_PROBLEM 1
#define SHELL_EXIT_USAGE 2

/* Runs the command of that name with the arguments after it. Returns the exit code: 0 if everything
 * was answered, SHELL_EXIT_PROBLEM if something that was sent was refused, SHELL_EXIT_USAGE if an
 * option is wrong. */
int shell_run(const char *name, char **words, int count);

#endif
