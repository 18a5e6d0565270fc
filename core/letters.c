/* core/letters.c: the letters of faces and colours. */
#include "core/letters.h"

#include "cube/facelets.h"

const int8_t cube_colors_of_letters[256] = {
	['U'] = 1, ['R'] = 2, ['F'] = 3, ['D'] = 4, ['L'] = 5, ['B'] = 6, ['u'] = 1,
	['r'] = 2, ['f'] = 3, ['d'] = 4, ['l'] = 5, ['b'] = 6, ['W'] = 1, ['G'] = 3,
	['Y'] = 4, ['O'] = 5, ['w'] = 1, ['g'] = 3, ['y'] = 4, ['o'] = 5,
};

int cube_color_of_letter(char letter)
{
	return letter_color(letter);
}
