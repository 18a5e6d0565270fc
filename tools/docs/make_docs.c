/* make_docs.c: a build tool: make-docs DIRECTORY OPENAPI.json, in the project's folder, writes the
 * pages at /docs as HTML and the rows of their search as search.json. make-docs --markdown shows
 * what becomes of the Markdown on stdin. */
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/site.h"

static void write_missing(const struct site *site)
{
	const struct page page = {
		.title = "Nothing is here",
		.description = "No page has this address.",
		.address = "",
		.kind = "document missing",
	};
	FILE *out = page_begin(site, "404.html", &page);
	fputs("<article>\n<h1>Nothing is here</h1>\n<p>No page has this address. It may be "
	      "misspelt, or the cube that it led to was removed.</p>\n<ul>\n"
	      "<li><a href=\"/\">Turn a cube</a></li>\n"
	      "<li><a href=\"/docs\">The API</a>, every call with examples</li>\n"
	      "<li><a href=\"/docs/guide\">Guides and all documents</a></li>\n"
	      "<li><a href=\"/docs/problems\">Problems</a>, and what to do</li>\n"
	      "</ul>\n</article>\n",
	      out);
	page_end(out, NEEDS_NOTHING);
}

static int show_markdown(void)
{
	struct markdown markdown = {.out = stdout};
	char *text = read_stream(stdin);
	markdown_write(&markdown, text);
	free(text);
	return ferror(stdout) ? 1 : 0;
}

int main(int count, char **words)
{
	static struct site site;
	json_error_t error;
	if (count == 2 && strcmp(words[1], "--markdown") == 0)
		return show_markdown();
	if (count != 3)
		fail("usage", "make-docs DIRECTORY OPENAPI.json");
	site.to = words[1];
	site.api = json_load_file(words[2], 0, &error);
	if (!site.api)
		fail(words[2], error.text);
	documents_read(&site);
	search_begin(&site);
	calls_write(&site);
	schemas_write(&site);
	documents_write(&site);
	problems_write(&site);
	write_missing(&site);
	search_end(&site);
	return 0;
}
