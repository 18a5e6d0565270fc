/* secret.h: random secrets, hashes, sealing: the only user of libsodium.
 *
 * Hashes are BLAKE2b of 32 bytes, keyed with their purpose: a hash for one purpose is not valid for
 * another. Sealing is XSalsa20 with Poly1305 (crypto_secretbox), with a random nonce before the
 * sealed bytes. Any thread. */
#ifndef SERVER_ACCESS_SECRET_H
#define SERVER_ACCESS_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/store/store.h"
#include "server/util/error.h"

/* Call once, before the others; false if the system has no randomness. */
MUST_USE bool secret_setup(void);

void secret_random(void *bytes, size_t length);

/* `purpose`: at most 64 characters. */
void secret_hash(const char *purpose, const void *bytes, size_t length, uint8_t hash[HASH_BYTES]);

#define SHORT_SEED_BYTES 16
/* For hash tables (SipHash with a secret seed), of a name and bytes; only the first 64 bytes
 * count. */
uint64_t secret_short_hash(const uint8_t seed[SHORT_SEED_BYTES], const char *name,
			   const void *bytes, size_t length);

/* In constant time. */
bool secret_equal(const uint8_t a[HASH_BYTES], const uint8_t b[HASH_BYTES]);

/* Overwrites a secret in memory. */
void secret_forget(void *bytes, size_t length);

#define SEAL_OVERHEAD 40 /* a nonce of 24 and a tag of 16 */

/* `sealed` has room for length + SEAL_OVERHEAD. */
void secret_seal(const uint8_t key[HASH_BYTES], const void *bytes, size_t length, uint8_t *sealed);
/* `bytes` has room for length - SEAL_OVERHEAD. False if it was not sealed with this key. */
MUST_USE bool secret_open(const uint8_t key[HASH_BYTES], const uint8_t *sealed, size_t length,
			  void *bytes);

#endif
