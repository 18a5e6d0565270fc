/* core/cubies/state3_x86.c: compact states composed in one register, with AVX2 and AVX-512.
 *
 * A 256-bit register holds a state, edges in its lower half and corners in its upper, and the byte
 * shuffle looks up sixteen bytes by sixteen numbers in each half: all of a.piece[b.piece[i]]. It
 * takes the number from the lowest four bits and gives 0 where bit 7 is set, so the turn in
 * bits 4 and 5 does no harm.
 *
 * Turns add up by bytes. One at a time, the sum t is brought below its modulus by the smaller of t
 * and t - modulus, which as unsigned numbers is t - modulus only if that is not negative.
 *
 * In a chain, latency is what counts: shuffle, addition and minimum are three steps. There pieces
 * and turns go in two registers, and turns are only added: a shuffle for the pieces, a shuffle and
 * an addition for the turns, two steps. A byte holds the sum of LAZY moves, mod 2 and 3 come after
 * that. */
#include "core/cubies/cubies_internal.h"

#if defined(__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx2,avx512f,avx512bw")))

/* Two from the start and two a move at most. */
#define LAZY 126

AVX2 static inline __m256i load(const struct cube_state3 *state)
{
	return _mm256_loadu_si256((const __m256i *)state->piece);
}

AVX2 static inline void store(struct cube_state3 *state, __m256i pieces)
{
	_mm256_storeu_si256((__m256i *)state->piece, pieces);
}

/* The same byte in all of the lower half, and another in the upper. */
AVX2 static inline __m256i halves(char edges, char corners)
{
	return _mm256_set_m128i(_mm_set1_epi8(corners), _mm_set1_epi8(edges));
}

AVX2 static inline __m256i composed(__m256i a, __m256i b)
{
	__m256i modulus = halves(2 << CUBE_STATE3_TURN, 3 << CUBE_STATE3_TURN);
	__m256i turns = _mm256_and_si256(b, _mm256_set1_epi8((char)~CUBE_STATE3_PIECE));
	__m256i sum = _mm256_add_epi8(_mm256_shuffle_epi8(a, b), turns);
	return _mm256_min_epu8(sum, _mm256_sub_epi8(sum, modulus));
}

AVX2 static void compose(struct cube_state3 *result, const struct cube_state3 *a,
			 const struct cube_state3 *b)
{
	store(result, composed(load(a), load(b)));
}

AVX2 static void compose_each(struct cube_state3 *result, const struct cube_state3 *a,
			      const struct cube_state3 *b, size_t count)
{
#pragma GCC unroll 4
	for (size_t i = 0; i < count; i++)
		store(&result[i], composed(load(&a[i]), load(&b[i])));
}

/* The turns alone, as numbers. */
AVX2 static inline __m256i turns_of(__m256i state)
{
	return _mm256_and_si256(_mm256_srli_epi16(state, CUBE_STATE3_TURN), _mm256_set1_epi8(15));
}

/* Sums of up to 255, mod 2 in the lower half and mod 3 in the upper. There 16 is 1: the two digits
 * of a byte are added up twice, which makes at most 15. */
AVX2 static inline __m256i reduced(__m256i sums)
{
	__m256i digit = halves(1, 15), carried = halves(0, 15);
	__m256i rest = _mm256_setr_epi8(0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2, 0,
					1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0);
	for (int i = 0; i < 2; i++) {
		__m256i high = _mm256_and_si256(_mm256_srli_epi16(sums, 4), carried);
		sums = _mm256_add_epi8(_mm256_and_si256(sums, digit), high);
	}
	return _mm256_shuffle_epi8(rest, sums);
}

AVX2 static void apply(struct cube_state3 *state, const struct cube_state3 *table,
		       const uint8_t *moves, size_t count)
{
	__m256i start = load(state), turns = turns_of(start);
	__m256i pieces = _mm256_and_si256(start, _mm256_set1_epi8(CUBE_STATE3_PIECE));
	while (count > 0) {
		size_t some = count < LAZY ? count : LAZY;
#pragma GCC unroll 6
		for (size_t i = 0; i < some; i++) {
			__m256i move = load(&table[moves[i]]);
			pieces = _mm256_shuffle_epi8(pieces, move);
			turns = _mm256_add_epi8(_mm256_shuffle_epi8(turns, move), turns_of(move));
		}
		turns = reduced(turns);
		moves += some;
		count -= some;
	}
	store(state, _mm256_or_si256(pieces, _mm256_slli_epi16(turns, CUBE_STATE3_TURN)));
}

/* `times` doublings of a permutation's power. */
AVX2 static inline __m256i doubled(__m256i power, int times)
{
	for (int i = 0; i < times; i++)
		power = _mm256_shuffle_epi8(power, power);
	return power;
}

/* Cycles are of at most twelve pieces, and lcm(1..12) = 27720: so the 27719th power of a
 * permutation is its inverse. From the left, the bits of 27719 are 11 011 0001 00011 1. Turns go
 * back to where the pieces came from, negated: modulus - turn, or 0. */
AVX2 static void invert(struct cube_state3 *result, const struct cube_state3 *state)
{
	__m256i modulus = halves(2 << CUBE_STATE3_TURN, 3 << CUBE_STATE3_TURN);
	__m256i from = load(state),
		one = _mm256_and_si256(from, _mm256_set1_epi8(CUBE_STATE3_PIECE));
	__m256i three = _mm256_shuffle_epi8(doubled(one, 1), one);
	__m256i power = _mm256_shuffle_epi8(doubled(three, 3), three);
	power = _mm256_shuffle_epi8(doubled(power, 4), one);
	power = _mm256_shuffle_epi8(doubled(power, 5), three);
	power = _mm256_shuffle_epi8(doubled(power, 1), one);
	__m256i turns = _mm256_sub_epi8(modulus, _mm256_xor_si256(from, one));
	turns = _mm256_min_epu8(turns, _mm256_sub_epi8(turns, modulus));
	store(result, _mm256_or_si256(power, _mm256_shuffle_epi8(turns, power)));
}

AVX2 static void step(struct cube_state3 *states, size_t count, const struct cube_state3 *table,
		      const uint8_t *actions, uint8_t *solved)
{
	__m256i home = load(&cube_state3_solved);
#pragma GCC unroll 4
	for (size_t i = 0; i < count; i++) {
		__m256i now = composed(load(&states[i]), load(&table[actions[i]]));
		store(&states[i], now);
		if (solved)
			solved[i] = _mm256_movemask_epi8(_mm256_cmpeq_epi8(now, home)) == -1;
	}
}

/* Two states in a register. */
AVX512 static void compose_pairs(struct cube_state3 *result, const struct cube_state3 *a,
				 const struct cube_state3 *b, size_t count)
{
	__m512i modulus =
		_mm512_broadcast_i64x4(halves(2 << CUBE_STATE3_TURN, 3 << CUBE_STATE3_TURN));
	__m512i turn = _mm512_set1_epi8((char)~CUBE_STATE3_PIECE);
	size_t i = 0;
	for (; i + 2 <= count; i += 2) {
		__m512i from = _mm512_loadu_si512(&a[i]), by = _mm512_loadu_si512(&b[i]);
		__m512i sum =
			_mm512_add_epi8(_mm512_shuffle_epi8(from, by), _mm512_and_si512(by, turn));
		_mm512_storeu_si512(&result[i],
				    _mm512_min_epu8(sum, _mm512_sub_epi8(sum, modulus)));
	}
	if (i < count)
		store(&result[i], composed(load(&a[i]), load(&b[i])));
}

const struct state3_code state3_avx2 = {"avx2", compose, invert, compose_each, apply, step};
const struct state3_code state3_avx512 = {"avx512", compose, invert, compose_pairs, apply, step};

#endif
