/* pack_outer_turns.c: turns of outer layers as numbers in base 18. */
#include "server/history/pack_outer_turns.h"

#define BASE 18
/* Digits of a full number: 18^15 < 2^63. */
#define GROUP 15
#define GROUP_BYTES 8

/* ceil(k * log256(18)) for k digits. */
static const uint8_t bytes_of_digits[GROUP + 1] = {0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8};

static const int8_t quarters_of_digit[3] = {1, 2, -1};

bool outer_turns_fits(const struct cube_turn *turns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct cube_turn turn = turns[i];
		if (turn.style != CUBE_STYLE_LAYERS || turn.from != 1 || turn.to != 1 ||
		    turn.quarters == 0 || turn.quarters == -2)
			return false;
	}
	return true;
}

size_t outer_turns_bytes(size_t count)
{
	return count / GROUP * GROUP_BYTES + bytes_of_digits[count % GROUP];
}

static uint64_t digit_of(struct cube_turn turn)
{
	return (uint64_t)turn.face * 3 + (turn.quarters == -1 ? 2 : (uint64_t)turn.quarters - 1);
}

void outer_turns_pack(const struct cube_turn *turns, size_t count, uint8_t *bytes)
{
	for (size_t done = 0; done < count; done += GROUP) {
		size_t digits = count - done < GROUP ? count - done : GROUP;
		uint64_t number = 0;
		for (size_t i = digits; i-- > 0;)
			number = number * BASE + digit_of(turns[done + i]);
		for (size_t i = 0; i < bytes_of_digits[digits]; i++, number >>= 8)
			*bytes++ = (uint8_t)number;
	}
}

bool outer_turns_unpack(const uint8_t *bytes, size_t count, struct cube_turn *turns)
{
	for (size_t done = 0; done < count; done += GROUP) {
		size_t digits = count - done < GROUP ? count - done : GROUP;
		size_t width = bytes_of_digits[digits];
		uint64_t number = 0;
		for (size_t i = width; i-- > 0;)
			number = number << 8 | bytes[i];
		bytes += width;
		for (size_t i = 0; i < digits; i++, number /= BASE) {
			unsigned digit = (unsigned)(number % BASE);
			turns[done + i] = (struct cube_turn){
				.face = (uint8_t)(digit / 3),
				.from = 1,
				.to = 1,
				.quarters = quarters_of_digit[digit % 3],
				.style = CUBE_STYLE_LAYERS,
			};
		}
		if (number != 0)
			return false;
	}
	return true;
}
