/* core/bytes.h: eight bytes as a number; the highest bits of sixteen bytes; and sixteen bytes in a register, on every
 * processor that can look up sixteen bytes by sixteen numbers at once. Internal to the library.
 *
 * All else that such code needs (and, or, sums, comparisons) is written with the vector types of gcc and clang, so
 * that one source serves x86-64 with SSSE3, 64-bit ARM and WebAssembly. Where BYTES_NAME is not defined there is no
 * such instruction, and portable code has to do. Only x86-64 has to be asked at run time. */
#ifndef CORE_BYTES_H
#define CORE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Reads eight bytes as a number, the first one lowest. */
static inline uint64_t bytes_word(const uint8_t *from)
{
	uint64_t word;
	memcpy(&word, from, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint64_t words2 __attribute__((vector_size(16)));

#if defined(__x86_64__)

#include <tmmintrin.h>
#define BYTES_NAME "ssse3"
#define BYTES_CODE __attribute__((target("ssse3")))

/* Reads what the compiler's start-up code found out about the processor. */
static inline bool bytes_here(void)
{
	return __builtin_cpu_supports("ssse3");
}

/* Finds table[index] for each index, 0..15; 0 for an index of 0x80. */
BYTES_CODE static inline bytes16 bytes_at(bytes16 table, bytes16 index)
{
	return (bytes16)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
}

#elif defined(__aarch64__)

#include <arm_neon.h>
#define BYTES_NAME "neon"
#define BYTES_CODE

static inline bool bytes_here(void)
{
	return true;
}

static inline bytes16 bytes_at(bytes16 table, bytes16 index)
{
	return (bytes16)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)index);
}

#elif defined(__wasm_simd128__)

#include <wasm_simd128.h>
#define BYTES_NAME "simd128"
#define BYTES_CODE

static inline bool bytes_here(void)
{
	return true;
}

static inline bytes16 bytes_at(bytes16 table, bytes16 index)
{
	return (bytes16)wasm_i8x16_swizzle((v128_t)table, (v128_t)index);
}

#endif

/* Gathers the highest bit of each of sixteen bytes, that of the first one lowest. */
static inline uint32_t bytes_tops(bytes16 bytes)
{
#if defined(__x86_64__)
	return (uint32_t)_mm_movemask_epi8((__m128i)bytes); /* every such processor has SSE2 */
#elif defined(__wasm_simd128__)
	return wasm_i8x16_bitmask((v128_t)bytes);
#else
	/* The factor moves the bit of byte i to bit 56 + i, and no two meet. */
	const uint64_t one = 0x0101010101010101u, factor = 0x0102040810204080u;
	const uint8_t *byte = (const uint8_t *)&bytes;
	return (uint32_t)((bytes_word(byte) >> 7 & one) * factor >> 56 |
			  (bytes_word(byte + 8) >> 7 & one) * factor >> 56 << 8);
#endif
}

#ifdef BYTES_NAME

BYTES_CODE static inline bytes16 bytes_load(const uint8_t *from)
{
	bytes16 bytes;
	memcpy(&bytes, from, sizeof(bytes));
	return bytes;
}

BYTES_CODE static inline void bytes_store(uint8_t *to, bytes16 bytes)
{
	memcpy(to, &bytes, sizeof(bytes));
}

BYTES_CODE static inline bool bytes_all_zero(bytes16 bytes)
{
	words2 words = (words2)bytes;
	return (words[0] | words[1]) == 0;
}

#endif
#endif
