/* core/pattern/match_x86.c: matching small cubes with AVX2, eight ways in a register. See
 * cube/pattern.h. */
#include "core/pattern/pattern_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define GROUPS 3     /* of eight ways */
#define SMALL_LOST 5 /* of the last 32 facelets, those that are in the first half */
#define EXITS 2      /* a state that passes two generics usually fits: no early stop */

AVX2 static inline __m256i load(const void *from)
{
	return _mm256_loadu_si256((const __m256i *)from);
}

/* Bit `plane` of each colour, by facelet: a half of the cube each, the same in all eight places. */
AVX2 static inline void plane_of(__m256i halves[2], __m256i first, __m256i last, int plane)
{
	__m128i up =
		_mm_cvtsi32_si128(7 - plane); /* to the top of its byte, which movemask takes */
	uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_sll_epi16(first, up));
	uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_sll_epi16(last, up));
	halves[0] = _mm256_set1_epi32((int)low);
	halves[1] = _mm256_set1_epi32((int)(high >> SMALL_LOST));
}

/* Returns the required colours that are not there, for eight ways. */
AVX2 static inline __m256i wrong_colors(const struct small_pattern *small,
					const __m256i plane[3][2], int from)
{
	__m256i wrong = _mm256_setzero_si256();
#pragma GCC unroll 4
	for (int half = 0; half < 2; half++) {
		__m256i not0 = _mm256_xor_si256(plane[0][half], load(&small->want[0][half][from]));
		__m256i not1 = _mm256_xor_si256(plane[1][half], load(&small->want[1][half][from]));
		__m256i not2 = _mm256_xor_si256(plane[2][half], load(&small->want[2][half][from]));
		__m256i any = _mm256_or_si256(_mm256_or_si256(not0, not1), not2);
		wrong = _mm256_or_si256(wrong,
					_mm256_and_si256(any, load(&small->mask[half][from])));
	}
	return wrong;
}

/* In place c: where colour c is, in that half. Places 6 and 7 do not stand for colours. */
AVX2 static inline __m256i board_of(const __m256i plane[3][2], int half)
{
	const __m256i bit0 = _mm256_setr_epi32(-1, 0, -1, 0, -1, 0, -1, 0);
	const __m256i bit1 = _mm256_setr_epi32(-1, -1, 0, 0, -1, -1, 0, 0);
	const __m256i bit2 = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
	return _mm256_and_si256(_mm256_and_si256(_mm256_xor_si256(plane[0][half], bit0),
						 _mm256_xor_si256(plane[1][half], bit1)),
				_mm256_xor_si256(plane[2][half], bit2));
}

/* Returns true if every way is wrong. */
AVX2 static inline bool all_wrong(const __m256i wrong[GROUPS])
{
	__m256i least = _mm256_min_epu32(_mm256_min_epu32(wrong[0], wrong[1]), wrong[2]);
	return _mm256_movemask_epi8(_mm256_cmpeq_epi32(least, _mm256_setzero_si256())) == 0;
}

struct generics {
	__m256i block[SMALL_BLOCKS], board[2];
	__m256i taken, twice; /* by slot: colours as bits; those that two would have */
};

/* The colours of a state, by facelet. */
struct plane_state {
	const uint8_t *colors;
	__m256i first, last; /* the first 32, and the last 32 of 54; a 2x2x2 has 24, then none */
	bool whole;          /* it is a 3x3x3 */
};

AVX2 static inline struct plane_state state_of(const uint8_t *colors, int size)
{
	struct plane_state state = {.colors = colors, .whole = size == SMALL_MAX};
	if (state.whole) {
		state.first = load(colors);
		state.last = load(colors + SMALL_FACELETS - 32);
	} else {
		state.first = _mm256_set_m128i(_mm_loadl_epi64((const __m128i *)(colors + 16)),
					       _mm_loadu_si128((const __m128i *)colors));
		state.last = _mm256_setzero_si256();
	}
	return state;
}

AVX2 static inline __m256i block_at(const struct plane_state *state, int facelet)
{
	if (!state->whole)
		return _mm256_setzero_si256();
	return _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)(state->colors + facelet)));
}

AVX2 static inline __m256i middles_of(const uint8_t *colors)
{
	uint64_t all = (uint64_t)colors[4] | (uint64_t)colors[13] << 8 |
		       (uint64_t)colors[22] << 16 | (uint64_t)colors[31] << 24 |
		       (uint64_t)colors[40] << 32 | (uint64_t)colors[49] << 40;
	return _mm256_set1_epi64x((long long)all);
}

/* Reads the blocks in which generics find their colours. */
AVX2 static inline void blocks_of(__m256i block[SMALL_BLOCKS], const struct plane_state *state,
				  bool centred)
{
	if (centred) {
		block[0] = middles_of(state->colors);
		return;
	}
	block[0] = _mm256_permute2x128_si256(state->first, state->first, 0x00);
	block[1] = _mm256_permute2x128_si256(state->first, state->first, 0x11);
	block[2] = block_at(state, 32);
	block[3] = block_at(state, SMALL_LAST_BLOCK);
}

AVX2 static inline __m256i colors_of(const struct small_generic *generic, const __m256i *block,
				     bool centred)
{
	__m256i colors = _mm256_shuffle_epi8(block[0], load(generic->at[0]));
	if (centred)
		return colors;
#pragma GCC unroll 4
	for (int i = 1; i < SMALL_BLOCKS; i++)
		colors = _mm256_or_si256(colors,
					 _mm256_shuffle_epi8(block[i], load(generic->at[i])));
	return colors;
}

AVX2 static inline void one_generic(const struct small_generic *generic, struct generics *all,
				    bool centred, __m256i wrong[GROUPS])
{
	const __m256i bits = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
					      2, 4, 8, 16, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
	__m256i colors = colors_of(generic, all->block, centred);
	__m256i bit = _mm256_shuffle_epi8(bits, colors);
	all->twice = _mm256_or_si256(all->twice, _mm256_and_si256(all->taken, bit));
	all->taken = _mm256_or_si256(all->taken, bit);
#pragma GCC unroll 4
	for (int group = 0; group < GROUPS; group++) {
		/* Only the lowest three bits of each place count. */
		__m256i color = _mm256_srli_epi32(colors, 8 * group);
		__m256i low = _mm256_permutevar8x32_epi32(all->board[0], color);
		__m256i high = _mm256_permutevar8x32_epi32(all->board[1], color);
		low = _mm256_andnot_si256(low, load(&generic->mask[0][8 * group]));
		high = _mm256_andnot_si256(high, load(&generic->mask[1][8 * group]));
		wrong[group] = _mm256_or_si256(wrong[group], _mm256_or_si256(low, high));
	}
}

/* All generics, those on more facelets first; false if nothing fits any more. */
AVX2 static inline bool all_generics(const struct cube_pattern *pattern,
				     const struct plane_state *state, const __m256i plane[3][2],
				     bool centred, __m256i wrong[GROUPS])
{
	const struct small_pattern *small = pattern_small(pattern);
	struct generics all = {.taken = _mm256_set1_epi8((char)pattern->named),
			       .twice = _mm256_setzero_si256(),
			       .board = {board_of(plane, 0), board_of(plane, 1)}};
	blocks_of(all.block, state, centred);
	for (int i = 0; i < pattern->generic_count; i++) {
		one_generic(&small->generic[i], &all, centred, wrong);
		if (i < EXITS && all_wrong(wrong))
			return false;
	}
#pragma GCC unroll 4
	for (int group = 0; group < GROUPS; group++) {
		__m256i twice = _mm256_and_si256(_mm256_srli_epi32(all.twice, 8 * group),
						 _mm256_set1_epi32(0xff));
		wrong[group] = _mm256_or_si256(wrong[group], twice);
	}
	return true;
}

AVX2 static uint32_t match(const struct cube_pattern *pattern, const uint8_t *colors)
{
	const struct small_pattern *small = pattern_small(pattern);
	const struct plane_state state = state_of(colors, pattern->size);
	__m256i plane[3][2], wrong[GROUPS], zero = _mm256_setzero_si256();
#pragma GCC unroll 4
	for (int i = 0; i < 3; i++)
		plane_of(plane[i], state.first, state.last, i);
#pragma GCC unroll 4
	for (int group = 0; group < GROUPS; group++)
		wrong[group] = wrong_colors(small, plane, 8 * group);
	if (pattern->generic_count != 0 &&
	    (all_wrong(wrong) ||
	     !(pattern->centred ? all_generics(pattern, &state, plane, true, wrong)
				: all_generics(pattern, &state, plane, false, wrong))))
		return 0;
	uint32_t fits = 0;
#pragma GCC unroll 4
	for (int group = 0; group < GROUPS; group++) {
		__m256 right = _mm256_castsi256_ps(_mm256_cmpeq_epi32(wrong[group], zero));
		fits |= (uint32_t)_mm256_movemask_ps(right) << (8 * group);
	}
	return fits;
}

const struct pattern_code pattern_avx2 = {"avx2", match};

#endif
