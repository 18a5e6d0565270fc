/* custom_patterns_put.h: storing the patterns of a session. */
#ifndef SERVER_API_CUBES_CUSTOM_PATTERNS_PUT_H
#define SERVER_API_CUBES_CUSTOM_PATTERNS_PUT_H

#include "server/api/steps/receipt.h"

/* Makes the reply that PUT had, from the body, which is parsed, and the receipt. Any thread. */
void pattern_put_again(struct context *ctx, const struct receipt_answer *answer);

#endif
