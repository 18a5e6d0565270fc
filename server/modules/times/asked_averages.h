/* asked_averages.h: averages that a request names beside the usual ones: "ao25", "mo10". */
#ifndef SERVER_MODULES_TIMES_ASKED_AVERAGES_H
#define SERVER_MODULES_TIMES_ASKED_AVERAGES_H

#include <stdbool.h>

#include "server/util/error.h"

/* The most of one request. */
#define ASKED_AVERAGES 4

/* "ao1000", with its NUL. */
#define AVERAGE_NAME_BYTES 8

struct average_kind {
	unsigned of; /* 0: none */
	bool mean;   /* nothing is left out */
};

struct context;

/* Reads the parameter `averages`. Otherwise answers 400 and returns false. */
MUST_USE bool asked_averages_read(struct context *ctx, struct average_kind asked[ASKED_AVERAGES]);
bool asked_averages_equal(const struct average_kind *a, const struct average_kind *b);
void average_kind_name(struct average_kind kind, char name[AVERAGE_NAME_BYTES]);
/* The number of results that are left out at each end. */
unsigned average_kind_trim(struct average_kind kind);

#endif
