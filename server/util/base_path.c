/* base_path.c: the path below which a proxy shows this server. */
#include "server/util/base_path.h"

#include <string.h>

static const char *base = "";

void base_path_set(const char *path)
{
	base = path;
}

const char *base_path(void)
{
	return base;
}

bool base_path_remove(struct arena *arena, const char **target, size_t *length)
{
	const size_t removed = strlen(base);
	if (removed == 0 || *length < removed || memcmp(*target, base, removed) != 0)
		return true;
	const char *rest = *target + removed;
	const size_t left = *length - removed;
	if (left > 0 && rest[0] == '/') {
		*target = rest;
		*length = left;
	} else if (left == 0 || rest[0] == '?') { /* the page, without a slash */
		char *path = arena_alloc(arena, left + 2);
		if (!path)
			return false;
		path[0] = '/';
		memcpy(path + 1, rest, left);
		path[left + 1] = '\0';
		*target = path;
		*length = left + 1;
	}
	return true;
}

const char *base_path_add(struct arena *arena, const char *path)
{
	const size_t before = strlen(base);
	if (before == 0 || !path)
		return path;
	char *whole = arena_alloc(arena, before + strlen(path) + 1);
	if (whole) {
		memcpy(whole, base, before);
		memcpy(whole + before, path, strlen(path) + 1);
	}
	return whole;
}
