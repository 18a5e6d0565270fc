/* html.c: writing HTML and JSON text to a stream. */
#include "tools/docs/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Code up to this length stays on one line: it fits on a phone. */
#define UNBROKEN_MAX 40

void fail(const char *what, const char *which)
{
	fprintf(stderr, "make-docs: %s: %s\n", what, which);
	exit(1);
}

void html_bytes(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == '<')
			fputs("&lt;", out);
		else if (text[i] == '>')
			fputs("&gt;", out);
		else if (text[i] == '&')
			fputs("&amp;", out);
		else if (text[i] == '"')
			fputs("&quot;", out);
		else if (text[i] != '\0')
			putc(text[i], out);
}

void html_text(FILE *out, const char *text)
{
	html_bytes(out, text, strlen(text));
}

void html_code(FILE *out, const char *text, size_t length)
{
	fputs(length > UNBROKEN_MAX ? "<code class=\"long\">" : "<code>", out);
	html_bytes(out, text, length);
	fputs("</code>", out);
}

void html_pre(FILE *out, const char *language, size_t language_length, const char *text,
	      size_t length)
{
	fputs("<pre tabindex=\"0\"", out);
	if (language_length > 0) {
		fputs(" data-language=\"", out);
		html_bytes(out, language, language_length);
		putc('"', out);
	}
	fputs("><code>", out);
	html_bytes(out, text, length);
	fputs("</code></pre>\n", out);
}

void json_text(FILE *out, const char *text)
{
	putc('"', out);
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if ((unsigned char)*text < ' ')
			putc(' ', out);
		else
			putc(*text, out);
	putc('"', out);
}

char *read_stream(FILE *stream)
{
	char *text = NULL;
	size_t length = 0;
	if (getdelim(&text, &length, '\0', stream) >= 0)
		return text;
	if (ferror(stream))
		fail("cannot read", strerror(errno));
	free(text);
	return strdup("");
}

char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	if (!file)
		fail("cannot read", path);
	char *text = read_stream(file);
	fclose(file);
	return text;
}

FILE *open_file(const char *folder, const char *path)
{
	char name[512];
	if (snprintf(name, sizeof name, "%s/%s", folder, path) >= (int)sizeof name)
		fail("name too long", path);
	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(name, 0777) != 0 && errno != EEXIST)
			fail("cannot make the folder", name);
		*slash = '/';
	}
	FILE *file = fopen(name, "w");
	if (!file)
		fail("cannot write", name);
	return file;
}

void close_file(FILE *file)
{
	if (ferror(file) || fclose(file) != 0)
		fail("cannot write", strerror(errno));
}
