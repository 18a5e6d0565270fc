/* problems.c: a page for each type of problem, to which `help` in problems leads; of the sections of
 * docs/reference/problems.md. */
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/site.h"

static const char *write_link(void *context, const char *address)
{
	static char target[600];
	if (address[0] == '#') {
		snprintf(target, sizeof target, "/docs/problems%s", address);
		return target;
	}
	return document_link(context, PROBLEMS_SOURCE, address);
}

/* The text below the heading of a problem, up to the next heading. */
static char *section_of(const char *text, const char *name)
{
	char heading[120];
	snprintf(heading, sizeof heading, "\n### %s\n", name);
	const char *from = strstr(text, heading);
	if (!from)
		fail("no section in " PROBLEMS_SOURCE, name);
	from += strlen(heading);
	const char *end = from;
	bool code = false;
	for (; *end; end += strcspn(end, "\n"), end += *end == '\n') {
		if (strncmp(end, "```", 3) == 0)
			code = !code;
		else if (!code && end[0] == '#')
			break;
	}
	return strndup(from, (size_t)(end - from));
}

static void write_problem(struct site *site, const char *text, const char *name, const char *status,
			  const char *title)
{
	char file[160], address[160], description[400];
	snprintf(file, sizeof file, "docs/problems/%s.html", name);
	snprintf(address, sizeof address, "/docs/problems/%s", name);
	snprintf(description, sizeof description, "The problem %s of cubed, status %s: %s.", name,
		 status, title);
	char *section = section_of(text, name);
	search_add(site, "problem", name, title, address, section);
	const struct page page = {.title = title,
				  .description = description,
				  .address = "/docs/problems",
				  .kind = "document"};
	FILE *out = page_begin(site, file, &page);
	fputs("<article>\n<p class=\"faint\"><a href=\"/docs/problems\">Problems</a></p>\n<h1>",
	      out);
	html_text(out, title);
	fprintf(out, "</h1>\n<p><code>urn:cubed:problem:%s</code>, status %s</p>\n", name, status);
	struct markdown markdown = {.out = out, .link = write_link, .context = site};
	markdown_write(&markdown, section);
	fputs("</article>\n", out);
	page_end(out, NEEDS_NOTHING);
	free(section);
}

/* A row of the tables, "| `name` | 400 | Title |". */
static bool read_row(const char *line, char name[100], char status[100], char title[200])
{
	if (sscanf(line, "| `%99[a-z-]` | %99[0-9, ] | %199[^|\n]", name, status, title) != 3)
		return false;
	status[strlen(status) - 1] = '\0'; /* the space before the bar */
	title[strlen(title) - 1] = '\0';
	return true;
}

char *problems_read(void)
{
	char *text = read_file(PROBLEMS_SOURCE), *linked, name[100], status[100], title[200];
	size_t size;
	FILE *out = open_memstream(&linked, &size);
	for (const char *line = text; *line;) {
		const size_t length = strcspn(line, "\n");
		if (read_row(line, name, status, title))
			fprintf(out, "| [`%s`](/docs/problems/%s) | %s | %s |", name, name, status,
				title);
		else
			fprintf(out, "%.*s", (int)length, line);
		line += length;
		if (*line)
			putc(*line++, out);
	}
	fclose(out);
	free(text);
	return linked;
}

void problems_write(struct site *site)
{
	char *text = read_file(PROBLEMS_SOURCE), name[100], status[100], title[200];
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (read_row(line, name, status, title))
			write_problem(site, text, name, status, title);
	}
	free(text);
}
