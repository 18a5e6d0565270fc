/* markdown.c: the tree that cmark-gfm makes of Markdown, written as HTML. */
#include "tools/docs/markdown.h"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"

/* A text on its way to HTML. */
struct writing {
	struct markdown *markdown;
	FILE *out;
	const char *text; /* the whole */
	bool bare;        /* paragraphs without <p> */
	bool in_head;     /* of a table */
	size_t column;
};

static cmark_node *parse(const char *text, size_t length)
{
	cmark_gfm_core_extensions_ensure_registered();
	cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
	cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
	cmark_parser_feed(parser, text, length);
	cmark_node *root = cmark_parser_finish(parser);
	cmark_parser_free(parser);
	return root;
}

/* ---- without marks ---- */

static void write_plain(FILE *out, cmark_node *root)
{
	cmark_iter *iter = cmark_iter_new(root);
	for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
		cmark_node *node = cmark_iter_get_node(iter);
		const char *literal = cmark_node_get_literal(node);
		const cmark_node_type type = cmark_node_get_type(node);
		if (event == CMARK_EVENT_ENTER && literal)
			fputs(literal, out);
		else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK ||
			 (event == CMARK_EVENT_EXIT && node != root && cmark_node_next(node) &&
			  (type & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK))
			putc('\n', out);
	}
	cmark_iter_free(iter);
}

static char *plain_of(cmark_node *root)
{
	char *plain = NULL;
	size_t size;
	FILE *out = open_memstream(&plain, &size);
	write_plain(out, root);
	fclose(out);
	return plain;
}

char *markdown_plain(const char *text, size_t length)
{
	cmark_node *root = parse(text, length);
	char *plain = plain_of(root);
	cmark_node_free(root);
	return plain;
}

/* ---- headings ---- */

/* As GitHub makes them: lower case, spaces as hyphens, no punctuation; a number if it is taken. */
static const char *make_id(struct markdown *markdown, const char *title)
{
	char id[200], numbered[220];
	size_t length = 0;
	for (; *title && length < sizeof id - 1; title++) {
		const unsigned char c = (unsigned char)*title;
		if (isalnum(c) || c == '-' || c == '_' || c >= 0x80)
			id[length++] = (char)tolower(c);
		else if (c == ' ' || c == '\n')
			id[length++] = '-';
	}
	id[length] = '\0';
	const char *prefix = markdown->prefix ? markdown->prefix : "";
	for (int number = 0;; number++) {
		if (number == 0)
			snprintf(numbered, sizeof numbered, "%.50s%s", prefix, id);
		else
			snprintf(numbered, sizeof numbered, "%.50s%.150s-%d", prefix, id, number);
		size_t i = 0;
		while (i < markdown->id_count && strcmp(markdown->ids[i], numbered) != 0)
			i++;
		if (i == markdown->id_count)
			break;
	}
	if (markdown->id_count == MARKDOWN_IDS_MAX)
		fail("too many headings", title);
	return markdown->ids[markdown->id_count++] = strdup(numbered);
}

/* The beginning of a line, counted from 1; the end of the text if it has fewer. */
static const char *line_at(const char *text, int number)
{
	for (; number > 1 && *text; number--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return text;
}

/* Returns the text below a heading, up to the next one. */
static struct line section_of(const char *text, cmark_node *heading)
{
	cmark_node *next = cmark_node_next(heading);
	while (next && cmark_node_get_type(next) != CMARK_NODE_HEADING)
		next = cmark_node_next(next);
	const char *from = line_at(text, cmark_node_get_end_line(heading) + 1);
	const char *to = next ? line_at(text, cmark_node_get_start_line(next)) : strchr(from, '\0');
	return (struct line){from, (size_t)(to - from)};
}

static void write_heading(struct writing *writing, cmark_node *node, bool enters)
{
	struct markdown *markdown = writing->markdown;
	const int level = cmark_node_get_heading_level(node);
	const int shown = level + markdown->shift > 6 ? 6 : level + markdown->shift;
	char *plain = plain_of(node);
	if (enters) {
		const char *id = make_id(markdown, plain);
		if (markdown->heading)
			markdown->heading(markdown->context, shown, id, plain,
					  section_of(writing->text, node));
		fprintf(writing->out, "<h%d id=\"", shown);
		html_text(writing->out, id);
		fputs("\">", writing->out);
	} else if (shown > 1) {
		fputs(" <a class=\"anchor\" href=\"#", writing->out);
		html_text(writing->out, markdown->ids[markdown->id_count - 1]);
		fputs("\" aria-label=\"Link to ", writing->out);
		html_text(writing->out, plain);
		fputs("\">#</a>", writing->out);
	}
	if (!enters)
		fprintf(writing->out, "</h%d>\n", shown);
	free(plain);
}

/* ---- links ---- */

/* Only addresses that lead to pages. */
static bool address_allowed(const char *address)
{
	const size_t scheme = strcspn(address, ":/?#");
	return address[scheme] != ':' || strncmp(address, "https:", 6) == 0 ||
	       strncmp(address, "http:", 5) == 0 || strncmp(address, "mailto:", 7) == 0;
}

static const char *target_of(const struct writing *writing, cmark_node *node)
{
	const struct markdown *markdown = writing->markdown;
	const char *address = cmark_node_get_url(node);
	if (!address_allowed(address))
		return NULL;
	return markdown->link ? markdown->link(markdown->context, address) : address;
}

static void write_link(struct writing *writing, cmark_node *node, bool enters)
{
	static char written; /* marks links that are more than their text */
	const char *target = enters ? target_of(writing, node) : NULL;
	if (target) {
		cmark_node_set_user_data(node, &written);
		fputs("<a href=\"", writing->out);
		html_text(writing->out, target);
		fputs("\">", writing->out);
	} else if (!enters && cmark_node_get_user_data(node)) {
		fputs("</a>", writing->out);
	}
}

static void write_picture(struct writing *writing, cmark_node *node)
{
	const char *target = target_of(writing, node);
	char *plain = plain_of(node);
	fputs(target ? "<img src=\"" : "", writing->out);
	html_text(writing->out, target ? target : "");
	fputs(target ? "\" alt=\"" : "", writing->out);
	html_text(writing->out, plain);
	fputs(target ? "\">" : "", writing->out);
	free(plain);
}

/* ---- blocks ---- */

static void write_list(FILE *out, cmark_node *node, bool enters)
{
	const bool ordered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST;
	const int start = cmark_node_get_list_start(node);
	if (enters && ordered && start != 1)
		fprintf(out, "<ol start=\"%d\">\n", start);
	else
		fprintf(out, "<%s%s>\n", enters ? "" : "/", ordered ? "ol" : "ul");
}

static void write_paragraph(const struct writing *writing, cmark_node *node, bool enters)
{
	cmark_node *list = cmark_node_parent(cmark_node_parent(node));
	if (writing->bare)
		return;
	if (list && cmark_node_get_type(list) == CMARK_NODE_LIST && cmark_node_get_list_tight(list))
		fputs(enters ? "" : "\n", writing->out);
	else
		fputs(enters ? "<p>" : "</p>\n", writing->out);
}

static void write_code_block(FILE *out, cmark_node *node)
{
	const char *info = cmark_node_get_fence_info(node), *code = cmark_node_get_literal(node);
	html_pre(out, info, strcspn(info, " "), code, strlen(code));
}

/* Writes a cell. An empty one in the head is not a heading. */
static void write_cell(struct writing *writing, cmark_node *node, bool enters)
{
	cmark_node *table = cmark_node_parent(cmark_node_parent(node));
	const uint8_t *aligned = cmark_gfm_extensions_get_table_alignments(table);
	const uint8_t align = aligned[writing->column];
	const bool heads = writing->in_head && cmark_node_first_child(node);
	fprintf(writing->out, "<%s%s%s>", enters ? "" : "/", heads ? "th" : "td",
		!enters || (align != 'c' && align != 'r') ? ""
		: align == 'c'                            ? " class=\"centre\""
							  : " class=\"right\"");
	writing->column += enters ? 0 : 1;
}

static void write_row(struct writing *writing, cmark_node *node, bool enters)
{
	writing->column = 0;
	writing->in_head = enters && cmark_gfm_extensions_get_table_row_is_header(node);
	const bool first = !cmark_node_previous(node);
	if (first && enters)
		fputs("<thead>\n", writing->out);
	fputs(enters ? "<tr>" : "</tr>\n", writing->out);
	if (first && !enters)
		fputs("</thead>\n<tbody>\n", writing->out);
}

static void write_table_part(struct writing *writing, cmark_node *node, bool enters)
{
	const char *type = cmark_node_get_type_string(node);
	if (strcmp(type, "table") == 0)
		fputs(enters ? "<div class=\"scroll\" tabindex=\"0\"><table>\n"
			     : "</tbody>\n</table></div>\n",
		      writing->out);
	else if (strcmp(type, "table_row") == 0 || strcmp(type, "table_header") == 0)
		write_row(writing, node, enters);
	else if (strcmp(type, "table_cell") == 0)
		write_cell(writing, node, enters);
}

/* ---- everything ---- */

static void write_node(struct writing *writing, cmark_node *node, bool enters)
{
	FILE *out = writing->out;
	const char *literal = cmark_node_get_literal(node);
	switch (cmark_node_get_type(node)) {
	case CMARK_NODE_TEXT:
	case CMARK_NODE_HTML_INLINE:
		html_text(out, literal);
		break;
	case CMARK_NODE_HTML_BLOCK:
		fputs("<p>", out);
		html_bytes(out, literal, strlen(literal) - 1); /* without the line's end */
		fputs("</p>\n", out);
		break;
	case CMARK_NODE_CODE:
		html_code(out, literal, strlen(literal));
		break;
	case CMARK_NODE_SOFTBREAK:
		fputs("\n", out);
		break;
	case CMARK_NODE_LINEBREAK:
		fputs("<br>\n", out);
		break;
	case CMARK_NODE_EMPH:
		fputs(enters ? "<em>" : "</em>", out);
		break;
	case CMARK_NODE_STRONG:
		fputs(enters ? "<strong>" : "</strong>", out);
		break;
	case CMARK_NODE_LINK:
		write_link(writing, node, enters);
		break;
	case CMARK_NODE_PARAGRAPH:
		write_paragraph(writing, node, enters);
		break;
	case CMARK_NODE_HEADING:
		write_heading(writing, node, enters);
		break;
	case CMARK_NODE_CODE_BLOCK:
		write_code_block(out, node);
		break;
	case CMARK_NODE_LIST:
		write_list(out, node, enters);
		break;
	case CMARK_NODE_ITEM:
		fputs(enters ? "<li>" : "</li>\n", out);
		break;
	case CMARK_NODE_BLOCK_QUOTE:
		fputs(enters ? "<blockquote>\n" : "</blockquote>\n", out);
		break;
	case CMARK_NODE_THEMATIC_BREAK:
		fputs("<hr>\n", out);
		break;
	default: /* the types of the extension are variables */
		write_table_part(writing, node, enters);
		break;
	}
}

static void write_all(struct writing *writing, size_t length)
{
	cmark_node *root = parse(writing->text, length);
	cmark_iter *iter = cmark_iter_new(root);
	for (cmark_event_type event; (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE;) {
		cmark_node *node = cmark_iter_get_node(iter);
		if (cmark_node_get_type(node) != CMARK_NODE_IMAGE) {
			write_node(writing, node, event == CMARK_EVENT_ENTER);
		} else if (event == CMARK_EVENT_ENTER) {
			write_picture(writing, node);
			cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
		}
	}
	cmark_iter_free(iter);
	cmark_node_free(root);
}

void markdown_write(struct markdown *markdown, const char *text)
{
	struct writing writing = {.markdown = markdown, .out = markdown->out, .text = text};
	write_all(&writing, strlen(text));
}

void markdown_inline(struct markdown *markdown, const char *text, size_t length)
{
	struct writing writing = {
		.markdown = markdown, .out = markdown->out, .text = text, .bare = true};
	write_all(&writing, length);
}
