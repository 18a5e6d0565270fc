/* statements.c: the SQL of all statements. */
#include "server/modules/postgres/store/statements.h"

#define TEXT(value) TEXT_OF(value)
#define TEXT_OF(value) #value

const char *const statement_sql[STATEMENT_COUNT] = {
#define STATEMENT(name, sql) [STATEMENT_##name] = sql,
#include "server/modules/postgres/store/statements.def"
#undef STATEMENT
};

const char *const statement_names[STATEMENT_COUNT] = {
#define STATEMENT(name, sql) [STATEMENT_##name] = #name,
#include "server/modules/postgres/store/statements.def"
#undef STATEMENT
};
