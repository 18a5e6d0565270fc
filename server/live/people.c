/* people.c: who watches, as members of an event: `people`, and the names of who is here, who came
 * and who left. Written with the session cache's lock, so only the first PEOPLE_MAX are considered, and
 * names are compared by hashes first. */
#include <string.h>

#include "server/format/session_out.h"
#include "server/live/live_internal.h"

#define PEOPLE_MAX 200
#define NAMES_MAX 100

/* The name of somebody; "" for none. */
struct name {
	const char *text;
	uint32_t hash;
};

struct shown {
	size_t count;
	const struct person *person[PEOPLE_MAX];
	uint32_t watchers[PEOPLE_MAX]; /* with their token, or gone within the grace */
	struct name now[PEOPLE_MAX], before[PEOPLE_MAX];
};

static struct name name_make(const char *text)
{
	struct name name = {text, 2166136261u}; /* FNV-1a */
	for (const char *at = text; *at; at++)
		name.hash = (name.hash ^ (unsigned char)*at) * 16777619u;
	return name;
}

static bool name_equal(struct name a, struct name b)
{
	return a.hash == b.hash && strcmp(a.text, b.text) == 0;
}

static bool names_have(const struct name *names, size_t count, struct name name)
{
	for (size_t i = 0; i < count; i++)
		if (name_equal(names[i], name))
			return true;
	return false;
}

static uint32_t watchers_of(const struct person *person)
{
	return person_watchers_here(person) + person->elsewhere;
}

static void shown_fill(struct shown *shown, const struct topic *topic, const struct person *people)
{
	shown->count = 0;
	for (const struct person *person = people; person && shown->count < PEOPLE_MAX;
	     person = person->next) {
		const struct stored_token *token = roster_at(topic->roster, person->token);
		const size_t i = shown->count++;
		shown->person[i] = person;
		shown->watchers[i] = watchers_of(person);
		shown->now[i] = name_make(token && shown->watchers[i] > 0 ? token->label : "");
		shown->before[i] = name_make(person->reported);
	}
}

static void list_write(struct out *out, const struct topic *topic, const struct shown *shown)
{
	size_t count = 0;
	out_member_open(out, "people", '[');
	for (size_t i = 0; i < shown->count && count < NAMES_MAX; i++) {
		const struct stored_token *token =
			roster_at(topic->roster, shown->person[i]->token);
		if (shown->watchers[i] == 0)
			continue;
		out_open(out, '{');
		token_id_write(out, "id", shown->person[i]->token);
		out_member_string(out, "label", token && token->label[0] ? token->label : NULL);
		out_member_string(out, "role", token ? role_names[token->role] : NULL);
		out_member_integer(out, "watchers", shown->watchers[i]);
		out_close(out, '}');
		count++;
	}
	out_close(out, ']');
}

/* The names that are not among `others` (NULL: all), each once: several tokens may have it. */
static void names_write(struct out *out, const char *key, const struct shown *shown,
			const struct name *names, const struct name *others)
{
	size_t count = 0;
	out_member_open(out, key, '[');
	for (size_t i = 0; i < shown->count && count < NAMES_MAX; i++) {
		if (!names[i].text[0] || names_have(names, i, names[i]) ||
		    (others && names_have(others, shown->count, names[i])))
			continue;
		out_string(out, names[i].text);
		count++;
	}
	out_close(out, ']');
}

void people_write(struct out *out, const struct topic *topic, const struct person *people)
{
	struct shown shown;
	shown_fill(&shown, topic, people);
	list_write(out, topic, &shown);
	names_write(out, "names", &shown, shown.now, NULL);
	names_write(out, "came", &shown, shown.now, shown.before);
	names_write(out, "went", &shown, shown.before, shown.now);
}
