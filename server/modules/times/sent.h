/* sent.h: a solve as a client sends it, in the body of POST /v1/solves or in a line of it. */
#ifndef SERVER_MODULES_TIMES_SENT_H
#define SERVER_MODULES_TIMES_SENT_H

#include "server/api/input/moves.h"
#include "server/modules/times/times_internal.h"

struct sent_solve {
	struct text session; /* bytes NULL: not given */
	int64_t size;        /* -1: not given */
	struct moves_request scramble, solution;
	int64_t time_ms, inspection_ms; /* -1: not given */
	int64_t penalty_ms;             /* as given; 0: not given */
	int64_t created_ms;             /* 0: not given */
	int64_t split_ms;               /* of the last split; -1: there is none */
	enum solve_event event;
	const char *list, *splits, *comment;
	bool assisted;
	struct solve_moves moves; /* on the arena */
	struct stored_solve solve;
};

extern const struct sent_solve sent_solve_new;

/* Reads ctx->body. Its texts are the body's, or on the arena. False with a 400. */
MUST_USE bool sent_read(struct context *ctx, struct sent_solve *sent);
/* The size of its cube: as given, or as its event has it, or else `usual`. 0: another puzzle. */
int sent_size(const struct sent_solve *sent, int usual);
/* Rough cost of judging it, in ns. */
uint64_t sent_cost(const struct context *ctx, const struct sent_solve *sent, int size);
/* Begins sent->solve. */
void sent_begin(struct sent_solve *sent, int size, uint32_t actor);
/* Reads scramble and solution, and sets time and penalty. False with a 400, 422 or 503. Any thread. */
MUST_USE bool sent_judge(struct context *ctx, struct sent_solve *sent);

struct receipt_answer;
/* post_lines.c: POST /v1/solves with NDJSON. */
void times_lines_handle(struct context *ctx);
/* The answer again, from the receipt and the body. Any thread. */
void times_lines_again(struct context *ctx, const struct receipt_answer *answer);

#endif
