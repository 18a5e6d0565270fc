/* core/pattern/named.c: the named patterns, and how their texts become queries. */
#include "cube/named.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include "core/name.h"

#define OLL_SOURCE "CFOP; the numbers of the speedsolving.com wiki"
#define PLL_SOURCE "CFOP; the letters of the speedsolving.com wiki"

const struct cube_named cube_named[] = {
#include "core/pattern/stages.def"
#include "core/pattern/oll.def"
#include "core/pattern/pll.def"
};

const size_t cube_named_count = sizeof(cube_named) / sizeof(cube_named[0]);

const struct cube_named *cube_named_find(const char *name, size_t length)
{
	int i = name_find(&cube_named[0].name, sizeof(cube_named[0]), cube_named_count, name,
			  length);
	return i >= 0 ? &cube_named[i] : NULL;
}

/* ---- parts ---- */

static bool is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static const char *skip_any(const char *at, const char *set)
{
	while (is_one_of(*at, set))
		at++;
	return at;
}

static const char *find_any(const char *at, const char *set)
{
	while (*at != '\0' && !is_one_of(*at, set))
		at++;
	return at;
}

bool cube_named_part(const char **at, struct cube_named_part *part)
{
	const char *text = skip_any(*at, " ");
	*part = (struct cube_named_part){.alternative = *text == '|'};
	text = skip_any(text, "|& ");
	if (*text == '\0')
		return false;
	const char *end = find_any(text, *text == '{' ? "}" : "|&");
	part->kind = CUBE_NAMED_COLORS;
	*at = end;
	if (*text == '{') {
		part->kind = CUBE_NAMED_PIECES;
		assert(*end == '}');
		text++;
		*at = end + 1;
	} else if (*text == '=') {
		text++;
		end = find_any(text, " |&");
		part->kind = CUBE_NAMED_ROW;
		part->row = cube_named_find(text, (size_t)(end - text));
		assert(part->row);
	}
	part->text = text;
	part->length = (size_t)(end - text);
	return true;
}

bool cube_named_rule(const struct cube_named_part *part, const char **at,
		     struct cube_piece_rule *rule)
{
	const char *end = part->text + part->length, *name = skip_any(*at, " ");
	if (name >= end)
		return false;
	const char *colon = find_any(name, ":"), *after = find_any(colon, " }");
	int place = cube_place_find(name, (size_t)(colon - name));
	int condition = cube_piece_condition_find(colon + 1, (size_t)(after - colon - 1));
	assert(place >= 0 && condition >= 0);
	*rule = (struct cube_piece_rule){(uint8_t)place, (uint8_t)condition};
	*at = after;
	return true;
}

/* Returns which of the three rows or columns stands for this one. */
static int stretched(int at, int size)
{
	return at == 0 ? 0 : at == size - 1 ? 2 : 1;
}

/* Returns the number of stars that a part of colours has when it is stretched. */
static size_t stars_of(const struct cube_named_part *part, int size)
{
	size_t stars = 0, inner = (size_t)size - 2, at = 0;
	for (size_t i = 0; i < part->length; i++) {
		if (part->text[i] == ' ')
			continue;
		size_t row = at / 3 % 3, column = at % 3;
		if (part->text[i] == '*')
			stars += (row == 1 ? inner : 1) * (column == 1 ? inner : 1);
		at++;
	}
	return stars;
}

void cube_named_items(const struct cube_named_part *part, int size, uint8_t *items)
{
	uint8_t of3[54];
	struct cube_pattern_error error;
	int found = 0;
	enum cube_pattern_code code =
		cube_pattern_parse(part->text, part->length, of3, &found, &error);
	assert(code == CUBE_PATTERN_OK && found == 3);
	(void)code;
	for (int array = 0; array < CUBE_FACES; array++)
		for (int row = 0; row < size; row++)
			for (int column = 0; column < size; column++)
				*items++ = of3[9 * array + 3 * stretched(row, size) +
					       stretched(column, size)];
}

/* ---- as a query ---- */

/* Memory that is allocated piece by piece; if there is none, only counts. */
struct room {
	uint8_t *memory;
	size_t used;
};

static void *allocate(struct room *room, size_t bytes)
{
	size_t at = room->used, unit = alignof(max_align_t);
	room->used += (bytes + unit - 1) / unit * unit;
	return room->memory ? room->memory + at : NULL;
}

struct query_maker {
	struct room room;
	struct cube_query_node *nodes; /* NULL while counting */
	uint32_t count;
	uint8_t *items; /* scratch, 6*size*size; NULL while counting */
	int size;
};

static uint32_t add_node(struct query_maker *maker, struct cube_query_node node)
{
	if (maker->nodes)
		maker->nodes[maker->count] = node;
	return maker->count++;
}

static void close_node(struct query_maker *maker, uint32_t at)
{
	if (maker->nodes)
		maker->nodes[at].span = maker->count - at;
}

static void add_colors(struct query_maker *maker, const struct cube_named_part *part)
{
	struct cube_pattern *pattern = allocate(
		&maker->room, cube_pattern_bytes(maker->size, stars_of(part, maker->size)));
	if (pattern) {
		cube_named_items(part, maker->size, maker->items);
		cube_pattern_make(pattern, maker->size, maker->items);
	}
	add_node(maker, (struct cube_query_node){
				.kind = CUBE_QUERY_COLORS, .span = 1, .pattern = pattern});
}

static void add_pieces(struct query_maker *maker, const struct cube_named_part *part)
{
	struct cube_piece_rule rules[CUBE_PLACES];
	const char *at = part->text;
	size_t count = 0;
	while (count < CUBE_PLACES && cube_named_rule(part, &at, &rules[count]))
		count++;
	struct cube_pieces *pieces = allocate(&maker->room, cube_pieces_bytes(maker->size, count));
	if (pieces)
		cube_pieces_make(pieces, maker->size, rules, count);
	add_node(maker,
		 (struct cube_query_node){.kind = CUBE_QUERY_PIECES, .span = 1, .pieces = pieces});
}

/* A node for all alternatives and one for each. The table limits the depth of rows that are named
 * in it: their names stand before it. */
static void add_row(struct query_maker *maker, const struct cube_named *named)
{
	uint32_t any = add_node(maker, (struct cube_query_node){.kind = CUBE_QUERY_ANY});
	uint32_t all = add_node(maker, (struct cube_query_node){.kind = CUBE_QUERY_ALL});
	const char *at = named->text;
	for (struct cube_named_part part; cube_named_part(&at, &part);) {
		if (part.alternative) {
			close_node(maker, all);
			all = add_node(maker, (struct cube_query_node){.kind = CUBE_QUERY_ALL});
		}
		if (part.kind == CUBE_NAMED_COLORS)
			add_colors(maker, &part);
		else if (part.kind == CUBE_NAMED_PIECES)
			add_pieces(maker, &part);
		else
			add_row(maker, part.row);
	}
	close_node(maker, all);
	close_node(maker, any);
}

static struct query_maker counted(const struct cube_named *named, int size)
{
	struct query_maker maker = {.size = size};
	allocate(&maker.room, cube_facelets(size));
	add_row(&maker, named);
	allocate(&maker.room, maker.count * sizeof(struct cube_query_node));
	return maker;
}

size_t cube_named_bytes(const struct cube_named *named, int size)
{
	assert(size >= named->size_min && size <= named->size_max);
	return counted(named, size).room.used;
}

struct cube_query_node *cube_named_make(const struct cube_named *named, int size, void *memory)
{
	struct query_maker counts = counted(named, size),
			   maker = {.room = {.memory = memory}, .size = size};
	maker.items = allocate(&maker.room, cube_facelets(size));
	maker.nodes = allocate(&maker.room, counts.count * sizeof(struct cube_query_node));
	add_row(&maker, named);
	cube_query_prepare(maker.nodes);
	return maker.nodes;
}
