/* export.c: cubed export [FILE]: everything as lines of JSON, which docs/reference/export.md
 * describes. */
#include "cube/cube.h"
#include "server/ops/ops.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/format/cube_out.h"
#include "server/format/session_out.h"
#include "server/ops/findings.h"
#include "server/ops/line.h"
#include "server/ops/outfile.h"
#include "server/times/timed.h"
#include "server/store/database.h"

#define FLUSH_BYTES (64u << 10)

struct exporter {
	FILE *to;
	struct buffer buffer; /* not written yet */
	struct out out;
	bool failed; /* a write failed, with `error` */
	int error;
	char id[SESSION_ID_TEXT + 1]; /* of the current session */
	size_t line_entries, line_bytes;
	uint64_t sessions, entries;
};

/* ---- lines ---- */

static bool flush_lines(struct exporter *exporter)
{
	struct buffer *buffer = &exporter->buffer;
	errno = ENOMEM;
	if (buffer->failed ||
	    fwrite(buffer->bytes, 1, buffer->length, exporter->to) != buffer->length) {
		exporter->failed = true;
		exporter->error = errno;
	}
	exporter->line_bytes += buffer->length;
	buffer->length = 0;
	return !exporter->failed;
}

static void begin_line(struct exporter *exporter)
{
	exporter->out.comma = false;
	exporter->line_entries = exporter->line_bytes = 0;
	out_open(&exporter->out, '{');
}

static bool end_line(struct exporter *exporter)
{
	out_close(&exporter->out, '}');
	buffer_add(&exporter->buffer, "\n", 1);
	return exporter->buffer.length < FLUSH_BYTES || flush_lines(exporter);
}

static void number_member(struct exporter *exporter, const char *key, int64_t number)
{
	out_member_integer(&exporter->out, key, number);
}

static void text_member(struct exporter *exporter, const char *key, const char *text)
{
	out_member_string(&exporter->out, key, text);
}

static void cube_member(struct exporter *exporter, const struct cube *cube)
{
	struct out *out = &exporter->out;
	out_member_open(out, "cube", '{');
	out_member_open(out, "stickers", '[');
	for (size_t i = 0; i < cube_facelets(cube->size); i++)
		out_integer(out, cube->sticker[i]);
	out_close(out, ']');
	out_member_open(out, "spins", '[');
	for (int face = 0; face < CUBE_FACES; face++)
		out_integer(out, cube->spin[face]);
	out_close(out, ']');
	out_close(out, '}');
}

static void hash_member(struct exporter *exporter, const char *key, const uint8_t hash[HASH_BYTES])
{
	out_key(&exporter->out, key);
	hex_write(&exporter->out, hash, HASH_BYTES);
}

static void tokens_member(struct exporter *exporter, const struct database_session *session)
{
	struct out *out = &exporter->out;
	out_member_open(out, "tokens", '[');
	for (size_t i = 0; i < session->token_count; i++) {
		const struct stored_token *token = &session->tokens[i];
		out_open(out, '{');
		text_member(exporter, "role", role_names[token->role]);
		hash_member(exporter, "hash", token->hash);
		number_member(exporter, "created_ms", token->created_ms);
		if (token->revoked_ms != 0)
			number_member(exporter, "revoked_ms", token->revoked_ms);
		if (token->label[0])
			text_member(exporter, "label", token->label);
		if (token->parent != 0)
			number_member(exporter, "parent", token->parent);
		out_close(out, '}');
	}
	out_close(out, ']');
}

static void patterns_member(struct exporter *exporter, const struct database_session *session)
{
	struct out *out = &exporter->out;
	out_member_open(out, "patterns", '[');
	for (size_t i = 0; i < session->pattern_count; i++) {
		const struct stored_pattern *pattern = &session->patterns[i];
		out_open(out, '{');
		if (pattern->token != 0)
			number_member(exporter, "token", pattern->token);
		text_member(exporter, "name", pattern->name);
		text_member(exporter, "pattern", pattern->pattern);
		number_member(exporter, "updated_ms", pattern->updated_ms);
		out_close(out, '}');
	}
	out_close(out, ']');
}

static void open_entries(struct exporter *exporter)
{
	out_member_open(&exporter->out, "entries", '[');
}

/* ---- the visitor ---- */

static bool export_session(void *context, const struct database_session *session)
{
	struct exporter *exporter = context;
	const struct session_meta *meta = &session->meta;
	session_id_print(&meta->id, exporter->id);
	begin_line(exporter);
	text_member(exporter, "id", exporter->id);
	number_member(exporter, "size", meta->size);
	text_member(exporter, "access", access_names[meta->access]);
	number_member(exporter, "created_ms", meta->created_ms);
	if (meta->updated_ms != meta->created_ms)
		number_member(exporter, "updated_ms", meta->updated_ms);
	if (meta->deleted)
		number_member(exporter, "deleted_ms", session->deleted_ms);
	if (meta->name[0])
		text_member(exporter, "name", meta->name);
	if (session->base)
		cube_member(exporter, session->base);
	if (session->scramble_count > 0) {
		out_key(&exporter->out, "scramble");
		turns_write(&exporter->out, meta->size, session->scramble, session->scramble_count);
	}
	if (meta->listed)
		out_member_bool(&exporter->out, "listed", true);
	if (meta->policy != POLICY_FREE)
		text_member(exporter, "turn_policy", policy_names[meta->policy]);
	if (meta->assisted != 0)
		number_member(exporter, "assisted", (int64_t)meta->assisted - 1);
	if (session->token_count > 0)
		tokens_member(exporter, session);
	if (session->pattern_count > 0)
		patterns_member(exporter, session);
	open_entries(exporter);
	exporter->sessions++;
	return true;
}

static void timed_write(struct out *out, int size, const struct entry *entry)
{
	out_open(out, '"');
	char *room = buffer_room(out->buffer, timed_text_max(entry->turn_count));
	if (room)
		out->buffer->length +=
			timed_print(size, entry->turns, entry->times, entry->turn_count, room);
	out_close(out, '"');
}

/* Begins a new line before one gets too long. */
static bool export_entry(void *context, int size, const struct entry *entry)
{
	struct exporter *exporter = context;
	struct out *out = &exporter->out;
	if (exporter->line_entries == LINE_ENTRIES_MAX ||
	    exporter->line_bytes + exporter->buffer.length >= LINE_BYTES_WANTED) {
		out_close(out, ']');
		if (!end_line(exporter) || !flush_lines(exporter))
			return false;
		begin_line(exporter);
		text_member(exporter, "continues", exporter->id);
		open_entries(exporter);
	}
	out_open(out, '{');
	number_member(exporter, "revision", entry->revision);
	number_member(exporter, "time_ms", entry->time_ms);
	text_member(exporter, "kind", entry_kind_name(entry->kind));
	if (entry->restores != HISTORY_NONE)
		number_member(exporter, "restores", entry->restores);
	if (entry->actor != 0)
		number_member(exporter, "actor", entry->actor);
	if (entry->has_turns) {
		out_key(out, "moves");
		if (entry->times)
			timed_write(out, size, entry);
		else
			turns_write(out, size, entry->turns, entry->turn_count);
	} else {
		cube_member(exporter, entry->cube);
	}
	out_close(out, '}');
	exporter->line_entries++;
	exporter->entries++;
	return exporter->buffer.length < FLUSH_BYTES || flush_lines(exporter);
}

static bool export_end(void *context)
{
	struct exporter *exporter = context;
	out_close(&exporter->out, ']');
	return end_line(exporter);
}

static bool export_receipt(void *context, const struct receipt *receipt)
{
	struct exporter *exporter = context;
	begin_line(exporter);
	hash_member(exporter, "receipt", receipt->key);
	hash_member(exporter, "body", receipt->body);
	number_member(exporter, "created_ms", receipt->created_ms);
	out_key(&exporter->out, "answer");
	hex_write(&exporter->out, receipt->answer, receipt->answer_bytes);
	return end_line(exporter);
}

static bool export_solve(void *context, const struct stored_solve *solve)
{
	struct exporter *exporter = context;
	begin_line(exporter);
	line_write_solve(&exporter->out, solve);
	return end_line(exporter);
}

static bool export_frame(void *context, const struct session_id *book, const char *frame)
{
	struct exporter *exporter = context;
	begin_line(exporter);
	line_write_frame(&exporter->out, book, frame);
	return end_line(exporter);
}

static bool export_answer(void *context, const struct stored_answer *answer)
{
	struct exporter *exporter = context;
	begin_line(exporter);
	line_write_answer(&exporter->out, answer);
	return end_line(exporter);
}

static void export_finding(void *context, const struct session_id *session, const char *what)
{
	(void)context;
	findings_print(stderr, session, what);
}

/* ---- the whole ---- */

static bool write_all(struct exporter *exporter, struct database *database,
		      struct database_counts *counts)
{
	const struct database_visitor visitor = {.context = exporter,
						 .session = export_session,
						 .entry = export_entry,
						 .end = export_end,
						 .receipt = export_receipt,
						 .solve = export_solve,
						 .frame = export_frame,
						 .answer = export_answer,
						 .finding = export_finding};
	exporter->out.buffer = &exporter->buffer;
	begin_line(exporter);
	text_member(exporter, "format", LINE_FORMAT);
	number_member(exporter, "version", LINE_VERSION);
	if (!end_line(exporter) || database_scan(database, &visitor, counts) != STORE_OK)
		return false;
	/* The last line shows a reader that nothing is missing. */
	begin_line(exporter);
	number_member(exporter, "sessions", (int64_t)exporter->sessions);
	number_member(exporter, "entries", (int64_t)exporter->entries);
	if (!end_line(exporter) || !flush_lines(exporter))
		return false;
	if (fflush(exporter->to) == 0)
		return true;
	exporter->failed = true;
	exporter->error = errno;
	return false;
}

/* Returns the exit code. A damaged database is exported as far as it is sound. Afterwards the file
 * itself is checked: only SQLite's check sees some damage (rows out of order, a free page in
 * use). */
static int export_to(FILE *to, const struct ops_call *call, bool *whole)
{
	struct error error = {0};
	struct database_counts counts = {0};
	struct exporter exporter = {.to = to};
	struct database *database = database_open(call->store, DATABASE_LIVE, &error);
	*whole = false;
	if (!database)
		return ops_failed("%s", error.text);
	*whole = write_all(&exporter, database, &counts);
	buffer_free(&exporter.buffer);
	const struct database_visitor examiner = {.finding = export_finding};
	const bool examined =
		exporter.failed || database_examine(database, &examiner, &counts) == STORE_OK;
	bool same = database_close(database);
	if (exporter.failed)
		return ops_failed("cannot write the export: %s", strerror(exporter.error));
	if (!same)
		return ops_failed("%s changed meanwhile and could not be locked: export it again",
				  call->name);
	if (!*whole)
		return ops_failed("the export is cut off");
	if (!examined || counts.findings > 0)
		return ops_failed("%" PRIu64 " findings: what could be read was exported",
				  counts.findings);
	return 0;
}

int export_run(const struct ops_call *call)
{
	struct outfile file;
	bool whole;
	if (!call->file || strcmp(call->file, "-") == 0)
		return export_to(stdout, call, &whole);
	if (!outfile_open(&file, call->file))
		return ops_failed("%s", file.error.text);
	int code = 1;
	FILE *to = fdopen(file.fd, "w");
	if (to) {
		code = export_to(to, call, &whole);
		if (whole && !outfile_commit(&file))
			code = ops_failed("%s", file.error.text);
		fclose(to);
		file.fd = -1;
	} else {
		ops_failed("no memory");
	}
	outfile_close(&file);
	return code;
}
