/* tls.h: the certificate that the server shows, and its change while the server runs.
 *
 * GnuTLS asks for it with each new connection, so that a new one serves from the next connection
 * on, and those that are open go on as they are. There is one server in a process. */
#ifndef SERVER_HTTP_TLS_H
#define SERVER_HTTP_TLS_H

#include <gnutls/abstract.h>
#include <stdbool.h>
#include <stddef.h>

#include "server/util/error.h"

/* Reads a certificate (PEM, with those that signed it behind it) and its key. Where that fails, or
 * the two do not belong together, what was read before stays; false with a sentence. */
MUST_USE bool tls_load(const char *certificate, const char *key, struct error *error);
/* Forgets all that was read. */
void tls_unload(void);

/* A gnutls_certificate_retrieve_function2, of libmicrohttpd's MHD_OPTION_HTTPS_CERT_CALLBACK. */
int tls_retrieve(gnutls_session_t session, const gnutls_datum_t *authorities, int authority_count,
		 const gnutls_pk_algorithm_t *algorithms, int algorithm_count,
		 gnutls_pcert_st **chain, unsigned *chain_length, gnutls_privkey_t *key);

#endif
