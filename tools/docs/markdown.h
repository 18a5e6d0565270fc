/* markdown.h: Markdown as HTML: headings, paragraphs, lists, quotes, tables, code, rules, and in
 * lines code, emphasis, links, pictures and line breaks, as GitHub shows them. Everything else is
 * text, and so is what is not closed; HTML is never passed through. */
#ifndef TOOLS_DOCS_MARKDOWN_H
#define TOOLS_DOCS_MARKDOWN_H

#include <stddef.h>
#include <stdio.h>

#include "tools/docs/markdown_lines.h"

#define MARKDOWN_IDS_MAX 500

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

/* The text of one line or paragraph: no blocks. */
void markdown_inline(struct markdown *markdown, const char *text, size_t length);

/* Without marks: what a reader sees, in memory of malloc(). */
char *markdown_plain(const char *text, size_t length);

#endif
