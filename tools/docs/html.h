/* html.h: writing HTML and JSON text to a stream. */
#ifndef TOOLS_DOCS_HTML_H
#define TOOLS_DOCS_HTML_H

#include <stddef.h>
#include <stdio.h>

/* Ends the program with a message. */
_Noreturn void fail(const char *what, const char *which);

/* Text with <, >, & and " escaped, for content and attributes. */
void html_bytes(FILE *out, const char *text, size_t length);
void html_text(FILE *out, const char *text);

/* <code>: names and other short text are never broken over lines, long text may be (class "long"). */
void html_code(FILE *out, const char *text, size_t length);

/* A block of code; `language` may be empty. */
void html_pre(FILE *out, const char *language, size_t language_length, const char *text,
	      size_t length);

/* A JSON string. */
void json_text(FILE *out, const char *text);

/* All of a file or stream, ended by a NUL, in memory of malloc(). */
char *read_file(const char *path);
char *read_stream(FILE *stream);

/* A file below a folder, for writing; folders on the way are made. */
FILE *open_file(const char *folder, const char *path);

/* Ends the program if something was not written. */
void close_file(FILE *file);

#endif
