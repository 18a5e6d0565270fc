/* search.c: the rows of the search, as JSON: ["call", name, place, address, text]; headings have also
 * the words of their section, each once. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/site.h"

/* The text of a row ends at the end of a word after so many bytes. */
#define TEXT_BYTES 110
/* Shorter and longer words of sections are not searched. */
#define WORD_LEAST 3
#define WORD_BYTES 48

void search_begin(struct site *site)
{
	site->search = open_file(site->to, "search.json");
	fputs("[\n[\"document\",\"The API\",\"\",\"/docs\",\"every call\"]", site->search);
}

/* Without the end of its row. */
static void write_row(struct site *site, const char *const *members, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		fputs(i == 0 ? ",\n[" : ",", site->search);
		json_text(site->search, members[i]);
	}
	putc(']', site->search);
}

void search_add(struct site *site, const char *kind, const char *name, const char *place,
		const char *address, const char *text)
{
	char *plain = markdown_plain(text ? text : "", text ? strlen(text) : 0);
	size_t length = strlen(plain);
	if (length > TEXT_BYTES) {
		length = TEXT_BYTES;
		while (length > 0 && plain[length] != ' ' && plain[length] != '\n')
			length--;
		plain[length] = '\0';
	}
	write_row(site, (const char *const[]){kind, name, place, address, plain}, 5);
	free(plain);
}

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Returns true if a word is among those in `words`, each of which ends with a space. */
static bool is_among(const char *words, const char *word, size_t length)
{
	for (const char *at = words; *at; at = strchr(at, ' ') + 1)
		if (strncmp(at, word, length) == 0 && at[length] == ' ')
			return true;
	return false;
}

/* The words of a section in lower case, each once and with a space behind it. */
static char *words_of(struct line section)
{
	char *words = calloc(section.length + 2, 1);
	size_t used = 0;
	if (!words)
		fail("out of memory", "search");
	for (size_t at = 0; at < section.length; at++) {
		char word[WORD_BYTES];
		size_t length = 0;
		if (!isalnum((unsigned char)section.text[at]))
			continue;
		for (; at < section.length && is_of_word(section.text[at]); at++)
			if (length < sizeof word)
				word[length++] = (char)tolower((unsigned char)section.text[at]);
		if (length < WORD_LEAST || length == sizeof word || is_among(words, word, length))
			continue;
		memcpy(words + used, word, length);
		used += length;
		words[used++] = ' ';
	}
	return words;
}

void search_add_section(struct site *site, const char *name, const char *place, const char *address,
			struct line section)
{
	char *words = words_of(section);
	write_row(site, (const char *const[]){"heading", name, place, address, "", words}, 6);
	free(words);
}

void search_end(struct site *site)
{
	fputs("\n]\n", site->search);
	close_file(site->search);
}
