/* documents.c: the Markdown files of the project as pages. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/docs/html.h"
#include "tools/docs/site.h"

#define FIRST "docs/README.md"

const char *const group_titles[GROUP_COUNT] = {"Guides", "Reference", "Internals"};

static const struct {
	enum group group;
	const char *name, *files, *title;
} groups[] = {
	{GROUP_GUIDE, "guide", "docs/guide/*.md", "Guide"},
	{GROUP_REFERENCE, "reference", "docs/reference/*.md", "Reference"},
	{GROUP_INTERNALS, "internals", "docs/internals/*.md", "Internals"},
};

/* Documents in other folders. */
static const struct {
	enum group group;
	const char *path, *address, *title; /* NULL: its heading */
} others[] = {
	{GROUP_GUIDE, FIRST, "/docs/guide", NULL},
	{GROUP_GUIDE, "clients/js/README.md", "/docs/guide/javascript-client", "JavaScript client"},
	{GROUP_GUIDE, "clients/python/README.md", "/docs/guide/python-client", "Python client"},
	{GROUP_GUIDE, "bindings/python/README.md", "/docs/guide/python-library", "Python library"},
	{GROUP_GUIDE, "bindings/js/README.md", "/docs/guide/javascript-library",
	 "JavaScript library"},
	{GROUP_REFERENCE, "CHANGES.md", "/docs/reference/changes", NULL},
	{GROUP_INTERNALS, "ARCHITECTURE.md", "/docs/internals/architecture", NULL},
	{GROUP_INTERNALS, "CONTRIBUTING.md", "/docs/internals/contributing", NULL},
	{GROUP_INTERNALS, "SECURITY.md", "/docs/internals/security", NULL},
	{GROUP_INTERNALS, "tests/README.md", "/docs/internals/tests", NULL},
	{GROUP_INTERNALS, "clients/terminal/README.md", "/docs/internals/terminal", NULL},
};

/* ---- reading ---- */

static void read_document(struct site *site, enum group group, const char *path,
			  const char *address, const char *title)
{
	if (site->document_count == DOCUMENTS_MAX)
		fail("too many documents", path);
	char *text = strcmp(path, PROBLEMS_SOURCE) == 0 ? problems_read() : read_file(path);
	if (strncmp(text, "# ", 2) != 0)
		fail("does not begin with a heading", path);
	site->documents[site->document_count++] = (struct document){
		.group = group,
		.path = strdup(path),
		.address = strdup(address),
		.title = title ? strdup(title) : markdown_plain(text + 2, strcspn(text + 2, "\n")),
		.text = text,
		.order = (size_t)-1,
	};
}

static struct document *find_document(struct site *site, const char *address, size_t length)
{
	for (size_t i = 0; i < site->document_count; i++)
		if (strlen(site->documents[i].address) == length &&
		    strncmp(site->documents[i].address, address, length) == 0)
			return &site->documents[i];
	return NULL;
}

static int by_order(const void *a, const void *b)
{
	const struct document *x = a, *y = b;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return strcmp(x->path, y->path);
}

/* The order in which docs/README.md names them; it must name all that are in docs/. */
static void order_documents(struct site *site)
{
	struct document *first = find_document(site, "/docs/guide", strlen("/docs/guide"));
	first->order = 0;
	for (const char *at = first->text; (at = strstr(at, "](")) != NULL; at += 2) {
		char *address = strndup(at + 2, strcspn(at + 2, ")"));
		const char *target = document_link(site, FIRST, address);
		struct document *document =
			target ? find_document(site, target, strcspn(target, "#")) : NULL;
		if (document && document->order == (size_t)-1)
			document->order = (size_t)(at - first->text);
		free(address);
	}
	for (size_t i = 0; i < site->document_count; i++)
		if (site->documents[i].order == (size_t)-1 &&
		    strncmp(site->documents[i].path, "docs/", 5) == 0)
			fail("not named in " FIRST, site->documents[i].path);
	qsort(site->documents, site->document_count, sizeof site->documents[0], by_order);
}

void documents_read(struct site *site)
{
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		read_document(site, others[i].group, others[i].path, others[i].address,
			      others[i].title);
	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
		glob_t found;
		if (glob(groups[i].files, 0, NULL, &found) != 0)
			fail("no documents", groups[i].files);
		for (size_t j = 0; j < found.gl_pathc; j++) {
			const char *name = strrchr(found.gl_pathv[j], '/') + 1;
			char address[300];
			snprintf(address, sizeof address, "/docs/%s/%.*s", groups[i].name,
				 (int)strcspn(name, "."), name);
			if (strcmp(address, "/docs/reference/problems") == 0)
				snprintf(address, sizeof address, "/docs/problems");
			read_document(site, groups[i].group, found.gl_pathv[j], address, NULL);
		}
		globfree(&found);
	}
	order_documents(site);
}

/* ---- links ---- */

/* The path in the project that an address leads to from the file at `from`: "../x.md" from
 * "docs/a/b.md" is "docs/x.md". */
static void resolve_path(const char *from, const char *address, char *path, size_t room)
{
	const char *slash = strrchr(from, '/');
	size_t length = slash ? (size_t)(slash - from) : 0;
	snprintf(path, room, "%.*s", (int)length, from);
	while (*address && *address != '#') {
		const size_t part = strcspn(address, "/#");
		if (part == 2 && strncmp(address, "..", 2) == 0) {
			char *last = strrchr(path, '/');
			*(last ? last : path) = '\0';
		} else if (part > 0 && !(part == 1 && address[0] == '.')) {
			length = strlen(path);
			snprintf(path + length, room - length, "%s%.*s", length > 0 ? "/" : "",
				 (int)part, address);
		}
		address += part + (address[part] == '/');
	}
}

const char *document_link(const struct site *site, const char *path, const char *address)
{
	static char target[600];
	char file[300], readme[320];
	if (address[0] == '#' || address[0] == '/' || strchr(address, ':'))
		return address;
	resolve_path(path, address, file, sizeof file);
	snprintf(readme, sizeof readme, "%s/README.md", file);
	const char *anchor = strchr(address, '#');
	for (size_t i = 0; i < site->document_count; i++) {
		const struct document *document = &site->documents[i];
		if (strcmp(document->path, file) != 0 && strcmp(document->path, readme) != 0)
			continue;
		snprintf(target, sizeof target, "%s%s", document->address, anchor ? anchor : "");
		return target;
	}
	if (strcmp(file, "openapi.yaml") == 0)
		return "/openapi.yaml";
	if (access(file, F_OK) != 0) {
		fprintf(stderr, "make-docs: %s: ", path);
		fail("a link to a file that is not there", file);
	}
	return NULL;
}

/* ---- writing ---- */

/* The context of the callbacks of a document's Markdown. */
struct writing {
	struct site *site;
	const struct document *document;
	FILE *outline;
	size_t headings;
};

static const char *write_link(void *context, const char *address)
{
	const struct writing *writing = context;
	return document_link(writing->site, writing->document->path, address);
}

static void write_heading(void *context, int level, const char *id, const char *text,
			  struct line section)
{
	struct writing *writing = context;
	const struct document *document = writing->document;
	char address[600];
	if (level == 1)
		return;
	snprintf(address, sizeof address, "%s#%s", document->address, id);
	if (document->group == GROUP_INTERNALS || strcmp(document->path, "CHANGES.md") == 0)
		search_add(writing->site, "heading", text, document->title, address, NULL);
	else
		search_add_section(writing->site, text, document->title, address, section);
	if (level > 2)
		return;
	fputs(writing->headings++ == 0 ? "\n<ul>\n" : "", writing->outline);
	fputs("<li><a href=\"#", writing->outline);
	html_text(writing->outline, id);
	fputs("\">", writing->outline);
	html_text(writing->outline, text);
	fputs("</a></li>\n", writing->outline);
}

/* The first paragraph, for search engines and the list of results. */
static char *first_paragraph(const char *text)
{
	while ((text = strstr(text, "\n\n")) != NULL) {
		text += 2;
		if (strspn(text, "#|`-*> ") > 0)
			continue;
		const char *end = strstr(text, "\n\n");
		char *plain = markdown_plain(text, end ? (size_t)(end - text) : strlen(text));
		for (char *at = plain; *at; at++)
			if (*at == '\n')
				*at = ' ';
		return plain;
	}
	return strdup("A document of cubed, a server for Rubik's cubes of any size.");
}

/* The documents before and after it in its group. */
static void write_neighbours(const struct site *site, FILE *out, const struct document *document)
{
	const struct document *first = site->documents;
	const struct document *end = first + site->document_count;
	const struct document *before = document - 1, *after = document + 1;
	while (before >= first && before->group != document->group)
		before--;
	while (after < end && after->group != document->group)
		after++;
	fputs("<nav class=\"neighbours\" aria-label=\"Before and after\">\n", out);
	for (int i = 0; i < 2; i++) {
		const struct document *other = i == 0 ? before : after;
		if (other < first || other >= end)
			continue;
		fprintf(out, "<a rel=\"%s\" href=\"%s\">", i == 0 ? "prev" : "next",
			other->address);
		html_text(out, other->title);
		fputs("</a>\n", out);
	}
	fputs("</nav>\n", out);
}

static void write_document(struct site *site, const struct document *document, const char *address)
{
	char *body, *outline, file[300];
	size_t size, outline_size;
	struct writing writing = {.site = site, .document = document};
	struct markdown markdown = {
		.link = write_link, .heading = write_heading, .context = &writing};
	markdown.out = open_memstream(&body, &size);
	writing.outline = open_memstream(&outline, &outline_size);
	char *description = first_paragraph(document->text);
	search_add(site, "document", document->title, group_titles[document->group],
		   document->address, description);
	markdown_write(&markdown, document->text);
	fclose(markdown.out);
	fputs(writing.headings > 0 ? "</ul>\n" : "", writing.outline);
	fclose(writing.outline);
	snprintf(file, sizeof file, "%s.html", address + 1);
	const struct page page = {.title = document->title,
				  .description = description,
				  .address = document->address,
				  .outline = outline,
				  .kind = "document"};
	FILE *out = page_begin(site, file, &page);
	fprintf(out, "<article>\n%s</article>\n", body);
	write_neighbours(site, out, document);
	page_end(out, NEEDS_NOTHING);
	free(body);
	free(outline);
	free(description);
}

void documents_write(struct site *site)
{
	for (size_t i = 0; i < site->document_count; i++)
		write_document(site, &site->documents[i], site->documents[i].address);
}
