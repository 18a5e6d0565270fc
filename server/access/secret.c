/* secret.c: the few functions of libsodium that are used. */
#include "server/access/secret.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

static_assert(HASH_BYTES == crypto_generichash_BYTES, "the hash that libsodium recommends");
static_assert(HASH_BYTES == crypto_secretbox_KEYBYTES, "a hash is a key for sealing");
static_assert(SEAL_OVERHEAD == crypto_secretbox_NONCEBYTES + crypto_secretbox_MACBYTES,
	      "what sealing adds");

bool secret_setup(void)
{
	return sodium_init() >= 0;
}

void secret_random(void *bytes, size_t length)
{
	randombytes_buf(bytes, length);
}

void secret_hash(const char *purpose, const void *bytes, size_t length, uint8_t hash[HASH_BYTES])
{
	assert(strlen(purpose) <= crypto_generichash_KEYBYTES_MAX);
	crypto_generichash(hash, HASH_BYTES, bytes, length, (const unsigned char *)purpose,
			   strlen(purpose));
}

uint64_t secret_short_hash(const uint8_t seed[SHORT_SEED_BYTES], const char *name,
			   const void *bytes, size_t length)
{
	uint8_t text[96] = {0}, short_hash[crypto_shorthash_BYTES];
	uint64_t hash;
	static_assert(sizeof short_hash == sizeof hash, "64 bits");
	static_assert(SHORT_SEED_BYTES == crypto_shorthash_KEYBYTES, "the seed is the key");
	strncpy((char *)text, name, 31);
	memcpy(text + 32, bytes, length < 64 ? length : 64);
	crypto_shorthash(short_hash, text, sizeof text, seed);
	memcpy(&hash, short_hash, sizeof hash);
	return hash;
}

bool secret_equal(const uint8_t a[HASH_BYTES], const uint8_t b[HASH_BYTES])
{
	return sodium_memcmp(a, b, HASH_BYTES) == 0;
}

void secret_forget(void *bytes, size_t length)
{
	sodium_memzero(bytes, length);
}

void secret_seal(const uint8_t key[HASH_BYTES], const void *bytes, size_t length, uint8_t *sealed)
{
	randombytes_buf(sealed, crypto_secretbox_NONCEBYTES);
	crypto_secretbox_easy(sealed + crypto_secretbox_NONCEBYTES, bytes, length, sealed, key);
}

bool secret_open(const uint8_t key[HASH_BYTES], const uint8_t *sealed, size_t length, void *bytes)
{
	return length >= SEAL_OVERHEAD &&
	       crypto_secretbox_open_easy(bytes, sealed + crypto_secretbox_NONCEBYTES,
					  length - crypto_secretbox_NONCEBYTES, sealed, key) == 0;
}
