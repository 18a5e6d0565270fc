/* core/letters.h: the letters of faces and colours, for the library's own loops. */
#ifndef CORE_LETTERS_H
#define CORE_LETTERS_H

#include <stdint.h>

/* One more than the colour, by letter; faces, then the WCA's colours. */
extern const int8_t cube_colors_of_letters[256];

/* cube_color_of_letter(), inline. */
static inline int letter_color(char letter)
{
	return cube_colors_of_letters[(unsigned char)letter] - 1;
}

#endif
