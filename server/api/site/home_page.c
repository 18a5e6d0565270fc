/* home_page.c: GET /: the page. Its query is read by the script; the server reads those parts of it
 * that a preview can show: /?alg=... is a link to an algorithm. What it does not understand, it
 * leaves to the script, which says what is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/algorithm.h"
#include "cube/facelets.h"
#include "cube/notation.h"
#include "server/api/request/handlers.h"
#include "server/api/site/page.h"
#include "server/api/site/preview.h"
#include "server/api/steps/caching.h"

/* Longer values have the general preview, and so have longer addresses. */
#define VALUE_BYTES 600
#define ADDRESS_BYTES 2048
#define TITLE_CHARACTERS 80

/* The parameters of a link to an algorithm, decoded; empty: none. */
struct link {
	char alg[VALUE_BYTES + 1], setup[VALUE_BYTES + 1], cube[VALUE_BYTES + 1],
		size[VALUE_BYTES + 1];
};

/* ---- reading ---- */

/* Decodes a value of a query. False if it is malformed or too long, or has other characters than those of ASCII
 * that are seen. */
static bool decode(const struct text *value, char text[VALUE_BYTES + 1])
{
	const size_t length = query_unescape(value->bytes, value->length, true, text, VALUE_BYTES);
	if (length == SIZE_MAX)
		return false;
	text[length] = '\0';
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return true;
}

/* Reads moves as some sites write them in addresses, R_U_R-, as the script does. */
static void read_signs(char *moves)
{
	const size_t length = strlen(moves);
	if (!strchr(moves, '_') && (length < 2 || moves[length - 1] != '-'))
		return;
	for (char *at = moves; *at; at++) {
		if (*at == '_')
			*at = ' ';
		else if (*at == '-' && strchr(" _)],:", at[1])) /* or the end */
			*at = '\'';
	}
}

static struct text next_part(struct text *rest)
{
	const char *end = memchr(rest->bytes, '&', rest->length);
	const struct text part = {rest->bytes, end ? (size_t)(end - rest->bytes) : rest->length};
	const size_t taken = part.length + (end != NULL);
	*rest = (struct text){rest->bytes + taken, rest->length - taken};
	return part;
}

/* Takes a parameter if the link may have it. False if its value cannot be described. */
static bool take(struct link *link, const struct text *part)
{
	struct {
		const char *name;
		char *value;
	} parameters[] = {{"alg=", link->alg},
			  {"setup=", link->setup},
			  {"cube=", link->cube},
			  {"size=", link->size}};
	for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
		const size_t length = strlen(parameters[i].name);
		const struct text value = {part->bytes + length, part->length - length};
		if (part->length >= length && memcmp(part->bytes, parameters[i].name, length) == 0)
			return decode(&value, parameters[i].value);
	}
	return true;
}

static bool are_moves(struct context *ctx, const char *text, int size)
{
	const size_t length = strlen(text);
	struct cube_node *nodes =
		ctx_alloc(ctx, cube_parse_nodes(text, length) * sizeof *nodes + 1);
	struct cube_alg alg;
	struct cube_error error;
	return nodes &&
	       cube_parse(text, length, size, CUBE_DIALECT_SIGN, nodes, &alg, &error) == CUBE_OK;
}

/* False for a link whose picture would be refused. */
static bool has_picture(struct context *ctx, const struct link *link)
{
	uint8_t colors[VALUE_BYTES];
	struct cube_error error;
	int size = 3;
	if (link->size[0]) {
		char *end;
		const long number = strtol(link->size, &end, 10);
		if (*end || number < CUBE_SIZE_MIN || number > CUBE_SIZE_MAX)
			return false;
		size = (int)number;
	}
	if (link->cube[0] &&
	    cube_colors_parse(link->cube, strlen(link->cube), colors, &size, &error) != CUBE_OK)
		return false;
	return are_moves(ctx, link->alg, size) && are_moves(ctx, link->setup, size);
}

/* False if the address is not a link to an algorithm that can be described. */
static bool read_link(struct context *ctx, struct link *link)
{
	const struct request *request = ctx->request;
	const char *question = memchr(request->target, '?', request->target_length);
	link->alg[0] = link->setup[0] = link->cube[0] = link->size[0] = '\0';
	if (!question)
		return false;
	const char *end = request->target + request->target_length;
	struct text rest = {question + 1, (size_t)(end - question) - 1};
	while (rest.length > 0) {
		const struct text part = next_part(&rest);
		if (!take(link, &part))
			return false;
	}
	read_signs(link->alg);
	read_signs(link->setup);
	return link->alg[0] && has_picture(ctx, link);
}

/* ---- describing ---- */

struct address {
	char bytes[ADDRESS_BYTES];
	size_t length;
	bool full;
};

static void put(struct address *address, const char *text, size_t length)
{
	address->full = address->full || address->length + length >= ADDRESS_BYTES;
	if (address->full)
		return;
	memcpy(address->bytes + address->length, text, length);
	address->length += length;
	address->bytes[address->length] = '\0';
}

/* Appends a parameter, unless its value is empty. */
static void put_parameter(struct address *address, const char *name, const char *value)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_.~()[],:/";
	if (value[0] == '\0')
		return;
	put(address, name, strlen(name));
	for (const char *at = value; *at; at++) {
		char code[4];
		snprintf(code, sizeof code, "%%%02X", (unsigned char)*at);
		if (*at == ' ')
			put(address, "+", 1);
		else if (strchr(plain, *at))
			put(address, at, 1);
		else
			put(address, code, 3);
	}
}

struct texts {
	char title[TITLE_CHARACTERS + 4];
	struct address page, picture;
};

/* Describes a link to an algorithm. The picture is the cube that its moves begin with, or, if that is
 * a solved one, the cube after them. False if there is no room for it. */
static bool describe(const struct link *link, struct texts *texts, struct preview *preview)
{
	const bool before = link->cube[0] || link->setup[0];
	const bool cut = strlen(link->alg) > TITLE_CHARACTERS;
	snprintf(texts->title, sizeof texts->title, "%.*s%s", TITLE_CHARACTERS, link->alg,
		 cut ? "..." : "");
	texts->page = (struct address){.full = false};
	put(&texts->page, "/", 1);
	put_parameter(&texts->page, "?alg=", link->alg);
	put_parameter(&texts->page, "&setup=", link->setup);
	put_parameter(&texts->page, "&size=", link->size);
	put_parameter(&texts->page, "&cube=", link->cube);
	texts->picture = (struct address){.full = false};
	put(&texts->picture, "/v1/image.png?" PREVIEW_LOOK, strlen("/v1/image.png?" PREVIEW_LOOK));
	put_parameter(&texts->picture, "&size=", link->size);
	if (link->cube[0])
		put_parameter(&texts->picture, "&facelets=", link->cube);
	else
		put_parameter(&texts->picture, "&moves=", before ? link->setup : link->alg);
	*preview = (struct preview){
		.title = texts->title,
		.description = "Watch these moves on a Rubik's cube, one by one.",
		.alt = before ? "The cube before the moves" : "The cube after the moves",
		.page = texts->page.bytes,
		.picture = texts->picture.bytes,
	};
	return !texts->page.full && !texts->picture.full;
}

void page_handle(struct context *ctx)
{
	static const struct text path = {"/", 1};
	struct link link;
	struct texts texts;
	struct preview preview;
	if (!read_link(ctx, &link) || !describe(&link, &texts, &preview))
		preview = preview_general;
	preview_reply(ctx, embedded_find(&path), &preview, 200);
	ctx->request->reply.cache = caching_shared;
	ctx_answer(ctx);
}
