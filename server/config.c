/* config.c: flags and environment. */
#include "server/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cube/cube.h"
#include "cube/version.h"
#include "server/config/environment.h"
#include "server/config/listen.h"
#include "server/config/uris.h"
#include "server/store/store.h"
#include "server/util/log.h"

#define DEFAULT_LISTEN "127.0.0.1:8080"
#define DEFAULT_STORE "sqlite:cubed.db"
#define DEFAULT_TABLES_DIR "cubed-tables"
#define LOOPS_MAX 64
#define NICE_MAX 19
#define BACKGROUND_NICE 10
#define STORE_WAIT_MS 10000
#define STORE_WAIT_MS_MAX 600000
#define DRAIN_MS_MAX 600000

typedef bool option_parse(struct config *config, const char *value);

static bool parse_store(struct config *config, const char *value)
{
	config->store = value;
	return strchr(value, ':') != NULL;
}

/* From 1 to `most`. */
static bool parse_positive(uint32_t *into, const char *value, uint32_t most)
{
	char *end;
	errno = 0;
	const unsigned long number = strtoul(value, &end, 10);
	*into = (uint32_t)number;
	return value[0] >= '1' && value[0] <= '9' && !*end && !errno && number <= most;
}

static bool parse_store_wait(struct config *config, const char *value)
{
	return parse_positive(&config->store_wait_ms, value, STORE_WAIT_MS_MAX);
}

static bool parse_store_lanes(struct config *config, const char *value)
{
	return parse_positive(&config->store_lanes, value, STORE_LANES_MAX);
}

static bool parse_require_replica(struct config *config, const char *value)
{
	config->require_replica = strcmp(value, "on") == 0;
	return config->require_replica || strcmp(value, "off") == 0;
}

static bool parse_drain(struct config *config, const char *value)
{
	config->drain_ms = 0;
	return strcmp(value, "0") == 0 || parse_positive(&config->drain_ms, value, DRAIN_MS_MAX);
}

static bool parse_allow_host(struct config *config, const char *value)
{
	if (config->allow_host_count == ALLOW_HOSTS_MAX || !value[0])
		return false;
	config->allow_host[config->allow_host_count++] = value;
	return true;
}

static bool parse_text(const char **member, const char *value)
{
	*member = value;
	return value[0] != '\0';
}

static bool parse_tls_cert(struct config *config, const char *value)
{
	return parse_text(&config->tls_cert, value);
}

static bool parse_tls_key(struct config *config, const char *value)
{
	return parse_text(&config->tls_key, value);
}

static bool parse_tables_dir(struct config *config, const char *value)
{
	return parse_text(&config->tables_dir, value);
}

static bool parse_threads(unsigned *threads, const char *value)
{
	return parse_positive(threads, value, LOOPS_MAX);
}

static bool parse_loops(struct config *config, const char *value)
{
	return parse_threads(&config->loops, value);
}

static bool parse_solve_threads(struct config *config, const char *value)
{
	return parse_threads(&config->solve_threads, value);
}

static bool parse_background_nice(struct config *config, const char *value)
{
	config->background_nice = 0;
	return strcmp(value, "0") == 0 || parse_positive(&config->background_nice, value, NICE_MAX);
}

static bool parse_tables(struct config *config, const char *value)
{
	config->large_tables = strcmp(value, "large") == 0;
	return config->large_tables || strcmp(value, "small") == 0;
}

static bool parse_lan(struct config *config, const char *value)
{
	config->lan = strcmp(value, "on") == 0;
	return config->lan || strcmp(value, "off") == 0;
}

static bool parse_rate_limit(struct config *config, const char *value)
{
	config->rate_limit = strcmp(value, "on") == 0;
	return config->rate_limit || strcmp(value, "off") == 0;
}

static bool parse_trusted_proxy(struct config *config, const char *value)
{
	return config->trusted_proxy_count < TRUSTED_PROXIES_MAX &&
	       network_parse(value, &config->trusted_proxy[config->trusted_proxy_count++]);
}

static bool parse_log_level(struct config *config, const char *value)
{
	static const char *const names[] = {"debug", "info", "warning", "error", "off"};
	for (int i = 0; i < 5; i++)
		if (strcmp(value, names[i]) == 0) {
			config->log_level = (enum log_level)i;
			return true;
		}
	return false;
}

static bool parse_log_format(struct config *config, const char *value)
{
	config->log_format = strcmp(value, "json") == 0 ? LOG_FORMAT_JSON : LOG_FORMAT_LOGFMT;
	return config->log_format == LOG_FORMAT_JSON || strcmp(value, "logfmt") == 0;
}

static bool parse_log_requests(struct config *config, const char *value)
{
	static const char *const names[] = {"none", "errors", "all"};
	for (int i = 0; i < 3; i++)
		if (strcmp(value, names[i]) == 0) {
			config->log_requests = (enum log_requests)i;
			return true;
		}
	return false;
}

static const struct option {
	const char *flag;
	option_parse *parse;
	const char *expected, *help;
} options[] = {
	{"listen", listen_parse, LISTEN_EXPECTED,
	 "where to listen (default " DEFAULT_LISTEN
	 "; PORT alone: on all addresses; port 0: any free one)"},
	{"lan", parse_lan, "on or off, or no value",
	 "let other devices in the network in: listen on all addresses, and print those that they "
	 "can open, with a QR code (default off)"},
	{"store", parse_store,
	 "sqlite:PATH, postgresql:CONNINFO, or memory: to store nothing on disk",
	 "where sessions are stored (default " DEFAULT_STORE ")"},
	{"store-wait-ms", parse_store_wait, "a whole number from 1 to 600000",
	 "how long requests wait while PostgreSQL is away (default 10000)"},
	{"store-lanes", parse_store_lanes, "a whole number from 1 to 8",
	 "connections that commit changes to PostgreSQL at the same time (default 1)"},
	{"require-replica", parse_require_replica, "on or off",
	 "use PostgreSQL only while it has a synchronous standby (default off)"},
	{"drain-ms", parse_drain, "a whole number from 0 to 600000",
	 "how long to serve on after SIGTERM, with /readyz at 503, so that a load balancer sends "
	 "new requests elsewhere (default 0)"},
	{"allow-host", parse_allow_host, "a host name",
	 "also answer requests for this host; may be repeated"},
	{"allow-origin", origin_parse, "an origin such as https://app.example, *, or none",
	 "let pages of this origin read answers and send changes, beside the server's own and "
	 "those on loopback; *: all pages; none: not even those on loopback; may be repeated"},
	{"base-path", base_path_parse,
	 "a path such as /cubes, without a slash at its end, that no path of the server begins "
	 "with",
	 "the path below which a proxy shows the server, whether the proxy removes it or not"},
	{"tls-cert", parse_tls_cert, "a PEM file",
	 "serve HTTPS with this certificate and, after it, those that signed it; SIGHUP reloads "
	 "it"},
	{"tls-key", parse_tls_key, "a PEM file", "the key of the certificate"},
	{"tables-dir", parse_tables_dir, "a folder",
	 "where the tables of solvers are (default " DEFAULT_TABLES_DIR
	 "); made by cubed tables build"},
	{"loops", parse_loops, "a whole number from 1 to 64",
	 "threads that serve connections (default: one for two cores, at most 4, and as many again "
	 "for many connections)"},
	{"solve-threads", parse_solve_threads, "a whole number from 1 to 64",
	 "threads that search for solutions, at least 2 (default: one more than cores)"},
	{"background-nice", parse_background_nice, "a whole number from 0 to 19",
	 "nice value of searches and long computations, so that turning cubes goes first; lower "
	 "it where other programs keep the processors busy (default 10)"},
	{"tables", parse_tables, "small or large",
	 "tables for solving: the largest in --tables-dir, or the smallest (default small)"},
	{"rate-limit", parse_rate_limit, "on or off",
	 "limit the requests of each client (default on; loopback by --loopback-factor)"},
	{"trusted-proxy", parse_trusted_proxy, "an address, a network such as 10.0.0.0/8, or unix",
	 "trust the X-Forwarded-For of this proxy; may be repeated"},
	{"security-contact", contact_parse,
	 "a URI such as mailto:security@example.org, https://... or tel:...",
	 "who gets reports of weaknesses, in /.well-known/security.txt; may be repeated"},
	{"log-level", parse_log_level, "debug, info, warning, error or off",
	 "least important line to log (default info)"},
	{"log-format", parse_log_format, "logfmt or json",
	 "format of the lines on stderr (default logfmt)"},
	{"log-requests", parse_log_requests, "none, errors or all",
	 "requests to log: errors are those answered 429, 503 or 507, ten of each reason a minute "
	 "(default errors)"},
};
#define OPTION_COUNT (sizeof options / sizeof options[0])

static const struct limit_option {
	const char *flag;
	size_t offset;
	uint64_t value;
	const char *unit, *meaning;
} limit_options[] = {
#define LIMIT_OPTION(member, flag, value, unit, meaning)                                           \
	{flag, offsetof(struct limits, member), value, unit, meaning},
	LIMIT_TABLE(LIMIT_OPTION)
#undef LIMIT_OPTION
};
#define LIMIT_COUNT (sizeof limit_options / sizeof limit_options[0])
#define FLAG_COUNT (OPTION_COUNT + LIMIT_COUNT)

static uint64_t *limit_at(struct config *config, const struct limit_option *option)
{
	return (uint64_t *)(void *)((char *)&config->limits + option->offset);
}

static bool parse_limit(uint64_t *limit, const char *value)
{
	if (strcmp(value, "off") == 0) {
		*limit = LIMIT_OFF;
		return true;
	}
	char *end;
	errno = 0;
	unsigned long long number = strtoull(value, &end, 10);
	if (value[0] < '1' || value[0] > '9' || *end || errno || number > INT64_MAX)
		return false;
	*limit = number;
	return true;
}

/* The only limit with other bounds: a cube has 2 to 100 layers. */
static bool parse_size(uint64_t *limit, const char *value)
{
	if (!parse_limit(limit, value))
		return false;
	if (*limit == LIMIT_OFF)
		*limit = CUBE_SIZE_MAX;
	return *limit >= CUBE_SIZE_MIN && *limit <= CUBE_SIZE_MAX;
}

static bool wrong_value(const char *source, const char *name, const char *value,
			const char *expected)
{
	fprintf(stderr, "cubed: %s%s: \"%s\" is not valid; expected %s\n", source, name, value,
		expected);
	return false;
}

static bool set_limit(struct config *config, const struct limit_option *option, const char *value,
		      const char *source, const char *name)
{
	uint64_t *limit = limit_at(config, option);
	if (limit == &config->limits.size)
		return parse_size(limit, value) ||
		       wrong_value(source, name, value, "a whole number from 2 to 100, or off");
	if (limit == &config->limits.solve_memory && strcmp(value, "0") == 0) {
		*limit = 0;
		return true;
	}
	return parse_limit(limit, value) ||
	       wrong_value(source, name, value,
			   limit == &config->limits.solve_memory ? "a whole number from 0, or off"
								 : "a whole number from 1, or off");
}

bool config_flag_is_bare(const char *flag)
{
	return strcmp(flag, "lan") == 0;
}

static void list_flags(const char *flags[FLAG_COUNT])
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		flags[i] = options[i].flag;
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		flags[OPTION_COUNT + i] = limit_options[i].flag;
}

/* The flag exists. */
static bool set_option(struct config *config, const char *flag, const char *value,
		       const char *source, const char *name)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (strcmp(options[i].flag, flag) == 0)
			return options[i].parse(config, value) ||
			       wrong_value(source, name, value, options[i].expected);
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		if (strcmp(limit_options[i].flag, flag) == 0)
			return set_limit(config, &limit_options[i], value, source, name);
	return false;
}

static bool read_environment(struct config *config, const char *const flags[FLAG_COUNT])
{
	for (size_t i = 0; i < FLAG_COUNT; i++) {
		char name[FLAG_BYTES];
		environment_name(flags[i], name);
		const char *value = getenv(name);
		if (value && value[0] && !set_option(config, flags[i], value, "", name))
			return false;
	}
	return true;
}

void config_print_flags(void)
{
	for (size_t i = 0; i < OPTION_COUNT; i++)
		printf("  --%-28s %s: %s\n", options[i].flag, options[i].expected, options[i].help);
	printf("\nLimits, each a number or \"off\":\n");
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		printf("  --%-28s %s (default %llu %s)\n", limit_options[i].flag,
		       limit_options[i].meaning, (unsigned long long)limit_options[i].value,
		       limit_options[i].unit);
	printf("\n  --%-28s print this\n  --%-28s print the version\n", "help", "version");
	printf("\nEach flag has its environment variable, --log-level is CUBED_LOG_LEVEL; flags "
	       "win.\n");
}

static enum config_result read_flags(struct config *config, const char *const flags[FLAG_COUNT],
				     int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char flag[FLAG_BYTES];
		const char *argument = argv[i];
		if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
			return CONFIG_HELP;
		if (strcmp(argument, "--version") == 0) {
			printf("cubed %s\n", CUBE_VERSION);
			return CONFIG_EXIT_OK;
		}
		size_t length = strcspn(argument, "=");
		if (strncmp(argument, "--", 2) != 0 || length - 2 >= sizeof flag) {
			fprintf(stderr, "cubed: \"%s\" is not a flag; --help lists them\n",
				argument);
			return CONFIG_EXIT_USAGE;
		}
		memcpy(flag, argument + 2, length - 2);
		flag[length - 2] = '\0';
		if (!flag_is_known(flag, flags, FLAG_COUNT))
			return CONFIG_EXIT_USAGE;
		const char *value = argument[length]            ? argument + length + 1
				    : config_flag_is_bare(flag) ? "on"
				    : i + 1 < argc              ? argv[++i]
								: NULL;
		if (!value) {
			fprintf(stderr, "cubed: --%s needs a value\n", flag);
			return CONFIG_EXIT_USAGE;
		}
		if (!set_option(config, flag, value, "--", flag))
			return CONFIG_EXIT_USAGE;
	}
	return CONFIG_RUN;
}

/* Checks the options that depend on each other, and applies --lan. */
static bool join_options(struct config *config)
{
	if (!config->tls_cert != !config->tls_key) {
		fprintf(stderr, "cubed: --tls-cert and --tls-key go together\n");
		return false;
	}
	if (config->lan && config->listen_path[0]) {
		fprintf(stderr, "cubed: --lan: a Unix socket cannot be reached from the network; "
				"give it a port, for example --listen 8080\n");
		return false;
	}
	if (!config->lan)
		return true;
	config->listen_host[0] = '\0';
	/* Zero bytes at the end: a longer name is cut without one. */
	return gethostname(config->machine_name, sizeof config->machine_name - 1) == 0;
}

enum config_result config_read(struct config *config, int argc, char **argv)
{
	*config = (struct config){.store = DEFAULT_STORE,
				  .store_wait_ms = STORE_WAIT_MS,
				  .base_path = "",
				  .tables_dir = DEFAULT_TABLES_DIR,
				  .background_nice = BACKGROUND_NICE,
				  .log_level = LOG_INFO,
				  .log_requests = LOG_REQUESTS_ERRORS,
				  .rate_limit = true};
	for (size_t i = 0; i < LIMIT_COUNT; i++)
		*limit_at(config, &limit_options[i]) = limit_options[i].value;
	const char *flags[FLAG_COUNT];
	list_flags(flags);
	if (!listen_parse(config, DEFAULT_LISTEN) || !read_environment(config, flags))
		return CONFIG_EXIT_USAGE;
	enum config_result result = read_flags(config, flags, argc, argv);
	if (result != CONFIG_RUN)
		return result;
	return environment_is_known(flags, FLAG_COUNT) && join_options(config) ? CONFIG_RUN
									       : CONFIG_EXIT_USAGE;
}
