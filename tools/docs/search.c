/* search.c: the rows of the search, as JSON: ["call", name, place, address, text]. */
#include <stdlib.h>
#include <string.h>

#include "tools/docs/html.h"
#include "tools/docs/site.h"

/* The text of a row ends at the end of a word after so many bytes. */
#define TEXT_BYTES 110

void search_begin(struct site *site)
{
	site->search = open_file(site->to, "docs.json");
	fputs("[\n[\"document\",\"The API\",\"\",\"/docs\",\"every call\"]", site->search);
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
	const char *const members[] = {kind, name, place, address, plain};
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		fputs(i == 0 ? ",\n[" : ",", site->search);
		json_text(site->search, members[i]);
	}
	putc(']', site->search);
	free(plain);
}

void search_end(struct site *site)
{
	fputs("\n]\n", site->search);
	close_file(site->search);
}
