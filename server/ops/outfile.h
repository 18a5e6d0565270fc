/* outfile.h: writes a file that is complete and on the disk, or does not exist, and replaces
 * none. */
#ifndef SERVER_OPS_OUTFILE_H
#define SERVER_OPS_OUTFILE_H

#include <stdbool.h>

#include "server/util/error.h"

struct outfile {
	int fd;
	const char *path; /* of the caller: the final path */
	char *temporary;  /* the path until then, in the same folder */
	struct error error;
};

/* Creates an empty file under another name, readable by its owner. A signal that ends the program
 * removes it. False, as the next, with a sentence in `error`. */
MUST_USE bool outfile_open(struct outfile *file, const char *path);
/* Syncs the file and renames it, unless the name is taken. */
MUST_USE bool outfile_commit(struct outfile *file);
/* Removes the file if it was not committed. */
void outfile_close(struct outfile *file);

#endif
