/* modules.h: the modules of this build. ARCHITECTURE.md says what a module is. */
#ifndef SERVER_MODULES_MODULES_H
#define SERVER_MODULES_MODULES_H

/* Gives the modules' functions to the layers below them. Called once, before anything else of the
 * server is used. */
void modules_setup(void);

#endif
