/* custom_patterns_put.h: storing the own patterns of a session. */
#ifndef SERVER_API_CUBES_CUSTOM_PATTERNS_PUT_H
#define SERVER_API_CUBES_CUSTOM_PATTERNS_PUT_H

#include "server/api/steps/receipt.h"

/* Makes the reply of the first PUT again, from the parsed body and the receipt. Any thread. */
void pattern_put_again(struct context *ctx, const struct receipt_answer *answer);

#endif
