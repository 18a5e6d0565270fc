/* twisty.h: files of Twisty Timer (ExportImportDialog and MainActivity of aricneto/TwistyTimer).
 *
 * A backup has all solves, each field in quotes, under a heading with commas that is not always there:
 *
 *     Puzzle,Category,Time(millis),Date(millis),Scramble,Penalty,Comment
 *     "333";"Normal";"12340";"1700000000000";"R U R'";"0";""
 *
 * Penalty 0, 1 (+2, which is in the time) or 2 (DNF). The category is a name that the user chooses;
 * "Normal" is the first one. The other export is of one category, "12.34";"R U R'";"2023-11-14T22:13:20Z",
 * with a fourth field "DNF" for those.
 *
 * A backup of Cubic Timer has the same fields, under a heading in quotes with the separators of the rows
 * (semicolons; commas and tabs are read too). A quote in quotes may be written \". A puzzle can name its
 * category: 333oh, 333bld, 333fmc, 333mbld. Any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_TWISTY_H
#define SERVER_MODULES_TIMES_FILES_TWISTY_H

#include "server/modules/times/files/cstimer.h"
#include "server/modules/times/files/fields.h"

/* Returns true if the first line is of such a file. */
bool twisty_is(struct span text);

/* As csv_read(). Solves of the second kind are of cubes of `size`. */
MUST_USE enum cstimer_result twisty_read(struct span text, int size, struct arena *arena,
					 bool (*visit)(void *context,
						       const struct cstimer_solve *solve),
					 void *context, struct file_fault *fault);

#endif
