/* markdown.h: Markdown as HTML, read by cmark-gfm: as GitHub shows it, with tables, except that HTML
 * is never passed through: it is shown as text. */
#ifndef TOOLS_DOCS_MARKDOWN_H
#define TOOLS_DOCS_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

#define MARKDOWN_IDS_MAX 500

/* A part of a text. */
struct line {
	const char *text;
	size_t length;
};

struct markdown {
	FILE *out;
	/* Added to the levels of headings. */
	int shift;
	/* Before the ids of headings; NULL: none. */
	const char *prefix;
	/* The address that a link leads to, in memory that lives until the next call; NULL: the link
	 * is only its text. No function: every address as it is. */
	const char *(*link)(void *context, const char *address);
	/* Reports a heading; may be NULL. `text` is without marks; `section`: what is below it, up to
	 * the next heading, with marks. */
	void (*heading)(void *context, int level, const char *id, const char *text,
			struct line section);
	void *context;
	/* The ids so far, so that each is there once. */
	char *ids[MARKDOWN_IDS_MAX];
	size_t id_count;
};

void markdown_write(struct markdown *markdown, const char *text);

/* The text of one line or paragraph, without <p>. */
void markdown_inline(struct markdown *markdown, const char *text, size_t length);

/* Without marks: what a reader sees, in memory of malloc(). */
char *markdown_plain(const char *text, size_t length);

#endif
