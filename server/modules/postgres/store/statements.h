/* statements.h: all statements of the store, in one table. A connection prepares each when it first
 * uses it.
 *
 * A row of statements.def, or of a file that it includes:  STATEMENT(NAME, "SELECT ... $1::int8")
 * Names are in the schema `cubed`, which is in the search path. */
#ifndef SERVER_STORE_POSTGRES_STATEMENTS_H
#define SERVER_STORE_POSTGRES_STATEMENTS_H

/* The newest version of the tables that this program knows; see schema.c. */
#define SCHEMA_VERSION 1

enum statement {
#define STATEMENT(name, sql) STATEMENT_##name,
#include "server/modules/postgres/store/statements.def"
#undef STATEMENT
	STATEMENT_COUNT
};

extern const char *const statement_sql[STATEMENT_COUNT];
/* As pg_prepared_statements shows them. */
extern const char *const statement_names[STATEMENT_COUNT];

#endif
