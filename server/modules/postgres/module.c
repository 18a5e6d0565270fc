/* module.c: what the module gives the layers below it. */
#include "server/modules/postgres/module.h"

#include "server/modules/postgres/store/postgres.h"

void module_postgres_setup(void)
{
	store_kind_add(&store_kind_postgres);
}
