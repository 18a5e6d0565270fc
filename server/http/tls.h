/* tls.h: the server's certificate, which can be replaced while the server runs.
 *
 * GnuTLS asks for it at each new connection; open connections keep the old one. One server in a
 * process. */
#ifndef SERVER_HTTP_TLS_H
#define SERVER_HTTP_TLS_H

#include <gnutls/abstract.h>
#include <stdbool.h>

#include "server/util/error.h"

/* Reads a certificate (PEM, followed by those that signed it) and its key. False with a sentence in
 * `error` if that fails, or the two do not match; then the previous certificate stays. */
MUST_USE bool tls_load(const char *certificate, const char *key, struct error *error);
/* Frees all certificates. No handshake may be in progress. */
void tls_unload(void);

/* A gnutls_certificate_retrieve_function2, of libmicrohttpd's MHD_OPTION_HTTPS_CERT_CALLBACK. */
int tls_retrieve(gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count,
		 const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
		 gnutls_pcert_st **chain, unsigned *chain_length, gnutls_privkey_t *key);

#endif
