/* net.c: the unfolding as a JSON string. */
#include <stdlib.h>

#include "cube/cube.h"
#include "cube/facelets.h"
#include "server/format/format.h"
#include "server/util/utf8.h"

static bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The facelet of the k-th letter: U, then the rows of L F R B side by side, then D. */
static size_t facelet_of(size_t size, size_t k)
{
	static const uint8_t band[4] = {CUBE_L, CUBE_F, CUBE_R, CUBE_B};
	size_t area = size * size;
	if (k < area)
		return CUBE_U * area + k;
	if (k >= 5 * area)
		return CUBE_D * area + k - 5 * area;
	size_t row = (k - area) / (4 * size), column = (k - area) % (4 * size);
	return band[column / size] * area + row * size + column % size;
}

static bool letter_problem(struct json_reader *reader, const struct json_place *place,
			   struct text net, size_t offset)
{
	uint32_t point;
	size_t bytes = utf8_decode(net.bytes + offset, net.length - offset, &point);
	struct cube_error error = {.code = CUBE_ERROR_LETTER,
				   .offset = offset,
				   .length = bytes ? bytes : 1,
				   .expected = "a face U R F D L B or a colour W R G Y O B"};
	return json_fail_text(reader, place, "Invalid net", net, &error);
}

/* Only the order of the letters counts; spaces and line breaks may be anywhere. */
bool format_net_read(struct json_reader *reader, struct json_value *value,
		     const struct json_place *place, struct format_given *given)
{
	struct text net;
	size_t count = 0;
	if (!format_text(reader, value, place, &net))
		return false;
	for (size_t i = 0; i < net.length; i++) {
		if (is_blank(net.bytes[i]))
			continue;
		if (cube_color_of_letter(net.bytes[i]) < 0)
			return letter_problem(reader, place, net, i);
		count++;
	}
	int size = cube_size_of_facelets(count);
	if (!size)
		return format_letters_problem(reader, place, net, count);
	if (!format_room(reader, size, given))
		return false;
	for (size_t i = 0, k = 0; i < net.length; i++)
		if (!is_blank(net.bytes[i]))
			given->colors[facelet_of((size_t)size, k++)] =
				(uint8_t)cube_color_of_letter(net.bytes[i]);
	return true;
}

void format_net_write(struct out *out, const struct cube *cube,
		      const struct format_options *options)
{
	char *net = malloc(cube_net_bytes(cube->size, false));
	(void)options;
	if (!net) {
		out->buffer->failed = true;
		return;
	}
	size_t length = cube_net_print(cube, false, net);
	out_bytes(out, net, length);
	free(net);
}
