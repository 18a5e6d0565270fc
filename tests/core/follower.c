/* tests/core/follower.c: hands that know only what a lesson says. */
#include "tests/core/follower.h"

#include <string.h>

#include "cube/cube.h"
#include "cube/hold.h"
#include "tests/core/checked_cube.h"

#define WORDS_MAX 300

static const char *const side_words[] = {"top", "right", "front", "bottom", "left", "back"};

/* ---- the cube as it is seen ---- */

static const char *const places[] = {"URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DBL",
				     "DRB", "UR",  "UF",  "UL",  "UB",  "DR",  "DF",
				     "DL",  "DB",  "FR",  "FL",  "BL",  "BR"};
_Static_assert(sizeof places / sizeof places[0] == FOLLOWER_PLACES, "all places");
size_t follower_facelets[FOLLOWER_PLACES][3];
size_t follower_cells[FOLLOWER_PLACES][FOLLOWER_CELLS][2];

/* The pieces of an edge, along the axis on which its point is 0. */
static void see_edge(int size, size_t place, const int point[3])
{
	int count[FOLLOWER_CELLS] = {0};
	for (size_t i = 0; i < cube_facelets(size); i++) {
		const struct geo_sticker sticker = geo_home(size, i);
		int along = 0;
		bool on = true;
		for (int k = 0; k < 3; k++)
			if (point[k] == 0)
				along = sticker.at[k];
			else
				on = on && sticker.at[k] == point[k];
		const int cell = (along + size - 3) / 2;
		if (!on || along <= 1 - size || along >= size - 1)
			continue;
		follower_cells[place][cell][count[cell]++] = i;
	}
	memcpy(follower_facelets[place], follower_cells[place][(size - 2) / 2],
	       sizeof follower_cells[place][0]);
}

/* Facelets are at a place if they have the same point in space. */
void follower_see_places(int size)
{
	memset(follower_facelets, 0, sizeof follower_facelets);
	for (size_t place = 0; place < FOLLOWER_PLACES; place++) {
		int count = 0, at[3] = {0, 0, 0};
		for (const char *side = places[place]; *side; side++) {
			size_t face =
				(size_t)(strchr(cube_face_letters, *side) - cube_face_letters);
			struct geo_sticker center = geo_home(3, face * 9 + 4);
			for (int i = 0; i < 3; i++)
				at[i] += center.normal[i] * (size - 1);
		}
		for (size_t i = 0; i < cube_facelets(size); i++) {
			struct geo_sticker sticker = geo_home(size, i);
			if (sticker.at[0] == at[0] && sticker.at[1] == at[1] &&
			    sticker.at[2] == at[2])
				follower_facelets[place][count++] = i;
		}
		if (size > 3 && place >= FOLLOWER_CORNERS)
			see_edge(size, place, at);
	}
}

/* The place with these sides, in any order; FOLLOWER_PLACES: none. */
size_t follower_place(const char *sides)
{
	for (size_t place = 0; place < FOLLOWER_PLACES; place++)
		if (strlen(places[place]) == strlen(sides) &&
		    strspn(sides, places[place]) == strlen(sides))
			return place;
	return FOLLOWER_PLACES;
}

static char side_of(int size, size_t facelet)
{
	return cube_face_letters[facelet / (size_t)(size * size)];
}

int follower_color(const struct follower *follower, size_t facelet)
{
	return cube_color_at(follower->cube, facelet);
}

static bool has_colors(const struct follower *follower, const char *colors, const size_t *facelets)
{
	const size_t count = strlen(colors);
	size_t found = 0;
	for (size_t i = 0; i < count; i++)
		found += strchr(colors, cube_face_letters[follower_color(follower, facelets[i])]) !=
			 NULL;
	return found == count;
}

/* The facelets of the piece with these colours; NULL: it is not there. */
static const size_t *piece_there(const struct follower *follower, const char *colors, size_t place)
{
	if (strlen(colors) != strlen(places[place]))
		return NULL;
	if (has_colors(follower, colors, follower_facelets[place]))
		return follower_facelets[place];
	for (int i = 0; i < follower->size - 2 && follower->size > 3 && place >= FOLLOWER_CORNERS;
	     i++)
		if (has_colors(follower, colors, follower_cells[place][i]))
			return follower_cells[place][i];
	return NULL;
}

/* Returns true if the piece with these colours is there. */
bool follower_sees(const struct follower *follower, const char *colors, const char *sides)
{
	const size_t place = follower_place(sides);
	EXPECT(place < FOLLOWER_PLACES, follower);
	return piece_there(follower, colors, place) != NULL;
}

static char center_of(const struct follower *follower, char side)
{
	if (follower->size == 2)
		return follower->sides[strchr(cube_face_letters, side) - cube_face_letters];
	size_t face = (size_t)(strchr(cube_face_letters, side) - cube_face_letters);
	size_t n = (size_t)follower->size;
	return cube_face_letters[follower_color(follower, face * n * n + n / 2 * n + n / 2)];
}

/* Returns true if the piece with these colours belongs there. */
static bool belongs_at(const struct follower *follower, const char *colors, const char *sides)
{
	int found = 0;
	for (const char *side = sides; *side; side++)
		found += strchr(colors, center_of(follower, *side)) != NULL;
	return found == (int)strlen(colors) && found == (int)strlen(sides);
}

/* The side where the sticker of that colour faces. */
static char faces(const struct follower *follower, const char *colors, char color)
{
	for (size_t place = 0; place < FOLLOWER_PLACES; place++) {
		const size_t *facelets = piece_there(follower, colors, place);
		for (size_t i = 0; facelets && i < strlen(colors); i++) {
			size_t facelet = facelets[i];
			if (cube_face_letters[follower_color(follower, facelet)] == color)
				return side_of(follower->size, facelet);
		}
	}
	return '?';
}

/* ---- reading ---- */

struct word {
	char text[64];
	char mark; /* after it: . , : ; or 0 */
};

static int split(const char *text, struct word *words)
{
	int count = 0;
	while (*text != '\0') {
		size_t length = strcspn(text, " ");
		struct word *word = &words[count++];
		if (count >= WORDS_MAX || length >= sizeof word->text)
			ck_abort_msg("%s", text);
		memcpy(word->text, text, length);
		word->text[length] = '\0';
		word->mark = '\0';
		if (length > 0 && strchr(".,:;?", word->text[length - 1])) {
			word->mark = word->text[length - 1];
			word->text[length - 1] = '\0';
		}
		text += length;
		text += *text == ' ';
	}
	return count;
}

/* "R", "U2", "Rw'", "3Rw2", "2F", "2-3Dw'"; false if it is something else. */
static bool read_move(const char *text, int size, struct cube_turn *turn)
{
	int from = 1, to = 1;
	const bool first = text[0] >= '2' && text[0] <= '9', second = first && text[1] == '-';
	if (first)
		from = to = *text++ - '0';
	if (second) {
		to = text[1] - '0';
		text += 2;
	}
	const char *face = *text ? strchr(cube_face_letters, *text++) : NULL;
	if (!face)
		return false;
	if (*text == 'w') {
		text++;
		if (!second) {
			to = first ? from : 2;
			from = 1;
		}
	}
	const int quarters = *text == '2' ? 2 : *text == '\'' ? -1 : 1;
	if (quarters != 1)
		text++;
	if (*text || to > size)
		return false;
	*turn = cube_turn_make(size, (int)(face - cube_face_letters), from, to, quarters);
	return true;
}

static bool is_move(const char *text)
{
	struct cube_turn turn;
	return read_move(text, CUBE_SIZE_MAX, &turn);
}

static void make(struct follower *follower, const char *move)
{
	struct cube_turn turn;
	EXPECT(read_move(move, follower->size, &turn), follower);
	if (follower->before)
		cube_copy(follower->before, follower->cube);
	cube_turn(follower->cube, turn);
	if (follower->made[0])
		strcat(follower->made, " ");
	strcat(follower->made, move);
	EXPECT(strlen(follower->made) < sizeof follower->made - 8, follower);
}

/* The letter of a colour's name at the beginning of a text, and its length. */
static char color_in(const struct follower *follower, const char *text, size_t *length)
{
	for (int color = 0; color < CUBE_FACES; color++) {
		const char *name = cube_lesson_color(follower->words, color);
		if (strncmp(text, name, strlen(name)) == 0) {
			*length = strlen(name);
			return cube_face_letters[color];
		}
	}
	return '\0';
}

char follower_color_in(const struct follower *follower, const char *text, size_t *length)
{
	return color_in(follower, text, length);
}

char follower_side_in(const char *text)
{
	for (int side = 0; side < CUBE_FACES; side++)
		if (strncmp(text, side_words[side], strlen(side_words[side])) == 0)
			return cube_face_letters[side];
	return '\0';
}

static char side_in(const char *word)
{
	for (int side = 0; side < CUBE_FACES; side++)
		if (strcmp(word, side_words[side]) == 0)
			return cube_face_letters[side];
	return '\0';
}

/* "white-green edge" */
static bool hear_piece(struct follower *follower, const char *text)
{
	char colors[4] = "";
	size_t length;
	for (int count = 0; count < 3; count++) {
		colors[count] = color_in(follower, text, &length);
		if (colors[count] == '\0')
			return false;
		text += length;
		if (*text == ' ' && count > 0) {
			const char *kind = count == 1 ? " edge" : " corner";
			EXPECT(strncmp(text, kind, strlen(kind)) == 0, follower);
			memcpy(follower->colors, colors, 4);
			EXPECT(faces(follower, colors, colors[0]) != '?', follower);
			return true;
		}
		if (*text++ != '-')
			return false;
	}
	return false;
}

/* "at the top front right", "to the top front": where the piece is now, or belongs. */
static void hear_place(struct follower *follower, const struct word *words, int at, int count)
{
	char sides[4] = "";
	size_t found = 0;
	for (int i = at + 1; i < count && found < 3 && side_in(words[i].text); i++) {
		sides[found++] = side_in(words[i].text);
		if (words[i].mark)
			break;
	}
	if (found < 2)
		return;
	const char *before = at >= 2 ? words[at - 2].text : "", *how = words[at - 1].text;
	if (strcmp(how, "of") == 0 && follower->size > 3)
		return; /* rows of an edge: follower_large.c */
	EXPECT(strcmp(how, "at") == 0 || strcmp(how, "to") == 0, follower);
	EXPECT(follower->colors[0] != '\0', follower);
	if (strcmp(before, "belongs") == 0)
		EXPECT(belongs_at(follower, follower->colors, sides), follower);
	else
		EXPECT(follower_sees(follower, follower->colors, sides), follower);
	if (strcmp(before, "stays") == 0) {
		strcpy(follower->stays[0], follower->colors);
		strcpy(follower->stays[1], sides);
	}
	follower->claims++;
}

/* "its white side facing you", "its yellow side is on top" */
static void hear_facing(struct follower *follower, const char *text)
{
	static const struct {
		const char *words;
		char side;
	} ways[] = {{" side facing up", 'U'},   {" side facing right", 'R'},
		    {" side facing you", 'F'},  {" side facing down", 'D'},
		    {" side facing left", 'L'}, {" side facing the back", 'B'},
		    {" side is on top", 'U'}};
	size_t length;
	char color = color_in(follower, text, &length);
	if (color == '\0')
		return;
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		if (strncmp(text + length, ways[i].words, strlen(ways[i].words)) != 0)
			continue;
		EXPECT(faces(follower, follower->colors, color) == ways[i].side, follower);
		follower->claims++;
		return;
	}
	ck_abort_msg("a side that faces nowhere: %s", follower->text);
}

/* "all four edges show yellow on top": the edges of the top layer. */
static void hear_shows(struct follower *follower, const char *text)
{
	static const char *const top[] = {"UF", "UR", "UB", "UL"};
	size_t length;
	char color = color_in(follower, text, &length);
	for (int i = 0; i < 4; i++) {
		const size_t *facelets = follower_facelets[follower_place(top[i])];
		int seen = side_of(follower->size, facelets[0]) == 'U' ? 0 : 1;
		EXPECT(cube_face_letters[follower_color(follower, facelets[seen])] == color,
		       follower);
	}
	follower->claims++;
}

static bool follows(const char *text, const char *words)
{
	return strncmp(text, words, strlen(words)) == 0;
}

/* Does what the text says, from left to right, and checks what it claims. */
void follower_do(struct follower *follower, const char *text)
{
	struct word words[WORDS_MAX];
	int count = split(text, words);
	const char *at = text;
	follower->text = text;
	follower->colors[0] = '\0';
	for (int i = 0; i < count; i++) {
		if (is_move(words[i].text)) {
			if (i == 0 || !is_move(words[i - 1].text) || words[i - 1].mark)
				follower->group[0] = '\0';
			strcat(follower->group, words[i].text);
			strcat(follower->group, " ");
			make(follower, words[i].text);
		} else if (follows(at, "made twice") || follows(at, "made four times")) {
			struct word again[WORDS_MAX];
			int moves = split(follower->group, again);
			for (int k = moves; k < moves * (words[i + 1].text[0] == 't' ? 2 : 4); k++)
				make(follower, again[k % moves].text);
		} else if (follows(at, "the ") || follows(at, "The ")) {
			hear_piece(follower, at + 4);
			hear_place(follower, words, i, count);
		} else if (follows(at, "its ") && strstr(at, " side ") &&
			   color_in(follower, at + 4, &(size_t){0})) {
			hear_facing(follower, at + 4);
		} else if (follows(at, "edges show ")) {
			hear_shows(follower, at + strlen("edges show "));
		} else if (follower->size > 3) {
			follower_hear_large(follower, at);
		}
		at += strcspn(at, " ");
		at += *at == ' ';
	}
}

/* "... until the white-red-blue corner is at the bottom back left, with its white side facing down." */
static void hold_2(struct follower *follower, const char *text, const struct cube_solve_step *step)
{
	const int claims = follower->claims;
	struct cube *solved = new_cube(3), *turned = new_cube(3);
	for (int way = 0; way < CUBE_HOLDS && follower->size == 2; way++) {
		cube_hold_turn(turned, solved, way);
		if (cube_color_at(turned, 4) == step->note.up &&
		    cube_color_at(turned, 22) == step->note.front)
			for (size_t side = 0; side < CUBE_FACES; side++)
				follower->sides[side] =
					cube_face_letters[cube_color_at(turned, side * 9 + 4)];
	}
	free(solved);
	free(turned);
	EXPECT(follows(text, "Turn ") == (step->rotations > 0), follower);
	follower_do(follower, text);
	EXPECT(follower->claims == claims + 2, follower);
}

/* "... until yellow is up and green is in front." */
void follower_hold(struct follower *follower, const char *text, const struct cube_solve_step *step)
{
	size_t length;
	const bool turns_it = follows(text, "Turn ");
	const char *up = strstr(text, turns_it ? "until " : "with ");
	follower->text = text;
	if (strstr(text, " corner is at ")) {
		hold_2(follower, text, step);
		return;
	}
	EXPECT(up && turns_it == (step->rotations > 0), follower);
	up += turns_it ? 6 : 5;
	char color = color_in(follower, up, &length);
	EXPECT(color == center_of(follower, 'U'), follower);
	up = strstr(up + length, " and ") + 5;
	color = color_in(follower, up, &length);
	EXPECT(color == center_of(follower, 'F'), follower);
	EXPECT(strstr(up, "in front."), follower);
	EXPECT(step->note.up ==
		       strchr(cube_face_letters, center_of(follower, 'U')) - cube_face_letters,
	       follower);
}
