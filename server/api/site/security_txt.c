/* security_txt.c: GET /.well-known/security.txt (RFC 9116): who gets reports of weaknesses. */
#include <time.h>

#include "server/api/request/handlers.h"
#include "server/api/request/media.h"
#include "server/api/request/problem.h"
#include "server/api/request/service_state.h"
#include "server/api/steps/caching.h"
#include "server/util/monotonic.h"

/* RFC 9116 recommends less than a year. The file changes once a day. */
#define DAY_S 86400
#define VALID_DAYS 180

static void write_expires(struct buffer *text)
{
	const time_t day = (time_t)(wall_ms() / 1000 / DAY_S + VALID_DAYS) * DAY_S;
	struct tm parts;
	char line[48];
	if (gmtime_r(&day, &parts) &&
	    strftime(line, sizeof line, "Expires: %Y-%m-%dT%H:%M:%SZ\n", &parts) > 0)
		buffer_text(text, line);
}

void security_txt_handle(struct context *ctx)
{
	const struct config *config = &ctx->service->config;
	struct reply *reply = &ctx->request->reply;
	if (config->security_contact_count == 0) {
		problem_answer(
			ctx->request, PROBLEM_NO_SUCH_ROUTE,
			"This server names no contact for reports of weaknesses; its operator "
			"can, for example with --security-contact "
			"mailto:security@example.org.");
		ctx_answer(ctx);
		return;
	}
	for (size_t i = 0; i < config->security_contact_count; i++) {
		buffer_text(&reply->body, "Contact: ");
		buffer_text(&reply->body, config->security_contact[i]);
		buffer_text(&reply->body, "\n");
	}
	write_expires(&reply->body);
	reply->status = 200;
	reply->content_type = media_type(MEDIA_TEXT);
	reply->cache = caching_shared;
	ctx_answer(ctx);
}
