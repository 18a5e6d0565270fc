/* replay_answer.h: making an answer again from its receipt. */
#ifndef SERVER_API_REPLAY_ANSWER_H
#define SERVER_API_REPLAY_ANSWER_H

#include "server/api/steps/idempotency.h"

replay_receipt replay_answer;

#endif
