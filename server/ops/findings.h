/* findings.h: prints findings about a database, a line each. */
#ifndef SERVER_OPS_FINDINGS_H
#define SERVER_OPS_FINDINGS_H

#include <stdio.h>

#include "server/store/session_id.h"

/* A database_finding; `context` is the FILE. */
static inline void findings_print(void *context, const struct session_id *session, const char *what)
{
	char id[SESSION_ID_TEXT + 1];
	if (!session) {
		fprintf(context, "%s\n", what);
		return;
	}
	session_id_print(session, id);
	fprintf(context, "session %s: %s\n", id, what);
}

#endif
