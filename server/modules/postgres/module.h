/* module.h: the module `postgres`: a store on PostgreSQL that several servers share. */
#ifndef SERVER_MODULES_POSTGRES_MODULE_H
#define SERVER_MODULES_POSTGRES_MODULE_H

/* Gives what the module has to the layers below it; see modules_setup(). */
void module_postgres_setup(void);

#endif
