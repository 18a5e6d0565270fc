/* notation/link.c: moves in links. What the sites write and read is taken from their code:
 * escape_alg() in https://github.com/cubing/alg.cubing.net/blob/main/alg.js, and twizzleLink() of
 * https://github.com/cubing/cubing.js. */
#include "cube/link.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

static const char *const names[CUBE_LINK_SITES] = {
#define CUBE_LINK_ROW(constant, name) [constant] = name,
	CUBE_LINK_TABLE(CUBE_LINK_ROW)
#undef CUBE_LINK_ROW
};

static const struct {
	const char *host;
	enum cube_link_site site;
} hosts[] = {
	{"alg.cubing.net/", CUBE_LINK_ALG_CUBING_NET},
	{"alpha.twizzle.net/", CUBE_LINK_TWIZZLE},
	{"twizzle.net/", CUBE_LINK_TWIZZLE},
	{"www.twizzle.net/", CUBE_LINK_TWIZZLE},
};

const char *cube_link_site_name(enum cube_link_site site)
{
	return names[site];
}

/* ---- parts of a link ---- */

struct span {
	size_t start, end;
};

static bool begins(const char *text, struct span at, const char *with)
{
	const size_t length = strlen(with);
	return at.end - at.start >= length && memcmp(text + at.start, with, length) == 0;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct span trim(const char *text, size_t length)
{
	struct span span = {0, length};
	while (span.start < span.end && is_space(text[span.start]))
		span.start++;
	while (span.end > span.start && is_space(text[span.end - 1]))
		span.end--;
	return span;
}

/* The row of `hosts`, and what follows the host; -1 if it is another text. */
static int find_host(const char *text, struct span *at)
{
	static const char *const schemes[] = {"https://", "http://", ""};
	for (size_t s = 0; s < sizeof(schemes) / sizeof(schemes[0]); s++) {
		struct span rest = *at;
		if (!begins(text, rest, schemes[s]))
			continue;
		rest.start += strlen(schemes[s]);
		for (size_t h = 0; h < sizeof(hosts) / sizeof(hosts[0]); h++)
			if (begins(text, rest, hosts[h].host)) {
				at->start = rest.start + strlen(hosts[h].host);
				return (int)h;
			}
	}
	return -1;
}

bool cube_link_is(const char *text, size_t length)
{
	struct span at = trim(text, length);
	return find_host(text, &at) >= 0;
}

/* The value of the first parameter with that name; start > end if there is none. */
static struct span find_value(const char *text, struct span query, const char *name)
{
	const size_t length = strlen(name);
	while (query.start < query.end) {
		const char *next = memchr(text + query.start, '&', query.end - query.start);
		struct span one = {query.start, next ? (size_t)(next - text) : query.end};
		if (begins(text, one, name) && one.start + length < one.end &&
		    text[one.start + length] == '=')
			return (struct span){one.start + length + 1, one.end};
		query.start = one.end + 1;
	}
	return (struct span){1, 0};
}

static bool is_given(struct span value)
{
	return value.start <= value.end;
}

/* The value of one of two names. */
static struct span find_either(const char *text, struct span query, const char *name,
			       const char *other)
{
	struct span value = find_value(text, query, name);
	return is_given(value) ? value : find_value(text, query, other);
}

static bool value_is(const char *text, struct span value, const char *wanted)
{
	return is_given(value) && value.end - value.start == strlen(wanted) &&
	       begins(text, value, wanted);
}

/* ---- reading ---- */

static enum cube_error_code refuse(struct cube_error *error, struct span at, const char *expected)
{
	error_fill(error, CUBE_ERROR_LINK, at.start, at.end - at.start, expected);
	return CUBE_ERROR_LINK;
}

static int hex_value(char c)
{
	return c >= '0' && c <= '9'                     ? c - '0'
	       : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
							: -1;
}

/* Decodes the percent signs of a value behind the `length` bytes that the link has; false with *bad where
 * one is not followed by two digits. */
static bool decode_percent(const char *text, struct span value, struct cube_link *link,
			   size_t *length, struct span *bad)
{
	for (size_t at = value.start; at < value.end;) {
		const size_t from = at;
		char c = text[at++];
		if (c == '%') {
			const int high = at < value.end ? hex_value(text[at]) : -1;
			const int low = at + 1 < value.end ? hex_value(text[at + 1]) : -1;
			*bad = (struct span){from, from + 1};
			if (high < 0 || low < 0)
				return false;
			c = (char)(high << 4 | low);
			at += 2;
		} else if (c == '+') {
			c = ' ';
		}
		link->text[*length] = c;
		link->origin[(*length)++] = (uint32_t)from;
	}
	return true;
}

/* Decodes the signs that alg.cubing.net writes for other characters, in the bytes from..length;
 * returns their new end. */
static size_t decode_signs(struct cube_link *link, size_t from, size_t length)
{
	static const struct {
		const char *written;
		char means;
	} signs[] = {{"&#45;", '-'}, {"&#95;", '_'}, {"&#2b;", '+'},
		     {"-", '\''},    {"_", ' '},     {"+", ' '}};
	size_t to = from;
	while (from < length) {
		size_t bytes = 1;
		char c = link->text[from];
		for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
			if (begins(link->text, (struct span){from, length}, signs[i].written)) {
				bytes = strlen(signs[i].written);
				c = signs[i].means;
				break;
			}
		link->text[to] = c;
		link->origin[to++] = link->origin[from];
		from += bytes;
	}
	return to;
}

/* NxNxN; 0 for other puzzles, and sizes that no cube has. */
static int size_of_puzzle(const char *text, struct span value)
{
	char wanted[40];
	for (int size = CUBE_SIZE_MIN; size <= CUBE_SIZE_MAX; size++) {
		snprintf(wanted, sizeof(wanted), "%dx%dx%d", size, size, size);
		if (value_is(text, value, wanted))
			return size;
	}
	return 0;
}

static struct span query_of(const char *text, struct span rest)
{
	const char *mark = memchr(text + rest.start, '#', rest.end - rest.start);
	if (mark)
		rest.end = (size_t)(mark - text);
	mark = memchr(text + rest.start, '?', rest.end - rest.start);
	return (struct span){mark ? (size_t)(mark - text) + 1 : rest.end, rest.end};
}

enum cube_error_code cube_link_read(const char *text, size_t length, struct cube_link *link,
				    struct cube_error *error)
{
	struct span all = trim(text, length), rest = all, bad;
	const int host = find_host(text, &rest);
	if (host < 0 || length >= UINT32_MAX)
		return refuse(error, all, "a link of alpha.twizzle.net or alg.cubing.net");
	const struct span query = query_of(text, rest);
	const bool old = hosts[host].site == CUBE_LINK_ALG_CUBING_NET;
	const struct span alg = find_value(text, query, "alg");
	const struct span setup =
		old ? find_value(text, query, "setup")
		    : find_either(text, query, "setup-alg", "experimental-setup-alg");
	const struct span anchor =
		old ? find_value(text, query, "type")
		    : find_either(text, query, "setup-anchor", "experimental-setup-anchor");
	const struct span puzzle = find_value(text, query, "puzzle");
	link->site = hosts[host].site;
	link->size = is_given(puzzle) ? size_of_puzzle(text, puzzle) : 3;
	link->ends_with_setup = value_is(text, anchor, "end") || value_is(text, anchor, "alg") ||
				value_is(text, anchor, "reconstruction-end-with-setup");
	if (link->size == 0)
		return refuse(error, puzzle, "a cube such as puzzle=4x4x4");
	if (!is_given(alg) && !is_given(setup))
		return refuse(error, all, "a link with moves, as in ?alg=R+U");
	link->setup_length = link->alg_length = 0;
	size_t end = 0;
	if (is_given(setup) && !decode_percent(text, setup, link, &end, &bad))
		return refuse(error, bad, "two hexadecimal digits after %");
	link->setup_length = end = old ? decode_signs(link, 0, end) : end;
	link->origin[end] = (uint32_t)setup.end;
	link->text[end++] = '\n';
	if (is_given(alg) && !decode_percent(text, alg, link, &end, &bad))
		return refuse(error, bad, "two hexadecimal digits after %");
	end = old ? decode_signs(link, link->setup_length + 1, end) : end;
	link->alg_length = end - link->setup_length - 1;
	link->origin[end] = (uint32_t)(is_given(alg) ? alg.end : setup.end);
	return CUBE_OK;
}

int cube_link_size(const char *text, size_t length)
{
	struct span rest = trim(text, length);
	if (find_host(text, &rest) < 0)
		return 0;
	const struct span puzzle = find_value(text, query_of(text, rest), "puzzle");
	return is_given(puzzle) ? size_of_puzzle(text, puzzle) : 3;
}

/* ---- its moves ---- */

size_t cube_link_nodes(const struct cube_link *link)
{
	return cube_parse_nodes(link->text, link->setup_length) +
	       cube_parse_nodes(link->text + link->setup_length + 1, link->alg_length);
}

/* From a place in a part of the text, which begins at `part`, to that in the link. */
static void find_origin(const struct cube_link *link, size_t part, size_t *offset, size_t *length)
{
	const size_t start = link->origin[part + *offset];
	const size_t end = link->origin[part + *offset + *length];
	*offset = start;
	*length = end - start;
}

/* Appends a part of its text to `alg`. */
static enum cube_error_code append_part(const struct cube_link *link, size_t from, size_t length,
					int size, struct cube_node *nodes, struct cube_alg *alg,
					struct cube_notes *notes, struct cube_error *error)
{
	struct cube_alg part;
	struct cube_notes own;
	enum cube_error_code code =
		cube_parse_noted(link->text + from, length, size, CUBE_DIALECT_SIGN,
				 nodes + alg->count, &part, notes ? &own : NULL, error);
	if (code != CUBE_OK) {
		find_origin(link, from, &error->offset, &error->length);
		error->suggestion[0] = error->readings[0][0] = error->readings[1][0] = '\0';
		return code;
	}
	for (uint32_t i = alg->count; i < alg->count + part.count; i++) {
		nodes[i].end += alg->count;
		nodes[i].middle += nodes[i].middle > 0 ? alg->count : 0;
	}
	alg->count += part.count;
	alg->zeros += part.zeros;
	alg->depth = part.depth > alg->depth ? part.depth : alg->depth;
	for (size_t i = 0; notes && i < own.count && notes->count < CUBE_NOTES_MAX; i++) {
		struct cube_note *note = &notes->note[notes->count++];
		*note = own.note[i];
		note->readings[0][0] = note->readings[1][0] = '\0';
		find_origin(link, from, &note->offset, &note->length);
	}
	return CUBE_OK;
}

static void note_setup(const struct cube_link *link, struct cube_notes *notes)
{
	struct cube_note *note = &notes->note[notes->count++];
	*note = (struct cube_note){.length = link->setup_length};
	find_origin(link, 0, &note->offset, &note->length);
	snprintf(note->detail, sizeof(note->detail), "%s",
		 link->ends_with_setup
			 ? "The link ends with its setup: only its own moves are read."
			 : "The setup of the link is read as moves before its own.");
}

enum cube_error_code cube_link_parse(const struct cube_link *link, int size,
				     struct cube_node *nodes, struct cube_alg *alg,
				     struct cube_notes *notes, struct cube_error *error)
{
	enum cube_error_code code = CUBE_OK;
	*alg = (struct cube_alg){.nodes = nodes, .size = (uint8_t)size};
	if (notes)
		notes->count = 0;
	if (link->size != size) {
		char expected[64];
		snprintf(expected, sizeof(expected), "a link for size %d; this one is for size %d",
			 size, link->size);
		return refuse(
			error,
			(struct span){0, link->origin[link->setup_length + 1 + link->alg_length]},
			expected);
	}
	if (notes && link->setup_length > 0)
		note_setup(link, notes);
	if (!link->ends_with_setup)
		code = append_part(link, 0, link->setup_length, size, nodes, alg, notes, error);
	return code == CUBE_OK ? append_part(link, link->setup_length + 1, link->alg_length, size,
					     nodes, alg, notes, error)
			       : code;
}

/* ---- making ---- */

bool cube_link_serves(enum cube_link_site site, int size)
{
	return size <= 7 ||
	       (site == CUBE_LINK_TWIZZLE ? size == 40 : size == 8 || size == 9 || size == 17);
}

struct writer {
	char *text;
	size_t room, length;
};

static void put(struct writer *writer, const char *text)
{
	for (; *text; text++, writer->length++)
		if (writer->length + 1 < writer->room)
			writer->text[writer->length] = *text;
}

static void put_move_character(struct writer *writer, enum cube_link_site site, char c)
{
	char text[4] = {c};
	if (c == ' ')
		put(writer, site == CUBE_LINK_TWIZZLE ? "+" : "_");
	else if (site == CUBE_LINK_ALG_CUBING_NET && c == '\'')
		put(writer, "-");
	else if (site == CUBE_LINK_ALG_CUBING_NET && c == '-')
		put(writer, "%26%2345%3B");
	else if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-')
		put(writer, text);
	else {
		snprintf(text, sizeof(text), "%%%02X", (unsigned char)c);
		put(writer, text);
	}
}

size_t cube_link_print(enum cube_link_site site, int size, const char *moves, char *text,
		       size_t room)
{
	struct writer writer = {text, room, 0};
	assert(cube_link_serves(site, size));
	put(&writer, site == CUBE_LINK_TWIZZLE ? "https://alpha.twizzle.net/edit/?alg="
					       : "https://alg.cubing.net/?alg=");
	for (; *moves; moves++)
		put_move_character(&writer, site, *moves);
	if (size != 3) {
		char puzzle[32];
		snprintf(puzzle, sizeof(puzzle), "&puzzle=%dx%dx%d", size, size, size);
		put(&writer, puzzle);
	}
	if (room > 0)
		text[writer.length < room ? writer.length : room - 1] = '\0';
	return writer.length;
}
