/* csv.h: tables of solves as csTimer writes them: semicolons, CRLF, no end of line at the end.
 *
 *     No.;Time;Comment;Scramble;Date;P.1
 *     1;12.34;;R U R' U';2026-11-21 18:00:00;12.34
 *     2;14.34+;"a;b";R U2;2026-11-21 18:01:00;12.34        +2, of 12.34
 *     3;DNF(9.87);;R;2026-11-21 18:02:00;9.87
 *
 * If any solve was assisted, there is a last column, Assisted, with a 1 for each that was.
 *
 * P.1, P.2, ... are the durations of the phases. Dates are UTC. Times have three decimals if any of
 * the table needs them. A row that is read becomes the text of a csTimer solve (cstimer.h), so both
 * formats carry the same. Any thread. */
#ifndef SERVER_MODULES_TIMES_FILES_CSV_H
#define SERVER_MODULES_TIMES_FILES_CSV_H

#include "server/modules/times/files/cstimer.h"
#include "server/modules/times/files/fields.h"

/* Reads a table, UTF-8: the heading names the columns, in any order; Time is needed. The separator
 * is that of the heading: semicolon, comma or tab. Solves are of cubes of `size`. */
MUST_USE enum cstimer_result csv_read(struct span text, int size, struct arena *arena,
				      bool (*visit)(void *context,
						    const struct cstimer_solve *solve),
				      void *context, struct file_fault *fault);

/* ---- writing ---- */

struct csv_format {
	size_t phases;    /* columns P.n, at least 1 */
	bool thousandths; /* times have three decimals */
	bool assisted;    /* there is a column Assisted */
};

/* Widens the format so that it fits a solve. */
void csv_format_fit(struct csv_format *format, const struct cstimer_solve *solve);
void csv_write_heading(struct buffer *to, const struct csv_format *format);
/* Writes an end of line and a row. `solve` is as read by cstimer_solve_read(). */
void csv_write_row(struct buffer *to, const struct csv_format *format, size_t number,
		   const struct cstimer_solve *solve);

#endif
