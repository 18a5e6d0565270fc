/* play.c: `cubed play`: its arguments, and the loop from keys to the screen. */
#include "clients/terminal/play/play.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "clients/terminal/play/terminal.h"
#include "server/util/monotonic.h"
#include "server/util/suggest.h"

#define DEFAULT_SIZE 3
#define TICK_MS 100
#define ESCAPE_MS 50

/* ---- arguments ---- */

static bool read_size(struct play_options *options, const char *value, struct error *error)
{
	char *end;
	const long size = strtol(value, &end, 10);
	if (*value == '\0' || *end != '\0' || size < CUBE_SIZE_MIN || size > CUBE_SIZE_MAX)
		return error_set(error, "--size \"%s\": write a number from %d to %d, as --size 4",
				 value, CUBE_SIZE_MIN, CUBE_SIZE_MAX);
	options->size = (int)size;
	return true;
}

static bool read_layout(struct play_options *options, const char *value, struct error *error)
{
	for (int i = 0; i < PLAY_LAYOUTS; i++) {
		if (strcmp(play_layout_names[i], value) != 0)
			continue;
		options->layout = (enum play_layout)i;
		return true;
	}
	return error_set(error, "--keys \"%s\": write letters or speed", value);
}

static bool read_join(struct play_options *options, const char *value, struct error *error)
{
	(void)error;
	options->join = value;
	return true;
}

static bool read_token_file(struct play_options *options, const char *value, struct error *error)
{
	(void)error;
	options->token_file = value;
	return true;
}

static const struct {
	const char *name;
	bool (*read)(struct play_options *options, const char *value, struct error *error);
} flags[] = {{"--size", read_size},
	     {"--keys", read_layout},
	     {"--join", read_join},
	     {"--token-file", read_token_file}};
#define FLAGS (sizeof flags / sizeof flags[0])

static bool unknown_flag(const char *word, struct error *error)
{
	const char *names[FLAGS];
	for (size_t i = 0; i < FLAGS; i++)
		names[i] = flags[i].name;
	const char *nearest = suggest_nearest(word, strcspn(word, "="), names, FLAGS);
	return error_set(error, "play: unknown argument \"%s\"; %s%s", word,
			 nearest ? "did you mean "
				 : "write --size N, --keys letters|speed or --join URL",
			 nearest ? nearest : "");
}

/* A flag and its value, in one word or in two. */
static bool read_flag(struct play_options *options, char **words, int count, int *at,
		      struct error *error)
{
	const char *word = words[*at];
	const size_t length = strcspn(word, "=");
	for (size_t i = 0; i < FLAGS; i++) {
		if (strlen(flags[i].name) != length || strncmp(flags[i].name, word, length) != 0)
			continue;
		if (word[length] == '=')
			return flags[i].read(options, word + length + 1, error);
		if (*at + 1 == count)
			return error_set(error, "%s needs a value", word);
		return flags[i].read(options, words[++*at], error);
	}
	return unknown_flag(word, error);
}

bool play_options_read(struct play_options *options, char **words, int count, struct error *error)
{
	*options = (struct play_options){.size = 0};
	for (int i = 0; i < count; i++) {
		if (strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0)
			options->help = true;
		else if (!read_flag(options, words, count, &i, error))
			return false;
	}
	if (options->join && options->size > 0)
		return error_set(error, "--size with --join: the session has its own size");
	if (options->token_file && !options->join)
		return error_set(error, "--token-file is the token for --join URL");
	if (options->size == 0)
		options->size = DEFAULT_SIZE;
	return true;
}

/* ---- the loop ---- */

static uint64_t random_next(void *context)
{
	uint64_t word = 0;
	(void)context;
	/* So few bytes come at once and whole, from the first seconds of the machine on. */
	while (getrandom(&word, sizeof word, 0) != (ssize_t)sizeof word)
		;
	return word;
}

/* Presses the keys that were read; false: one of them quits. */
static bool press_all(struct play *play, struct terminal_input *input, bool final)
{
	size_t at = 0;
	bool more = true;
	while (more && at < input->length) {
		int key;
		const size_t length =
			play_key_read(input->bytes + at, input->length - at, final, &key);
		if (length == 0)
			break;
		at += length;
		more = play_key(play, key, monotonic_ms());
	}
	input->length -= at;
	memmove(input->bytes, input->bytes + at, input->length);
	return more;
}

static bool show(const struct play *play, struct play_screen *screen, enum term_style style)
{
	struct buffer out = {0};
	play_draw(screen, play, monotonic_ms());
	play_screen_print(screen, style, &out);
	const bool shown = !out.failed && terminal_write(out.bytes, out.length);
	buffer_free(&out);
	return shown;
}

static bool resize(struct play_screen *screen)
{
	int rows, columns;
	terminal_size(&rows, &columns);
	return play_screen_resize(screen, rows, columns);
}

/* On a dumb terminal, the screen is written after keys only. */
static int time_to_wait(const struct play *play, const struct terminal_input *input,
			enum term_style style)
{
	if (input->length > 0)
		return ESCAPE_MS;
	return style != TERM_DUMB && !play->help && play_timer_ticks(&play->timer) ? TICK_MS : -1;
}

static enum terminal_event wait_event(const struct play *play, const struct play_remote *remote,
				      enum term_style style, struct terminal_input *input)
{
	struct pollfd others[TERMINAL_OTHERS];
	int timeout_ms = time_to_wait(play, input, style);
	size_t count = 0;
	if (remote)
		count = remote->wait(remote->context, others, TERMINAL_OTHERS, &timeout_ms);
	return terminal_wait(timeout_ms, others, count, input);
}

static bool loop(struct play *play, const struct play_remote *remote, struct play_screen *screen,
		 enum term_style style)
{
	struct terminal_input input = {.length = 0};
	/* The cube is seen while tables are made. */
	if (!show(play, screen, style) || (!remote && !play_prepare(play)))
		return false;
	for (bool stale = true;;) {
		if (remote)
			stale |= remote->step(remote->context, monotonic_ms());
		if (stale && !show(play, screen, style))
			return false;
		const enum terminal_event event = wait_event(play, remote, style, &input);
		stale = event != TERMINAL_OTHER && (event != TERMINAL_TIME || style != TERM_DUMB);
		if (event == TERMINAL_END)
			return true;
		if (event == TERMINAL_CHANGED && !resize(screen))
			return false;
		if (!press_all(play, &input, event == TERMINAL_TIME))
			return true;
	}
}

static int failed(const char *problem)
{
	fprintf(stderr, "cubed: %s\n", problem);
	return 1;
}

int play_main(const struct play_options *options, const struct play_remote *remote)
{
	const enum term_style style = term_style_of(getenv("TERM"), getenv("NO_COLOR"));
	const struct cube_random random = {.next = random_next};
	struct play_screen screen = {0};
	struct error error = {0};
	struct play *play = malloc(sizeof *play);
	int code = 0;
	if (!play)
		return failed("out of memory");
	if (!play_init(play, options->size, options->layout, random) ||
	    (remote && !remote->begin(remote->context, play))) {
		code = failed("out of memory");
	} else if (!terminal_open(style, &error)) {
		code = failed(error.text);
	} else {
		const bool well = resize(&screen) && loop(play, remote, &screen, style);
		terminal_close();
		code = well ? 0 : failed("play ended: out of memory, or the terminal is gone");
	}
	play_screen_free(&screen);
	play_finish(play);
	free(play);
	return code;
}
