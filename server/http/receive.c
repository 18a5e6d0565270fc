/* receive.c: the functions that libmicrohttpd receives with, and the connections of sockets.
 *
 * recv() and gnutls_record_recv() are defined here for the whole process. What they do on other
 * sockets is done by recvfrom() and gnutls_record_recv_seq(), which differ by arguments that are
 * not needed, so nothing has to be looked up. */
#include <gnutls/gnutls.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "server/http/http_internal.h"

/* The connection of each descriptor. Each entry is used by the thread of its loop. Any thread may
 * receive at any time, so the table is published once and stays until the process ends. */
struct descriptors {
	size_t count;
	_Atomic(struct connection *) connection[];
};

static _Atomic(struct descriptors *) descriptors;

bool receive_open(void)
{
	struct rlimit files;
	if (atomic_load(&descriptors))
		return true;
	if (getrlimit(RLIMIT_NOFILE, &files) != 0)
		return false;
	const size_t count = (size_t)files.rlim_cur;
	struct descriptors *made = calloc(1, sizeof *made + count * sizeof made->connection[0]);
	if (!made)
		return false;
	made->count = count;
	atomic_store_explicit(&descriptors, made, memory_order_release);
	return true;
}

static _Atomic(struct connection *) *entry_of(int fd)
{
	struct descriptors *table = atomic_load_explicit(&descriptors, memory_order_acquire);
	return table && fd >= 0 && (size_t)fd < table->count ? &table->connection[fd] : NULL;
}

struct connection *receive_connection(int fd)
{
	_Atomic(struct connection *) *entry = entry_of(fd);
	return entry ? atomic_load_explicit(entry, memory_order_relaxed) : NULL;
}

bool receive_register(struct connection *connection)
{
	_Atomic(struct connection *) *entry = entry_of(connection->fd);
	if (entry)
		atomic_store_explicit(entry, connection, memory_order_relaxed);
	return entry != NULL;
}

void receive_forget(struct connection *connection)
{
	if (receive_connection(connection->fd) == connection)
		atomic_store_explicit(entry_of(connection->fd), NULL, memory_order_relaxed);
}

static ssize_t read_socket(void *from, void *bytes, size_t most)
{
	return recvfrom(*(int *)from, bytes, most, 0, NULL, NULL);
}

static ssize_t read_session(void *from, void *bytes, size_t most)
{
	unsigned char sequence[8];
	return gnutls_record_recv_seq(from, bytes, most, sequence);
}

/* The names are given to the linker and not to the compiler: headers may define recv() inline. */
__attribute__((visibility("default"))) ssize_t receive_from_socket(int fd, void *bytes, size_t most,
								   int flags) __asm__("recv");
__attribute__((visibility("default"))) ssize_t
receive_from_session(gnutls_session_t session, void *bytes,
		     size_t most) __asm__("gnutls_record_recv");

ssize_t receive_from_socket(int fd, void *bytes, size_t most, int flags)
{
	struct connection *connection = receive_connection(fd);
	/* Under TLS this is GnuTLS, which reads records. */
	if (!connection || connection->loop->http->tls)
		return recvfrom(fd, bytes, most, flags, NULL, NULL);
	const struct receive_source source = {read_socket, &fd, -1, true};
	return receiver_read(&connection->receiver, &source, bytes, most);
}

ssize_t receive_from_session(gnutls_session_t session, void *bytes, size_t most)
{
	struct connection *connection = receive_connection(gnutls_transport_get_int(session));
	if (!connection)
		return read_session(session, bytes, most);
	const struct receive_source source = {read_session, session, GNUTLS_E_AGAIN, false};
	return receiver_read(&connection->receiver, &source, bytes, most);
}
