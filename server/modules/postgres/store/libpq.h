/* libpq.h: PostgreSQL's client library, loaded when it is first needed.
 *
 * The binary is not linked with libpq, so that it starts where libpq is not installed. Its functions
 * are called through the table `pq`: pq.PQfinish(connection). The header of libpq gives the types. */
#ifndef SERVER_STORE_POSTGRES_LIBPQ_H
#define SERVER_STORE_POSTGRES_LIBPQ_H

#include <libpq-fe.h>

#include "server/util/error.h"

/* All functions of libpq that are used. Each is in libpq of PostgreSQL 14 or older. */
#define LIBPQ_FUNCTIONS(X)                                                                         \
	X(PQbackendPID)                                                                            \
	X(PQclear)                                                                                 \
	X(PQconnectdbParams)                                                                       \
	X(PQconsumeInput)                                                                          \
	X(PQenterPipelineMode)                                                                     \
	X(PQerrorMessage)                                                                          \
	X(PQexitPipelineMode)                                                                      \
	X(PQfinish)                                                                                \
	X(PQflush)                                                                                 \
	X(PQfreemem)                                                                               \
	X(PQgetResult)                                                                             \
	X(PQgetisnull)                                                                             \
	X(PQgetlength)                                                                             \
	X(PQgetvalue)                                                                              \
	X(PQisBusy)                                                                                \
	X(PQnotifies)                                                                              \
	X(PQntuples)                                                                               \
	X(PQpipelineSync)                                                                          \
	X(PQputCopyData)                                                                           \
	X(PQputCopyEnd)                                                                            \
	X(PQresultErrorField)                                                                      \
	X(PQresultStatus)                                                                          \
	X(PQsendPrepare)                                                                           \
	X(PQsendQuery)                                                                             \
	X(PQsendQueryParams)                                                                       \
	X(PQsendQueryPrepared)                                                                     \
	X(PQserverVersion)                                                                         \
	X(PQsetNoticeReceiver)                                                                     \
	X(PQsetnonblocking)                                                                        \
	X(PQsocket)                                                                                \
	X(PQstatus)

struct libpq {
#define LIBPQ_MEMBER(name) __typeof__(name) *name;
	LIBPQ_FUNCTIONS(LIBPQ_MEMBER)
#undef LIBPQ_MEMBER
};

/* Filled by libpq_load(); constant from then on. */
extern struct libpq pq;

/* Loads the library once; it stays loaded. False with a sentence in `error`. Any thread. */
MUST_USE bool libpq_load(struct error *error);

#endif
