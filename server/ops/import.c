/* import.c: cubed import FILE: an export into a new store, all of it or nothing. */
#include "server/ops/ops.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/ops/line.h"
#include "server/store/session_id.h"

struct importer {
	struct database_loader *loader;
	struct export_line line;
	uint64_t number;         /* of the line */
	bool begun, open, ended; /* the head was read; a session is open; the last line was read */
	struct session_id id;    /* of the open session */
	int size;
	uint64_t sessions, entries;
	struct error error; /* the loader uses it too */
};

static bool import_failed(struct importer *importer, const char *sentence)
{
	return error_set(&importer->error, "%s", sentence);
}

static bool close_session(struct importer *importer)
{
	if (!importer->open)
		return true;
	importer->open = false;
	return database_load_end(importer->loader);
}

static bool load_entries(struct importer *importer)
{
	struct export_line *line = &importer->line;
	size_t count = json_item_count(line->entries);
	for (size_t i = 0; i < count; i++) {
		struct entry entry;
		if (!line_entry(line, i, importer->size, &entry))
			return import_failed(importer, line->error.text);
		if (!database_load_entry(importer->loader, &entry))
			return false;
		importer->entries++;
	}
	return true;
}

static bool load_session(struct importer *importer)
{
	const struct export_line *line = &importer->line;
	if (!close_session(importer) || !database_load_session(importer->loader, &line->session))
		return false;
	importer->open = true;
	importer->id = line->id;
	importer->size = line->session.meta.size;
	importer->sessions++;
	return load_entries(importer);
}

static bool load_more(struct importer *importer)
{
	if (!importer->open || memcmp(&importer->id, &importer->line.id, sizeof importer->id) != 0)
		return import_failed(importer,
				     "this line continues a session that is not the one before it");
	return load_entries(importer);
}

static bool load_last(struct importer *importer)
{
	const struct export_line *line = &importer->line;
	importer->ended = true;
	if (!close_session(importer))
		return false;
	if ((uint64_t)line->sessions == importer->sessions &&
	    (uint64_t)line->total == importer->entries)
		return true;
	return import_failed(importer, "sessions or entries are missing before this last line");
}

static bool load_line(struct importer *importer, const char *text, size_t length)
{
	struct export_line *line = &importer->line;
	importer->number++;
	if (length > LINE_BYTES_MAX)
		return import_failed(importer, "this line is too long");
	if (importer->ended)
		return import_failed(importer, "there are lines after the last one");
	if (!line_read(line, text, length))
		return import_failed(importer, line->error.text);
	if ((line->kind == LINE_HEAD) == importer->begun)
		return import_failed(importer, importer->begun ? "there is a second head"
							       : "this is not an export of cubed");
	importer->begun = true;
	switch (line->kind) {
	case LINE_SESSION:
		return load_session(importer);
	case LINE_MORE:
		return load_more(importer);
	case LINE_LAST:
		return load_last(importer);
	case LINE_RECEIPT:
		return close_session(importer) &&
		       database_load_receipt(importer->loader, &line->receipt);
	case LINE_SOLVE:
		return close_session(importer) &&
		       database_load_solve(importer->loader, &line->solve);
	case LINE_FRAME:
		return close_session(importer) &&
		       database_load_frame(importer->loader, &line->id, line->frame);
	case LINE_ANSWER:
		return close_session(importer) &&
		       database_load_answer(importer->loader, &line->answer);
	case LINE_HEAD:
	case LINE_OTHER:
		break;
	}
	return true;
}

/* False with a sentence in `error`. */
static bool load_file(struct importer *importer, FILE *from)
{
	char *text = NULL;
	size_t capacity = 0;
	ssize_t length;
	bool loaded = true;
	while (loaded && (length = getline(&text, &capacity, from)) > 0)
		loaded = load_line(importer, text, (size_t)length);
	if (loaded && !importer->ended) {
		importer->number++;
		loaded = import_failed(importer, ferror(from) ? strerror(errno)
						 : importer->begun
							 ? "the export is cut off here"
							 : "this is not an export of cubed");
	}
	free(text);
	return loaded;
}

static int import_from(FILE *from, const struct ops_call *call, struct importer *importer)
{
	struct database_counts counts;
	importer->loader = database_load(call->store, &importer->error);
	if (!importer->loader)
		return ops_failed("%s", importer->error.text);
	if (!load_file(importer, from)) {
		char id[SESSION_ID_TEXT + 1] = "";
		session_id_print(&importer->id, id);
		return ops_failed("line %" PRIu64 "%s%s: %s; nothing was imported",
				  importer->number, importer->open ? ", session " : "",
				  importer->open ? id : "", importer->error.text);
	}
	if (!database_load_commit(importer->loader, &counts))
		return ops_failed("%s; nothing was imported", importer->error.text);
	printf("%s: %" PRIu64 " sessions, %" PRIu64 " entries: imported\n", call->name,
	       importer->sessions, importer->entries);
	return 0;
}

int import_run(const struct ops_call *call)
{
	bool from_stdin = strcmp(call->file, "-") == 0;
	FILE *from = from_stdin ? stdin : fopen(call->file, "re");
	if (!from)
		return ops_failed("cannot open %s: %s", call->file, strerror(errno));
	struct importer *importer = calloc(1, sizeof *importer);
	int code = 1;
	if (importer) {
		json_setup();
		code = import_from(from, call, importer);
		database_load_close(importer->loader);
		line_finish(&importer->line);
	} else {
		ops_failed("no memory");
	}
	free(importer);
	if (!from_stdin)
		fclose(from);
	return code;
}
