/* core/sets/shape.c: how the last layer of a case is twisted and flipped, and the names of cases. */
#include "core/sets/sets_internal.h"
#include "cube/named.h"

/* The shapes of twists, in the order of cases. */
static const char *const twist_names[] = {"o", "h", "pi", "u", "t", "l", "s", "as"};
enum { SHAPE_O, SHAPE_H, SHAPE_PI, SHAPE_U, SHAPE_T, SHAPE_L, SHAPE_S, SHAPE_AS };

int shape_of_twists(const uint8_t twist[LAYER_PLACES])
{
	int times[3] = {0}, beside = -1;
	for (int i = 0; i < LAYER_PLACES; i++) {
		times[twist[i]]++;
		/* A twisted corner whose neighbour, clockwise, is twisted otherwise. */
		if (twist[i] != 0 && twist[(i + 1) & 3] != 0 && twist[i] != twist[(i + 1) & 3])
			beside = i;
	}
	if (times[0] == 4)
		return SHAPE_O;
	if (times[0] == 1)
		return times[1] == 3 ? SHAPE_AS : SHAPE_S;
	if (times[0] == 2)
		return beside < 0 ? SHAPE_L : twist[beside] == 2 ? SHAPE_U : SHAPE_T;
	for (int i = 0; i < LAYER_PLACES; i++)
		if (twist[i] == twist[(i + 1) & 3])
			return SHAPE_PI;
	return SHAPE_H;
}

/* The items of a pattern around A (cube/pattern.h), here U, that hold the stickers of the last
 * layer: for a corner the one on U first, then clockwise. */
static const uint8_t corner_items[LAYER_PLACES][3] = {
	{8, 24, 38}, {6, 36, 35}, {0, 29, 15}, {2, 17, 18}};
static const uint8_t edge_items[LAYER_PLACES][2] = {{5, 21}, {7, 37}, {3, 32}, {1, 16}};

static void items_of(const struct cube_named *row, uint8_t items[54])
{
	const char *at = row->text;
	struct cube_named_part part;
	if (cube_named_part(&at, &part))
		cube_named_items(&part, 3, items);
}

/* A pattern of OLL shows its first generic wherever a sticker of U is. */
static void read_oll(const struct cube_named *row, struct last_layer *layer)
{
	uint8_t items[54];
	items_of(row, items);
	for (uint8_t i = 0; i < LAYER_PLACES; i++) {
		layer->corner[i] = layer->edge[i] = i;
		layer->flip[i] = items[edge_items[i][0]] != CUBE_ITEM_GENERIC;
		layer->twist[i] = 0;
		while (items[corner_items[i][layer->twist[i]]] != CUBE_ITEM_GENERIC)
			layer->twist[i]++;
	}
}

/* A pattern of PLL shows at each side of U the generic of the piece's home. */
static void read_pll(const struct cube_named *row, struct last_layer *layer)
{
	static const uint8_t home_of[CUBE_GENERICS] = {0, 3, 0, 2, 1, 0}; /* of B R L F */
	uint8_t items[54];
	items_of(row, items);
	*layer = (struct last_layer){0};
	for (int i = 0; i < LAYER_PLACES; i++) {
		layer->corner[i] = home_of[items[corner_items[i][1]] - CUBE_ITEM_GENERIC];
		layer->edge[i] = home_of[items[edge_items[i][1]] - CUBE_ITEM_GENERIC];
	}
}

static bool begins_with(const char *name, const char *with)
{
	while (*with && *name == *with) {
		name++;
		with++;
	}
	return !*with;
}

void shapes_read(const struct cube_set *set, struct shapes *shapes)
{
	const bool oll = set->flips == CUBE_SET_COUNTS && set->slot == CUBE_SLOT_SOLVED;
	const bool pll = set->size == 3 && set->twists == CUBE_SET_SOLVED;
	struct last_layer layer;
	shapes->count = 0;
	for (size_t i = 0; (oll || pll) && i < cube_named_count; i++) {
		const struct cube_named *row = &cube_named[i];
		if (!begins_with(row->name, oll ? "oll-" : "pll-"))
			continue;
		(oll ? read_oll : read_pll)(row, &layer);
		shapes->row[shapes->count] = row;
		shapes->number[shapes->count++] = layer_smallest(oll ? &cube_sets[0] : set, &layer);
	}
}

static const struct cube_named *row_of(const struct shapes *shapes, uint32_t number)
{
	for (size_t i = 0; i < shapes->count; i++)
		if (shapes->number[i] == number)
			return shapes->row[i];
	return NULL;
}

int shape_of_number(const struct cube_set *set, const struct shapes *shapes, uint32_t number)
{
	struct last_layer layer;
	layer_of_number(number, &layer);
	if (set->flips != CUBE_SET_COUNTS)
		return shape_of_twists(layer.twist);
	/* The number without the permutations: it is the smallest of its twists and flips too. */
	const uint32_t oriented = number - number % NUMBER_OF_SHAPE;
	const struct cube_named *row = row_of(shapes, oriented);
	int shape = 0;
	for (const char *digit = row ? row->name + 4 : ""; *digit; digit++)
		shape = 10 * shape + (*digit - '0');
	return shape;
}

/* ---- names ---- */

static char *put(char *at, const char *text)
{
	while (*text)
		*at++ = *text++;
	*at = '\0';
	return at;
}

static char *put_number(char *at, int number)
{
	char digits[12];
	size_t count = 0;
	do {
		digits[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (count > 0)
		*at++ = digits[--count];
	*at = '\0';
	return at;
}

static void name_pbl(struct cube_case *one)
{
	static const char *const class_names[] = {"", "-adj", "-diag"};
	char *at = put(one->name, "pbl");
	at = put(at, class_names[one->number / 3]);
	put(at, class_names[one->number % 3]);
}

/* "f2l-up-3", "zbls-up-3-2", "wv-5" */
static void name_slot(const struct cube_set *set, int place, struct cube_case *one)
{
	char *at = put(put(one->name, set->name), "-");
	if (set->slot == CUBE_SLOT_ANY)
		at = put(put(at, slot_shape_name(one->shape)), "-");
	if (one->shape % SLOT_SHAPES > 0)
		at = put(put_number(at, one->shape % SLOT_SHAPES), "-");
	put_number(at, place);
}

void case_name(const struct cube_set *set, const struct shapes *shapes, int place,
	       struct cube_case *one)
{
	const struct cube_named *row = row_of(shapes, one->number);
	char *at = one->name;
	if (set->slot != CUBE_SLOT_SOLVED) {
		name_slot(set, place, one);
	} else if (set->base == CUBE_BASE_ANY) {
		name_pbl(one);
	} else if (row && (set->edges == CUBE_SET_COUNTS || set->corners == CUBE_SET_FREE)) {
		put(at, row->name);
	} else {
		at = put(put(at, set->name), "-");
		at = set->flips == CUBE_SET_COUNTS ? put_number(at, one->shape)
						   : put(at, twist_names[one->shape]);
		put_number(put(at, "-"), place);
	}
}
