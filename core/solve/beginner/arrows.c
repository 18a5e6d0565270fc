/* core/solve/beginner/arrows.c: where the pieces of a step go, for pictures. */
#include <string.h>

#include "core/solve/beginner/cases.h"
#include "core/solve/beginner/names.h"
#include "cube/lesson.h"

/* The place that the top layer brings to `place` by some quarters. */
static void place_before(const char *place, int quarters, char from[4])
{
	static const char ring[] = "FLBR";
	memset(from, 0, 4);
	for (int i = 0; place[i] != '\0'; i++) {
		const char *side = strchr(ring, place[i]);
		from[i] = side ? ring[(side - ring + 4 - quarters) % 4] : place[i];
	}
}

/* Returns true if the row in the middle changes places, so that the piece there is that of the
 * other edge. */
static bool takes_middle(const struct cube_lesson_note *note)
{
	return note->main == WORD_EDGE_SWAP && note->size % 2 != 0 &&
	       note->number[LARGE_ROW_A] <= (note->size + 1) / 2 &&
	       note->number[LARGE_ROW_B] >= (note->size + 1) / 2;
}

bool cube_lesson_arrow(const struct cube_lesson_note *note, size_t index, char from[4], char to[4])
{
	/* The places of the algorithm that moves three corners round. */
	static const char round[][4] = {"UBR", "ULB", "UFL", "UBR"};
	switch (note->main) {
	case WORD_EXCHANGE:
	case WORD_OPPOSITE:
		if (index > 1)
			return false;
		place_before(index == 0 ? "UF" : "UL", note->quarters, from);
		memcpy(to, note->name[index == 0 ? NAME_C_TO : NAME_D_TO], 4);
		return true;
	case WORD_ROUND:
	case WORD_ROUND_FIRST:
	case WORD_NO_CORNER:
		if (index > 2)
			return false;
		place_before(round[index], note->quarters, from);
		memcpy(to, round[index + 1], 4);
		return true;
	case WORD_SWAP:
		if (index > 1)
			return false;
		memcpy(from, note->name[index == 0 ? NAME_A_AT : NAME_B_AT], 4);
		memcpy(to, note->name[index == 0 ? NAME_C_TO : NAME_D_TO], 4);
		return true;
	case WORD_CENTER_COLUMN:
	case WORD_CENTER_BLOCK:
		return false;
	default:
		if (index > 0 || note->name[NAME_FROM][0] == '\0')
			return false;
		memcpy(from, note->name[takes_middle(note) ? NAME_A_AT : NAME_FROM], 4);
		memcpy(to, note->name[NAME_TO], 4);
		return true;
	}
}

bool cube_lesson_edge(const struct cube_lesson_note *note, size_t index, char place[4])
{
	static const uint8_t names_of[] = {NAME_FROM, NAME_A_AT};
	if (note->turns == 0 || index >= sizeof names_of ||
	    strlen(note->name[names_of[index]]) != 2)
		return false;
	memcpy(place, note->name[names_of[index]], 4);
	return true;
}

const char *cube_lesson_edge_colors(const struct cube_lesson_note *note)
{
	return note->name[NAME_PIECE];
}
