/* tests/core/follower_large.c: what a lesson of a larger cube claims about rows, columns and counts. */
#include "cube/cube.h"
#include "tests/core/follower.h"

#include <stdio.h>
#include <string.h>

static size_t cell_at(const struct follower *follower, char side, int row, int column)
{
	const size_t face = (size_t)(strchr(cube_face_letters, side) - cube_face_letters);
	const size_t n = (size_t)follower->size;
	return (face * n + (size_t)row - 1) * n + (size_t)column - 1;
}

/* "row 2", "columns 3 to 4"; how long the text is, or 0. */
static size_t span_in(const char *text, const char *what, int *from, int *to)
{
	int length = 0;
	const size_t begin = strlen(what);
	if (strncmp(text, what, begin) != 0)
		return 0;
	if (sscanf(text + begin, "s %d to %d%n", from, to, &length) == 2)
		return begin + (size_t)length;
	if (sscanf(text + begin, " %d%n", from, &length) != 1)
		return 0;
	*to = *from;
	return begin + (size_t)length;
}

static bool is_middle(const struct follower *follower, int row)
{
	return row > 1 && row < follower->size;
}

/* "shows 4 of its 9 white centre pieces" */
static void hear_count(struct follower *follower, const char *text)
{
	int shown, of, length = 0, count = 0;
	size_t letters;
	if (sscanf(text, "shows %d of its %d %n", &shown, &of, &length) != 2)
		return;
	const char color = follower_color_in(follower, text + length, &letters);
	for (int row = 2; row < follower->size; row++)
		for (int column = 2; column < follower->size; column++)
			count += cube_face_letters[follower_color(
					 follower, cell_at(follower, 'U', row, column))] == color;
	EXPECT(strncmp(text + length + letters, " centre pieces", 14) == 0, follower);
	EXPECT(count == shown, follower);
	EXPECT(of == (follower->size - 2) * (follower->size - 2), follower);
	follower->claims++;
}

/* "takes columns 2 to 3 of the front to the top": by the last move. */
static void hear_columns(struct follower *follower, const char *text)
{
	int from, to;
	const size_t length = span_in(text, "column", &from, &to);
	if (length == 0)
		return;
	text += length;
	EXPECT(strncmp(text, " of the ", 8) == 0, follower);
	const char side = follower_side_in(text + 8);
	EXPECT(side == 'F' || side == 'D', follower);
	EXPECT(is_middle(follower, from) && is_middle(follower, to), follower);
	for (int row = 2; row < follower->size; row++)
		for (int column = 2; column < follower->size; column++) {
			const bool named = column >= from && column <= to;
			const size_t was = cell_at(follower, named ? side : 'U', row, column);
			EXPECT(follower->cube->sticker[cell_at(follower, 'U', row, column)] ==
				       follower->before->sticker[was],
			       follower);
		}
	follower->claims++;
}

/* "rows 2 to 3 of the front right there": by the last move. */
static void hear_rows(struct follower *follower, const char *text)
{
	int from, to;
	const size_t length = span_in(text, "row", &from, &to), n = (size_t)follower->size;
	if (length == 0 || strncmp(text + length, " of the front right there", 25) != 0)
		return;
	EXPECT(is_middle(follower, from) && is_middle(follower, to), follower);
	for (int row = 2; row < follower->size; row++) {
		const bool named = row >= from && row <= to;
		const size_t now = cell_at(follower, 'L', row, (int)n);
		const size_t was = named ? cell_at(follower, 'F', row, (int)n) : now;
		EXPECT(follower->cube->sticker[now] == follower->before->sticker[was], follower);
	}
	follower->claims++;
}

/* "rows 2 to 3 and column 2" with what follows. */
static const char *block_in(struct follower *follower, const char *text, int span[4])
{
	const size_t rows = span_in(text, "row", &span[0], &span[1]);
	EXPECT(rows > 0 && strncmp(text + rows, " and ", 5) == 0, follower);
	text += rows + 5;
	const size_t columns = span_in(text, "column", &span[2], &span[3]);
	EXPECT(columns > 0, follower);
	for (int i = 0; i < 4; i++)
		EXPECT(is_middle(follower, span[i]), follower);
	return text + columns;
}

/* "In row 2 and column 3, the front is white" */
static void hear_block(struct follower *follower, const char *text)
{
	int span[4];
	size_t length;
	text = block_in(follower, text, span);
	EXPECT(strncmp(text, ", the ", 6) == 0, follower);
	const char side = follower_side_in(text + 6);
	EXPECT(side == 'F' || side == 'D', follower);
	const char color = follower_color_in(follower, strstr(text, " is ") + 4, &length);
	follower->blocks = 0;
	for (int row = span[0]; row <= span[1]; row++)
		for (int column = span[2]; column <= span[3]; column++) {
			const size_t at = cell_at(follower, side, row, column);
			EXPECT(cube_face_letters[follower_color(follower, at)] == color, follower);
			follower->block[follower->blocks++] = follower->cube->sticker[at];
		}
	follower->claims++;
}

/* "takes this to row 2 and column 3 of the top" */
static void hear_block_moved(struct follower *follower, const char *text)
{
	int span[4], count = 0;
	text = block_in(follower, text, span);
	EXPECT(strncmp(text, " of the top", 11) == 0, follower);
	for (int row = span[0]; row <= span[1]; row++)
		for (int column = span[2]; column <= span[3]; column++)
			EXPECT(follower->cube->sticker[cell_at(follower, 'U', row, column)] ==
				       follower->block[count++],
			       follower);
	EXPECT(count == follower->blocks, follower);
	follower->claims++;
}

/* Counts the pieces of an edge that lie like the one in the middle, or, without a middle, like one
 * at its end. */
static int together(const struct follower *follower, size_t place)
{
	const int cells = follower->size - 2;
	const size_t *with = follower_cells[place][cells % 2 != 0 ? cells / 2 : 0];
	int count = 0;
	for (int i = 0; i < cells; i++) {
		const size_t *cell = follower_cells[place][i];
		count += follower_color(follower, cell[0]) == follower_color(follower, with[0]) &&
			 follower_color(follower, cell[1]) == follower_color(follower, with[1]);
	}
	return count;
}

/* "So 2 of the 3 pieces of the white-red edge are together at the top back." */
static void hear_together(struct follower *follower, const char *text)
{
	int count, of;
	char sides[3] = "";
	const char *place = strstr(text, "together at the ");
	if (sscanf(text, "So %d of the %d pieces", &count, &of) != 2)
		return;
	EXPECT(place, follower);
	place += strlen("together at the ");
	sides[0] = follower_side_in(place);
	sides[1] = follower_side_in(strchr(place, ' ') + 1);
	EXPECT(of == follower->size - 2, follower);
	EXPECT(together(follower, follower_place(sides)) == count, follower);
	follower->claims++;
}

/* "from column 2 to column 4": the piece is there. */
static void hear_exchanged(struct follower *follower, const char *text)
{
	int from, to;
	if (sscanf(text, "from column %d to column %d", &from, &to) != 2)
		return;
	const size_t front = cell_at(follower, 'F', 1, to),
		     top = cell_at(follower, 'U', follower->size, to);
	EXPECT(strchr(follower->colors, cube_face_letters[follower_color(follower, front)]) &&
		       strchr(follower->colors, cube_face_letters[follower_color(follower, top)]),
	       follower);
	follower->claims++;
}

void follower_hear_large(struct follower *follower, const char *at)
{
	static const struct {
		const char *words;
		size_t skipped;
		void (*hear)(struct follower *follower, const char *text);
	} claims[] = {{"shows ", 0, hear_count},
		      {"takes column", 6, hear_columns},
		      {"takes row", 6, hear_rows},
		      {"In row", 3, hear_block},
		      {"takes this to ", 14, hear_block_moved},
		      {"So ", 0, hear_together},
		      {"from column ", 0, hear_exchanged}};
	for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++)
		if (strncmp(at, claims[i].words, strlen(claims[i].words)) == 0)
			claims[i].hear(follower, at + claims[i].skipped);
}

int follower_centers(const struct follower *follower)
{
	int whole = 0;
	for (const char *side = cube_face_letters; *side; side++) {
		bool same = true;
		for (int row = 2; row < follower->size; row++)
			for (int column = 2; column < follower->size; column++)
				same = same &&
				       follower_color(follower,
						      cell_at(follower, *side, row, column)) ==
					       follower_color(follower,
							      cell_at(follower, *side, 2, 2));
		whole += same;
	}
	return whole;
}

int follower_pairs(const struct follower *follower)
{
	int paired = 0;
	for (size_t place = FOLLOWER_CORNERS; place < FOLLOWER_PLACES; place++)
		paired += together(follower, place) == follower->size - 2;
	return paired;
}
