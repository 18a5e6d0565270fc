/* markdown_lines.h: what a line of Markdown begins. */
#ifndef TOOLS_DOCS_MARKDOWN_LINES_H
#define TOOLS_DOCS_MARKDOWN_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define COLUMNS_MAX 20

struct line {
	const char *text;
	size_t length;
};

/* The marker of an item of a list. */
struct marker {
	size_t indent; /* of the item's text */
	bool ordered;
	char kind; /* - * + . ) */
	unsigned number;
};

/* Returns the number of spaces that the line begins with. */
size_t line_spaces(const struct line *line);
bool line_blank(const struct line *line);

/* Without so many of the spaces before it; without all spaces around it. */
struct line line_without(const struct line *line, size_t indent);
struct line line_trimmed(const struct line *line);

/* The level of a heading; 0: it is not one. */
int heading_level(const struct line *line);

/* The length of a fence of backticks or tildes; 0: none. */
size_t fence_length(const struct line *line);

bool is_rule(const struct line *line);
bool is_quote(const struct line *line);
bool read_marker(const struct line *line, struct marker *marker);

/* The columns of a line under a table's head, "|---|:-:|"; 0: it is not one. */
size_t table_columns(const struct line *line);

/* Returns true if a paragraph ends before this line. */
bool interrupts(const struct line *line);

#endif
