/* solve_file.c: files of other timers, recognised by what they begin with. */
#include "server/modules/times/files/solve_file.h"

#include <string.h>

#include "server/modules/times/files/cstimer.h"
#include "server/modules/times/files/csv.h"
#include "server/modules/times/files/time_list.h"
#include "server/modules/times/files/twisty.h"

/* A file is recognised on a loop: by so much of it, and of its first line. */
#define KIND_BYTES 65536
#define HEADING_MAX 4096

/* Skips a byte order mark and white space. */
static struct span skip_white(struct span text)
{
	const char *at = text.bytes, *end = at + text.length;
	if (end - at >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
		at++;
	return (struct span){at, (size_t)(end - at)};
}

/* Returns true if the first line has a field Time. Only the beginning of a long line counts. */
static bool has_time_column(struct span text)
{
	const size_t most = text.length < HEADING_MAX ? text.length : HEADING_MAX;
	const char *end = memchr(text.bytes, '\n', most);
	const char *at = text.bytes;
	if (!end)
		end = at + most;
	while (at < end) {
		const char *from = at;
		while (at < end && !strchr(";,\t\r", *at))
			at++;
		struct span field = {from, (size_t)(at - from)};
		if (span_is(field, "Time") || span_is(field, "\"Time\""))
			return true;
		at++;
	}
	return false;
}

enum solve_file_kind solve_file_kind_of(struct span text)
{
	text.length = text.length < KIND_BYTES ? text.length : KIND_BYTES;
	text = skip_white(text);
	if (text.length > 0 && (text.bytes[0] == '{' || text.bytes[0] == '['))
		return FILE_CSTIMER;
	if (text.length > 0 && has_time_column(text))
		return FILE_TABLE;
	return twisty_is(text) ? FILE_TWISTY : FILE_TIMES;
}

static const char *what_is_wrong(enum cstimer_result result)
{
	switch (result) {
	case CSTIMER_FOREIGN:
		return "it is JSON, but not a csTimer export";
	case CSTIMER_TWICE:
		return "two of its lists have the same name";
	case CSTIMER_MANY:
		return "it has more than 2048 lists";
	default:
		return "it is not valid JSON";
	}
}

enum cstimer_result solve_file_read(struct span text, enum solve_file_kind kind, int size,
				    struct arena *arena,
				    bool (*visit)(void *context, const struct cstimer_solve *solve),
				    void *context, struct buffer *frame, struct file_fault *fault)
{
	const struct span behind = skip_white(text);
	size_t offset = 0;
	enum cstimer_result result = CSTIMER_OK;
	switch (kind) {
	case FILE_TABLE:
		return csv_read(text, size, arena, visit, context, fault);
	case FILE_TWISTY:
		result = twisty_read(behind, size, arena, visit, context, fault);
		break;
	case FILE_TIMES:
		result = time_list_read(behind, size, arena, visit, context, fault);
		break;
	case FILE_CSTIMER:
		result = cstimer_read(behind, arena, visit, context, frame, &offset);
		*fault = (struct file_fault){.offset = offset, .what = what_is_wrong(result)};
		break;
	}
	if (result != CSTIMER_OK && result != CSTIMER_NO_MEMORY && result != CSTIMER_STOPPED)
		file_fault_at(fault, text.bytes, behind.bytes + fault->offset, fault->what);
	return result;
}
