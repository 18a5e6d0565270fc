/* views.c: what it takes to write a cube in each form of ?as=, to draw it, and to read it again.
 *
 * Prints a line "name.size ns-per-facelet" for each: the column write_ns of server/format/table.c
 * and the figures of answer_view_cost() are these, rounded up. Each is the least of ROUNDS, of this
 * thread's time on the processor, into a buffer that begins empty, as an answer does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cube/cube.h"
#include "cube/turn.h"
#include "server/api/input/answer_view.h"
#include "server/api/input/picture.h"
#include "server/format/cube_out.h"
#include "server/json/reader.h"
#include "server/format/format.h"
#include "tests/bench/clock.h"

#define ROUNDS 15

static struct cube *cube;
static struct answer_view view;
static size_t bytes; /* bytes written last */

static uint64_t thread_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void scramble(int size, uint64_t *seed)
{
	cube_init(cube, size);
	for (int i = 0; i < 20 * size; i++) {
		int layer = 1 + (int)random_below(seed, (uint32_t)size);
		cube_turn(cube, cube_turn_make(size, (int)random_below(seed, CUBE_FACES), layer,
					       layer, 1 + (int)random_below(seed, 3)));
	}
}

static void print(const char *kind, const char *name, uint64_t ns)
{
	printf("%s.%s.%d %.2f (%.3f ms, %zu bytes)\n", kind, name, cube->size,
	       (double)ns / (double)cube_facelets(cube->size), (double)ns / 1e6, bytes);
}

static uint64_t write_json(uint32_t as)
{
	struct buffer buffer = {0};
	struct out out = {.buffer = &buffer};
	uint64_t begin = thread_ns();
	view.as = as;
	out_open(&out, '{');
	out_cube_member(&out, cube, &view, CUBE_KNOWN);
	out_close(&out, '}');
	bytes = buffer.length;
	buffer_free(&buffer);
	return thread_ns() - begin;
}

static uint64_t draw(enum media media)
{
	struct request request;
	struct context ctx = {.request = &request, .media = media};
	request_init(&request);
	uint64_t begin = thread_ns();
	reply_cube_text(&ctx, cube, &view, 200);
	bytes = request.reply.body.length;
	request_finish(&request);
	return thread_ns() - begin;
}

/* The same of a picture with all that it may have, in so many pixels. */
static uint64_t draw_picture(enum media media, enum cube_picture_view look, int pixels,
			     const char *arrows)
{
	struct request request;
	struct context ctx = {.request = &request, .media = media};
	struct picture_request asked = {.mask = {"f2l", 3},
					.arrows = {arrows, arrows ? strlen(arrows) : 0}};
	request_init(&request);
	cube_picture_init(&asked.picture, look);
	asked.picture.pixels = pixels;
	uint64_t begin = thread_ns();
	picture_reply(&ctx, &asked, cube, NULL);
	bytes = request.reply.body.length;
	const uint64_t took = thread_ns() - begin;
	const double estimated = (double)picture_cost(&ctx, &asked, cube->size);
	request_finish(&request);
	printf("  estimated %.3f ms, took %.3f\n", estimated / 1e6, (double)took / 1e6);
	return took;
}

/* Parses a body that is the cube in one form, then makes the colours of it. */
static void read_json(const struct format *format)
{
	uint64_t parse = UINT64_MAX, read = UINT64_MAX;
	struct buffer text = {0};
	struct out out = {.buffer = &text};
	out_open(&out, '{');
	out_key(&out, format->name);
	format->write(&out, cube, &view.options);
	out_close(&out, '}');
	for (int round = 0; round < ROUNDS; round++) {
		struct arena arena = {0};
		struct json_reader reader = {.arena = &arena};
		struct json_value *body;
		struct format_given given = {0};
		struct json_place place = {.pointer = "/cube"};
		uint64_t begin = thread_ns();
		if (!json_parse_body(&reader, text.bytes, text.length, &body))
			exit(1);
		uint64_t middle = thread_ns();
		if (!format->read(&reader, json_member_of(body, format->name), &place, &given))
			exit(1);
		uint64_t end = thread_ns();
		parse = middle - begin < parse ? middle - begin : parse;
		read = end - middle < read ? end - middle : read;
		arena_finish(&arena);
	}
	bytes = text.length;
	print("parse", format->name, parse);
	print("read", format->name, read);
	buffer_free(&text);
}

static void measure_pictures(void)
{
	char arrows[1024] = "U0U8U2-s30-i50";
	for (int i = 1; i < CUBE_ARROWS_MAX; i++)
		strcat(arrows, ",U0U8U2-s30-i50");
	for (enum cube_picture_view look = 0; look < CUBE_PICTURE_VIEWS; look++)
		for (int pixels = 64; pixels <= 1024; pixels *= 4) {
			const char *name = cube_picture_view_name(look);
			print("picture.svg", name, draw_picture(MEDIA_SVG, look, pixels, NULL));
			print("picture.png", name, draw_picture(MEDIA_PNG, look, pixels, NULL));
			print("arrows.svg", name, draw_picture(MEDIA_SVG, look, pixels, arrows));
			print("arrows.png", name, draw_picture(MEDIA_PNG, look, pixels, arrows));
		}
}

static void measure(int size, uint64_t *seed)
{
	scramble(size, seed);
	for (size_t i = 0; i < format_count; i++) {
		uint64_t least_ns = UINT64_MAX, always = UINT64_MAX;
		if (!format_serves(&formats[i], size))
			continue;
		for (int round = 0; round < ROUNDS; round++) {
			uint64_t base = write_json(0);
			always = base < always ? base : always;
			uint64_t ns = write_json(1u << i);
			least_ns = ns < least_ns ? ns : least_ns;
		}
		print("write", formats[i].name, i == FORMAT_ALWAYS ? always : least_ns - always);
		if (formats[i].read)
			read_json(&formats[i]);
	}
	for (int look = 0; look < CUBE_PICTURE_VIEWS; look++) {
		uint64_t least_ns = UINT64_MAX;
		cube_picture_init(&view.picture, (enum cube_picture_view)look);
		for (int round = 0; round < ROUNDS; round++) {
			uint64_t ns = draw(MEDIA_SVG);
			least_ns = ns < least_ns ? ns : least_ns;
		}
		print("svg", cube_picture_view_name((enum cube_picture_view)look), least_ns);
	}
	measure_pictures();
	for (int color = 0; color < 2; color++) {
		uint64_t least_ns = UINT64_MAX;
		view.color = color == 1;
		for (int round = 0; round < ROUNDS; round++) {
			uint64_t ns = draw(MEDIA_TEXT);
			least_ns = ns < least_ns ? ns : least_ns;
		}
		print("text", color ? "color" : "plain", least_ns);
	}
	view.color = false;
}

int main(void)
{
	static const int sizes[] = {3, 7, 30, 100};
	uint64_t seed = 88172645463325252u;
	json_setup();
	cube = malloc(cube_bytes(CUBE_SIZE_MAX));
	cube_picture_init(&view.picture, CUBE_PICTURE_ISO);
	if (!cube)
		return 1;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		measure(sizes[i], &seed);
	free(cube);
	return 0;
}
