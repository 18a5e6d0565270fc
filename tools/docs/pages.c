/* pages.c: the frame of all pages at /docs: head, header, contents. */
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/site.h"

struct entry {
	const char *title, *address;
};

/* The pages that are not documents. */
static const struct entry api_entries[] = {
	{"Calls", "/docs"},
	{"Schemas and answers", "/docs/schemas"},
	{"Problems", "/docs/problems"},
};

static void write_head(FILE *out, const struct page *page)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
	      out);
	html_text(out, page->title);
	fputs(" - cubed</title>\n<meta name=\"description\" content=\"", out);
	html_text(out, page->description);
	fputs("\">\n<link rel=\"icon\" href=\"/page.svg\">\n"
	      "<link rel=\"stylesheet\" href=\"/docs.css\">\n",
	      out);
}

static void write_header(FILE *out, const struct page *page)
{
	fprintf(out,
		"<body class=\"%s\">\n<a class=\"skip\" href=\"#text\">Skip to the text</a>\n"
		"<header>\n<a class=\"home\" href=\"/\"><img src=\"/page.svg\" alt=\"\" "
		"width=\"24\" height=\"24\">cubed</a>\n<nav aria-label=\"Documents\">",
		page->kind);
	static const struct entry links[] = {
		{"API", "/docs"}, {"Guides", "/docs/guide"}, {"Problems", "/docs/problems"}};
	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
		fprintf(out, "<a href=\"%s\"%s>%s</a>\n", links[i].address,
			strcmp(links[i].address, page->address) == 0 ? " aria-current=\"page\""
								     : "",
			links[i].title);
	fputs("</nav>\n<div class=\"search\" role=\"search\"><input id=\"find\" type=\"search\" "
	      "aria-label=\"Search the documents\" placeholder=\"Search\" autocomplete=\"off\" "
	      "autocapitalize=\"off\" spellcheck=\"false\"><kbd "
	      "aria-hidden=\"true\">/</kbd></div>\n"
	      "<a class=\"menu\" href=\"#contents\">Contents</a>\n</header>\n",
	      out);
}

static void write_entry(FILE *out, const struct page *page, const char *title, const char *address)
{
	const bool here = strcmp(address, page->address) == 0;
	fprintf(out, "<li><a href=\"%s\"%s>", address, here ? " aria-current=\"page\"" : "");
	html_text(out, title);
	fputs("</a>", out);
	if (here && page->outline)
		fputs(page->outline, out);
	fputs("</li>\n", out);
}

static void write_contents(const struct site *site, FILE *out, const struct page *page)
{
	fputs("<div class=\"frame\">\n<nav id=\"contents\" aria-label=\"Contents\">\n"
	      "<a class=\"close\" href=\"#text\">Close</a>\n",
	      out);
	fputs("<h2>API</h2>\n<ul>\n", out);
	for (size_t i = 0; i < sizeof api_entries / sizeof api_entries[0]; i++)
		write_entry(out, page, api_entries[i].title, api_entries[i].address);
	fputs("<li><a href=\"/openapi.yaml\">openapi.yaml</a></li>\n</ul>\n", out);
	if (page->contents)
		page->contents(site, out);
	for (enum group group = 0; group < GROUP_COUNT; group++) {
		fprintf(out, "<h2>%s</h2>\n<ul>\n", group_titles[group]);
		if (group == GROUP_GUIDE)
			write_entry(out, page, "All documents", "/docs/guide");
		for (size_t i = 0; i < site->document_count; i++)
			if (site->documents[i].group == group &&
			    strcmp(site->documents[i].path, "docs/README.md") != 0)
				write_entry(out, page, site->documents[i].title,
					    site->documents[i].address);
		fputs("</ul>\n", out);
	}
	fputs("</nav>\n", out);
}

FILE *page_begin(const struct site *site, const char *file, const struct page *page)
{
	FILE *out = open_file(site->to, file);
	write_head(out, page);
	write_header(out, page);
	write_contents(site, out, page);
	fputs("<main id=\"text\" tabindex=\"-1\">\n", out);
	return out;
}

/* The modules are asked for at once, but behind the text. */
static void write_modules(FILE *out, const char *const *modules, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "<link rel=\"modulepreload\" href=\"/page/%s.js\">\n", modules[i]);
}

void page_end(FILE *out, enum needs needs)
{
	static const char *const all[] = {"base",     "parts/clipboard", "parts/element",
					  "settings", "words",           "docs/search"};
	static const char *const calls[] = {"docs/reference", "docs/unfold",  "docs/examples",
					    "docs/request",   "docs/samples", "docs/code",
					    "docs/try",       "docs/reply"};
	fputs("</main>\n</div>\n", out);
	write_modules(out, all, sizeof all / sizeof all[0]);
	if (needs == NEEDS_CALLS)
		write_modules(out, calls, sizeof calls / sizeof calls[0]);
	fputs("<script type=\"module\" src=\"/page/docs/docs.js\"></script>\n</body>\n</html>\n",
	      out);
	close_file(out);
}
