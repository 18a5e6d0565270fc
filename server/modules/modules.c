/* modules.c: the table of the modules that this build has. */
#include "server/modules/modules.h"

/* MODULES(X) is X(postgres) ... for the modules that this build has. */
#ifndef MODULES
#include "build/modules.h"
#endif

#define MODULE_SETUP_DECLARED(name) void module_##name##_setup(void);
MODULES(MODULE_SETUP_DECLARED)

void modules_setup(void)
{
#define MODULE_SETUP_CALLED(name) module_##name##_setup();
	MODULES(MODULE_SETUP_CALLED)
}
