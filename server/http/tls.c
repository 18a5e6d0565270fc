/* tls.c: reads certificates, and passes them to GnuTLS. */
#include "server/http/tls.h"

#include <gnutls/x509.h>
#include <stdlib.h>
#include <string.h>

#include "server/util/lock.h"
#include "server/util/meters.h"

#define CHAIN_MAX 16

/* GnuTLS uses a certificate until the handshake has ended, so a replaced one is not freed: they are
 * some KB, and few. */
struct shown {
	struct shown *before;
	gnutls_pcert_st chain[CHAIN_MAX];
	unsigned length;
	gnutls_privkey_t key;
};

static struct lock shown_lock = LOCK_INITIALIZER;
static struct shown *newest;

int tls_retrieve(gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count,
		 const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
		 gnutls_pcert_st **chain, unsigned *chain_length, gnutls_privkey_t *key)
{
	(void)session;
	(void)authorities;
	(void)authority_count;
	(void)algorithms;
	(void)algorithm_count;
	lock_acquire(&shown_lock);
	struct shown *shown = newest;
	lock_release(&shown_lock);
	if (!shown)
		return -1;
	*chain = shown->chain;
	*chain_length = shown->length;
	*key = shown->key;
	return 0;
}

static void shown_free(struct shown *shown)
{
	for (unsigned i = 0; i < shown->length; i++)
		gnutls_pcert_deinit(&shown->chain[i]);
	if (shown->key)
		gnutls_privkey_deinit(shown->key);
	free(shown);
}

static int read_chain(struct shown *shown, const char *path)
{
	gnutls_datum_t text;
	unsigned length = CHAIN_MAX;
	int fault = gnutls_load_file(path, &text);
	if (fault < 0)
		return fault;
	fault = gnutls_pcert_list_import_x509_raw(shown->chain, &length, &text, GNUTLS_X509_FMT_PEM,
						  0);
	gnutls_free(text.data);
	if (fault == 0)
		shown->length = length;
	return fault;
}

static int read_key(struct shown *shown, const char *path)
{
	gnutls_datum_t text;
	int fault = gnutls_load_file(path, &text);
	if (fault < 0)
		return fault;
	fault = gnutls_privkey_init(&shown->key);
	if (fault == 0)
		fault = gnutls_privkey_import_x509_raw(shown->key, &text, GNUTLS_X509_FMT_PEM, NULL,
						       0);
	gnutls_memset(text.data, 0, text.size);
	gnutls_free(text.data);
	return fault;
}

/* Returns true if key and certificate match: their public keys have the same id. */
static bool key_fits(const struct shown *shown)
{
	unsigned char ids[2][64];
	size_t lengths[2] = {sizeof ids[0], sizeof ids[1]};
	gnutls_pubkey_t of_key;
	if (gnutls_pubkey_init(&of_key) != 0)
		return false;
	bool same = gnutls_pubkey_import_privkey(of_key, shown->key, 0, 0) == 0 &&
		    gnutls_pubkey_get_key_id(of_key, GNUTLS_KEYID_USE_SHA256, ids[0],
					     &lengths[0]) == 0 &&
		    gnutls_pubkey_get_key_id(shown->chain[0].pubkey, GNUTLS_KEYID_USE_SHA256,
					     ids[1], &lengths[1]) == 0 &&
		    lengths[0] == lengths[1] && memcmp(ids[0], ids[1], lengths[0]) == 0;
	gnutls_pubkey_deinit(of_key);
	return same;
}

static bool read_both(struct shown *shown, const char *certificate, const char *key,
		      struct error *error)
{
	int fault = read_chain(shown, certificate);
	if (fault != 0)
		return error_set(error, "The certificate %s cannot be read: %s", certificate,
				 gnutls_strerror(fault));
	fault = read_key(shown, key);
	if (fault != 0)
		return error_set(error, "The key %s cannot be read: %s", key,
				 gnutls_strerror(fault));
	if (!key_fits(shown))
		return error_set(error, "The certificate %s does not match the key %s.",
				 certificate, key);
	return true;
}

/* Returns when the chain ceases to be valid: the earliest expiry of its certificates, in seconds since
 * 1970; 0: unknown. */
static uint64_t chain_expiry(struct shown *shown)
{
	uint64_t earliest = 0;
	for (unsigned i = 0; i < shown->length; i++) {
		gnutls_x509_crt_t certificate;
		if (gnutls_pcert_export_x509(&shown->chain[i], &certificate) != 0)
			continue;
		const time_t expiry = gnutls_x509_crt_get_expiration_time(certificate);
		if (expiry > 0 && (earliest == 0 || (uint64_t)expiry < earliest))
			earliest = (uint64_t)expiry;
		gnutls_x509_crt_deinit(certificate);
	}
	return earliest;
}

bool tls_load(const char *certificate, const char *key, struct error *error)
{
	struct shown *shown = calloc(1, sizeof *shown);
	if (!shown)
		return error_set(error, "Cannot start: out of memory for the certificate.");
	if (!read_both(shown, certificate, key, error)) {
		shown_free(shown);
		return false;
	}
	const uint64_t expiry = chain_expiry(shown);
	lock_acquire(&shown_lock);
	shown->before = newest;
	newest = shown;
	meter_set(METER_CERTIFICATE_EXPIRY, expiry > 0 ? expiry + 1 : 0);
	lock_release(&shown_lock);
	return true;
}

void tls_unload(void)
{
	while (newest) {
		struct shown *before = newest->before;
		shown_free(newest);
		newest = before;
	}
}
