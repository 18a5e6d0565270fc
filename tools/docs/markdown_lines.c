/* markdown_lines.c: what a line of Markdown begins. */
#include "tools/docs/markdown_lines.h"

#include <ctype.h>
#include <string.h>

size_t line_spaces(const struct line *line)
{
	size_t count = 0;
	while (count < line->length && line->text[count] == ' ')
		count++;
	return count;
}

bool line_blank(const struct line *line)
{
	return line_spaces(line) == line->length;
}

struct line line_without(const struct line *line, size_t indent)
{
	const size_t there = line_spaces(line);
	const size_t cut = there < indent ? there : indent;
	return (struct line){line->text + cut, line->length - cut};
}

struct line line_trimmed(const struct line *line)
{
	struct line short_line = line_without(line, line->length);
	while (short_line.length > 0 && short_line.text[short_line.length - 1] == ' ')
		short_line.length--;
	return short_line;
}

int heading_level(const struct line *line)
{
	int level = 0;
	while ((size_t)level < line->length && line->text[level] == '#')
		level++;
	const bool spaced = (size_t)level == line->length || line->text[level] == ' ';
	return level <= 6 && spaced ? level : 0;
}

size_t fence_length(const struct line *line)
{
	const size_t indent = line_spaces(line);
	size_t count = 0;
	if (indent == line->length || !strchr("`~", line->text[indent]))
		return 0;
	while (indent + count < line->length && line->text[indent + count] == line->text[indent])
		count++;
	const char *rest = line->text + indent + count;
	const bool code = memchr(rest, '`', line->length - indent - count) != NULL;
	return count >= 3 && !code ? count : 0;
}

bool is_rule(const struct line *line)
{
	const struct line rule = line_trimmed(line);
	size_t marks = 0;
	if (rule.length == 0 || !strchr("-*_", rule.text[0]) || line_spaces(line) > 3)
		return false;
	for (size_t i = 0; i < rule.length; i++) {
		if (rule.text[i] != rule.text[0] && rule.text[i] != ' ')
			return false;
		marks += rule.text[i] == rule.text[0];
	}
	return marks >= 3;
}

bool read_marker(const struct line *line, struct marker *marker)
{
	const size_t indent = line_spaces(line);
	size_t at = indent;
	*marker = (struct marker){0};
	if (indent > 3 || is_rule(line))
		return false;
	while (at < line->length && at < indent + 9 && isdigit((unsigned char)line->text[at]))
		marker->number = marker->number * 10 + (unsigned)(line->text[at++] - '0');
	marker->ordered = at > indent;
	if (at == line->length || !strchr(marker->ordered ? ".)" : "-*+", line->text[at]))
		return false;
	marker->kind = line->text[at++];
	const struct line rest = {line->text + at, line->length - at};
	const size_t gap = line_spaces(&rest);
	if (rest.length > 0 && gap == 0)
		return false;
	marker->indent = at + (gap > 4 || gap == rest.length ? 1 : gap);
	return true;
}

bool is_quote(const struct line *line)
{
	const size_t indent = line_spaces(line);
	return indent <= 3 && indent < line->length && line->text[indent] == '>';
}

size_t table_columns(const struct line *line)
{
	const struct line row = line_trimmed(line);
	size_t columns = 0;
	bool dashes = false;
	if (row.length < 3 || !memchr(row.text, '|', row.length))
		return 0;
	for (size_t i = 0; i < row.length; i++) {
		if (!strchr("|-: ", row.text[i]))
			return 0;
		if (row.text[i] == '-')
			dashes = true;
		if ((row.text[i] == '|' || i + 1 == row.length) && dashes) {
			columns++;
			dashes = false;
		}
	}
	return columns <= COLUMNS_MAX ? columns : 0;
}

bool interrupts(const struct line *line)
{
	struct marker marker;
	return line_blank(line) || heading_level(line) || fence_length(line) || is_rule(line) ||
	       is_quote(line) ||
	       (read_marker(line, &marker) && marker.indent < line->length &&
		(!marker.ordered || marker.number == 1));
}
