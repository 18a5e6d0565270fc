/* core/pattern/match_x86.c: matching small cubes with AVX2, eight ways in a register. See
 * cube/pattern.h. */
#include "core/pattern/pattern.h"

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))
#define GROUPS 3     /* of eight ways */
#define SMALL_LOST 5 /* of the last 32 facelets, those that are in the first half */

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

/* What the colours ask for and is not there, for eight ways. */
AVX2 static inline __m256i wrong_colors(const struct small *small, const __m256i plane[3][2],
					int from)
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

/* In place c: where colour c is, in that half. Places 6 and 7 are no colours. */
AVX2 static inline __m256i board_of(const __m256i plane[3][2], int half)
{
	const __m256i bit0 = _mm256_setr_epi32(-1, 0, -1, 0, -1, 0, -1, 0);
	const __m256i bit1 = _mm256_setr_epi32(-1, -1, 0, 0, -1, -1, 0, 0);
	const __m256i bit2 = _mm256_setr_epi32(-1, -1, -1, -1, 0, 0, 0, 0);
	return _mm256_and_si256(_mm256_and_si256(_mm256_xor_si256(plane[0][half], bit0),
						 _mm256_xor_si256(plane[1][half], bit1)),
				_mm256_xor_si256(plane[2][half], bit2));
}

AVX2 static inline bool all_wrong(const __m256i wrong[GROUPS])
{
	__m256i zero = _mm256_setzero_si256();
	__m256i right = _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi32(wrong[0], zero),
							_mm256_cmpeq_epi32(wrong[1], zero)),
					_mm256_cmpeq_epi32(wrong[2], zero));
	return _mm256_testz_si256(right, right);
}

struct generics {
	__m256i block[SMALL_BLOCKS], board[2];
	__m256i taken[GROUPS]; /* colours, as bits */
};

AVX2 static inline void one_generic(const struct small_generic *generic, struct generics *all,
				    __m256i wrong[GROUPS])
{
	__m256i colors = _mm256_setzero_si256(); /* by way, in bytes */
#pragma GCC unroll 4
	for (int block = 0; block < SMALL_BLOCKS; block++)
		colors = _mm256_or_si256(
			colors, _mm256_shuffle_epi8(all->block[block], load(generic->at[block])));
	__m128i low = _mm256_castsi256_si128(colors);
	const __m256i color[GROUPS] = {_mm256_cvtepu8_epi32(low),
				       _mm256_cvtepu8_epi32(_mm_srli_si128(low, 8)),
				       _mm256_cvtepu8_epi32(_mm256_extracti128_si256(colors, 1))};
#pragma GCC unroll 4
	for (int group = 0; group < GROUPS; group++) {
		__m256i bit = _mm256_sllv_epi32(_mm256_set1_epi32(1), color[group]);
		__m256i bad = _mm256_and_si256(all->taken[group], bit);
#pragma GCC unroll 4
		for (int half = 0; half < 2; half++) {
			__m256i there = _mm256_permutevar8x32_epi32(all->board[half], color[group]);
			bad = _mm256_or_si256(
				bad,
				_mm256_andnot_si256(there, load(&generic->mask[half][8 * group])));
		}
		all->taken[group] = _mm256_or_si256(all->taken[group], bit);
		wrong[group] = _mm256_or_si256(wrong[group], bad);
	}
}

AVX2 static inline __m256i block_at(const uint8_t *colors)
{
	return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)colors));
}

AVX2 static uint32_t match(const struct cube_pattern *pattern, const uint8_t *colors)
{
	const struct small *small = pattern_small(pattern);
	uint8_t padded[SMALL_FACELETS];
	if (pattern->size < SMALL_MAX) {
		memset(padded, 0, sizeof(padded));
		memcpy(padded, colors, 24);
		colors = padded;
	}
	__m256i plane[3][2], wrong[GROUPS], zero = _mm256_setzero_si256();
	__m256i first = load(colors), last = load(colors + SMALL_FACELETS - 32);
#pragma GCC unroll 4
	for (int i = 0; i < 3; i++)
		plane_of(plane[i], first, last, i);
#pragma GCC unroll 4
	for (int group = 0; group < GROUPS; group++)
		wrong[group] = wrong_colors(small, plane, 8 * group);
	if (pattern->generic_count != 0 && !all_wrong(wrong)) {
		struct generics all;
#pragma GCC unroll 4
		for (int block = 0; block < SMALL_BLOCKS - 1; block++)
			all.block[block] = block_at(colors + 16 * block);
		all.block[SMALL_BLOCKS - 1] = block_at(colors + SMALL_LAST_BLOCK);
#pragma GCC unroll 4
		for (int half = 0; half < 2; half++)
			all.board[half] = board_of(plane, half);
#pragma GCC unroll 4
		for (int group = 0; group < GROUPS; group++)
			all.taken[group] = _mm256_set1_epi32(pattern->named);
		for (int i = 0; i < pattern->generic_count; i++) {
			one_generic(&small->generic[i], &all, wrong);
			if (all_wrong(wrong))
				return 0;
		}
	}
	uint32_t fits = 0;
#pragma GCC unroll 4
	for (int group = 0; group < GROUPS; group++) {
		__m256 right = _mm256_castsi256_ps(_mm256_cmpeq_epi32(wrong[group], zero));
		fits |= (uint32_t)_mm256_movemask_ps(right) << (8 * group);
	}
	return fits;
}

const struct cube_pattern_code_path pattern_avx2 = {"avx2", match};

#endif
