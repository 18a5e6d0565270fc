/* refusal.c: the table of reasons. */
#include "server/api/request/refusal.h"

static const struct {
	unsigned status;
	const char *reason;
} refusals[REFUSAL_COUNT] = {
#define REFUSAL_ROW(constant, status, reason) [constant] = {status, reason},
	REFUSAL_TABLE(REFUSAL_ROW)
#undef REFUSAL_ROW
};

const char *refusal_reason(enum refusal refusal)
{
	return refusals[refusal].reason;
}

unsigned refusal_status(enum refusal refusal)
{
	return refusals[refusal].status;
}
