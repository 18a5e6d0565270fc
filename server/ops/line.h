/* line.h: a line of an export, read strictly, JSON to structs; and written.
 * docs/reference/export.md describes them. */
#ifndef SERVER_OPS_LINE_H
#define SERVER_OPS_LINE_H

#include "server/json/reader.h"
#include "server/json/writer.h"
#include "server/store/database.h"
#include "server/util/error.h"

#define LINE_FORMAT "cubed-export"
#define LINE_VERSION 1
/* A line ends with the entry that reaches one of these... */
#define LINE_ENTRIES_MAX 1000
#define LINE_BYTES_WANTED (1u << 20)
/* ...and a longer line than this is refused; the largest single entry fits. */
#define LINE_BYTES_MAX (256u << 20)

enum line_kind {
	LINE_HEAD,
	LINE_SESSION,
	LINE_MORE,
	LINE_LAST,
	LINE_RECEIPT,
	LINE_SOLVE,
	LINE_FRAME,
	LINE_ANSWER,
	LINE_OTHER
};

/* All zero is a new one, which serves for many lines. What it returns is valid until the next
 * line. */
struct export_line {
	struct arena arena; /* of what was read of the line */
	struct json_reader json;
	struct json_value *body;
	enum line_kind kind;
	struct database_session session; /* LINE_SESSION */
	struct session_id id;            /* LINE_SESSION, LINE_MORE */
	struct json_value *entries;      /* of the same kinds */
	int64_t sessions, total;         /* LINE_LAST: sessions and entries of the export */
	/* Reused memory: */
	struct cube *base, *cube;
	struct cube_turn *scramble, *turns;
	uint32_t *times;
	struct stored_token *tokens;
	struct stored_pattern *patterns;
	struct receipt receipt;      /* LINE_RECEIPT */
	struct stored_solve solve;   /* LINE_SOLVE */
	const char *frame;           /* LINE_FRAME, of `id` */
	struct stored_answer answer; /* LINE_ANSWER */
	uint8_t *bytes;              /* bytes of solve and answer */
	struct error error;
};

/* Reads a line. False with a sentence in `error`. */
MUST_USE bool line_read(struct export_line *line, const char *text, size_t length);
/* Reads one of its entries, of a cube of that size. */
MUST_USE bool line_entry(struct export_line *line, size_t index, int size, struct entry *entry);
/* line_access.c: the members `tokens` and `patterns` of a session, which may be NULL; a line with a
 * receipt; hexadecimal bytes. */
MUST_USE bool line_read_access(struct export_line *line, struct json_value *tokens,
			       struct json_value *patterns);
MUST_USE bool line_read_receipt(struct export_line *line);
MUST_USE bool line_read_hex(struct export_line *line, struct text text, uint8_t *bytes,
			    size_t length);
/* line_solves.c: lines with solves, frames and answers, and the members of such lines. */
MUST_USE bool line_read_solve(struct export_line *line);
MUST_USE bool line_read_frame(struct export_line *line);
MUST_USE bool line_read_answer(struct export_line *line);
void line_write_solve(struct out *out, const struct stored_solve *solve);
void line_write_frame(struct out *out, const struct session_id *book, const char *frame);
void line_write_answer(struct out *out, const struct stored_answer *answer);
/* line.c: put a sentence, or that of the JSON reader, into `error`. Both return false. */
bool line_say(struct export_line *line, const char *sentence);
bool line_explain(struct export_line *line);
/* line.c: reads one of `count` words; *index is its place. False with the sentence `wrong` for
 * another word. */
MUST_USE bool line_read_word(struct export_line *line, struct text word, const char *const *words,
			     uint8_t count, uint8_t *index, const char *wrong);
/* line.c: reads a name of at most SESSION_NAME_BYTES; `what` begins the sentence about it. */
MUST_USE bool line_read_name(struct export_line *line, struct text name,
			     char into[SESSION_NAME_BYTES + 1], const char *what);

/* line_access.c: bytes as a string of hexadecimal digits. */
void hex_write(struct out *out, const uint8_t *bytes, size_t length);

/* Frees what the line holds. */
void line_finish(struct export_line *line);

#endif
