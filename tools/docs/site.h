/* site.h: what all pages at /docs share: the documents, the frame, the rows of the search. */
#ifndef TOOLS_DOCS_SITE_H
#define TOOLS_DOCS_SITE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "tools/docs/markdown.h"

#define DOCUMENTS_MAX 100

enum group { GROUP_GUIDE, GROUP_REFERENCE, GROUP_INTERNALS, GROUP_COUNT };

/* A Markdown file that is served. */
struct document {
	enum group group;
	char *path;    /* docs/guide/build-a-timer.md */
	char *address; /* /docs/guide/build-a-timer */
	char *title;   /* its first heading */
	char *text;
	size_t order; /* the position in docs/README.md */
};

struct site {
	const char *to; /* the folder of the pages */
	json_t *api;    /* openapi.yaml */
	FILE *search;   /* the rows of the search so far */
	struct document documents[DOCUMENTS_MAX];
	size_t document_count;
};

/* ---- pages.c ---- */

struct page {
	const char *title;
	const char *description;
	const char *address; /* this page among the contents */
	const char *outline; /* HTML below its entry in the contents; NULL: none */
	const char *kind;    /* the class of <body> */
	void (*contents)(const struct site *site, FILE *out); /* of its own; NULL: none */
};

/* The scripts that a page loads beside the search: the examples of calls, or nothing. */
enum needs { NEEDS_NOTHING, NEEDS_CALLS };

/* A page up to its <main>; the rest of it. */
FILE *page_begin(const struct site *site, const char *file, const struct page *page);
void page_end(FILE *out, enum needs needs);

/* ---- documents.c ---- */

extern const char *const group_titles[GROUP_COUNT];

void documents_read(struct site *site);
void documents_write(struct site *site);

/* The address of a link in the file at `path`: that of a document if it leads to one. NULL: it
 * leads to a file that is not served. A file that is not there ends the program. */
const char *document_link(const struct site *site, const char *path, const char *address);

/* ---- problems.c ---- */

#define PROBLEMS_SOURCE "docs/reference/problems.md"

/* The document of all problems; the names in its tables are links to their pages. */
char *problems_read(void);

void problems_write(struct site *site);

/* ---- calls.c, schemas.c ---- */

void calls_write(struct site *site);
void schemas_write(struct site *site);

/* ---- search.c ---- */

/* A row: what it is ("call", "parameter", "member", "schema", "problem", "heading", "document"), its
 * name, where it is, its address, and a text of which the beginning is kept. */
void search_add(struct site *site, const char *kind, const char *name, const char *place,
		const char *address, const char *text);
/* A heading with the words of its section. */
void search_add_section(struct site *site, const char *name, const char *place, const char *address,
			struct line section);
void search_begin(struct site *site);
void search_end(struct site *site);

#endif
