/* main.c: the program: a subcommand, or configure, open, serve, close. */
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cube/version.h"
#include "server/api/input/input.h"
#include "server/api/request_log.h"
#include "server/api/service.h"
#include "server/config.h"
#include "server/config/listen.h"
#include "server/http/http.h"
#include "server/modules/modules.h"
#include "server/ops/ops.h"
#include "server/store/store.h"
#include "server/util/base_path.h"
#include "server/util/log.h"
#include "server/util/notify.h"
#include "server/util/standard_files.h"

#define EXIT_CANNOT_START 1

static int cannot_start(const char *problem)
{
	fprintf(stderr, "cubed: %s\n", problem);
	return EXIT_CANNOT_START;
}

/* Prints the line with the address. Without a host it is that of loopback, which always works. */
static void announce(const struct config *config, uint16_t port)
{
	const bool everywhere = listen_is_everywhere(config);
	const char *host = everywhere ? "127.0.0.1" : config->listen_host;
	const char *scheme = config->tls_cert ? "https" : "http";
	bool v6 = strchr(host, ':') != NULL;
	char url[320];
	if (config->listen_path[0])
		snprintf(url, sizeof url, "unix:%s", config->listen_path);
	else
		snprintf(url, sizeof url, "%s://%s%s%s:%u", scheme, v6 ? "[" : "", host,
			 v6 ? "]" : "", (unsigned)port);
	printf("cubed %s is ready at %s%s\n", CUBE_VERSION, url,
	       everywhere ? " and all other addresses of this machine" : "");
	if (config->lan)
		ops_invite(stdout, scheme, port);
	fflush(stdout);
	notify_manager("READY=1\nSTATUS=Serving at %s.", url);
	if (config->listen_path[0])
		log_event(LOG_INFO, "ready", LOG_TEXT("socket", config->listen_path),
			  LOG_TEXT("store", store_location_public(config->store)));
	else
		log_event(LOG_INFO, "ready", LOG_TEXT("host", everywhere ? "*" : host),
			  LOG_NUMBER("port", port),
			  LOG_TEXT("store", store_location_public(config->store)));
}

/* A long computation is still running, so a request will not be answered; or tables are being made.
 * Waiting for them would break the promise to stop within a second; what was answered is on the
 * disk. */
static _Noreturn void stop_at_once(const struct service *service, int code)
{
	const size_t pending = service_pending(service);
	if (pending > 0)
		log_event(LOG_WARNING, "stopped before every request was answered",
			  LOG_NUMBER("requests", pending));
	else
		log_event(LOG_INFO, "stopped while tables were being made");
	fflush(NULL);
	_exit(code);
}

/* Large memory returns to the system as soon as it is freed: from this size on, each allocation is
 * a mapping of its own. Otherwise glibc raises the size to that of the largest freed block, up to
 * 32 MiB, and smaller blocks come from heaps with holes, one for each thread. Measured: after 24
 * requests that held 48 MiB together the process kept 70 MiB, now 1 MiB. /v1/apply and durable
 * moves take the same time; an answer of 8 MB takes a quarter more, because its pages are new. */
#define MAPPED_BYTES 131072

static void memory_setup(void)
{
	mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES);
}

int main(int argc, char **argv)
{
	struct config config;
	struct error error = {0};
	standard_files_open();
	modules_setup();
	/* A file that reaches a size limit is an error, like a full disk, and must not end the
	 * process. */
	signal(SIGXFSZ, SIG_IGN);
	int code = ops_main(&argc, argv);
	if (code != OPS_SERVE)
		return code;
	enum config_result result = config_read(&config, argc, argv);
	if (result == CONFIG_HELP)
		ops_help();
	if (result != CONFIG_RUN)
		return result == CONFIG_EXIT_USAGE ? OPS_EXIT_USAGE : 0;
	log_configure(config.log_level, config.log_format);
	request_log_open(&config);
	base_path_set(config.base_path);
	memory_setup();
	json_setup();
	if (!http_inherit(&config, &error))
		return cannot_start(error.text);

	struct service *service = service_create(&config, true, &error);
	if (!service)
		return cannot_start(error.text);
	struct http *http = http_open(&config, service, &error);
	if (!http) {
		service_destroy(service);
		return cannot_start(error.text);
	}
	service_listens(service, http_port(http));
	announce(&config, http_port(http));
	code = http_run(http);
	request_log_left_out(true);
	if (service_outgrown(service))
		code = EXIT_CANNOT_START;
	if (service_unfinished(service) > 0)
		stop_at_once(service, code);
	http_close(http);
	service_destroy(service);
	log_event(LOG_INFO, "stopped");
	return code;
}
