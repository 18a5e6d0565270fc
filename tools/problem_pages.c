/* problem_pages.c: a build tool: reads docs/reference/problems.md on stdin and writes the pages at /docs/problems: for each a
 * name and its HTML, both ended by a NUL. The first one, with an empty name, lists the others. Of Markdown it knows what that
 * document uses: headings, paragraphs, tables, fenced code, and in lines code, bold and links. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINES_MAX 2000
#define PROBLEMS_MAX 100

struct problem {
	const char *name, *status, *title;
	size_t from, to; /* the lines of its section */
};

static char *lines[LINES_MAX];
static size_t line_count;
static struct problem problems[PROBLEMS_MAX];
static size_t problem_count;

static void fail(const char *what, const char *which)
{
	fprintf(stderr, "problem_pages: %s: %s\n", what, which);
	exit(1);
}

static bool begins(const char *line, const char *with)
{
	return strncmp(line, with, strlen(with)) == 0;
}

static void read_lines(void)
{
	char line[1000];
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (line_count == LINES_MAX)
			fail("too many lines", line);
		lines[line_count++] = strdup(line);
	}
}

/* ---- in a line ---- */

static void put_escaped(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == '<')
			fputs("&lt;", stdout);
		else if (text[i] == '>')
			fputs("&gt;", stdout);
		else if (text[i] == '&')
			fputs("&amp;", stdout);
		else if (text[i] == '"')
			fputs("&quot;", stdout);
		else
			putchar(text[i]);
}

static size_t put_marked(const char *text, const char *mark, const char *element)
{
	const size_t length = strlen(mark);
	const char *end = strstr(text + length, mark);
	if (!end)
		fail("not closed", text);
	printf("<%s>", element);
	put_escaped(text + length, (size_t)(end - text) - length);
	printf("</%s>", element);
	return (size_t)(end - text) + length;
}

/* A link to another document, which is not served, is only its text. */
static size_t put_link(const char *text)
{
	const char *middle = strstr(text, "](");
	const char *end = middle ? strchr(middle, ')') : NULL;
	if (!end)
		fail("not a link", text);
	const bool served = begins(middle + 2, "https://");
	if (served) {
		fputs("<a href=\"", stdout);
		put_escaped(middle + 2, (size_t)(end - middle) - 2);
		fputs("\">", stdout);
	}
	put_escaped(text + 1, (size_t)(middle - text) - 1);
	if (served)
		fputs("</a>", stdout);
	return (size_t)(end - text) + 1;
}

static void put_text(const char *text)
{
	while (*text) {
		if (*text == '`') {
			text += put_marked(text, "`", "code");
		} else if (begins(text, "**")) {
			text += put_marked(text, "**", "b");
		} else if (*text == '[') {
			text += put_link(text);
		} else {
			put_escaped(text++, 1);
		}
	}
}

/* ---- blocks ---- */

static size_t put_code(size_t at, size_t to)
{
	fputs("<pre>", stdout);
	for (at++; at < to && !begins(lines[at], "```"); at++) {
		put_escaped(lines[at], strlen(lines[at]));
		putchar('\n');
	}
	fputs("</pre>\n", stdout);
	return at + 1;
}

/* The lines of a paragraph are one text: code and links may go on in the next line. */
static size_t put_paragraph(size_t at, size_t to)
{
	char text[8000] = "";
	size_t length = 0;
	for (; at < to && lines[at][0] && !begins(lines[at], "```"); at++) {
		const int more = snprintf(text + length, sizeof text - length, "%s%s",
					  length > 0 ? " " : "", lines[at]);
		length += (size_t)more;
		if (length >= sizeof text)
			fail("too long", lines[at]);
	}
	fputs("<p>", stdout);
	put_text(text);
	fputs("</p>\n", stdout);
	return at;
}

static void put_blocks(size_t from, size_t to)
{
	for (size_t at = from; at < to;)
		if (!lines[at][0] || lines[at][0] == '|')
			at++;
		else if (begins(lines[at], "```"))
			at = put_code(at, to);
		else
			at = put_paragraph(at, to);
}

/* The line of the next heading of that or a higher level, or the end. */
static size_t section_end(size_t at)
{
	while (at < line_count && lines[at][0] != '#')
		at++;
	return at;
}

/* ---- what the document has ---- */

/* "| `name` | 400 | Title |" */
static void read_row(const char *line)
{
	char name[100], status[100], title[200];
	if (sscanf(line, "| `%99[a-z-]` | %99[0-9, ] | %199[^|]", name, status, title) != 3)
		return;
	if (problem_count == PROBLEMS_MAX)
		fail("too many problems", line);
	status[strlen(status) - 1] = '\0'; /* the space before the bar */
	title[strlen(title) - 1] = '\0';
	problems[problem_count++] = (struct problem){
		.name = strdup(name), .status = strdup(status), .title = strdup(title)};
}

static void find_section(struct problem *problem)
{
	char heading[100];
	snprintf(heading, sizeof heading, "### %s", problem->name);
	for (size_t at = 0; at < line_count; at++)
		if (strcmp(lines[at], heading) == 0) {
			problem->from = at + 1;
			problem->to = section_end(at + 1);
			return;
		}
	fail("no section", problem->name);
}

/* ---- pages ---- */

static void put_head(const char *title)
{
	printf("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	       "<meta name=\"color-scheme\" content=\"light dark\">\n<title>cubed: %s</title>\n"
	       "<link rel=\"icon\" href=\"/page.svg\">\n<link rel=\"stylesheet\" "
	       "href=\"/docs.css\">\n"
	       "<body id=\"docs\">\n<header>\n"
	       "  <a id=\"home\" href=\"/\"><img src=\"/page.svg\" alt=\"\" width=\"26\" "
	       "height=\"26\"> cubed</a>\n"
	       "  <h1 id=\"title\">Problems</h1>\n  <a href=\"/docs/problems\">All problems</a>\n"
	       "  <a href=\"/docs\">The API</a>\n</header>\n<main>\n",
	       title);
}

static void put_page(const struct problem *problem)
{
	printf("%s%c", problem->name, '\0');
	put_head(problem->name);
	fputs("<section>\n<h2>", stdout);
	put_text(problem->title);
	printf("</h2>\n<p><code>urn:cubed:problem:%s</code>, status %s</p>\n", problem->name,
	       problem->status);
	put_blocks(problem->from, problem->to);
	printf("</section>\n</main>\n</html>\n%c", '\0');
}

static void put_index_item(const char *line)
{
	for (size_t i = 0; i < problem_count; i++) {
		const size_t length = strlen(problems[i].name);
		if (!begins(line, "| `") || strncmp(line + 3, problems[i].name, length) != 0 ||
		    line[3 + length] != '`')
			continue;
		printf("<li><a href=\"/docs/problems/%s\"><code>%s</code></a> (%s): ",
		       problems[i].name, problems[i].name, problems[i].status);
		put_text(problems[i].title);
		fputs("</li>\n", stdout);
	}
}

static void put_index(void)
{
	putchar('\0');
	put_head("problems");
	fputs("<section>\n", stdout);
	put_blocks(1, section_end(1));
	fputs("</section>\n", stdout);
	for (size_t at = 0; at < line_count; at++) {
		if (!begins(lines[at], "## "))
			continue;
		const size_t end = section_end(at + 1);
		fputs("<section>\n<h2>", stdout);
		put_text(lines[at] + 3);
		fputs("</h2>\n<ul>\n", stdout);
		for (size_t row = at; row < end; row++)
			put_index_item(lines[row]);
		fputs("</ul>\n", stdout);
		put_blocks(at + 1, end);
		fputs("</section>\n", stdout);
	}
	printf("</main>\n</html>\n%c", '\0');
}

int main(void)
{
	read_lines();
	for (size_t i = 0; i < line_count; i++)
		read_row(lines[i]);
	for (size_t i = 0; i < problem_count; i++)
		find_section(&problems[i]);
	put_index();
	for (size_t i = 0; i < problem_count; i++)
		put_page(&problems[i]);
	return ferror(stdout) ? 1 : 0;
}
