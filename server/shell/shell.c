/* shell.c: runs a command: sends a question for each line or argument, prints the answers in order. */
#include "server/shell/shell.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "server/api/routes.h"
#include "server/api/service.h"
#include "server/json/reader.h"
#include "server/shell/answer.h"
#include "server/shell/help.h"
#include "server/shell/source.h"

/* Questions under way at a time, if threads search for their answers. */
#define SEARCHES_MAX 8

struct shell {
	struct shell_options options;
	struct config config;
	struct service *service;
	struct question_style style;
	struct answers answers;
	struct source source;
	struct question *first, **last; /* under way, in the order of the input */
	size_t count;
	bool good;    /* an answer was good */
	bool stopped; /* no more lines are taken */
	bool dropped; /* answers that are still to come are not printed */
	int code;
};

static void failed(struct shell *shell, const char *what, const char *why)
{
	fprintf(stderr, "cubed: %s%s%s\n", what, why ? ": " : "", why ? why : "");
	shell->stopped = true;
	if (shell->code == 0)
		shell->code = SHELL_EXIT_PROBLEM;
}

static void misused(struct shell *shell, const char *what)
{
	failed(shell, what, NULL);
	shell->code = SHELL_EXIT_USAGE;
}

/* ---- questions and answers ---- */

static void ask(struct shell *shell, struct text text, size_t line)
{
	struct question *question = question_create(&shell->options, &shell->style, text, line);
	if (!question) {
		failed(shell, "out of memory", NULL);
		return;
	}
	question_send(shell->service, question);
	*shell->last = question;
	shell->last = &question->next;
	shell->count++;
}

static void count_result(struct shell *shell, enum answer_result result)
{
	shell->good = shell->good || result == ANSWER_GOOD;
	if (result == ANSWER_PROBLEM && shell->code == 0)
		shell->code = SHELL_EXIT_PROBLEM;
	if (result == ANSWER_OPTION) {
		shell->code = SHELL_EXIT_USAGE;
		/* All lines would be refused for the same reason. */
		shell->stopped = shell->dropped = !shell->good;
	}
}

/* Prints into the file that -o names, which is made only if there is an answer. */
static void print_into_file(struct shell *shell, struct question *question)
{
	const char *name = shell->options.output;
	shell->answers.out = fopen(name, "wb");
	if (!shell->answers.out) {
		failed(shell, name, strerror(errno));
		return;
	}
	count_result(shell, answer_print(&shell->answers, question));
	if (fclose(shell->answers.out) != 0)
		failed(shell, name, strerror(errno));
	shell->answers.out = stdout;
}

/* Prints the answers that are there, up to the first one that is not. */
static void print_answers(struct shell *shell)
{
	while (shell->first && shell->first->answered) {
		struct question *question = shell->first;
		if (shell->options.output && question->request.reply.status < 400)
			print_into_file(shell, question);
		else if (!shell->dropped)
			count_result(shell, answer_print(&shell->answers, question));
		shell->first = question->next;
		if (!shell->first)
			shell->last = &shell->first;
		shell->count--;
		question_free(question);
	}
}

/* Answers what was taken, and meanwhile reads on if `reading`. */
static void wait_and_read(struct shell *shell, bool reading)
{
	fflush(stdout);
	if (question_wait(shell->service, reading ? shell->source.fd : -1))
		source_read(&shell->source);
	print_answers(shell);
}

static void answer_one(struct shell *shell, struct text text, size_t line)
{
	ask(shell, text, line);
	print_answers(shell);
	while (shell->first)
		wait_and_read(shell, false);
}

static void check_source(struct shell *shell)
{
	if (shell->stopped)
		return;
	if (shell->source.state == SOURCE_FAILED)
		failed(shell, "the standard input cannot be read", strerror(errno));
	else if (shell->source.state == SOURCE_LINE_LONG)
		failed(shell, "a line of the standard input is longer than 1 MiB", NULL);
}

/* Answers each line as soon as it was read. */
static void answer_lines(struct shell *shell)
{
	const size_t most = shell->options.command->searches ? SEARCHES_MAX : 1;
	struct text line;
	bool reading = true;
	if (isatty(STDIN_FILENO))
		fprintf(stderr,
			"Each line is answered; Ctrl-D ends. \"cubed %s --help\" has more.\n",
			shell->options.command->name);
	while (reading || shell->first) {
		while (!shell->stopped && shell->count < most &&
		       source_take(&shell->source, &line)) {
			ask(shell, line, shell->source.number);
			print_answers(shell);
		}
		reading = !shell->stopped && shell->source.state == SOURCE_OPEN;
		if (reading || shell->first)
			wait_and_read(shell, reading && shell->count < most);
		check_source(shell);
	}
}

/* Draws the only line; without any, a solved cube. */
static void answer_only_line(struct shell *shell)
{
	struct text line = {0}, other;
	size_t length = 0;
	char *text = NULL;
	while (shell->source.state == SOURCE_OPEN)
		source_read(&shell->source);
	check_source(shell);
	if (source_take(&shell->source, &line)) {
		text = strndup(line.bytes, line.length);
		length = text ? strlen(text) : 0;
	}
	if (source_take(&shell->source, &other))
		misused(shell, "draw makes one picture; send one line");
	else if (!shell->stopped)
		answer_one(shell, (struct text){text, length}, shell->source.number);
	free(text);
}

/* Returns true if the options or arguments say which cube it is about. */
static bool is_described(const struct shell_options *options)
{
	static const enum parameter parameters[] = {PARAMETER_MOVES, PARAMETER_FACELETS,
						    PARAMETER_INDEX, PARAMETER_REID,
						    PARAMETER_CASE};
	for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++)
		if (shell_options_value(options, parameters[i]))
			return true;
	return options->text || !options->command->reads;
}

/* Returns true if rows are asked for as bytes. */
static bool is_binary(const struct shell_options *options)
{
	const char *format = shell_options_value(options, PARAMETER_FORMAT);
	return options->command->prints == PRINTS_ROWS && format &&
	       (strcasecmp(format, "npy") == 0 || strcasecmp(format, "raw") == 0);
}

static void answer_all(struct shell *shell)
{
	const struct shell_options *options = &shell->options;
	const bool draws = options->command->prints == PRINTS_PICTURE;
	const bool lines = options->text && strcmp(options->text, "-") == 0;
	const char *text = lines ? NULL : options->text;
	if (is_binary(options) && shell->answers.terminal)
		misused(shell, "numbers in bytes are not for a terminal; use > rows.npy");
	else if (draws && options->png && !options->output && shell->answers.terminal)
		misused(shell, "a PNG file is not for a terminal; use -o cube.png");
	else if (!lines && (is_described(options) || (draws && isatty(STDIN_FILENO))))
		answer_one(shell, (struct text){text, text ? strlen(text) : 0}, 0);
	else if (draws)
		answer_only_line(shell);
	else
		answer_lines(shell);
	if (fflush(stdout) != 0 || ferror(stdout))
		failed(shell, "the answers cannot be written", strerror(errno));
}

/* ---- the service ---- */

static bool has_flag(const struct shell_options *options, const char *flag)
{
	for (int i = 1; i < options->flag_count; i++)
		if (strncmp(options->flags[i], flag, strlen(flag)) == 0)
			return true;
	return false;
}

/* As the server with the same environment, but nothing is stored, and no client is limited. */
static enum config_result configure(struct shell *shell)
{
	struct shell_options *options = &shell->options;
	struct config *config = &shell->config;
	const enum config_result result = config_read(config, options->flag_count, options->flags);
	if (result != CONFIG_RUN)
		return result;
	config->store = "memory:";
	config->rate_limit = false;
	config->tables_late = true;
	log_configure(has_flag(options, "--log-level") ? config->log_level : LOG_WARNING,
		      config->log_format);
	return result;
}

/* Closes it without waiting for answers, such as tables that are being made. */
static void close_service(struct shell *shell)
{
	service_stop(shell->service);
	if (service_unfinished(shell->service) > 0) {
		fflush(NULL);
		_exit(shell->code);
	}
	service_destroy(shell->service);
}

static int run(struct shell *shell)
{
	struct error error = {0};
	if (configure(shell) != CONFIG_RUN)
		return SHELL_EXIT_USAGE;
	json_setup();
	shell->service = service_create(&shell->config, shell->options.command->searches, &error);
	if (!shell->service) {
		failed(shell, error.text, NULL);
		return shell->code;
	}
	shell->answers = (struct answers){.service = shell->service,
					  .options = &shell->options,
					  .out = stdout,
					  .terminal = isatty(STDOUT_FILENO) == 1};
	shell->style = answers_begin(&shell->answers);
	answer_all(shell);
	close_service(shell);
	source_free(&shell->source);
	return shell->code;
}

int shell_run(const char *name, char **words, int count)
{
	static struct shell shell;
	const struct shell_command *command = shell_command_find(name);
	shell.last = &shell.first;
	shell.source.fd = STDIN_FILENO;
	/* `| head -1` ends the command quietly, whatever the parent process ignores. */
	signal(SIGPIPE, SIG_DFL);
	routes_setup();
	int code = SHELL_EXIT_USAGE;
	switch (shell_options_read(&shell.options, command, words, count)) {
	case OPTIONS_RUN:
		code = run(&shell);
		break;
	case OPTIONS_HELP:
		shell_help_print(stdout, command);
		code = fflush(stdout) == 0 ? 0 : SHELL_EXIT_PROBLEM;
		break;
	case OPTIONS_WRONG:
		break;
	}
	shell_options_free(&shell.options);
	return code;
}
