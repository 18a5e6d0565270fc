/* solve_file.h: files of other timers, recognised by what they begin with. Any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_SOLVE_FILE_H
#define SERVER_MODULES_TIMES_FILES_SOLVE_FILE_H

#include "server/modules/times/files/fields.h"

enum solve_file_kind { FILE_CSTIMER, FILE_TABLE, FILE_TWISTY, FILE_TIMES };

/* A bracket: JSON, and so csTimer's export. A first line with a column Time: a table (csv.h). What
 * Twisty Timer begins with (twisty.h). Anything else: a list of times (time_list.h). */
enum solve_file_kind solve_file_kind_of(struct span text);

/* Reads a file, UTF-8; calls `visit` for each solve in order until it returns false. What is around the
 * lists of a csTimer file goes to `frame`. Solves of tables and lists of times are of cubes of `size`.
 * Not CSTIMER_OK: `fault` says where, except for CSTIMER_NO_MEMORY and CSTIMER_STOPPED. */
MUST_USE enum cstimer_result
solve_file_read(struct span text, enum solve_file_kind kind, int size, struct arena *arena,
		bool (*visit)(void *context, const struct cstimer_solve *solve), void *context,
		struct buffer *frame, struct file_fault *fault);

#endif
