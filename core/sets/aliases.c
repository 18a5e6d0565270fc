/* core/sets/aliases.c: what people call the cases of OLL and PLL. */
#include <string.h>

#include "cube/sets.h"

/* Source: Speedsolving.com Wiki, OLL and PLL. Of OLL only names that are not a pair of left and right. */
static const struct {
	const char *name, *alias;
} aliases[] = {
	{"oll-1", "Runway"},
	{"oll-2", "Zamboni"},
	{"oll-17", "Slash"},
	{"oll-18", "Crown"},
	{"oll-19", "Bunny"},
	{"oll-20", "X"},
	{"oll-20", "Checkers"},
	{"oll-21", "H"},
	{"oll-21", "Double Sune"},
	{"oll-22", "Pi"},
	{"oll-22", "Bruno"},
	{"oll-23", "Headlights"},
	{"oll-23", "U"},
	{"oll-24", "T"},
	{"oll-24", "Chameleon"},
	{"oll-25", "Bowtie"},
	{"oll-25", "L"},
	{"oll-26", "Antisune"},
	{"oll-27", "Sune"},
	{"oll-28", "Stealth"},
	{"oll-28", "Arrow"},
	{"oll-33", "Key"},
	{"oll-34", "City"},
	{"oll-45", "Suit Up"},
	{"oll-46", "Seein' Headlights"},
	{"oll-55", "Highway"},
	{"oll-56", "Streetlights"},
	{"oll-57", "Mummy"},
	{"pll-aa", "Aa perm"},
	{"pll-ab", "Ab perm"},
	{"pll-e", "E perm"},
	{"pll-f", "F perm"},
	{"pll-ga", "Ga perm"},
	{"pll-gb", "Gb perm"},
	{"pll-gc", "Gc perm"},
	{"pll-gd", "Gd perm"},
	{"pll-h", "H perm"},
	{"pll-ja", "Ja perm"},
	{"pll-jb", "Jb perm"},
	{"pll-na", "Na perm"},
	{"pll-nb", "Nb perm"},
	{"pll-ra", "Ra perm"},
	{"pll-rb", "Rb perm"},
	{"pll-t", "T perm"},
	{"pll-ua", "Ua perm"},
	{"pll-ub", "Ub perm"},
	{"pll-v", "V perm"},
	{"pll-y", "Y perm"},
	{"pll-z", "Z perm"},
};
#define ALIASES (sizeof(aliases) / sizeof(aliases[0]))

size_t cube_case_aliases(const char *name, const char *found[CUBE_CASE_ALIASES_MAX])
{
	size_t count = 0;
	for (size_t i = 0; i < ALIASES && count < CUBE_CASE_ALIASES_MAX; i++)
		if (strcmp(aliases[i].name, name) == 0)
			found[count++] = aliases[i].alias;
	return count;
}

#define PLAIN_MAX 32

/* Letters and digits alone, in lower case, without "perm" at the end; "" if it is too long. */
static void make_plain(const char *text, size_t length, char plain[PLAIN_MAX])
{
	size_t count = 0;
	for (size_t i = 0; i < length && count < PLAIN_MAX; i++) {
		const char lower = (char)(text[i] | 0x20);
		if ((lower >= 'a' && lower <= 'z') || (text[i] >= '0' && text[i] <= '9'))
			plain[count++] = lower;
	}
	if (count == PLAIN_MAX)
		count = 0;
	if (count > 4 && memcmp(plain + count - 4, "perm", 4) == 0)
		count -= 4;
	plain[count] = '\0';
}

const char *cube_case_called(const struct cube_set *set, const char *alias, size_t length)
{
	const size_t prefix = strlen(set->name);
	char wanted[PLAIN_MAX], known[PLAIN_MAX];
	make_plain(alias, length, wanted);
	for (size_t i = 0; i < ALIASES && wanted[0]; i++) {
		const char *name = aliases[i].name;
		if (strlen(name) <= prefix || memcmp(name, set->name, prefix) != 0 ||
		    name[prefix] != '-')
			continue;
		make_plain(aliases[i].alias, strlen(aliases[i].alias), known);
		if (strcmp(known, wanted) == 0)
			return aliases[i].name;
	}
	return NULL;
}
