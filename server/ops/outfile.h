/* outfile.h: a file that is there whole and on the disk, or not at all, and replaces none. */
#ifndef SERVER_OPS_OUTFILE_H
#define SERVER_OPS_OUTFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/util/error.h"

struct outfile {
	int fd;
	const char *path; /* the caller's; where it will be */
	char *temporary;  /* where it is until then; in the same folder */
	struct error error;
};

/* Makes an empty file under another name, readable by its owner. All functions: false with a
 * sentence in `error`. A signal that ends the program removes the file. */
MUST_USE bool outfile_open(struct outfile *file, const char *path);
/* Brings what was written to the disk and gives the file its name, unless that is taken. */
MUST_USE bool outfile_commit(struct outfile *file);
/* Removes what was not committed. */
void outfile_close(struct outfile *file);

#endif
