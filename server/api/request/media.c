/* media.c: reading Accept and Content-Type. */
#include "server/api/request/media.h"

#include <string.h>
#include <strings.h>

/* Type, subtype, both, and the length of both. */
#define NAMES(type, subtype) type, subtype, type "/" subtype, sizeof(type "/" subtype) - 1

static const struct {
	const char *answered, *type, *subtype, *name;
	size_t name_length;
} media_types[MEDIA_NAMES] = {
	[MEDIA_JSON] = {"application/json", NAMES("application", "json")},
	[MEDIA_TEXT] = {"text/plain; charset=utf-8", NAMES("text", "plain")},
	[MEDIA_EVENTS] = {"text/event-stream", NAMES("text", "event-stream")},
	[MEDIA_NDJSON] = {"application/x-ndjson", NAMES("application", "x-ndjson")},
	[MEDIA_OCTETS] = {"application/octet-stream", NAMES("application", "octet-stream")},
	[MEDIA_NPY] = {"application/x-npy", NAMES("application", "x-npy")},
	[MEDIA_HTML] = {"text/html; charset=utf-8", NAMES("text", "html")},
	[MEDIA_SCRIPT] = {"text/javascript; charset=utf-8", NAMES("text", "javascript")},
	[MEDIA_STYLE] = {"text/css; charset=utf-8", NAMES("text", "css")},
	[MEDIA_SVG] = {"image/svg+xml", NAMES("image", "svg+xml")},
	[MEDIA_PNG] = {"image/png", NAMES("image", "png")},
	[MEDIA_WASM] = {"application/wasm", NAMES("application", "wasm")},
	[MEDIA_WOFF2] = {"font/woff2", NAMES("font", "woff2")},
	[MEDIA_MANIFEST] = {"application/manifest+json", NAMES("application", "manifest+json")},
	[MEDIA_CSV] = {"text/csv; charset=utf-8", NAMES("text", "csv")},
	[MEDIA_CSTIMER] = {"application/vnd.cstimer+json",
			   NAMES("application", "vnd.cstimer+json")},
	[MEDIA_MERGE_PATCH] = {"application/merge-patch+json",
			       NAMES("application", "merge-patch+json")},
	[MEDIA_YAML] = {"application/yaml", NAMES("application", "yaml")},
};

const char *media_type(enum media media)
{
	return media_types[media].answered;
}

static size_t skip_blanks(const char *text)
{
	size_t blanks = 0;
	while (text[blanks] == ' ' || text[blanks] == '\t')
		blanks++;
	return blanks;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

/* A weight "0.8" in thousandths; 1000 if it is malformed: in doubt the type is wanted. */
static int read_weight(const char *text)
{
	if (*text != '0')
		return 1000;
	int weight = 0, unit = 100;
	if (text[1] == '.')
		for (const char *at = text + 2; *at >= '0' && *at <= '9' && unit > 0;
		     at++, unit /= 10)
			weight += (*at - '0') * unit;
	return weight;
}

int media_weight(const char *at, const char *end)
{
	for (; at < end; at++) {
		if (*at != ';')
			continue;
		const char *name = at + 1 + skip_blanks(at + 1);
		if ((*name == 'q' || *name == 'Q') && name[1] == '=' && name + 2 < end)
			return read_weight(name + 2);
	}
	return 1000;
}

/* Rates how well a range names a media type: 3 exactly, 2 its type, 1 anything, 0 not. */
static int range_fits(const char *range, size_t length, enum media media)
{
	const char *slash = memchr(range, '/', length);
	if (!slash)
		return is_word(range, length, "*") ? 1 : 0;
	size_t type = (size_t)(slash - range), subtype = length - type - 1;
	if (is_word(range, type, "*"))
		return is_word(slash + 1, subtype, "*") ? 1 : 0;
	if (!is_word(range, type, media_types[media].type))
		return 0;
	if (is_word(slash + 1, subtype, "*"))
		return 2;
	return is_word(slash + 1, subtype, media_types[media].subtype) ? 3 : 0;
}

/* The weight of one media type: that of the most specific range for it. */
static int accept_weight(const char *accept, enum media media)
{
	int best = 0, weight = 0;
	while (*accept) {
		accept += skip_blanks(accept);
		const char *end = accept + strcspn(accept, ",");
		size_t length = strcspn(accept, ";, \t");
		int fit = range_fits(accept, length, media);
		if (fit > best) {
			best = fit;
			weight = media_weight(accept, end);
		}
		accept = *end ? end + 1 : end;
	}
	return weight;
}

enum media media_choose(const char *accept, unsigned offered, enum media preferred)
{
	enum media chosen = MEDIA_COUNT;
	int best = 0;
	if (accept && accept[skip_blanks(accept)] == '\0')
		accept = NULL;
	if (!accept && offered >> preferred & 1)
		return preferred;
	for (enum media media = 0; media < MEDIA_COUNT; media++) {
		if (!(offered >> media & 1))
			continue;
		int weight = accept ? accept_weight(accept, media) : 1000;
		if (weight > best || (weight == best && weight > 0 && media == preferred)) {
			best = weight;
			chosen = media;
		}
	}
	return chosen;
}

bool media_is(const char *content_type, enum media media)
{
	if (!content_type)
		return false;
	content_type += skip_blanks(content_type);
	const size_t length = media_types[media].name_length;
	return strncasecmp(content_type, media_types[media].name, length) == 0 &&
	       strchr("; \t", content_type[length]); /* matches the end, too */
}
