/* module.h: the module `times`: recorded solves. */
#ifndef SERVER_MODULES_TIMES_MODULE_H
#define SERVER_MODULES_TIMES_MODULE_H

/* Gives what the module has to the layers below it; see modules_setup(). */
void module_times_setup(void);

#endif
