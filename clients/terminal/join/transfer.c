/* transfer.c: requests by libcurl. */
#include "clients/terminal/join/transfer.h"

#include <stdio.h>
#include <stdlib.h>

#include "cube/version.h"

#define HEADER_BYTES 512
#define CONNECT_MS 10000L
/* The server sends something every 15 s; after this time of silence the connection is dead. */
#define SILENT_S 40L
/* The longest line or answer: a session with a cube of 100 layers takes 60 KB. */
#define BODY_BYTES_MAX (4u << 20)

bool transfer_open(struct transfers *http, struct error *error)
{
	*http = (struct transfers){.multi = NULL};
	if (!libcurl_load(error))
		return false;
	snprintf(http->agent, sizeof http->agent, "cubed/%s", CUBE_VERSION);
	http->multi = curl.curl_multi_init();
	http->stream.easy = curl.curl_easy_init();
	http->call.easy = curl.curl_easy_init();
	return (http->multi && http->stream.easy && http->call.easy) ||
	       error_set(error, "out of memory");
}

static void close_call(struct transfers *http, struct transfer *call)
{
	if (!call->easy)
		return;
	transfer_stop(http, call);
	curl.curl_easy_cleanup(call->easy);
	buffer_free(&call->body);
}

void transfer_close(struct transfers *http)
{
	close_call(http, &http->stream);
	close_call(http, &http->call);
	if (http->multi)
		curl.curl_multi_cleanup(http->multi);
}

static size_t receive(char *bytes, size_t size, size_t count, void *context)
{
	struct transfer *call = context;
	if (call->body.length + size * count > BODY_BYTES_MAX)
		return 0;
	buffer_add(&call->body, bytes, size * count);
	return call->body.failed ? 0 : size * count;
}

static bool add_header(struct transfer *call, const char *name, const char *value)
{
	char line[HEADER_BYTES];
	const int length = snprintf(line, sizeof line, "%s%s", name, value);
	if (length < 0 || (size_t)length >= sizeof line)
		return false;
	struct curl_slist *longer = curl.curl_slist_append(call->headers, line);
	if (longer)
		call->headers = longer;
	return longer != NULL;
}

static bool add_headers(struct transfer *call, const struct transfer_ask *ask)
{
	return add_header(call, "Accept: ", ask->accept) &&
	       (ask->token[0] == '\0' || add_header(call, "Authorization: Bearer ", ask->token)) &&
	       (!ask->header || add_header(call, ask->header, "")) &&
	       (!ask->body || (add_header(call, "Content-Type: ", "application/json") &&
			       add_header(call, "Expect:", "")));
}

bool transfer_begin(struct transfers *http, struct transfer *call, const struct transfer_ask *ask)
{
	CURL *easy = call->easy;
	/* A file of certificates to trust in place of the system's, as the program curl has it. */
	const char *authorities = getenv("SSL_CERT_FILE");
	call->body.length = 0;
	call->status = 0;
	call->problem[0] = '\0';
	curl.curl_easy_reset(easy);
	/* Redirects are not followed: they would take the token elsewhere. */
	const bool set =
		add_headers(call, ask) &&
		curl.curl_easy_setopt(easy, CURLOPT_URL, ask->url) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_HTTPHEADER, call->headers) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_USERAGENT, http->agent) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, call->problem) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_WRITEDATA, call) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, ask->timeout_ms) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L) == CURLE_OK &&
		curl.curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, SILENT_S) == CURLE_OK &&
		(!authorities ||
		 curl.curl_easy_setopt(easy, CURLOPT_CAINFO, authorities) == CURLE_OK) &&
		(!ask->body ||
		 curl.curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, ask->body) == CURLE_OK) &&
		curl.curl_multi_add_handle(http->multi, easy) == CURLM_OK;
	call->state = TRANSFER_RUNNING;
	if (!set)
		transfer_stop(http, call);
	return set;
}

void transfer_stop(struct transfers *http, struct transfer *call)
{
	curl.curl_multi_remove_handle(http->multi, call->easy);
	curl.curl_slist_free_all(call->headers);
	call->headers = NULL;
	call->state = TRANSFER_IDLE;
}

static void note_status(struct transfer *call)
{
	if (call->state == TRANSFER_RUNNING)
		curl.curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &call->status);
}

void transfer_progress(struct transfers *http)
{
	int running, left;
	curl.curl_multi_perform(http->multi, &running);
	note_status(&http->stream);
	note_status(&http->call);
	for (CURLMsg *message; (message = curl.curl_multi_info_read(http->multi, &left)) != NULL;) {
		struct transfer *call =
			message->easy_handle == http->call.easy ? &http->call : &http->stream;
		call->state = TRANSFER_DONE;
		if (message->data.result == CURLE_OK)
			continue;
		call->status = 0;
		if (!call->problem[0])
			snprintf(call->problem, sizeof call->problem, "%s",
				 curl.curl_easy_strerror(message->data.result));
	}
}

size_t transfer_wait(struct transfers *http, struct pollfd *fds, size_t room, int *timeout_ms)
{
	fd_set in, out, except;
	int last = -1;
	long wait_ms = -1;
	size_t count = 0;
	FD_ZERO(&in);
	FD_ZERO(&out);
	FD_ZERO(&except);
	curl.curl_multi_fdset(http->multi, &in, &out, &except, &last);
	for (int fd = 0; fd <= last && count < room; fd++) {
		const int events =
			(FD_ISSET(fd, &in) ? POLLIN : 0) | (FD_ISSET(fd, &out) ? POLLOUT : 0);
		if (events != 0)
			fds[count++] = (struct pollfd){.fd = fd, .events = (short)events};
	}
	curl.curl_multi_timeout(http->multi, &wait_ms);
	/* While libcurl resolves a name, for example, it has no descriptor. */
	const bool blind = count == 0 && (http->stream.state == TRANSFER_RUNNING ||
					  http->call.state == TRANSFER_RUNNING);
	if (blind && (wait_ms < 0 || wait_ms > 50))
		wait_ms = 50;
	if (wait_ms >= 0 && (*timeout_ms < 0 || wait_ms < *timeout_ms))
		*timeout_ms = (int)wait_ms;
	return count;
}
