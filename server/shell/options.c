/* options.c: the table of commands, and reading their arguments. */
#include "server/shell/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/routes.h"
#include "server/util/suggest.h"

#define READS_LINES                                                                                \
	"Without an argument, each line of the standard input is a cube or moves, and is "         \
	"answered\n"                                                                               \
	"as soon as it was read. A cube is 54 facelets (of other sizes 24, 96, ...), a number\n"   \
	"(index), or twenty pieces (reid); any other line is moves, from the solved cube on.\n"

static const struct shell_command commands[] = {
	{"apply", "/v1/apply", "[MOVES]",
	 "Turns a cube and prints it: unfolded on a terminal, else as facelets.\n" READS_LINES
	 "\n    cubed apply --size 4 \"Rw U2\"\n    cubed apply --as reid,index < moves.txt\n",
	 PRINTS_FORMS, true, false},
	{"solve", "/v1/solve", "[MOVES or CUBE]",
	 "Prints the moves that solve a cube.\n" READS_LINES
	 "\n    cubed solve \"R U F'\"\n    cubed solve --method optimal < states.txt\n",
	 PRINTS_TEXT, true, true},
	{"scramble", "/v1/scramble", "",
	 "Prints scrambles, one a line.\n"
	 "\n    cubed scramble --count 5 --event 333bf\n    cubed scramble --size 2 --seed x\n",
	 PRINTS_TEXT, false, true},
	{"convert", "/v1/convert", "[CUBE or MOVES]",
	 "Prints a cube in other forms: unfolded on a terminal, else as facelets.\n" READS_LINES
	 "\n    cubed convert --as reid,index < states.txt\n    cubed convert --as net \"R U\"\n",
	 PRINTS_FORMS, true, false},
	{"rows", "/v1/rows", "",
	 "Makes rows of random 3x3x3 or 2x2x2 cubes for training: lines of JSON, or with\n"
	 "--format npy a NumPy file, or raw its bytes alone. A row depends on the seed and its\n"
	 "number alone, so --first continues a set.\n"
	 "\n    cubed rows --count 1000 --seed 1 --walk 1..26 --label walk --format npy > "
	 "rows.npy\n"
	 "    cubed rows --count 5 --as cubies\n    cubed rows --size 2 --children true "
	 "--label distance\n",
	 PRINTS_ROWS, false, false},
	{"draw", "/v1/image.svg", "[MOVES or CUBE]",
	 "Draws one cube as SVG or PNG, from the argument or a line of the standard input.\n"
	 "\n    cubed draw --size 4 \"Rw U2\" > cube.svg\n    cubed draw -o cube.png \"R U\"\n",
	 PRINTS_PICTURE, true, false},
};

#define COMMANDS (sizeof commands / sizeof commands[0])
#define PATH_PNG "/v1/image.png"

static const char *const parameter_names[PARAMETER_COUNT] = {
#define PARAMETER_ROW(constant, name) [constant] = name,
	PARAMETER_TABLE(PARAMETER_ROW)
#undef PARAMETER_ROW
};

const char *const shell_server_flags[] = {"tables-dir", "tables", "solve-threads", "log-level"};
const size_t shell_server_flag_count = sizeof shell_server_flags / sizeof shell_server_flags[0];

const struct shell_command *shell_command_find(const char *name)
{
	size_t i = 0;
	while (i + 1 < COMMANDS && strcmp(commands[i].name, name) != 0)
		i++;
	return &commands[i];
}

const char *shell_parameter_name(enum parameter parameter)
{
	return parameter_names[parameter];
}

void shell_option_name(const char *parameter, char name[SHELL_NAME_BYTES])
{
	snprintf(name, SHELL_NAME_BYTES, "%s", parameter);
	for (char *at = name; *at; at++)
		if (*at == '_')
			*at = '-';
}

parameter_set shell_command_parameters(const char *path)
{
	const parameter_set elsewhere = (parameter_set)1 << PARAMETER_SESSION |
					(parameter_set)1 << PARAMETER_AT |
					(parameter_set)1 << PARAMETER_WAIT_MS;
	const struct text text = {path, strlen(path)};
	struct path_parts parts;
	const struct route *route = route_find("GET", &text, &parts);
	return route ? route->parameters & ~elsewhere : 0;
}

const char *shell_options_value(const struct shell_options *options, enum parameter parameter)
{
	for (size_t i = 0; i < options->parameter_count; i++)
		if (options->parameter[i].parameter == parameter)
			return options->parameter[i].value;
	return NULL;
}

void shell_options_free(struct shell_options *options)
{
	free(options->text);
	options->text = NULL;
}

static bool wrong(const struct shell_options *options, const char *problem, const char *detail)
{
	const char *end = detail[0] == '?' ? "" : ".";
	fprintf(stderr, "cubed: %s: %s%s%s See \"cubed %s --help\".\n", options->command->name,
		problem, detail, end, options->command->name);
	return false;
}

bool shell_prints_text(const struct shell_command *command)
{
	return command->prints == PRINTS_FORMS || command->prints == PRINTS_TEXT;
}

static bool is_server_flag(const char *name)
{
	for (size_t i = 0; i < shell_server_flag_count; i++)
		if (strcmp(shell_server_flags[i], name) == 0)
			return true;
	return false;
}

static bool unknown_option(const struct shell_options *options, const char *given)
{
	static char option_names[PARAMETER_COUNT][SHELL_NAME_BYTES];
	const parameter_set known = shell_command_parameters(options->command->path);
	const char *names[PARAMETER_COUNT + 8];
	char problem[128], name[SHELL_NAME_BYTES];
	size_t count = 0;
	shell_option_name(given, name);
	for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
		if (known >> i & 1) {
			shell_option_name(parameter_names[i], option_names[i]);
			names[count++] = option_names[i];
		}
	for (size_t i = 0; i < shell_server_flag_count; i++)
		names[count++] = shell_server_flags[i];
	if (shell_prints_text(options->command))
		names[count++] = "json";
	if (options->command->prints == PRINTS_PICTURE)
		names[count++] = "format";
	names[count++] = "help";
	const char *nearest = suggest_nearest(name, strlen(name), names, count);
	snprintf(problem, sizeof problem, "unknown option --%.32s%s%s", name,
		 nearest ? "; did you mean --" : "", nearest ? nearest : "");
	return wrong(options, problem, nearest ? "?" : "");
}

/* The parameter of the call with that name, with - or _ in it; PARAMETER_COUNT: none. */
static enum parameter parameter_of(const struct shell_options *options, const char *option)
{
	const parameter_set known = shell_command_parameters(options->command->path);
	char name[SHELL_NAME_BYTES], given[SHELL_NAME_BYTES];
	shell_option_name(option, given);
	for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
		shell_option_name(parameter_names[i], name);
		if (known >> i & 1 && strlen(option) < SHELL_NAME_BYTES && strcmp(name, given) == 0)
			return i;
	}
	return PARAMETER_COUNT;
}

static bool read_format(struct shell_options *options, const char *value)
{
	options->png = strcmp(value, "png") == 0;
	return options->png || strcmp(value, "svg") == 0 ||
	       wrong(options, "--format must be svg or png, not ", value);
}

static bool read_output(struct shell_options *options, const char *value)
{
	const char *dot = strrchr(value, '.');
	options->output = value;
	return dot && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0)
		       ? read_format(options, dot + 1)
		       : wrong(options, "the name of the file must end in .svg or .png: ", value);
}

static bool read_named(struct shell_options *options, const char *name, char *flag, char *value)
{
	const enum parameter parameter = parameter_of(options, name);
	const bool draws = options->command->prints == PRINTS_PICTURE;
	if (draws && strcmp(name, "format") == 0)
		return read_format(options, value);
	if (draws && strcmp(name, "output") == 0)
		return read_output(options, value);
	if (parameter == PARAMETER_COUNT && !is_server_flag(name))
		return unknown_option(options, name);
	if (parameter == PARAMETER_COUNT) {
		if (options->flag_count + 2 > SHELL_FLAGS_MAX)
			return wrong(options, "too many options", "");
		options->flags[options->flag_count++] = flag;
		if (!strchr(flag, '='))
			options->flags[options->flag_count++] = value;
		return true;
	}
	if (options->parameter_count == SHELL_PARAMETERS_MAX)
		return wrong(options, "too many options", "");
	options->parameter[options->parameter_count++] =
		(struct shell_parameter){parameter, parameter_names[parameter], value};
	return true;
}

/* Reads the option at words[*i] and its value, which may be the next word. */
static bool read_option(struct shell_options *options, char **words, int count, int *i)
{
	char name[SHELL_NAME_BYTES], *word = words[*i], *equals = strchr(word, '=');
	if (strcmp(word, "--json") == 0 && shell_prints_text(options->command)) {
		options->json = true;
		return true;
	}
	if (strcmp(word, "-o") == 0)
		snprintf(name, sizeof name, "output");
	else if (strncmp(word, "--", 2) != 0)
		return wrong(options, "this is not an option: ", word);
	else
		snprintf(name, sizeof name, "%.*s",
			 (int)(equals ? equals - word : (ptrdiff_t)strlen(word)) - 2, word + 2);
	if (equals)
		return read_named(options, name, word, equals + 1);
	if (parameter_of(options, name) == PARAMETER_COUNT && !is_server_flag(name) &&
	    strcmp(name, "format") != 0 && strcmp(name, "output") != 0)
		return unknown_option(options, name);
	if (*i + 1 >= count)
		return wrong(options, word, " needs a value");
	return read_named(options, name, word, words[++*i]);
}

/* The arguments together are one algorithm or cube, whether they are quoted or not. */
static bool add_word(struct shell_options *options, const char *word)
{
	const size_t before = options->text ? strlen(options->text) : 0;
	if (!options->command->reads)
		return wrong(options, "it takes options only, not ", word);
	char *text = realloc(options->text, before + strlen(word) + 2);
	if (!text)
		return wrong(options, "out of memory", "");
	snprintf(text + before, strlen(word) + 2, "%s%s", before > 0 ? " " : "", word);
	options->text = text;
	return true;
}

enum shell_options_result shell_options_read(struct shell_options *options,
					     const struct shell_command *command, char **words,
					     int count)
{
	bool plain = false;
	*options =
		(struct shell_options){.command = command, .path = command->path, .flag_count = 1};
	for (int i = 0; i < count; i++) {
		char *word = words[i];
		if (!plain && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0))
			return OPTIONS_HELP;
		const bool option = !plain && word[0] == '-' && word[1] != '\0';
		if (option && strcmp(word, "--") == 0)
			plain = true;
		else if (!(option ? read_option(options, words, count, &i)
				  : add_word(options, word)))
			return OPTIONS_WRONG;
	}
	if (options->png)
		options->path = PATH_PNG;
	return OPTIONS_RUN;
}
